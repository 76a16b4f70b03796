//! The tables of a run as comma-separated values: one row per cell, for spreadsheets and data frames.

use formats::{csv, number};
use session::interval::{CONFIDENCE, Interval};
use session::{AverageSums, Frequency, Frequency2, Scale, Table};

use crate::draw::{ContractCounts, Draw, draw};

/// The header row, with its line end. `low` and `high` are the 95 % interval: of the mean of an average, of the share
/// of deals in a cell. Fields that do not apply to a table are empty.
pub const HEADER: &str = "table,kind,row,column,count,mean,deviation,low,high\n";

/// Appends the rows of a table. Cells beyond the ends of a scale are called `low` and `high`. If `is_safe`, spreadsheets
/// find no formulas in the titles ([`csv::guarded`]).
///
/// ```
/// use session::{Job, NoDeals};
///
/// let script = "produce 4 action average \"points, north\" 10 + 0 * hcp(north), frequency \"sure\" (hcp(north) >= 0, 0, 1)";
/// let outcome = Job::new(script).seed(1).run(&mut NoDeals).unwrap();
/// let mut text = Vec::new();
/// outcome.tables.iter().for_each(|table| croupier_render::csv::table(&mut text, table, false));
/// let text = String::from_utf8(text).unwrap();
/// assert!(text.starts_with("\"points, north\",average,,,4,10,0,10,10\n"), "{text}");
/// assert!(text.contains("\nsure,frequency,1,,4,,,0."), "{text}");
/// ```
pub fn table(out: &mut Vec<u8>, table: &Table, is_safe: bool) {
    draw(table, &mut Rows(out, is_safe));
}

/// The buffer for the rows, and whether to escape formulas for spreadsheets.
struct Rows<'a>(&'a mut Vec<u8>, bool);

impl Rows<'_> {
    fn row(
        &mut self,
        table: &Table,
        kind: &str,
        cell: [&str; 2],
        count: u64,
        mean_and_deviation: [Option<f64>; 2],
        interval: Option<Interval>,
    ) {
        let title = table.title();
        match self.1 {
            true => csv::field(self.0, &csv::guarded(title.as_bytes())),
            false => csv::field(self.0, title.as_bytes()),
        }
        for text in [kind, cell[0], cell[1]] {
            self.0.push(b',');
            csv::field(self.0, text.as_bytes());
        }
        self.0.push(b',');
        number::integer(self.0, count as i64);
        let limits = [interval.map(|it| it.0), interval.map(|it| it.1)];
        for value in mean_and_deviation.into_iter().chain(limits) {
            self.0.push(b',');
            if let Some(value) = value {
                self.0.extend_from_slice(value.to_string().as_bytes());
            }
        }
        self.0.push(b'\n');
    }
}

/// Returns the cells of a scale with their names. The cells beyond its ends have no bucket.
fn cells(scale: &Scale) -> impl Iterator<Item = (usize, String)> {
    let last = scale.cells() - 1;
    (0..=last).map(move |cell| match cell {
        0 => (cell, "low".to_owned()),
        _ if cell == last => (cell, "high".to_owned()),
        _ => (cell, scale.name(cell - 1).to_string()),
    })
}

impl Draw for Rows<'_> {
    fn average(&mut self, table: &Table, _: &str, moments: &AverageSums) {
        self.row(
            table,
            "average",
            ["", ""],
            moments.count,
            [moments.mean(), moments.deviation()],
            table.mean_interval(CONFIDENCE),
        );
    }

    fn frequency(&mut self, table: &Table, _: &str, counts: &Frequency, _: bool) {
        let mut intervals = table.cell_intervals(CONFIDENCE);
        for (cell, name) in cells(&counts.scale) {
            let count = counts.cell(cell);
            // An empty cell beyond the ends is left out.
            if count > 0 || (name != "low" && name != "high") {
                let interval = intervals.cell(cell);
                self.row(table, "frequency", [&name, ""], count, [None; 2], interval);
            }
        }
    }

    fn grid(&mut self, table: &Table, _: [&str; 2], counts: &Frequency2, _: bool) {
        let mut intervals = table.cell_intervals(CONFIDENCE);
        for (row, row_name) in cells(&counts.rows) {
            for (column, column_name) in cells(&counts.columns) {
                let count = counts.cell(row, column);
                let beyond = [&row_name, &column_name].map(|name| name == "low" || name == "high");
                if count > 0 || beyond == [false, false] {
                    let interval = intervals.grid_cell(row, column);
                    let cell = [&*row_name, &*column_name];
                    self.row(table, "frequency2", cell, count, [None; 2], interval);
                }
            }
        }
    }

    fn contract(&mut self, table: &Table, results: &ContractCounts<'_>) {
        for (tricks, &deals) in results.tricks.iter().enumerate() {
            let interval = table.tricks_interval(|taken| taken == tricks, CONFIDENCE);
            let cell = [&*tricks.to_string(), ""];
            self.row(table, "contract", cell, deals, [None; 2], interval);
        }
    }
}
