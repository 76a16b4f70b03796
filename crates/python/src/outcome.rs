//! Results of a run: `croupier.Outcome` and its tables.

use std::sync::Arc;

use arrow_array::{ArrayRef, Float64Array, Int64Array, StringArray, UInt64Array};
use croupier::session::interval::{CONFIDENCE, Interval};
use croupier::session::{Ended, Origin, TableData};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::arguments::value_error;
use crate::columns::Columns;

/// The result of a run as data.
#[pyclass(module = "croupier._croupier", frozen)]
pub struct Outcome(pub croupier::session::Outcome);

#[pymethods]
impl Outcome {
    /// Number of deals tried.
    #[getter]
    fn generated(&self) -> u64 {
        self.0.generated
    }

    /// Number of deals that satisfied the condition.
    #[getter]
    fn produced(&self) -> u64 {
        self.0.produced
    }

    /// Reason for the end of the run.
    #[getter]
    fn ended(&self) -> &'static str {
        match self.0.ended {
            Ended::Produced => "produced",
            Ended::Generated => "generated",
            Ended::Exhausted => "exhausted",
            Ended::Stopped => "stopped",
            Ended::Cancelled => "cancelled",
            Ended::TimedOut => "timed out",
        }
    }

    /// Whether the requested precision was reached; `None` without one.
    #[getter]
    fn is_precise(&self) -> Option<bool> {
        self.0.precision.as_ref().map(|result| result.reached)
    }

    /// Seed that repeats the run.
    #[getter]
    fn seed(&self) -> Option<String> {
        match &self.0.origin {
            Origin::Seed(seed) => Some(seed.clone()),
            _ => None,
        }
    }

    /// Commitment of a tournament, to be published before play; `None` for other runs.
    #[getter]
    fn commitment(&self) -> Option<String> {
        match &self.0.origin {
            Origin::Commitment(commitment) => Some(commitment.clone()),
            _ => None,
        }
    }

    /// Elapsed time in seconds.
    #[getter]
    fn seconds(&self) -> Option<f64> {
        self.0.seconds
    }

    /// Title of the script.
    #[getter]
    fn title(&self) -> String {
        self.0.title.clone()
    }

    /// Number of calls of the double-dummy solver and of other expensive functions.
    #[getter]
    fn calls<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let calls = PyDict::new(py);
        calls.set_item("tricks", self.0.calls.tricks.made)?;
        calls.set_item("solved", self.0.calls.tricks.computed)?;
        calls.set_item("par", self.0.calls.par)?;
        calls.set_item("opc", self.0.calls.opc.made)?;
        calls.set_item("user", self.0.calls.user.made)?;
        calls.set_item("auctions", self.0.calls.auctions.computed)?;
        Ok(calls)
    }

    /// Tables, in the order of the script's actions.
    #[getter]
    fn tables(&self) -> Vec<Table> {
        self.0.tables.iter().cloned().map(Table).collect()
    }

    /// Returns all results except the elapsed time as JSON. Equal results have equal texts.
    fn to_json(&self) -> PyResult<String> {
        let timeless = croupier::session::Outcome {
            seconds: None,
            ..self.0.clone()
        };
        serde_json::to_string(&timeless).map_err(value_error)
    }

    /// Returns the tables and charts as HTML.
    fn to_html(&self) -> String {
        crate::html::report(&self.0)
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, (String,))> {
        let state = serde_json::to_string(&slf.get().0).map_err(value_error)?;
        Ok((slf.get_type().getattr("_restored")?, (state,)))
    }

    #[staticmethod]
    fn _restored(state: &str) -> PyResult<Outcome> {
        serde_json::from_str(state)
            .map(Outcome)
            .map_err(value_error)
    }
}

/// A table of a run: an average, a frequency table of one or two expressions, or a contract.
#[pyclass(module = "croupier._croupier", frozen, eq, name = "TableData")]
#[derive(PartialEq)]
pub struct Table(pub croupier::session::Table);

#[pymethods]
impl Table {
    /// Label of the action, or its expression.
    #[getter]
    fn title(&self) -> String {
        self.0.title()
    }

    /// Label of the action, if it has one.
    #[getter]
    fn label(&self) -> Option<String> {
        self.0.label.clone()
    }

