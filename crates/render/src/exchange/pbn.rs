//! Portable Bridge Notation in its strict export format.

use cards::Vulnerability;
use formats::pbn::{self, Labels, LineEnd};

use crate::{ProducedBoard, Renderer, Run};

/// Boards as PBN games, with tricks and par where they are known.
pub struct Pbn;

impl Renderer for Pbn {
    fn deal(&self, out: &mut Vec<u8>, run: &Run<'_>, board: &ProducedBoard<'_>) {
        if board.is_first() {
            pbn::write_header(out, LineEnd::CrLf);
        }
        let mut game = board.to_board(run);
        let title = String::from_utf8_lossy(&run.heading.title);
        let labels = Labels {
            event: title.as_bytes(),
            date: run.heading.date.as_bytes(),
            ..Labels::default()
        };
        game.par = game
            .tricks
            .map(|table| solver::par(&table, game.vulnerable.unwrap_or(Vulnerability::None)).score);
        let first = board.is_first();
        pbn::write_labelled(out, &game, &labels, &board.deal, first, LineEnd::CrLf);
    }
}
