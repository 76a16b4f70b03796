//! Equity: each player's share of the pot.
//!
//! A deal is one hand for every player, disjoint from each other, from the board and from the dead cards, and a
//! completion of the board. Its weight is the product of the hands' weights. The winners of a deal share the pot
//! evenly. If it can be done in reasonable time, all deals are counted, and the result is exact. Otherwise deals are
//! drawn at random until the standard error is small enough.
//!
//! ```
//! use croupier_poker::{Game, Query, Range, EquityOptions};
//! let aces = Range::parse("AhAs", Game::Holdem)?;
//! let kings = Range::parse("KdKc", Game::Holdem)?;
//! let equity = Query::new(Game::Holdem, vec![aces, kings]).solve(&EquityOptions::default())?;
//! assert!(equity.is_exact());
//! assert_eq!(equity.deals(), 1_712_304);
//! assert_eq!(equity.players()[0].wins, 1_388_072);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub(crate) mod boards;
mod by_hand;
mod dealt;
mod fixed;
mod hands;
mod many_ranges;
mod monte_carlo;
mod next_card;
mod omaha_count;
mod outcome;
mod plan;
pub mod preflop;
mod random;
mod sorted_hands;
pub(crate) mod symmetry;
pub(crate) mod threads;
mod three_ranges;
mod tuples;

use std::fmt;

use cards::CardSet;

pub use by_hand::HandEquity;
pub use next_card::NextCard;
use outcome::largest_standard_error;
pub use outcome::{Decimal, Equity, PlayerEquity, ShareIntervals, Winners};
pub use plan::Algorithm;

use crate::notation::format_cards;
use crate::{Game, Range};

/// The largest number of players.
pub const MAX_PLAYERS: usize = 10;

/// An equity problem: the players' ranges and the board.
#[derive(Clone, Debug)]
pub struct Query {
    /// The game.
    pub game: Game,
    /// The players' ranges.
    pub players: Vec<Range>,
    /// Ranges of players who have folded. Each held a hand of the range, so the cards of the others are less likely to be
    /// left in the deck. A folded hand that may be any hand changes nothing.
    pub folded: Vec<Range>,
    /// The board: up to five cards.
    pub board: CardSet,
    /// Cards that are out of play.
    pub dead: CardSet,
}

/// Options of an equity computation.
#[derive(Clone, Copy, Debug)]
pub struct EquityOptions {
    /// Count all deals, draw some, or choose automatically.
    pub method: EquityMethod,
    /// Number of threads. The result does not depend on it.
    pub threads: usize,
    /// The seed of the simulation.
    pub seed: u64,
    /// The rule that ends the simulation.
    pub stop: StopRule,
}

/// Whether to count all deals or to draw some.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum EquityMethod {
    /// Counts if the estimate is below ten seconds of one core, else draws.
    #[default]
    Auto,
    /// Counts, however long it takes.
    Exact,
    /// Draws deals at random.
    MonteCarlo,
}

/// Limits of a simulation. It ends when either one is reached.
#[derive(Clone, Copy, Debug)]
pub struct StopRule {
    /// The largest number of deals.
    pub samples: u64,
    /// Target for the largest standard error of any player's equity, checked every 524,288 deals.
    pub standard_error: f64,
}

impl Default for StopRule {
    fn default() -> StopRule {
        StopRule {
            samples: 100_000_000,
            standard_error: 0.0001,
        }
    }
}

impl Default for EquityOptions {
    /// Returns the default options: all cores, seed 0, the default stop rule.
    fn default() -> EquityOptions {
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        EquityOptions {
            method: EquityMethod::Auto,
            threads,
            seed: 0,
            stop: StopRule::default(),
        }
    }
}

impl Query {
    /// Creates a query without board and dead cards.
    #[must_use]
    pub fn new(game: Game, players: Vec<Range>) -> Query {
        Query {
            game,
            players,
            folded: Vec::new(),
            board: CardSet::EMPTY,
            dead: CardSet::EMPTY,
        }
    }

    /// Computes the equity of all players.
    ///
    /// # Errors
    /// If the query is invalid (too few or too many players, a card in two places), if the hands cannot be dealt
    /// together, or if an exact result was requested and is not possible.
    pub fn solve(&self, options: &EquityOptions) -> Result<Equity, EquityError> {
        plan::solve(self, options)
    }

