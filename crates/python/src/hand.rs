//! `croupier.Hand`.

use croupier::cards::{CardSet, Suit, notation};
use pyo3::prelude::*;
use pyo3::types::PyTuple;

use crate::arguments::{SuitArgument, type_error, value_error};
use crate::card::Card;

/// A hand of up to thirteen cards, in any notation: `AKQ.JT9..8765`, `AKQ JT9 - 8765`, `SAKQ,HJT9`,
/// `♠AKQ ♥JT9`, or cards one by one.
#[pyclass(module = "croupier", frozen, eq, ord, hash)]
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Hand(pub CardSet);

/// Parses cards in any notation of a hand.
pub fn parse(text: &str) -> Result<CardSet, String> {
    let text = text.trim();
    let words: Vec<&str> = text.split_whitespace().collect();
    let plain = |word: &&str| word.chars().all(|c| "AKQJT0123456789-akqjt".contains(c));
    let cards = if text.contains('.') {
        notation::holdings(text)
    } else if words.len() == 4 && words.iter().all(plain) {
        notation::holdings(&words.join("."))
    } else {
        let letters = Suit::ALL.into_iter().fold(text.to_owned(), |text, suit| {
            text.replace(suit.symbol(), &suit.letter().to_string())
        });
        notation::suit_holdings(&letters.replace([';', '-'], " "))
    };
    match cards {
        Ok(cards) if cards.len() > 13 => Err(format!(
            "{text:?} has {} cards; a hand has at most 13",
            cards.len()
        )),
        Ok(cards) => Ok(cards),
        Err(error) => Err(format!("{text:?}: {error}")),
    }
}

/// A hand argument: a hand, a text, or cards.
pub struct HandArgument(pub CardSet);

impl<'a, 'py> FromPyObject<'a, 'py> for HandArgument {
    type Error = PyErr;

    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        if let Ok(hand) = object.cast::<Hand>() {
            return Ok(HandArgument(hand.get().0));
        }
        if let Ok(text) = object.extract::<String>() {
            return parse(&text).map(HandArgument).map_err(value_error);
        }
        let wanted = "a hand, its text or its cards";
        let mut cards = CardSet::EMPTY;
        for item in object.try_iter().map_err(|_| type_error(wanted, &object))? {
            let item = item?;
            let card = match item.cast::<Card>() {
                Ok(card) => card.get().0,
                Err(_) => {
                    let text: String = item.extract().map_err(|_| type_error(wanted, &item))?;
                    text.parse()
                        .map_err(|error| value_error(format!("{text:?}: {error}")))?
                }
            };
            if cards.contains(card) {
                return Err(value_error(format!("{card} appears twice")));
            }
            cards.insert(card);
        }
        if cards.len() > 13 {
            return Err(value_error(format!(
                "{} cards; a hand has at most 13",
                cards.len()
            )));
        }
        Ok(HandArgument(cards))
    }
}

/// Checks that a hand has thirteen cards.
pub fn whole(hand: CardSet) -> PyResult<CardSet> {
    match hand.len() {
        13 => Ok(hand),
        n => Err(value_error(format!(
            "a whole hand has 13 cards; {hand} has {n}"
        ))),
    }
}

#[pymethods]
impl Hand {
    #[new]
    fn new(cards: HandArgument) -> Hand {
        Hand(cards.0)
    }

    /// Returns the hand of a mask: bit 0 is the club deuce, bit 51 the spade ace.
    #[staticmethod]
    fn from_mask(mask: u64) -> PyResult<Hand> {
        let cards = CardSet(mask);
        if mask > CardSet::FULL.0 || cards.len() > 13 {
            return Err(value_error(format!(
                "{mask:#x} is not the mask of a hand: at most 13 of the bits 0 to 51"
            )));
        }
        Ok(Hand(cards))
    }

    /// The cards as a mask: bit 0 is the club deuce, bit 51 the spade ace.
    #[getter]
    fn mask(&self) -> u64 {
        self.0.0
    }

