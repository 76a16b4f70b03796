//! Files of deals in all formats: reading and writing.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use croupier::cards::{Deal, Seat, TrickTable, Vulnerability};
use croupier::formats::{
    Board, BoardNames, FILE_FORMATS, FileFormat, Hands, OutputFormat, Reader, Writer,
};
use croupier::solver::par_report;
use serde::{Deserialize, Serialize};

use crate::boards::{self, BoardData, RecordData};
use crate::{RequestError, RequestLimits};

/// A request to read the boards of a file, given as bytes or as text.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct Read {
    /// Content in base 64.
    #[serde(default)]
    pub base64: Option<String>,
    /// Content as text.
    #[serde(default)]
    pub text: Option<String>,
}

/// Content of a file.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct FileData {
    /// Name of the detected format.
    pub format: String,
    /// Boards that could be read.
    pub boards: Vec<BoardData>,
    /// Messages about the boards that could not be read.
    pub problems: Vec<String>,
}

/// Reads a file.
///
/// # Errors
/// If the file is too large, or is not a file of deals.
pub fn read(request: Read, limits: &RequestLimits) -> Result<FileData, RequestError> {
    let bytes = match (&request.base64, &request.text) {
        (Some(text), _) => {
            limits.text(text.as_bytes())?;
            STANDARD
                .decode(text.trim())
                .map_err(|error| RequestError::request(format!("not base 64: {error}")))?
        }
        (None, Some(text)) => text.clone().into_bytes(),
        (None, None) => return Err(RequestError::request("there is no file in the question")),
    };
    limits.text(&bytes)?;
    let reader =
        Reader::new(&bytes[..]).map_err(|error| RequestError::request(error.to_string()))?;
    let mut data = FileData {
        format: format!("{:?}", reader.format()).to_uppercase(),
        boards: Vec::new(),
        problems: Vec::new(),
    };
    /// Maximum number of messages.
    const MOST_PROBLEMS: usize = 20;
    for board in reader {
        match board {
            Ok(board) => match board.deal() {
                Some(deal) => {
                    limits.boards(data.boards.len() + 1)?;
                    data.boards.push(board_data(&board, &deal));
                }
                None => data
                    .problems
                    .push(format!("line {}: not a whole deal", board.line)),
            },
            Err(problem) => data.problems.push(problem.to_string()),
        }
        if data.problems.len() > MOST_PROBLEMS {
            data.problems.push("... and more".to_owned());
            break;
        }
    }
    if data.boards.is_empty() && data.problems.is_empty() {
        return Err(RequestError::request("there are no deals in this file"));
    }
    Ok(data)
}

/// Returns the data of a board that was read.
fn board_data(board: &Board, deal: &Deal) -> BoardData {
    let names = board.names.as_deref();
    let has_more = board.names.is_some() || board.record.is_some() || board.extras.is_some();
    let pbn = has_more.then(|| {
        let mut text = Vec::new();
        let mut writer = Writer::new(OutputFormat::Pbn);
        writer.write(&mut text, board, deal);
        String::from_utf8_lossy(&text).into_owned()
    });
    BoardData {
        deal: deal.to_string(),
        number: board.number,
        dealer: board.dealer.map(boards::seat_letter),
        vulnerable: board.vulnerable.map(boards::vulnerability_name),
        tricks: board.tricks.map(|table| table.rows()),
        event: names.map(|names| names.event.clone()),
        players: names
            .map(|names| names.players.0.clone())
            .filter(|players| players.iter().any(|name| !name.is_empty())),
        record: board.record.as_deref().map(RecordData::from),
        comments: match &board.extras {
            Some(extras) => extras.comments.clone(),
            None => Vec::new(),
        },
        pbn,
    }
}

/// A request to write boards in a format.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct Write {
    /// Format of the file; `pdf` is a hand record.
    #[cfg_attr(feature = "openapi", schema(value_type = crate::names::FormatName))]
    pub format: String,
    /// The boards.
    pub boards: Vec<BoardData>,
    /// Name of the event.
    #[serde(default)]
    pub title: Option<String>,
}

/// A written file.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Written {
    /// Ending of the file's name.
    pub ending: String,
    /// Content in base 64.
    pub base64: String,
}

