//! Deals as comma-separated values.

use formats::csv;

use crate::{ProducedBoard, Renderer, Run};

/// A row a deal, under a header row.
pub struct Csv;

impl Renderer for Csv {
    fn deal(&self, out: &mut Vec<u8>, run: &Run<'_>, board: &ProducedBoard<'_>) {
        if board.is_first() {
            out.extend_from_slice(csv::HEADER.as_bytes());
        }
        csv::write(out, &board.to_board(run), &board.deal);
    }
}
