//! The files of Duplimate dealing machines.

use formats::{dlm, duplimate};

use crate::{ProducedBoard, Renderer, RunContext};

/// DUP: both parts of a record, with the numbers of the set.
pub struct Dup;

impl Renderer for Dup {
    fn deal(&self, out: &mut Vec<u8>, run: &RunContext<'_>, board: &ProducedBoard<'_>) {
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

/// BRI: the cards as digits.
pub struct Bri;

impl Renderer for Bri {
    fn deal(&self, out: &mut Vec<u8>, _: &RunContext<'_>, board: &ProducedBoard<'_>) {
        duplimate::write_bri(out, &board.deal);
    }
}

/// DGE: the cards as suits and ranks.
pub struct Dge;

impl Renderer for Dge {
    fn deal(&self, out: &mut Vec<u8>, _: &RunContext<'_>, board: &ProducedBoard<'_>) {
        duplimate::write_dge(out, &board.deal);
    }
}

/// DLM: the lines of a board. [`dlm::write_set`] writes the file around them when the number of the last board is
/// known.
pub struct Dlm;

impl Renderer for Dlm {
    fn deal(&self, out: &mut Vec<u8>, _: &RunContext<'_>, board: &ProducedBoard<'_>) {
        dlm::write_board(out, board.number.max(1) as u64, &board.deal);
    }
}
