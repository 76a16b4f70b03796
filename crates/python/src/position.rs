//! `croupier.Position`: a position in the play, and reviews of recorded play.

use croupier::cards::{CardSet, Seat, Strain, notation};
use croupier::solver::{
    Played, Position as SolverPosition, PositionError, Solver, SolverBatch, Swing,
};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

use crate::arguments::{self, SeatArgument, StrainArgument, type_error, value_error};
use crate::board::Board;
use crate::card::{Card, CardArgument};
use crate::contract::ContractArgument;
use crate::deal::DealArgument;
use crate::hand::{Hand, HandArgument};
use crate::waiting::{Events, Link, wait};

/// A position in the play: four hands of equal length, the strain, the leader of the trick and the cards played to it.
///
/// `Position("N:AQ... 32... 54... KJ...", "NT", "S")` is an ending with South on lead. `hands` is a deal, a board, the text of four
/// hands, or a dictionary of seats; hands do not contain the cards of `trick`.
#[pyclass(module = "croupier", frozen, eq)]
#[derive(Clone, PartialEq, Eq)]
pub struct Position(pub SolverPosition);

/// Four hands of any length.
struct HandsArgument([CardSet; 4]);

/// Reads `N:AQ... 32... 54... KJ...`: the first seat, then the hands clockwise.
fn parse(text: &str) -> Result<[CardSet; 4], String> {
    let wrong = || format!("{text:?} is not four hands such as N:AQ... 32... 54... KJ...");
    let (first, rest) = text.trim().split_once(':').ok_or_else(wrong)?;
    let first: Seat = first.trim().parse().map_err(|_| wrong())?;
    let words: Vec<&str> = rest.split_whitespace().collect();
    let words: [&str; 4] = words.try_into().map_err(|_| wrong())?;
    let mut hands = [CardSet::EMPTY; 4];
    for (place, word) in words.into_iter().enumerate() {
        let hand = match word {
            "-" => CardSet::EMPTY,
            cards => notation::holdings(cards).map_err(|error| format!("{cards:?}: {error}"))?,
        };
        hands[first.clockwise(place).index()] = hand;
    }
    Ok(hands)
}

impl<'a, 'py> FromPyObject<'a, 'py> for HandsArgument {
    type Error = PyErr;

    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        if let Ok(DealArgument(deal)) = object.extract::<DealArgument>() {
            return Ok(HandsArgument(deal.hands()));
        }
        if let Ok(board) = object.cast::<Board>() {
            let hands = board.get().0.hands.0;
            let known = Seat::ALL.map(|seat| hands[seat].unwrap_or_default());
            return Ok(HandsArgument(known));
        }
        if let Ok(text) = object.extract::<String>() {
            return parse(&text).map(HandsArgument).map_err(value_error);
        }
        let mut hands = [CardSet::EMPTY; 4];
        if let Ok(named) = object.cast::<PyDict>() {
            for (seat, hand) in named.iter() {
                let seat: SeatArgument = seat.extract()?;
                hands[seat.0.index()] = hand.extract::<HandArgument>()?.0;
            }
            return Ok(HandsArgument(hands));
        }
        let wanted = "a deal, a board, four hands or a dictionary of seats";
        let items: Vec<HandArgument> = object.extract().map_err(|_| type_error(wanted, &object))?;
        let items: [HandArgument; 4] = items
            .try_into()
            .map_err(|_| value_error("a position has four hands, North first"))?;
        Ok(HandsArgument(items.map(|hand| hand.0)))
    }
}

fn wrong(error: PositionError) -> PyErr {
    value_error(error)
}

/// Runs a search on a solver of its own, which Ctrl-C ends.
pub fn search<T: Send + 'static>(
    py: Python<'_>,
    work: impl FnOnce(&mut Solver) -> T + Send + 'static,
) -> PyResult<T> {
    let link = Link::default();
    let cancel = std::sync::Arc::clone(&link.cancel);
    let run = move |_: &Events<(), _>| Solver::new().with_cancellation(&cancel, work);
    let found = wait(py, &link, None, run, |()| Ok(()))?;
    found.ok_or_else(|| pyo3::exceptions::PyRuntimeError::new_err("the search was stopped"))
}

/// Seat, card, equally good cards and the tricks of North-South from here on.
type StepRow<'py> = (Bound<'py, PyAny>, Card, Hand, u8);

