//! The games, one file each: their cards, and the value of a hand at the showdown.
//!
//! Every game computes a [`Worth`]: a number for the pot, and in a split game a second one for the low half. Smaller
//! numbers always win, so high and low games share the same code.

mod ace_to_five;
mod badugi;
mod deuce_to_seven;
mod holdem;
mod lows;
mod omaha;
mod omaha_flop;
mod omaha_hi_lo;
mod omaha_rows;
mod pot;
mod razz;
mod short_deck;
mod stud;
mod stud_hi_lo;

use cards::CardSet;

pub use badugi::{BadugiRank, evaluate_badugi};
pub use deuce_to_seven::{DeuceToSevenRank, evaluate_deuce_to_seven};
pub(crate) use omaha::{BoardCards, HoleCards};
pub use omaha::{evaluate_omaha, evaluate_omaha_batch, evaluate_omaha_batch_with};
pub(crate) use omaha_flop::OnFlop;
pub use omaha_hi_lo::{EightLow, evaluate_omaha_low};
pub use pot::{ShowdownHand, split_pot};
pub use razz::{RazzRank, evaluate_razz};
pub use stud_hi_lo::evaluate_stud_low;

use crate::Game;

/// The value of a hand at the showdown; smaller is better.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Worth {
    /// The value for the pot, or for its high half.
    pub main: u32,
    /// The value for the low half, if the game has one and the hand qualifies.
    pub low: Option<u32>,
}

impl Worth {
    /// Makes the value of a hand that plays for one pot.
    fn whole(main: u32) -> Worth {
        Worth { main, low: None }
    }
}

impl Game {
    /// Returns the value of a player's cards with a board; both must be complete.
    ///
    /// The value of hands with another number of cards is meaningless, but computing it is safe.
    #[must_use]
    pub fn worth(self, own: CardSet, board: CardSet) -> Worth {
        match self {
            Game::Holdem => holdem::worth(own, board),
            Game::Omaha | Game::Omaha5 | Game::Omaha6 => omaha::worth(own, board),
            Game::OmahaHiLo | Game::Omaha5HiLo => omaha_hi_lo::worth(own, board),
            Game::ShortDeck { .. } => short_deck::worth(self.rules(), own, board),
            Game::Stud => stud::worth(own),
            Game::StudHiLo => stud_hi_lo::worth(own),
            Game::Razz => razz::worth(own),
            Game::DeuceToSeven => deuce_to_seven::worth(own),
            Game::AceToFive => ace_to_five::worth(own),
            Game::Badugi => badugi::worth(own),
        }
    }

    /// Describes a hand at the showdown: `full house, kings full of tens`, `8-6-4-3-A low`.
    #[must_use]
    pub fn describe(self, own: CardSet, board: CardSet) -> String {
        match self {
            Game::Holdem => holdem::describe(own, board),
            Game::Omaha | Game::Omaha5 | Game::Omaha6 => omaha::describe(own, board),
            Game::OmahaHiLo | Game::Omaha5HiLo => omaha_hi_lo::describe(own, board),
            Game::ShortDeck { .. } => short_deck::describe(self.rules(), own, board),
            Game::Stud => stud::describe(own),
            Game::StudHiLo => stud_hi_lo::describe(own),
            Game::Razz => razz::describe(own),
            Game::DeuceToSeven => deuce_to_seven::describe(own),
            Game::AceToFive => ace_to_five::describe(own),
            Game::Badugi => badugi::describe(own),
        }
    }
}
