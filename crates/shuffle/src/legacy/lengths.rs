//! v2's length predeal ("bias"): some seats receive a given number of cards of some suits.
//!
//! The method fills greedily and discards failures, so it is not uniform over the deals with those lengths. It is
//! reproduced here for old seeds; the native mode samples such deals exactly.

use std::fmt;

use cards::{BySeat, BySuit, CardSet, Deal, Seat, Suit};

use super::congruential::Congruential;

/// Required numbers of cards of a suit for a seat.
///
/// ```
/// use cards::{Seat, Suit};
/// use croupier_shuffle::legacy::LengthPredeal;
///
/// let mut lengths = LengthPredeal::NONE;
/// lengths.require(Seat::West, Suit::Spades, 7)?;
/// assert!(lengths.require(Seat::East, Suit::Spades, 7).is_err(), "fourteen spades");
/// # Ok::<(), croupier_shuffle::legacy::LengthPredealError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LengthPredeal {
    lengths: BySeat<BySuit<Option<u8>>>,
}

impl LengthPredeal {
    /// No required lengths.
    pub const NONE: LengthPredeal = LengthPredeal {
        lengths: BySeat([BySuit([None; 4]); 4]),
    };

    /// Requires a length.
    ///
    /// # Errors
    /// Returns an error if the length is already set, or if the seat or the suit would need more than 13 cards.
    pub fn require(
        &mut self,
        seat: Seat,
        suit: Suit,
        length: u8,
    ) -> Result<(), LengthPredealError> {
        if let Some(earlier) = self.length(seat, suit) {
            return Err(LengthPredealError::Set {
                seat,
                suit,
                earlier,
            });
        }
        if self.of_seat(seat) + u32::from(length) > 13 {
            return Err(LengthPredealError::Seat(seat));
        }
        if self.of_suit(suit) + u32::from(length) > 13 {
            return Err(LengthPredealError::Suit(suit));
        }
        self.lengths[seat][suit] = Some(length);
        Ok(())
    }

    /// Returns the required length, if there is one.
    #[must_use]
    pub fn length(&self, seat: Seat, suit: Suit) -> Option<u8> {
        self.lengths[seat][suit]
    }

    /// Returns whether no length is required.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        !Seat::ALL.into_iter().any(|seat| self.has_requirement(seat))
    }

    fn has_requirement(&self, seat: Seat) -> bool {
        self.lengths[seat].values().any(Option::is_some)
    }

    /// Returns the cards required of a seat in all suits.
    fn of_seat(&self, seat: Seat) -> u32 {
        self.lengths[seat]
            .values()
            .flatten()
            .map(|&length| u32::from(length))
            .sum()
    }

    /// Returns the cards required of a suit in all seats.
    fn of_suit(&self, suit: Suit) -> u32 {
        self.lengths
            .values()
            .filter_map(|seat| seat[suit])
            .map(u32::from)
            .sum()
    }

    /// Makes one attempt at a deal, from a new pack; `None` if the greedy method finds no card.
    pub(super) fn attempt(&self, random: &mut Congruential) -> Option<Deal> {
        let mut attempt = Attempt::begin(self, random);
        for round in Seat::ALL
            .into_iter()
            .filter(|&seat| self.has_requirement(seat))
        {
            let seat = attempt.tightest()?;
            attempt.fill(seat)?;
            // The program tests the number of the round here, not the seat that it has filled.
            if round <= Seat::East {
                random.shuffle(&mut attempt.small[attempt.given..]);
            }
        }
        Some(attempt.finish(random))
    }
}

/// Returns the suit of the card with this index.
fn suit_of(card: u8) -> Suit {
    Suit::ALL[usize::from(card) / 13]
}

/// The state of one attempt.
struct Attempt<'a> {
    required: &'a LengthPredeal,
    hands: BySeat<CardSet>,
    /// Cards not dealt by length, in the order in which they are tried.
    small: Vec<u8>,
    /// Number of cards of `small` that are dealt.
    given: usize,
    /// Cards of each suit still in `small`.
    left: BySuit<i32>,
    /// Seats with required lengths that are still to be filled.
    waiting: BySeat<bool>,
    /// For each waiting seat, the number of cards it may take minus the number it needs.
    excess: BySeat<i32>,
}

