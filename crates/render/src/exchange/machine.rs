//! The files of Duplimate dealing machines.

use formats::{dlm, duplimate};

use crate::{ProducedBoard, Renderer, Run};

/// Both parts of a record, with the numbers of the set.
pub struct Dup;

impl Renderer for Dup {
    fn deal(&self, out: &mut Vec<u8>, run: &Run<'_>, board: &ProducedBoard<'_>) {
        let [lowest, highest] = [
            run.heading.first_board,
            run.heading.last_board.max(board.number),
        ];
        duplimate::write_dup(
            out,
            &board.deal,
            lowest.max(1) as u64,
            highest.max(1) as u64,
        );
    }
}

/// Digits.
pub struct Bri;

impl Renderer for Bri {
    fn deal(&self, out: &mut Vec<u8>, _: &Run<'_>, board: &ProducedBoard<'_>) {
        duplimate::write_bri(out, &board.deal);
    }
}

/// Suits and ranks.
pub struct Dge;

impl Renderer for Dge {
    fn deal(&self, out: &mut Vec<u8>, _: &Run<'_>, board: &ProducedBoard<'_>) {
        duplimate::write_dge(out, &board.deal);
    }
}

/// The lines of a board; the caller puts the file around them when it knows the last number
/// ([`dlm::write_set`]).
pub struct Dlm;

impl Renderer for Dlm {
    fn deal(&self, out: &mut Vec<u8>, _: &Run<'_>, board: &ProducedBoard<'_>) {
        dlm::write_board(out, board.number.max(1) as u64, &board.deal);
    }
}
