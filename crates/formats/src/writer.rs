//! Writes deals in any format, the counterpart of [`Reader`](crate::Reader).

use std::fmt;

use cards::{Deal, Seat, Vulnerability};

use crate::page::{self, Caption};
use crate::pbn::LineEnd;
use crate::registry::{self, FILE_FORMATS};
use crate::{
    Board, Extras, csv, dl52, dlm, duplimate, hand, handviewer, json, lin, pbn, style, zrd,
};

/// The formats that deals are written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum OutputFormat {
    /// Portable Bridge Notation, strict export format.
    Pbn,
    /// Bridge Base Online, one board per line.
    Lin,
    /// `n AKQ.JT9..8765 e ... s ... w ...`
    OneLine,
    /// Four lines for each deal.
    Compact,
    /// The four hands side by side, in columns.
    Page,
    /// Records of 23 bytes with double-dummy tricks.
    Zrd,
    /// Records of 52 bytes, one for each card.
    Dl52,
    /// Comma-separated values with a header row.
    Csv,
    /// One JSON object per line.
    Json,
    /// Duplimate dealing machines: both parts of a record.
    Dup,
    /// Duplimate dealing machines: digits.
    Bri,
    /// Duplimate dealing machines: suits and ranks.
    Dge,
    /// The Duplimate program for Windows.
    Dlm,
    /// A link to the hand viewer of Bridge Base Online on a line.
    Handviewer,
}

impl OutputFormat {
    /// Every format with its name on a command line.
    pub const NAMES: [(&'static str, OutputFormat); registry::WRITTEN] = registry::written();

    /// Returns the format named `name`.
    #[must_use]
    pub fn from_name(name: &str) -> Option<OutputFormat> {
        OutputFormat::NAMES
            .iter()
            .find(|(word, _)| *word == name)
            .map(|(_, format)| *format)
    }

    /// Returns the format of a file name ending.
    ///
    /// ```
    /// use croupier_formats::OutputFormat;
    /// assert_eq!(OutputFormat::of_ending("PBN"), Some(OutputFormat::Pbn));
    /// assert_eq!(OutputFormat::of_ending("docx"), None);
    /// ```
    #[must_use]
    pub fn of_ending(ending: &str) -> Option<OutputFormat> {
        let ending = ending.to_ascii_lowercase();
        let other = || {
            FILE_FORMATS
                .iter()
                .find(|format| format.aliases.contains(&ending.as_str()))
        };
        OutputFormat::from_name(&ending).or_else(|| other()?.writes)
    }

    /// Returns descriptions of the data of a board that the format cannot hold.
    #[must_use]
    pub fn loses(self, board: &Board) -> Vec<&'static str> {
        let keeps = self.entry().keeps;
        let number = board.number.unwrap_or(1);
        let usual = board
            .dealer
            .is_none_or(|seat| seat == Seat::dealer_of_board(number))
            && board
                .vulnerable
                .is_none_or(|who| who == Vulnerability::of_board(number));
        let has = |wanted: &dyn Fn(&Extras) -> bool| board.extras.as_deref().is_some_and(wanted);
        let comments = has(&|extras| !extras.comments.is_empty());
        let tags = has(&|extras| !extras.tags.is_empty());
        let is_pbn = self == OutputFormat::Pbn;
        // The columns of a PBN play section begin with the leader.
        let play = board.record.as_deref().is_some_and(|record| {
            !record.play.is_empty() && (record.contract.is_none() || record.declarer.is_none())
        });
        let lost = [
            (!keeps.marks && !usual, "dealer and vulnerability"),
            (
                !keeps.names && board.names.is_some(),
                "names, event and date",
            ),
            (
                !keeps.record && board.record.is_some(),
                "auction, play and result",
            ),
            (
                !keeps.tricks && board.tricks.is_some(),
                "double-dummy tricks",
            ),
            (!keeps.par && board.par.is_some(), "par"),
            (!keeps.comments && comments, "comments"),
            (!keeps.comments && tags, "other tags"),
            (is_pbn && play, "play without contract or declarer"),
            (
                is_pbn && pbn::cuts_texts(board),
                "the end of texts longer than a line",
            ),
        ];
        let lost = lost
            .into_iter()
            .filter_map(|(lost, what)| lost.then_some(what));
        lost.chain(board.unread.iter().copied()).collect()
    }

    /// Returns whether a file of this format is binary, or its boards cannot be read one by one.
    #[must_use]
    pub fn is_binary(self) -> bool {
        self.counts() || matches!(self, OutputFormat::Zrd | OutputFormat::Dl52)
    }

    /// Returns whether the number of a board is only its position in the file.
    fn counts(self) -> bool {
        matches!(
            self,
            OutputFormat::Dup | OutputFormat::Bri | OutputFormat::Dge | OutputFormat::Dlm
        )
    }
}

/// An error that prevents writing boards in a format.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum WriteError {
    /// The format numbers its boards consecutively, and this number does not follow the previous one.
    Gap {
        /// The previous number.
        after: u64,
        /// The board number that does not follow.
        number: u64,
    },
    /// The number is too high for the format.
    TooHigh {
        /// The number.
        number: u64,
        /// The highest possible number.
        highest: u64,
    },
}

