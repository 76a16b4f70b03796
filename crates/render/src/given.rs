//! What files said about the deals that a run was given, by their numbers in the run.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use formats::Board;

/// The boards of the deals that were given, as far as the run has read them.
#[derive(Debug, Default)]
pub struct GivenBoards(Mutex<HashMap<u64, Box<Board>>>);

impl GivenBoards {
    /// Keeps what is said about the deal with this number, from 0.
    pub fn keep(&self, index: u64, board: Board) {
        let mut boards = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        boards.insert(index, Box::new(board));
    }

    /// What was said about the deal with this number.
    #[must_use]
    pub fn get(&self, index: u64) -> Option<Board> {
        let boards = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        boards.get(&index).map(|board| Board::clone(board))
    }
}
