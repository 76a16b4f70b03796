//! The hands of all ranges, ranked and sorted on a board.

use cards::CardSet;

use crate::rows::Rows;
use crate::{HandRank, Rules, evaluate7_batch};

/// Hands of two cards and buffers for sorting them. Each thread has one.
pub(super) struct SortedHands {
    all: Vec<CardSet>,
    rules: Rules,
    live: Vec<u32>,
    hands: Vec<CardSet>,
    ranks: Vec<HandRank>,
    order: Vec<u32>,
    scratch: Vec<u32>,
}

/// Returns the place of a sorted hand in the list of all hands.
pub(super) fn place(key: u32) -> usize {
    (key & 0xFFFF) as usize
}

/// Returns a number that is larger for a better hand and equal for hands of equal rank.
pub(super) fn strength(key: u32) -> u32 {
    key >> 16
}

impl SortedHands {
    /// Prepares the hands, at most 65,536 different ones.
    pub(super) fn new(rules: Rules, all: Vec<CardSet>) -> SortedHands {
        SortedHands {
            rules,
            live: Vec::with_capacity(all.len()),
            hands: Vec::with_capacity(all.len()),
            ranks: Vec::new(),
            order: Vec::new(),
            scratch: Vec::new(),
            all,
        }
    }

    /// Returns the hands without a card of the board, the worst first, as keys: see [`place`] and [`strength`].
    pub(super) fn on_board(&mut self, board: CardSet) -> &[u32] {
        self.rank_hands(board);
        self.sort();
        &self.order
    }

    fn rank_hands(&mut self, board: CardSet) {
        self.live.clear();
        self.hands.clear();
        for (index, &hand) in self.all.iter().enumerate() {
            if hand.is_disjoint(board) {
                self.live.push(index as u32);
                self.hands.push(hand | board);
            }
        }
        self.ranks.resize(self.hands.len(), HandRank::default());
        if self.rules == Rules::Standard {
            evaluate7_batch(&self.hands, &mut self.ranks);
        } else {
            let rows = Rows::of(self.rules);
            for (rank, hand) in self.ranks.iter_mut().zip(&self.hands) {
                *rank = HandRank(rows.evaluate(hand.0));
            }
        }
    }

    /// Sorts the live hands by rank, worst first: a radix sort of seven and six bits.
    fn sort(&mut self) {
        let reversed = |rank: HandRank| u32::from(0x1FFF - rank.0);
        self.order.clear();
        let pairs = self.live.iter().zip(&self.ranks);
        self.order
            .extend(pairs.map(|(&index, &rank)| reversed(rank) << 16 | index));
        self.scratch.resize(self.order.len(), 0);
        counting_pass(&self.order, &mut self.scratch, 16, 0x7F);
        counting_pass(&self.scratch, &mut self.order, 23, 0x3F);
    }
}

fn counting_pass(from: &[u32], to: &mut [u32], shift: u32, mask: u32) {
    let mut starts = [0u32; 129];
    for &key in from {
        starts[(key >> shift & mask) as usize + 1] += 1;
    }
    for bucket in 1..starts.len() {
        starts[bucket] += starts[bucket - 1];
    }
    for &key in from {
        let start = &mut starts[(key >> shift & mask) as usize];
        to[*start as usize] = key;
        *start += 1;
    }
}
