//! A deal: four hands of thirteen cards.

use core::fmt;
use core::ops::Index;

use crate::{CardSet, Hand, Seat};

/// Four disjoint hands of thirteen cards.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Deal {
    hands: [Hand; 4],
}

/// Why four sets of cards are not a deal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DealError {
    /// A hand does not have thirteen cards.
    Count {
        /// Whose hand.
        seat: Seat,
        /// How many cards it has.
        cards: usize,
    },
    /// Some cards are in two hands.
    Shared {
        /// The first of the two seats.
        first: Seat,
        /// The second of the two seats.
        second: Seat,
        /// The cards both hold.
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

    /// The deal with these hands, North first.
    ///
    /// # Errors
    /// If a hand does not have thirteen cards or two hands share one.
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

    /// The deal with these hands, for callers that made them disjoint and complete themselves.
    ///
    /// Checked in debug builds only; a wrong deal is a wrong result, never unsound.
    #[must_use]
    pub fn from_valid_hands(hands: [Hand; 4]) -> Deal {
        debug_assert!(Deal::new(hands).is_ok(), "not a deal: {hands:?}");
        Deal { hands }
    }

    /// One seat's hand.
    #[must_use]
    pub const fn hand(&self, seat: Seat) -> Hand {
        self.hands[seat as usize]
    }

    /// The four hands, North first.
    #[must_use]
    pub const fn hands(&self) -> [Hand; 4] {
        self.hands
    }

    /// The seat that holds each card, found by looking.
    #[must_use]
    pub fn holder(&self, card: crate::Card) -> Seat {
        Seat::ALL
            .into_iter()
            .find(|&seat| self.hand(seat).contains(card))
            .unwrap_or(Seat::West)
    }

    /// The same deal with two seats' hands exchanged.
    #[must_use]
    pub const fn swapped(mut self, a: Seat, b: Seat) -> Deal {
        self.hands.swap(a as usize, b as usize);
        self
    }

    /// The table turned clockwise by `steps`: with 1, North's cards come to East.
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
