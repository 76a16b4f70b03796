//! Random numbers and deals that are independent of the crates under test.

use cards::{Card, CardSet, Deal};

/// Reproducible random numbers: the generator SplitMix64.
pub struct SeededRandom(u64);

impl SeededRandom {
    pub fn new(seed: u64) -> SeededRandom {
        SeededRandom(seed.wrapping_mul(0x2545_f491_4f6c_dd1d))
    }

    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut word = self.0;
        word = (word ^ word >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        word = (word ^ word >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        word ^ word >> 31
    }

    /// Returns a number from 0 to `count - 1`.
    pub fn below(&mut self, count: usize) -> usize {
        (self.next() % count as u64) as usize
    }

    /// Returns true with probability 1 / `count`.
    pub fn once_in(&mut self, count: usize) -> bool {
        self.below(count) == 0
    }

    pub fn one_of<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.below(list.len())]
    }

    pub fn deal(&mut self) -> Deal {
        let mut pack: Vec<Card> = CardSet::FULL.iter().collect();
        for last in (1..pack.len()).rev() {
            pack.swap(last, self.below(last + 1));
        }
        let mut hands = [CardSet::EMPTY; 4];
        for (place, card) in pack.into_iter().enumerate() {
            hands[place % 4].insert(card);
        }
        Deal::new(hands).expect("52 cards in four hands")
    }
}
