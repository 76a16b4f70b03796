//! Information about given deals from their files, by deal number.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use formats::Board;

/// The boards of given deals that the run has read so far.
#[derive(Debug, Default)]
pub struct GivenBoards(Mutex<HashMap<u64, Box<Board>>>);

impl GivenBoards {
    /// Stores the information about the deal with this number, from 0.
    pub fn keep(&self, index: u64, board: Board) {
        let mut boards = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        boards.insert(index, Box::new(board));
    }

    /// Returns the information about deal number `index`.
    #[must_use]
    pub fn get(&self, index: u64) -> Option<Board> {
        let boards = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        boards.get(&index).map(|board| Board::clone(board))
    }
}
