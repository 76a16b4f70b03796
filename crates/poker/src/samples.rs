//! Hands for benchmarks.

use cards::CardSet;
use shuffle::{BlockWords, Key, RandomWords, Stream};

/// Returns random hands of seven cards, the same in every run.
#[must_use]
pub fn seven_cards(hands: usize) -> Vec<CardSet> {
    let mut words = BlockWords::new(Stream::Choices, &Key::from_seed(1), 0);
    let mut hand = || {
        let mut hand = CardSet::EMPTY;
        while hand.len() < 7 {
            hand |= CardSet(1 << words.below(52));
        }
        hand
    };
    (0..hands).map(|_| hand()).collect()
}
