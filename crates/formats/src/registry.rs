//! The formats of files of deals: one row each.
//!
//! Names on command lines, endings of file names, the warnings about lost data and the table in docs/formats.md come from
//! this list.

use crate::{InputFormat, OutputFormat};

/// Data of a board that a format has room for, besides the cards.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct KeptData {
    /// Dealer and vulnerability that do not follow the board number.
    pub marks: bool,
    /// Names of players, event, site and date.
    pub names: bool,
    /// Auction, play and result.
    pub record: bool,
    /// Double-dummy tricks.
    pub tricks: bool,
    /// Par.
    pub par: bool,
    /// Comments.
    pub comments: bool,
}

impl KeptData {
    const CARDS: KeptData = KeptData {
        marks: false,
        names: false,
        record: false,
        tricks: false,
        par: false,
        comments: false,
    };
    const ALL: KeptData = KeptData {
        marks: true,
        names: true,
        record: true,
        tricks: true,
        par: true,
        comments: true,
    };
    const SOLVED: KeptData = KeptData {
        tricks: true,
        ..KeptData::CARDS
    };
    const TABLE: KeptData = KeptData {
        marks: true,
        par: true,
        ..KeptData::SOLVED
    };

    /// Returns the kept data in words.
    ///
    /// ```
    /// use croupier_formats::OutputFormat;
    /// assert_eq!(OutputFormat::Csv.entry().keeps.words(), ["dealer and vulnerability", "tricks", "par"]);
    /// ```
    #[must_use]
    pub fn words(self) -> Vec<&'static str> {
        let all = [
            (self.marks, "dealer and vulnerability"),
            (self.names, "names, event, date"),
            (self.record, "auction, play, result"),
            (self.tricks, "tricks"),
            (self.par, "par"),
            (self.comments, "comments"),
        ];
        let kept = all.into_iter().filter(|(kept, _)| *kept);
        kept.map(|(_, word)| word).collect()
    }
}

/// A format of files of deals.
#[derive(Clone, Copy, Debug)]
pub struct FileFormat {
    /// Name of the format on a command line.
    pub name: &'static str,
    /// A short text for a button.
    pub label: &'static str,
    /// File name ending of files in this format.
    pub ending: &'static str,
    /// Further names and file endings of the format.
    pub aliases: &'static [&'static str],
    /// The format among those of the reader; `None` if it is only written.
    pub reads: Option<InputFormat>,
    /// The format among those of the writer; `None` if the crate `records` prints the page.
    pub writes: Option<OutputFormat>,
    /// Data of a board that a file of this format keeps.
    pub keeps: KeptData,
    /// A description in a few words.
    pub about: &'static str,
}

const fn row(
    format: OutputFormat,
    [name, ending, label]: [&'static str; 3],
    aliases: &'static [&'static str],
    reads: InputFormat,
    keeps: KeptData,
    about: &'static str,
) -> FileFormat {
    FileFormat {
        name,
        label,
        ending,
        aliases,
        reads: Some(reads),
        writes: Some(format),
        keeps,
        about,
    }
}

