//! Double-dummy results as values: `croupier.Tricks`, `croupier.Solutions`, `croupier.Par`.

use std::sync::Arc;

use arrow_array::{ArrayRef, UInt8Array};
use croupier::cards::{Seat, Strain, TrickTable};
use pyo3::exceptions::{PyIndexError, PyKeyError};
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyDict};

use crate::arguments::{self, SeatArgument, StrainArgument, value_error};
use crate::columns::Columns;
use crate::contract::{Contract, Score};

/// Tricks of one deal by declarer and strain: `tricks["S", "NT"]`. Holds only the requested results.
#[pyclass(module = "croupier", frozen, eq, hash)]
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Tricks(pub [[Option<u8>; 5]; 4]);

/// Order in which strains are printed.
pub const WRITTEN: [Strain; 5] = Strain::DESCENDING;

impl From<TrickTable> for Tricks {
    fn from(table: TrickTable) -> Tricks {
        Tricks(table.rows().map(|row| row.map(Some)))
    }
}

impl Tricks {
    /// Returns the complete table if all twenty results are known.
    pub fn table(&self) -> Option<TrickTable> {
        let mut rows = [[0; 5]; 4];
        for (row, known) in rows.iter_mut().zip(&self.0) {
            for (tricks, known) in row.iter_mut().zip(known) {
                *tricks = (*known)?;
            }
        }
        TrickTable::new(rows)
    }

    fn known(&self) -> impl Iterator<Item = (Seat, Strain, u8)> + '_ {
        Seat::ALL.into_iter().flat_map(move |seat| {
            Strain::ALL.into_iter().filter_map(move |strain| {
                Some((seat, strain, self.0[seat.index()][strain.index()]?))
            })
        })
    }
}

#[pymethods]
impl Tricks {
    /// Parses twenty numbers joined by commas: North's in clubs, diamonds, hearts, spades and notrump, then East's,
    /// South's and West's. A dash is an unknown result.
    #[new]
    fn new(text: &str) -> PyResult<Tricks> {
        let wrong = || {
            value_error(format!(
                "{text:?} is not twenty numbers from 0 to 13 joined by commas"
            ))
        };
        let mut tricks = Tricks::default();
        let mut numbers = text.split(',');
        for place in tricks.0.iter_mut().flatten() {
            *place = match numbers.next().map(str::trim).ok_or_else(wrong)? {
                "-" => None,
                number => Some(number.parse().ok().filter(|&n| n <= 13).ok_or_else(wrong)?),
            };
        }
        numbers.next().is_none().then_some(tricks).ok_or_else(wrong)
    }

    fn __getitem__(&self, key: (SeatArgument, StrainArgument)) -> PyResult<u8> {
        let (SeatArgument(declarer), StrainArgument(strain)) = key;
        self.0[declarer.index()][strain.index()]
            .ok_or_else(|| PyKeyError::new_err(format!("{declarer} in {strain} was not asked for")))
    }

    /// Returns the results as a dictionary: `{(Seat.NORTH, Strain.SPADES): 10, ...}`.
    #[expect(
        clippy::wrong_self_convention,
        reason = "methods of Python objects borrow them"
    )]
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let dict = PyDict::new(py);
        for (seat, strain, tricks) in self.known() {
            dict.set_item(
                (arguments::seat(py, seat)?, arguments::strain(py, strain)?),
                tricks,
            )?;
        }
        Ok(dict)
    }

    fn __str__(&self) -> String {
        let number =
            |tricks: &Option<u8>| tricks.map_or("-".to_owned(), |tricks| tricks.to_string());
        let numbers: Vec<String> = self.0.iter().flatten().map(number).collect();
        numbers.join(",")
    }

    fn __repr__(&self) -> String {
        format!("Tricks('{}')", self.__str__())
    }

    fn _repr_html_(&self) -> String {
        let heads: String = WRITTEN
            .iter()
            .map(|strain| strain.suit().map_or("NT".to_owned(), crate::html::symbol))
            .map(|head| format!("<th>{head}</th>"))
            .collect();
        let rows: String = Seat::ALL
            .iter()
            .map(|seat| {
                let cell = |strain: &Strain| {
                    let tricks = self.0[seat.index()][strain.index()];
                    format!(
                        "<td>{}</td>",
                        tricks.map_or(String::new(), |tricks| tricks.to_string())
                    )
                };
                let cells: String = WRITTEN.iter().map(cell).collect();
                format!("<tr><th>{}</th>{cells}</tr>", seat.letter())
            })
            .collect();
        format!("<table class=\"croupier-tricks\"><tr><th></th>{heads}</tr>{rows}</table>")
    }

    fn __getnewargs__(&self) -> (String,) {
        (self.__str__(),)
    }
}

/// Double-dummy results of many deals, in their order: a sequence of `Tricks`, and columns of tricks.
#[pyclass(module = "croupier", frozen, sequence)]
pub struct Solutions {
    pub tricks: Vec<Tricks>,
    pub asked: Vec<(Seat, Strain)>,
}

