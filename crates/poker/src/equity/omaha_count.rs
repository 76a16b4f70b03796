//! Exact counts for known Omaha hands: on a flop by turn and river, else by board.

use cards::CardSet;

use super::MAX_PLAYERS;
use super::fixed::winners;
use crate::games::{BoardCards, HoleCards, OnFlop};

/// Known Omaha hands and the cards that can still be dealt.
pub(super) struct OmahaSpot<'a> {
    hands: &'a [CardSet],
    holes: [HoleCards; MAX_PLAYERS],
    board: CardSet,
    left: CardSet,
}

impl OmahaSpot<'_> {
    pub(super) fn new(hands: &[CardSet], board: CardSet, left: CardSet) -> OmahaSpot<'_> {
        let mut holes = [HoleCards::new(CardSet::EMPTY); MAX_PLAYERS];
        for (hole, &hand) in holes.iter_mut().zip(hands) {
            *hole = HoleCards::new(hand);
        }
        OmahaSpot {
            hands,
            holes,
            board,
            left,
        }
    }

    /// Returns the number of parts into which the boards are divided: one for each first card, or only one if all are
    /// fast.
    pub(super) fn parts(board: CardSet, left: usize) -> usize {
        match board.len() {
            3 | 5 => 1,
            _ => left,
        }
    }

    /// Adds to `wins`, by winner set, the boards of one part.
    pub(super) fn count(&self, part: usize, wins: &mut [u64]) {
        match self.board.len() {
            5 => return self.score(self.board, wins),
            3 => return self.count_on_flop(wins),
            _ => {}
        }
        let mut later = self.left;
        for (number, card) in self.left.iter().enumerate() {
            later.remove(card);
            if number == part {
                let missing = 4 - self.board.len();
                self.extend(self.board | CardSet::of(card), later, missing, wins);
            }
        }
    }

    /// Counts all turns and rivers.
    fn count_on_flop(&self, wins: &mut [u64]) {
        let on_flop = self.hands.iter().map(|&hand| OnFlop::new(hand, self.board));
        let on_flop: Vec<OnFlop> = on_flop.collect();
        let left: Vec<usize> = (0..52).filter(|bit| self.left.0 >> bit & 1 == 1).collect();
        let mut columns = vec![[0u16; 52]; self.hands.len()];
        for (place, &turn) in left.iter().enumerate() {
            let rivers = &left[..place];
            for (on_flop, column) in on_flop.iter().zip(&mut columns) {
                on_flop.ranks(turn, rivers, column);
            }
            if let [first, second] = &columns[..] {
                for (a, b) in first.iter().zip(second).take(place) {
                    wins[1 + usize::from(b <= a) + usize::from(b == a)] += 1;
                }
                continue;
            }
            for river in 0..place {
                let mut ranks = [0; MAX_PLAYERS];
                for (rank, column) in ranks.iter_mut().zip(&columns) {
                    *rank = column[river] as i16;
                }
                wins[winners(&ranks[..self.hands.len()])] += 1;
            }
        }
    }

    fn extend(&self, board: CardSet, left: CardSet, missing: usize, wins: &mut [u64]) {
        if missing == 0 {
            self.score(board, wins);
            return;
        }
        let mut later = left;
        for card in left {
            later.remove(card);
            self.extend(board | CardSet::of(card), later, missing - 1, wins);
        }
    }

    fn score(&self, board: CardSet, wins: &mut [u64]) {
        let board = BoardCards::new(board);
        let mut ranks = [0; MAX_PLAYERS];
        for (rank, hole) in ranks.iter_mut().zip(&self.holes[..self.hands.len()]) {
            *rank = hole.rank(&board) as i16;
        }
        wins[winners(&ranks[..self.hands.len()])] += 1;
    }
}
