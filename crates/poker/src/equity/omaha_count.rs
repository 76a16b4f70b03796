//! Exact counts for known Omaha hands, board by board.

use cards::CardSet;

use super::MAX_PLAYERS;
use super::fixed::winners;
use crate::games::{BoardCards, HoleCards};

/// Known Omaha hands and the cards that can still come.
pub(super) struct OmahaSpot {
    players: usize,
    holes: [HoleCards; MAX_PLAYERS],
    board: CardSet,
    left: CardSet,
}

impl OmahaSpot {
    pub(super) fn new(hands: &[CardSet], board: CardSet, left: CardSet) -> OmahaSpot {
        let mut holes = [HoleCards::new(CardSet::EMPTY); MAX_PLAYERS];
        for (hole, &hand) in holes.iter_mut().zip(hands) {
            *hole = HoleCards::new(hand);
        }
        OmahaSpot {
            players: hands.len(),
            holes,
            board,
            left,
        }
    }

    /// Into how many parts the boards are divided: one for each first card.
    pub(super) fn parts(board: CardSet, left: usize) -> usize {
        if board.len() == 5 { 1 } else { left }
    }

    /// Adds to `wins`, by winner set, the boards of one part.
    pub(super) fn count(&self, part: usize, wins: &mut [u64]) {
        if self.board.len() == 5 {
            self.score(self.board, wins);
            return;
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
        for (rank, hole) in ranks.iter_mut().zip(&self.holes[..self.players]) {
            *rank = hole.rank(&board) as i16;
        }
        wins[winners(&ranks[..self.players])] += 1;
    }
}
