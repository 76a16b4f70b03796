//! Tricks that a side is sure to win sooner or later, found without searching.

use super::Hands;
use super::cards::{Cards, Shape, TRUMPS, above, fill_down, nth_highest, suit, top};
use super::guards::guarded;
use super::uncontested::UncontestedSuits;

/// The side that is sure of the tricks it needs.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum SureSide {
    /// The side on lead.
    Leaders,
    /// The side not on lead.
    Others,
}

/// Tests whether one side is sure of the tricks it needs: `want` for the leading side, `others_want` for the other
/// side. Returns that side and the cards that this depends on.
#[inline(always)]
pub(crate) fn later_tricks<const NT: bool>(
    h: &Hands,
    all: Cards,
    n: i32,
    want: i32,
    others_want: i32,
) -> Option<(SureSide, Cards)> {
    let trumps = if NT { 0 } else { all & TRUMPS };
    let leaders = (h.me | h.partner) & trumps;
    let others = trumps ^ leaders;
    if leaders != 0 && others != 0 {
        // No closures here: they would be compiled without the instructions of this processor path.
        if let found @ Some(_) = later_trumps(h, trumps, n, want, others_want) {
            return found;
        }
        if let found @ Some(_) = natural_trumps(h, leaders, others, want, others_want) {
            return found;
        }
        return stuck(h, all, others_want);
    }
    if others != 0 && h.left_shape.len(0).max(h.right_shape.len(0)) >= others_want {
        return Some((SureSide::Others, 0));
    }
    if leaders != 0 {
        if cross_ruff(h) >= want {
            return Some((SureSide::Leaders, 0));
        }
        if let found @ Some(_) = stuck(h, all, others_want) {
            return found;
        }
    }
    if leaders == 0 && others == 0 && others_want == 1 {
        return guarded(h, n).map(|ranks| (SureSide::Others, ranks));
    }
    // The winners of a side are among its cards above all cards of the other side.
    let (ours, theirs) = (h.me | h.partner, h.left | h.right);
    let others_may = leaders == 0 && (theirs & !fill_down(ours)).count_ones() as i32 >= others_want;
    let leaders_may = others == 0 && (ours & !fill_down(theirs)).count_ones() as i32 >= want;
    if !others_may && !leaders_may {
        return None;
    }
    let uncontested = UncontestedSuits::new(h, all, trumps != 0, want, others_want);
    if others_may && let Some(ranks) = uncontested.others(n, others_want) {
        return Some((SureSide::Others, ranks));
    }
    if leaders_may && let Some(ranks) = uncontested.leaders(n, want) {
        return Some((SureSide::Leaders, ranks));
    }
    None
}

/// Returns the trump tricks of the leading side if both sides have trumps: top trumps, and trumps that become top later.
#[inline(always)]
fn later_trumps(
    h: &Hands,
    trumps: Cards,
    n: i32,
    want: i32,
    others_want: i32,
) -> Option<(SureSide, Cards)> {
    let [me, partner, left, right] = [h.me, h.partner, h.left, h.right].map(|hand| hand & TRUMPS);
    let longer = h.left_shape.len(0).max(h.right_shape.len(0));
    if (left | right) & top(trumps) != 0 {
        let winners = (left | right) & above(top(me | partner));
        if (winners.count_ones() as i32).min(longer) >= others_want {
            return Some((SureSide::Others, nth_highest(winners, others_want)));
        }
        if want == 1 {
            // Partner plays after the left hand, the leader after the right one.
            let side = [(partner, h.partner_shape), (me, h.my_shape)];
            let card = slow_trump(trumps, side, [left, right], Some(n))?;
            return Some((SureSide::Leaders, card));
        }
    } else if others_want == 1 {
        let side = [(left, h.left_shape), (right, h.right_shape)];
        let card = slow_trump(trumps, side, [me, partner], None)?;
        return Some((SureSide::Others, card));
    }
    None
}

/// Returns the card that wins a trump trick later for a side without the top trump: the guarded king behind the ace,
/// king and queen, or the twice guarded queen behind ace and king. `side[i]` plays after `against[i]`.
///
/// A side on lead must not be forced to lead the card itself. For it, `leading` is the number of tricks left and
/// `side[1]` is the leader.
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

