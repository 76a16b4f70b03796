//! The tables of a run as one SVG drawing, for papers and slides.

use std::fmt::Write as _;

use session::interval::CONFIDENCE;
use session::{AverageSums, Frequency, Frequency2, Table};

use crate::draw::{ContractCounts, Draw, draw};
use crate::html::chart;
use crate::html::escape;
use crate::html::table::{Digits, Row, bars, cell_names, frequency_rows, trick_rows};

/// Width of the drawing, with its margins.
const WIDTH: f64 = chart::WIDTH + 2.0 * MARGIN;
const MARGIN: f64 = 16.0;
/// Height of a line of text.
const LINE: f64 = 20.0;
/// Maximum size of a cell of a grid.
const CELL: (f64, f64) = (46.0, 22.0);
/// Maximum number of cells on a side; more would be unreadable.
const MOST_CELLS: usize = 60;

const STYLE: &str = "text{font-family:'DejaVu Sans',Arial,sans-serif;font-size:12px;fill:#1c2430}\
.title{font-size:15px;font-weight:bold}.tick,.faint{fill:#5d6878}.chart rect{fill:#3b7dd8}\
.grid{stroke:#d8dde5;fill:none}.axis{stroke:#1c2430;fill:none}.whisker{stroke:#1c2430;stroke-width:1.2;fill:none;opacity:.8}\
.sum{font-weight:bold}";

/// Draws all tables below each other: averages as text with their intervals, frequencies and contracts as bars with
/// error bars, tables of two expressions as heat maps with their totals.
///
/// ```
/// use session::{Job, NoDeals};
///
/// let script = "produce 40 action average \"points\" hcp(north), frequency \"spades\" (spades(north), 0, 13)";
/// let outcome = Job::new(script).seed(1).run(&mut NoDeals).unwrap();
/// let svg = croupier_render::svg::tables(&outcome.tables);
/// assert!(svg.starts_with("<svg ") && svg.contains("points: ") && svg.contains("Bar chart of spades"));
/// ```
#[must_use]
pub fn tables(tables: &[Table]) -> String {
    let mut drawing = Drawing {
        out: String::new(),
        y: MARGIN,
    };
    for table in tables {
        draw(table, &mut drawing);
    }
    let height = drawing.y + MARGIN;
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{WIDTH}\" height=\"{height}\" viewBox=\"0 0 {WIDTH} {height}\">\n\
         <style>{STYLE}</style>\n<rect width=\"100%\" height=\"100%\" style=\"fill:#fff\"/>\n{}</svg>\n",
        drawing.out
    )
}

struct Drawing {
    out: String,
    y: f64,
}

impl Drawing {
    fn line(&mut self, class: &str, text: &str) {
        self.y += LINE;
        let _ = writeln!(
            self.out,
            "<text class=\"{class}\" x=\"{MARGIN}\" y=\"{}\">{}</text>",
            self.y - 5.0,
            escape(text)
        );
    }

    /// Draws counts as bars.
    fn bars(&mut self, title: &str, axis: &str, rows: &[Row]) {
        let total: u64 = rows.iter().map(|row| row.count).sum();
        let bars = bars(rows);
        self.line("title", title);
        let chart = chart::bars(title, axis, &bars);
        if chart.is_empty() {
            self.line("faint", "nothing to draw");
            return;
        }
        let place = format!(
            "<svg x=\"{MARGIN}\" y=\"{}\" width=\"{}\" height=\"{}\" class=\"chart\"",
            self.y,
            chart::WIDTH,
            chart::HEIGHT
        );
        self.out
            .push_str(&chart.replacen("<svg class=\"chart\"", &place, 1));
        self.y += chart::HEIGHT;
        self.line("faint", &format!("{total} deals"));
        self.y += LINE / 2.0;
    }

    fn cell(&mut self, class: &str, (x, y): (f64, f64), text: &str) {
        let _ = writeln!(
            self.out,
            "<text class=\"{class}\" x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"middle\">{}</text>",
            escape(text)
        );
    }
}

