//! The games: their names, cards and rules.

use std::fmt;
use std::str::FromStr;

use cards::CardSet;

use crate::Rules;

/// A game: number of cards, deck and ranking of hands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Game {
    /// Texas hold'em: two hole cards, the best five of seven cards.
    Holdem,
    /// Omaha: four hole cards, exactly two of them with exactly three of the board.
    Omaha,
    /// Omaha with five hole cards.
    Omaha5,
    /// Omaha with six hole cards.
    Omaha6,
    /// Omaha with four hole cards; half of the pot goes to the best low hand of five cards up to eight.
    OmahaHiLo,
    /// Hold'em with the 36 cards from six to ace; a flush beats a full house.
    ShortDeck {
        /// Whether three of a kind beats a straight.
        trips_beat_straight: bool,
    },
    /// Seven-card stud: each player has seven cards, the best five count.
    Stud,
    /// Seven-card stud for the lowest hand, ace to five.
    Razz,
    /// Five own cards, the lowest hand of the usual ranking wins: the showdown of triple draw.
    DeuceToSeven,
    /// Four own cards, low and of different ranks and suits.
    Badugi,
}

/// The names of every game, the usual one first.
const NAMES: [(Game, &[&str]); 10] = [
    (Game::Holdem, &["holdem", "hold'em", "texas", "nlhe"]),
    (Game::Omaha, &["omaha", "omaha4", "plo", "plo4"]),
    (Game::Omaha5, &["omaha5", "plo5"]),
    (Game::Omaha6, &["omaha6", "plo6"]),
    (Game::OmahaHiLo, &["omaha-hi-lo", "omaha8", "o8", "plo8"]),
    (SHORT_DECK, &["short-deck", "6+"]),
    (Game::Stud, &["stud", "stud7"]),
    (Game::Razz, &["razz"]),
    (Game::DeuceToSeven, &["2-7", "deuce-to-seven", "27"]),
    (Game::Badugi, &["badugi"]),
];

/// The short deck as it is usually played.
const SHORT_DECK: Game = Game::ShortDeck {
    trips_beat_straight: false,
};

impl Game {
    /// Returns every game once. In the short deck of the list a straight beats three of a kind.
    #[must_use]
    pub fn all() -> impl ExactSizeIterator<Item = Game> {
        NAMES.iter().map(|&(game, _)| game)
    }

    /// Returns the number of a player's own cards at the showdown.
    #[must_use]
    pub const fn hole_cards(self) -> usize {
        match self {
            Game::Holdem | Game::ShortDeck { .. } => 2,
            Game::Omaha | Game::OmahaHiLo | Game::Badugi => 4,
            Game::Omaha5 | Game::DeuceToSeven => 5,
            Game::Omaha6 => 6,
            Game::Stud | Game::Razz => 7,
        }
    }

    /// Returns the number of cards on a complete board: five, or none in the games without a board.
    #[must_use]
    pub const fn board_cards(self) -> usize {
        match self {
            Game::Stud | Game::Razz | Game::DeuceToSeven | Game::Badugi => 0,
            _ => 5,
        }
    }

    /// Whether only some of a player's cards may be given, and the rest are dealt: in the games without a board.
    #[must_use]
    pub const fn deals_own_cards(self) -> bool {
        self.board_cards() == 0
    }

    /// Whether half of the pot goes to the best low hand.
    #[must_use]
    pub const fn is_split(self) -> bool {
        matches!(self, Game::OmahaHiLo)
    }

    /// Returns the ranking of high hands.
    #[must_use]
    pub const fn rules(self) -> Rules {
        match self {
            Game::ShortDeck {
                trips_beat_straight,
            } => Rules::ShortDeck {
                trips_beat_straight,
            },
            _ => Rules::Standard,
        }
    }

    /// The cards in play.
    #[must_use]
    pub const fn deck(self) -> CardSet {
        self.rules().deck()
    }

    /// Whether the fast counts for two hole cards apply to the game.
    pub(crate) const fn has_two_hole_cards(self) -> bool {
        self.hole_cards() == 2
    }
}

impl fmt::Display for Game {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let same = |game: Game| std::mem::discriminant(&game) == std::mem::discriminant(self);
        let names = NAMES.iter().find(|&&(game, _)| same(game));
        f.pad(names.map_or("poker", |(_, names)| names[0]))
    }
}

impl FromStr for Game {
    type Err = UnknownGame;

    fn from_str(text: &str) -> Result<Game, UnknownGame> {
        let wanted = text.trim().to_ascii_lowercase();
        NAMES
            .iter()
            .find(|(_, names)| names.contains(&wanted.as_str()))
            .map(|&(game, _)| game)
            .ok_or_else(|| UnknownGame(text.to_string()))
    }
}

/// A text that is not the name of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownGame(String);

impl fmt::Display for UnknownGame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<&str> = NAMES.iter().map(|(_, names)| names[0]).collect();
        let names = names.join(", ");
        write!(f, "unknown game {:?}; the games are {names}", self.0)
    }
}

impl std::error::Error for UnknownGame {}
