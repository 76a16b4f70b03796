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

/// The number of holdings: every subset of thirteen ranks.
pub(crate) const HOLDINGS: usize = 1 << 13;

/// The table of a `const fn(u16) -> i32` over all holdings, narrowed to the given type.
macro_rules! by_holding {
    ($value:expr, $of:ident, $kind:ty) => {{
        let mut table = [0 as $kind; $crate::ranks::HOLDINGS];
        let mut $of = 0u16;
        while ($of as usize) < $crate::ranks::HOLDINGS {
            table[$of as usize] = $value as $kind;
            $of += 1;
        }
        table
    }};
}
pub(crate) use by_holding;

/// Whether the holding has at least one of the cards.
pub(crate) const fn any(holding: u16, cards: u16) -> bool {
    holding & cards != 0
}

/// Whether the holding has every one of the cards.
pub(crate) const fn all(holding: u16, cards: u16) -> bool {
    holding & cards == cards
}

/// How many of the cards the holding has.
pub(crate) const fn count(holding: u16, cards: u16) -> i32 {
    (holding & cards).count_ones() as i32
}

/// How many cards the holding has, for the compiler; see [`length`].
pub(crate) const fn cards_in(holding: u16) -> i32 {
    holding.count_ones() as i32
}

static LENGTH: [u8; HOLDINGS] = by_holding!(cards_in(holding), holding, u8);

/// How many cards the holding has. A table, because without a processor feature that not every
/// machine has, counting bits is a dozen instructions.
pub(crate) fn length(holding: u16) -> i32 {
    i32::from(LENGTH[usize::from(holding) % HOLDINGS])
}

/// The bits of a holding, safe as an index into a table over all holdings.
pub(crate) fn bits(holding: Holding) -> usize {
    usize::from(holding.0) & (HOLDINGS - 1)
}

/// The bits of the four holdings of a hand.
pub(crate) fn bits_of_hand(hand: CardSet) -> BySuit<u16> {
    BySuit([0, 13, 26, 39].map(|shift| (hand.0 >> shift) as u16 & (HOLDINGS as u16 - 1)))
}