/// Returns the cells of a scale that are shown: all within it, and the non-empty ones beyond its ends.
fn shown(names: &[String], sum: impl Fn(usize) -> u64) -> Vec<usize> {
    (0..names.len())
        .filter(|&cell| sum(cell) > 0 || (cell != 0 && cell + 1 != names.len()))
        .collect()
}

impl Draw for Drawing {
    fn average(&mut self, table: &Table, _: &str, moments: &AverageSums) {
        let interval = table.mean_interval(CONFIDENCE);
        let digits = Digits::default();
        let decimals = digits.decimals(interval);
        let mean = moments
            .mean()
            .map_or("–".to_owned(), |mean| format!("{mean:.decimals$}"));
        let interval = interval.map_or(String::new(), |_| {
            format!(" (95 % interval {})", digits.limits(interval, 1.0, ""))
        });
        let text = format!(
            "{}: {mean}{interval}, {} deals",
            table.title(),
            moments.count
        );
        self.line("average", &text);
    }

    fn frequency(&mut self, table: &Table, axis: &str, counts: &Frequency, _: bool) {
        let rows = frequency_rows(table, counts);
        self.bars(&table.title(), axis, &rows);
    }

    fn grid(&mut self, table: &Table, axes: [&str; 2], grid: &Frequency2, _: bool) {
        self.line("title", &table.title());
        let names = [cell_names(&grid.rows), cell_names(&grid.columns)];
        let row_sum = |r: usize| (0..names[1].len()).map(|c| grid.cell(r, c)).sum::<u64>();
        let column_sum = |c: usize| (0..names[0].len()).map(|r| grid.cell(r, c)).sum::<u64>();
        let (rows, columns) = (shown(&names[0], row_sum), shown(&names[1], column_sum));
        if rows.len().max(columns.len()) > MOST_CELLS {
            let text = "too many cells for a drawing; CSV and JSON have them";
            return self.line("faint", text);
        }
        self.line("faint", &format!("rows: {}, columns: {}", axes[0], axes[1]));
        let width = (chart::WIDTH / (columns.len() + 2) as f64).min(CELL.0);
        let most = rows
            .iter()
            .flat_map(|&r| columns.iter().map(move |&c| grid.cell(r, c)))
            .max()
            .unwrap_or(0)
            .max(1);
        let x = |place: usize| MARGIN + (place as f64 + 0.5) * width;
        let total = columns.len() + 1;
        self.y += CELL.1;
        let y = self.y - 7.0;
        for (place, &c) in columns.iter().enumerate() {
            self.cell("tick", (x(place + 1), y), &names[1][c]);
        }
        self.cell("tick", (x(total), y), "total");
        for &r in &rows {
            let y = self.y;
            self.y += CELL.1;
            self.cell("tick", (x(0), self.y - 7.0), &names[0][r]);
            for (place, &c) in columns.iter().enumerate() {
                let count = grid.cell(r, c);
                // The square root keeps small counts visible beside large ones.
                let heat = 0.85 * (count as f64 / most as f64).sqrt();
                let _ = writeln!(
                    self.out,
                    "<rect x=\"{:.1}\" y=\"{y:.1}\" width=\"{:.1}\" height=\"{:.1}\" style=\"fill:#3b7dd8;fill-opacity:{heat:.3}\"/>",
                    x(place + 1) - width / 2.0,
                    width - 1.0,
                    CELL.1 - 1.0,
                );
                self.cell("", (x(place + 1), self.y - 7.0), &count.to_string());
            }
            self.cell("sum", (x(total), self.y - 7.0), &row_sum(r).to_string());
        }
        self.y += CELL.1;
        let y = self.y - 7.0;
        self.cell("tick", (x(0), y), "total");
        for (place, &c) in columns.iter().enumerate() {
            self.cell("sum", (x(place + 1), y), &column_sum(c).to_string());
        }
        self.cell("sum", (x(total), y), &grid.total().to_string());
        self.y += LINE;
    }

    fn contract(&mut self, table: &Table, results: &ContractCounts<'_>) {
        let rows = trick_rows(table, results, 0..=13);
        self.bars(&table.title(), "tricks", &rows);
    }
}
