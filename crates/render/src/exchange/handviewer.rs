//! Links to the hand viewer of Bridge Base Online.

use formats::handviewer;

use crate::{ProducedBoard, Renderer, RunContext};

/// A link to the hand viewer of Bridge Base Online for each board, one on a line.
pub struct Handviewer;

impl Renderer for Handviewer {
    fn deal(&self, out: &mut Vec<u8>, run: &RunContext<'_>, board: &ProducedBoard<'_>) {
        handviewer::write(out, &board.to_board(run), &board.deal);
    }
}