impl fmt::Display for WriteError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            WriteError::Gap { after, number } => write!(
                f,
                "the format numbers its boards in order, but after board {after} comes board {number}"
            ),
            WriteError::TooHigh { number, highest } => {
                write!(
                    f,
                    "board {number}: the format has no numbers above {highest}"
                )
            }
        }
    }
}

impl std::error::Error for WriteError {}

/// Writes boards one after another. The header of a format is written before the first one.
///
/// ```
/// use croupier_formats::{Board, OutputFormat, Reader, Writer};
///
/// let deal: cards::Deal =
///     "N:AKJ.KQJ.A9873.Q9 QT.T75.QT6.JT843 98642.842.52.652 753.A963.KJ4.AK7".parse().unwrap();
/// for (_, format) in OutputFormat::NAMES {
///     let (mut file, mut writer) = (Vec::new(), Writer::new(format));
///     writer.write(&mut file, &Board::duplicate(&deal, 1), &deal);
///     writer.write(&mut file, &Board::duplicate(&deal, 2), &deal);
///     writer.finish(&mut file).unwrap();
///     assert_eq!(Reader::new(&file[..]).unwrap().filter_map(|b| b.ok()?.deal()).count(), 2);
/// }
/// ```
#[derive(Clone, Debug)]
pub struct Writer {
    format: OutputFormat,
    written: u64,
    line_end: LineEnd,
    /// The number of the first board, and the boards of a format whose header depends on the last board.
    first: u64,
    held: Vec<Deal>,
    refusal: Option<WriteError>,
    /// The position of the last game whose text was copied, and whether the text so far ends a line.
    last_copied: Option<u64>,
    ends_line: bool,
    /// Whether the last board was written as the text of its game.
    has_copied: bool,
}

impl Writer {
    /// Creates a writer for a new file.
    #[must_use]
    pub fn new(format: OutputFormat) -> Writer {
        Writer {
            format,
            written: 0,
            line_end: LineEnd::default(),
            first: 1,
            held: Vec::new(),
            refusal: None,
            last_copied: None,
            ends_line: true,
            has_copied: false,
        }
    }

    /// Creates a writer for a file that already has `written` boards.
    #[must_use]
    pub fn resumed(format: OutputFormat, written: u64) -> Writer {
        Writer {
            written,
            ..Writer::new(format)
        }
    }

    /// Sets the line ends, where the format has a choice (PBN).
    #[must_use]
    pub fn with_line_end(mut self, line_end: LineEnd) -> Writer {
        self.line_end = line_end;
        self
    }

    /// Appends a board to `out`.
    pub fn write(&mut self, out: &mut Vec<u8>, board: &Board, deal: &Deal) {
        let first = self.written == 0;
        self.written += 1;
        if self.format.counts() {
            self.count(board.number.unwrap_or(self.written));
        }
        self.has_copied = self.format == OutputFormat::Pbn && self.copy(out, board);
        if self.has_copied {
            return;
        }
        match self.format {
            OutputFormat::Pbn => {
                self.end_line(out);
                if first {
                    pbn::write_header(out, self.line_end);
                }
                pbn::write(out, board, deal, first, self.line_end);
            }
            // Some programs read a line as a board only if it has player names, even empty ones.
            OutputFormat::Lin => lin::write_or(out, board, Some(",,,")),
            OutputFormat::OneLine => hand::one_line(out, deal, None),
            OutputFormat::Compact => hand::compact(out, deal, None),
            OutputFormat::Page => {
                page::four_hands(out, &style::NATIVE, &caption(board, self.written), deal)
            }
            OutputFormat::Zrd => out.extend_from_slice(&zrd::encode(deal, board.tricks.as_ref())),
            OutputFormat::Dl52 => dl52::append(out, deal),
            OutputFormat::Csv => {
                if first {
                    out.extend_from_slice(csv::HEADER.as_bytes());
                }
                csv::write(out, board, deal);
            }
            OutputFormat::Json => json::write(out, board, deal, &[]),
            OutputFormat::Bri => duplimate::write_bri(out, deal),
            OutputFormat::Dge => duplimate::write_dge(out, deal),
            OutputFormat::Dup | OutputFormat::Dlm => self.held.push(*deal),
            OutputFormat::Handviewer => handviewer::write(out, board, deal),
        }
    }

