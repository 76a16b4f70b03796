//! The two holdings of declarer's side, and their notation.

use std::error::Error;
use std::fmt;
use std::str::FromStr;

use cards::{Holding, Rank};

/// The cards of one suit in declarer's two hands.
///
/// ```
/// use croupier_suits::Combination;
///
/// let one: Combination = "AQT98/5432".parse().unwrap();
/// assert_eq!(one, Combination::parse("aq1098", "xxxx").unwrap());
/// assert_eq!(one.to_string(), "AQT98/5432");
/// assert_eq!(one.missing().to_string(), "KJ76");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Combination {
    north: Holding,
    south: Holding,
}

/// A text that is not a combination.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum CombinationError {
    /// A character that is not a rank.
    UnknownCard(char),
    /// A card that occurs twice.
    Repeated(Rank),
    /// More cards than a suit has.
    TooManyCards(usize),
    /// Neither hand has a card.
    NoCards,
    /// A holding without any text.
    EmptyHolding,
    /// Not two holdings with one `/` between them.
    NotTwoHoldings(String),
}

impl fmt::Display for CombinationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CombinationError::UnknownCard(character) => write!(
                f,
                "{character:?} is no card: use A K Q J T (or 10) 9 to 2, x for a small card, - for a void"
            ),
            CombinationError::Repeated(rank) => {
                write!(f, "the {} is there twice", rank_name(*rank))
            }
            CombinationError::TooManyCards(number) => {
                write!(f, "a suit has 13 cards, not {number}")
            }
            CombinationError::NoCards => {
                f.write_str("both hands are void: give at least one of them a card")
            }
            CombinationError::EmptyHolding => f.write_str("a holding is empty: write - for a void"),
            CombinationError::NotTwoHoldings(text) => write!(
                f,
                "{text:?} is not two holdings: write them as AQT98 5432 or AQT98/5432"
            ),
        }
    }
}

impl Error for CombinationError {}

/// Returns the name of a rank in a sentence: `ace`, `ten`, `two`.
#[must_use]
pub fn rank_name(rank: Rank) -> &'static str {
    const NAMES: [&str; 13] = [
        "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack", "queen",
        "king", "ace",
    ];
    NAMES[rank.index()]
}

impl Combination {
    /// Creates a combination of two disjoint holdings.
    ///
    /// # Errors
    /// If the hands share a card or neither has one.
    pub fn new(north: Holding, south: Holding) -> Result<Combination, CombinationError> {
        if let Some(rank) = (north & south).iter().next() {
            return Err(CombinationError::Repeated(rank));
        }
        if (north | south).is_empty() {
            return Err(CombinationError::NoCards);
        }
        Ok(Combination { north, south })
    }

    /// Reads two holdings: ranks in any order and case, `10` or `T`, `x` for small cards, `-` for a void. The small
    /// cards of both hands are the lowest ones that are not named.
    ///
    /// # Errors
    /// If a character is not a card, a card occurs twice, or there are too many cards or none.
    pub fn parse(north: &str, south: &str) -> Result<Combination, CombinationError> {
        let (mut north, north_small) = named_cards(north)?;
        let (mut south, south_small) = named_cards(south)?;
        if let Some(rank) = (north & south).iter().next() {
            return Err(CombinationError::Repeated(rank));
        }
        let number = north.len() + south.len() + north_small + south_small;
        if number > 13 {
            return Err(CombinationError::TooManyCards(number));
        }
        let named = north | south;
        let mut free = Rank::ALL.into_iter().filter(|&rank| !named.contains(rank));
        north |= free.by_ref().take(north_small).collect();
        south |= free.take(south_small).collect();
        Combination::new(north, south)
    }

    /// Returns North's cards.
    #[must_use]
    pub fn north(self) -> Holding {
        self.north
    }

    /// Returns South's cards.
    #[must_use]
    pub fn south(self) -> Holding {
        self.south
    }

    /// Returns declarer's cards of both hands.
    #[must_use]
    pub fn cards(self) -> Holding {
        self.north | self.south
    }

    /// Returns the defenders' cards.
    #[must_use]
    pub fn missing(self) -> Holding {
        !self.cards()
    }

    /// Returns the number of tricks that are played: the length of the longer hand.
    #[must_use]
    pub fn tricks(self) -> usize {
        self.north.len().max(self.south.len())
    }

    /// Returns the combination with the hands exchanged.
    #[must_use]
    pub fn swapped(self) -> Combination {
        Combination {
            north: self.south,
            south: self.north,
        }
    }
}

/// Returns the cards of a holding that are named and the number of small cards.
fn named_cards(text: &str) -> Result<(Holding, usize), CombinationError> {
    let text = text.trim().replace("10", "T");
    if text == "-" || text == "\u{2013}" || text == "\u{2014}" {
        return Ok((Holding::EMPTY, 0));
    }
    if text.is_empty() {
        return Err(CombinationError::EmptyHolding);
    }
    let mut cards = Holding::EMPTY;
    let mut small = 0;
    for character in text.chars() {
        if matches!(character, 'x' | 'X') {
            small += 1;
            continue;
        }
        let rank = Rank::from_letter(character).ok_or(CombinationError::UnknownCard(character))?;
        if cards.contains(rank) {
            return Err(CombinationError::Repeated(rank));
        }
        cards.insert(rank);
    }
    Ok((cards, small))
}

impl FromStr for Combination {
    type Err = CombinationError;

    /// Reads `AQT98/5432`.
    fn from_str(text: &str) -> Result<Combination, CombinationError> {
        match text.split_once('/') {
            Some((north, south)) if !south.contains('/') => Combination::parse(north, south),
            _ => Err(CombinationError::NotTwoHoldings(text.to_owned())),
        }
    }
}

/// Returns a holding as text, `-` for a void.
#[must_use]
pub fn holding_text(holding: Holding) -> String {
    match holding.is_empty() {
        true => "-".to_owned(),
        false => holding.to_string(),
    }
}

impl fmt::Display for Combination {
    /// Writes `AQT98/5432`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = format!("{}/{}", holding_text(self.north), holding_text(self.south));
        f.pad(&text)
    }
}
