//! Ranges with names, from a file.

use std::fmt;
use std::sync::OnceLock;

use cards::CardSet;

use super::{Range, RangeError, RangeProblem, Setting};
use crate::Game;

/// Ranges that other ranges can call by name.
///
/// The text has a range on every line: a name, `=`, and the range, which may use the names above it. A `#` starts a
/// comment. Names are words of letters, digits, `_` and `-`; case is of no importance.
///
/// ```
/// use poker::{Game, Names};
/// let names = Names::parse("# six-max\nutg = 22+,AJs+,KQs,AQo+\nmp = utg,ATs,KJs", Game::Holdem).unwrap();
/// assert_eq!(names.find("MP").unwrap().len(), names.find("utg").unwrap().len() + 8);
/// ```
#[derive(Clone, Debug, Default)]
pub struct Names {
    /// Each with its range, or why it has none on this board.
    ranges: Vec<(String, Result<Range, RangeProblem>)>,
}

impl Names {
    /// No names at all.
    #[must_use]
    pub fn none() -> &'static Names {
        static NONE: OnceLock<Names> = OnceLock::new();
        NONE.get_or_init(Names::default)
    }

    /// Reads a file of names.
    ///
    /// # Errors
    /// Says what is wrong in which line.
    pub fn parse(text: &str, game: Game) -> Result<Names, NamesError> {
        Names::parse_on(text, game, CardSet::EMPTY)
    }

    /// Reads a file of names whose filters look at a board. A range with a filter that the board (or the lack of one) leaves
    /// without a hand is a mistake only where it is used.
    ///
    /// ```
    /// use poker::{Game, Names, parse_cards};
    /// let text = "call = 22+,A2s+,KTs+\nraise = call[top pair+]";
    /// let names = Names::parse_on(text, Game::Holdem, parse_cards("Kh7h2c").unwrap()).unwrap();
    /// assert!(names.find("raise").unwrap().len() < names.find("call").unwrap().len());
    /// assert!(Names::parse(text, Game::Holdem).unwrap().find("raise").is_none());
    /// ```
    ///
    /// # Errors
    /// Says what is wrong in which line.
    pub fn parse_on(text: &str, game: Game, board: CardSet) -> Result<Names, NamesError> {
        let mut names = Names::default();
        for (line, content) in (1..).zip(text.lines()) {
            let content = content.split('#').next().unwrap_or("").trim();
            if content.is_empty() {
                continue;
            }
            let wrong = |problem| NamesError { line, problem };
            let (name, range) = content
                .split_once('=')
                .ok_or(wrong(NamesProblem::NoEquals))?;
            let name = name.trim().to_ascii_lowercase();
            let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
            if name.is_empty() || !name.chars().all(is_word) {
                return Err(wrong(NamesProblem::Name(name)));
            }
            if names.entry(&name).is_some() {
                return Err(wrong(NamesProblem::Twice(name)));
            }
            if Range::parse(&name, game).is_ok() {
                return Err(wrong(NamesProblem::IsRange(name)));
            }
            let setting = Setting {
                names: &names,
                board,
                game,
            };
            let range = match Range::parse_in(range, &setting) {
                Ok(range) => Ok(range),
                Err(error) if error.problem().is_of_the_board() => Err(error.problem().clone()),
                Err(error) => return Err(wrong(NamesProblem::Range(error))),
            };
            names.ranges.push((name, range));
        }
        Ok(names)
    }

    /// Whether there are no names.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.ranges.is_empty()
    }

    /// The range of that name, if it has a hand.
    #[must_use]
    pub fn find(&self, name: &str) -> Option<&Range> {
        self.entry(name)?.ok()
    }

    /// The range of that name, or why it has no hand.
    pub(super) fn entry(&self, name: &str) -> Option<Result<&Range, &RangeProblem>> {
        let mut ranges = self.ranges.iter();
        let found = ranges.find(|(own, _)| own.eq_ignore_ascii_case(name));
        found.map(|(_, range)| range.as_ref())
    }

    /// The name that is most like the word, if one is.
    pub(super) fn near(&self, word: &str) -> Option<String> {
        nearest(word, self.ranges.iter().map(|(name, _)| name.as_str()))
    }
}

/// The candidate with the smallest number of edits, if that is at most a third of its letters.
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

/// What is wrong in a file of names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamesError {
    /// The line, from 1.
    pub line: usize,
    problem: NamesProblem,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum NamesProblem {
    NoEquals,
    Name(String),
    Twice(String),
    IsRange(String),
    Range(RangeError),
}

impl fmt::Display for NamesError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: ", self.line)?;
        match &self.problem {
            NamesProblem::NoEquals => {
                f.write_str("a name, = and a range are needed, as in utg = 22+,AJs+")
            }
            NamesProblem::Name(name) => write!(
                f,
                "{name:?} is no name; a name has letters, digits, _ and - only"
            ),
            NamesProblem::Twice(name) => write!(f, "{name:?} is named twice; choose another name"),
            NamesProblem::IsRange(name) => {
                write!(
                    f,
                    "{name:?} is a range already and cannot be a name; choose another"
                )
            }
            NamesProblem::Range(error) => write!(f, "{error}"),
        }
    }
}

impl std::error::Error for NamesError {}
