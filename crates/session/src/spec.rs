//! A job as data: what travels between programs and machines.

use cards::{BySeat, Seat, Vulnerability};
use engine::SamplerUse;
use script::plan::Mode;
use serde::{Deserialize, Serialize};
use shuffle::{Key, Swap};

use crate::text;

/// A text of bytes: scripts may be in any encoding and pass through unchanged.
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
    /// The bytes.
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

/// A file that the script imports, with its text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ImportedText {
    /// The file that imports it.
    pub importer: String,
    /// The path as it stands in the script.
    pub path: String,
    /// What tells the file from others.
    pub identity: String,
    /// Its name in messages.
    pub name: String,
    /// Its text.
    pub text: ScriptText,
}

/// One more script of a mixed run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MixedScript {
    /// Its name in messages and reports.
    pub name: String,
    /// Its text.
    pub script: ScriptText,
    /// How many parts of all deals come from it.
    pub share: u64,
}

/// Defaults in place of the usual ones, for what neither the caller nor the script says.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Usual {
    /// The seed; without one it is fresh.
    pub seed: Option<i64>,
    /// Deals to produce.
    pub produce: Option<i64>,
    /// Deals to look at.
    pub generate: Option<i64>,
}

/// Where the deals are to come from, as far as it can be written down.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SupplySpec {
    /// The generator of the dialect; our own with this use of the exact sampler.
    Random(SamplerUse),
    /// Boards that people play for.
    Tournament(#[serde(with = "text::optional")] Option<Key>),
    /// A library of solved deals, which the caller holds.
    Library,
    /// Deals that the caller holds.
    Given,
}

impl Default for SupplySpec {
    fn default() -> Self {
        SupplySpec::Random(SamplerUse::Auto)
    }
}

/// Everything that decides the outcome of a job, as data. [`Job`](crate::Job) has a method for each.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct JobSpec {
    /// The script's name in messages.
    pub name: String,
    /// The script.
    pub script: ScriptText,
    /// The files it imports. Filled in when the script is read.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub imports: Vec<ImportedText>,
    /// Whose meaning the script has.
    #[serde(with = "text::mode")]
    pub dialect: Mode,
    /// Whether operators group as in dealer3; for our own dialect.
    pub dealer3: bool,
    /// `$0` to `$9`.
    pub variables: [Option<String>; 10],
    /// The seed, over the script's.
    pub seed: Option<i64>,
    /// The key of our own generator, where a number is not enough.
    #[serde(with = "text::optional")]
    pub key: Option<Key>,
    /// Deals to produce, over the script's. In the classic dialects 0 counts as not given, and there are negative numbers.
    pub produce: Option<i64>,
    /// Deals to look at, over the script's.
    pub generate: Option<i64>,
    /// Defaults in place of the usual ones.
    pub usual: Usual,
    /// The caller shows the produced deals, whatever the script's actions are: then few are produced by default.
    pub shows_deals: bool,
    /// Which of the script's actions count, by their place in its list; nothing means all.
    pub actions: Option<Vec<usize>>,
    /// Cards for the seats, over the script's: `SAKQ,H2`.
    pub predeal: BySeat<Option<String>>,
    /// Several deals from each by exchanging hands.
    #[serde(with = "text::swap")]
    pub swap: Swap,
    /// Where the deals come from.
    pub supply: SupplySpec,
    /// Who opens, for `opc`, over the script's.
    #[serde(with = "text::optional")]
    pub opener: Option<Seat>,
    /// Vulnerability of `par` without one; nothing means nobody.
    #[serde(with = "text::optional")]
    pub vulnerability: Option<Vulnerability>,
    /// Every produced deal gets its double-dummy results, also if no action asks for them.
    pub solve: bool,
    /// The title, over the script's; given but empty removes it.
    pub title: Option<ScriptText>,
    /// The dealer of all boards, over the script's.
    #[serde(with = "text::optional")]
    pub dealer: Option<Seat>,
    /// The vulnerability of all boards, over the script's.
    #[serde(with = "text::optional")]
    pub vulnerable: Option<Vulnerability>,
    /// Classes of deals in these proportions, `Game=2,Slam=1` or `Game=60%,Slam=40%`; empty for all classes of the script,
    /// equally.
    pub level: Option<String>,
    /// The classes of a levelled run and the scripts of a mixed one are spread evenly instead of shuffled.
    pub even: bool,
    /// Deals dealt for each deal kept that a levelled script may cost; the shares move towards nature to fit.
    pub level_budget: Option<u64>,
    /// The produced deals are put in an order that spreads the script's classes evenly.
    pub interleave: bool,
    /// The seed of `rnd`, apart from that of the deals; for our own deals.
    pub rnd_seed: Option<i64>,
    /// The deals are taken as they come, whatever the script's `level` says.
    pub as_dealt: bool,
    /// More scripts whose deals are mixed with the first one's.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub mix: Vec<MixedScript>,
    /// How many parts of a mixed run are the first script's; 0 counts as 1.
    pub share: u64,
}
