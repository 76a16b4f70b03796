//! JSON lines: one object per deal, and one for the tables and statistics of the run.

use std::io::{self, Write};

use formats::lines::decode_text;
use serde::ser::SerializeSeq;
use serde::{Serialize, Serializer};
use session::interval::{CONFIDENCE, Interval};
use session::{AverageSums, Frequency, Frequency2, Origin, Outcome, Scale, Table};

use crate::draw::{ContractCounts, Draw, draw};
use crate::{Ending, ProducedBoard, Renderer, RunContext};

/// Objects on lines of their own.
pub struct Json;

impl Renderer for Json {
    fn deal(&self, out: &mut Vec<u8>, run: &RunContext<'_>, board: &ProducedBoard<'_>) {
        let values = board.produced.all_values();
        formats::json::write(out, &board.to_board(run), &board.deal, values);
    }

    fn end(
        &self,
        out: &mut dyn Write,
        run: &RunContext<'_>,
        ending: &mut Ending<'_>,
    ) -> io::Result<()> {
        let title = decode_text(&run.heading.title);
        let generated = ending.generated(run);
        out.write_all(&outcome_line(&title, generated, ending.outcome))
    }
}

/// Formats tables and statistics as one object with a line end.
fn outcome_line(title: &str, generated: i64, outcome: &Outcome) -> Vec<u8> {
    #[derive(Serialize)]
    struct Line<'a> {
        statistics: Statistics<'a>,
        tables: Tables<'a>,
    }
    line(&Line {
        statistics: Statistics::of(title, generated, outcome),
        tables: Tables(&outcome.tables),
    })
}

/// Formats the number of deals and the tables of a run as one object with a line end.
#[must_use]
pub fn tables(outcome: &Outcome) -> Vec<u8> {
    #[derive(Serialize)]
    struct File<'a> {
        produced: u64,
        generated: u64,
        tables: Tables<'a>,
    }
    line(&File {
        produced: outcome.produced,
        generated: outcome.generated,
        tables: Tables(&outcome.tables),
    })
}

/// Writes a value on a line. All values are plain data, so serialisation cannot fail.
fn line(value: &impl Serialize) -> Vec<u8> {
    let mut line = serde_json::to_vec(value).unwrap_or_else(|_| b"null".to_vec());
    line.push(b'\n');
    line
}

/// Tables as an array of objects.
struct Tables<'a>(&'a [Table]);

impl Serialize for Tables<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut objects = Objects {
            array: serializer.serialize_seq(Some(self.0.len()))?,
            result: Ok(()),
        };
        for table in self.0 {
            draw(table, &mut objects);
        }
        objects.result?;
        objects.array.end()
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
    /// A key exceeds the numbers of JSON, so it is a string.
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

/// Draws tables as objects of an array.
struct Objects<S: SerializeSeq> {
    array: S,
    result: Result<(), S::Error>,
}

impl<S: SerializeSeq> Objects<S> {
    fn push(&mut self, object: &Object<'_>) {
        if self.result.is_ok() {
            self.result = self.array.serialize_element(object);
        }
    }
}

#[derive(Serialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
enum Object<'a> {
    Average {
        label: &'a str,
        value: &'a str,
        count: u64,
        mean: Option<f64>,
        variance: Option<f64>,
        interval: Option<Interval>,
    },
    Frequency {
        label: &'a str,
        value: &'a str,
        low: i32,
        size: i32,
        below: u64,
        above: u64,
        counts: Vec<u64>,
        /// The intervals of the shares of all cells: below the scale, its buckets, above it.
        intervals: Vec<Option<Interval>>,
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
        intervals: Vec<Vec<Option<Interval>>>,
    },
    Contract {
        side: &'a str,
        contract: String,
        vulnerable: u8,
        tricks: &'a [u64; 14],
        made: u64,
        made_interval: Option<Interval>,
        score: Option<f64>,
        score_interval: Option<Interval>,
    },
}

impl<S: SerializeSeq> Draw for Objects<S> {
    fn average(&mut self, table: &Table, value: &str, moments: &AverageSums) {
        let object = Object::Average {
            label: label(table),
            value,
            count: moments.count,
            mean: moments.mean(),
            variance: moments.variance(),
            interval: table.mean_interval(CONFIDENCE),
        };
        self.push(&object);
    }

    fn frequency(&mut self, table: &Table, axis: &str, counts: &Frequency, _: bool) {
        let Scale { low, size, buckets } = counts.scale;
        let mut intervals = table.cell_intervals(CONFIDENCE);
        let object = Object::Frequency {
            label: label(table),
            value: axis,
            low,
            size,
            below: counts.below(),
            above: counts.above(),
            counts: (0..buckets).map(|bucket| counts.count(bucket)).collect(),
            intervals: (0..counts.scale.cells())
                .map(|cell| intervals.cell(cell))
                .collect(),
        };
        self.push(&object);
    }

    fn grid(&mut self, table: &Table, axes: [&str; 2], grid: &Frequency2, _: bool) {
        let columns = grid.columns.cells();
        let row = |row: usize| (0..columns).map(|column| grid.cell(row, column)).collect();
        let mut intervals = table.cell_intervals(CONFIDENCE);
        let mut interval_row = |row: usize| {
            let cells = (0..columns).map(|column| intervals.grid_cell(row, column));
            cells.collect()
        };
        let object = Object::Frequency2 {
            label: label(table),
            rows: axes[0],
            columns: axes[1],
            row_low: grid.rows.low,
            row_size: grid.rows.size,
            column_low: grid.columns.low,
            column_size: grid.columns.size,
            counts: (0..grid.rows.cells()).map(row).collect(),
            intervals: (0..grid.rows.cells()).map(&mut interval_row).collect(),
        };
        self.push(&object);
    }

    fn contract(&mut self, table: &Table, results: &ContractCounts<'_>) {
        let needed = usize::from(results.contract.tricks_needed());
        let object = Object::Contract {
            side: results.side.letters(),
            contract: results.contract.to_string(),
            vulnerable: u8::from(results.vulnerable),
            tricks: results.tricks,
            made: results.tricks[needed..].iter().sum(),
            made_interval: table.tricks_interval(|taken| taken >= needed, CONFIDENCE),
            score: table.mean(),
            score_interval: table.mean_interval(CONFIDENCE),
        };
        self.push(&object);
    }
}

fn label(table: &Table) -> &str {
    table.label.as_deref().unwrap_or_default()
}
