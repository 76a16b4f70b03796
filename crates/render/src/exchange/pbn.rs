//! Portable Bridge Notation in its strict export format.

use formats::pbn::{self, Labels, LineEnd};

use crate::board::Promise;
use crate::{ProducedBoard, Renderer, RunContext};

/// Boards as PBN games, with tricks and par where they are known.
pub struct Pbn;

impl Renderer for Pbn {
    fn deal(&self, out: &mut Vec<u8>, run: &RunContext<'_>, board: &ProducedBoard<'_>) {
        if board.is_first() {
            pbn::write_header(out, LineEnd::CrLf);
            run.heading
                .promise
                .iter()
                .for_each(|promise| embed(out, promise));
        }
        let game = board.to_board(run);
        let title = String::from_utf8_lossy(&run.heading.title);
        // Tags from the board's own file take precedence over those of the run.
        let labels = match (&game.names, &run.heading.given) {
            (Some(names), _) => Labels::from(&**names),
            (None, Some(_)) => Labels::default(),
            (None, None) => Labels {
                event: title.as_bytes(),
                date: run.heading.date.as_bytes(),
                ..Labels::default()
            },
        };
        let first = board.is_first();
        pbn::write_labelled(out, &game, &labels, &board.deal, first, LineEnd::CrLf);
    }
}

/// Maximum bytes of script on a line; PBN allows 255 with the keyword before them.
const PIECE: usize = 240;

/// Writes the terms and the script that chose the deals in lines that readers of PBN skip, for verification.
fn embed(out: &mut Vec<u8>, promise: &Promise) {
    let mut line = |word: &str, text: &[u8]| {
        out.extend_from_slice(word.as_bytes());
        out.extend_from_slice(text);
        out.extend_from_slice(b"\r\n");
    };
    for term in promise.terms.lines() {
        line("%tournament ", term.as_bytes());
    }
    if let Some(value) = &promise.beacon_value {
        line("%beacon ", value.trim().as_bytes());
    }
    for (number, text) in &promise.parameters {
        line("%parameter ", format!("{number}={text}").as_bytes());
    }
    if let Some(level) = &promise.level {
        let order = if level.even { "even" } else { "shuffled" };
        let text = format!("{} {order} {}", level.numbers.len(), level.shares);
        line("%level ", text.trim_end().as_bytes());
    }
    // An empty script is written too: it shows that every deal of the key must be on a board.
    if promise.script.trim_ascii().is_empty() {
        line("%script ", b"");
        return;
    }
    for text in promise.script.split(|&byte| byte == b'\n') {
        let text = text.strip_suffix(b"\r").unwrap_or(text);
        let mut pieces = text.chunks(PIECE);
        line("%script ", pieces.next().unwrap_or_default());
        pieces.for_each(|piece| line("%script+ ", piece));
    }
}
