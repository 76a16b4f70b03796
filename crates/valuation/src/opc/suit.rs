//! One suit of one hand: honour, length, synergy and distribution points, in half points.

use crate::ranks::{self, A, J, K, NINE, Q, T, all, any, by_holding, cards_in, count};

static HONOURS: [u8; ranks::HOLDINGS] = by_holding!(honours_of(holding), holding, u8);
static LENGTH: [u8; ranks::HOLDINGS] = by_holding!(length_of(holding), holding, u8);
static SYNERGY: [u8; ranks::HOLDINGS] = by_holding!(synergy_of(holding), holding, u8);

/// The four honour cards of the synergy rule.
const TOP4: u16 = A | K | Q | J;

/// Returns H, the honour points.
pub(super) fn honours(holding: u16) -> i32 {
    i32::from(HONOURS[holding as usize])
}

/// Returns L, the length points (before the cap on the hand that did not open).
pub(super) fn length_points(holding: u16) -> i32 {
    i32::from(LENGTH[holding as usize])
}

/// Returns Sy, the synergy points of honours that work together.
pub(super) fn synergy(holding: u16) -> i32 {
    i32::from(SYNERGY[holding as usize])
}

/// Returns D, the distribution points of a suit of this length: void 4, singleton 2, doubleton a half.
pub(super) const fn distribution(cards: i32) -> i32 {
    match cards {
        0 => 8,
        1 => 4,
        2 => 1,
        _ => 0,
    }
}

pub(super) const fn honours_of(holding: u16) -> i32 {
    match cards_in(holding) {
        0 => 0,
        1 => 7 * count(holding, A) + 4 * count(holding, K) + count(holding, Q),
        2 => doubleton(holding),
        _ => long_suit(holding),
    }
}

/// Returns the value of two cards: the higher one decides it, the other one may add to it.
const fn doubleton(holding: u16) -> i32 {
    if any(holding, A) {
        9 + 4 * count(holding, K) + 2 * count(holding, Q) + count(holding, J)
    } else if any(holding, K) {
        6 + 3 * count(holding, Q) + 2 * count(holding, J) + count(holding, T)
    } else if any(holding, Q) {
        2 + 2 * count(holding, J) + count(holding, T)
    } else {
        all(holding, J | T) as i32
    }
}

const fn long_suit(holding: u16) -> i32 {
    let queen = if any(holding, A | K | J) { 4 } else { 3 };
    let jack = if any(holding, A | K | Q | T) { 2 } else { 1 };
    let ten = match (any(holding, Q | J), any(holding, K)) {
        (true, _) => 2,
        (false, true) => 1,
        (false, false) => 0,
    };
    let sequence = 2 * (all(holding, J | T | NINE) && any(holding, A | K | Q)) as i32;
    9 * count(holding, A)
        + 6 * count(holding, K)
        + queen * count(holding, Q)
        + jack * count(holding, J)
        + ten * count(holding, T)
        + sequence
}

pub(super) const fn length_of(holding: u16) -> i32 {
    let good = honours_of(holding) >= 6;
    match cards_in(holding) {
        0..=4 => 0,
        5 => 2 * good as i32,
        n => 2 + 2 * good as i32 + 4 * (n - 6),
    }
}

pub(super) const fn synergy_of(holding: u16) -> i32 {
    let n = cards_in(holding);
    if n == 4 {
        return 2 * (holding == K | Q | J | T || holding == A | Q | J | T) as i32;
    }
    if n < 4 || count(holding, TOP4) < 3 {
        return 0;
    }
    let full = count(holding, TOP4) == 4 || any(holding, T);
    let six = n >= 6;
    2 + 2 * full as i32 + 2 * six as i32
}
