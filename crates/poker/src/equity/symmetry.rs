//! Suit symmetry: exchanging suits changes no comparison, so hands that differ only in suits are counted once.

use cards::CardSet;

use crate::range::Weight;
use crate::reference::SUIT_MASK;

/// The new suit of each suit, clubs first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SuitPermutation([u32; 4]);

impl SuitPermutation {
    /// Returns all 24 permutations, the identity first.
    pub(crate) fn all() -> Vec<SuitPermutation> {
        let mut all = Vec::with_capacity(24);
        for code in 0..256u32 {
            let suits = [code >> 6 & 3, code >> 4 & 3, code >> 2 & 3, code & 3];
            if suits.iter().fold(0, |seen, suit| seen | 1 << suit) == 0b1111 {
                all.push(SuitPermutation(suits));
            }
        }
        all
    }

    /// Returns the cards with their suits exchanged.
    #[inline]
    pub(crate) fn apply(self, cards: CardSet) -> CardSet {
        let suit = |from: usize| (cards.0 >> (13 * from) & SUIT_MASK) << (13 * self.0[from]);
        CardSet(suit(0) | suit(1) | suit(2) | suit(3))
    }

    /// Returns whether the permutation keeps the set.
    pub(crate) fn fixes(self, cards: CardSet) -> bool {
        self.apply(cards) == cards
    }

    /// Returns whether the permutation keeps a range, sorted by hands, and its weights.
    pub(crate) fn fixes_range(self, hands: &[(CardSet, Weight)]) -> bool {
        hands.iter().all(|&(hand, weight)| {
            let image = self.apply(hand);
            let found = hands.binary_search_by_key(&image, |&(other, _)| other);
            found.is_ok_and(|index| hands[index].1 == weight)
        })
    }
}