/// Returns the trump tricks of the leading side if both sides have trumps: each trump of a hand wins a trick unless an
/// opponent plays a higher one on it.
#[inline(always)]
fn natural_trumps(
    h: &Hands,
    leaders: Cards,
    others: Cards,
    want: i32,
    others_want: i32,
) -> Option<(SureSide, Cards)> {
    for hand in [h.left, h.right] {
        if let Some(card) = outlasting(hand & TRUMPS, leaders, others_want) {
            return Some((SureSide::Others, card));
        }
    }
    for hand in [h.me, h.partner] {
        if let Some(card) = outlasting(hand & TRUMPS, others, want) {
            return Some((SureSide::Leaders, card));
        }
    }
    None
}

/// Returns the trump that wins the last of the tricks wanted when the opponents have spent their higher ones.
#[inline(always)]
fn outlasting(mut hand: Cards, against: Cards, wanted: i32) -> Option<Cards> {
    if (hand.count_ones() as i32) < wanted {
        return None;
    }
    let (mut won, mut lost) = (0, 0);
    while hand != 0 {
        let card = top(hand);
        hand ^= card;
        if (against & above(card)).count_ones() > lost {
            lost += 1;
        } else {
            won += 1;
            if won == wanted {
                return Some(card);
            }
        }
    }
    None
}

/// Returns the trump tricks of the leading side if the opponents have no trumps: the trumps of one hand, and the ruffs of
/// the other hand between them.
#[inline(always)]
fn cross_ruff(h: &Hands) -> i32 {
    let (mine, partners) = (h.my_shape.len(0), h.partner_shape.len(0));
    if mine == 0 || partners == 0 {
        return 0;
    }
    // Cards that partner can ruff, and cards that the leader can ruff.
    let (mut to_partner, mut to_me) = (0, 0);
    for s in 1..4 {
        let (my_length, partners_length) = (h.my_shape.len(s), h.partner_shape.len(s));
        if partners_length == 0 {
            to_partner += my_length;
        }
        if my_length == 0 {
            to_me += partners_length;
        }
    }
    let partner_ruffs = partners.min(to_partner).min(1 + to_me.min(mine));
    let i_ruff = mine.min(to_me).min(partners).min(to_partner);
    (mine + partner_ruffs).max(partners + i_ruff)
}

/// Finds side suits with top cards of the other side, in which neither leading hand can get rid of its losers. A hand
/// discards only when partner leads a suit in which it is void, and until the other side wins a trick only the leading
/// side leads. The hand with the top cards cashes them when it gains the lead, and takes its top trumps too.
#[inline(always)]
fn stuck(h: &Hands, all: Cards, wanted: i32) -> Option<(SureSide, Cards)> {
    let winners = (h.left | h.right) & !fill_down(h.me | h.partner);
    if winners & !TRUMPS == 0 || (winners.count_ones() as i32) < wanted {
        return None;
    }
    let longer_partner = |s: u32| h.partner_shape.len(s) - h.my_shape.len(s);
    let (mut my_throws, mut partners_throws) = (0, 0);
    for s in 0..4 {
        my_throws += longer_partner(s).max(0);
        partners_throws += (-longer_partner(s)).max(0);
    }
    let others = [h.left, h.right];
    let (mut count, mut ranks) = ([0; 2], [0; 2]);
    for s in 1..4 {
        let more = longer_partner(s);
        let i_keep = h.my_shape.len(s) - (my_throws - more.max(0));
        let partner_keeps = h.partner_shape.len(s) - (partners_throws - (-more).max(0));
        let kept = i_keep.min(partner_keeps);
        let cards = all & suit(s);
        if kept <= 0 || winners & cards == 0 {
            continue;
        }
        let i = usize::from(h.left & top(cards) == 0);
        let hand = others[i] & cards;
        let tops = hand & above(top(cards & !hand));
        let cashed = (tops.count_ones() as i32).min(kept).min(wanted - count[i]);
        if cashed > 0 {
            count[i] += cashed;
            ranks[i] |= nth_highest(tops, cashed);
        }
    }
    for i in 0..2 {
        let missing = wanted - count[i];
        if count[i] == 0 {
            continue;
        }
        if missing == 0 {
            return Some((SureSide::Others, ranks[i]));
        }
        let hand = others[i] & TRUMPS;
        let tops = hand & above(top(all & TRUMPS & !hand));
        if tops.count_ones() as i32 >= missing {
            return Some((SureSide::Others, ranks[i] | nth_highest(tops, missing)));
        }
    }
    None
}
