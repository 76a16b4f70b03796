//! Razz: seven own cards, the five lowest count. Aces are low, straights and flushes do not count, so 5-4-3-2-A is the
//! best hand.

use std::fmt;

use cards::CardSet;

use super::Worth;
use super::lows::{ace_to_five, counts_ace_low, lowest, name, ranks_ace_low, spelled};

/// The value of a low hand from ace to five; smaller is better.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RazzRank(u32);

/// The smallest value of a hand with a pair.
const PAIRED: u32 = 1 << 20;

/// Returns the best low hand of five to seven cards.
///
/// ```
/// let wheel = croupier_poker::evaluate_razz(croupier_poker::parse_cards("Ah2h3h4h5hKdKc").unwrap());
/// let eight = croupier_poker::evaluate_razz(croupier_poker::parse_cards("Ah2d3c4s8h9dTc").unwrap());
/// assert!(wheel < eight);
/// assert_eq!(eight.to_string(), "8-4-3-2-A low");
/// ```
#[must_use]
#[inline]
pub fn evaluate_razz(cards: CardSet) -> RazzRank {
    let ranks = ranks_ace_low(cards);
    if ranks.count_ones() >= 5 {
        return RazzRank(lowest(ranks, 5).into());
    }
    RazzRank(with_pairs(&counts_ace_low(cards)))
}

/// Returns the best five cards if a pair is unavoidable. This is rare, so all choices of five are tried.
#[cold]
fn with_pairs(counts: &[u8; 13]) -> u32 {
    fn choose(counts: &[u8; 13], rank: usize, left: u8, chosen: &mut [u8; 13], best: &mut u32) {
        if left == 0 {
            *best = ace_to_five(chosen).min(*best);
            return;
        }
        if rank == 13 {
            return;
        }
        for count in 0..=counts[rank].min(left) {
            chosen[rank] = count;
            choose(counts, rank + 1, left - count, chosen, best);
        }
        chosen[rank] = 0;
    }
    let mut best = u32::MAX;
    choose(counts, 0, 5, &mut [0; 13], &mut best);
    best
}

impl RazzRank {
    /// Returns the highest of five different ranks, ace 0 to king 12; `None` if there is a pair.
    #[must_use]
    pub fn high_card(self) -> Option<usize> {
        (self.0 < PAIRED).then(|| 31 - self.0.leading_zeros() as usize)
    }

    /// Returns the value as a number, as in [`Worth::main`](super::Worth::main).
    #[must_use]
    pub const fn number(self) -> u32 {
        self.0
    }
}

impl fmt::Display for RazzRank {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0 < PAIRED {
            return write!(f, "{} low", spelled(self.0 as u16));
        }
        let rank = |place: u32| name((self.0 >> (16 - 4 * place) & 0xF) as usize);
        match self.0 >> 20 {
            1 => write!(f, "pair of {}s", rank(0)),
            2 => write!(f, "two pair, {}s and {}s", rank(0), rank(1)),
            3 => write!(f, "three {}s", rank(0)),
            4 => write!(f, "full house, {}s full of {}s", rank(0), rank(1)),
            _ => write!(f, "four {}s", rank(0)),
        }
    }
}

pub(super) fn worth(own: CardSet) -> Worth {
    Worth::whole(evaluate_razz(own).0)
}

pub(super) fn describe(own: CardSet) -> String {
    evaluate_razz(own).to_string()
}