impl<'a> Attempt<'a> {
    /// Deals the required cards of every suit, and shuffles the rest.
    fn begin(required: &'a LengthPredeal, random: &mut Congruential) -> Self {
        let mut hands = BySeat([CardSet::EMPTY; 4]);
        let mut small = Vec::with_capacity(52);
        for suit in Suit::ALL {
            let mut cards: [u8; 13] = std::array::from_fn(|rank| (13 * suit as usize + rank) as u8);
            let total = required.of_suit(suit) as usize;
            if total > 0 {
                random.shuffle(&mut cards);
            }
            let mut next = cards.iter();
            for seat in Seat::ALL {
                let length = required.length(seat, suit).unwrap_or(0);
                hands[seat].0 |= next
                    .by_ref()
                    .take(length.into())
                    .fold(0, |set, card| set | 1 << card);
            }
            small.extend(next);
        }
        random.shuffle(&mut small);
        let mut attempt = Attempt {
            required,
            hands,
            small,
            given: 0,
            left: BySuit::from_fn(|suit| 13 - required.of_suit(suit) as i32),
            waiting: BySeat::from_fn(|seat| required.has_requirement(seat)),
            excess: BySeat([0; 4]),
        };
        attempt.count_excess();
        attempt
    }

    fn is_free(&self, seat: Seat, suit: Suit) -> bool {
        self.required.length(seat, suit).is_none()
    }

    fn need(&self, seat: Seat) -> i32 {
        13 - self.required.of_seat(seat) as i32
    }

    fn count_excess(&mut self) {
        for seat in Seat::ALL.into_iter().filter(|&seat| self.waiting[seat]) {
            let available: i32 = Suit::ALL
                .into_iter()
                .filter(|&suit| self.is_free(seat, suit))
                .map(|suit| self.left[suit])
                .sum();
            self.excess[seat] = available - self.need(seat);
        }
    }

    /// Returns the waiting seat with the least excess, the first of equal ones.
    fn tightest(&self) -> Option<Seat> {
        let waiting = Seat::ALL.into_iter().filter(|&seat| self.waiting[seat]);
        waiting.min_by_key(|&seat| self.excess[seat])
    }

    /// Deals the cards a seat still needs from the suits without a required length.
    fn fill(&mut self, seat: Seat) -> Option<()> {
        for _ in 0..self.need(seat) {
            let found = (self.given..self.small.len())
                .find(|&place| self.is_free(seat, suit_of(self.small[place])))?;
            let card = self.small[found];
            if found > self.given {
                // The rejected card moves five places back, and the card there takes its place.
                let aside = self.given + 5;
                if aside < self.small.len() {
                    self.small[found] = self.small[aside];
                    self.small[aside] = self.small[self.given];
                } else {
                    self.small[found] = self.small[self.given];
                }
            }
            self.hands[seat].0 |= 1 << card;
            self.left[suit_of(card)] -= 1;
            self.given += 1;
        }
        self.waiting[seat] = false;
        self.count_excess();
        Some(())
    }

    /// Deals the rest to the seats without required lengths.
    fn finish(mut self, random: &mut Congruential) -> Deal {
        let rest = &mut self.small[self.given..];
        random.shuffle(rest);
        let mut hands = rest.chunks_exact(13);
        for seat in Seat::ALL
            .into_iter()
            .filter(|&seat| !self.required.has_requirement(seat))
        {
            if let Some(cards) = hands.next() {
                self.hands[seat] = CardSet(cards.iter().fold(0, |set, card| set | 1 << card));
            }
        }
        Deal::from_valid_hands(self.hands.0)
    }
}

/// The reason why a length cannot be required.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum LengthPredealError {
    /// The length of this seat and suit is already set.
    Set {
        /// The seat.
        seat: Seat,
        /// The suit.
        suit: Suit,
        /// The length that was required earlier.
        earlier: u8,
    },
    /// The lengths of this seat sum to more than 13.
    Seat(Seat),
    /// The lengths of this suit sum to more than 13.
    Suit(Suit),
}

impl fmt::Display for LengthPredealError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LengthPredealError::Set {
                seat,
                suit,
                earlier,
            } => {
                let suit = suit.name().trim_end_matches('s');
                write!(
                    f,
                    "{}'s {suit} suit has length already set to {earlier}",
                    seat.name()
                )
            }
            LengthPredealError::Seat(seat) => {
                write!(f, "Suit lengths too long for {}", seat.name())
            }
            LengthPredealError::Suit(suit) => write!(f, "Too many {}", suit.name()),
        }
    }
}

impl std::error::Error for LengthPredealError {}
