//! Produced deals of a run with their numbers and values, stored as columns.

use std::ops::ControlFlow;
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::{Float64Type, Int32Type, UInt64Type};
use arrow_array::{Array, ArrayRef, Float64Array, Int32Array, StringArray, UInt64Array};
use arrow_schema::DataType;
use croupier::cards::{CardSet, Seat};
use croupier::session::{ProducedDeal, Progress, Sink};
use pyo3::exceptions::{PyMemoryError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::arguments::value_error;
use crate::columns::Columns;
use crate::deals::Deals;
use crate::memory::{self, OutOfMemory};
use crate::waiting::{Events, Link, wait};

/// Names of the columns that every run has.
pub const OWN_COLUMNS: [&str; 5] = ["number", "north", "east", "south", "west"];

/// Number of texts that are formatted between two checks of the cancellation flag.
const TEXTS_AT_ONCE: usize = 1 << 14;

/// Creates Python's `MemoryError` for deals that cannot be stored.
pub fn memory_error(deals: usize) -> PyErr {
    PyMemoryError::new_err(format!(
        "there is not enough memory to keep more than {deals} deals"
    ))
}

/// Rows of produced deals.
#[derive(Clone, Default)]
pub struct Rows {
    /// Number of each deal among the deals tried, from 0.
    pub numbers: Vec<u64>,
    /// Masks of North, East, South and West.
    pub masks: [Vec<u64>; 4],
    /// Values, column by column.
    pub values: Vec<Vec<i32>>,
}

/// Makes room for one more row in a column.
fn reserve<T>(column: &mut Vec<T>) -> Result<(), OutOfMemory> {
    if column.len() == column.capacity() {
        column.try_reserve(1)?;
    }
    Ok(())
}

impl Rows {
    /// Creates an empty list of rows with `values` values each.
    pub fn new(values: usize) -> Rows {
        Rows {
            values: vec![Vec::new(); values],
            ..Rows::default()
        }
    }

    /// Returns the number of rows.
    pub fn len(&self) -> usize {
        self.numbers.len()
    }

    /// Makes room for one more row.
    ///
    /// # Errors
    /// If there is not enough memory. The rows so far remain.
    fn reserve(&mut self) -> Result<(), OutOfMemory> {
        if self.len() == self.numbers.capacity() {
            let row =
                (1 + self.masks.len()) * size_of::<u64>() + self.values.len() * size_of::<i32>();
            memory::check(self.len() * row)?;
        }
        reserve(&mut self.numbers)?;
        self.masks.iter_mut().try_for_each(reserve)?;
        self.values.iter_mut().try_for_each(reserve)
    }

    /// Adds a produced deal.
    ///
    /// # Errors
    /// If there is not enough memory.
    pub fn push(&mut self, produced: &ProducedDeal<'_>, actions: usize) -> Result<(), OutOfMemory> {
        self.reserve()?;
        self.numbers.push(produced.index);
        for (column, hand) in self.masks.iter_mut().zip(produced.deal.hands()) {
            column.push(hand.0);
        }
        let values = (0..actions).flat_map(|action| produced.values(action));
        for (column, &value) in self.values.iter_mut().zip(values) {
            column.push(value);
        }
        Ok(())
    }

    /// Adds a row of another list.
    ///
    /// # Errors
    /// If there is not enough memory.
    pub fn copy(&mut self, from: &Rows, row: usize) -> Result<(), OutOfMemory> {
        self.reserve()?;
        self.numbers.push(from.numbers[row]);
        for (column, other) in self.masks.iter_mut().zip(&from.masks) {
            column.push(other[row]);
        }
        for (column, other) in self.values.iter_mut().zip(&from.values) {
            column.push(other[row]);
        }
        Ok(())
    }

    /// Keeps only the first `length` rows.
    pub fn truncate(&mut self, length: usize) {
        self.numbers.truncate(length);
        self.masks
            .iter_mut()
            .for_each(|column| column.truncate(length));
        self.values
            .iter_mut()
            .for_each(|column| column.truncate(length));
    }
}

/// A sink that collects the produced deals and reports the progress.
pub struct Collector {
    /// Collected rows.
    pub rows: Rows,
    /// Number of actions of the plan.
    pub actions: usize,
    /// Whether to collect deals.
    pub keep: bool,
    /// Connection to the waiting call, for the progress.
    pub link: Link,
    /// Whether progress is counted in produced deals rather than in deals tried.
    pub counts_produced: bool,
    /// Whether the run was stopped because there was no memory for more rows.
    pub out_of_memory: bool,
}

impl Collector {
    /// Creates a collector of rows with `values` values each.
    pub fn new(values: usize, actions: usize, keep: bool, link: &Link) -> Collector {
        Collector {
            rows: Rows::new(values),
            actions,
            keep,
            link: link.clone(),
            counts_produced: true,
            out_of_memory: false,
        }
    }

    /// Returns the rows.
    ///
    /// # Errors
    /// `MemoryError` if not all rows could be kept.
    pub fn finish(self) -> PyResult<Rows> {
        match self.out_of_memory {
            true => Err(memory_error(self.rows.len())),
            false => Ok(self.rows),
        }
    }
}

impl Sink for Collector {
    fn needs_deals(&self) -> bool {
        self.keep
    }

    fn on_deal(&mut self, deal: &ProducedDeal<'_>) -> ControlFlow<()> {
        if self.rows.push(deal, self.actions).is_err() {
            self.out_of_memory = true;
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    }

    fn on_progress(&mut self, progress: Progress) {
        self.link.set_done(match self.counts_produced {
            true => progress.produced,
            false => progress.generated,
        });
    }
}

/// The collected deals with their numbers and values.
#[pyclass(module = "croupier._croupier", frozen)]
#[derive(Clone)]
pub struct Kept {
    numbers: UInt64Array,
    deals: Deals,
    values: Vec<(String, ArrayRef)>,
}

impl Kept {
    /// Creates the columns of rows whose values have these names. Values are integers divided by their scale.
    ///
    /// # Errors
    /// `MemoryError` if there is not enough memory.
    pub fn new(rows: Rows, names: Vec<String>, scales: &[u32]) -> PyResult<Kept> {
        let array = |(place, column): (usize, Vec<i32>)| match scales.get(place) {
            None | Some(1) => Arc::new(Int32Array::from(column)) as ArrayRef,
            Some(&scale) => {
                let numbers = column.into_iter();
                let numbers = numbers.map(|number| f64::from(number) / f64::from(scale));
                Arc::new(Float64Array::from_iter_values(numbers))
            }
        };
        let arrays = rows.values.into_iter().enumerate().map(array);
        Ok(Kept {
            values: names.into_iter().zip(arrays).collect(),
            numbers: UInt64Array::from(rows.numbers),
            deals: Deals::of_columns(rows.masks)?,
        })
    }

    /// Returns the rows, for the tables of a filtered run. All values are integers.
    pub fn rows(&self) -> Rows {
        let masks = std::array::from_fn(|seat| self.deals.column(seat).values().to_vec());
        let values = self.values.iter().map(|(_, column)| {
            let numbers = column.as_primitive_opt::<Int32Type>();
            numbers.map_or_else(Vec::new, |numbers| numbers.values().to_vec())
        });
        Rows {
            numbers: self.numbers.values().to_vec(),
            masks,
            values: values.collect(),
        }
    }
}

/// Reads the answer of a filter for `count` deals.
///
/// # Errors
/// If it is not one bool for each deal.
pub fn accepted_rows(answer: &Bound<'_, PyAny>, count: usize) -> PyResult<Vec<bool>> {
    let rows = bools(answer).ok_or_else(|| {
        PyTypeError::new_err(
            "a filter returns one bool for each deal: a NumPy or Arrow array, a series or a list",
        )
    })?;
    match rows.len() == count {
        true => Ok(rows),
        false => Err(value_error(format!(
            "the filter returned {} answers for {count} deals",
            rows.len()
        ))),
    }
}

fn bools(answer: &Bound<'_, PyAny>) -> Option<Vec<bool>> {
    // Only convert actual arrays with NumPy: it may not be installed.
    if answer.hasattr("__array_interface__").ok()?
        && let Ok(array) = answer.extract::<numpy::PyReadonlyArray1<'_, bool>>()
    {
        return Some(array.as_array().to_vec());
    }
    // Arrow arrays, Polars and pandas series have one of these methods; anything else is a list.
    let list = ["to_pylist", "to_list", "tolist"]
        .iter()
        .find_map(|name| answer.call_method0(*name).ok())
        .unwrap_or_else(|| answer.clone());
    list.extract().ok()
}

/// Formats hands, until `link` is cancelled.
fn texts(masks: &UInt64Array, link: &Link) -> StringArray {
    let mut builder = arrow_array::builder::StringBuilder::new();
    for chunk in masks.values().chunks(TEXTS_AT_ONCE) {
        if link.is_cancelled() {
            break;
        }
        for &mask in chunk {
            builder.append_value(CardSet(mask).to_string());
        }
    }
    builder.finish()
}

/// Joins arrays of numbers of one type and keeps the first `count` numbers.
fn joined_arrays(parts: &[&ArrayRef], count: usize) -> PyResult<ArrayRef> {
    macro_rules! join {
        ($type:ty, $array:ty) => {{
            let mut all: Vec<<$type as arrow_array::ArrowPrimitiveType>::Native> = Vec::new();
            all.try_reserve_exact(count).map_err(|_| memory_error(0))?;
            for part in parts {
                let part = part.as_primitive::<$type>().values();
                all.extend_from_slice(&part[..part.len().min(count - all.len())]);
            }
            Ok(Arc::new(<$array>::from(all)) as ArrayRef)
        }};
    }
    match parts.first().map(|part| part.data_type()) {
        Some(DataType::Float64) => join!(Float64Type, Float64Array),
        Some(DataType::UInt64) => join!(UInt64Type, UInt64Array),
        _ => join!(Int32Type, Int32Array),
    }
}

#[pymethods]
impl Kept {
    /// The deals.
    #[getter]
    fn deals(&self) -> Deals {
        self.deals.clone()
    }

    /// Names of the values.
    #[getter]
    fn names(&self) -> Vec<String> {
        self.values.iter().map(|(name, _)| name.clone()).collect()
    }

    /// Returns the columns: the number of each deal, its hands as masks or texts or left out, and its values.
    fn columns(&self, py: Python<'_>, cards: &str) -> PyResult<Columns> {
        let mut columns: Vec<(String, ArrayRef)> =
            vec![("number".to_owned(), Arc::new(self.numbers.clone()))];
        for seat in Seat::ALL {
            let name = seat.name().to_lowercase();
            let masks = self.deals.column(seat.index());
            match cards {
                "mask" => columns.push((name, Arc::new(masks))),
                "text" => {
                    let link = Link::default();
                    let shared = link.clone();
                    let work = move |_: &Events<(), _>| texts(&masks, &shared);
                    let texts = wait(py, &link, None, work, |()| Ok(()))?;
                    columns.push((name, Arc::new(texts)));
                }
                "none" => {}
                other => {
                    return Err(value_error(format!(
                        "cards={other:?} is not one of mask, text and none"
                    )));
                }
            }
        }
        columns.extend(self.values.iter().cloned());
        Columns::new(columns)
    }

    /// Returns these deals with the values of both lists.
    fn joined(&self, other: &Bound<'_, Kept>) -> PyResult<Kept> {
        let more = &other.get().values;
        if more
            .iter()
            .any(|(_, column)| column.len() != self.deals.count())
        {
            return Err(value_error("the values are not those of these deals"));
        }
        Ok(Kept {
            numbers: self.numbers.clone(),
            deals: self.deals.clone(),
            values: self.values.iter().chain(more).cloned().collect(),
        })
    }

    /// Returns the deals for which a filter returned true.
    fn accepted(&self, mask: &Bound<'_, PyAny>) -> PyResult<Kept> {
        let chosen = accepted_rows(mask, self.deals.count())?;
        let places: Vec<usize> = (0..chosen.len()).filter(|&row| chosen[row]).collect();
        let numbers = places.iter().map(|&row| self.numbers.value(row));
        let values = self.values.iter().map(|(name, column)| {
            let numbers = column.as_primitive_opt::<Int32Type>();
            let array: ArrayRef = match numbers {
                Some(numbers) => Arc::new(Int32Array::from_iter_values(
                    places.iter().map(|&row| numbers.value(row)),
                )),
                None => Arc::new(Float64Array::from_iter_values(
                    places
                        .iter()
                        .map(|&row| column.as_primitive::<Float64Type>().value(row)),
                )),
            };
            (name.clone(), array)
        });
        Ok(Kept {
            numbers: UInt64Array::from_iter_values(numbers),
            values: values.collect(),
            deals: self.deals.chosen(&places)?,
        })
    }

    /// Joins the deals of parts of a run, in this order, and keeps the first `count` of them.
    #[staticmethod]
    fn concatenated(parts: Vec<Bound<'_, Kept>>, count: usize) -> PyResult<Kept> {
        let parts: Vec<&Kept> = parts.iter().map(Bound::get).collect();
        let Some(first) = parts.first() else {
            return Err(value_error("there are no parts to join"));
        };
        let count = count.min(parts.iter().map(|part| part.deals.count()).sum());
        let column = |of: &dyn Fn(&Kept) -> ArrayRef| -> PyResult<ArrayRef> {
            let arrays: Vec<ArrayRef> = parts.iter().map(|part| of(part)).collect();
            joined_arrays(&arrays.iter().collect::<Vec<_>>(), count)
        };
        let numbers = column(&|part| Arc::new(part.numbers.clone()))?;
        let mut masks: [Vec<u64>; 4] = Default::default();
        for (seat, mask) in masks.iter_mut().enumerate() {
            mask.try_reserve_exact(count).map_err(|_| memory_error(0))?;
            for part in &parts {
                let more = part.deals.column(seat);
                let more = &more.values()[..more.len().min(count - mask.len())];
                mask.extend_from_slice(more);
            }
        }
        let mut values = Vec::new();
        for (place, (name, _)) in first.values.iter().enumerate() {
            values.push((
                name.clone(),
                column(&|part| Arc::clone(&part.values[place].1))?,
            ));
        }
        Ok(Kept {
            numbers: numbers.as_primitive::<UInt64Type>().clone(),
            deals: Deals::of_columns(masks)?,
            values,
        })
    }

    fn __len__(&self) -> usize {
        self.deals.count()
    }

    fn __reduce__<'py>(
        slf: &Bound<'py, Self>,
    ) -> PyResult<(Bound<'py, PyAny>, (Bound<'py, PyBytes>,))> {
        let columns = slf.get().columns(slf.py(), "mask")?;
        let bytes = columns.to_ipc()?;
        Ok((
            slf.get_type().getattr("_restored")?,
            (PyBytes::new(slf.py(), &bytes),),
        ))
    }

    #[staticmethod]
    fn _restored(state: &[u8]) -> PyResult<Kept> {
        let columns = Columns::from_ipc(state)?;
        let schema = columns.batch.schema();
        let wrong = || value_error("not the state of deals of a run");
        let names: Vec<&String> = schema.fields().iter().map(|field| field.name()).collect();
        if names.len() < OWN_COLUMNS.len() || names.iter().zip(OWN_COLUMNS).any(|(a, b)| *a != b) {
            return Err(wrong());
        }
        let number = |place: usize| {
            let column = columns.batch.column(place);
            column.as_primitive_opt::<UInt64Type>().ok_or_else(wrong)
        };
        let mut masks: [Vec<u64>; 4] = Default::default();
        for (seat, mask) in masks.iter_mut().enumerate() {
            *mask = number(seat + 1)?.values().to_vec();
        }
        let deals = Deals::of_columns(masks)?;
        deals.check()?;
        let values = names[OWN_COLUMNS.len()..]
            .iter()
            .map(|name| (*name).clone());
        let arrays = columns.batch.columns()[OWN_COLUMNS.len()..].iter().cloned();
        Ok(Kept {
            numbers: number(0)?.clone(),
            deals,
            values: values.zip(arrays).collect(),
        })
    }
}
