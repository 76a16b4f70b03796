//! `croupier.Contract` and `croupier.Score`.

use std::cmp::Ordering;

use croupier::cards::{Doubling, Seat, Vulnerability, scoring};
use croupier::studies::DeclaredContract;
use pyo3::basic::CompareOp;
use pyo3::prelude::*;

use crate::arguments::{self, SeatArgument, VulnerabilityArgument, type_error, value_error};

/// A contract, with or without declarer and result: `Contract("4S")`, `Contract("3NTx-W")`, `Contract("6H by north")`,
/// `Contract("4HxN")`, `Contract("4HNx=")`, `Contract("3NS-1")`; or `Contract("Pass")`.
///
/// Contracts are ordered as in bidding: a pass is lowest, then level, strain and doubling.
#[pyclass(module = "croupier", frozen, eq, ord, hash)]
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Contract {
    /// Level, strain and doubling; none if the board was passed out.
    pub contract: Option<croupier::cards::Contract>,
    pub declarer: Option<Seat>,
    /// Tricks taken by declarer.
    pub taken: Option<u8>,
}

/// A contract argument: a `Contract` or its text.
pub struct ContractArgument(pub Contract);

impl<'a, 'py> FromPyObject<'a, 'py> for ContractArgument {
    type Error = PyErr;

    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        if let Ok(contract) = object.cast::<Contract>() {
            return Ok(ContractArgument(*contract.get()));
        }
        let text: String = object
            .extract()
            .map_err(|_| type_error("a contract such as 4S-N", &object))?;
        Contract::new(&text, None).map(ContractArgument)
    }
}

/// Reads the part of a text after level and strain: doubling, declarer and result, in any order but the result last.
fn read_rest(text: &str) -> Option<(usize, Option<Seat>, Option<i32>)> {
    let (mut doubled, mut declarer, mut rest) = (0, None, text.trim());
    while let Some(first) = rest.chars().next() {
        let after = &rest[first.len_utf8()..];
        match first {
            'x' | 'X' | '*' if doubled < 2 => {
                doubled += 1;
                rest = after;
            }
            '=' if after.trim().is_empty() => return Some((doubled, declarer, Some(0))),
            '+' | '-' if after.starts_with(|c: char| c.is_ascii_digit()) => {
                let number: i32 = after.trim().parse().ok()?;
                let more = if first == '+' { number } else { -number };
                return Some((doubled, declarer, Some(more)));
            }
            ' ' | '-' | '/' | '@' => rest = after.trim_start(),
            _ if declarer.is_none() => {
                rest = rest.strip_prefix("by ").unwrap_or(rest).trim_start();
                let end = rest.find(|c: char| !c.is_ascii_alphabetic());
                let word = &rest[..end.unwrap_or(rest.len())];
                let seat = word.parse().ok().map(|seat| (seat, word.len()));
                let letter = || Some((rest.get(..1)?.parse().ok()?, 1));
                let (seat, length) = seat.or_else(letter)?;
                declarer = Some(seat);
                rest = &rest[length..];
            }
            _ => return None,
        }
    }
    Some((doubled, declarer, None))
}

/// Reads a contract; `None` if the text is none.
fn read(text: &str) -> Option<Contract> {
    let text = text.trim();
    if ["pass", "p", "passed out", "all pass"].contains(&text.to_ascii_lowercase().as_str()) {
        return Some(Contract {
            contract: None,
            declarer: None,
            taken: None,
        });
    }
    let level = text.chars().next()?.to_digit(10)?;
    let mut rest = text.get(1..)?.trim_start().chars();
    let strain = match rest.next()?.to_ascii_uppercase() {
        'N' => "N",
        'S' | '♠' => "S",
        'H' | '♥' => "H",
        'D' | '♦' => "D",
        'C' | '♣' => "C",
        _ => return None,
    };
    let rest = rest.as_str();
    let is_notrump = strain == "N" && rest.starts_with(['t', 'T']);
    let rest = if is_notrump { &rest[1..] } else { rest };
    let (doubled, declarer, more) = read_rest(rest)?;
    let bid = format!("{level}{strain}{}", "x".repeat(doubled));
    let contract: croupier::cards::Contract = bid.parse().ok()?;
    let taken = match more {
        None => None,
        Some(more) => {
            let taken = i32::from(contract.tricks_needed()) + more;
            Some(u8::try_from(taken).ok().filter(|&taken| taken <= 13)?)
        }
    };
    Some(Contract {
        contract: Some(contract),
        declarer,
        taken,
    })
}

