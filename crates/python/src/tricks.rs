//! Double-dummy results as values: `croupier.Tricks`, `croupier.Solutions`, `croupier.Par`.

use std::sync::Arc;

use arrow_array::{ArrayRef, UInt8Array};
use croupier::cards::{Seat, Strain, TrickTable};
use pyo3::exceptions::{PyIndexError, PyKeyError};
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyDict, PySlice};

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

    /// Returns the results as twenty numbers, which `Tricks(...)` parses.
    fn text(&self) -> String {
        let number =
            |tricks: &Option<u8>| tricks.map_or("-".to_owned(), |tricks| tricks.to_string());
        let numbers: Vec<String> = self.0.iter().flatten().map(number).collect();
        numbers.join(",")
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

    /// Returns a table with a row for each declarer and a column for each strain.
    fn __str__(&self) -> String {
        let mut lines = vec!["    NT   S   H   D   C".to_owned()];
        for seat in Seat::ALL {
            let row = self.0[seat.index()];
            if row.iter().all(Option::is_none) {
                continue;
            }
            let cell = |strain: Strain| match row[strain.index()] {
                Some(tricks) => format!("{tricks:>4}"),
                None => "   -".to_owned(),
            };
            lines.push(format!("{} {}", seat.letter(), WRITTEN.map(cell).concat()));
        }
        lines.join("\n")
    }

    fn __repr__(&self) -> String {
        format!("Tricks('{}')", self.text())
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
        (self.text(),)
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

    fn __getitem__<'py>(&self, index: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let py = index.py();
        if let Ok(number) = index.extract::<isize>() {
            let place = match number < 0 {
                true => number + self.tricks.len() as isize,
                false => number,
            };
            let found = usize::try_from(place)
                .ok()
                .and_then(|place| self.tricks.get(place));
            let tricks = *found.ok_or_else(|| {
                PyIndexError::new_err(format!("no deal {number}: there are {}", self.tricks.len()))
            })?;
            return Ok(tricks.into_pyobject(py)?.into_any());
        }
        let places = match index.cast::<PySlice>() {
            Ok(slice) => {
                let range = slice.indices(self.tricks.len() as isize)?;
                let place = |i: isize| (range.start + i * range.step) as usize;
                (0..range.slicelength as isize).map(place).collect()
            }
            Err(_) => crate::deals::places(index, self.tricks.len())?.ok_or_else(|| {
                arguments::type_error("a number, a slice, a mask or a list of numbers", index)
            })?,
        };
        let part = Solutions {
            tricks: places.into_iter().map(|place| self.tricks[place]).collect(),
            asked: self.asked.clone(),
        };
        Ok(part.into_pyobject(py)?.into_any())
    }

    /// Returns a data frame of Polars, pandas or PyArrow: the named one, or the first that is installed.
    #[pyo3(signature = (kind=None))]
    fn to_frame<'py>(&self, py: Python<'py>, kind: Option<&str>) -> PyResult<Bound<'py, PyAny>> {
        let frames = py.import("croupier.frames")?;
        frames.call_method1("to_frame", (self.columns()?.into_pyobject(py)?, kind))
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

/// Level, strain, sacrifice, side, declarer and overtricks of a pickled par contract.
type ParContractState = (u8, usize, bool, usize, Option<usize>, u8);

/// Pickled par: the score, the contracts and the vulnerability.
type ParState = (i32, Vec<ParContractState>, usize);

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
        let contract = |par: &croupier::solver::ParContract| {
            let declarer = par.declarer.unwrap_or(par.side.seats()[0]);
            Contract::of(par.contract(), Some(declarer))
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

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, ParState)> {
        let par = &slf.get().0;
        let contract = |it: &croupier::solver::ParContract| {
            let declarer = it.declarer.map(Seat::index);
            let side = it.side.seats()[0].index();
            let strain = it.strain.index();
            (
                it.level,
                strain,
                it.sacrifice,
                side,
                declarer,
                it.overtricks,
            )
        };
        let contracts = par.contracts.iter().map(contract).collect();
        let state = (par.score, contracts, par.vulnerability.index());
        Ok((slf.get_type().getattr("_restored")?, state))
    }

    #[staticmethod]
    fn _restored(score: i32, contracts: Vec<ParContractState>, vulnerable: usize) -> PyResult<Par> {
        let contract =
            |(level, strain, sacrifice, side, declarer, overtricks): ParContractState| {
                let is_valid = (1..=7).contains(&level) && strain < 5;
                is_valid.then(|| croupier::solver::ParContract {
                    level,
                    strain: Strain::from_index(strain),
                    sacrifice,
                    side: Seat::ALL[side % 4].side(),
                    declarer: declarer.map(|seat| Seat::ALL[seat % 4]),
                    overtricks,
                })
            };
        let contracts: Option<Vec<_>> = contracts.into_iter().map(contract).collect();
        let contracts = contracts.ok_or_else(|| value_error("not the state of croupier.Par"))?;
        Ok(Par(croupier::solver::Par {
            score,
            contracts,
            vulnerability: croupier::cards::Vulnerability::ALL[vulnerable % 4],
        }))
    }
}
