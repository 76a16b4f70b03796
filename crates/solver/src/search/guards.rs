//! One trick for the side not on lead when there are no trumps and the leaders want all tricks.
//!
//! A hand *guards* a suit with some of its cards if it wins a trick with them at the latest when the suit is led as many times.
//! It can keep them as long as it has other cards to throw away. So before they lose a trick the leaders win fewer
//! tricks than that in a guarded suit, and in another one no more than their longer hand has cards. If that is less than
//! all, they lose one.

use super::Hands;
use super::cards::{Cards, above, suit, top};

/// If the leaders cannot win all n tricks: the cards on which that rests.
#[inline(always)]
pub(super) fn guarded(h: &Hands, n: i32) -> Option<Cards> {
    // By left and right hand: cards to keep, and the tricks that the leaders may win in the suits it guards.
    let (mut kept, mut most) = ([0; 2], [0; 2]);
    // The leaders' tricks in suits without guard.
    let mut free = 0;
    let mut ranks = 0;
    for s in 0..4 {
        let k = suit(s);
        if (h.me | h.partner) & k == 0 {
            continue;
        }
        let rounds = h.my_shape.len(s).max(h.partner_shape.len(s));
        let (me, partner) = (h.me & k, h.partner & k);
        let guards = [
            guard(h.left & k, h.left_shape.len(s), me, partner),
            guard(h.right & k, h.right_shape.len(s), partner, me),
        ];
        // The guard of fewer cards; of two equal ones that of the hand with less to keep.
        let hand = match guards[0].0 - guards[1].0 {
            0 => usize::from(kept[1] < kept[0]),
            difference => usize::from(difference > 0),
        };
        let (cards, rank) = guards[hand];
        if cards <= rounds {
            kept[hand] += cards;
            most[hand] += cards - 1;
            ranks |= rank;
        } else {
            free += rounds;
        }
    }
    // When a hand has followed r times to the suits it guards it needs kept - r cards, and it has n - r but for the tricks in
    // other suits.
    let can_keep = |hand: usize| kept[hand] + free + most[1 - hand] <= n;
    (free + most[0] + most[1] < n && can_keep(0) && can_keep(1)).then_some(ranks)
}

/// Means that a hand does not guard a suit.
const NO_GUARD: (i32, Cards) = (99, 0);

/// The fewest cards of a suit with which a hand certainly wins a trick when the leaders lead it, and the lowest card whose
/// rank matters for that. `before` is the leading hand on its right, after which it plays, `behind` the other one.
#[inline(always)]
fn guard(hand: Cards, length: i32, before: Cards, behind: Cards) -> (i32, Cards) {
    if hand == 0 {
        return NO_GUARD;
    }
    let (best, against) = (top(hand), before | behind);
    if behind < best {
        // Whoever leads, the hand plays after all higher cards: each round costs one of them, or the best card wins.
        let higher = (before & above(best)).count_ones() as i32;
        if length > higher {
            return (higher + 1, best);
        }
    }
    // Played from the top, each card costs the leaders a higher one, or wins.
    let mut cards = hand;
    let mut round = 0;
    while cards != 0 {
        let card = top(cards);
        cards ^= card;
        round += 1;
        if ((against & above(card)).count_ones() as i32) < round {
            return (round, card);
        }
    }
    NO_GUARD
}
