//! The tables of a run as comma-separated values: one row a cell, for spreadsheets and data frames.

use formats::{csv, number};
use session::{Frequency, Frequency2, Moments, Scale, Table};

use crate::draw::{ContractResults, Draw, draw};

/// The header row, with its line end. What does not apply to a table stays empty.
pub const HEADER: &str = "table,kind,row,column,count,mean,deviation\n";

/// Appends the rows of a table. Cells beyond the ends of a scale are called `low` and `high`.
///
/// ```
/// use session::{Job, NoDeals};
///
/// let script = "produce 4 action average \"points, north\" 10 + 0 * hcp(north), frequency \"sure\" (hcp(north) >= 0, 0, 1)";
/// let outcome = Job::new(script).seed(1).run(&mut NoDeals).unwrap();
/// let mut text = Vec::new();
/// outcome.tables.iter().for_each(|table| render::csv::table(&mut text, table));
/// let text = String::from_utf8(text).unwrap();
/// assert!(text.starts_with("\"points, north\",average,,,4,10,0\n"), "{text}");
/// assert!(text.ends_with("sure,frequency,0,,0,,\nsure,frequency,1,,4,,\n"), "{text}");
/// ```
pub fn table(out: &mut Vec<u8>, table: &Table) {
    draw(table, &mut Rows(out));
}

struct Rows<'a>(&'a mut Vec<u8>);

impl Rows<'_> {
    fn row(&mut self, table: &Table, kind: &str, cell: [&str; 2], count: u64, more: [&str; 2]) {
        csv::field(self.0, table.title().as_bytes());
        for text in [kind, cell[0], cell[1]] {
            self.0.push(b',');
            csv::field(self.0, text.as_bytes());
        }
        self.0.push(b',');
        number::integer(self.0, count as i64);
        for text in more {
            self.0.push(b',');
            self.0.extend_from_slice(text.as_bytes());
        }
        self.0.push(b'\n');
    }
}

/// The cells of a scale with their names. Those beyond its ends have no place in the scale itself.
fn cells(scale: &Scale) -> impl Iterator<Item = (usize, String)> {
    let last = scale.cells() - 1;
    (0..=last).map(move |cell| match cell {
        0 => (cell, "low".to_owned()),
        _ if cell == last => (cell, "high".to_owned()),
        _ => (cell, scale.name(cell - 1).to_string()),
    })
}

impl Draw for Rows<'_> {
    fn average(&mut self, table: &Table, _: &str, moments: &Moments) {
        let text = |value: Option<f64>| value.map_or(String::new(), |value| value.to_string());
        let (mean, deviation) = (text(moments.mean()), text(moments.deviation()));
        self.row(
            table,
            "average",
            ["", ""],
            moments.count,
            [&mean, &deviation],
        );
    }

    fn frequency(&mut self, table: &Table, _: &str, counts: &Frequency, _: bool) {
        for (cell, name) in cells(&counts.scale) {
            let count = match cell {
                0 => counts.below(),
                cell if cell > counts.scale.buckets => counts.above(),
                cell => counts.count(cell - 1),
            };
            // Nothing beyond the ends is nothing to tell.
            if count > 0 || (name != "low" && name != "high") {
                self.row(table, "frequency", [&name, ""], count, ["", ""]);
            }
        }
    }

    fn grid(&mut self, table: &Table, _: [&str; 2], counts: &Frequency2, _: bool) {
        for (row, row_name) in cells(&counts.rows) {
            for (column, column_name) in cells(&counts.columns) {
                let count = counts.cell(row, column);
                let beyond = [&row_name, &column_name].map(|name| name == "low" || name == "high");
                if count > 0 || beyond == [false, false] {
                    self.row(
                        table,
                        "frequency2",
                        [&row_name, &column_name],
                        count,
                        ["", ""],
                    );
                }
            }
        }
    }

    fn contract(&mut self, table: &Table, results: &ContractResults<'_>) {
        for (tricks, &deals) in results.tricks.iter().enumerate() {
            self.row(
                table,
                "contract",
                [&tricks.to_string(), ""],
                deals,
                ["", ""],
            );
        }
    }
}
