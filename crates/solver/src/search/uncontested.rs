//! Tricks that are sure when trumps are uncontested: none are left, or one side has them all.
//!
//! A side wins no more tricks in a suit than its longer hand has cards of it, and none while the other side keeps the
//! top card of the suit. So its winners run out, the other side gains the lead, and the hand that gains it cashes its
//! top cards. A hand can always keep these: until then it discards others.

use super::Hands;
use super::cards::{Cards, above, bottom, nth_highest, suit, top};

/// Counts for each hand, in the order leader, left, partner, right.
#[derive(Default)]
pub(super) struct UncontestedSuits {
    /// Cards above all others in the suits whose top card the hand holds, and the lowest of them.
    winners: [i32; 4],
    ranks: [Cards; 4],
    /// How often the side that holds the top card can lead these suits, in total.
    rounds: [i32; 4],
    /// Rounds of the leading side before an opponent can ruff.
    rounds_before_ruff: i32,
    /// How often the other side can win tricks in these suits when the winners are gone.
    afterwards: [i32; 4],
    /// Whether a hand has a card with which it can reach a winner of its partner.
    entry: [bool; 4],
    /// Cards of the leader's opponents that win once the partner's winners of the suit are gone; the lowest of them,
    /// and whether the partner can reach them.
    promoted: [i32; 4],
    promoted_ranks: Cards,
    promoted_entry: [bool; 4],
    /// Trumps, which only one side has, so that no other card beats them.
    trumps: [i32; 4],
    leader_can_run: bool,
}

/// Returns the cards of a hand above all others of a suit: how many, and the lowest of them. Looks for one only if no
/// more are wanted.
#[inline(always)]
fn tops(hand: Cards, cards: Cards, length: i32, wanted: i32) -> (i32, Cards) {
    let rest = cards & !hand;
    if rest == 0 {
        return (length, 0);
    }
    if wanted == 1 {
        return (1, top(hand));
    }
    let tops = hand & above(top(rest));
    (tops.count_ones() as i32, bottom(tops))
}

impl UncontestedSuits {
    /// Counts all suits. `trumps` is whether trumps are left; then one side has none.
    #[inline(always)]
    pub(super) fn new(
        h: &Hands,
        all: Cards,
        trumps: bool,
        want: i32,
        others_want: i32,
    ) -> UncontestedSuits {
        let hands = [h.me, h.left, h.partner, h.right];
        let shapes = [h.my_shape, h.left_shape, h.partner_shape, h.right_shape];
        let mut uncontested = UncontestedSuits::default();
        if trumps {
            uncontested.trumps = shapes.map(|shape| shape.len(0));
        }
        for s in u32::from(trumps)..4 {
            let cards = all & suit(s);
            if cards == 0 {
                continue;
            }
            let best = top(cards);
            let length = shapes.map(|shape| shape.len(s));
            let holds = |seat: usize| hands[seat] & best != 0;
            let seat = (0..3).find(|&seat| holds(seat)).unwrap_or(3);
            if seat % 2 == 0 {
                uncontested.leaders_suit(seat, hands[seat] & suit(s), cards, length, want);
            } else {
                let held = hands.map(|hand| hand & suit(s));
                uncontested.others_suit(seat, held, cards, length, others_want);
            }
            let partner = (seat + 2) & 3;
            uncontested.entry[partner] |= length[partner] > 0;
        }
        uncontested
    }

    /// Counts a suit whose top card the leading side holds.
    #[inline(always)]
    fn leaders_suit(
        &mut self,
        seat: usize,
        hand: Cards,
        cards: Cards,
        length: [i32; 4],
        want: i32,
    ) {
        let (count, card) = tops(hand, cards, length[seat], want);
        self.winners[seat] += count;
        self.ranks[seat] |= card;
        let rounds = length[0].max(length[2]);
        self.rounds[seat] += rounds;
        let mut unruffed = rounds;
        for other in [1, 3] {
            if self.trumps[other] > 0 {
                unruffed = unruffed.min(length[other]);
            }
        }
        self.rounds_before_ruff += unruffed;
        self.afterwards[seat] += (length[1].max(length[3]) - count).max(0);
        self.leader_can_run |= length[0] > 0;
    }

