//! Deals as comma-separated values.

use formats::csv;
use formats::lines::decode_text;

use crate::{ProducedBoard, Renderer, RunContext};

/// One row per deal, under a header row.
pub struct Csv;

impl Renderer for Csv {
    fn deal(&self, out: &mut Vec<u8>, run: &RunContext<'_>, board: &ProducedBoard<'_>) {
        if board.is_first() {
            out.extend_from_slice(csv::HEADER.as_bytes());
        }
        let mut row = board.to_board(run);
        if run.heading.csv_safe {
            let safe = |text: String| decode_text(&csv::guarded(text.as_bytes()));
            row.par_contracts = row.par_contracts.map(safe);
        }
        csv::write(out, &row, &board.deal);
    }
}
