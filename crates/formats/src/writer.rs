//! Writing deals in whatever format is wanted: the counterpart of [`Reader`](crate::Reader).

use cards::Deal;

use crate::page::{self, Caption};
use crate::pbn::LineEnd;
use crate::{Board, Dialect, csv, dl52, hand, json, lin, pbn, zrd};

/// The formats that deals are written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum OutputFormat {
    /// Portable Bridge Notation, strict export format.
    Pbn,
    /// Bridge Base Online, one board a line.
    Lin,
    /// `n AKQ.JT9..8765 e ... s ... w ...`
    OneLine,
    /// Four lines a deal.
    Compact,
    /// The four hands side by side, for people.
    Page,
    /// Records of 23 bytes with double-dummy tricks.
    Zrd,
    /// Records of 52 bytes, one for each card.
    Dl52,
    /// Comma-separated values with a header row.
    Csv,
    /// One JSON object a line.
    Json,
}

impl OutputFormat {
    /// Every format with the word that names it on a command line.
    pub const NAMES: [(&'static str, OutputFormat); 9] = [
        ("pbn", OutputFormat::Pbn),
        ("lin", OutputFormat::Lin),
        ("oneline", OutputFormat::OneLine),
        ("compact", OutputFormat::Compact),
        ("all", OutputFormat::Page),
        ("zrd", OutputFormat::Zrd),
        ("dl52", OutputFormat::Dl52),
        ("csv", OutputFormat::Csv),
        ("json", OutputFormat::Json),
    ];

    /// The format with this name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<OutputFormat> {
        OutputFormat::NAMES
            .iter()
            .find(|(word, _)| *word == name)
            .map(|(_, format)| *format)
    }
}

/// Writes boards one after the other; what a format puts before the first one comes with it.
///
/// ```
/// use formats::{Board, OutputFormat, Reader, Writer};
///
/// let deal: cards::Deal =
///     "N:AKJ.KQJ.A9873.Q9 QT.T75.QT6.JT843 98642.842.52.652 753.A963.KJ4.AK7".parse().unwrap();
/// for (_, format) in OutputFormat::NAMES {
///     let (mut file, mut writer) = (Vec::new(), Writer::new(format));
///     writer.write(&mut file, &Board::duplicate(&deal, 1), &deal);
///     writer.write(&mut file, &Board::duplicate(&deal, 2), &deal);
///     assert_eq!(Reader::new(&file[..]).unwrap().filter_map(|b| b.ok()?.deal()).count(), 2);
/// }
/// ```
#[derive(Clone, Debug)]
pub struct Writer {
    format: OutputFormat,
    written: u64,
    line_end: LineEnd,
}

impl Writer {
    /// A writer for a new file.
    #[must_use]
    pub fn new(format: OutputFormat) -> Writer {
        Writer {
            format,
            written: 0,
            line_end: LineEnd::default(),
        }
    }

    /// A writer for a file that already has `written` boards.
    #[must_use]
    pub fn resumed(format: OutputFormat, written: u64) -> Writer {
        Writer {
            written,
            ..Writer::new(format)
        }
    }

    /// The same with other line ends, where the format has a choice (PBN).
    #[must_use]
    pub fn with_line_end(mut self, line_end: LineEnd) -> Writer {
        self.line_end = line_end;
        self
    }

    /// Appends a board to `out`.
    pub fn write(&mut self, out: &mut Vec<u8>, board: &Board, deal: &Deal) {
        let first = self.written == 0;
        self.written += 1;
        match self.format {
            OutputFormat::Pbn => {
                if first {
                    pbn::write_header(out, self.line_end);
                }
                pbn::write(out, board, deal, first, self.line_end);
            }
            OutputFormat::Lin => lin::write(out, board),
            OutputFormat::OneLine => hand::one_line(out, deal, None),
            OutputFormat::Compact => hand::compact(out, deal, None),
            OutputFormat::Page => page::four_hands(
                out,
                Dialect::Native.style(),
                &caption(board, self.written),
                deal,
            ),
            OutputFormat::Zrd => out.extend_from_slice(&zrd::encode(deal, board.tricks.as_ref())),
            OutputFormat::Dl52 => out.extend_from_slice(&dl52::encode(deal)),
            OutputFormat::Csv => {
                if first {
                    out.extend_from_slice(csv::HEADER.as_bytes());
                }
                csv::write(out, board, deal);
            }
            OutputFormat::Json => json::write(out, board, deal, &[]),
        }
    }
}

fn caption(board: &Board, written: u64) -> Caption<'static> {
    let number = board.number.unwrap_or(written);
    Caption {
        title: b"",
        produced: written,
        board: number as i64,
        earlier: 0,
    }
}
