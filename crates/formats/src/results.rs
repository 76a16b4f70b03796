//! Results of several tables on a board: travellers, their scores, and the ranking of pairs and teams.
//!
//! Results come from files of boards (several records of a board, or the score tables of PBN) and from USEBIO.
//!
//! ```
//! use croupier_formats::results::{EventResults, Scoring};
//!
//! let pbn = b"[Board \"1\"]\n[Vulnerable \"None\"]\n[Deal \"N:T85.AT.Q96543.Q8 J4.Q432.K2.K9542 AKQ62.KJ5.T.JT76 973.9876.AJ87.A3\"]\n\
//!     [ScoreTable \"PairId_NS;PairId_EW;Contract;Declarer;Result\"]\n1 2 4S S 10\n3 4 2S S 10\n";
//! let results = EventResults::read(&pbn[..])?;
//! let ranking = results.ranking(Scoring::Matchpoints);
//! assert_eq!((ranking[0].name.as_str(), ranking[0].percent()), ("1", Some(100.0)));
//! # Ok::<(), croupier_formats::results::ResultsError>(())
//! ```

mod score_table;
mod scoring;
mod usebio;

use std::collections::BTreeMap;
use std::fmt;
use std::io::{self, Read};

use cards::{Card, Contract, Deal, Seat, Side, Vulnerability};

use crate::{Board, BoardReadError, Reader};
pub use scoring::{RankedEntry, Scoring, official_imps};

/// The result of one table on a board.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TableResult {
    /// The pair North-South: its number or its names.
    pub north_south: String,
    /// The pair East-West.
    pub east_west: String,
    /// The contract; `None` if all passed or it is not known.
    pub contract: Option<Contract>,
    /// The declarer.
    pub declarer: Option<Seat>,
    /// The tricks of declarer.
    pub tricks: Option<u8>,
    /// The opening lead.
    pub lead: Option<Card>,
    /// The score of North-South.
    pub score: Option<i32>,
    /// Whether the board was played in the closed room of a match.
    pub is_closed: bool,
}

impl TableResult {
    /// Sets a missing score by contract and tricks.
    fn complete(mut self, vulnerable: Vulnerability) -> TableResult {
        if let (None, Some(contract), Some(declarer), Some(tricks)) =
            (self.score, self.contract, self.declarer, self.tricks)
        {
            let side = declarer.side();
            let score = contract.score(vulnerable.includes(side), i32::from(tricks));
            self.score = Some(if side == Side::NorthSouth {
                score
            } else {
                -score
            });
        }
        self
    }
}

/// All results of a board.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BoardResults {
    /// The number of the board.
    pub number: u64,
    /// The section, with the session before it if there are several; empty if the file has one section.
    pub section: String,
    /// The results, in the order of the file.
    pub tables: Vec<TableResult>,
}

/// The results of an event.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct EventResults {
    /// The name of the event.
    pub event: String,
    /// The boards, by number.
    pub boards: Vec<BoardResults>,
    /// The names of pairs with a number.
    pub names: BTreeMap<String, String>,
    /// The teams of a match: the one that sits North-South in the open room, and the other.
    pub teams: Option<[String; 2]>,
    /// The cards of boards, by number, if the file has them.
    pub deals: BTreeMap<u64, Deal>,
    /// The board of each result that has no score: adjusted, or not played.
    pub left_out: Vec<u64>,
}

/// An error that prevents reading results.
#[derive(Debug)]
#[non_exhaustive]
pub enum ResultsError {
    /// The input cannot be read.
    Io(io::Error),
    /// A board is wrong.
    Board(BoardReadError),
    /// The XML is wrong: the line and the message.
    Xml(u64, String),
    /// There is no result in the file.
    NoResults,
}

impl fmt::Display for ResultsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ResultsError::Io(error) => error.fmt(f),
            ResultsError::Board(problem) => problem.fmt(f),
            ResultsError::Xml(line, message) => write!(f, "line {line}: {message}"),
            ResultsError::NoResults => f.write_str(
                "there are no results in it: no contract with a result, no ScoreTable, no TRAVELLER_LINE",
            ),
        }
    }
}

impl std::error::Error for ResultsError {}

