//! `croupier.Deal`.

use croupier::cards::{BySeat, Seat, Suit, Vulnerability};
use croupier::formats::{Board as FileBoard, OutputFormat, Reader, Writer};
use pyo3::prelude::*;
use pyo3::types::PyTuple;

use crate::arguments::{self, SeatArgument, type_error, value_error};
use crate::board::Board;
use crate::card::CardArgument;
use crate::hand::{Hand, HandArgument, whole};
use crate::html;

/// Four hands of thirteen cards, from a text in any notation or file format (`Deal("N:AKJ.KQJ.A9873.Q9 ...")`, a line
/// of `printoneline`, a PBN or LIN record), or from hands (`Deal(north=..., east=..., south=..., west=...)`; one hand
/// may be left out).
#[pyclass(module = "croupier", frozen, eq, ord, hash)]
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Deal(pub croupier::cards::Deal);

/// Parses a deal in one of the two one-line notations, or a text in a file format with exactly one deal.
pub fn parse(text: &str) -> Result<croupier::cards::Deal, String> {
    let error = match text.parse() {
        Ok(deal) => return Ok(deal),
        Err(error) => error,
    };
    let boards = Reader::new(text.as_bytes()).into_iter().flatten();
    let mut found = boards.filter_map(|board| board.ok()?.deal());
    match (found.next(), found.next()) {
        (Some(deal), None) => Ok(deal),
        (Some(_), Some(_)) => {
            Err("the text holds more than one deal; croupier.read_text gives all".to_owned())
        }
        (None, _) => Err(format!("{text:?} is not a deal: {error}")),
    }
}

/// A deal argument: a deal, a board or a text.
pub struct DealArgument(pub croupier::cards::Deal);

impl<'a, 'py> FromPyObject<'a, 'py> for DealArgument {
    type Error = PyErr;

    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        if let Ok(deal) = object.cast::<Deal>() {
            return Ok(DealArgument(deal.get().0));
        }
        if let Ok(board) = object.cast::<Board>() {
            return board.get().whole().map(DealArgument);
        }
        let text: String = object
            .extract()
            .map_err(|_| type_error("a deal, a board or the text of a deal", &object))?;
        parse(&text).map(DealArgument).map_err(value_error)
    }
}

/// Draws the hands around a compass: North above, West and East beside it, South below.
pub fn compass_text(deal: &croupier::cards::Deal, board: Option<u64>) -> String {
    const WIDTH: usize = 17;
    let lines = |seat: Seat| {
        Suit::DESCENDING.map(|suit| match deal.hand(seat).holding(suit) {
            held if held.is_empty() => format!("{} -", suit.symbol()),
            held => format!("{} {held}", suit.symbol()),
        })
    };
    let mut heading: Vec<String> = Vec::new();
    if let Some(number) = board {
        let dealer = match Seat::dealer_of_board(number.max(1)) {
            Seat::North => "North",
            Seat::East => "East",
            Seat::South => "South",
            Seat::West => "West",
        };
        let vulnerable = match Vulnerability::of_board(number.max(1)) {
            Vulnerability::None => "none vulnerable",
            Vulnerability::NorthSouth => "NS vulnerable",
            Vulnerability::EastWest => "EW vulnerable",
            Vulnerability::Both => "both vulnerable",
        };
        heading = vec![
            format!("Board {number}"),
            format!("{dealer} deals"),
            vulnerable.to_owned(),
        ];
    }
    let mut rows = Vec::new();
    for (place, line) in lines(Seat::North).into_iter().enumerate() {
        let left = heading.get(place).map_or("", String::as_str);
        rows.push(format!("{left:WIDTH$}{line}"));
    }
    let compass = ["   N   ", " W   E ", "   S   ", ""];
    for ((west, east), middle) in lines(Seat::West)
        .into_iter()
        .zip(lines(Seat::East))
        .zip(compass)
    {
        rows.push(format!("{west:WIDTH$}{middle:WIDTH$}{east}"));
    }
    for line in lines(Seat::South) {
        rows.push(format!("{:WIDTH$}{line}", ""));
    }
    let rows: Vec<&str> = rows.iter().map(|row| row.trim_end()).collect();
    rows.join("\n")
}

/// Returns the text format named `name`.
pub fn text_format(name: &str) -> PyResult<OutputFormat> {
    let known = OutputFormat::from_name(name).filter(|it| !it.is_binary());
    known.ok_or_else(|| {
        value_error(format!(
            "{name:?} is not a text format: pbn, lin, oneline, compact, all, csv, json"
        ))
    })
}

