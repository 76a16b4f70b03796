//! Errors in ranges.

use std::fmt;

use crate::notation::{VARIATION, suit_letter};

/// A mistake in a range, with its position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RangeError {
    position: usize,
    problem: RangeProblem,
}

impl RangeError {
    pub(super) fn new(position: usize, problem: RangeProblem) -> RangeError {
        RangeError { position, problem }
    }

    /// Replaces the lower-case letters that the reader saw by the characters as they were typed.
    pub(super) fn with_typed_text(mut self, text: &str) -> RangeError {
        let typed = || text.chars().skip(self.position - 1);
        match &mut self.problem {
            RangeProblem::Rank(found) | RangeProblem::Suit(found) => {
                *found = typed().next().unwrap_or(*found);
            }
            RangeProblem::Suffix(found)
            | RangeProblem::Weight(found)
            | RangeProblem::Precision(found)
            | RangeProblem::Name(found, _)
            | RangeProblem::Percent(found)
            | RangeProblem::TooFew(found) => {
                if let Some(same) = typed_text(typed(), found) {
                    *found = same;
                }
            }
            _ => {}
        }
        self
    }

    /// Returns the position of the mistake in characters, from 1.
    #[must_use]
    pub fn position(&self) -> usize {
        self.position
    }

    /// Returns the mistake.
    #[must_use]
    pub fn problem(&self) -> &RangeProblem {
        &self.problem
    }
}

/// Returns the characters from which the reader made `found`; `None` if they are others.
fn typed_text(typed: impl Iterator<Item = char>, found: &str) -> Option<String> {
    let mut typed = typed.filter(|&letter| letter != VARIATION).peekable();
    let mut text = String::new();
    for letter in found.chars() {
        let mut own = typed.next()?;
        while own.is_whitespace() {
            text.push(' ');
            own = typed.next()?;
        }
        text.push(own);
        if letter == 't' && own == '1' {
            text.push(typed.next_if_eq(&'0')?);
        } else if suit_letter(own).to_ascii_lowercase() != letter {
            return None;
        }
    }
    Some(text)
}

/// The kinds of mistakes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RangeProblem {
    /// Nothing between two commas, or no text at all.
    Empty,
    /// A character that is no rank.
    Rank(char),
    /// A character that is no suit.
    Suit(char),
    /// Characters after a hand that do not belong there.
    Suffix(String),
    /// The item ends too early.
    Incomplete,
    /// A pair that is marked suited or offsuit.
    SuitedPair,
    /// A hand with one card twice.
    SameCard,
    /// A dash between two items that have no hands between them.
    Dash,
    /// A weight that is not a number from 0 to a million.
    Weight(String),
    /// A weight with more than six digits after the point.
    Precision(String),
    /// A number that is a weight of up to 1 in one reading and percent in the other.
    WeightUnit(String),
    /// A weight of more than 100 percent.
    WeightOverAll(String),
    /// A weight in brackets that does not stand before hands, or stands in another one.
    WeightPlace,
    /// A weight in brackets without its end, or an end without its weight.
    WeightEnd,
    /// Hands without a card in the deck of the game.
    NotInDeck,
    /// A bracket without its partner, or a second filter.
    Bracket,
    /// A brace without its partner, or one that does not stand around whole items.
    Brace,
    /// An unknown name, and a similar name if there is one.
    Name(String, Option<String>),
    /// An unknown filter, and a similar filter if there is one.
    Filter(String, Option<String>),
    /// A filter without a board of at least three cards.
    FilterBoard,
    /// A filter in a game that has no filters.
    FilterGame,
    /// No hand of the item passes the filter.
    NothingFits(String),
    /// Not a percentage.
    Percent(String),
    /// A percentage too small for any hand.
    TooFew(String),
    /// A percentage in a game without a ranking of starting hands.
    NoOrder,
    /// Hands that do not exist, such as five aces or a rainbow of five suits.
    Impossible,
}

impl RangeProblem {
    /// Returns whether the mistake depends on the board.
    pub(super) fn is_of_the_board(&self) -> bool {
        matches!(
            self,
            RangeProblem::FilterBoard | RangeProblem::NothingFits(_)
        )
    }
}

impl fmt::Display for RangeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "character {}: {}", self.position, self.problem)
    }
}

/// Rounds to six decimals without zeros at the end.
fn round_to_six(number: f64) -> String {
    let digits = format!("{number:.6}");
    digits
        .trim_end_matches('0')
        .trim_end_matches('.')
        .to_string()
}

