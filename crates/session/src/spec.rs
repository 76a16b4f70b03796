//! A job as serialisable data.

use cards::{BySeat, Seat, Vulnerability};
use script::expression::Expression;
use script::plan::Mode;
use serde::{Deserialize, Serialize};
use shuffle::{Key, Swap};
use statistics::precision::Precision;

use crate::supply::SupplySpec;
use crate::text;

/// A text of bytes: scripts may be in any encoding, which is preserved.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum ScriptText {
    /// Text.
    Text(String),
    /// Bytes that are not UTF-8.
    Bytes(Vec<u8>),
}

impl Default for ScriptText {
    fn default() -> Self {
        ScriptText::Text(String::new())
    }
}

impl ScriptText {
    /// Returns the bytes.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        match self {
            ScriptText::Text(text) => text.as_bytes(),
            ScriptText::Bytes(bytes) => bytes,
        }
    }
}

impl From<Vec<u8>> for ScriptText {
    fn from(bytes: Vec<u8>) -> ScriptText {
        match String::from_utf8(bytes) {
            Ok(text) => ScriptText::Text(text),
            Err(error) => ScriptText::Bytes(error.into_bytes()),
        }
    }
}

impl From<String> for ScriptText {
    fn from(text: String) -> ScriptText {
        ScriptText::Text(text)
    }
}

impl From<&str> for ScriptText {
    fn from(text: &str) -> ScriptText {
        ScriptText::Text(text.to_owned())
    }
}

impl From<&[u8]> for ScriptText {
    fn from(bytes: &[u8]) -> ScriptText {
        bytes.to_vec().into()
    }
}

/// The script of a [`Job`](crate::Job): a text, or an expression that is its condition.
#[derive(Clone, Debug, Default)]
pub struct JobScript {
    pub(crate) text: ScriptText,
    /// Expression that the text was written from, if there is one. In croupier's own dialect the expression is
    /// compiled, not the text.
    pub(crate) expression: Option<Expression>,
}

impl From<Expression> for JobScript {
    fn from(expression: Expression) -> JobScript {
        JobScript {
            text: script::expression::script_text(&expression).into(),
            expression: Some(expression),
        }
    }
}

macro_rules! texts {
    ($($text:ty),*) => {$(
        impl From<$text> for JobScript {
            fn from(text: $text) -> JobScript {
                JobScript {
                    text: text.into(),
                    expression: None,
                }
            }
        }
    )*};
}

texts!(ScriptText, String, &str, Vec<u8>, &[u8]);

/// A file that the script imports, with its text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ImportedText {
    /// The file that imports it.
    pub importer: String,
    /// The path as it is written in the script.
    pub path: String,
    /// The identity of the file, by which repeated imports are recognised.
    pub identity: String,
    /// Name of the file in messages.
    pub name: String,
    /// Text of the file.
    pub text: ScriptText,
}

/// Another script of a mixed run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MixedScript {
    /// Name of the script in messages and reports.
    pub name: String,
    /// Text of the script.
    pub script: ScriptText,
    /// Share of all deals that this script makes.
    pub share: u64,
}

/// Defaults for settings that neither the caller nor the script gives.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct DefaultSettings {
    /// The seed; generated if there is none.
    pub seed: Option<i64>,
    /// Deals to produce.
    pub produce: Option<i64>,
    /// Deals to generate.
    pub generate: Option<i64>,
}

/// Everything that decides the outcome of a job, as data. [`Job`](crate::Job) has a method for each field.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct JobSpec {
    /// The script's name in messages.
    pub name: String,
    /// The script.
    pub script: ScriptText,
    /// The files that the script imports. They are filled in when the script is read.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub imports: Vec<ImportedText>,
    /// The dialect of the script.
    #[serde(with = "text::mode")]
    pub dialect: Mode,
    /// Whether operators group as in dealer3; for the native dialect.
    pub dealer3: bool,
    /// `$0` to `$9`.
    pub variables: [Option<String>; 10],
    /// The seed; overrides the script's.
    pub seed: Option<i64>,
    /// The key of croupier's generator, if a number is not enough.
    #[serde(with = "text::optional")]
    pub key: Option<Key>,
    /// Deals to produce; overrides the script's. In the classic dialects 0 counts as not given, and negative numbers
    /// are allowed.
    pub produce: Option<i64>,
    /// Deals to generate; overrides the script's.
    pub generate: Option<i64>,
    /// The precision of the averages at which the run ends.
    #[serde(with = "text::optional", skip_serializing_if = "Option::is_none")]
    pub precision: Option<Precision>,
    /// Defaults that replace those of the dialect.
    pub defaults: DefaultSettings,
    /// Whether the caller shows the produced deals whatever the script's actions are; then few are produced by default.
    pub shows_deals: bool,
    /// The actions of the script to run, by their position in its list; `None` means all.
    pub actions: Option<Vec<usize>>,
    /// Cards of the seats, as in `SAKQ,H2`; override the script's.
    pub predeal: BySeat<Option<String>>,
    /// The exchange of hands by which several deals are derived from each.
    #[serde(with = "text::exchange")]
    pub exchange: Swap,
    /// The source of the deals.
    pub supply: SupplySpec,
    /// The opener for `opc`; overrides the script's.
    #[serde(with = "text::optional")]
    pub opener: Option<Seat>,
    /// Vulnerability for `par` without an argument; `None` means that neither side is vulnerable.
    #[serde(with = "text::optional")]
    pub par_vulnerability: Option<Vulnerability>,
    /// Whether every produced deal gets its double-dummy results, even if no action needs them.
    pub solve: bool,
    /// The title; overrides the script's. An empty one removes it.
    pub title: Option<ScriptText>,
    /// The dealer of all boards; overrides the script's.
    #[serde(with = "text::optional")]
    pub dealer: Option<Seat>,
    /// The vulnerability of all boards; overrides the script's.
    #[serde(with = "text::optional")]
    pub vulnerable: Option<Vulnerability>,
    /// Names of the bidding systems of North-South and East-West, for `bids` and similar functions. The caller opens them; see
    /// [`ExecutionOptions::robots`](crate::ExecutionOptions).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub systems: Option<[String; 2]>,
    /// Number of the first board; overrides the script's.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first_board: Option<u64>,
    /// Classes of deals in these proportions, `Game=2,Slam=1` or `Game=60%,Slam=40%`; empty for all classes of the script,
    /// equally.
    pub level: Option<String>,
    /// Whether the classes of a levelled run and the scripts of a mixed one are spread evenly instead of shuffled.
    pub even: bool,
    /// How many deals a levelled script may generate per deal kept; the shares move towards the natural ones to fit.
    pub level_budget: Option<u64>,
    /// Whether the produced deals are ordered so that the script's classes are spread evenly.
    pub interleave: bool,
    /// The seed of `rnd`, independent of the deals; for croupier's generator.
    pub rnd_seed: Option<i64>,
    /// Whether the script's `level` statement is ignored.
    pub as_dealt: bool,
    /// More scripts whose deals are mixed with the first one's.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub mix: Vec<MixedScript>,
    /// The share of the first script in a mixed run; 0 counts as 1.
    pub share: u64,
}
