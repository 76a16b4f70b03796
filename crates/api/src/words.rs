//! The words of the language, with what they mean.

use croupier::script::WordCategory;
use serde::{Deserialize, Serialize};

use crate::{Limits, Problem};

/// The question has no parts.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Nothing {}

/// A word that can be typed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct WordData {
    /// The spelling.
    pub word: String,
    /// `function`, `statement`, `action`, `operator` or `name`.
    pub kind: String,
    /// How it is used.
    pub usage: String,
    /// What it means.
    pub meaning: String,
}

/// All of them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Words {
    /// The words.
    pub words: Vec<WordData>,
}

/// Lists the words, every spelling by itself.
///
/// # Errors
/// Never.
pub fn words(_: Nothing, _: &Limits) -> Result<Words, Problem> {
    let words = croupier::script::words().flat_map(|entry| {
        let kind = match entry.category {
            WordCategory::Statement => "statement",
            WordCategory::Action => "action",
            WordCategory::Function => "function",
            WordCategory::Operator => "operator",
            WordCategory::Value | WordCategory::Term | WordCategory::Metric => "name",
        };
        let mut spellings = entry.aliases.clone();
        spellings.insert(0, entry.name);
        spellings.into_iter().map(move |word| WordData {
            word: word.to_owned(),
            kind: kind.to_owned(),
            usage: entry.signature.to_owned(),
            meaning: entry.documentation.to_owned(),
        })
    });
    Ok(Words {
        words: words.collect(),
    })
}
