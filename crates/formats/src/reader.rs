//! Reads deals in any format: detects the format by content and returns one iterator.

use std::fmt;
use std::io::{self, BufRead, BufReader, Cursor, Read};

use cards::TrickTable;

use crate::bigdeal::BigDealReader;
use crate::csv::CsvReader;
use crate::dlm::DlmReader;
use crate::duplimate::DuplimateReader;
use crate::json::JsonReader;
use crate::lin::LinReader;
use crate::pbn::PbnReader;
use crate::text::TextReader;
use crate::{Board, detect, dl52, duplimate, zrd};

/// An error in a board, or in the stream, which then ends.
#[derive(Debug)]
pub struct BoardReadError {
    /// The line (text) or record (binary) of the error, from 1.
    pub line: u64,
    /// The number of the board, if the format has numbers.
    pub board: Option<u64>,
    /// Explanation.
    pub message: String,
    /// The error of the operating system, if that is the cause. It is the last item.
    pub io: Option<io::ErrorKind>,
}

impl BoardReadError {
    pub(crate) fn at(line: u64, message: impl fmt::Display) -> BoardReadError {
        BoardReadError {
            line,
            board: None,
            message: message.to_string(),
            io: None,
        }
    }

    pub(crate) fn board(line: u64, board: u64, message: impl fmt::Display) -> BoardReadError {
        BoardReadError {
            board: Some(board),
            ..BoardReadError::at(line, message)
        }
    }

    pub(crate) fn io(line: u64, error: io::Error) -> BoardReadError {
        BoardReadError {
            io: Some(error.kind()),
            ..BoardReadError::at(line, error)
        }
    }
}

impl fmt::Display for BoardReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.board {
            Some(board) => write!(f, "line {}, board {board}: {}", self.line, self.message),
            None => write!(f, "line {}: {}", self.line, self.message),
        }
    }
}

impl std::error::Error for BoardReadError {}

/// The formats that deals are read from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum InputFormat {
    /// Records of 23 bytes with double-dummy tricks.
    Zrd,
    /// Records of 52 bytes, one for each card.
    Dl52,
    /// Duplimate dealing machines: both parts of a record.
    Dup,
    /// Duplimate dealing machines: digits.
    Bri,
    /// Duplimate dealing machines: suits and ranks.
    Dge,
    /// The Duplimate program for Windows.
    Dlm,
    /// Other formats of the dealing program Big Deal: BER, BHG, CDS and its CSV.
    BigDeal,
    /// Links to the hand viewer of Bridge Base Online that name the hands.
    Handviewer,
    /// Bridge Base Online.
    Lin,
    /// Portable Bridge Notation.
    Pbn,
    /// One JSON object per line.
    Json,
    /// Comma-separated values with a header row.
    Csv,
    /// One-line, compact, printed and export lines, between other text.
    Text,
}

/// Number of bytes of a stream by which its format is detected.
pub const SAMPLE: usize = 4096;

impl InputFormat {
    /// Returns the format of a stream that begins with `sample` ([`SAMPLE`] bytes, or all there is).
    pub fn detect(sample: &[u8]) -> InputFormat {
        detect::format_of(sample)
    }
}

type Input<R> = BufReader<io::Chain<Cursor<Vec<u8>>, R>>;

enum Inner<R: Read> {
    Zrd(Records<R, { zrd::RECORD }>),
    Dl52(Records<R, { dl52::RECORD }>),
    Duplimate(DuplimateReader<Input<R>>),
    Dlm(DlmReader<Input<R>>),
    BigDeal(BigDealReader<Input<R>>),
    Lin(Box<LinReader<Input<R>>>),
    Pbn(Box<PbnReader<Input<R>>>),
    Json(JsonReader<Input<R>>),
    Csv(Box<CsvReader<Input<R>>>),
    Text(Box<TextReader<Input<R>>>),
    /// A file of another kind; the error of it, which is the only item.
    Other(Option<BoardReadError>),
}

