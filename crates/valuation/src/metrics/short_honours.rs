//! Deductions for honours in short suits, by method, in hundredths of a point.

use cards::{BySuit, Suit};

use super::side::HandFacts;
use crate::ranks::{A, J, K, Q, T};

/// The singleton honours, in the order of the published tables.
pub(super) const STIFFS: [u16; 5] = [A, K, Q, J, T];
/// The doubletons with an honour, in the order of the published tables: AK AQ AJ AT Ax KQ KJ KT Kx QJ QT Qx JT Jx Tx.
pub(super) const DOUBLETONS: [u16; 15] = [
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

/// The deductions of one method, by the top five cards of a singleton or doubleton.
pub(super) struct ShortHonours {
    /// By length (0 to 2, or 3 for all longer suits, which lose nothing) and top five cards.
    deductions: [[i16; 32]; 4],
}

/// Returns the index of a holding's top five cards in the tables.
const fn five(cards: u16) -> usize {
    (cards >> 8) as usize
}

impl ShortHonours {
    /// Creates the table from the deductions for singletons A K Q J T and for the doubletons AK AQ AJ AT Ax KQ KJ
    /// KT Kx QJ QT Qx JT Jx Tx. Suits without these honours have no deduction.
    pub(super) const fn new(stiffs: [i16; 5], doubletons: [i16; 15]) -> ShortHonours {
        let mut deductions = [[0; 32]; 4];
        let mut i = 0;
        while i < STIFFS.len() {
            deductions[1][five(STIFFS[i])] = stiffs[i];
            i += 1;
        }
        let mut i = 0;
        while i < DOUBLETONS.len() {
            deductions[2][five(DOUBLETONS[i])] = doubletons[i];
            i += 1;
        }
        ShortHonours { deductions }
    }

    /// Returns the deduction in one suit: zero or negative.
    pub(super) fn suit(&self, hand: &HandFacts, suit: Suit) -> i32 {
        let top = five(hand.holdings[suit]) % 32;
        i32::from(self.deductions[hand.length[suit].min(3) as usize & 3][top])
    }

    /// Returns the deduction in the whole hand, in hundredths.
    pub(super) fn hand(&self, hand: &HandFacts) -> i32 {
        BySuit::from_fn(|suit| self.suit(hand, suit)).total()
    }

    /// Returns the deduction in the whole hand for methods that deduct whole points only.
    pub(super) fn whole(&self, hand: &HandFacts) -> i32 {
        self.hand(hand) / 100
    }
}
