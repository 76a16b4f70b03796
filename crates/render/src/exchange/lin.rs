//! Bridge Base Online's LIN, one board per line.

use formats::lin;

use crate::{ProducedBoard, Renderer, RunContext};

/// Boards as lines of LIN.
pub struct Lin;

impl Renderer for Lin {
    fn deal(&self, out: &mut Vec<u8>, run: &RunContext<'_>, board: &ProducedBoard<'_>) {
        // The hand viewer and some readers require names before every board.
        let players = Some("South,West,North,East");
        lin::write_deal(out, &board.to_board(run), &board.deal, players);
    }
}