/// Boards from a stream in any format, one after another. A board that cannot be read is an error item; reading
/// continues after it.
pub struct Reader<R: Read> {
    inner: Inner<R>,
    format: InputFormat,
}

impl<R: Read> Reader<R> {
    /// Detects the format by the beginning of the stream.
    ///
    /// # Errors
    /// If the stream cannot be read.
    pub fn new(input: R) -> io::Result<Self> {
        let mut input = input;
        let mut sample = Vec::with_capacity(SAMPLE);
        input
            .by_ref()
            .take(SAMPLE as u64)
            .read_to_end(&mut sample)?;
        if let Some(order) = utf16_order(&sample) {
            input.read_to_end(&mut sample)?;
            sample = from_utf16(&sample[2..], order);
        }
        let format = InputFormat::detect(&sample);
        // A binary format of ours may begin with the same bytes.
        let is_text = matches!(format, InputFormat::Text | InputFormat::Pbn);
        match detect::other_file(&sample).filter(|_| is_text) {
            Some(name) => {
                let message = format!("this looks like {name}, which is not supported");
                let inner = Inner::Other(Some(BoardReadError::at(1, message)));
                Ok(Reader { inner, format })
            }
            None => Ok(Reader::chained(sample, input, format)),
        }
    }

    /// Reads the stream as this format, without detection.
    pub fn with_format(input: R, format: InputFormat) -> Self {
        Reader::chained(Vec::new(), input, format)
    }

    fn chained(sample: Vec<u8>, rest: R, format: InputFormat) -> Self {
        let input = BufReader::with_capacity(1 << 16, Cursor::new(sample).chain(rest));
        let inner = match format {
            InputFormat::Zrd => Inner::Zrd(Records::new(input)),
            InputFormat::Dl52 => Inner::Dl52(Records::new(input)),
            InputFormat::Dup => {
                Inner::Duplimate(DuplimateReader::new(input, duplimate::DuplimateFormat::Dup))
            }
            InputFormat::Bri => {
                Inner::Duplimate(DuplimateReader::new(input, duplimate::DuplimateFormat::Bri))
            }
            InputFormat::Dge => {
                Inner::Duplimate(DuplimateReader::new(input, duplimate::DuplimateFormat::Dge))
            }
            InputFormat::Dlm => Inner::Dlm(DlmReader::new(input)),
            InputFormat::BigDeal => Inner::BigDeal(BigDealReader::new(input)),
            InputFormat::Lin | InputFormat::Handviewer => {
                Inner::Lin(Box::new(LinReader::new(input)))
            }
            InputFormat::Pbn => Inner::Pbn(Box::new(PbnReader::new(input))),
            InputFormat::Json => Inner::Json(JsonReader::new(input)),
            InputFormat::Csv => Inner::Csv(Box::new(CsvReader::new(input))),
            InputFormat::Text => Inner::Text(Box::new(TextReader::new(input))),
        };
        Reader { inner, format }
    }

    /// Keeps the text of each game in its board, if the format is PBN, so that writing PBN keeps every byte.
    #[must_use]
    pub fn keeping_source(mut self) -> Self {
        if let Inner::Pbn(reader) = self.inner {
            self.inner = Inner::Pbn(Box::new(reader.keeping_source()));
        }
        self
    }

    /// Returns the format that was detected or given.
    pub fn format(&self) -> InputFormat {
        self.format
    }
}

/// The order of the two bytes of a UTF-16 character.
#[derive(Clone, Copy)]
enum ByteOrder {
    LowFirst,
    HighFirst,
}

/// Returns the byte order of a text in UTF-16, which begins with a byte order mark.
fn utf16_order(sample: &[u8]) -> Option<ByteOrder> {
    match sample {
        [0xff, 0xfe, ..] => Some(ByteOrder::LowFirst),
        [0xfe, 0xff, ..] => Some(ByteOrder::HighFirst),
        _ => None,
    }
}

