//! Omaha hi-lo, eight or better: half of the pot for the best high hand, half for the best low hand of five different
//! ranks up to eight, with four or five own cards. Each half uses two own cards and three of the board, not necessarily the same ones.

use std::fmt;

use cards::CardSet;

use super::Worth;
use super::lows::{ranks_ace_low, spelled};
use super::omaha;

/// A low hand of five different ranks up to eight; smaller is better.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EightLow(pub(super) u8);

impl EightLow {
    /// Returns the ranks, ace in bit 0, eight in bit 7.
    #[must_use]
    pub const fn ranks(self) -> u8 {
        self.0
    }
}

impl fmt::Display for EightLow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&spelled(self.0.into()))
    }
}

/// Returns the best low hand of two own cards with three of the board, if there is one.
///
/// ```
/// let own = croupier_poker::parse_cards("As2dKhKc").unwrap();
/// let board = croupier_poker::parse_cards("8h7s4cKdQd").unwrap();
/// let low = croupier_poker::evaluate_omaha_low(own, board).unwrap();
/// assert_eq!(low.to_string(), "8-7-4-2-A");
/// ```
#[must_use]
#[inline]
pub fn evaluate_omaha_low(own: CardSet, board: CardSet) -> Option<EightLow> {
    let board = ranks_ace_low(board) as u8;
    if board.count_ones() < 3 {
        return None;
    }
    let own = ranks_ace_low(own) as u8;
    let mut best = u8::MAX;
    let mut first = own;
    while first != 0 {
        let a = first & first.wrapping_neg();
        first &= first - 1;
        let mut second = first;
        while second != 0 {
            let b = second & second.wrapping_neg();
            second &= second - 1;
            // The three lowest ranks of the board that do not pair the two own cards.
            let free = board & !(a | b);
            if free.count_ones() >= 3 {
                best = best.min(a | b | super::lows::lowest(free.into(), 3) as u8);
            }
        }
    }
    (best != u8::MAX).then_some(EightLow(best))
}

pub(super) fn worth(own: CardSet, board: CardSet) -> Worth {
    let low = evaluate_omaha_low(own, board).map(|low| u32::from(low.0));
    Worth {
        low,
        ..omaha::worth(own, board)
    }
}

pub(super) fn describe(own: CardSet, board: CardSet) -> String {
    let high = omaha::describe(own, board);
    match evaluate_omaha_low(own, board) {
        Some(low) => format!("{high}; {low} low"),
        None => format!("{high}; no low"),
    }
}