    /// Appends a board whose cards are not all known. Returns `false` if the format cannot hold it.
    pub fn write_partial(&mut self, out: &mut Vec<u8>, board: &Board) -> bool {
        let first = self.written == 0;
        match self.format {
            OutputFormat::Pbn => {
                self.written += 1;
                self.has_copied = self.copy(out, board);
                if !self.has_copied {
                    self.end_line(out);
                    if first {
                        pbn::write_header(out, self.line_end);
                    }
                    pbn::write_hands(out, board, first, self.line_end);
                }
            }
            OutputFormat::Lin => {
                self.written += 1;
                lin::write_or(out, board, Some(",,,"));
            }
            _ => return false,
        }
        true
    }

    /// Returns whether the last board was written as the text of its PBN game, so that nothing of it was lost.
    #[must_use]
    pub fn has_copied(&self) -> bool {
        self.has_copied
    }

    /// Appends the text of a board that was read from PBN, with the changes made to the board. Returns `false` if there
    /// is no text, or more was changed than values of tags.
    fn copy(&mut self, out: &mut Vec<u8>, board: &Board) -> bool {
        let Some(source) = &board.source else {
            return false;
        };
        let first = self.written == 1;
        let follows = self
            .last_copied
            .is_some_and(|last| last + 1 == source.position);
        // A value `#` repeats that of the game before it, which is not written.
        if !follows && source.position > 0 && source.inherits() {
            return false;
        }
        let Some(game) = source.revised(board) else {
            return false;
        };
        self.end_line(out);
        let is_blank = |line: &[u8]| line.iter().all(u8::is_ascii_whitespace);
        let begins_blank = source
            .before
            .split(|&byte| byte == b'\n')
            .next()
            .is_some_and(is_blank);
        if !first && !follows && (source.before.is_empty() || !begins_blank) {
            out.extend_from_slice(self.line_end.text().as_bytes());
        }
        out.extend_from_slice(&source.before);
        out.extend_from_slice(&game);
        out.extend_from_slice(&source.after);
        self.ends_line = matches!(out.last(), None | Some(b'\n' | b'\r'));
        self.last_copied = Some(source.position);
        true
    }

    /// Ends the last line of a copied text.
    fn end_line(&mut self, out: &mut Vec<u8>) {
        if !std::mem::replace(&mut self.ends_line, true) {
            out.extend_from_slice(self.line_end.text().as_bytes());
        }
    }

    /// Checks that a number follows the previous one and is not too high.
    fn count(&mut self, number: u64) {
        if self.written == 1 {
            self.first = number;
        }
        let expected = self.first.saturating_add(self.written - 1);
        let highest = match self.format {
            OutputFormat::Dlm => dlm::HIGHEST,
            OutputFormat::Dup => duplimate::HIGHEST,
            _ => u64::MAX,
        };
        if self.refusal.is_none() && number != expected {
            let after = expected - 1;
            self.refusal = Some(WriteError::Gap { after, number });
        }
        if self.refusal.is_none() && number > highest {
            self.refusal = Some(WriteError::TooHigh { number, highest });
        }
    }

    /// Appends the end of the file. Nothing may be written after it.
    ///
    /// # Errors
    /// If the boards cannot be written in this format.
    pub fn finish(&mut self, out: &mut Vec<u8>) -> Result<(), WriteError> {
        if let Some(refusal) = self.refusal.take() {
            return Err(refusal);
        }
        let deals = std::mem::take(&mut self.held);
        match self.format {
            OutputFormat::Dup => {
                let highest = self.first + (deals.len() as u64).saturating_sub(1);
                for deal in &deals {
                    duplimate::write_dup(out, deal, self.first, highest);
                }
            }
            OutputFormat::Dlm if !deals.is_empty() => dlm::write(out, self.first, &deals),
            OutputFormat::Csv if self.written == 0 => out.extend_from_slice(csv::HEADER.as_bytes()),
            OutputFormat::Pbn if self.written == 0 => pbn::write_header(out, self.line_end),
            _ => {}
        }
        Ok(())
    }
}

fn caption(board: &Board, written: u64) -> Caption<'static> {
    let number = board.number.unwrap_or(written);
    Caption {
        title: b"",
        produced: written,
        board: i64::try_from(number).unwrap_or(i64::MAX),
        earlier: 0,
    }
}
