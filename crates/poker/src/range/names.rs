//! Named ranges from a file.

use std::fmt;
use std::sync::OnceLock;

use cards::CardSet;

use super::words::Word;
use super::{Range, RangeContext, RangeError, RangeProblem};
use crate::Game;

/// Ranges that other ranges can refer to by name.
///
/// Each line of the text has a name, `=`, and a range, which may use the names above it. A `#` starts a comment. Names
/// consist of letters, digits, `_` and `-`; case does not matter.
///
/// ```
/// use croupier_poker::{Game, NamedRanges};
/// let names = NamedRanges::parse("# six-max\nutg = 22+,AJs+,KQs,AQo+\nmp = utg,ATs,KJs", Game::Holdem).unwrap();
/// assert_eq!(names.find("MP").unwrap().len(), names.find("utg").unwrap().len() + 8);
/// ```
#[derive(Clone, Debug, Default)]
pub struct NamedRanges {
    /// Each name with its range, or the reason why it has no hand on this board.
    ranges: Vec<(String, Result<Range, RangeProblem>)>,
}

impl NamedRanges {
    /// Returns an empty list.
    #[must_use]
    pub fn none() -> &'static NamedRanges {
        static NONE: OnceLock<NamedRanges> = OnceLock::new();
        NONE.get_or_init(NamedRanges::default)
    }

    /// Reads a file of names.
    ///
    /// # Errors
    /// Names the mistake and its line.
    pub fn parse(text: &str, game: Game) -> Result<NamedRanges, NamedRangesError> {
        NamedRanges::parse_on(text, game, CardSet::EMPTY)
    }

    /// Reads a file of named ranges with filters for a board. A range that has no hand on the board (or whose filter
    /// has no board) is an error only if it is used.
    ///
    /// ```
    /// use croupier_poker::{Game, NamedRanges, parse_cards};
    /// let text = "call = 22+,A2s+,KTs+\nraise = call[top pair+]";
    /// let names = NamedRanges::parse_on(text, Game::Holdem, parse_cards("Kh7h2c").unwrap()).unwrap();
    /// assert!(names.find("raise").unwrap().len() < names.find("call").unwrap().len());
    /// assert!(NamedRanges::parse(text, Game::Holdem).unwrap().find("raise").is_none());
    /// ```
    ///
    /// # Errors
    /// Names the mistake and its line.
    pub fn parse_on(
        text: &str,
        game: Game,
        board: CardSet,
    ) -> Result<NamedRanges, NamedRangesError> {
        let mut names = NamedRanges::default();
        for (line, content) in (1..).zip(text.lines()) {
            let content = content.split('#').next().unwrap_or("").trim();
            if content.is_empty() {
                continue;
            }
            let wrong = |problem| NamedRangesError { line, problem };
            let (name, range) = content
                .split_once('=')
                .ok_or(wrong(NamedRangesProblem::NoEquals))?;
            let name = name.trim().to_ascii_lowercase();
            let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
            if name.is_empty() || !name.chars().all(is_word) {
                return Err(wrong(NamedRangesProblem::Name(name)));
            }
            if names.entry(&name).is_some() {
                return Err(wrong(NamedRangesProblem::Twice(name)));
            }
            if Range::parse(&name, game).is_ok() && Word::find(&name, game).is_none() {
                return Err(wrong(NamedRangesProblem::IsRange(name)));
            }
            let setting = RangeContext {
                names: &names,
                board,
                game,
            };
            let range = match Range::parse_in(range, &setting) {
                Ok(range) => Ok(range),
                Err(error) if error.problem().is_of_the_board() => Err(error.problem().clone()),
                Err(error) => return Err(wrong(NamedRangesProblem::Range(error))),
            };
            names.ranges.push((name, range));
        }
        Ok(names)
    }

    /// Returns whether there are no names.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.ranges.is_empty()
    }

    /// Returns the range of that name, if it has a hand.
    #[must_use]
    pub fn find(&self, name: &str) -> Option<&Range> {
        self.entry(name)?.ok()
    }

    /// Returns the range of that name, or the reason why it has no hand.
    pub(super) fn entry(&self, name: &str) -> Option<Result<&Range, &RangeProblem>> {
        let mut ranges = self.ranges.iter();
        let found = ranges.find(|(own, _)| own.eq_ignore_ascii_case(name));
        found.map(|(_, range)| range.as_ref())
    }

    /// Returns the name that is most similar to the word, if any is similar.
    pub(super) fn near(&self, word: &str) -> Option<String> {
        nearest(word, self.ranges.iter().map(|(name, _)| name.as_str()))
    }
}

/// Returns the candidate with the smallest number of edits, if that is at most a third of its letters.
pub(super) fn nearest<'a>(word: &str, all: impl Iterator<Item = &'a str>) -> Option<String> {
    let edits = |name: &str| {
        let name: Vec<char> = name.chars().collect();
        let mut row: Vec<usize> = (0..=name.len()).collect();
        for (i, letter) in word.chars().enumerate() {
            let mut corner = row[0];
            row[0] = i + 1;
            for (j, other) in name.iter().enumerate() {
                let replaced = corner + usize::from(letter != *other);
                corner = row[j + 1];
                row[j + 1] = replaced.min(row[j] + 1).min(row[j + 1] + 1);
            }
        }
        row[name.len()]
    };
    all.map(|name| (edits(name), name))
        .filter(|&(edits, name)| edits <= 1.max(name.len() / 3))
        .min()
        .map(|(_, name)| name.to_string())
}

/// A mistake in a file of named ranges.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedRangesError {
    /// The line, from 1.
    pub line: usize,
    problem: NamedRangesProblem,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum NamedRangesProblem {
    NoEquals,
    Name(String),
    Twice(String),
    IsRange(String),
    Range(RangeError),
}

impl fmt::Display for NamedRangesError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: ", self.line)?;
        match &self.problem {
            NamedRangesProblem::NoEquals => {
                f.write_str("a name, = and a range are needed, as in utg = 22+,AJs+")
            }
            NamedRangesProblem::Name(name) => write!(
                f,
                "{name:?} is no name; a name has letters, digits, _ and - only"
            ),
            NamedRangesProblem::Twice(name) => {
                write!(f, "{name:?} is named twice; choose another name")
            }
            NamedRangesProblem::IsRange(name) => {
                write!(
                    f,
                    "{name:?} is a range already and cannot be a name; choose another"
                )
            }
            NamedRangesProblem::Range(error) => write!(f, "{error}"),
        }
    }
}

impl std::error::Error for NamedRangesError {}
