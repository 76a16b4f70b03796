//! `croupier.Card`.

use pyo3::prelude::*;

use crate::arguments::{self, value_error};

/// One of the 52 cards: `Card("SA")`, `Card("as")`, `Card("♠A")`, `Card("10h")`.
///
/// Cards are ordered as in a pack sorted for bridge: clubs lowest, the spade ace highest.
#[pyclass(module = "croupier", frozen, eq, ord, hash)]
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Card(pub croupier::cards::Card);

#[pymethods]
impl Card {
    #[new]
    fn new(text: &str) -> PyResult<Card> {
        let card = text.trim().parse().map(Card);
        card.map_err(|error| value_error(format!("{text:?}: {error}")))
    }

    /// The suit.
    #[getter]
    fn suit<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        arguments::suit(py, self.0.suit())
    }

    /// Rank: `A`, `K`, `Q`, `J`, `T` or a digit.
    #[getter]
    fn rank(&self) -> String {
        self.0.rank().letter().to_string()
    }

    /// Number of the card's bit in a mask: 0 for the club deuce to 51 for the spade ace.
    #[getter]
    fn index(&self) -> usize {
        self.0.index()
    }

    fn __str__(&self) -> String {
        format!("{}{}", self.0.suit().letter(), self.0.rank().letter())
    }

    fn __repr__(&self) -> String {
        format!("Card('{}')", self.__str__())
    }

    fn _repr_html_(&self) -> String {
        format!(
            "{}{}",
            crate::html::symbol(self.0.suit()),
            self.0.rank().letter()
        )
    }

    fn __getnewargs__(&self) -> (String,) {
        (self.__str__(),)
    }
}
