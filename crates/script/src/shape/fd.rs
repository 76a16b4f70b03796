//! François Dellacherie's notation of shapes, as in `shape{north, 5M(332) + 6m(322):s>h}`.

use std::ops::Range;

use cards::{Shape, ShapeSet};

use super::FdLengths;
use super::condition::Condition;
use super::fd_parser::Parser;
use super::lengths::{Lengths, permutations, shapes_with};

/// An error or warning about a range of the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShapeDiagnostic {
    /// Class of the message, such as `E411`.
    pub code: &'static str,
    /// The bytes of the text that are marked.
    pub range: Range<usize>,
    /// Explanation.
    pub message: String,
}

impl ShapeDiagnostic {
    pub(crate) fn error(
        code: &'static str,
        range: Range<usize>,
        message: impl Into<String>,
    ) -> ShapeDiagnostic {
        ShapeDiagnostic {
            code,
            range,
            message: message.into(),
        }
    }
}

/// The shapes of an expression, and warnings about it.
#[derive(Clone, Debug)]
pub struct ShapeList {
    /// The shapes.
    pub set: ShapeSet,
    /// Warnings about text that is legal, but probably not meant.
    pub warnings: Vec<ShapeDiagnostic>,
}

/// One suit length as written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Spec {
    pub lengths: Lengths,
    /// Whether it is written `x`.
    pub open: bool,
    /// Whether it has a modifier, or cannot have one.
    pub complete: bool,
    /// Whether it is written `5+`.
    pub plus: bool,
}

/// The letter after a length, which names its suit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Letter {
    /// A suit by position: spades 0 .. clubs 3.
    Suit(usize),
    Major,
    Minor,
}

/// A length outside the parentheses, with its letter.
#[derive(Clone, Debug)]
pub(crate) struct Fixed {
    pub spec: Spec,
    pub letter: Option<Letter>,
    pub range: Range<usize>,
}

/// Four lengths: `5M(332)`.
#[derive(Clone, Debug, Default)]
pub(crate) struct Body {
    pub fixed: Vec<Fixed>,
    pub group: Vec<Spec>,
    pub range: Range<usize>,
}

/// A body and its condition.
#[derive(Clone, Debug)]
pub(crate) struct Alternative {
    pub body: Body,
    pub condition: Option<Condition>,
}

/// Alternatives and the sign before them.
#[derive(Clone, Debug)]
pub(crate) struct Term {
    pub minus: bool,
    pub sign: Range<usize>,
    pub alternatives: Vec<Alternative>,
}

/// Returns the shapes of an expression.
///
/// ```
/// use croupier_script::shape::{FdLengths, fd};
///
/// let balanced = fd::shapes(b"(3+3+3+2+) - 5M(332)", FdLengths::All).unwrap();
/// assert_eq!(balanced.set.len(), 22);
/// assert_eq!(fd::shapes(b"5M(33)", FdLengths::All).unwrap_err()[0].code, "E411");
/// ```
///
/// # Errors
/// The errors in the text, with their places.
pub fn shapes(text: &[u8], lengths: FdLengths) -> Result<ShapeList, Vec<ShapeDiagnostic>> {
    let mut parser = Parser::new(text);
    let terms = parser.terms().map_err(|error| vec![error])?;
    let mut warnings = parser.warnings;
    let mut set = ShapeSet::EMPTY;
    for term in &terms {
        let mut of_term = ShapeSet::EMPTY;
        for alternative in &term.alternatives {
            of_term = of_term.union(&alternative.shapes(lengths));
        }
        if term.minus {
            if set.is_empty() {
                warnings.push(ShapeDiagnostic::error(
                    "W13",
                    term.sign.clone(),
                    "nothing is in the set yet, so this `-` removes nothing; put the shapes to keep first",
                ));
            }
            set = set.difference(&of_term);
        } else {
            if of_term.is_empty()
                && let Some(first) = term.alternatives.first()
            {
                warnings.push(ShapeDiagnostic::error(
                    "W13",
                    first.body.range.clone(),
                    "no hand has this shape",
                ));
            }
            set = set.union(&of_term);
        }
    }
    Ok(ShapeList { set, warnings })
}

/// Returns the terms of an expression, for the textual expansion.
pub(crate) fn terms(text: &[u8]) -> Result<Vec<Term>, Vec<ShapeDiagnostic>> {
    Parser::new(text).terms().map_err(|error| vec![error])
}

impl Alternative {
    fn shapes(&self, lengths: FdLengths) -> ShapeSet {
        let nine = lengths == FdLengths::UpToNine;
        let mut set = ShapeSet::EMPTY;
        let condition = self
            .condition
            .as_ref()
            .filter(|condition| !(nine && condition.is_zero));
        self.body.for_each_choice(|suits, major, minor| {
            let mut of_choice = self.body.shapes_for(suits, lengths);
            if let Some(condition) = condition {
                of_choice = filtered(&of_choice, condition, major, minor, nine);
            }
            set = set.union(&of_choice);
        });
        set
    }
}