impl PartialOrd for Contract {
    fn partial_cmp(&self, other: &Contract) -> Option<Ordering> {
        let rank = |it: &Contract| {
            let strain = it.contract.map(|contract| contract.strain.index());
            let declarer = it.declarer.map(Seat::index);
            (it.level(), strain, it.doubled(), declarer, it.taken)
        };
        Some(rank(self).cmp(&rank(other)))
    }
}

impl Contract {
    /// Creates a contract without a result.
    pub fn of(contract: croupier::cards::Contract, declarer: Option<Seat>) -> Contract {
        Contract {
            contract: Some(contract),
            declarer,
            taken: None,
        }
    }

    /// Returns level, strain and doubling.
    ///
    /// # Errors
    /// `ValueError` if the board was passed out.
    pub fn bid(&self) -> PyResult<croupier::cards::Contract> {
        self.contract
            .ok_or_else(|| value_error("a board that was passed out has no contract"))
    }

    /// Returns the contract with its declarer; South if it names none.
    ///
    /// # Errors
    /// `ValueError` if the board was passed out.
    pub fn declared(&self) -> PyResult<DeclaredContract> {
        Ok(DeclaredContract {
            contract: self.bid()?,
            declarer: self.declarer.unwrap_or(Seat::South),
        })
    }
}

/// Returns whether declarer is vulnerable. The argument is a bool, or the vulnerable sides.
fn is_vulnerable(vulnerable: Option<&Bound<'_, PyAny>>, declarer: Option<Seat>) -> PyResult<bool> {
    let Some(object) = vulnerable else {
        return Ok(false);
    };
    if let Ok(plain) = object.extract::<bool>() {
        return Ok(plain);
    }
    let VulnerabilityArgument(who) = object.extract()?;
    match (who, declarer) {
        (Vulnerability::None, _) => Ok(false),
        (Vulnerability::Both, _) => Ok(true),
        (who, Some(seat)) => Ok(who.includes(seat.side())),
        (_, None) => Err(value_error(
            "the contract has no declarer: write vulnerable=True or False",
        )),
    }
}

#[pymethods]
impl Contract {
    #[new]
    #[pyo3(signature = (text, declarer=None))]
    fn new(text: &str, declarer: Option<SeatArgument>) -> PyResult<Contract> {
        let contract = read(text).ok_or_else(|| {
            value_error(format!(
                "{text:?} is not a contract such as 4S, 3N-W, 5DxN, 4HNx= or Pass"
            ))
        })?;
        Ok(Contract {
            declarer: declarer.map(|seat| seat.0).or(contract.declarer),
            ..contract
        })
    }

    /// Whether the board was passed out.
    #[getter]
    fn is_pass(&self) -> bool {
        self.contract.is_none()
    }

    /// Level, 1 to 7; 0 if the board was passed out.
    #[getter]
    fn level(&self) -> u8 {
        self.contract.map_or(0, |contract| contract.level())
    }

    /// Trump suit, or notrump.
    #[getter]
    fn strain<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        arguments::strain(py, self.bid()?.strain)
    }

    /// The doubling: 0 for undoubled, 1 for doubled, 2 for redoubled.
    #[getter]
    fn doubled(&self) -> u8 {
        match self.contract.map(|contract| contract.doubling) {
            None | Some(Doubling::Undoubled) => 0,
            Some(Doubling::Doubled) => 1,
            Some(Doubling::Redoubled) => 2,
        }
    }

    /// Declarer, if the contract names one.
    #[getter]
    fn declarer<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        self.declarer
            .map(|seat| arguments::seat(py, seat))
            .transpose()
    }

    /// Number of tricks that makes the contract; 0 if the board was passed out.
    #[getter]
    fn tricks_needed(&self) -> u8 {
        self.contract.map_or(0, |contract| contract.tricks_needed())
    }

    /// Number of tricks that declarer took, if the contract has a result.
    #[getter]
    fn result(&self) -> Option<u8> {
        self.taken
    }

    /// Returns the score of declarer's side for this number of tricks, or for the result of the contract. `vulnerable` is
    /// a bool, or the vulnerable sides (then the contract must name its declarer).
    #[pyo3(signature = (tricks=None, vulnerable=None))]
    fn score(&self, tricks: Option<i32>, vulnerable: Option<&Bound<'_, PyAny>>) -> PyResult<Score> {
        let Some(contract) = self.contract else {
            return Ok(Score(0));
        };
        let tricks = tricks.or(self.taken.map(i32::from));
        let tricks = tricks.ok_or_else(|| {
            value_error(format!("{} has no result: give tricks=", self.__str__()))
        })?;
        if !(0..=13).contains(&tricks) {
            return Err(value_error(format!(
                "tricks must be from 0 to 13, not {tricks}"
            )));
        }
        let vulnerable = is_vulnerable(vulnerable, self.declarer)?;
        Ok(Score(contract.score(vulnerable, tricks)))
    }

    fn __str__(&self) -> String {
        let Some(contract) = self.contract else {
            return "Pass".to_owned();
        };
        let mut text = contract.to_string();
        if let Some(seat) = self.declarer {
            text = format!("{text}-{}", seat.letter());
        }
        match self.taken {
            None => text,
            Some(taken) => match i32::from(taken) - i32::from(contract.tricks_needed()) {
                0 => format!("{text}="),
                more => format!("{text}{more:+}"),
            },
        }
    }

    fn __repr__(&self) -> String {
        format!("Contract('{}')", self.__str__())
    }

    fn _repr_html_(&self) -> String {
        let Some(contract) = self.contract else {
            return "Pass".to_owned();
        };
        let name = contract.strain.suit();
        let name = name.map_or("NT".to_owned(), crate::html::symbol);
        let doubled = ["", "×", "××"][usize::from(self.doubled())];
        let by = self
            .declarer
            .map_or(String::new(), |seat| format!(" {}", seat.letter()));
        format!("{}{name}{doubled}{by}", contract.level())
    }

    fn __getnewargs__(&self) -> (String,) {
        (self.__str__(),)
    }
}

