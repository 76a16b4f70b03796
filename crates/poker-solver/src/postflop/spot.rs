//! The problem: board, ranges, chips and bet sizes.

use std::fmt;

use cards::CardSet;
use poker::{Game as PokerGame, NamedRanges, Range, RangeContext, RangeError, format_cards};

use super::bets::{BetSizeError, SizeTable};

/// Default bets: half the pot, the pot, or all-in.
pub const DEFAULT_BETS: &str = "50%,100%,a";
/// Default raises.
pub const DEFAULT_RAISES: &str = "60%,a";
/// A bet that leaves at most this share of the pot after a call becomes all-in.
pub const DEFAULT_ALL_IN_THRESHOLD: f64 = 0.2;
/// Default number of raises on a street, without the first bet.
pub const DEFAULT_RAISE_LIMIT: usize = 3;

/// The largest [`Spot::raise_limit`].
pub const MOST_RAISES: usize = 100;

/// A game of two ranges after the flop.
#[derive(Clone, Debug)]
pub struct Spot {
    /// Three, four or five cards.
    pub board: CardSet,
    /// The range out of position, which acts first on every street, and the range in position.
    pub ranges: [Range; 2],
    /// Chips in the pot.
    pub pot: f64,
    /// Chips that each player can still bet.
    pub stack: f64,
    /// Sizes of the first bet on a street.
    pub bets: SizeTable,
    /// Sizes of raises.
    pub raises: SizeTable,
    /// A bet that leaves at most this share of the pot after a call becomes all-in.
    pub all_in_threshold: f64,
    /// Maximum number of raises on a street, without the first bet; at most [`MOST_RAISES`].
    pub raise_limit: usize,
    /// Strategies that are fixed instead of solved.
    pub locks: Vec<LockedNode>,
}

/// A decision with a fixed strategy for some hands.
#[derive(Clone, Debug, PartialEq)]
pub struct LockedNode {
    /// Actions and cards from the start, separated by commas: `check, bet 50`.
    pub path: String,
    /// Actions, and the hands that take them with their frequencies as weights.
    pub actions: Vec<(String, Range)>,
}

/// A locked decision that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum LockError {
    /// No `=>` between the path and the strategy.
    NoArrow,
    /// No colon between an action and its range.
    NoColon(String),
    /// A range that cannot be read.
    Range(String, RangeError),
}

impl fmt::Display for LockError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let example = "as in \"check => bet 50: AA,KK; check: QQ\"";
        match self {
            LockError::NoArrow => write!(f, "a path, => and a strategy are needed, {example}"),
            LockError::NoColon(text) => write!(
                f,
                "{text:?}: an action, a colon and a range are needed, {example}"
            ),
            LockError::Range(text, error) => write!(f, "range {text:?}: {error}"),
        }
    }
}

impl std::error::Error for LockError {}

impl LockedNode {
    /// Reads `PATH => ACTION: RANGE; ACTION: RANGE`. The path of the first decision is empty.
    ///
    /// # Errors
    /// Reports the part that is missing or the range that cannot be read.
    pub fn parse(text: &str, setting: &RangeContext) -> Result<LockedNode, LockError> {
        let (path, strategy) = text.split_once("=>").ok_or(LockError::NoArrow)?;
        let mut actions = Vec::new();
        for part in strategy.split(';') {
            let (action, range) = part
                .split_once(':')
                .ok_or_else(|| LockError::NoColon(part.trim().to_owned()))?;
            let range = Range::parse_in(range, setting)
                .map_err(|error| LockError::Range(range.trim().to_owned(), error))?;
            actions.push((action.trim().to_owned(), range));
        }
        Ok(LockedNode {
            path: path.trim().to_owned(),
            actions,
        })
    }

    /// Returns the lock in the notation of [`parse`](LockedNode::parse), with each hand listed.
    pub(super) fn text(&self) -> String {
        let part = |(action, range): &(String, Range)| format!("{action}: {}", range_text(range));
        let parts: Vec<String> = self.actions.iter().map(part).collect();
        format!("{} => {}", self.path, parts.join("; "))
    }
}

/// Returns a range as text with each hand listed.
pub(super) fn range_text(range: &Range) -> String {
    let hand =
        |&(hand, weight): &(CardSet, poker::Weight)| format!("{}:{weight}", format_cards(hand));
    let hands: Vec<String> = range.hands().iter().map(hand).collect();
    hands.join(",")
}

