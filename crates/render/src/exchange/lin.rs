//! Bridge Base Online's LIN, one board a line.

use cards::BySeat;
use formats::lin;

use crate::{ProducedBoard, Renderer, Run};

/// Boards as lines of LIN.
pub struct Lin;

impl Renderer for Lin {
    fn deal(&self, out: &mut Vec<u8>, run: &Run<'_>, board: &ProducedBoard<'_>) {
        let mut line = board.to_board(run);
        // The hand viewer and some readers want names before every board.
        let names = formats::Names {
            players: BySeat(["North", "East", "South", "West"].map(String::from)),
            ..formats::Names::default()
        };
        line.names = Some(Box::new(names));
        lin::write(out, &line);
    }
}
