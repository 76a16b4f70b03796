//! A deal: four hands of thirteen cards.

use core::fmt;
use core::ops::Index;

use crate::{CardSet, Hand, Seat};

/// Four disjoint hands of thirteen cards.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Deal {
    hands: [Hand; 4],
}

/// The reason why four sets of cards are not a deal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum DealError {
    /// A hand does not have thirteen cards.
    Count {
        /// The seat with the wrong hand.
        seat: Seat,
        /// Number of cards in the hand.
        cards: usize,
    },
    /// Some cards are in two hands.
    Shared {
        /// The first of the two seats.
        first: Seat,
        /// The second of the two seats.
        second: Seat,
        /// The cards that both seats hold.
        cards: CardSet,
    },
}

impl fmt::Display for DealError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            DealError::Count { seat, cards } => {
                write!(f, "{} has {cards} cards instead of 13", seat.name())
            }
            DealError::Shared {
                first,
                second,
                cards,
            } => {
                write!(f, "{} and {} both hold", first.name(), second.name())?;
                cards.iter().try_for_each(|card| write!(f, " {card}"))
            }
        }
    }
}

impl core::error::Error for DealError {}

impl Deal {
    /// The number of different deals, 52! / 13!⁴.
    pub const COUNT: u128 = 53_644_737_765_488_792_839_237_440_000;

    /// Creates the deal with these hands, North first.
    ///
    /// # Errors
    /// Returns an error if a hand does not have thirteen cards, or if two hands share a card.
    pub const fn new(hands: [Hand; 4]) -> Result<Deal, DealError> {
        let mut i = 0;
        while i < 4 {
            let mut j = 0;
            while j < i {
                if !hands[j].is_disjoint(hands[i]) {
                    return Err(DealError::Shared {
                        first: Seat::from_index(j),
                        second: Seat::from_index(i),
                        cards: CardSet(hands[i].0 & hands[j].0),
                    });
                }
                j += 1;
            }
            i += 1;
        }
        let mut i = 0;
        while i < 4 {
            if hands[i].len() != 13 || hands[i].0 > CardSet::FULL.0 {
                return Err(DealError::Count {
                    seat: Seat::from_index(i),
                    cards: hands[i].len(),
                });
            }
            i += 1;
        }
        Ok(Deal { hands })
    }

    /// Creates the deal with these hands without checking them, for callers that have made sure that they are disjoint
    /// and complete.
    ///
    /// Debug builds check them. In release builds a wrong deal gives wrong results, but is never unsound.
    #[must_use]
    pub fn from_valid_hands(hands: [Hand; 4]) -> Deal {
        debug_assert!(Deal::new(hands).is_ok(), "not a deal: {hands:?}");
        Deal { hands }
    }

    /// Returns one seat's hand.
    #[must_use]
    pub const fn hand(&self, seat: Seat) -> Hand {
        self.hands[seat as usize]
    }

    /// Returns the four hands, North first.
    #[must_use]
    pub const fn hands(&self) -> [Hand; 4] {
        self.hands
    }

    /// Returns the seat that holds a card, by searching the hands.
    #[must_use]
    pub fn holder(&self, card: crate::Card) -> Seat {
        Seat::ALL
            .into_iter()
            .find(|&seat| self.hand(seat).contains(card))
            .unwrap_or(Seat::West)
    }

    /// Returns the deal with the hands of two seats exchanged.
    #[must_use]
    pub const fn swapped(mut self, a: Seat, b: Seat) -> Deal {
        self.hands.swap(a as usize, b as usize);
        self
    }

    /// Returns the deal with the hands moved clockwise by `steps`: with 1, East gets North's hand.
    #[must_use]
    pub fn rotated(self, steps: usize) -> Deal {
        let mut hands = self.hands;
        hands.rotate_right(steps % 4);
        Deal { hands }
    }
}

impl Index<Seat> for Deal {
    type Output = Hand;
    fn index(&self, seat: Seat) -> &Hand {
        &self.hands[seat as usize]
    }
}
