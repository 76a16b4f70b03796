//! The games whose equity can be computed.

use std::fmt;
use std::str::FromStr;

use cards::CardSet;

use crate::Rules;

/// A game: how many hole cards, from which deck, and what beats what.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Game {
    /// Texas hold'em: two hole cards, the best five of seven.
    Holdem,
    /// Omaha: four hole cards, exactly two of them with exactly three of the board.
    Omaha,
    /// Hold'em with the 36 cards from six to ace; a flush beats a full house.
    ShortDeck {
        /// Whether three of a kind beats a straight.
        trips_beat_straight: bool,
    },
}

impl Game {
    /// The number of hole cards.
    #[must_use]
    pub const fn hole_cards(self) -> usize {
        match self {
            Game::Omaha => 4,
            Game::Holdem | Game::ShortDeck { .. } => 2,
        }
    }

    /// What beats what.
    #[must_use]
    pub const fn rules(self) -> Rules {
        match self {
            Game::Holdem | Game::Omaha => Rules::Standard,
            Game::ShortDeck {
                trips_beat_straight,
            } => Rules::ShortDeck {
                trips_beat_straight,
            },
        }
    }

    /// The cards in play.
    #[must_use]
    pub const fn deck(self) -> CardSet {
        self.rules().deck()
    }
}

impl fmt::Display for Game {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Game::Holdem => "holdem",
            Game::Omaha => "omaha",
            Game::ShortDeck { .. } => "short-deck",
        })
    }
}

impl FromStr for Game {
    type Err = UnknownGame;

    fn from_str(text: &str) -> Result<Game, UnknownGame> {
        match text {
            "holdem" => Ok(Game::Holdem),
            "omaha" => Ok(Game::Omaha),
            "short-deck" => Ok(Game::ShortDeck {
                trips_beat_straight: false,
            }),
            _ => Err(UnknownGame(text.to_string())),
        }
    }
}

/// A word that names no game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownGame(String);

impl fmt::Display for UnknownGame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "unknown game {:?}; games are holdem, omaha and short-deck",
            self.0
        )
    }
}

impl std::error::Error for UnknownGame {}