    /// Computes the equity of each hand of a player's range separately; players count from 0.
    ///
    /// # Errors
    /// As [`Query::solve`].
    ///
    /// # Panics
    /// If there is no such player.
    pub fn by_hand(
        &self,
        player: usize,
        options: &EquityOptions,
    ) -> Result<Vec<HandEquity>, EquityError> {
        by_hand::by_hand(self, player, options)
    }

    /// Computes the equity after every card that can come next on a board of three or four cards.
    ///
    /// ```
    /// use croupier_poker::{EquityOptions, Game, Query, parse_cards};
    /// let players = vec!["AhKh".parse()?, "QcQd".parse()?];
    /// let query = Query { board: parse_cards("Qh7h2c")?, ..Query::new(Game::Holdem, players) };
    /// let options = EquityOptions::default();
    /// let (now, next) = (query.solve(&options)?, query.next_cards(&options)?);
    /// let outs: Vec<_> = next.iter().filter(|next| next.is_out(0, &now)).collect();
    /// // Eight hearts; the two of hearts gives the opponent a full house.
    /// assert_eq!((next.len(), outs.len()), (45, 8));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`Query::solve`], and if the board has fewer than three cards or is complete.
    pub fn next_cards(&self, options: &EquityOptions) -> Result<Vec<NextCard>, EquityError> {
        next_card::next_cards(self, options)
    }

    /// Returns the deck without board and dead cards.
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
        if players + self.folded.len() > MAX_PLAYERS {
            return Err(EquityError::Folded(players, self.folded.len()));
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

/// A query that is invalid or has no result.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum EquityError {
    /// Too few or too many players.
    Players(usize),
    /// Too many players with those who have folded: the players, and the folded ranges.
    Folded(usize, usize),
    /// A folded range without a playable hand.
    FoldedRange {
        /// Number of the folded range, from 1.
        number: usize,
        /// The range.
        range: String,
    },
    /// More cards on the board than the game has there.
    Board(usize, usize),
    /// Cards that are on the board and dead.
    BoardAndDead(CardSet),
    /// Cards that the game does not have.
    NotInDeck(CardSet),
    /// A hand with the wrong number of cards for the game.
    WrongGame {
        /// Number of the player who has the hand, from 1.
        player: usize,
        /// The hand.
        hand: CardSet,
    },
    /// A range without a playable hand.
    NothingLeft {
        /// Number of the player who has the range, from 1.
        player: usize,
        /// The range.
        range: String,
    },
    /// No card can come next: the number of cards on the board, and of a complete one.
    NoNextCard(usize, usize),
    /// Some players share a card in every combination of their hands.
    NoDeal,
    /// An exact result was requested, but the counts would overflow.
    TooLarge,
    /// The simulation rarely finds hands without a common card.
    TooFewDeals,
}

impl fmt::Display for EquityError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            EquityError::Players(count) => {
                write!(f, "equity needs 2 to {MAX_PLAYERS} players, not {count}")
            }
            EquityError::Folded(players, folded) => write!(
                f,
                "{players} players and {folded} folded ranges; at most {MAX_PLAYERS} together"
            ),
            EquityError::FoldedRange { number, range } => write!(
                f,
                "folded range {number}: no hand of {range} is left; each shares a card with the board or the dead cards, has weight 0 or belongs to another game"
            ),
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
            EquityError::NoNextCard(_, 0) => {
                write!(f, "this game has no board, so no card comes next")
            }
            EquityError::NoNextCard(found, _) => write!(
                f,
                "a board of three or four cards is needed for the next card, not {found}"
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
    /// Returns whether the query is invalid, rather than without a result.
    #[must_use]
    pub fn is_invalid_query(&self) -> bool {
        matches!(
            self,
            EquityError::Players(_)
                | EquityError::Folded(..)
                | EquityError::Board(..)
                | EquityError::BoardAndDead(_)
                | EquityError::NotInDeck(_)
                | EquityError::WrongGame { .. }
                | EquityError::NoNextCard(..)
        )
    }
}

impl std::error::Error for EquityError {}
