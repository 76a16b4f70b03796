//! Finds one trick for the side not on lead, in notrump, when the leading side needs all tricks.
//!
//! A hand *guards* a suit with k of its cards if it wins a trick with them when the suit is led at most k times. It can
//! keep these cards as long as it has others to discard. So until the leading side loses a trick, it wins fewer than k
//! tricks in a guarded suit, and in any other suit at most as many as its longer hand has cards. If these numbers add
//! up to less than all tricks, the leading side loses one.

use super::Hands;
use super::cards::{Cards, above, suit, top};

/// Tests whether the leading side cannot win all `n` tricks. Returns the cards that this depends on.
#[inline(always)]
pub(super) fn guarded(h: &Hands, n: i32) -> Option<Cards> {
    // For left and right hand: cards to keep, and the tricks that the leading side can win in the suits it guards.
    let (mut kept, mut most) = ([0; 2], [0; 2]);
    // Tricks of the leading side in suits without a guard.
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
        // Choose the guard with fewer cards; if equal, the hand with fewer cards to keep.
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
    // After a hand has followed r times to its guarded suits, it needs kept - r cards. It still has n - r cards minus
    // the tricks led in other suits.
    let can_keep = |hand: usize| kept[hand] + free + most[1 - hand] <= n;
    (free + most[0] + most[1] < n && can_keep(0) && can_keep(1)).then_some(ranks)
}

/// The value for a hand that does not guard a suit.
const NO_GUARD: (i32, Cards) = (99, 0);

/// Returns the fewest cards of a suit with which a hand certainly wins a trick when the leading side leads the suit,
/// and the lowest card whose rank matters for it. `before` is the leading side's hand to its right, after which it
/// plays; `behind` is the other one.
#[inline(always)]
fn guard(hand: Cards, length: i32, before: Cards, behind: Cards) -> (i32, Cards) {
    if hand == 0 {
        return NO_GUARD;
    }
    let (best, against) = (top(hand), before | behind);
    if behind < best {
        // The hand plays after all higher cards, whichever hand leads: each round removes one of them, or its best card
        // wins.
        let higher = (before & above(best)).count_ones() as i32;
        if length > higher {
            return (higher + 1, best);
        }
    }
    // Played from the top, each card forces out a higher one of the leading side, or wins.
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

#[cfg(test)]
mod tests {
    use super::super::cards::{Shape, highest, lengths, suit_of};
    use super::*;

    /// Returns whether the side of seats 0 and 2 wins every trick when `next` plays the next card, by trying every
    /// card. `best` is the highest card of the suit led so far, with its seat.
    fn wins_all(hands: &mut [Cards; 4], next: usize, played: usize, best: (u32, usize)) -> bool {
        if played == 4 {
            return best.1 & 1 == 0 && wins_all(hands, best.1, 0, (0, best.1));
        }
        let hand = hands[next];
        if hand == 0 {
            return true;
        }
        let in_suit = hand & suit(suit_of(best.0));
        let mut moves = match played {
            0 => hand,
            _ if in_suit != 0 => in_suit,
            _ => hand,
        };
        let ours = next & 1 == 0;
        let mut all = !ours;
        while moves != 0 && all != ours {
            let card = highest(moves);
            moves ^= 1 << card;
            hands[next] = hand ^ 1 << card;
            let follows = played == 0 || suit_of(card) == suit_of(best.0);
            let best = match follows && (played == 0 || card > best.0) {
                true => (card, next),
                false => best,
            };
            all = wins_all(hands, (next + 1) % 4, played + 1, best);
        }
        hands[next] = hand;
        all
    }

    #[test]
    fn leaders_against_guards_never_win_all_tricks() {
        let mut state = 7u64;
        let mut below = |n: u64| {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) % n
        };
        let mut guarded_endings = 0;
        for ending in 0..300_000u64 {
            let n = 2 + ending as usize / 2 % 4;
            let mut pack: Vec<u64> = (0..52).map(|card| card / 13 * 16 + card % 13).collect();
            let mut hands: [Cards; 4] = [0; 4];
            for place in 0..4 * n {
                let card = pack.swap_remove(below(pack.len() as u64) as usize);
                hands[place / n] |= 1 << card;
            }
            // In half of the endings the leading side gets most of the top cards; otherwise it would rarely win all
            // tricks.
            if ending & 1 == 0 {
                let mut cards: Vec<u64> = (0..64)
                    .filter(|&card| hands.iter().any(|hand| hand >> card & 1 != 0))
                    .collect();
                cards.sort_by_key(|card| std::cmp::Reverse(card % 16 + below(6)));
                hands = [0; 4];
                for (place, card) in cards.into_iter().enumerate() {
                    let side = usize::from(place >= 2 * n);
                    let seat = match hands[side].count_ones() as usize {
                        full if full == n => side + 2,
                        _ if hands[side + 2].count_ones() as usize == n => side,
                        _ => side + 2 * below(2) as usize,
                    };
                    hands[seat] |= 1 << card;
                }
            }
            let shape = |seat| Shape::of(lengths(&hands), seat);
            let around = Hands {
                me: hands[0],
                left: hands[1],
                partner: hands[2],
                right: hands[3],
                my_shape: shape(0),
                left_shape: shape(1),
                partner_shape: shape(2),
                right_shape: shape(3),
            };
            if guarded(&around, n as i32).is_some() {
                guarded_endings += 1;
                let mut hands = hands;
                assert!(!wins_all(&mut hands, 0, 0, (0, 0)), "{hands:x?}");
            }
        }
        assert!(guarded_endings > 50_000, "{guarded_endings}");
    }
}
