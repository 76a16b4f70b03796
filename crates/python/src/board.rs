//! `croupier.Board`: a deal with the data of a file about it.

use croupier::cards::{BySeat, Card, Seat, Vulnerability};
use croupier::formats::{
    Board as FileBoard, ExtraTag, Extras, Hands, OutputFormat, Record, Writer,
};
use pyo3::prelude::*;
use pyo3::types::PyTuple;

use crate::arguments::{self, SeatArgument, VulnerabilityArgument, value_error};
use crate::contract::Score;
use crate::deal::{Deal, DealArgument};
use crate::hand::Hand;
use crate::html;
use crate::tricks::Tricks;

/// A deal as in a file: with number, dealer, vulnerability, and perhaps double-dummy results and names.
#[pyclass(module = "croupier", frozen, eq, hash)]
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Board(pub FileBoard);

impl Board {
    /// Returns the complete deal, or an error that names the missing cards.
    pub fn whole(&self) -> PyResult<croupier::cards::Deal> {
        match self.0.hands.complete() {
            Ok(Some(deal)) => Ok(deal),
            Ok(None) => Err(value_error(format!(
                "board at line {}: fewer than three hands are known",
                self.0.line
            ))),
            Err(error) => Err(value_error(error)),
        }
    }
}

#[pymethods]
impl Board {
    #[new]
    #[pyo3(signature = (deal, number=None, dealer=None, vulnerable=None, tricks=None))]
    fn new(
        deal: DealArgument,
        number: Option<u64>,
        dealer: Option<SeatArgument>,
        vulnerable: Option<VulnerabilityArgument>,
        tricks: Option<&Bound<'_, Tricks>>,
    ) -> Board {
        let plain = FileBoard {
            number,
            dealer: dealer.map(|seat| seat.0),
            vulnerable: vulnerable.map(|who| who.0),
            tricks: tricks.and_then(|tricks| tricks.get().table()),
            ..FileBoard::of(&deal.0)
        };
        Board(match number {
            Some(number) => plain.with_number(number),
            None => plain,
        })
    }

    /// The deal; raises an error if fewer than three hands are known.
    #[getter]
    fn deal(&self) -> PyResult<Deal> {
        self.whole().map(Deal)
    }

    /// The four hands, North first, with `None` for unknown hands.
    #[getter]
    fn hands<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.0.hands.0.0.map(|hand| hand.map(Hand)))
    }

    /// Number of the board.
    #[getter]
    fn number(&self) -> Option<u64> {
        self.0.number
    }

    /// Dealer.
    #[getter]
    fn dealer<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        self.0
            .dealer
            .map(|seat| arguments::seat(py, seat))
            .transpose()
    }

    /// Vulnerable sides.
    #[getter]
    fn vulnerable<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        self.0
            .vulnerable
            .map(|who| arguments::vulnerability(py, who))
            .transpose()
    }

    /// Double-dummy results, if the file has them.
    #[getter]
    fn tricks(&self) -> Option<Tricks> {
        self.0.tricks.map(Tricks::from)
    }

    /// Par score for North-South, if the file has it.
    #[getter]
    fn par(&self) -> Option<Score> {
        self.0.par.map(Score)
    }

    /// Name of the event, if the file has it.
    #[getter]
    fn event(&self) -> Option<String> {
        self.0.names.as_ref().map(|names| names.event.clone())
    }

    /// Names of the players, North first, if the file has them.
    #[getter]
    fn players(&self) -> Option<[String; 4]> {
        self.0.names.as_ref().map(|names| names.players.0.clone())
    }

    fn __repr__(&self) -> String {
        let number = self
            .0
            .number
            .map_or(String::new(), |number| format!(" {number}"));
        let deal = self
            .0
            .deal()
            .map_or("not a whole deal".to_owned(), |deal| deal.to_string());
        format!("<croupier.Board{number} {deal}>")
    }

    fn _repr_html_(&self) -> String {
        html::board(&self.0)
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, BoardState)> {
        let board = &slf.get().0;
        let names = board.names.as_ref().map(|names| {
            (
                names.event.clone(),
                names.site.clone(),
                names.date.clone(),
                names.players.0.clone(),
            )
        });
        let state = (
            board.hands.0.0.map(|hand| hand.map(|hand| hand.0)),
            board.number,
            board.dealer.map(Seat::index),
            board.vulnerable.map(Vulnerability::index),
            board.tricks.map(|table| table.rows()),
            (board.par, board.par_contracts.clone()),
            names,
            board.record.as_deref().map(record_state),
            board.extras.as_deref().map(extras_state),
            board.line,
        );
        Ok((slf.get_type().getattr("_restored")?, state))
    }

    #[staticmethod]
    #[pyo3(signature = (hands, number, dealer, vulnerable, tricks, par, names, record, extras, line))]
    #[expect(
        clippy::too_many_arguments,
        reason = "one for each part of a pickled board"
    )]
    fn _restored(
        hands: [Option<u64>; 4],
        number: Option<u64>,
        dealer: Option<usize>,
        vulnerable: Option<usize>,
        tricks: Option<[[u8; 5]; 4]>,
        par: (Option<i32>, Option<String>),
        names: Option<NamesState>,
        record: Option<RecordState>,
        extras: Option<ExtrasState>,
        line: u64,
    ) -> Board {
        Board(FileBoard {
            hands: Hands(BySeat(hands.map(|hand| hand.map(croupier::cards::CardSet)))),
            number,
            dealer: dealer.map(|index| Seat::ALL[index % 4]),
            vulnerable: vulnerable.map(|index| Vulnerability::ALL[index % 4]),
            tricks: tricks.and_then(croupier::cards::TrickTable::new),
            par: par.0,
            par_contracts: par.1,
            names: names.map(|(event, site, date, players)| {
                Box::new(croupier::formats::BoardNames {
                    event,
                    site,
                    date,
                    players: BySeat(players),
                })
            }),
            record: record.map(|state| Box::new(record_of(state))),
            extras: extras.map(|state| Box::new(extras_of(state))),
            line,
        })
    }
}

