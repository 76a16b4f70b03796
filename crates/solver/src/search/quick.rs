//! Tricks that the side on lead can cash at once, found without searching.

use super::Hands;
use super::cards::{
    Cards, TRUMPS, above, bottom, fill_down, lowest, nth_highest, suit, suit_of, top,
};

/// Tricks of the side on lead counted so far.
struct CashingState {
    /// Tricks that the leader can cash without partner, and the lowest cards that these depend on.
    alone: i32,
    ranks: Cards,
    /// Tricks that both can cash once partner is on lead, and the further cards that these depend on.
    together: i32,
    partner_ranks: Cards,
    /// Whether the leader can put partner on lead.
    entry: bool,
    /// Trumps that the opponents have left when side suits are played.
    left_trumps: i32,
    right_trumps: i32,
}

/// Tests whether the side on lead takes `want` of the `n` tricks by cashing. Returns how many it takes (at least
/// `want`) and the cards that this depends on. Only the lowest of each suit matters.
#[inline(always)]
pub(crate) fn quick_tricks<const NT: bool>(
    h: &Hands,
    all: Cards,
    want: i32,
    n: i32,
) -> Option<(i32, Cards)> {
    let mut tally = CashingState {
        alone: 0,
        ranks: 0,
        together: 0,
        partner_ranks: 0,
        entry: false,
        left_trumps: 0,
        right_trumps: 0,
    };
    if !NT {
        if all & TRUMPS != 0
            && let Some(found) = trump_tricks(h, want, &mut tally)
        {
            return Some(found);
        }
        if want == 1 && partner_can_ruff(h) {
            return Some((1, 0));
        }
    }
    let mut winners = (h.me | h.partner) & !fill_down(h.left | h.right);
    if !NT {
        winners &= !TRUMPS;
    }
    if n >= 5 && winners.count_ones() as i32 + tally.alone < want {
        return None;
    }
    while winners != 0 {
        let s = suit_of(lowest(winners));
        let of_suit = winners & suit(s);
        winners ^= of_suit;
        cash_suit::<NT>(h, s, of_suit, &mut tally);
        if tally.alone >= want {
            return Some((want, tally.ranks));
        }
    }
    (tally.entry && tally.together >= want).then_some((want, tally.ranks | tally.partner_ranks))
}

/// Counts trump tricks: all trumps of the longer hand if the opponents have none, else the top ones.
#[inline(always)]
fn trump_tricks(h: &Hands, want: i32, tally: &mut CashingState) -> Option<(i32, Cards)> {
    let (mine, partners) = (h.me & TRUMPS, h.partner & TRUMPS);
    let theirs = (h.left | h.right) & TRUMPS;
    let (my_length, partners_length) = (h.my_shape.len(0), h.partner_shape.len(0));
    let longer = my_length.max(partners_length);
    if theirs == 0 {
        (tally.alone, tally.together) = (longer, longer);
        return (longer >= want).then_some((longer, 0));
    }
    (tally.left_trumps, tally.right_trumps) = (h.left_shape.len(0), h.right_shape.len(0));
    let winners = (mine | partners) & above(top(theirs));
    let tricks = (winners.count_ones() as i32).min(longer);
    if tricks == 0 {
        return None;
    }
    (tally.alone, tally.together) = (tricks, tricks);
    if tricks >= want {
        return Some((want, nth_highest(winners, want)));
    }
    tally.ranks = nth_highest(winners, tricks);
    // The leader's top trumps draw rounds while the leader stays on lead, if partner need not win any of them.
    let my_winners = (winners & mine).count_ones() as i32;
    let partners_winners = winners.count_ones() as i32 - my_winners;
    if my_winners > 0 && partners_length - partners_winners >= my_winners || partners_winners == 0 {
        tally.left_trumps = (tally.left_trumps - my_winners).max(0);
        tally.right_trumps = (tally.right_trumps - my_winners).max(0);
        if my_length > my_winners && partners_winners > 0 && partners_length > my_winners {
            tally.entry = true;
        }
    } else if my_winners == 0 && my_length > 0 {
        tally.entry = true;
    }
    None
}

/// Tests whether partner can ruff a suit to which both opponents must follow, or have no trumps.
#[inline(always)]
fn partner_can_ruff(h: &Hands) -> bool {
    let harmless = |hand: Cards, k: Cards| hand & k != 0 || hand & TRUMPS == 0;
    h.partner & TRUMPS != 0
        && (1..4).any(|s| {
            let k = suit(s);
            h.me & k != 0 && h.partner & k == 0 && harmless(h.left, k) && harmless(h.right, k)
        })
}

/// Adds the tricks of a side suit in which the leading side holds the top card.
#[inline(always)]
fn cash_suit<const NT: bool>(h: &Hands, s: u32, winners: Cards, tally: &mut CashingState) {
    let (left, right) = (h.left_shape.len(s), h.right_shape.len(s));
    // An opponent with trumps left cannot ruff while it must follow suit.
    let mut limit = 13;
    if !NT {
        if tally.left_trumps > 0 {
            limit = left;
        }
        if tally.right_trumps > 0 && right < limit {
            limit = right;
        }
        if limit == 0 {
            return;
        }
    }
    let (my_length, partners_length) = (h.my_shape.len(s), h.partner_shape.len(s));
    let (mine, partners) = (winners & h.me, winners & h.partner);
    let (my_winners, partners_winners) = (mine.count_ones() as i32, partners.count_ones() as i32);
    let longer_opponent = left.max(right);
    let mut alone = my_winners;
    let mut blocked = false;
    if my_winners > 0 && partners_winners > 0 && partners_length - partners_winners < my_winners {
        // Partner may have only cards that overtake the leader's.
        if let Some(rounds) = rounds_before_block(mine, h.partner & suit(s), my_winners) {
            alone = rounds;
            blocked = true;
        }
    }
    let unlimited = alone <= limit;
    if alone >= longer_opponent && partners_length <= alone && !blocked && alone > 0 {
        alone = my_length;
    }
    alone = alone.min(limit);
    if alone > 0 {
        let resting_on = alone
            .min(longer_opponent.max(partners_length))
            .min(my_winners);
        if resting_on > 0 {
            tally.ranks |= nth_highest(mine, resting_on);
        }
        tally.alone += alone;
    }
    let mut together = alone;
    if !blocked && unlimited && partners_winners > 0 && alone < limit {
        let more = partners_winners.min(partners_length - alone);
        if more > 0 {
            together = alone + more;
            if together >= longer_opponent && my_length <= together {
                together = together.max(partners_length);
            }
            together = together.min(limit);
            if together > alone {
                let crossing = my_length > alone;
                tally.entry |= crossing;
                let resting_on = (together - alone)
                    .min(partners_winners)
                    .min((longer_opponent.max(my_length) - alone).max(0));
                if crossing || resting_on > 0 {
                    tally.partner_ranks |= nth_highest(partners, resting_on.max(1));
                }
            }
        }
    }
    tally.together += together;
}

/// Returns the number of the leader's winners that can be cashed before partner's lowest card would win a round; `None`
/// if that never happens.
#[inline(always)]
fn rounds_before_block(mut mine: Cards, mut partners: Cards, my_winners: i32) -> Option<i32> {
    for round in 0..my_winners {
        if partners == 0 {
            return None;
        }
        if bottom(partners) > top(mine) {
            return Some(round);
        }
        mine ^= top(mine);
        partners &= partners - 1;
    }
    None
}