/// Higher card, its seat, lower card, its seat and the tricks of North-South after their exchange.
type SwingRow<'py> = (Card, Bound<'py, PyAny>, Card, Bound<'py, PyAny>, u8);

/// Tricks of North-South, deciding cards and swings.
type DecidingRow<'py> = (u8, Hand, Vec<SwingRow<'py>>);

/// Seat, card, cost, better cards and the tricks of North-South in all.
type PlayedRow<'py> = (Bound<'py, PyAny>, Card, u8, Hand, u8);

#[pymethods]
impl Position {
    #[new]
    #[pyo3(signature = (hands, strain, leader, trick=Vec::new()))]
    fn new(
        hands: HandsArgument,
        strain: StrainArgument,
        leader: SeatArgument,
        trick: Vec<CardArgument>,
    ) -> PyResult<Position> {
        let trick: Vec<croupier::cards::Card> = trick.into_iter().map(|card| card.0).collect();
        let position = SolverPosition::new(hands.0, strain.0, leader.0, &trick);
        position.map(Position).map_err(wrong)
    }

    /// Returns the position before the opening lead against a contract.
    #[staticmethod]
    fn opening(deal: DealArgument, contract: ContractArgument) -> PyResult<Position> {
        let declared = contract.0.declared()?;
        let strain = declared.contract.strain;
        Ok(Position(SolverPosition::opening(
            &deal.0,
            declared.declarer,
            strain,
        )))
    }