    /// Kind: `average`, `frequency`, `grid` or `contract`.
    #[getter]
    fn kind(&self) -> &'static str {
        match self.0.data {
            TableData::Average { .. } => "average",
            TableData::Frequency { .. } => "frequency",
            TableData::Grid { .. } => "grid",
            TableData::Contract { .. } => "contract",
        }
    }

    /// Number of deals counted.
    #[getter]
    fn count(&self) -> u64 {
        match &self.0.data {
            TableData::Average { moments, .. } => moments.count,
            TableData::Frequency { counts, .. } => counts.total(),
            TableData::Grid { counts, .. } => counts.total(),
            TableData::Contract { tricks, .. } => tricks.total(),
        }
    }

    /// Mean of the values, or of a contract's score. `None` if the table does not determine it: no deals, values
    /// outside the scale, classes of several values, two dimensions.
    #[getter]
    fn mean(&self) -> Option<f64> {
        self.0.mean()
    }

    /// Returns the confidence interval of the mean at `level`, or `None` if the table does not determine it.
    fn interval(&self, level: f64) -> Option<(f64, f64)> {
        self.0.mean_interval(level)
    }

    /// Standard deviation of the values.
    #[getter]
    fn std(&self) -> Option<f64> {
        self.0.moments()?.deviation()
    }

    /// Mean with the digits that its 95 % confidence interval supports, and the interval.
    #[getter]
    fn mean_text(&self) -> Option<String> {
        let mean = self.0.mean()?;
        Some(match self.0.mean_interval(CONFIDENCE) {
            Some((low, high)) => {
                let decimals = croupier::session::interval::decimals(low, high);
                format!("{mean:.decimals$} ({low:.decimals$} to {high:.decimals$})")
            }
            None => mean.to_string(),
        })
    }

    /// Exact sum and sum of squares of an average; `None` for other tables.
    #[getter]
    fn sums(&self) -> Option<(i128, u128)> {
        match &self.0.data {
            TableData::Average { moments, .. } => Some((moments.sum, moments.squares)),
            _ => None,
        }
    }

    /// Returns the table as columns. The values of axis i are divided by `scales[i]`.
    fn scaled_columns(&self, scales: Vec<u32>) -> PyResult<Columns> {
        let scale = |axis: usize| scales.get(axis).copied().unwrap_or(1);
        match &self.0.data {
            TableData::Average { value, .. } => {
                let numbers = |number: Option<f64>| {
                    let number = number.map(|number| number / f64::from(scale(0)));
                    Arc::new(Float64Array::from(vec![number])) as ArrayRef
                };
                let interval = self.0.mean_interval(CONFIDENCE);
                let count = Arc::new(UInt64Array::from(vec![self.count()])) as ArrayRef;
                let name = Arc::new(StringArray::from(vec![
                    self.0.label.as_ref().unwrap_or(value).as_str(),
                ])) as ArrayRef;
                Columns::new(vec![
                    ("average".to_owned(), name),
                    ("count".to_owned(), count),
                    ("mean".to_owned(), numbers(self.mean())),
                    ("std".to_owned(), numbers(self.std())),
                    ("low".to_owned(), numbers(interval.map(|it| it.0))),
                    ("high".to_owned(), numbers(interval.map(|it| it.1))),
                ])
            }
            TableData::Frequency { axis, counts, .. } => frequency(&self.0, axis, counts, scale(0)),
            TableData::Grid {
                rows,
                columns,
                counts,
                ..
            } => grid(&self.0, rows, columns, counts, [scale(0), scale(1)]),
            TableData::Contract {
                contract,
                vulnerable,
                tricks,
                ..
            } => {
                let scores = (0..14).map(|n| i64::from(contract.score(*vulnerable, n)));
                let intervals = (0..14)
                    .map(|number| self.0.tricks_interval(|taken| taken == number, CONFIDENCE))
                    .collect();
                let mut columns = vec![
                    (
                        "tricks".to_owned(),
                        Arc::new(Int64Array::from_iter_values(0..14)) as ArrayRef,
                    ),
                    (
                        "count".to_owned(),
                        Arc::new(UInt64Array::from(tricks.0.to_vec())),
                    ),
                    (
                        "score".to_owned(),
                        Arc::new(Int64Array::from_iter_values(scores)),
                    ),
                ];
                columns.extend(shares(tricks.0.to_vec(), tricks.total(), intervals));
                Columns::new(columns)
            }
        }
    }

    /// Returns the counts of a grid, row by row, including those below and above the scale; `None` for other tables.
    fn cells(&self) -> Option<Vec<Vec<u64>>> {
        match &self.0.data {
            TableData::Grid { counts, .. } => Some(
                (0..counts.rows.cells())
                    .map(|row| {
                        (0..counts.columns.cells())
                            .map(|column| counts.cell(row, column))
                            .collect()
                    })
                    .collect(),
            ),
            _ => None,
        }
    }

    fn _repr_html_(&self) -> String {
        crate::html::table(&self.0)
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, (String,))> {
        let state = serde_json::to_string(&slf.get().0).map_err(value_error)?;
        Ok((slf.get_type().getattr("_restored")?, (state,)))
    }

    #[staticmethod]
    fn _restored(state: &str) -> PyResult<Table> {
        serde_json::from_str(state).map(Table).map_err(value_error)
    }

    fn __repr__(&self) -> String {
        let mean = self
            .mean_text()
            .map_or(String::new(), |mean| format!(", mean {mean}"));
        format!(
            "<croupier.Table {} {:?}, {} deals{mean}>",
            self.kind(),
            self.title(),
            self.count()
        )
    }
}

/// Bounds of a class; `None` for a class below or above the scale.
type Class = (Option<i64>, Option<i64>);

fn class(scale: &croupier::session::Scale, cell: usize) -> Class {
    match cell {
        0 => (None, Some(i64::from(scale.low) - 1)),
        n if n > scale.buckets => (Some(scale.name(scale.buckets)), None),
        n => (Some(scale.name(n - 1)), Some(scale.name(n) - 1)),
    }
}

