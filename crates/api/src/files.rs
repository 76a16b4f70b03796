//! Files of deals in all formats: reading and writing.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use croupier::cards::{Deal, Seat, TrickTable, Vulnerability};
use croupier::formats::{
    Board, BoardNames, FILE_FORMATS, FileFormat, Hands, OutputFormat, Reader, Writer,
};
use serde::{Deserialize, Serialize};

use crate::boards::{self, BoardData};
use crate::{Limits, Problem};

/// A file to read, given as bytes or as text.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
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
pub fn read(request: Read, limits: &Limits) -> Result<FileData, Problem> {
    let bytes = match (&request.base64, &request.text) {
        (Some(text), _) => {
            limits.text(text.as_bytes())?;
            STANDARD
                .decode(text.trim())
                .map_err(|error| Problem::request(format!("not base 64: {error}")))?
        }
        (None, Some(text)) => text.clone().into_bytes(),
        (None, None) => return Err(Problem::request("there is no file in the question")),
    };
    limits.text(&bytes)?;
    let reader = Reader::new(&bytes[..]).map_err(|error| Problem::request(error.to_string()))?;
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
                    data.boards.push(BoardData {
                        deal: deal.to_string(),
                        number: board.number,
                        dealer: board.dealer.map(boards::seat_letter),
                        vulnerable: board.vulnerable.map(boards::vulnerability_name),
                        tricks: board.tricks.map(|table| table.rows()),
                        event: board.names.map(|names| names.event),
                    });
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
        return Err(Problem::request("there are no deals in this file"));
    }
    Ok(data)
}

/// Boards to write.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Write {
    /// Format: `pbn`, `lin`, `oneline`, `compact`, `all`, `csv`, `json`, `zrd`, `dl52`, or `pdf` for a hand record.
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
    /// Ending for its name.
    pub ending: String,
    /// Content in base 64.
    pub base64: String,
}

/// Writes a file.
///
/// # Errors
/// If the format or a board is invalid.
pub fn write(request: Write, limits: &Limits) -> Result<Written, Problem> {
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
        Problem::request(format!("unknown format; there are {}", names.join(", ")))
    })?;
    let mut out = Vec::new();
    let mut writer = Writer::new(format);
    for (board, deal) in &boards {
        writer.write(&mut out, board, deal);
    }
    writer
        .finish(&mut out)
        .map_err(|refusal| Problem::request(refusal.to_string()))?;
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
fn board(data: &BoardData, number: u64, title: Option<&str>) -> Result<(Board, Deal), Problem> {
    let deal = boards::deal(&data.deal)?;
    let dealer = data.dealer.as_deref().map(boards::seat).transpose()?;
    let vulnerable = match &data.vulnerable {
        Some(text) => Some(boards::vulnerability(Some(text))?),
        None => None,
    };
    let own = data.number.unwrap_or(number);
    let title = title.or(data.event.as_deref());
    let board = Board {
        hands: Hands::of(&deal),
        number: Some(own),
        dealer: Some(dealer.unwrap_or(Seat::dealer_of_board(own))),
        vulnerable: Some(vulnerable.unwrap_or(Vulnerability::of_board(own))),
        tricks: data.tricks.and_then(TrickTable::new),
        names: title.filter(|title| !title.is_empty()).map(|title| {
            Box::new(BoardNames {
                event: title.to_owned(),
                ..BoardNames::default()
            })
        }),
        ..Board::default()
    };
    Ok((board, deal))
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
            let file = write(request, &Limits::default()).unwrap();
            let request = Read {
                base64: Some(file.base64),
                text: None,
            };
            let found = read(request, &Limits::default()).unwrap();
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
        let file = write(request, &Limits::default()).unwrap();
        assert_eq!(file.ending, "pdf");
        assert!(STANDARD.decode(file.base64).unwrap().starts_with(b"%PDF-"));
    }

    #[test]
    fn rubbish_is_no_file() {
        let request = Read {
            base64: None,
            text: Some("hello".to_owned()),
        };
        assert!(read(request, &Limits::default()).is_err());
    }
}
