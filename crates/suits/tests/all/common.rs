//! A generator of test cases.

use cards::{Holding, Rank};
use croupier_suits::Combination;

/// A small deterministic random generator (splitmix64).
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    pub fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound as u64) as usize
    }

    /// Returns a combination with these numbers of cards.
    pub fn combination(&mut self, north: usize, south: usize) -> Combination {
        let mut ranks = Rank::ALL;
        for place in (1..13).rev() {
            ranks.swap(place, self.below(place + 1));
        }
        let holding = |ranks: &[Rank]| -> Holding { ranks.iter().copied().collect() };
        Combination::new(
            holding(&ranks[..north]),
            holding(&ranks[north..north + south]),
        )
        .unwrap()
    }
}
