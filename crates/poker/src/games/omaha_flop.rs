//! Omaha on a flop: the rank of a hand with every turn and river.
//!
//! Of the ten sets of three board cards, one is the flop, three contain the turn, three the river and three both. The
//! first seven are evaluated once for every card. Without flushes only the ranks of turn and river matter: 91 pairs of
//! ranks instead of 820 boards. Flushes are handled suit by suit in this way.

use cards::CardSet;

use super::omaha::{MAX_PAIRS, card_keys, different_pairs};
use crate::reference::suit_masks;
use crate::tables::displace::RANK_KEYS;
use crate::tables::{FLUSH, SLOTS5};

/// The best ranks of a hand on one flop; `u16::MAX` for none.
pub(crate) struct OnFlop {
    /// Without flushes, by the ranks of the two cards to come.
    plain: [[u16; 13]; 13],
    /// The rank of a flush with the flop alone.
    flush: u16,
    /// The rank of a flush with one card to come, by its bit.
    with_one: [u16; 52],
    /// The rank of a flush with two cards to come, by their suit and ranks.
    with_two: [[[u16; 13]; 13]; 4],
}

impl OnFlop {
    /// Computes the ranks of hole cards on a flop of three cards.
    pub(crate) fn new(hole: CardSet, flop: CardSet) -> OnFlop {
        let mut on_flop = OnFlop {
            plain: [[u16::MAX; 13]; 13],
            flush: u16::MAX,
            with_one: [u16::MAX; 52],
            with_two: [[[u16::MAX; 13]; 13]; 4],
        };
        on_flop.add_plain(hole, flop);
        let (in_hand, on_board) = (suit_masks(hole), suit_masks(flop));
        for suit in 0..4 {
            on_flop.add_flushes(suit, in_hand[suit], on_board[suit]);
        }
        on_flop
    }

    fn add_plain(&mut self, hole: CardSet, flop: CardSet) {
        let mut pairs = [0; MAX_PAIRS];
        let count = different_pairs(hole, &mut pairs);
        let pairs = &pairs[..count];
        let best = |sum: u32| {
            let ranks = pairs.iter().map(|pair| SLOTS5.rank(pair + sum));
            ranks.min().unwrap_or(u16::MAX)
        };
        let flop: [u32; 3] = card_keys(flop);
        let all = flop[0] + flop[1] + flop[2];
        let alone = best(all);
        let with_one = RANK_KEYS.map(|key| {
            let with_two_of_flop = flop.map(|left_out| best(all - left_out + key));
            with_two_of_flop.into_iter().fold(alone, u16::min)
        });
        for first in 0..13 {
            for second in first..13 {
                let keys = RANK_KEYS[first] + RANK_KEYS[second];
                let with_one_of_flop = flop.map(|card| best(card + keys));
                let without = with_one[first].min(with_one[second]);
                let rank = with_one_of_flop.into_iter().fold(without, u16::min);
                self.plain[first][second] = rank;
                self.plain[second][first] = rank;
            }
        }
    }

    /// Adds the flushes of a suit with these ranks in the hand and on the flop.
    fn add_flushes(&mut self, suit: usize, in_hand: u16, on_flop: u16) {
        let in_hand: Vec<u16> = bits(in_hand).collect();
        let mut pairs = Vec::new();
        for (place, first) in in_hand.iter().enumerate() {
            pairs.extend(in_hand[..place].iter().map(|second| first | second));
        }
        if pairs.is_empty() || on_flop == 0 {
            return;
        }
        let best = |three: u16| {
            let ranks = pairs.iter().map(|pair| FLUSH[usize::from(pair | three)]);
            ranks.min().unwrap_or(u16::MAX)
        };
        let cards: Vec<u16> = bits(on_flop).collect();
        if cards.len() == 3 {
            self.flush = best(on_flop);
        }
        let taken = on_flop | in_hand.iter().fold(0, |all, card| all | card);
        let free: Vec<u16> = bits(0x1FFF & !taken).collect();
        let rank_of = |card: u16| card.trailing_zeros() as usize;
        for &card in &free {
            // Two cards of the flop: omit each of three once, or take both of two.
            let twos = cards.iter().map(|left_out| match cards.len() {
                3 => on_flop & !left_out,
                _ => on_flop,
            });
            let with_two_of_flop = twos
                .filter(|two| two.count_ones() == 2)
                .map(|two| best(two | card));
            let rank = with_two_of_flop.fold(self.flush, u16::min);
            self.with_one[13 * suit + rank_of(card)] = rank;
        }
        for (place, &first) in free.iter().enumerate() {
            for &second in &free[..place] {
                let [a, b] = [rank_of(first), rank_of(second)];
                let with_one_of_flop = cards.iter().map(|card| best(card | first | second));
                let without = self.with_one[13 * suit + a].min(self.with_one[13 * suit + b]);
                let rank = with_one_of_flop.fold(without, u16::min);
                self.with_two[suit][a][b] = rank;
                self.with_two[suit][b][a] = rank;
            }
        }
    }

    /// Writes the ranks with a turn card and each of several rivers, all given by their bits.
    pub(crate) fn ranks(&self, turn: usize, rivers: &[usize], ranks: &mut [u16]) {
        let plain = &self.plain[turn % 13];
        let flush = self.flush.min(self.with_one[turn]);
        let with_two = &self.with_two[turn / 13][turn % 13];
        for (rank, &river) in ranks.iter_mut().zip(rivers) {
            let same_suit = if river / 13 == turn / 13 {
                with_two[river % 13]
            } else {
                u16::MAX
            };
            *rank = plain[river % 13]
                .min(flush)
                .min(self.with_one[river])
                .min(same_suit);
        }
    }
}

/// Returns the bits of a mask, each as a mask of its own.
fn bits(mask: u16) -> impl Iterator<Item = u16> {
    (0..16)
        .map(|bit| 1 << bit)
        .filter(move |bit| mask & bit != 0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluate_omaha;

    /// Every turn and river of many hands, on flops of every pattern of suits and ranks.
    #[test]
    fn ranks_on_a_flop_are_those_of_the_whole_board() {
        let bit = |index: usize| CardSet(1 << index);
        let mut state = 1u64;
        for case in 0..120 {
            let size = 4 + case % 3;
            let mut dealt: Vec<usize> = Vec::new();
            while dealt.len() < size + 3 {
                state = state
                    .wrapping_mul(6_364_136_223_846_793_005)
                    .wrapping_add(1);
                // Every second case has cards of two suits only, for flushes.
                let cards = if case % 2 == 0 { 52 } else { 26 };
                let card = (state >> 33) as usize % cards;
                if !dealt.contains(&card) {
                    dealt.push(card);
                }
            }
            let join = |cards: &[usize]| cards.iter().fold(CardSet::EMPTY, |a, &c| a | bit(c));
            let (hole, flop) = (join(&dealt[..size]), join(&dealt[size..]));
            let on_flop = OnFlop::new(hole, flop);
            let left: Vec<usize> = (0..52).filter(|card| !dealt.contains(card)).collect();
            for (place, &turn) in left.iter().enumerate() {
                let rivers = &left[..place];
                let mut ranks = vec![0; rivers.len()];
                on_flop.ranks(turn, rivers, &mut ranks);
                for (&river, rank) in rivers.iter().zip(ranks) {
                    let board = flop | bit(turn) | bit(river);
                    assert_eq!(evaluate_omaha(hole, board).unwrap().0, rank);
                }
            }
        }
    }
}
