//! JSON lines: an object a deal, and one for the tables and statistics of the run.

use std::io::{self, Write};

use formats::lines::decode_text;
use serde::Serialize;
use session::{Frequency, Frequency2, Moments, Origin, Outcome, Scale, Table};

use crate::draw::{ContractResults, Draw, draw};
use crate::{Ending, ProducedBoard, Renderer, Run};

/// Objects on lines of their own.
pub struct Json;

impl Renderer for Json {
    fn deal(&self, out: &mut Vec<u8>, run: &Run<'_>, board: &ProducedBoard<'_>) {
        let values = board.produced.all_values();
        formats::json::write(out, &board.to_board(run), &board.deal, values);
    }

    fn end(&self, out: &mut dyn Write, run: &Run<'_>, ending: &mut Ending<'_>) -> io::Result<()> {
        let title = decode_text(&run.heading.title);
        let generated = ending.generated(run);
        out.write_all(&outcome_line(&title, generated, ending.outcome))
    }
}

/// Tables and statistics as one object, with the end of its line.
fn outcome_line(title: &str, generated: i64, outcome: &Outcome) -> Vec<u8> {
    let mut line = b"{\"statistics\":".to_vec();
    append(&mut line, &Statistics::of(title, generated, outcome));
    line.extend_from_slice(b",\"tables\":");
    tables(&mut line, &outcome.tables);
    line.extend_from_slice(b"}\n");
    line
}

/// Appends tables as an array of objects, as the line at the end of a run has them.
pub fn tables(out: &mut Vec<u8>, tables: &[Table]) {
    out.push(b'[');
    for (index, table) in tables.iter().enumerate() {
        if index > 0 {
            out.push(b',');
        }
        draw(table, &mut Objects(out));
    }
    out.push(b']');
}

/// Appends a value. Ours are plain data, which JSON can always hold.
fn append(out: &mut Vec<u8>, value: &impl Serialize) {
    let from = out.len();
    if serde_json::to_writer(&mut *out, value).is_err() {
        out.truncate(from);
        out.extend_from_slice(b"null");
    }
}

#[derive(Serialize)]
struct Statistics<'a> {
    #[serde(skip_serializing_if = "str::is_empty")]
    title: &'a str,
    generated: i64,
    produced: u64,
    #[serde(flatten)]
    origin: OriginFields<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    seconds: Option<f64>,
}

#[derive(Serialize)]
#[serde(untagged)]
enum OriginFields<'a> {
    Number {
        seed: u64,
    },
    /// A key does not fit a number of JSON.
    Key {
        seed: &'a str,
    },
    Commitment {
        commitment: &'a str,
    },
    Library {
        records: u64,
        wraps: u64,
        start: u64,
    },
    Given {},
}

impl<'a> Statistics<'a> {
    fn of(title: &'a str, generated: i64, outcome: &'a Outcome) -> Self {
        let origin = match &outcome.origin {
            Origin::Seed(seed) => match seed.parse() {
                Ok(seed) => OriginFields::Number { seed },
                Err(_) => OriginFields::Key { seed },
            },
            Origin::Commitment(commitment) => OriginFields::Commitment { commitment },
            &Origin::Library {
                records,
                wraps,
                start,
            } => OriginFields::Library {
                records,
                wraps,
                start,
            },
            Origin::Given => OriginFields::Given {},
        };
        Statistics {
            title,
            generated,
            produced: outcome.produced,
            origin,
            seconds: outcome.seconds,
        }
    }
}

/// Draws tables as objects.
struct Objects<'a>(&'a mut Vec<u8>);

#[derive(Serialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
enum Object<'a> {
    Average {
        label: &'a str,
        value: &'a str,
        count: u64,
        mean: Option<f64>,
        variance: Option<f64>,
    },
    Frequency {
        label: &'a str,
        value: &'a str,
        low: i32,
        size: i32,
        below: u64,
        above: u64,
        counts: Vec<u64>,
    },
    Frequency2 {
        label: &'a str,
        rows: &'a str,
        columns: &'a str,
        row_low: i32,
        row_size: i32,
        column_low: i32,
        column_size: i32,
        counts: Vec<Vec<u64>>,
    },
    Contract {
        side: &'a str,
        contract: String,
        vulnerable: u8,
        tricks: &'a [u64; 14],
    },
}

impl Draw for Objects<'_> {
    fn average(&mut self, table: &Table, value: &str, moments: &Moments) {
        let object = Object::Average {
            label: label(table),
            value,
            count: moments.count,
            mean: moments.mean(),
            variance: moments.variance(),
        };
        append(self.0, &object);
    }

    fn frequency(&mut self, table: &Table, axis: &str, counts: &Frequency, _: bool) {
        let Scale { low, size, buckets } = counts.scale;
        let object = Object::Frequency {
            label: label(table),
            value: axis,
            low,
            size,
            below: counts.below(),
            above: counts.above(),
            counts: (0..buckets).map(|bucket| counts.count(bucket)).collect(),
        };
        append(self.0, &object);
    }

    fn grid(&mut self, table: &Table, axes: [&str; 2], grid: &Frequency2, _: bool) {
        let columns = grid.columns.cells();
        let row = |row: usize| (0..columns).map(|column| grid.cell(row, column)).collect();
        let object = Object::Frequency2 {
            label: label(table),
            rows: axes[0],
            columns: axes[1],
            row_low: grid.rows.low,
            row_size: grid.rows.size,
            column_low: grid.columns.low,
            column_size: grid.columns.size,
            counts: (0..grid.rows.cells()).map(row).collect(),
        };
        append(self.0, &object);
    }

    fn contract(&mut self, _: &Table, results: &ContractResults<'_>) {
        let object = Object::Contract {
            side: results.side.letters(),
            contract: results.contract.to_string(),
            vulnerable: u8::from(results.vulnerable),
            tricks: results.tricks,
        };
        append(self.0, &object);
    }
}

fn label(table: &Table) -> &str {
    table.label.as_deref().unwrap_or_default()
}
