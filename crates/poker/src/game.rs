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
    /// Omaha with five hole cards; half of the pot goes to the best low hand of five cards up to eight.
    Omaha5HiLo,
    /// Hold'em with the 36 cards from six to ace; a flush beats a full house.
    ShortDeck {
        /// Whether three of a kind beats a straight.
        trips_beat_straight: bool,
    },
    /// Seven-card stud: each player has seven cards, the best five count.
    Stud,
    /// Seven-card stud; half of the pot goes to the best low hand of five cards up to eight.
    StudHiLo,
    /// Seven-card stud for the lowest hand, ace to five.
    Razz,
    /// Five own cards, the lowest hand of the usual ranking wins: the showdown of triple draw.
    DeuceToSeven,
    /// Five own cards, the lowest hand wins, ace to five: the showdown of California lowball and its triple draw.
    AceToFive,
    /// Four own cards, low and of different ranks and suits.
    Badugi,
}

/// A row of the list of games.
#[derive(Clone, Copy, Debug)]
pub struct GameEntry {
    /// The game.
    pub game: Game,
    /// Name on command lines and in JSON.
    pub name: &'static str,
    /// Name as players write it.
    pub title: &'static str,
    /// Further names.
    pub aliases: &'static [&'static str],
    /// A description in a few words.
    pub about: &'static str,
    /// A range of hands of the game.
    pub example: &'static str,
}

const fn row(
    game: Game,
    (name, title): (&'static str, &'static str),
    aliases: &'static [&'static str],
    about: &'static str,
    example: &'static str,
) -> GameEntry {
    GameEntry {
        game,
        name,
        title,
        aliases,
        about,
        example,
    }
}

/// Every game, the usual one first. Names on command lines, in JSON, in Python and on the page come from this list.
#[rustfmt::skip]
pub const GAMES: [GameEntry; 13] = [
    row(Game::Holdem, ("holdem", "Texas hold'em"), &["hold'em", "texas", "nlhe"],
        "two hole cards, the best five of seven", "TT+, AJs+, KQs, AQo+"),
    row(Game::Omaha, ("omaha", "Omaha"), &["omaha4", "plo", "plo4"],
        "four hole cards, exactly two of them with three of the board", "AsAhKsKh"),
    row(Game::Omaha5, ("omaha5", "Omaha, five cards"), &["plo5"], "Omaha with five hole cards", "AsAhKsKhQs"),
    row(Game::Omaha6, ("omaha6", "Omaha, six cards"), &["plo6"], "Omaha with six hole cards", "AsAhKsKhQsQh"),
    row(Game::OmahaHiLo, ("omaha-hi-lo", "Omaha hi-lo"), &["omaha8", "o8", "plo8"],
        "Omaha; half of the pot goes to the best low hand of five cards up to eight", "AsAh2s3h"),
    row(Game::Omaha5HiLo, ("omaha5-hi-lo", "Omaha hi-lo, five cards"), &["big-o", "bigo", "plo5-8"],
        "Omaha hi-lo with five hole cards", "AsAh2s3h4d"),
    row(SHORT_DECK, ("short-deck", "Short deck (6+)"), &["6+"],
        "hold'em with 36 cards: sixes and higher, flushes beat full houses", "TT+, AJs+"),
    row(Game::Stud, ("stud", "Seven-card stud"), &["stud7"], "seven own cards, the best five", "AsAhKd"),
    row(Game::StudHiLo, ("stud-hi-lo", "Stud hi-lo"), &["stud8", "stud-8"],
        "stud; half of the pot goes to the best low hand of five cards up to eight", "As2h3d"),
    row(Game::Razz, ("razz", "Razz"), &[], "seven own cards, the lowest five, aces low", "As2h3d"),
    row(Game::DeuceToSeven, ("2-7", "Deuce to seven"), &["deuce-to-seven", "27"],
        "five own cards, the lowest hand, aces high: the last round of triple draw", "2s3h4d5c7s"),
    row(Game::AceToFive, ("a-5", "Ace to five"), &["ace-to-five", "a5", "lowball"],
        "five own cards, the lowest hand, aces low: the last round of lowball draw", "As2h3d4c6s"),
    row(Game::Badugi, ("badugi", "Badugi"), &[], "four own cards, low and of different ranks and suits", "As2h3d4c"),
];

/// The short deck as it is usually played.
const SHORT_DECK: Game = Game::ShortDeck {
    trips_beat_straight: false,
};

impl Game {
    /// Returns every game once. In the short deck of the list a straight beats three of a kind.
    #[must_use]
    pub fn all() -> impl ExactSizeIterator<Item = Game> {
        GAMES.iter().map(|row| row.game)
    }

    /// Returns the number of a player's own cards at the showdown.
    #[must_use]
    pub const fn hole_cards(self) -> usize {
        match self {
            Game::Holdem | Game::ShortDeck { .. } => 2,
            Game::Omaha | Game::OmahaHiLo | Game::Badugi => 4,
            Game::Omaha5 | Game::Omaha5HiLo | Game::DeuceToSeven | Game::AceToFive => 5,
            Game::Omaha6 => 6,
            Game::Stud | Game::StudHiLo | Game::Razz => 7,
        }
    }

    /// Returns the number of cards on a complete board: five, or none in the games without a board.
    #[must_use]
    pub const fn board_cards(self) -> usize {
        match self {
            Game::Stud
            | Game::StudHiLo
            | Game::Razz
            | Game::DeuceToSeven
            | Game::AceToFive
            | Game::Badugi => 0,
            _ => 5,
        }
    }

    /// Returns whether only some of a player's cards may be given, and the rest are dealt: in the games without a
    /// board.
    #[must_use]
    pub const fn deals_own_cards(self) -> bool {
        self.board_cards() == 0
    }

    /// Returns whether half of the pot goes to the best low hand.
    #[must_use]
    pub const fn is_split(self) -> bool {
        matches!(self, Game::OmahaHiLo | Game::Omaha5HiLo | Game::StudHiLo)
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

    /// Returns the cards in play.
    #[must_use]
    pub const fn deck(self) -> CardSet {
        self.rules().deck()
    }

    /// Returns whether the fast counts for two hole cards apply to the game.
    pub(crate) const fn has_two_hole_cards(self) -> bool {
        self.hole_cards() == 2
    }
}

impl fmt::Display for Game {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let same = |game: Game| std::mem::discriminant(&game) == std::mem::discriminant(self);
        let row = GAMES.iter().find(|row| same(row.game));
        f.pad(row.map_or("poker", |row| row.name))
    }
}

impl FromStr for Game {
    type Err = UnknownGame;

    fn from_str(text: &str) -> Result<Game, UnknownGame> {
        let wanted = text.trim().to_ascii_lowercase();
        GAMES
            .iter()
            .find(|row| row.name == wanted || row.aliases.contains(&wanted.as_str()))
            .map(|row| row.game)
            .ok_or_else(|| UnknownGame(text.to_string()))
    }
}

/// A text that is not the name of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownGame(String);

impl fmt::Display for UnknownGame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = GAMES.map(|row| row.name).join(", ");
        write!(f, "unknown game {:?}; the games are {names}", self.0)
    }
}

impl std::error::Error for UnknownGame {}