impl fmt::Display for RangeProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RangeProblem::Empty => {
                write!(
                    f,
                    "a hand is missing; write hands such as AKs, QQ+ or random"
                )
            }
            RangeProblem::Rank(found) => {
                write!(
                    f,
                    "{found:?} is no rank; ranks are 2 to 9, T, J, Q, K and A"
                )
            }
            RangeProblem::Suit(found) => {
                write!(f, "{found:?} is no suit; suits are c, d, h and s")
            }
            RangeProblem::Suffix(found) => write!(
                f,
                "{found:?} cannot follow here; after two ranks come s, o, +, a dash and a hand, a weight such as :0.5, or a comma and the next hand"
            ),
            RangeProblem::Incomplete => write!(
                f,
                "the hand is not complete; write cards with their suits (AhKd) or ranks (AKs, in Omaha AAxx)"
            ),
            RangeProblem::SuitedPair => write!(
                f,
                "a pair is neither suited nor offsuit; leave the letter out, as in QQ"
            ),
            RangeProblem::SameCard => {
                write!(f, "the same card twice; a hand has every card once")
            }
            RangeProblem::Dash => write!(
                f,
                "nothing lies between the two; a dash joins two pairs (99-66), two kickers (A5s-A2s) or two equal gaps (JTs-76s), both suited, both offsuit or neither"
            ),
            RangeProblem::Weight(found) => {
                write!(
                    f,
                    "{found:?} is no weight; weights are shares from 0 to 1, as in AKs:0.5, or percentages, as in AKs:50%"
                )
            }
            RangeProblem::Precision(found) => {
                write!(
                    f,
                    "the weight {found:?} has more than six digits after the point; round it to six"
                )
            }
            RangeProblem::WeightUnit(found) => {
                let number: f64 = found.parse().unwrap_or_default();
                if number > 1.0 {
                    write!(
                        f,
                        "the weight {found:?} has two readings: for {found} percent write :{found}%; for {found} times the weight of other hands give these :1 and the others :{}",
                        round_to_six(1.0 / number)
                    )
                } else {
                    write!(
                        f,
                        "the weight {found:?} has two readings; write :{found}% for {found} percent, or :{found} for {} percent",
                        round_to_six(100.0 * number)
                    )
                }
            }
            RangeProblem::WeightOverAll(found) => {
                write!(
                    f,
                    "the weight {found:?} is too large; the largest is 100%, as in AKs:100%"
                )
            }
            RangeProblem::WeightPlace => write!(
                f,
                "a weight in brackets stands before its hands and outside other weights, as in [50]AKs,AQs[/50]"
            ),
            RangeProblem::WeightEnd => write!(
                f,
                "a weight in brackets has a start and an end, as in [50]AKs,AQs[/50]"
            ),
            RangeProblem::Brace => write!(
                f,
                "braces stand around whole items, one {{ and one }}, as in {{QQ+,AKs}}:0.5"
            ),
            RangeProblem::Bracket => write!(
                f,
                "a filter stands between one [ and one ], as in QQ-77[overpair]"
            ),
            RangeProblem::Name(name, near) => {
                write!(f, "there is no range named {name:?}")?;
                match near {
                    Some(near) => write!(f, "; did you mean {near:?}?"),
                    None => write!(
                        f,
                        "; ranges get names in a file, a line each: {name} = QQ+,AKs"
                    ),
                }
            }
            RangeProblem::Filter(name, Some(near)) => {
                write!(f, "{name:?} is no filter; did you mean {near:?}?")
            }
            RangeProblem::Filter(name, None) => write!(
                f,
                "{name:?} is no filter; filters are made hands such as [top pair+] and [any pair] and draws such as [flush draw], [gutshot] and [straight draw]"
            ),
            RangeProblem::FilterBoard => {
                write!(
                    f,
                    "a filter needs a board of at least three cards; give the flop, too"
                )
            }
            RangeProblem::FilterGame => {
                write!(
                    f,
                    "filters are for games with two hole cards: hold'em and short deck"
                )
            }
            RangeProblem::NothingFits(filter) => {
                write!(
                    f,
                    "no hand here has [{filter}] on this board; leave the item out or name more hands"
                )
            }
            RangeProblem::Percent(found) => write!(
                f,
                "{found:?} is no percentage; write 15% for the best hands or 5%-20% for those between"
            ),
            RangeProblem::TooFew(found) => write!(
                f,
                "{found} is less than the next kind of hand; AA alone is 0.46%, AKo 0.91%"
            ),
            RangeProblem::NoOrder => {
                write!(
                    f,
                    "percentages are for hold'em only; name the hands instead"
                )
            }
            RangeProblem::NotInDeck => write!(
                f,
                "the deck of this game has no such cards; the short deck has sixes to aces"
            ),
            RangeProblem::Impossible => write!(
                f,
                "no such hand exists; a rank has four cards, and those of one rank have different suits"
            ),
        }
    }
}

impl std::error::Error for RangeError {}
