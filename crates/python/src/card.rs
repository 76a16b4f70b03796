//! `croupier.Card`.

use pyo3::prelude::*;

use crate::arguments::{self, type_error, value_error};

/// One of the 52 cards: `Card("SA")`, `Card("as")`, `Card("♠A")`, `Card("10h")`.
///
/// Cards are ordered as in a pack sorted for bridge: clubs lowest, the spade ace highest.
#[pyclass(module = "croupier", frozen, eq, ord, hash)]
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Card(pub croupier::cards::Card);

impl Card {
    /// Returns suit and rank: `SA`.
    pub fn text(&self) -> String {
        format!("{}{}", self.0.suit().letter(), self.0.rank().letter())
    }
}

/// A card argument: a `Card` or its text.
#[derive(Clone, Copy)]
pub struct CardArgument(pub croupier::cards::Card);

impl<'a, 'py> FromPyObject<'a, 'py> for CardArgument {
    type Error = PyErr;

    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        if let Ok(card) = object.cast::<Card>() {
            return Ok(CardArgument(card.get().0));
        }
        let text: String = object
            .extract()
            .map_err(|_| type_error("a card", &object))?;
        Card::new(&text).map(|card| CardArgument(card.0))
    }
}

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

    /// The rank.
    #[getter]
    fn rank<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        arguments::rank(py, self.0.rank())
    }

    /// Number of the card's bit in a mask: 0 for the club deuce to 51 for the spade ace.
    #[getter]
    fn index(&self) -> usize {
        self.0.index()
    }

    fn __str__(&self) -> String {
        self.text()
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