    /// Counts a suit whose top card the other side holds.
    #[inline(always)]
    fn others_suit(
        &mut self,
        seat: usize,
        held: [Cards; 4],
        cards: Cards,
        length: [i32; 4],
        wanted: i32,
    ) {
        let (count, card) = tops(held[seat], cards, length[seat], wanted);
        self.winners[seat] += count;
        self.ranks[seat] |= card;
        self.rounds[seat] += length[1].max(length[3]);
        self.afterwards[seat] += (length[0].max(length[2]) - count).max(0);
        if wanted == 1 {
            return;
        }
        // The partner follows to the winners with its low cards first.
        let partner = (seat + 2) & 3;
        let against = held[0] | held[2];
        let above_them = match against {
            0 => held[partner],
            _ => held[partner] & above(top(against)),
        };
        let promoted = (above_them.count_ones() as i32).min(length[partner] - count);
        if promoted > 0 {
            self.promoted[partner] += promoted;
            if against != 0 {
                self.promoted_ranks |= nth_highest(above_them, promoted);
            }
            self.promoted_entry[seat] |= length[seat] > count;
        }
    }

    /// Tests whether the side not on lead takes `wanted` of the `n` tricks. Returns the cards that this depends on.
    #[inline(always)]
    pub(super) fn others(&self, n: i32, wanted: i32) -> Option<Cards> {
        let winners = self.winners[1] + self.winners[3] + self.trumps[1] + self.trumps[3];
        let promoted = self.promoted[1] + self.promoted[3];
        if winners + promoted < wanted {
            return None;
        }
        let ranks = self.ranks[1] | self.ranks[3];
        if self.others_get(n, false) >= wanted {
            return Some(ranks);
        }
        (promoted > 0 && self.others_get(n, true) >= wanted).then_some(ranks | self.promoted_ranks)
    }

    /// Returns the least number of tricks of the side not on lead. One of its hands gains the lead and cashes. Its
    /// partner cashes at once if it can be reached, else when the leading side has run out of tricks again.
    #[inline(always)]
    fn others_get(&self, n: i32, promoted: bool) -> i32 {
        let all_rounds = self.rounds[0] + self.rounds[2];
        let left = match self.leader_can_run {
            true => n - self.rounds_before_ruff,
            false => n,
        };
        let mut least = n;
        let mut anybody = false;
        for (first, second_hand) in [(1, 3), (3, 1)] {
            let here = self.winners[first] + self.trumps[first];
            if here == 0 {
                continue;
            }
            anybody = true;
            // When one hand draws trumps, those of its partner fall on them.
            let longer_trumps = (self.trumps[second_hand] - self.trumps[first]).max(0);
            let mut there = self.winners[second_hand] + longer_trumps;
            let mut across = self.entry[first];
            if promoted {
                there += self.promoted[second_hand];
                across |= self.promoted_entry[first];
            }
            least = least.min(if here >= left {
                left
            } else if across {
                (here + there).min(left)
            } else {
                here + there.min((n - here - all_rounds - self.afterwards[first]).max(0))
            });
        }
        if anybody { least } else { 0 }
    }

    /// Tests whether the side on lead takes `wanted` tricks: the leader cashes, and the partner gains the lead when the
    /// other side has run out of tricks. Returns the cards that this depends on.
    #[inline(always)]
    pub(super) fn leaders(&self, n: i32, wanted: i32) -> Option<Cards> {
        let here = self.winners[0] + self.trumps[0];
        let there = self.winners[2] + (self.trumps[2] - self.trumps[0]).max(0);
        let theirs = self.rounds[1] + self.rounds[3] + self.afterwards[0];
        let enough = there > 0 && here + there.min(n - here - theirs) >= wanted;
        enough.then_some(self.ranks[0] | self.ranks[2])
    }
}