fn from_utf16(bytes: &[u8], order: ByteOrder) -> Vec<u8> {
    let units = bytes.chunks_exact(2).map(|pair| match order {
        ByteOrder::LowFirst => u16::from_le_bytes([pair[0], pair[1]]),
        ByteOrder::HighFirst => u16::from_be_bytes([pair[0], pair[1]]),
    });
    let characters = char::decode_utf16(units);
    let text: String = characters
        .map(|c| c.unwrap_or(char::REPLACEMENT_CHARACTER))
        .collect();
    text.into_bytes()
}

impl<R: Read> Iterator for Reader<R> {
    type Item = Result<Board, BoardReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        match &mut self.inner {
            Inner::Zrd(records) => records.next_zrd(),
            Inner::Dl52(records) => records.next_dl52(),
            Inner::Duplimate(reader) => reader.next(),
            Inner::Dlm(reader) => reader.next(),
            Inner::BigDeal(reader) => reader.next(),
            Inner::Lin(reader) => reader.next(),
            Inner::Pbn(reader) => reader.next(),
            Inner::Json(reader) => reader.next(),
            Inner::Csv(reader) => reader.next(),
            Inner::Text(reader) => reader.next(),
            Inner::Other(error) => error.take().map(Err),
        }
    }
}

/// Records of `N` bytes.
struct Records<R: Read, const N: usize> {
    input: Input<R>,
    number: u64,
    ended: bool,
}

impl<R: Read, const N: usize> Records<R, N> {
    fn new(input: Input<R>) -> Self {
        Records {
            input,
            number: 0,
            ended: false,
        }
    }

    /// Returns the next record. An incomplete record at the end is an error.
    fn next_record(&mut self) -> Option<Result<[u8; N], BoardReadError>> {
        if self.ended {
            return None;
        }
        match self.input.fill_buf() {
            Ok([]) => {
                self.ended = true;
                return None;
            }
            Ok(_) => {}
            Err(error) => {
                self.ended = true;
                return Some(Err(BoardReadError::io(self.number, error)));
            }
        }
        let mut record = [0; N];
        self.number += 1;
        if let Err(error) = self.input.read_exact(&mut record) {
            self.ended = true;
            let message = match error.kind() {
                io::ErrorKind::UnexpectedEof => format!(
                    "record {}, the last, is not whole: a record has {N} bytes",
                    self.number
                ),
                _ => format!("record {}: {error}", self.number),
            };
            return Some(Err(BoardReadError::at(self.number, message)));
        }
        Some(Ok(record))
    }
}

impl<R: Read> Records<R, { zrd::RECORD }> {
    fn next_zrd(&mut self) -> Option<Result<Board, BoardReadError>> {
        loop {
            let record = match self.next_record()? {
                Ok(record) => record,
                Err(problem) => return Some(Err(problem)),
            };
            return Some(match zrd::decode(&record) {
                zrd::Record::Header { .. } => continue,
                zrd::Record::Invalid => Err(BoardReadError::at(
                    self.number,
                    format!(
                        "record {} does not give thirteen cards to each hand",
                        self.number
                    ),
                )),
                zrd::Record::Deal(deal, tricks) => Ok(Board {
                    tricks: (tricks != TrickTable::default()).then_some(tricks),
                    line: self.number,
                    ..Board::of(&deal)
                }),
            });
        }
    }
}

impl<R: Read> Records<R, { dl52::RECORD }> {
    fn next_dl52(&mut self) -> Option<Result<Board, BoardReadError>> {
        let record = match self.next_record()? {
            Ok(record) => record,
            Err(problem) => return Some(Err(problem)),
        };
        Some(match dl52::decode(&record) {
            Ok(deal) => Ok(Board {
                line: self.number,
                ..Board::of(&deal)
            }),
            Err(error) => Err(BoardReadError::at(
                self.number,
                format!("record {}: {error}", self.number),
            )),
        })
    }
}
