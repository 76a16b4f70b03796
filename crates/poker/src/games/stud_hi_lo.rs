//! Seven-card stud hi-lo, eight or better: half of the pot for the best five of seven own cards, half for the best low hand
//! of five different ranks up to eight.

use cards::CardSet;

use super::lows::{lowest, ranks_ace_low};
use super::{EightLow, Worth, stud};

/// The ranks from ace to eight.
const UP_TO_EIGHT: u16 = 0xFF;

/// Returns the best low hand of a player's cards, if there is one.
///
/// ```
/// let cards = croupier_poker::parse_cards("As2d4h7c8hKhKc").unwrap();
/// assert_eq!(croupier_poker::evaluate_stud_low(cards).unwrap().to_string(), "8-7-4-2-A");
/// ```
#[must_use]
#[inline]
pub fn evaluate_stud_low(cards: CardSet) -> Option<EightLow> {
    let ranks = ranks_ace_low(cards) & UP_TO_EIGHT;
    (ranks.count_ones() >= 5).then(|| EightLow(lowest(ranks, 5) as u8))
}

pub(super) fn worth(own: CardSet) -> Worth {
    let low = evaluate_stud_low(own).map(|low| u32::from(low.ranks()));
    Worth {
        low,
        ..stud::worth(own)
    }
}

pub(super) fn describe(own: CardSet) -> String {
    let high = stud::describe(own);
    match evaluate_stud_low(own) {
        Some(low) => format!("{high}; {low} low"),
        None => format!("{high}; no low"),
    }
}