type NamesState = (String, String, String, [String; 4]);

/// Notes to calls or cards, with their positions.
type Remarks = Vec<(usize, String)>;

/// Auction, its notes, contract, declarer, result, play and its notes.
type RecordState = (
    Vec<String>,
    Remarks,
    Option<String>,
    Option<usize>,
    Option<u8>,
    Vec<usize>,
    Remarks,
);

/// Comments, and tags with name, value and section.
type ExtrasState = (Vec<String>, Vec<(String, String, String)>);

type BoardState = (
    [Option<u64>; 4],
    Option<u64>,
    Option<usize>,
    Option<usize>,
    Option<[[u8; 5]; 4]>,
    (Option<i32>, Option<String>),
    Option<NamesState>,
    Option<RecordState>,
    Option<ExtrasState>,
    u64,
);

fn record_state(record: &Record) -> RecordState {
    (
        record.auction.clone(),
        record.notes.clone(),
        record.contract.map(|contract| contract.to_string()),
        record.declarer.map(Seat::index),
        record.result,
        record.play.iter().map(|card| card.index()).collect(),
        record.play_notes.clone(),
    )
}

fn record_of(state: RecordState) -> Record {
    let (auction, notes, contract, declarer, result, play, play_notes) = state;
    Record {
        auction,
        notes,
        contract: contract.and_then(|text| text.parse().ok()),
        declarer: declarer.map(|index| Seat::ALL[index % 4]),
        result,
        play: play.into_iter().filter_map(Card::from_index).collect(),
        play_notes,
    }
}

fn extras_state(extras: &Extras) -> ExtrasState {
    let tag = |tag: &ExtraTag| (tag.name.clone(), tag.value.clone(), tag.section.clone());
    let tags = extras.tags.iter().map(tag).collect();
    (extras.comments.clone(), tags)
}

fn extras_of((comments, tags): ExtrasState) -> Extras {
    let tag = |(name, value, section)| ExtraTag {
        name,
        value,
        section,
    };
    Extras {
        comments,
        tags: tags.into_iter().map(tag).collect(),
    }
}

/// Encodes boards in a format.
///
/// # Errors
/// If the format cannot hold the numbers of the boards.
pub fn encode(
    boards: &[(FileBoard, croupier::cards::Deal)],
    format: OutputFormat,
) -> std::io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let mut writer = Writer::new(format);
    for (number, (board, deal)) in (1..).zip(boards) {
        writer.write(&mut bytes, &board.clone().with_number(number), deal);
    }
    let refused = |refusal| std::io::Error::new(std::io::ErrorKind::InvalidInput, refusal);
    writer.finish(&mut bytes).map_err(refused)?;
    Ok(bytes)
}
