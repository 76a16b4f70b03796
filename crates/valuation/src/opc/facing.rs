//! One suit of one hand facing its partner's length in that suit, in half points.

use super::suit::honours_of;
use crate::ranks::{A, J, any, cards_in};

/// Returns HF: points for weak honours in a fit, or for a helpful doubleton.
pub(super) const fn fit_honours(holding: u16, partner: i32) -> i32 {
    let own = cards_in(holding);
    let points = honours_of(holding);
    let some = points >= 1 && points < 8;
    match own {
        3.. if own + partner >= 8 => 2 * some as i32,
        2 if own + partner >= 7 => 2 * (some || any(holding, J)) as i32,
        _ => 0,
    }
}

/// Returns MISFIT: a deduction for a short holding facing five or more cards.
pub(super) const fn misfit(holding: u16, partner: i32) -> i32 {
    match (cards_in(holding), partner) {
        (0, 5..) => -6,
        (1, 5..=6) => -4,
        (2, 5) if honours_of(holding) == 0 && !any(holding, J) => -2,
        _ => 0,
    }
}

/// Returns WASTE: a deduction for honours facing a void or singleton, a bonus for small cards there.
pub(super) const fn waste(holding: u16, partner: i32) -> i32 {
    let void = match partner {
        0 => true,
        1 => false,
        _ => return 0,
    };
    let own = cards_in(holding);
    let points = honours_of(holding);
    let at_most = if void { 6 } else { 4 };
    match (any(holding, A), void) {
        (false, _) if points == 0 && own >= 3 => at_most,
        (false, _) => -least(points, at_most),
        (true, true) => -6,
        (true, false) if points == 9 && own >= 2 => 2,
        // A singleton ace is worth less than 4.5 points, so the result is positive, as in the author's own program.
        (true, false) => -least(points - 9, at_most),
    }
}

const fn least(a: i32, b: i32) -> i32 {
    if a < b { a } else { b }
}