/// Writes a file.
///
/// # Errors
/// If the format or a board is invalid.
pub fn write(request: Write, limits: &RequestLimits) -> Result<Written, RequestError> {
    limits.boards(request.boards.len())?;
    let mut boards = Vec::with_capacity(request.boards.len());
    for (number, data) in (1..).zip(&request.boards) {
        boards.push(board(data, number, request.title.as_deref())?);
    }
    #[cfg(feature = "records")]
    if request.format == "pdf" {
        let boards: Vec<Board> = boards.into_iter().map(|(board, _)| board).collect();
        let sheet = croupier::records::Sheet {
            title: request.title.unwrap_or_default(),
            ..croupier::records::Sheet::default()
        };
        return Ok(Written {
            ending: request.format,
            base64: STANDARD.encode(croupier::records::pdf(&boards, &sheet)),
        });
    }
    let format = OutputFormat::from_name(&request.format).ok_or_else(|| {
        let names: Vec<&str> = written_formats().map(|format| format.name).collect();
        RequestError::request(format!("unknown format; there are {}", names.join(", ")))
    })?;
    let mut out = Vec::new();
    let mut writer = Writer::new(format);
    for (board, deal) in &boards {
        writer.write(&mut out, board, deal);
    }
    writer
        .finish(&mut out)
        .map_err(|refusal| RequestError::request(refusal.to_string()))?;
    Ok(Written {
        ending: format.entry().ending.to_owned(),
        base64: STANDARD.encode(out),
    })
}

/// Returns the formats that this build can write.
fn written_formats() -> impl Iterator<Item = &'static FileFormat> {
    FILE_FORMATS
        .iter()
        .filter(|format| format.writes.is_some() || cfg!(feature = "records"))
}

/// Converts a board for writing; `number` is its default number.
fn board(
    data: &BoardData,
    number: u64,
    title: Option<&str>,
) -> Result<(Board, Deal), RequestError> {
    let deal = boards::deal(&data.deal)?;
    let dealer = data.dealer.as_deref().map(boards::seat).transpose()?;
    let vulnerable = match &data.vulnerable {
        Some(text) => Some(boards::vulnerability(Some(text))?),
        None => None,
    };
    let own = data.number.unwrap_or(number);
    let known = data.pbn.as_deref().map(from_pbn).transpose()?;
    // Auction, play and results belong to the cards: after a change of the cards they are dropped.
    let known = known.filter(|board| board.deal() == Some(deal));
    let known = known.unwrap_or_default();
    let dealer = dealer.unwrap_or(Seat::dealer_of_board(own));
    let vulnerable = vulnerable.unwrap_or(Vulnerability::of_board(own));
    let tricks = match data.tricks {
        Some(rows) => Some(
            TrickTable::new(rows)
                .ok_or_else(|| RequestError::request("nobody takes more than thirteen tricks"))?,
        ),
        None => None,
    };
    let mut board = Board {
        hands: Hands::of(&deal),
        number: Some(own),
        dealer: Some(dealer),
        vulnerable: Some(vulnerable),
        tricks: tricks.or(known.tricks),
        ..known
    };
    let title = title.or(data.event.as_deref());
    if let Some(title) = title.filter(|title| !title.is_empty()) {
        let names: &mut BoardNames = board.names.get_or_insert_default();
        title.clone_into(&mut names.event);
    }
    let comments = |board: &Board| match &board.extras {
        Some(extras) => extras.comments.clone(),
        None => Vec::new(),
    };
    if data.comments != comments(&board) {
        board
            .extras
            .get_or_insert_default()
            .comments
            .clone_from(&data.comments);
    }
    let has_par = board.par.is_some() && board.par_contracts.is_some();
    if let Some(table) = board.tricks.filter(|_| !has_par) {
        let par = par_report(&table, vulnerable, dealer);
        board.par = Some(par.score);
        board.par_contracts = Some(par.contracts_text());
    }
    Ok((board, deal))
}

