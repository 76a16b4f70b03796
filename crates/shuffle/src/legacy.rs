//! The deals of the classic programs, bit for bit: for a seed, a predeal and a mode, the same deals in the same order.
//!
//! | type | program |
//! |---|---|
//! | [`V1`] with [`Variant::Debian`] | dealer 20211121 as packaged by Debian |
//! | [`V1`] with [`Variant::Upstream`] | the upstream release, dealer.exe, `dealer3 --legacy` |
//! | [`V2`] | DealerV2 4.3.3 |
//!
//! All three keep a pack of 52 slots (13 for each seat) and permute it in place from deal to deal, so a deal depends on
//! all earlier ones. Their shuffles are worse than the native one (that of v1 is not uniform): use them only to
//! reproduce old results.
//!
//! ```
//! use croupier_shuffle::legacy::{LegacyDealer, V1, Variant};
//! use croupier_shuffle::{Predeal, Swap};
//!
//! let mut dealer = V1::new(Variant::Debian, 1, &Predeal::NONE, Swap::Off);
//! assert_eq!(
//!     dealer.next_deal().unwrap().to_string(),
//!     "N:2.T98.K752.KJT84 5.J7642.986.9763 AQ8.AQ5.QJT.AQ52 KJT97643.K3.A43."
//! );
//! ```
//!
//! A run that never calls `rnd` can be dealt by several threads: see [`parallel`].

use std::fmt;

use cards::{CardSet, Deal, Seat, Side};

mod additive;
mod congruential;
mod lengths;
pub mod parallel;
mod v1;
mod v2;

pub use additive::Variant;
pub use lengths::{LengthPredeal, LengthPredealError};
pub use v1::V1;
pub use v2::{V2, V2Start};

/// A generator of one of the classic programs.
pub trait LegacyDealer {
    /// Returns the next deal. Returns `None` if the attempt failed (that of v2's length predeal can), which counts as a
    /// generated deal that satisfies no condition.
    fn next_deal(&mut self) -> Option<Deal>;

    /// Draws for `rnd(bound)` with the program's formula, from the same stream as the deals. Additional rules of the
    /// language (v2: `rnd(0)`, the argument evaluated twice) are up to the caller.
    fn rnd(&mut self, bound: i64) -> i64;

    /// Reports that the last deal satisfied the condition. v2 then sorts the hands in its pack, before any action runs,
    /// and the next deals start from the sorted pack.
    fn accept(&mut self) {}

    /// Returns the remaining deals in runs that several threads can compute; `None` if they depend on whether earlier
    /// deals are accepted. Only for a run in which [`rnd`](Self::rnd) is not called.
    fn rounds(&self) -> Option<parallel::Rounds> {
        None
    }

    /// Reports that the condition evaluated `opc` of a side in the last deal. v2 then sorts that side's hands in its
    /// pack (a second time for the same deal changes nothing).
    fn opc_evaluated(&mut self, side: Side) {
        let _ = side;
    }
}

/// A pack in slots: 13 for North, then East, South, West; each holds a card index.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Pack(pub(crate) [u8; 52]);

impl Pack {
    /// The pack in which every slot holds the card of its number: clubs with North.
    pub const ASCENDING: Pack = {
        let mut slots = [0; 52];
        let mut i = 0;
        while i < 52 {
            slots[i] = i as u8;
            i += 1;
        }
        Pack(slots)
    };

    /// The pack with the spade ace first.
    pub(crate) const DESCENDING: Pack = {
        let mut slots = [0; 52];
        let mut i = 0;
        while i < 52 {
            slots[i] = 51 - i as u8;
            i += 1;
        }
        Pack(slots)
    };

    /// Returns the four hands as a deal.
    #[must_use]
    pub fn deal(&self) -> Deal {
        let hand = |seat: Seat| {
            let slots = &self.0[13 * seat as usize..][..13];
            CardSet(slots.iter().fold(0, |set, &card| set | 1 << card))
        };
        Deal::from_valid_hands(Seat::ALL.map(hand))
    }

