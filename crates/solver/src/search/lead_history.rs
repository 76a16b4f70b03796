//! Leads that worked earlier in this deal.
//!
//! Thousands of positions have equal holdings in one suit. A lead that was right with these holdings is often
//! right again, whatever else has been played. These scores count when leads are ordered ([`leading`](super::leading));
//! they never change the result.

use super::cards::{Cards, suit_of};

/// Scores by seat, card and remaining cards of its suit, in a table of fixed size. Different situations may share an
/// entry.
#[derive(Clone)]
pub(crate) struct LeadHistory {
    scores: Vec<i16>,
}

/// Number of scores: 16 kilobytes, which fit in the first-level cache.
const SLOTS: usize = 1 << 13;
/// Largest absolute score, in the units of the weights of leads.
const MAX_SCORE: i16 = 40;
/// Fractions of a unit in which scores are stored. Each update moves a score a quarter of the way to its new value.
const FRACTIONS: i16 = 256;
const UPDATE_DIVISOR: i16 = 4;

impl LeadHistory {
    /// Size in bytes.
    pub(crate) const BYTES: usize = SLOTS * size_of::<i16>();

    pub(crate) fn new() -> LeadHistory {
        LeadHistory {
            scores: vec![0; SLOTS],
        }
    }

    /// Resets all scores.
    pub(crate) fn clear(&mut self) {
        self.scores.fill(0);
    }

    #[inline(always)]
    fn slot(seat: usize, card: u32, all: Cards) -> usize {
        let left = all >> (16 * suit_of(card)) & 0x1fff;
        let situation = left | u64::from(card) << 13 | (seat as u64) << 19;
        let hash = situation.wrapping_mul(0x9E37_79B9_7F4A_7C15);
        (hash >> (64 - SLOTS.ilog2())) as usize
    }

    /// Returns the score of a lead.
    #[inline(always)]
    pub(crate) fn score(&self, seat: usize, card: u32, all: Cards) -> i32 {
        i32::from(self.scores[Self::slot(seat, card, all)] >> FRACTIONS.ilog2())
    }

    /// Records that the lead `right` worked, and that the leads `wrong`, tried before it, did not.
    #[inline(always)]
    pub(crate) fn learn(&mut self, seat: usize, right: u32, mut wrong: Cards, all: Cards) {
        let score = &mut self.scores[Self::slot(seat, right, all)];
        *score += (MAX_SCORE * FRACTIONS - *score) / UPDATE_DIVISOR;
        while wrong != 0 {
            let score = &mut self.scores[Self::slot(seat, wrong.trailing_zeros(), all)];
            *score -= (MAX_SCORE * FRACTIONS + *score) / UPDATE_DIVISOR;
            wrong &= wrong - 1;
        }
    }
}
