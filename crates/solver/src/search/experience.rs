//! Which leads have worked in this deal.
//!
//! A lead that was the right one while a suit lay as it does now is often right again, whatever else has been played:
//! the same suit comes back in thousands of positions. What is learnt counts among the reasons for a lead when the order of
//! leads is made ([`leading`](super::leading)); it never decides what is found.

use super::cards::{Cards, suit_of};

/// Scores by seat, card and what is left of its suit, as many as fit; two situations that meet share one.
#[derive(Clone)]
pub(crate) struct Experience {
    scores: Vec<i16>,
}

/// Places for scores: 16 kilobytes, which stay in the nearest cache.
const PLACES: usize = 1 << 13;
/// A score is between minus this and this, in the units of the weights of leads.
const MOST: i16 = 40;
/// Scores are kept in parts of a unit, and go a quarter of the way to where the latest case pulls them.
const PARTS: i16 = 256;
const PULL: i16 = 4;

impl Experience {
    /// The size of it.
    pub(crate) const BYTES: usize = PLACES * size_of::<i16>();

    pub(crate) fn new() -> Experience {
        Experience {
            scores: vec![0; PLACES],
        }
    }

    /// Forgets everything.
    pub(crate) fn clear(&mut self) {
        self.scores.fill(0);
    }

    #[inline(always)]
    fn place(seat: usize, card: u32, all: Cards) -> usize {
        let left = all >> (16 * suit_of(card)) & 0x1fff;
        let situation = left | u64::from(card) << 13 | (seat as u64) << 19;
        let hash = situation.wrapping_mul(0x9E37_79B9_7F4A_7C15);
        (hash >> (64 - PLACES.ilog2())) as usize
    }

    /// What speaks for a lead.
    #[inline(always)]
    pub(crate) fn score(&self, seat: usize, card: u32, all: Cards) -> i32 {
        i32::from(self.scores[Self::place(seat, card, all)] >> PARTS.ilog2())
    }

    /// Notes that a lead was right, and that others, tried before, were not.
    #[inline(always)]
    pub(crate) fn learn(&mut self, seat: usize, right: u32, mut wrong: Cards, all: Cards) {
        let score = &mut self.scores[Self::place(seat, right, all)];
        *score += (MOST * PARTS - *score) / PULL;
        while wrong != 0 {
            let score = &mut self.scores[Self::place(seat, wrong.trailing_zeros(), all)];
            *score -= (MOST * PARTS + *score) / PULL;
            wrong &= wrong - 1;
        }
    }
}