/// Every format. A new one is a row here, its reader or writer, and a renderer for `dealer -f`.
#[rustfmt::skip]
pub const FILE_FORMATS: [FileFormat; 15] = [
    row(OutputFormat::Pbn, ["pbn", "pbn", "PBN"], &[], InputFormat::Pbn, KeptData::ALL, "Portable Bridge Notation, export format"),
    row(OutputFormat::Lin, ["lin", "lin", "LIN (BBO)"], &[], InputFormat::Lin, KeptData::ALL, "Bridge Base Online, one board a line"),
    row(OutputFormat::OneLine, ["oneline", "txt", "One line each"], &[], InputFormat::Text, KeptData::CARDS, "four hands on a line"),
    row(OutputFormat::Compact, ["compact", "txt", "Four lines each"], &[], InputFormat::Text, KeptData::CARDS, "four lines a deal"),
    row(OutputFormat::Page, ["all", "txt", "Text"], &["txt"], InputFormat::Text, KeptData::CARDS, "four hands side by side"),
    row(OutputFormat::Zrd, ["zrd", "zrd", "ZRD"], &[], InputFormat::Zrd, KeptData::SOLVED, "records of 23 bytes with tricks"),
    row(OutputFormat::Dl52, ["dl52", "dl", "DL52"], &[], InputFormat::Dl52, KeptData::CARDS, "records of 52 bytes"),
    row(OutputFormat::Csv, ["csv", "csv", "CSV"], &[], InputFormat::Csv, KeptData::TABLE, "comma-separated values with a header row"),
    row(OutputFormat::Json, ["json", "json", "JSON"], &["jsonl", "ndjson"], InputFormat::Json, KeptData::ALL, "a JSON object a line"),
    row(OutputFormat::Dup, ["dup", "dup", "DUP (dealing machines)"], &[], InputFormat::Dup, KeptData::CARDS, "Duplimate dealing machines"),
    row(OutputFormat::Bri, ["bri", "bri", "BRI (dealing machines)"], &[], InputFormat::Bri, KeptData::CARDS, "Duplimate, digits"),
    row(OutputFormat::Dge, ["dge", "dge", "DGE (dealing machines)"], &[], InputFormat::Dge, KeptData::CARDS, "Duplimate, suits and ranks"),
    row(OutputFormat::Dlm, ["dlm", "dlm", "DLM (dealing machines)"], &[], InputFormat::Dlm, KeptData::CARDS, "the Duplimate program for Windows"),
    row(OutputFormat::Handviewer, ["bbo", "bbo", "Links to BBO"], &["url", "urls"], InputFormat::Lin, KeptData::ALL,
        "links to Bridge Base Online's hand viewer"),
    FileFormat {
        name: "pdf",
        label: "Hand records (PDF)",
        ending: "pdf",
        aliases: &[],
        reads: None,
        writes: None,
        keeps: KeptData { marks: true, names: false, record: false, tricks: true, par: true, comments: false },
        about: "hand records, practice hands and labels to print",
    },
];

/// The number of formats that [`Writer`](crate::Writer) writes.
pub(crate) const WRITTEN: usize = {
    let (mut count, mut at) = (0, 0);
    while at < FILE_FORMATS.len() {
        count += FILE_FORMATS[at].writes.is_some() as usize;
        at += 1;
    }
    count
};

/// Returns the names of the formats that are written.
pub(crate) const fn written() -> [(&'static str, OutputFormat); WRITTEN] {
    let mut names = [("", OutputFormat::Pbn); WRITTEN];
    let (mut count, mut at) = (0, 0);
    while at < FILE_FORMATS.len() {
        if let Some(format) = FILE_FORMATS[at].writes {
            names[count] = (FILE_FORMATS[at].name, format);
            count += 1;
        }
        at += 1;
    }
    names
}

impl OutputFormat {
    /// Returns the row of the format in [`FILE_FORMATS`].
    #[must_use]
    pub const fn entry(self) -> &'static FileFormat {
        const ROWS: &[FileFormat] = &FILE_FORMATS;
        let mut at = 0;
        while at < ROWS.len() {
            if let Some(format) = ROWS[at].writes
                && format as u8 == self as u8
            {
                return &ROWS[at];
            }
            at += 1;
        }
        panic!("every format that is written has a row")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_and_alias_stands_for_one_format() {
        let mut words: Vec<&str> = FILE_FORMATS.iter().map(|format| format.name).collect();
        words.extend(FILE_FORMATS.iter().flat_map(|format| format.aliases));
        let count = words.len();
        words.sort_unstable();
        words.dedup();
        assert_eq!(words.len(), count);
    }

    #[test]
    fn every_written_format_has_its_row() {
        for (name, format) in OutputFormat::NAMES {
            assert_eq!(format.entry().name, name);
            assert_eq!(format.entry().writes, Some(format));
        }
    }
}