/// Returns the bounds of an axis as integers, or as numbers if they are divided by a scale.
fn bounds(name: &str, classes: &[Class], size: i32, scale: u32) -> Vec<(String, ArrayRef)> {
    let column = |of: fn(&Class) -> Option<i64>| -> ArrayRef {
        let bounds = classes.iter().map(of);
        match scale {
            1 => Arc::new(bounds.collect::<Int64Array>()),
            _ => Arc::new(
                bounds
                    .map(|bound| bound.map(|bound| bound as f64 / f64::from(scale)))
                    .collect::<Float64Array>(),
            ),
        }
    };
    let (low, high) = (column(|class| class.0), column(|class| class.1));
    let open = classes
        .iter()
        .any(|class| class.0.is_none() || class.1.is_none());
    if size == 1 && !open {
        return vec![(name.to_owned(), low)];
    }
    vec![(format!("{name} from"), low), (format!("{name} to"), high)]
}

/// Returns columns with the shares of counts among `total` deals and their 95 % confidence intervals.
fn shares(
    counts: Vec<u64>,
    total: u64,
    intervals: Vec<Option<Interval>>,
) -> [(String, ArrayRef); 3] {
    let share = |count: u64| count as f64 / total.max(1) as f64;
    let shares = Float64Array::from_iter_values(counts.into_iter().map(share));
    let limit = |of: fn(Interval) -> f64| -> Float64Array {
        intervals.iter().map(|interval| interval.map(of)).collect()
    };
    [
        ("share".to_owned(), Arc::new(shares)),
        ("share low".to_owned(), Arc::new(limit(|it| it.0))),
        ("share high".to_owned(), Arc::new(limit(|it| it.1))),
    ]
}

fn frequency(
    table: &croupier::session::Table,
    axis: &str,
    counts: &croupier::session::Frequency,
    scale: u32,
) -> PyResult<Columns> {
    let rim = |cell: usize| cell == 0 || cell > counts.scale.buckets;
    let count = |cell: usize| match cell {
        0 => counts.below(),
        n if n > counts.scale.buckets => counts.above(),
        n => counts.count(n - 1),
    };
    let cells: Vec<usize> = (0..counts.scale.cells())
        .filter(|&cell| !rim(cell) || count(cell) > 0)
        .collect();
    let classes: Vec<Class> = cells
        .iter()
        .map(|&cell| class(&counts.scale, cell))
        .collect();
    let numbers: Vec<u64> = cells.iter().map(|&cell| count(cell)).collect();
    let mut intervals = table.cell_intervals(CONFIDENCE);
    let intervals = cells.iter().map(|&cell| intervals.cell(cell)).collect();
    let mut columns = bounds(axis, &classes, counts.scale.size, scale);
    let count = Arc::new(UInt64Array::from(numbers.clone()));
    columns.push(("count".to_owned(), count));
    columns.extend(shares(numbers, counts.total(), intervals));
    Columns::new(columns)
}

fn grid(
    table: &croupier::session::Table,
    rows: &str,
    columns: &str,
    counts: &croupier::session::Frequency2,
    scales: [u32; 2],
) -> PyResult<Columns> {
    let row_cells = counts.rows.cells();
    let column_cells = counts.columns.cells();
    let used_row = |row: usize| (0..column_cells).any(|column| counts.cell(row, column) > 0);
    let used_column = |column: usize| (0..row_cells).any(|row| counts.cell(row, column) > 0);
    let inside = |cell: usize, scale: &croupier::session::Scale| cell > 0 && cell <= scale.buckets;
    let shown_rows: Vec<usize> = (0..row_cells)
        .filter(|&row| inside(row, &counts.rows) || used_row(row))
        .collect();
    let shown_columns: Vec<usize> = (0..column_cells)
        .filter(|&column| inside(column, &counts.columns) || used_column(column))
        .collect();
    let places: Vec<(usize, usize)> = shown_rows
        .iter()
        .flat_map(|&row| shown_columns.iter().map(move |&column| (row, column)))
        .collect();
    let row_classes: Vec<Class> = places
        .iter()
        .map(|place| class(&counts.rows, place.0))
        .collect();
    let column_classes: Vec<Class> = places
        .iter()
        .map(|place| class(&counts.columns, place.1))
        .collect();
    let numbers: Vec<u64> = places
        .iter()
        .map(|&(row, column)| counts.cell(row, column))
        .collect();
    let mut intervals = table.cell_intervals(CONFIDENCE);
    let intervals = places
        .iter()
        .map(|&(row, column)| intervals.grid_cell(row, column))
        .collect();
    let mut all = bounds(rows, &row_classes, counts.rows.size, scales[0]);
    let column_bounds = bounds(columns, &column_classes, counts.columns.size, scales[1]);
    all.extend(column_bounds);
    let count = Arc::new(UInt64Array::from(numbers.clone()));
    all.push(("count".to_owned(), count));
    all.extend(shares(numbers, counts.total(), intervals));
    Columns::new(all)
}