    /// Exchanges every slot with another one, in ascending order.
    #[inline]
    pub(crate) fn shuffle(&mut self, others: &[u8; 52]) {
        for (slot, &other) in others.iter().enumerate() {
            self.0.swap(slot, usize::from(other));
        }
    }

    /// Exchanges all slots of two seats.
    pub(crate) fn exchange(&mut self, a: Seat, b: Seat) {
        for slot in 0..13 {
            self.0.swap(13 * a as usize + slot, 13 * b as usize + slot);
        }
    }

    /// Sorts a seat's slots, highest card first.
    pub(crate) fn sort_hand(&mut self, seat: Seat) {
        let hand = &self.0[13 * seat as usize..][..13];
        let mut set = hand.iter().fold(0u64, |set, &card| set | 1 << card);
        for slot in &mut self.0[13 * seat as usize..][..13] {
            let highest = 63 - set.leading_zeros();
            *slot = highest as u8;
            set ^= 1 << highest;
        }
    }

    /// Returns the pack after a permutation of slots: slot i receives the card of slot `moves[i]`.
    #[must_use]
    pub fn permuted(&self, moves: &Pack) -> Pack {
        Pack(moves.0.map(|slot| self.0[usize::from(slot)]))
    }
}

/// Reads the text of a classic `-s` switch: the leading decimal number as a C program reads it (0 without digits).
///
/// ```
/// use croupier_shuffle::legacy::seed_from_text;
/// assert_eq!(seed_from_text("-12abc"), Ok(-12));
/// assert_eq!(seed_from_text("x"), Ok(0));
/// assert!(seed_from_text("9223372036854775807").is_err());
/// ```
///
/// # Errors
/// Returns an error at the limits of 64 bits and beyond, which the classic programs reject.
pub fn seed_from_text(text: &str) -> Result<i64, SeedOverflow> {
    let trimmed = text.trim_start_matches([' ', '\t', '\n', '\x0b', '\x0c', '\r']);
    let (negative, digits) = match trimmed.as_bytes().first() {
        Some(b'-') => (true, &trimmed[1..]),
        Some(b'+') => (false, &trimmed[1..]),
        _ => (false, trimmed),
    };
    let mut seed: i64 = 0;
    for digit in digits.bytes().take_while(u8::is_ascii_digit) {
        let digit = i64::from(digit - b'0');
        let longer = seed.checked_mul(10).and_then(|seed| {
            if negative {
                seed.checked_sub(digit)
            } else {
                seed.checked_add(digit)
            }
        });
        seed = longer.ok_or(SeedOverflow)?;
    }
    if seed == i64::MAX || seed == i64::MIN {
        Err(SeedOverflow)
    } else {
        Ok(seed)
    }
}

/// The error for a seed at or beyond the limits of 64 bits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SeedOverflow;

impl fmt::Display for SeedOverflow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "Seed overflow: seed must be between {} and {}",
            i64::MIN,
            i64::MAX
        )
    }
}

impl std::error::Error for SeedOverflow {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seeds_are_read_as_a_c_program_reads_them() {
        assert_eq!(seed_from_text(" +42"), Ok(42));
        assert_eq!(seed_from_text("-9223372036854775807"), Ok(-i64::MAX));
        assert_eq!(seed_from_text("9223372036854775806"), Ok(i64::MAX - 1));
        assert_eq!(seed_from_text("-9223372036854775808"), Err(SeedOverflow));
        assert_eq!(seed_from_text("99999999999999999999"), Err(SeedOverflow));
        assert_eq!(seed_from_text(""), Ok(0));
        assert_eq!(seed_from_text("-"), Ok(0));
    }

    #[test]
    fn sorting_a_hand_leaves_its_cards() {
        let mut pack = Pack::ASCENDING;
        pack.sort_hand(Seat::East);
        assert_eq!(
            pack.0[13..26],
            [25, 24, 23, 22, 21, 20, 19, 18, 17, 16, 15, 14, 13]
        );
        assert_eq!(pack.deal(), Pack::ASCENDING.deal());
    }
}