/// Reads the PBN text of one board.
fn from_pbn(text: &str) -> Result<Board, RequestError> {
    let no_board = || RequestError::request("the field pbn has no board");
    let reader = Reader::new(text.as_bytes());
    let mut reader = reader.map_err(|error| RequestError::request(error.to_string()))?;
    let board = reader.next().ok_or_else(no_board)?;
    board.map_err(|error| RequestError::request(error.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn written_files_are_read_back() {
        let board = BoardData {
            deal: "N:AKQ.AKQ.AKQ.AKQJ JT98.JT9.JT9.T98 7654.876.876.765 32.5432.5432.432"
                .to_owned(),
            number: Some(7),
            dealer: Some("S".to_owned()),
            vulnerable: Some("both".to_owned()),
            ..BoardData::default()
        };
        for format in ["pbn", "lin", "json", "csv"] {
            let request = Write {
                format: format.to_owned(),
                boards: vec![board.clone()],
                title: None,
            };
            let file = write(request, &RequestLimits::default()).unwrap();
            let request = Read {
                base64: Some(file.base64),
                text: None,
            };
            let found = read(request, &RequestLimits::default()).unwrap();
            assert_eq!(found.boards[0].deal, board.deal, "{format}");
            assert_eq!(found.boards[0].vulnerable, board.vulnerable, "{format}");
        }
    }

    #[cfg(feature = "records")]
    #[test]
    fn a_hand_record_is_a_file_too() {
        let request = Write {
            format: "pdf".to_owned(),
            boards: vec![BoardData {
                deal: "N:AKQ.AKQ.AKQ.AKQJ JT98.JT9.JT9.T98 7654.876.876.765 32.5432.5432.432"
                    .to_owned(),
                ..BoardData::default()
            }],
            title: Some("Practice".to_owned()),
        };
        let file = write(request, &RequestLimits::default()).unwrap();
        assert_eq!(file.ending, "pdf");
        assert!(STANDARD.decode(file.base64).unwrap().starts_with(b"%PDF-"));
    }

    #[test]
    fn a_played_board_keeps_everything_and_gains_par() {
        let pbn = "\
[Event \"Club\"]\n[Site \"Town\"]\n[Date \"2026.01.02\"]\n[Board \"1\"]\n[West \"Wim\"]\n[North \"Nora\"]\n\
[East \"Eva\"]\n[South \"Sam\"]\n[Dealer \"N\"]\n[Vulnerable \"None\"]\n\
[Deal \"N:AKQ.AKQ.AKQ.AKQJ JT98.JT9.JT9.T98 7654.876.876.765 32.5432.5432.432\"]\n[Scoring \"IMP\"]\n\
[Declarer \"N\"]\n[Contract \"7NT\"]\n[Result \"13\"]\n[Auction \"N\"]\n7NT =1= Pass Pass Pass\n\
[Note \"1:all of it\"]\n[Play \"E\"]\nSJ S4 S2 SA\n*\n[Table \"7\"]\n{A lay-down.}\n";
        let request = |text: String| Read {
            base64: None,
            text: Some(text),
        };
        let read_boards = |text: String| {
            let found = read(request(text), &RequestLimits::default()).unwrap();
            assert_eq!(found.problems, Vec::<String>::new());
            found.boards
        };
        let boards = read_boards(pbn.to_owned());
        let record = boards[0].record.as_ref().unwrap();
        assert_eq!(record.auction, ["7NT", "Pass", "Pass", "Pass"]);
        assert_eq!(record.result, Some(13));
        assert_eq!(record.play.len(), 4);
        assert_eq!(record.explanations[0].text, "all of it");
        assert_eq!(boards[0].players.as_ref().unwrap()[0], "Nora");
        let write_text = |boards: Vec<BoardData>, format: &str| {
            let request = Write {
                format: format.to_owned(),
                boards,
                title: None,
            };
            let file = write(request, &RequestLimits::default()).unwrap();
            String::from_utf8(STANDARD.decode(file.base64).unwrap()).unwrap()
        };
        let again = read_boards(write_text(boards.clone(), "pbn"));
        assert_eq!(again, boards);
        let mut solved = boards.clone();
        solved[0].tricks = Some([[13, 13, 13, 13, 13], [0; 5], [13, 13, 13, 13, 13], [0; 5]]);
        solved[0].comments = vec!["Look at the spades.".to_owned()];
        let text = write_text(solved.clone(), "pbn");
        assert!(text.contains("[Table \"7\"]"), "{text}");
        assert!(text.contains("{Look at the spades.}"), "{text}");
        assert!(text.contains("OptimumScore \"NS 1520"), "{text}");
        assert!(write_text(solved.clone(), "csv").contains("1520"));
        assert!(write_text(solved, "json").contains("1520"));
        let mut changed = boards;
        changed[0].deal =
            "N:JT98.JT9.JT9.T98 AKQ.AKQ.AKQ.AKQJ 7654.876.876.765 32.5432.5432.432".to_owned();
        assert!(!write_text(changed, "pbn").contains("7NT"));
    }

    #[test]
    fn text_without_a_deal_is_an_error() {
        let request = Read {
            base64: None,
            text: Some("hello".to_owned()),
        };
        assert!(read(request, &RequestLimits::default()).is_err());
    }
}