    /// The cards that each seat still holds, North first.
    #[getter]
    fn hands<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.0.hands().map(Hand))
    }

    /// Returns the cards that a seat still holds.
    fn __getitem__(&self, seat: SeatArgument) -> Hand {
        Hand(self.0.hands()[seat.0.index()])
    }

    /// Trump suit, or notrump.
    #[getter]
    fn strain<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        arguments::strain(py, self.0.strain())
    }

    /// Seat that leads, or has led, to this trick.
    #[getter]
    fn leader<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        arguments::seat(py, self.0.leader())
    }

    /// Seat that plays next.
    #[getter]
    fn to_play<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        arguments::seat(py, self.0.to_play())
    }

    /// Cards on the table, at most three.
    #[getter]
    fn trick(&self) -> Vec<Card> {
        self.0.trick().iter().copied().map(Card).collect()
    }

    /// Number of tricks left, the current one included.
    #[getter]
    fn tricks_left(&self) -> usize {
        self.0.tricks_left()
    }

    /// Cards that can be played.
    #[getter]
    fn legal(&self) -> Hand {
        Hand(self.0.legal())
    }

    /// Returns the position after a card.
    fn play(&self, card: CardArgument) -> PyResult<Position> {
        let mut next = self.0.clone();
        next.play(card.0).map_err(wrong)?;
        Ok(Position(next))
    }

    /// Returns the tricks of North-South from here on, the current trick included.
    fn north_south(&self, py: Python<'_>) -> PyResult<u8> {
        let position = self.0.clone();
        search(py, move |solver| solver.north_south(&position))
    }

    /// Returns the tricks that the side to play takes from here on after each legal card, best card first.
    fn choices<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let position = self.0.clone();
        let choices = search(py, move |solver| solver.choices(&position))?;
        let rows = PyDict::new(py);
        for choice in choices.distinct() {
            for card in choice.cards().iter() {
                rows.set_item(Card(card), choice.tricks)?;
            }
        }
        Ok(rows)
    }

    /// Returns an optimal line to the end: seat, card, equally good cards, tricks of North-South from here on.
    fn line<'py>(&self, py: Python<'py>) -> PyResult<Vec<StepRow<'py>>> {
        let position = self.0.clone();
        let steps = search(py, move |solver| solver.line(&position))?;
        let step = |it: croupier::solver::OptimalPlay| {
            let seat = arguments::seat(py, it.seat)?;
            Ok((seat, Card(it.card), Hand(it.alternatives), it.north_south))
        };
        steps.into_iter().map(step).collect()
    }

    /// Returns the tricks of North-South, the cards whose ranks decide them, and the exchanges of two adjacent cards that
    /// change the result: higher card, its seat, lower card, its seat, tricks of North-South after the exchange.
    fn deciding_cards<'py>(&self, py: Python<'py>) -> PyResult<DecidingRow<'py>> {
        let position = self.0.clone();
        let (deciding, swings) = search(py, move |solver| {
            let deciding = solver.deciding_cards(&position);
            (deciding, solver.swings(&position))
        })?;
        let row = |it: Swing| {
            let seat = arguments::seat(py, it.seat)?;
            let lower_seat = arguments::seat(py, it.lower_seat)?;
            Ok((
                Card(it.card),
                seat,
                Card(it.lower),
                lower_seat,
                it.north_south,
            ))
        };
        let swings: PyResult<Vec<SwingRow<'py>>> = swings.into_iter().map(row).collect();
        Ok((deciding.north_south, Hand(deciding.cards), swings?))
    }

    /// Returns the optimal cards at each turn if these cards are played from here on.
    fn optimal_cards(&self, py: Python<'_>, cards: Vec<CardArgument>) -> PyResult<Vec<Hand>> {
        let position = self.0.clone();
        let cards: Vec<croupier::cards::Card> = cards.into_iter().map(|card| card.0).collect();
        let rows = search(py, move |solver| solver.optimal_cards(&position, &cards))?;
        Ok(rows.map_err(value_error)?.into_iter().map(Hand).collect())
    }

    /// Returns the double-dummy cost of each of these cards, played from here on.
    fn review<'py>(
        &self,
        py: Python<'py>,
        cards: Vec<CardArgument>,
    ) -> PyResult<Vec<PlayedRow<'py>>> {
        let position = self.0.clone();
        let cards: Vec<croupier::cards::Card> = cards.into_iter().map(|card| card.0).collect();
        let played = search(py, move |solver| solver.review(&position, &cards))?;
        let row = |it: Played| {
            let seat = arguments::seat(py, it.seat)?;
            Ok((
                seat,
                Card(it.card),
                it.cost,
                Hand(it.better),
                it.north_south,
            ))
        };
        played.map_err(value_error)?.into_iter().map(row).collect()
    }

    fn __str__(&self) -> String {
        let hand = |cards: CardSet| match cards.is_empty() {
            true => "-".to_owned(),
            false => cards.to_string(),
        };
        format!("N:{}", self.0.hands().map(hand).join(" "))
    }

    fn __repr__(&self) -> String {
        let strain = match self.0.strain() {
            Strain::Notrump => "NT".to_owned(),
            suit => suit.letter().to_string(),
        };
        let mut trick = String::new();
        if !self.0.trick().is_empty() {
            let cards: Vec<String> = self
                .trick()
                .iter()
                .map(|card| format!("'{}'", card.text()))
                .collect();
            trick = format!(", [{}]", cards.join(", "));
        }
        let (hands, leader) = (self.__str__(), self.0.leader().letter());
        format!("Position('{hands}', '{strain}', '{leader}'{trick})")
    }

    fn __getnewargs__(&self) -> (String, String, String, Vec<String>) {
        let trick = self.trick().iter().map(Card::text).collect();
        let strain = self.0.strain().letter().to_string();
        (
            self.__str__(),
            strain,
            self.0.leader().letter().to_string(),
            trick,
        )
    }
}

/// Computes the tricks after each legal card of many positions, on several threads. Related positions next to each other
/// share work.
#[pyfunction]
#[pyo3(signature = (positions, *, threads=0))]
pub fn solve_positions<'py>(
    py: Python<'py>,
    positions: Vec<PyRef<'py, Position>>,
    threads: usize,
) -> PyResult<Vec<Bound<'py, PyDict>>> {
    let positions: Vec<SolverPosition> = positions.iter().map(|it| it.0.clone()).collect();
    let threads = match threads {
        0 => std::thread::available_parallelism().map_or(1, usize::from),
        threads => threads,
    };
    let link = Link::default();
    let cancel = std::sync::Arc::clone(&link.cancel);
    let run = move |_: &Events<(), _>| {
        SolverBatch::new(threads).with_cancellation(&cancel, |batch| batch.choices(&positions))
    };
    let found = wait(py, &link, None, run, |()| Ok(()))?;
    let found =
        found.ok_or_else(|| pyo3::exceptions::PyRuntimeError::new_err("the search was stopped"))?;
    let row = |choices: croupier::solver::Choices| {
        let row = PyDict::new(py);
        for choice in choices.distinct() {
            for card in choice.cards().iter() {
                row.set_item(Card(card), choice.tricks)?;
            }
        }
        Ok(row)
    };
    found.into_iter().map(row).collect()
}
