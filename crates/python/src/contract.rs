//! `croupier.Contract` and `croupier.Score`.

use croupier::cards::{Doubling, Seat, Vulnerability, scoring};
use croupier::studies::{DeclaredContract, ParseDeclaredContractError};
use pyo3::basic::CompareOp;
use pyo3::prelude::*;

use crate::arguments::{self, SeatArgument, VulnerabilityArgument, type_error, value_error};

/// A contract, with or without a declarer: `Contract("4S")`, `Contract("3NTx-W")`, `Contract("6H by north")`.
#[pyclass(module = "croupier", frozen, eq, hash)]
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Contract {
    pub contract: croupier::cards::Contract,
    pub declarer: Option<Seat>,
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

impl Contract {
    /// Returns the contract with its declarer; South if it names none.
    pub fn declared(&self) -> DeclaredContract {
        DeclaredContract {
            contract: self.contract,
            declarer: self.declarer.unwrap_or(Seat::South),
        }
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
            "the contract has no declarer: say vulnerable=True or False",
        )),
    }
}

#[pymethods]
impl Contract {
    #[new]
    #[pyo3(signature = (text, declarer=None))]
    fn new(text: &str, declarer: Option<SeatArgument>) -> PyResult<Contract> {
        let declared: DeclaredContract = text
            .trim()
            .parse()
            .map_err(|error: ParseDeclaredContractError| value_error(error.to_string()))?;
        let named = text
            .contains([' ', '-', '/', '@'])
            .then_some(declared.declarer);
        Ok(Contract {
            contract: declared.contract,
            declarer: declarer.map(|seat| seat.0).or(named),
        })
    }

    /// Level, 1 to 7.
    #[getter]
    fn level(&self) -> u8 {
        self.contract.level()
    }

    /// Trump suit, or notrump.
    #[getter]
    fn strain<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        arguments::strain(py, self.contract.strain)
    }

    /// 0 for undoubled, 1 for doubled, 2 for redoubled.
    #[getter]
    fn doubled(&self) -> u8 {
        match self.contract.doubling {
            Doubling::Undoubled => 0,
            Doubling::Doubled => 1,
            Doubling::Redoubled => 2,
        }
    }

    /// Declarer, if the contract names one.
    #[getter]
    fn declarer<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        self.declarer
            .map(|seat| arguments::seat(py, seat))
            .transpose()
    }

    /// Number of tricks that makes the contract.
    #[getter]
    fn tricks_needed(&self) -> u8 {
        self.contract.tricks_needed()
    }

    /// Returns the score of declarer's side for this number of tricks. `vulnerable` is a bool, or the vulnerable sides
    /// (then the contract must name its declarer).
    #[pyo3(signature = (tricks, vulnerable=None))]
    fn score(&self, tricks: i32, vulnerable: Option<&Bound<'_, PyAny>>) -> PyResult<Score> {
        if !(0..=13).contains(&tricks) {
            return Err(value_error(format!("{tricks} tricks; there are 0 to 13")));
        }
        let vulnerable = is_vulnerable(vulnerable, self.declarer)?;
        Ok(Score(self.contract.score(vulnerable, tricks)))
    }

    fn __str__(&self) -> String {
        match self.declarer {
            None => self.contract.to_string(),
            Some(seat) => format!("{}-{}", self.contract, seat.letter()),
        }
    }

    fn __repr__(&self) -> String {
        format!("Contract('{}')", self.__str__())
    }

    fn _repr_html_(&self) -> String {
        let strain = self.contract.strain;
        let name = strain.suit().map_or("NT".to_owned(), crate::html::symbol);
        let doubled = ["", "×", "××"][usize::from(self.doubled())];
        let by = self
            .declarer
            .map_or(String::new(), |seat| format!(" {}", seat.letter()));
        format!("{}{name}{doubled}{by}", self.contract.level())
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

    /// International match points against another score on the same board.
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

    fn __sub__(&self, other: ScoreArgument) -> Score {
        Score(self.0.saturating_sub(other.0))
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
