//! `croupier.Board`: a deal with the data of a file about it.

use croupier::cards::{BySeat, CardSet, Seat, Side, Vulnerability};
use croupier::formats::{
    Board as FileBoard, Call, ExtraTag, Extras, Hands, OutputFormat, Record, Writer,
};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

use crate::arguments::{self, SeatArgument, VulnerabilityArgument, value_error};
use crate::card::{Card, CardArgument};
use crate::contract::{Contract, ContractArgument, Score};
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

    /// Returns the seat that deals and bids first.
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

    /// Calls of the auction, the dealer's first, as in PBN: `Pass`, `X`, `1NT`; none if the file has no auction.
    #[getter]
    fn auction(&self) -> Option<Vec<String>> {
        let record = self.0.record.as_ref()?;
        let call = |word: &String| Call::read(word).map_or_else(|| word.clone(), Call::pbn);
        let calls: Vec<String> = record.auction.iter().map(call).collect();
        (!calls.is_empty()).then_some(calls)
    }

    /// Explanations of calls: the place of the call in the auction, from 0, and the text.
    #[getter]
    fn notes(&self) -> Vec<(usize, String)> {
        let record = self.0.record.as_ref();
        record.map_or_else(Vec::new, |record| record.notes.clone())
    }

    /// Cards in the order in which they were played; none if the file has no play.
    #[getter]
    fn play(&self) -> Option<Vec<Card>> {
        let play = &self.0.record.as_ref()?.play;
        (!play.is_empty()).then(|| play.iter().copied().map(Card).collect())
    }

    /// Contract with declarer and result, if the file has them.
    #[getter]
    fn contract(&self) -> Option<Contract> {
        let record = self.0.record.as_ref()?;
        match record.contract {
            Some(contract) => Some(Contract {
                contract: Some(contract),
                declarer: record.declarer,
                taken: record.result,
            }),
            None => {
                let passes = |word: &String| Call::read(word) == Some(Call::Pass);
                let is_passed_out = record.auction.len() == 4 && record.auction.iter().all(passes);
                is_passed_out.then_some(Contract {
                    contract: None,
                    declarer: None,
                    taken: None,
                })
            }
        }
    }

    /// Declarer, if the file has it.
    #[getter]
    fn declarer<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let declarer = self.0.record.as_ref().and_then(|record| record.declarer);
        declarer.map(|seat| arguments::seat(py, seat)).transpose()
    }

    /// Number of tricks that declarer took, if the file has it.
    #[getter]
    fn result(&self) -> Option<u8> {
        self.0.record.as_ref().and_then(|record| record.result)
    }

    /// Score of North-South, if the board was played and has a vulnerability.
    #[getter]
    fn score(&self) -> Option<Score> {
        let contract = self.contract()?;
        let Some(bid) = contract.contract else {
            return Some(Score(0));
        };
        let (side, taken) = (contract.declarer?.side(), contract.taken?);
        let vulnerable = self.0.vulnerable?.includes(side);
        let score = bid.score(vulnerable, i32::from(taken));
        Some(Score(match side {
            Side::NorthSouth => score,
            Side::EastWest => -score,
        }))
    }

    /// Further tags of a PBN file by name.
    #[getter]
    fn tags<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let tags = PyDict::new(py);
        for tag in self.0.extras.iter().flat_map(|extras| &extras.tags) {
            tags.set_item(&tag.name, &tag.value)?;
        }
        Ok(tags)
    }

    /// Comments of the file on this board.
    #[getter]
    fn comments(&self) -> Vec<String> {
        let extras = self.0.extras.as_ref();
        extras.map_or_else(Vec::new, |extras| extras.comments.clone())
    }

    /// Returns the board with changes: `board.replace(number=3, auction=["1NT", "Pass", "Pass", "Pass"], contract="1NT-N=")`.
    #[pyo3(signature = (**changes))]
    fn replace(&self, changes: Option<&Bound<'_, PyDict>>) -> PyResult<Board> {
        let mut board = self.0.clone();
        for (name, value) in changes.into_iter().flatten() {
            let name: String = name.extract()?;
            change(&mut board, &name, &value)
                .map_err(|error| named_fault(value.py(), &name, error))?;
        }
        Ok(Board(board))
    }

    /// Returns the board with the table OptimumPlayTable of PBN: the optimal cards at each turn of its play.
    fn with_optimum_play(&self, py: Python<'_>) -> PyResult<Board> {
        let mut board = self.0.clone();
        let record = board.record.as_deref();
        let played = record.filter(|record| !record.play.is_empty());
        let contract = played.and_then(|it| Some((it.contract?, it.declarer?, it.play.clone())));
        let Some((contract, declarer, play)) = contract else {
            return Err(value_error("the board has no contract or no play"));
        };
        let start = croupier::solver::Position::opening(&self.whole()?, declarer, contract.strain);
        let rows = crate::position::search(py, move |solver| solver.optimal_cards(&start, &play))?;
        let rows = rows.map_err(value_error)?;
        croupier::formats::pbn::set_optimum_play(&mut board, &rows);
        Ok(Board(board))
    }

    /// Formats the board: `pbn`, `lin`, `oneline`, `compact`, `all`, `csv` or `json`.
    #[pyo3(signature = (format="pbn"))]
    fn to_text(&self, format: &str) -> PyResult<String> {
        let format = crate::deal::text_format(format)?;
        let bytes = encode(std::slice::from_ref(&self.0), format).map_err(value_error)?;
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }

    fn __repr__(&self) -> String {
        let number = self
            .0
            .number
            .map_or(String::new(), |number| format!(" {number}"));
        let partial = || {
            let text = |hand: CardSet| hand.to_string();
            let hand = |seat| self.0.hands.0[seat].map_or("-".to_owned(), text);
            format!("N:{}", Seat::ALL.map(hand).join(" "))
        };
        let deal = self.0.deal().map_or_else(partial, |deal| deal.to_string());
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
            ..FileBoard::default()
        })
    }
}

