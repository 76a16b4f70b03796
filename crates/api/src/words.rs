//! The words of the script language and their meanings.

use croupier::script::WordCategory;
use serde::{Deserialize, Serialize};

use crate::{Limits, Problem};

/// A request without parameters.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Nothing {}

/// A word of the language.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct WordData {
    /// Spelling.
    pub word: String,
    /// Class: `function`, `statement`, `action`, `operator` or `name`.
    pub kind: String,
    /// Example of its use.
    pub usage: String,
    /// Meaning.
    pub meaning: String,
}

/// All words of the language.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Words {
    /// Words.
    pub words: Vec<WordData>,
}

/// Lists the words; each spelling has an entry of its own.
///
/// # Errors
/// None; the result type is that of all requests.
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
