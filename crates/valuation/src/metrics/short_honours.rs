//! What honours in short suits lose, method by method, in hundredths of a point.

use cards::Suit;

use super::side::HandFacts;
use crate::ranks::{A, J, K, Q, T};

/// The deductions of one method, found by the top five cards of a stiff or doubleton suit.
pub(super) struct ShortHonours {
    stiff: [i16; 32],
    doubleton: [i16; 32],
}

/// Position of a holding's top five cards in the tables.
const fn five(cards: u16) -> usize {
    (cards >> 8) as usize
}

impl ShortHonours {
    /// From the deductions for stiff A K Q J T and for the doubletons AK AQ AJ AT Ax KQ KJ KT Kx QJ QT
    /// Qx JT Jx Tx. Small cards lose nothing.
    pub(super) const fn new(stiffs: [i16; 5], doubletons: [i16; 15]) -> ShortHonours {
        const STIFFS: [u16; 5] = [A, K, Q, J, T];
        const DOUBLETONS: [u16; 15] = [
            A | K,
            A | Q,
            A | J,
            A | T,
            A,
            K | Q,
            K | J,
            K | T,
            K,
            Q | J,
            Q | T,
            Q,
            J | T,
            J,
            T,
        ];
        let mut table = ShortHonours {
            stiff: [0; 32],
            doubleton: [0; 32],
        };
        let mut i = 0;
        while i < STIFFS.len() {
            table.stiff[five(STIFFS[i])] = stiffs[i];
            i += 1;
        }
        let mut i = 0;
        while i < DOUBLETONS.len() {
            table.doubleton[five(DOUBLETONS[i])] = doubletons[i];
            i += 1;
        }
        table
    }

    /// The deduction in one suit: zero or negative.
    pub(super) fn suit(&self, hand: &HandFacts, suit: Suit) -> i32 {
        let top = five(hand.holdings[suit]);
        match hand.length[suit] {
            1 => i32::from(self.stiff[top]),
            2 => i32::from(self.doubleton[top]),
            _ => 0,
        }
    }

    /// The deduction in the whole hand, in hundredths.
    pub(super) fn hand(&self, hand: &HandFacts) -> i32 {
        Suit::ALL.iter().map(|&suit| self.suit(hand, suit)).sum()
    }

    /// The deduction in the whole hand for methods that deduct whole points only.
    pub(super) fn whole(&self, hand: &HandFacts) -> i32 {
        self.hand(hand) / 100
    }
}
