//! Equity: each player's share of the pot.
//!
//! A deal is one hand for every player, all apart from each other, from the board and from the
//! dead cards, and a completion of the board; its weight is the product of the hands' weights. The
//! winners of a deal share the pot evenly. Where it can be done in reasonable time all deals are
//! counted, and the counts are exact; otherwise deals are drawn at random until the standard error
//! is small enough.
//!
//! ```
//! use poker::{Game, Query, Range, Options};
//! let aces = Range::parse("AhAs", Game::Holdem)?;
//! let kings = Range::parse("KdKc", Game::Holdem)?;
//! let equity = Query::new(Game::Holdem, vec![aces, kings]).solve(&Options::default())?;
//! assert!(equity.is_exact());
//! assert_eq!(equity.deals(), 1_712_304);
//! assert_eq!(equity.players()[0].wins, 1_388_072);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod boards;
mod by_hand;
mod dealt;
mod fixed;
mod hands;
mod monte_carlo;
mod omaha_count;
mod outcome;
mod plan;
pub mod preflop;
mod random;
mod symmetry;
mod threads;
mod tuples;

use std::fmt;

use cards::CardSet;

pub use by_hand::HandEquity;
use outcome::largest_standard_error;
pub use outcome::{Decimal, Equity, Player, Winners};
pub use plan::Algorithm;

use crate::notation::format_cards;
use crate::{Game, Range};

/// The largest number of players.
pub const MAX_PLAYERS: usize = 10;

/// Who plays what on which board.
#[derive(Clone, Debug)]
pub struct Query {
    /// The game.
    pub game: Game,
    /// The players' ranges.
    pub players: Vec<Range>,
    /// The board: up to five cards.
    pub board: CardSet,
    /// Cards that nobody can have.
    pub dead: CardSet,
}

/// How to find the answer.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Count, draw, or whichever fits.
    pub method: Method,
    /// How many threads to use; the answer does not depend on it.
    pub threads: usize,
    /// The seed of the simulation.
    pub seed: u64,
    /// When the simulation ends.
    pub stop: Stop,
}

/// Whether to count all deals or to draw some.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Method {
    /// Count if that should take less than ten seconds of one core, else draw.
    #[default]
    Auto,
    /// Count, however long it takes.
    Exact,
    /// Draw deals at random.
    MonteCarlo,
}

/// The simulation ends when either limit is reached.
#[derive(Clone, Copy, Debug)]
pub struct Stop {
    /// The largest number of deals.
    pub samples: u64,
    /// Enough when the standard error of every player's equity is not above this. Looked at every
    /// 524,288 deals.
    pub standard_error: f64,
}

impl Default for Stop {
    fn default() -> Stop {
        Stop {
            samples: 100_000_000,
            standard_error: 0.0001,
        }
    }
}

impl Default for Options {
    /// All cores, seed 0, the default stop rule.
    fn default() -> Options {
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        Options {
            method: Method::Auto,
            threads,
            seed: 0,
            stop: Stop::default(),
        }
    }
}

impl Query {
    /// A question without board and dead cards.
    #[must_use]
    pub fn new(game: Game, players: Vec<Range>) -> Query {
        Query {
            game,
            players,
            board: CardSet::EMPTY,
            dead: CardSet::EMPTY,
        }
    }

    /// Finds everybody's equity.
    ///
    /// # Errors
    /// If the question makes no sense (too few or too many players, a card in two places), if the
    /// hands cannot be dealt together, or if an exact answer was demanded and cannot be had.
    pub fn solve(&self, options: &Options) -> Result<Equity, EquityError> {
        plan::solve(self, options)
    }

    /// Finds the equity of each hand of a player's range by itself; players count from 0.
    ///
    /// # Errors
    /// As [`Query::solve`].
    ///
    /// # Panics
    /// If there is no such player.
    pub fn by_hand(
        &self,
        player: usize,
        options: &Options,
    ) -> Result<Vec<HandEquity>, EquityError> {
        by_hand::by_hand(self, player, options)
    }

    /// The deck without board and dead cards.
    fn left(&self) -> CardSet {
        self.game.deck() - self.board - self.dead
    }

