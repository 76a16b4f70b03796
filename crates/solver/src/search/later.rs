//! Tricks that a side is sure of sooner or later, seen without searching.

use super::Hands;
use super::cards::{Cards, Shape, TRUMPS, above, nth_highest, suit, top};

/// Which side has what it needs.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Sure {
    /// The side on lead.
    Leaders,
    /// The side not on lead.
    Others,
}

/// Whether one side is sure of the tricks it needs: the leaders of `want`, the others of `others_want`. With the cards
/// on which that rests.
#[inline(always)]
pub(crate) fn later_tricks<const NT: bool>(
    h: &Hands,
    all: Cards,
    n: i32,
    want: i32,
    others_want: i32,
) -> Option<(Sure, Cards)> {
    if !NT && all & TRUMPS != 0 {
        later_trumps(h, all & TRUMPS, n, want, others_want)
    } else {
        let found = stoppers(h, all, n, others_want);
        found.map(|ranks| (Sure::Others, ranks))
    }
}

#[inline(always)]
fn later_trumps(
    h: &Hands,
    trumps: Cards,
    n: i32,
    want: i32,
    others_want: i32,
) -> Option<(Sure, Cards)> {
    let [me, partner, left, right] = [h.me, h.partner, h.left, h.right].map(|hand| hand & TRUMPS);
    let longer = h.left_shape.len(0).max(h.right_shape.len(0));
    if me | partner == 0 {
        return (longer >= others_want).then_some((Sure::Others, 0));
    }
    if (left | right) & top(trumps) != 0 {
        let winners = (left | right) & above(top(me | partner));
        if (winners.count_ones() as i32).min(longer) >= others_want {
            return Some((Sure::Others, nth_highest(winners, others_want)));
        }
        if want == 1 {
            // Partner sits behind the left hand, the leader behind the right one.
            let side = [(partner, h.partner_shape), (me, h.my_shape)];
            let card = slow_trump(trumps, side, [left, right], Some(n))?;
            return Some((Sure::Leaders, card));
        }
    } else if others_want == 1 {
        let side = [(left, h.left_shape), (right, h.right_shape)];
        let card = slow_trump(trumps, side, [me, partner], None)?;
        return Some((Sure::Others, card));
    }
    None
}

/// The card that wins a trump trick later for a side without the top trump: the guarded king behind the ace, king and
/// queen, or the twice guarded queen behind ace and king. `side[i]` sits behind `against[i]`.
///
/// A side on lead with n tricks left must not be forced to lead the card itself: `leading` is then that n, and
/// `side[1]` the leader.
#[inline(always)]
fn slow_trump(
    trumps: Cards,
    side: [(Cards, Shape); 2],
    against: [Cards; 2],
    leading: Option<i32>,
) -> Option<Cards> {
    let ace = top(trumps);
    let others = trumps ^ ace;
    if others & others.wrapping_sub(1) == 0 || (against[0] | against[1]) & ace == 0 {
        return None;
    }
    let king = top(others);
    let queen = top(others ^ king);
    for i in 0..2 {
        let (hand, shape) = side[i];
        let patient = |tricks: i32| i == 0 || leading.is_none_or(|n| n >= tricks);
        if hand & king != 0 {
            if hand != king && against[i] & ace != 0 && patient(3) {
                return Some(king);
            }
            if (side[0].0 | side[1].0) & queen != 0 {
                let with_queen = side[usize::from(side[0].0 & queen == 0)].1;
                if shape.len(0) > 1 || with_queen.len(0) > 1 {
                    return Some(queen);
                }
            }
        }
        if hand & queen != 0
            && shape.len(0) >= 3
            && against[i] & ace != 0
            && against[i] & king != 0
            && patient(4)
        {
            return Some(queen);
        }
    }
    None
}

/// Without trumps: the side not on lead comes in, for the leaders cannot run suits for ever, and then cashes what the
/// hand that came in has on top.
#[inline(always)]
fn stoppers(h: &Hands, all: Cards, n: i32, others_want: i32) -> Option<Cards> {
    let leaders = h.me | h.partner;
    let mut run = 0;
    let mut can_run = false;
    let mut ranks = 0;
    let mut winners = [0, 0];
    let mut stops = [false, false];
    for s in 0..4 {
        let k = suit(s);
        let cards = all & k;
        if cards == 0 {
            continue;
        }
        let best = top(cards);
        if leaders & best != 0 {
            run += h.my_shape.len(s).max(h.partner_shape.len(s));
            can_run |= h.me & k != 0;
            continue;
        }
        let i = usize::from(h.left & best == 0);
        let hand = [h.left, h.right][i] & k;
        stops[i] = true;
        let rest = cards & !hand;
        if rest == 0 {
            winners[i] += [h.left_shape, h.right_shape][i].len(s);
        } else if others_want > 1 {
            let tops = hand & above(top(rest));
            let count = tops.count_ones() as i32;
            winners[i] += count;
            ranks |= nth_highest(tops, count);
        } else {
            winners[i] += 1;
            ranks |= best;
        }
    }
    if !can_run {
        run = 0;
    }
    let mut sure = n - run;
    for i in 0..2 {
        if stops[i] {
            sure = sure.min(winners[i]);
        }
    }
    (stops[0] | stops[1] && sure >= others_want).then_some(ranks)
}
