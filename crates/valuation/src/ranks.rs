//! The cards of a holding as bits, and tables over all holdings.
//!
//! These are plain `u16` masks rather than [`cards::Holding`] because the tables are computed by the
//! compiler, in `const fn`.

use cards::{BySuit, CardSet, Holding};

pub(crate) const A: u16 = 1 << 12;
pub(crate) const K: u16 = 1 << 11;
pub(crate) const Q: u16 = 1 << 10;
pub(crate) const J: u16 = 1 << 9;
pub(crate) const T: u16 = 1 << 8;
pub(crate) const NINE: u16 = 1 << 7;
pub(crate) const EIGHT: u16 = 1 << 6;

/// Number of holdings: every subset of thirteen ranks.
pub(crate) const HOLDINGS: usize = 1 << 13;

/// The cards that values can distinguish: from the ace down to the eight. Lower cards only add to the length.
const NAMED: u16 = A | K | Q | J | T | NINE | EIGHT;
/// Number of holdings that differ in named cards or in length: 128 sets of named cards, each with 0 to 6 others.
pub(crate) const KINDS: usize = 128 * 7;

/// Returns the lowest holding of kind number `kind` (see [`KIND`]).
pub(crate) const fn of_kind(kind: usize) -> u16 {
    let (named, others) = (kind / 7, kind % 7);
    (named as u16) << 6 | ((1 << others) - 1)
}

/// The kind of every holding.
pub(crate) static KIND: [u16; HOLDINGS] = {
    let mut table = [0; HOLDINGS];
    let mut holding = 0;
    while holding < HOLDINGS {
        let cards = holding as u16;
        table[holding] = (cards >> 6) * 7 + (cards & !NAMED).count_ones() as u16;
        holding += 1;
    }
    table
};

/// Builds the table over all holdings of a value that depends only on named cards and length, converted to the given
/// type.
///
/// Constant evaluation is slow, so the value is computed once for every kind of holding.
macro_rules! by_holding {
    ($value:expr, $of:ident, $kind:ty) => {{
        let mut kinds = [0 as $kind; $crate::ranks::KINDS];
        let mut kind = 0;
        while kind < $crate::ranks::KINDS {
            let $of = $crate::ranks::of_kind(kind);
            kinds[kind] = $value as $kind;
            kind += 1;
        }
        let mut table = [0 as $kind; $crate::ranks::HOLDINGS];
        let mut holding = 0;
        while holding < $crate::ranks::HOLDINGS {
            table[holding] = kinds[$crate::ranks::KIND[holding] as usize];
            holding += 1;
        }
        table
    }};
}
pub(crate) use by_holding;

/// Returns whether the holding has at least one of the cards.
pub(crate) const fn any(holding: u16, cards: u16) -> bool {
    holding & cards != 0
}

/// Returns whether the holding has all of the cards.
pub(crate) const fn all(holding: u16, cards: u16) -> bool {
    holding & cards == cards
}

/// Returns how many of the cards the holding has.
pub(crate) const fn count(holding: u16, cards: u16) -> i32 {
    (holding & cards).count_ones() as i32
}

/// Returns the number of cards of the holding, in constant evaluation; see [`length`].
pub(crate) const fn cards_in(holding: u16) -> i32 {
    holding.count_ones() as i32
}

static LENGTH: [u8; HOLDINGS] = by_holding!(cards_in(holding), holding, u8);

/// Returns the number of cards of the holding. It uses a table, because counting bits takes a dozen instructions
/// without a processor feature that not every machine has.
pub(crate) fn length(holding: u16) -> i32 {
    i32::from(LENGTH[usize::from(holding) % HOLDINGS])
}

/// Returns the bits of a holding, masked to be a valid index into a table over all holdings.
pub(crate) fn bits(holding: Holding) -> usize {
    usize::from(holding.0) & (HOLDINGS - 1)
}

/// Returns the bits of the four holdings of a hand.
pub(crate) fn bits_of_hand(hand: CardSet) -> BySuit<u16> {
    BySuit([0, 13, 26, 39].map(|shift| (hand.0 >> shift) as u16 & (HOLDINGS as u16 - 1)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_kind_keeps_length_and_named_cards() {
        for holding in 0..HOLDINGS as u16 {
            let kind = usize::from(KIND[usize::from(holding)]);
            let lowest = of_kind(kind);
            assert_eq!(lowest & NAMED, holding & NAMED);
            assert_eq!(cards_in(lowest), cards_in(holding));
            assert!(kind < KINDS && lowest <= holding);
        }
    }
}