impl EventResults {
    /// Reads the results of a file of boards or of USEBIO.
    ///
    /// # Errors
    /// If the file cannot be read, a board is wrong, or there are no results.
    pub fn read(mut input: impl Read) -> Result<EventResults, ResultsError> {
        let mut bytes = Vec::new();
        input.read_to_end(&mut bytes).map_err(ResultsError::Io)?;
        let results = match usebio::is_usebio(&bytes) {
            true => usebio::read(&bytes)?,
            false => {
                let reader = Reader::new(&bytes[..]).map_err(ResultsError::Io)?;
                let boards: Result<Vec<Board>, BoardReadError> = reader.collect();
                EventResults::of_boards(&boards.map_err(ResultsError::Board)?)
            }
        };
        match results.boards.is_empty() {
            true => Err(ResultsError::NoResults),
            false => Ok(results),
        }
    }

    /// Returns the results that boards contain: the score tables, and each record with a contract or a score.
    #[must_use]
    pub fn of_boards(boards: &[Board]) -> EventResults {
        let mut results = EventResults::default();
        let mut by_number: BTreeMap<u64, Vec<TableResult>> = BTreeMap::new();
        for board in boards {
            let (number, _, vulnerable) = board.place();
            let tag = |name: &str| board.extras.as_deref().and_then(|extras| extras.tag(name));
            if results.event.is_empty()
                && let Some(names) = &board.names
            {
                results.event.clone_from(&names.event);
            }
            if let (None, Some(home), Some(visit)) =
                (&results.teams, tag("HomeTeam"), tag("VisitTeam"))
            {
                results.teams = Some([home.to_owned(), visit.to_owned()]);
            }
            if let Some(deal) = board.deal() {
                results.deals.insert(number, deal);
            }
            let tables = by_number.entry(number).or_default();
            let extras = board.extras.iter().flat_map(|extras| &extras.tags);
            let mut has_table = false;
            for extra in extras {
                if extra.name.eq_ignore_ascii_case("ScoreTable") {
                    let rows = score_table::results(extra);
                    let rows = rows.into_iter().map(|row| row.complete(vulnerable));
                    let (scored, without): (Vec<_>, Vec<_>) =
                        rows.partition(|row| row.score.is_some());
                    has_table |= !scored.is_empty();
                    tables.extend(scored);
                    results.left_out.extend(without.iter().map(|_| number));
                } else if extra.name.eq_ignore_ascii_case("TotalScoreTable") {
                    results.names.extend(score_table::names(extra));
                }
            }
            if !has_table && let Some(result) = of_record(board) {
                tables.push(result.complete(vulnerable));
            }
        }
        let boards = by_number
            .into_iter()
            .filter(|(_, tables)| !tables.is_empty());
        results.boards = boards
            .map(|(number, tables)| BoardResults {
                number,
                section: String::new(),
                tables,
            })
            .collect();
        results
    }

    /// Returns the names of a pair, or the text that stands for it.
    #[must_use]
    pub fn name_of<'a>(&'a self, pair: &'a str) -> &'a str {
        self.names.get(pair).map_or(pair, String::as_str)
    }

    /// Returns the results as USEBIO.
    #[must_use]
    pub fn to_usebio(&self) -> String {
        usebio::write(self)
    }
}

/// Returns the result of the record of a board.
fn of_record(board: &Board) -> Option<TableResult> {
    let record = board.record.as_deref()?;
    let tag = |name: &str| board.extras.as_deref().and_then(|extras| extras.tag(name));
    let given = tag("Score").and_then(crate::pbn::par);
    let passed_out = record.passed_out() && record.contract.is_none();
    let score = match passed_out {
        true => Some(0),
        false => given,
    };
    if score.is_none() && (record.contract.is_none() || record.result.is_none()) {
        return None;
    }
    let pair = |seats: [Seat; 2]| {
        let names = board.names.as_deref();
        let names = seats.map(|seat| names.map_or("", |names| names.players[seat].trim()));
        names
            .iter()
            .filter(|name| !name.is_empty())
            .copied()
            .collect::<Vec<_>>()
            .join(" – ")
    };
    Some(TableResult {
        north_south: pair([Seat::North, Seat::South]),
        east_west: pair([Seat::East, Seat::West]),
        contract: record.contract,
        declarer: record.declarer,
        tricks: record.result,
        lead: record.play.first().copied(),
        score,
        is_closed: tag("Room").is_some_and(|room| room.eq_ignore_ascii_case("closed")),
    })
}