#[pymethods]
impl Solutions {
    /// Joins the solutions of parts of a list of deals, in the order of the list.
    #[staticmethod]
    fn joined(parts: Vec<Bound<'_, Solutions>>) -> PyResult<Solutions> {
        let asked = parts
            .first()
            .map_or(Vec::new(), |part| part.get().asked.clone());
        if parts.iter().any(|part| part.get().asked != asked) {
            return Err(value_error("the parts were not asked the same questions"));
        }
        let tricks = parts
            .iter()
            .flat_map(|part| part.get().tricks.iter().copied())
            .collect();
        Ok(Solutions { tricks, asked })
    }

    fn __len__(&self) -> usize {
        self.tricks.len()
    }

    fn __getitem__(&self, index: isize) -> PyResult<Tricks> {
        let place = if index < 0 {
            index + self.tricks.len() as isize
        } else {
            index
        };
        let found = usize::try_from(place)
            .ok()
            .and_then(|place| self.tricks.get(place));
        found
            .copied()
            .ok_or_else(|| PyIndexError::new_err("no such deal"))
    }

    /// Columns for every declarer and strain, such as `south_notrump`.
    #[getter]
    fn columns(&self) -> PyResult<Columns> {
        let column = |&(seat, strain): &(Seat, Strain)| {
            let tricks = self
                .tricks
                .iter()
                .map(|it| it.0[seat.index()][strain.index()].unwrap_or(0));
            let name = format!("{}_{strain}", seat.name().to_lowercase());
            (
                name,
                Arc::new(UInt8Array::from_iter_values(tricks)) as ArrayRef,
            )
        };
        Columns::new(self.asked.iter().map(column).collect())
    }

    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        self.columns()?.__arrow_c_stream__(py, requested_schema)
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other
            .cast::<Solutions>()
            .is_ok_and(|other| other.get().tricks == self.tricks)
    }

    fn __repr__(&self) -> String {
        format!("<croupier.Solutions of {} deals>", self.tricks.len())
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, SolutionsState)> {
        let this = slf.get();
        let bytes = this
            .tricks
            .iter()
            .flat_map(|it| it.0)
            .flatten()
            .map(|n| n.unwrap_or(u8::MAX));
        let asked = this
            .asked
            .iter()
            .map(|(seat, strain)| (seat.index(), strain.index()));
        let restore = slf.get_type().getattr("_restored")?;
        Ok((restore, (bytes.collect(), asked.collect())))
    }

    #[staticmethod]
    fn _restored(bytes: Vec<u8>, asked: Vec<(usize, usize)>) -> PyResult<Solutions> {
        if !bytes.len().is_multiple_of(20)
            || asked.iter().any(|&(seat, strain)| seat > 3 || strain > 4)
        {
            return Err(value_error("not the state of croupier.Solutions"));
        }
        let tricks = bytes.chunks_exact(20).map(|chunk| {
            let number =
                |seat: usize, strain: usize| Some(chunk[5 * seat + strain]).filter(|&n| n <= 13);
            Tricks(std::array::from_fn(|seat| {
                std::array::from_fn(|strain| number(seat, strain))
            }))
        });
        let asked = asked
            .into_iter()
            .map(|(seat, strain)| (Seat::from_index(seat), Strain::from_index(strain)));
        Ok(Solutions {
            tricks: tricks.collect(),
            asked: asked.collect(),
        })
    }
}

/// Pickled solutions: the tricks, and the requested declarers and strains.
type SolutionsState = (Vec<u8>, Vec<(usize, usize)>);

/// The par of a deal: the score when both sides bid as well as the cards allow, and the contracts that reach it.
#[pyclass(module = "croupier", frozen, eq)]
#[derive(Clone, PartialEq, Eq)]
pub struct Par(pub croupier::solver::Par);

#[pymethods]
impl Par {
    /// Par score of North-South.
    #[getter]
    fn score(&self) -> Score {
        Score(self.0.score)
    }

    /// Contracts that reach par, the usual one first; empty if no contract makes.
    #[getter]
    fn contracts(&self) -> Vec<Contract> {
        let contract = |par: &croupier::solver::ParContract| Contract {
            contract: par.contract(),
            declarer: Some(par.declarer.unwrap_or(par.side.seats()[0])),
        };
        self.0.contracts.iter().map(contract).collect()
    }

    /// Vulnerable sides.
    #[getter]
    fn vulnerable<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        arguments::vulnerability(py, self.0.vulnerability)
    }

    fn __str__(&self) -> String {
        let contracts: Vec<String> = self
            .0
            .contracts
            .iter()
            .map(|par| format!("{} by {}", par.contract(), par.declarers()))
            .collect();
        match contracts.is_empty() {
            true => "0, passed out".to_owned(),
            false => format!("{:+}: {}", self.0.score, contracts.join(", ")),
        }
    }

    fn __repr__(&self) -> String {
        format!("<croupier.Par {}>", self.__str__())
    }
}
