//! Shapes of a hand in expressions.

use std::fmt;

use cards::{Seat, ShapeSet};

use super::{Expression, TermKind};
use crate::shape::{FdLengths, classic, fd};

/// An error in a list of shapes.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ShapesError {
    /// The lengths of a pattern do not add up to thirteen cards.
    Sum {
        /// The pattern.
        pattern: String,
        /// Sum of the lengths.
        sum: u32,
    },
    /// The text is in neither notation.
    Notation {
        /// The text.
        text: String,
        /// The fault, as a message.
        message: String,
    },
}

impl fmt::Display for ShapesError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ShapesError::Sum { pattern, sum } => {
                write!(
                    f,
                    "the lengths of the shape {pattern} add up to {sum}, not to 13"
                )
            }
            ShapesError::Notation { text, message } => write!(
                f,
                "{text:?} is not a list of shapes such as `any 4333 + 5xxx` or `5M(332)`: {message}"
            ),
        }
    }
}

impl std::error::Error for ShapesError {}

/// Returns the condition that the hand of `seat` has one of the shapes.
pub(super) fn shape(seat: Seat, text: &str) -> Result<Expression, ShapesError> {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let (set, braces) = match classic_set(&text) {
        Some(set) => (set?, false),
        None => (longer_set(&text)?, true),
    };
    Ok(expression(seat, &text, braces, set))
}

fn expression(seat: Seat, text: &str, braces: bool, set: ShapeSet) -> Expression {
    let kind = TermKind::Shape {
        seat,
        text: text.into(),
        braces,
        set,
    };
    Expression::new(kind, Vec::new())
}

/// Returns the condition that the hand is balanced, 5-4-2-2 or 6-3-2-2.
pub(super) fn semibalanced(seat: Seat) -> Expression {
    let patterns = [b"4333", b"4432", b"5332", b"5422", b"6322"];
    let sets = patterns.map(|pattern| classic::shapes(*pattern, true));
    let set = sets
        .iter()
        .fold(ShapeSet::EMPTY, |set, more| set.union(more));
    let text = "any 4333 + any 4432 + any 5332 + any 5422 + any 6322";
    expression(seat, text, false, set)
}

/// Returns the 4-3-3-3, 4-4-3-2 and 5-3-3-2 hands.
pub(super) fn balanced() -> ShapeSet {
    let sets = [b"4333", b"4432", b"5332"].map(|pattern| classic::shapes(*pattern, true));
    sets.iter()
        .fold(ShapeSet::EMPTY, |set, more| set.union(more))
}

/// Returns the set of a list in the classic notation; `None` if the text is not in it.
fn classic_set(text: &str) -> Option<Result<ShapeSet, ShapesError>> {
    let spaced: String = text
        .chars()
        .flat_map(|c| match c {
            '+' | '-' | ',' => vec![' ', c, ' '],
            _ => vec![c],
        })
        .collect();
    let mut words = spaced.split_whitespace().peekable();
    let mut set = ShapeSet::EMPTY;
    let mut wrong = None;
    words.peek()?;
    while words.peek().is_some() {
        let sign = words.next_if(|word| matches!(*word, "+" | "-" | ","));
        let any = words.next_if_eq(&"any").is_some();
        let word = words.next()?;
        let pattern: [u8; 4] = word.as_bytes().try_into().ok()?;
        if !pattern.iter().all(|c| c.is_ascii_digit() || *c == b'x') {
            return None;
        }
        if let Err(sum) = classic::check(pattern) {
            let pattern = word.to_owned();
            wrong.get_or_insert(ShapesError::Sum { pattern, sum });
            continue;
        }
        let shapes = classic::shapes(pattern, any);
        set = match sign {
            Some("-") => set.difference(&shapes),
            _ => set.union(&shapes),
        };
    }
    Some(match wrong {
        Some(error) => Err(error),
        None => Ok(set),
    })
}

/// Returns the set of a list in the longer notation.
fn longer_set(text: &str) -> Result<ShapeSet, ShapesError> {
    let refused = |message: String| ShapesError::Notation {
        text: text.to_owned(),
        message,
    };
    if let Some(sign) = text.chars().find(|c| "{}\"'#$".contains(*c)) {
        return Err(refused(format!("`{sign}` does not belong here")));
    }
    match fd::shapes(text.as_bytes(), FdLengths::All) {
        Ok(shapes) => Ok(shapes.set),
        Err(messages) => {
            let first = messages.into_iter().next();
            Err(refused(first.map_or_else(
                || "it is empty".to_owned(),
                |message| message.message,
            )))
        }
    }
}