/// Returns the shapes for which the condition holds. `major` and `minor` are the suits that `M` and `m` mean in the
/// body. Where they are not set, the condition may hold for either suit.
fn filtered(
    set: &ShapeSet,
    condition: &Condition,
    major: Option<usize>,
    minor: Option<usize>,
    nine: bool,
) -> ShapeSet {
    let choices = |bound: Option<usize>, mentioned: bool, all: [usize; 2]| match bound {
        Some(place) => vec![place],
        None if mentioned => all.to_vec(),
        None => vec![all[0]],
    };
    let majors = choices(major, condition.mentions_major, [0, 1]);
    let minors = choices(minor, condition.mentions_minor, [2, 3]);
    let holds = |shape: Shape| {
        let lengths = shape.lengths();
        majors.iter().any(|&major| {
            minors.iter().any(|&minor| {
                let mut mentions = condition.mentions;
                mentions[major] |= condition.mentions_major;
                mentions[minor] |= condition.mentions_minor;
                let short = (0..4).all(|place| !mentions[place] || lengths[place] <= 9);
                (short || !nine) && condition.holds(lengths, major, minor)
            })
        })
    };
    set.iter().filter(|&shape| holds(shape)).collect()
}

impl Body {
    pub(super) fn count(&self) -> usize {
        self.fixed.len() + self.group.len()
    }

    /// Calls `visit` with the positions of the fixed lengths for every choice of suits for `M` and `m`, and with those
    /// suits if the body has exactly one `M` or `m`.
    pub(crate) fn for_each_choice(
        &self,
        mut visit: impl FnMut(&[usize], Option<usize>, Option<usize>),
    ) {
        let named: Vec<usize> = self
            .fixed
            .iter()
            .filter_map(|f| match f.letter {
                Some(Letter::Suit(place)) => Some(place),
                _ => None,
            })
            .collect();
        let count = |letter| {
            self.fixed
                .iter()
                .filter(|f| f.letter == Some(letter))
                .count()
        };
        let (major_count, minor_count) = (count(Letter::Major), count(Letter::Minor));
        let left = |all: [usize; 2]| -> Vec<usize> {
            all.into_iter().filter(|p| !named.contains(p)).collect()
        };
        for majors in arrangements(&left([0, 1]), major_count) {
            for minors in arrangements(&left([2, 3]), minor_count) {
                let mut next = (majors.iter(), minors.iter());
                let mut taken: Vec<usize> = named.clone();
                taken.extend(&majors);
                taken.extend(&minors);
                let mut rest = (0..4).filter(|place| !taken.contains(place));
                let places: Vec<usize> = self
                    .fixed
                    .iter()
                    .filter_map(|f| match f.letter {
                        Some(Letter::Suit(place)) => Some(place),
                        Some(Letter::Major) => next.0.next().copied(),
                        Some(Letter::Minor) => next.1.next().copied(),
                        None => rest.next(),
                    })
                    .collect();
                let only = |list: &[usize]| match list {
                    [one] => Some(*one),
                    _ => None,
                };
                visit(&places, only(&majors), only(&minors));
            }
        }
    }

    fn shapes_for(&self, places: &[usize], lengths: FdLengths) -> ShapeSet {
        let of = |spec: &Spec| match lengths {
            FdLengths::UpToNine if spec.plus => Lengths(spec.lengths.0 & Lengths::UP_TO_NINE.0),
            _ => spec.lengths,
        };
        let mut wanted = [Lengths::ANY; 4];
        for (fixed, &place) in self.fixed.iter().zip(places) {
            wanted[place] = of(&fixed.spec);
        }
        let free: Vec<usize> = (0..4).filter(|place| !places.contains(place)).collect();
        let group: Vec<Lengths> = self.group.iter().map(of).collect();
        let mut set = ShapeSet::EMPTY;
        permutations(&group, |order| {
            for (&place, &lengths) in free.iter().zip(order) {
                wanted[place] = lengths;
            }
            set = set.union(&shapes_with(wanted));
        });
        set
    }
}

/// Returns all ordered selections of `count` items.
fn arrangements(items: &[usize], count: usize) -> Vec<Vec<usize>> {
    match (items, count) {
        (_, 0) => vec![vec![]],
        (&[a], 1) => vec![vec![a]],
        (&[a, b], 1) => vec![vec![a], vec![b]],
        (&[a, b], 2) => vec![vec![a, b], vec![b, a]],
        _ => vec![],
    }
}
