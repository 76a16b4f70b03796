//! The words of the script language and their meanings.

use croupier::script::WordCategory;
use serde::{Deserialize, Serialize};

use crate::{RequestError, RequestLimits};

/// A request without parameters.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct Nothing {}

/// Class of a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "lowercase")]
pub enum WordKind {
    /// A function of hands or numbers.
    Function,
    /// A statement, such as `produce`.
    Statement,
    /// An action, such as `printall`.
    Action,
    /// An operator, such as `and`.
    Operator,
    /// A value or a metric.
    Name,
}

/// A word of the language.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Word {
    /// Spelling.
    pub word: String,
    /// Class of the word.
    pub kind: WordKind,
    /// Example that uses the word.
    pub usage: String,
    /// Meaning.
    pub meaning: String,
}

/// All words of the language.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct LanguageWords {
    /// Words.
    pub words: Vec<Word>,
}

/// Lists the words; each spelling has an entry of its own.
///
/// # Errors
/// None; the result type is that of all requests.
pub fn words(_: Nothing, _: &RequestLimits) -> Result<LanguageWords, RequestError> {
    let words = croupier::script::words().flat_map(|entry| {
        let kind = match entry.category {
            WordCategory::Statement => WordKind::Statement,
            WordCategory::Action => WordKind::Action,
            WordCategory::Function => WordKind::Function,
            WordCategory::Operator => WordKind::Operator,
            WordCategory::Value | WordCategory::Term | WordCategory::Metric => WordKind::Name,
        };
        let mut spellings = entry.aliases.clone();
        spellings.insert(0, entry.name);
        spellings.into_iter().map(move |word| Word {
            word: word.to_owned(),
            kind,
            usage: entry.signature.to_owned(),
            meaning: entry.documentation.to_owned(),
        })
    });
    Ok(LanguageWords {
        words: words.collect(),
    })
}
