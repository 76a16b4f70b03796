//! Produced deals of a run with their numbers and values, stored as columns.

use std::ops::ControlFlow;
use std::sync::Arc;

use arrow_array::{ArrayRef, Int32Array, StringArray, UInt64Array};
use croupier::cards::{CardSet, Seat};
use croupier::session::{ProducedDeal, Progress, Sink};
use pyo3::prelude::*;

use crate::columns::Columns;
use crate::deals::Deals;
use crate::waiting::Link;

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

    /// Returns the deal of a row.
    pub fn deal(&self, row: usize) -> croupier::cards::Deal {
        croupier::cards::Deal::from_valid_hands(std::array::from_fn(|seat| {
            CardSet(self.masks[seat][row])
        }))
    }

    /// Adds a produced deal.
    pub fn push(&mut self, produced: &ProducedDeal<'_>, actions: usize) {
        self.numbers.push(produced.index);
        for (column, hand) in self.masks.iter_mut().zip(produced.deal.hands()) {
            column.push(hand.0);
        }
        let values = (0..actions).flat_map(|action| produced.values(action));
        for (column, &value) in self.values.iter_mut().zip(values) {
            column.push(value);
        }
    }

    /// Adds a row of another list.
    pub fn copy(&mut self, from: &Rows, row: usize) {
        self.numbers.push(from.numbers[row]);
        for (column, other) in self.masks.iter_mut().zip(&from.masks) {
            column.push(other[row]);
        }
        for (column, other) in self.values.iter_mut().zip(&from.values) {
            column.push(other[row]);
        }
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
}

impl Sink for Collector {
    fn needs_deals(&self) -> bool {
        self.keep
    }

    fn on_deal(&mut self, deal: &ProducedDeal<'_>) -> ControlFlow<()> {
        self.rows.push(deal, self.actions);
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
#[pyclass(module = "croupier", frozen)]
pub struct Kept {
    numbers: UInt64Array,
    deals: Deals,
    values: Vec<(String, ArrayRef)>,
}

impl Kept {
    /// Creates the columns of rows whose values have these names.
    pub fn new(rows: Rows, names: Vec<String>) -> Kept {
        let arrays = rows
            .values
            .into_iter()
            .map(|column| Arc::new(Int32Array::from(column)) as ArrayRef);
        Kept {
            numbers: UInt64Array::from(rows.numbers),
            deals: Deals::of_columns(rows.masks),
            values: names.into_iter().zip(arrays).collect(),
        }
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
                    let texts = py.detach(|| {
                        StringArray::from_iter_values(
                            masks.values().iter().map(|&mask| CardSet(mask).to_string()),
                        )
                    });
                    columns.push((name, Arc::new(texts)));
                }
                "none" => {}
                other => {
                    return Err(crate::arguments::value_error(format!(
                        "cards={other:?}: mask, text or none"
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
            return Err(crate::arguments::value_error(
                "the values are not those of these deals",
            ));
        }
        Ok(Kept {
            numbers: self.numbers.clone(),
            deals: self.deals.clone(),
            values: self.values.iter().chain(more).cloned().collect(),
        })
    }

    fn __len__(&self) -> usize {
        self.deals.count()
    }
}