    fn check(&self) -> Result<(), EquityError> {
        let players = self.players.len();
        if !(2..=MAX_PLAYERS).contains(&players) {
            return Err(EquityError::Players(players));
        }
        if self.board.len() > self.game.board_cards() {
            return Err(EquityError::Board(
                self.board.len(),
                self.game.board_cards(),
            ));
        }
        let twice = self.board & self.dead;
        if !twice.is_empty() {
            return Err(EquityError::BoardAndDead(twice));
        }
        let foreign = (self.board | self.dead) - self.game.deck();
        if !foreign.is_empty() {
            return Err(EquityError::NotInDeck(foreign));
        }
        let needed = players * self.game.hole_cards() + self.game.board_cards() - self.board.len();
        if needed > self.left().len() {
            return Err(EquityError::NoDeal);
        }
        let listed = |(_, range): &(usize, &Range)| !range.is_everything_in(self.game);
        for (number, range) in (1..).zip(&self.players).filter(listed) {
            let full = self.game.hole_cards();
            let size = range.hands().first().map_or(full, |(hand, _)| hand.len());
            let size = if self.game.deals_own_cards() {
                size.min(full)
            } else {
                full
            };
            if let Some((hand, _)) = range.hands().iter().find(|(hand, _)| hand.len() != size) {
                return Err(EquityError::WrongGame {
                    player: number,
                    hand: *hand,
                });
            }
        }
        Ok(())
    }
}

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EquityError {
    /// Too few or too many players.
    Players(usize),
    /// More cards on the board than the game has there.
    Board(usize, usize),
    /// Cards that are on the board and dead.
    BoardAndDead(CardSet),
    /// Cards that the game does not have.
    NotInDeck(CardSet),
    /// A hand with the wrong number of cards for the game.
    WrongGame {
        /// Whose hand, counted from 1.
        player: usize,
        /// The hand.
        hand: CardSet,
    },
    /// A range of which no hand is left.
    NothingLeft {
        /// Whose range, counted from 1.
        player: usize,
        /// The range.
        range: String,
    },
    /// The players' hands share cards whatever they hold.
    NoDeal,
    /// Exact counts were demanded, but the numbers would be too large.
    TooLarge,
    /// The simulation hardly finds hands that fit together.
    TooFewDeals,
}

impl fmt::Display for EquityError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            EquityError::Players(count) => {
                write!(f, "equity needs 2 to {MAX_PLAYERS} players, not {count}")
            }
            EquityError::Board(_, 0) => write!(f, "this game has no board; leave its cards out"),
            EquityError::Board(count, most) => {
                write!(f, "{count} cards on the board; at most {most} fit")
            }
            EquityError::BoardAndDead(cards) => {
                write!(
                    f,
                    "{} cannot be on the board and dead",
                    format_cards(*cards)
                )
            }
            EquityError::NotInDeck(cards) => {
                write!(f, "the deck of this game has no {}", format_cards(*cards))
            }
            EquityError::WrongGame { player, hand } => write!(
                f,
                "player {player}: {} has {} cards, which is wrong for this game or unlike the rest of the range",
                format_cards(*hand),
                hand.len()
            ),
            EquityError::NothingLeft { player, range } => write!(
                f,
                "player {player}: no hand of {range} is left; each shares a card with the board or the dead cards, or has weight 0"
            ),
            EquityError::NoDeal => {
                write!(
                    f,
                    "the hands cannot be dealt together: they need the same cards"
                )
            }
            EquityError::TooLarge => write!(
                f,
                "too many deals and weights for exact counts; use fewer digits in the weights or let it simulate"
            ),
            EquityError::TooFewDeals => write!(
                f,
                "the ranges share so many cards that hardly any deal is possible; narrow them or give exact hands"
            ),
        }
    }
}

impl EquityError {
    /// Whether the question itself makes no sense, rather than having no answer.
    #[must_use]
    pub fn is_misuse(&self) -> bool {
        matches!(
            self,
            EquityError::Players(_)
                | EquityError::Board(..)
                | EquityError::BoardAndDead(_)
                | EquityError::NotInDeck(_)
                | EquityError::WrongGame { .. }
        )
    }
}

impl std::error::Error for EquityError {}
