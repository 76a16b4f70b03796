//! A run as a page for the browser.

use std::io::{self, Write};

use formats::lines::decode_text;
use formats::number::grouped;
use session::{Origin, TableData};

use super::{Page, averages_html, board_card_html, escape, table_html};
use crate::classic::statistics::TURNED;
use crate::{Ending, ProducedBoard, Renderer, RunContext};

/// Boards, tables and statistics as a page.
#[derive(Clone, Copy, Debug)]
pub struct HtmlReport {
    /// Maximum number of boards shown.
    pub boards: u64,
}

impl Renderer for HtmlReport {
    fn needs_deals(&self, _: &RunContext<'_>) -> bool {
        self.boards > 0
    }

    fn begin(&self, out: &mut dyn Write, run: &RunContext<'_>) -> io::Result<()> {
        let title = decode_text(&run.heading.title);
        let title = if title.is_empty() { "Deals" } else { &title };
        out.write_all(Page::head(title).as_bytes())
    }

    fn deal(&self, out: &mut Vec<u8>, run: &RunContext<'_>, board: &ProducedBoard<'_>) {
        if board.produced.ordinal > self.boards {
            return;
        }
        if board.is_first() {
            out.extend_from_slice(b"<div class=\"boards\">\n");
        }
        out.extend_from_slice(board_card_html(&board.to_board(run)).as_bytes());
    }

    fn end(
        &self,
        out: &mut dyn Write,
        run: &RunContext<'_>,
        ending: &mut Ending<'_>,
    ) -> io::Result<()> {
        let outcome = ending.outcome;
        let shown = self.boards.min(outcome.produced);
        if shown > 0 {
            out.write_all(b"</div>\n")?;
        }
        if shown > 0 && shown < outcome.produced {
            let (some, all) = (grouped(shown.into()), grouped(outcome.produced.into()));
            writeln!(out, "<p>The first {some} of {all} produced deals.</p>")?;
        }
        let digits = run.heading.digits;
        out.write_all(averages_html(&outcome.tables, digits).as_bytes())?;
        for table in &outcome.tables {
            if !matches!(table.data, TableData::Average { .. }) {
                out.write_all(table_html(table, digits).as_bytes())?;
            }
        }
        out.write_all(facts(run, ending).as_bytes())?;
        out.write_all(Page::FOOT.as_bytes())
    }
}

/// Formats the statistics of the run.
fn facts(run: &RunContext<'_>, ending: &Ending<'_>) -> String {
    let outcome = ending.outcome;
    let mut rows = vec![
        ("Produced", grouped(outcome.produced.into())),
        ("Generated", grouped(ending.generated(run).max(0) as u128)),
    ];
    match &outcome.origin {
        Origin::Seed(seed) => rows.push(("Seed", seed.clone())),
        Origin::Commitment(hash) => rows.push(("Commitment SHA-256", hash.clone())),
        Origin::Library { records, .. } => {
            rows.push(("Deals of the library", grouped(u128::from(*records))));
        }
        Origin::Given => {}
    }
    if !run.heading.date.is_empty() {
        rows.push(("Date", run.heading.date.replace('.', "-")));
    }
    if let Some(seconds) = outcome.seconds {
        rows.push(("Time", format!("{seconds:.3} s")));
    }
    let rows: String = rows
        .iter()
        .map(|(name, value)| format!("<dt>{name}</dt><dd>{}</dd>", escape(value)))
        .collect();
    let turned = match run.heading.rotate_from {
        Some(_) => format!("<p class=\"faint\">{}.</p>\n", escape(TURNED)),
        None => String::new(),
    };
    let mut text = format!("<section><h2>The run</h2>\n<dl>{rows}</dl>\n{turned}");
    if !outcome.tables.is_empty() {
        text.push_str("<p class=\"faint\">Intervals hold the true value 95 times in 100");
        if outcome.tables.iter().any(|table| table.clusters.is_some()) {
            text.push_str("; the deals come in groups by exchanging hands, which they allow for");
        }
        text.push_str(". A dash stands where the deals say nothing.</p>\n");
    }
    text + "</section>\n"
}
