//! Portable Bridge Notation in its strict export format.

use cards::Vulnerability;
use formats::pbn::{self, LineEnd};

use crate::{ProducedBoard, Renderer, Run};

/// Boards as PBN games, with tricks and par where they are known.
pub struct Pbn;

impl Renderer for Pbn {
    fn deal(&self, out: &mut Vec<u8>, run: &Run<'_>, board: &ProducedBoard<'_>) {
        if board.is_first() {
            pbn::write_header(out, LineEnd::CrLf);
        }
        let mut game = board.to_board(run);
        let names = formats::Names {
            event: String::from_utf8_lossy(&run.heading.title).into_owned(),
            date: run.heading.date.clone(),
            ..formats::Names::default()
        };
        game.names = Some(Box::new(names));
        game.par = game
            .tricks
            .map(|table| solver::par(&table, game.vulnerable.unwrap_or(Vulnerability::None)).score);
        pbn::write(out, &game, &board.deal, board.is_first(), LineEnd::CrLf);
    }
}