fn from_hands(given: [Option<HandArgument>; 4]) -> PyResult<croupier::cards::Deal> {
    let mut hands = [None; 4];
    for (place, hand) in hands.iter_mut().zip(given) {
        *place = hand.map(|hand| whole(hand.0)).transpose()?;
    }
    match croupier::formats::Hands(BySeat(hands)).complete() {
        Ok(Some(deal)) => Ok(deal),
        Ok(None) => Err(value_error(
            "a deal needs a text, or at least three of north=, east=, south=, west=",
        )),
        Err(error) => Err(value_error(error)),
    }
}

#[pymethods]
impl Deal {
    #[new]
    #[pyo3(signature = (text=None, *, north=None, east=None, south=None, west=None))]
    fn new(
        text: Option<DealArgument>,
        north: Option<HandArgument>,
        east: Option<HandArgument>,
        south: Option<HandArgument>,
        west: Option<HandArgument>,
    ) -> PyResult<Deal> {
        let hands = [north, east, south, west];
        match text {
            Some(_) if hands.iter().any(Option::is_some) => Err(value_error(
                "a deal is given by a text or by its hands, not by both",
            )),
            Some(deal) => Ok(Deal(deal.0)),
            None => from_hands(hands).map(Deal),
        }
    }

    /// Returns the deal with these masks, North first.
    #[staticmethod]
    fn from_masks(masks: [u64; 4]) -> PyResult<Deal> {
        let deal = croupier::cards::Deal::new(masks.map(croupier::cards::CardSet));
        deal.map(Deal).map_err(value_error)
    }

    /// Masks of the four hands, North first.
    #[getter]
    fn masks<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.0.hands().map(|hand| hand.0))
    }

    /// Returns the hand of a seat.
    fn __getitem__(&self, seat: SeatArgument) -> Hand {
        Hand(self.0.hand(seat.0))
    }

    /// North's hand.
    #[getter]
    fn north(&self) -> Hand {
        Hand(self.0.hand(Seat::North))
    }

    /// East's hand.
    #[getter]
    fn east(&self) -> Hand {
        Hand(self.0.hand(Seat::East))
    }

    /// South's hand.
    #[getter]
    fn south(&self) -> Hand {
        Hand(self.0.hand(Seat::South))
    }

    /// West's hand.
    #[getter]
    fn west(&self) -> Hand {
        Hand(self.0.hand(Seat::West))
    }

    /// The four hands, North first.
    #[getter]
    fn hands<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.0.hands().map(Hand))
    }

    /// Returns the seat that holds a card.
    fn holder<'py>(&self, py: Python<'py>, card: CardArgument) -> PyResult<Bound<'py, PyAny>> {
        arguments::seat(py, self.0.holder(card.0))
    }

    /// Returns a diagram of the four hands around a compass, as text. `board` is a number that gives dealer and
    /// vulnerability.
    #[pyo3(signature = (board=None))]
    fn show(&self, board: Option<u64>) -> String {
        compass_text(&self.0, board)
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        Ok(self.hands(py)?.try_iter()?.into_any())
    }

    fn __len__(&self) -> usize {
        4
    }

    /// Returns the deal with the hands of two seats exchanged.
    fn swapped(&self, first: SeatArgument, second: SeatArgument) -> Deal {
        Deal(self.0.swapped(first.0, second.0))
    }

    /// Returns the deal rotated clockwise: with 1, East gets North's cards.
    #[pyo3(signature = (steps=1))]
    fn rotated(&self, steps: i64) -> Deal {
        Deal(self.0.rotated(steps.rem_euclid(4) as usize))
    }

    /// Formats the deal: `pbn`, `lin`, `oneline`, `compact`, `all`, `csv` or `json`. `board` is its number.
    #[pyo3(signature = (format="oneline", board=1))]
    #[expect(
        clippy::wrong_self_convention,
        reason = "methods of Python objects borrow them"
    )]
    fn to_text(&self, format: &str, board: u64) -> PyResult<String> {
        let format = text_format(format)?;
        let mut text = Vec::new();
        Writer::new(format).write(
            &mut text,
            &FileBoard::duplicate(&self.0, board.max(1)),
            &self.0,
        );
        Ok(String::from_utf8_lossy(&text).into_owned())
    }

    fn __str__(&self) -> String {
        self.0.to_string()
    }

    fn __repr__(&self) -> String {
        format!("Deal('{}')", self.0)
    }

    fn _repr_html_(&self) -> String {
        html::compass(&self.0)
    }

    fn __getnewargs__(&self) -> (String,) {
        (self.__str__(),)
    }
}