/// Points on a board: `Score(420)`, `Score("-50")`. Compares, adds and hashes as the number.
#[pyclass(module = "croupier", frozen)]
#[derive(Clone, Copy)]
pub struct Score(pub i32);

/// A score argument: a `Score`, a number, or its text.
pub struct ScoreArgument(i32);

impl<'a, 'py> FromPyObject<'a, 'py> for ScoreArgument {
    type Error = PyErr;

    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        if let Ok(score) = object.cast::<Score>() {
            return Ok(ScoreArgument(score.get().0));
        }
        if let Ok(text) = object.extract::<String>() {
            let number = text.trim().replace('−', "-").parse();
            return number
                .map(ScoreArgument)
                .map_err(|_| value_error(format!("{text:?} is not a score such as 420 or -50")));
        }
        object
            .extract()
            .map(ScoreArgument)
            .map_err(|_| type_error("a score", &object))
    }
}

#[pymethods]
impl Score {
    #[new]
    fn new(points: ScoreArgument) -> Score {
        Score(points.0)
    }

    /// Points as a number.
    #[getter]
    fn points(&self) -> i32 {
        self.0
    }

    /// Returns the international match points against another score on the same board.
    #[pyo3(signature = (other=ScoreArgument(0)))]
    fn imps(&self, other: ScoreArgument) -> i32 {
        scoring::imps(self.0.saturating_sub(other.0))
    }

    /// Returns the score of the other side.
    fn __neg__(&self) -> Score {
        Score(self.0.saturating_neg())
    }

    fn __add__(&self, other: ScoreArgument) -> Score {
        Score(self.0.saturating_add(other.0))
    }

    fn __radd__(&self, other: ScoreArgument) -> Score {
        self.__add__(other)
    }

    fn __sub__(&self, other: ScoreArgument) -> Score {
        Score(self.0.saturating_sub(other.0))
    }

    fn __rsub__(&self, other: ScoreArgument) -> Score {
        Score(other.0.saturating_sub(self.0))
    }

    fn __int__(&self) -> i32 {
        self.0
    }

    fn __index__(&self) -> i32 {
        self.0
    }

    fn __float__(&self) -> f64 {
        f64::from(self.0)
    }

    fn __bool__(&self) -> bool {
        self.0 != 0
    }

    fn __richcmp__<'py>(
        &self,
        other: &Bound<'py, PyAny>,
        compare: CompareOp,
    ) -> PyResult<Bound<'py, PyAny>> {
        let py = other.py();
        let number = match other.cast::<Score>() {
            Ok(score) => score.get().0.into_pyobject(py)?.into_any(),
            Err(_) => other.clone(),
        };
        self.0.into_pyobject(py)?.rich_compare(number, compare)
    }

    fn __hash__(&self, py: Python<'_>) -> PyResult<isize> {
        self.0.into_pyobject(py)?.hash()
    }

    fn __str__(&self) -> String {
        format!("{:+}", self.0)
    }

    fn __repr__(&self) -> String {
        format!("Score({})", self.0)
    }

    fn __getnewargs__(&self) -> (i32,) {
        (self.0,)
    }
}