/// Adds the name of the argument to an error of its value.
fn named_fault(py: Python<'_>, name: &str, error: PyErr) -> PyErr {
    let text = format!("{name}: {}", error.value(py));
    match error.is_instance_of::<PyTypeError>(py) {
        true => PyTypeError::new_err(text),
        false => value_error(text),
    }
}

/// Changes one property of a board.
fn change(board: &mut FileBoard, name: &str, value: &Bound<'_, PyAny>) -> PyResult<()> {
    match name {
        "deal" => board.hands = Hands::of(&value.extract::<DealArgument>()?.0),
        "number" => board.number = value.extract()?,
        "dealer" => board.dealer = value.extract::<Option<SeatArgument>>()?.map(|seat| seat.0),
        "vulnerable" => {
            let sides = value.extract::<Option<VulnerabilityArgument>>()?;
            board.vulnerable = sides.map(|sides| sides.0);
        }
        "tricks" => {
            let tricks = value.extract::<Option<Bound<'_, Tricks>>>()?;
            board.tricks = tricks.and_then(|tricks| tricks.get().table());
        }
        "event" => {
            let names = board.names.get_or_insert_default();
            names.event = value.extract::<Option<String>>()?.unwrap_or_default();
        }
        "players" => {
            let players = value.extract::<Option<[String; 4]>>()?;
            board.names.get_or_insert_default().players = BySeat(players.unwrap_or_default());
        }
        "comments" => board.extras.get_or_insert_default().comments = value.extract()?,
        "tags" => {
            let mut tags = Vec::new();
            for (name, value) in value.cast::<PyDict>()? {
                tags.push(ExtraTag {
                    name: name.extract()?,
                    value: value.extract()?,
                    section: String::new(),
                });
            }
            board.extras.get_or_insert_default().tags = tags;
        }
        _ => {
            let record = board.record.get_or_insert_default();
            change_record(record, name, value)?;
        }
    }
    Ok(())
}

/// Changes one property of the auction or the play.
fn change_record(record: &mut Record, name: &str, value: &Bound<'_, PyAny>) -> PyResult<()> {
    match name {
        "auction" => {
            let calls: Option<Vec<String>> = value.extract()?;
            let calls = calls.unwrap_or_default();
            for call in &calls {
                if Call::read(call).is_none() {
                    return Err(value_error(format!("{call:?} is not a call")));
                }
            }
            record.notes.retain(|(place, _)| *place < calls.len());
            record.auction = calls;
        }
        "notes" => record.notes = value.extract()?,
        "play" => {
            let play: Option<Vec<CardArgument>> = value.extract()?;
            let play = play.unwrap_or_default();
            record.play = play.into_iter().map(|card| card.0).collect();
        }
        "contract" => match value.extract::<Option<ContractArgument>>()? {
            None => (record.contract, record.declarer, record.result) = (None, None, None),
            Some(ContractArgument(contract)) => {
                record.contract = contract.contract;
                record.declarer = contract.declarer.or(record.declarer);
                record.result = contract.taken.or(record.result);
            }
        },
        "declarer" => {
            record.declarer = value.extract::<Option<SeatArgument>>()?.map(|seat| seat.0);
        }
        "result" => {
            let result: Option<u8> = value.extract()?;
            if result.is_some_and(|result| result > 13) {
                return Err(value_error("declarer takes 0 to 13 tricks"));
            }
            record.result = result;
        }
        _ => {
            return Err(PyTypeError::new_err(
                "a board has no such property that can be replaced",
            ));
        }
    }
    Ok(())
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
        play: play
            .into_iter()
            .filter_map(croupier::cards::Card::from_index)
            .collect(),
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
pub fn encode(boards: &[FileBoard], format: OutputFormat) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::new();
    let mut writer = Writer::new(format);
    for (number, board) in (1..).zip(boards) {
        let board = board.clone().with_number(number);
        match board.deal() {
            Some(deal) => writer.write(&mut bytes, &board, &deal),
            None if writer.write_partial(&mut bytes, &board) => {}
            None => {
                return Err(format!(
                    "board {}: not all cards are known, and this format needs all of them (pbn and lin do not)",
                    board.number.unwrap_or(number)
                ));
            }
        }
    }
    writer
        .finish(&mut bytes)
        .map_err(|refusal| refusal.to_string())?;
    Ok(bytes)
}