/// A spot that cannot be solved.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum SpotError {
    /// The board has a wrong number of cards. Holds the number.
    Board(usize),
    /// The pot or the stack is not a number of chips.
    Chips(&'static str, f64),
    /// This player (0 is out of position) has no hand without a card of the board.
    NoHands(usize),
    /// Every hand of one player shares a card with every hand of the other.
    NoDeals,
    /// The all-in threshold is not a share.
    Threshold(f64),
    /// More raises on a street than [`MOST_RAISES`].
    Raises(usize),
    /// The tree has too many nodes.
    TooLarge,
    /// A bet size that cannot be read.
    Size(BetSizeError),
    /// A path that does not lead to a decision.
    Path(PathError),
    /// The frequencies of a hand in a locked decision do not add up to one.
    Frequencies(String, f64),
    /// The game needs more memory than allowed. Holds the bytes needed and the bytes allowed.
    Memory(u64, u64),
}

/// A path that cannot be followed.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PathError {
    /// An impossible step, and the possible ones.
    Step(String, Vec<String>),
    /// The path ends where no player decides; cards or nothing can follow.
    NoDecision(String),
}

impl fmt::Display for PathError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PathError::Step(step, possible) if possible.is_empty() => {
                write!(f, "{step:?} cannot follow: the hand is over")
            }
            PathError::Step(step, possible) => {
                write!(
                    f,
                    "{step:?} is not possible here; use {}",
                    possible.join(", ")
                )
            }
            PathError::NoDecision(next) => write!(f, "nobody decides here; {next}"),
        }
    }
}

impl std::error::Error for PathError {}

impl fmt::Display for SpotError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let player = |number: usize| ["out of position", "in position"][number.min(1)];
        match self {
            SpotError::Board(cards) => write!(
                f,
                "the board has {cards} cards; three, four or five are needed, as in Kh7d2c"
            ),
            SpotError::Chips(name, value) => write!(
                f,
                "the {name} is {value}; a number of chips from 0.000001 to 1000000000 is needed"
            ),
            SpotError::NoHands(number) => write!(
                f,
                "the board leaves no hand of the range {}",
                player(*number)
            ),
            SpotError::NoDeals => f.write_str("every two hands of the ranges share a card"),
            SpotError::Threshold(value) => write!(
                f,
                "the all-in threshold is {value}; a share of the pot from 0 to 100 is needed"
            ),
            SpotError::Raises(limit) => {
                write!(
                    f,
                    "the raise limit is {limit}; at most {MOST_RAISES} are possible"
                )
            }
            SpotError::TooLarge => {
                f.write_str("the tree is too large; use fewer bet sizes or raises")
            }
            SpotError::Size(error) => error.fmt(f),
            SpotError::Path(error) => error.fmt(f),
            SpotError::Frequencies(hand, sum) => {
                write!(
                    f,
                    "the frequencies of {hand} add up to {sum}; give all actions of a hand, so that they add up to 1"
                )
            }
            SpotError::Memory(needed, allowed) => write!(
                f,
                "{} MB of memory are needed, more than the {} allowed; use fewer bet sizes, narrower ranges or 16-bit precision",
                needed.div_ceil(1 << 20),
                allowed >> 20
            ),
        }
    }
}

impl std::error::Error for SpotError {}

impl From<BetSizeError> for SpotError {
    fn from(error: BetSizeError) -> SpotError {
        SpotError::Size(error)
    }
}

impl From<PathError> for SpotError {
    fn from(error: PathError) -> SpotError {
        SpotError::Path(error)
    }
}

impl Spot {
    /// Creates a spot with the default tree: [`DEFAULT_BETS`], [`DEFAULT_RAISES`], [`DEFAULT_ALL_IN_THRESHOLD`] and
    /// [`DEFAULT_RAISE_LIMIT`].
    #[must_use]
    pub fn new(board: CardSet, ranges: [Range; 2], pot: f64, stack: f64) -> Spot {
        let table = |text: &str| {
            let mut table = SizeTable::default();
            let read = table.set(text, true);
            debug_assert!(read.is_ok(), "the default sizes are valid");
            table
        };
        Spot {
            board,
            ranges,
            pot,
            stack,
            bets: table(DEFAULT_BETS),
            raises: table(DEFAULT_RAISES),
            all_in_threshold: DEFAULT_ALL_IN_THRESHOLD,
            raise_limit: DEFAULT_RAISE_LIMIT,
            locks: Vec::new(),
        }
    }

    /// Sets bet sizes, as in [`SizeTable::set`].
    ///
    /// # Errors
    /// Reports a word that is not a bet size.
    pub fn with_sizes(mut self, bets: &str, raises: &str) -> Result<Spot, SpotError> {
        self.bets.set(bets, false)?;
        self.raises.set(raises, true)?;
        Ok(self)
    }

    /// Returns the context for ranges of this spot: its board, without named ranges.
    #[must_use]
    pub fn setting(&self) -> RangeContext<'static> {
        RangeContext {
            game: PokerGame::Holdem,
            board: self.board,
            names: NamedRanges::none(),
        }
    }
}