    /// High card points, 4-3-2-1.
    #[getter]
    fn hcp(&self) -> i32 {
        croupier::valuation::hcp(self.0)
    }

    /// Controls: two for an ace, one for a king.
    #[getter]
    fn controls(&self) -> i32 {
        croupier::valuation::controls(self.0)
    }

    /// Losing trick count.
    #[getter]
    fn losers(&self) -> i32 {
        croupier::valuation::losers(self.0)
    }

    /// The modern losing trick count.
    #[getter]
    fn ltc(&self) -> f64 {
        f64::from(croupier::valuation::ltc(self.0)) / 100.0
    }

    /// The Kaplan-Rubens evaluation ("four Cs"), in points.
    #[getter]
    fn cccc(&self) -> PyResult<f64> {
        Ok(f64::from(croupier::valuation::cccc(
            whole(self.0)?,
            croupier::valuation::FourCsVersion::V2,
        )) / 100.0)
    }

    /// Returns the suit quality by Kaplan and Rubens, in points.
    fn quality(&self, suit: SuitArgument) -> f64 {
        f64::from(croupier::valuation::quality(
            self.0.holding(suit.0),
            croupier::valuation::FourCsVersion::V2,
        )) / 100.0
    }

    /// Number of cards in spades, hearts, diamonds and clubs.
    #[getter]
    fn shape<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.0.lengths())
    }

    /// Whether the shape is 4-3-3-3, 4-4-3-2 or 5-3-3-2.
    #[getter]
    fn balanced(&self) -> bool {
        let mut lengths = self.0.lengths();
        lengths.sort_unstable();
        matches!(lengths, [3, 3, 3, 4] | [2, 3, 4, 4] | [2, 3, 3, 5])
    }

    /// Returns the number of cards in a suit.
    fn length(&self, suit: SuitArgument) -> usize {
        self.0.holding(suit.0).len()
    }

    /// Ranks in spades, such as `AK4`.
    #[getter]
    fn spades(&self) -> String {
        self.0.holding(Suit::Spades).to_string()
    }

    /// Ranks in hearts.
    #[getter]
    fn hearts(&self) -> String {
        self.0.holding(Suit::Hearts).to_string()
    }

    /// Ranks in diamonds.
    #[getter]
    fn diamonds(&self) -> String {
        self.0.holding(Suit::Diamonds).to_string()
    }

    /// Ranks in clubs.
    #[getter]
    fn clubs(&self) -> String {
        self.0.holding(Suit::Clubs).to_string()
    }

    /// Returns the ranks in a suit.
    fn __getitem__(&self, suit: SuitArgument) -> String {
        self.0.holding(suit.0).to_string()
    }

    fn __len__(&self) -> usize {
        self.0.len()
    }

    fn __bool__(&self) -> bool {
        !self.0.is_empty()
    }

    fn __contains__(&self, card: &Bound<'_, PyAny>) -> bool {
        let text = || card.extract::<String>().ok()?.parse().ok();
        let card = card
            .cast::<Card>()
            .map(|card| card.get().0)
            .ok()
            .or_else(text);
        card.is_some_and(|card| self.0.contains(card))
    }

    /// The cards, spade ace first.
    #[getter]
    fn cards(&self) -> Vec<Card> {
        self.0.iter().map(Card).collect()
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        Ok(self.cards().into_pyobject(py)?.try_iter()?.into_any())
    }

    fn __or__(&self, other: HandArgument) -> PyResult<Hand> {
        Hand::from_mask((self.0 | other.0).0)
    }

    fn __and__(&self, other: HandArgument) -> Hand {
        Hand(self.0 & other.0)
    }

    fn __sub__(&self, other: HandArgument) -> Hand {
        Hand(self.0 - other.0)
    }

    fn __str__(&self) -> String {
        self.0.to_string()
    }

    fn __repr__(&self) -> String {
        format!("Hand('{}')", self.0)
    }

    fn _repr_html_(&self) -> String {
        crate::html::cards(self.0)
    }

    fn __getnewargs__(&self) -> (String,) {
        (self.__str__(),)
    }
}
