//! Side files of a run: reports, exports and libraries of produced deals.

use std::io::{self, Write};
use std::path::Path;

use croupier::formats::{dl52, zrd};
use croupier::render::{OutputOptions, RecordFileOptions};
use croupier::script::plan::Mode;

use super::inputs::reported;
use crate::failure::{Failure, ShownPath};
use crate::new_file::NewFile;
use crate::record_file::{OpenMode, RecordFile};

/// Purpose of a side file. v2 has its own message for each when the file cannot be opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum SideFilePurpose {
    Csv,
    Export,
    Zrd,
    Dl52,
}

impl SideFilePurpose {
    /// Returns the length of a record in bytes, if all records have the same length.
    fn record(self) -> Option<u64> {
        match self {
            SideFilePurpose::Csv | SideFilePurpose::Export => None,
            SideFilePurpose::Zrd => Some(zrd::RECORD as u64),
            SideFilePurpose::Dl52 => Some(dl52::RECORD as u64),
        }
    }

    /// Returns v2's message and its error number.
    fn message_of_v2(self) -> (&'static str, i32) {
        match self {
            SideFilePurpose::Csv => ("CSV Report file", -11),
            SideFilePurpose::Export => ("Export file", -13),
            SideFilePurpose::Zrd => ("ZRD Output file", -18),
            SideFilePurpose::Dl52 => ("DL52 file", -15),
        }
    }
}

fn open(
    path: &Path,
    truncate: bool,
    purpose: SideFilePurpose,
    mode: Mode,
) -> Result<RecordFile, Failure> {
    let record = purpose.record();
    let start = match truncate {
        true => OpenMode::Truncate { record },
        // DealerV2 appends to any file without a check.
        false if mode == Mode::V2 => OpenMode::AppendUnchecked,
        false => OpenMode::Append { record },
    };
    RecordFile::open(path, start)
        .map_err(|error| reported(&open_error(path, truncate, purpose, mode, &error)))
}

fn open_error(
    path: &Path,
    truncate: bool,
    purpose: SideFilePurpose,
    mode: Mode,
    error: &io::Error,
) -> String {
    let reason = reason(error);
    if mode != Mode::V2 {
        return format!("dealer: cannot write {}: {reason}\n", path.shown());
    }
    let (name, number) = purpose.message_of_v2();
    let how = if truncate { 'w' } else { 'a' };
    let which = match purpose {
        SideFilePurpose::Zrd => String::new(),
        _ => format!("ERROR!! Cant open [{}] for {how} \n", path.display()),
    };
    format!(
        "ERROR!! Open {name} FAILED: {reason}\n{which}{}",
        fatal(number)
    )
}

/// Returns the last line that v2 prints for a fatal switch.
pub fn fatal(number: i32) -> String {
    format!("FATAL Error In GetOpts[{number}]. Ending Program \n")
}

/// Returns the operating system's description of an error, without Rust's error number.
pub fn reason(error: &io::Error) -> String {
    let text = error.to_string();
    match text.find(" (os error") {
        Some(at) => text[..at].to_owned(),
        None => text,
    }
}

/// Prints boards in PBN as PDF.
pub type PrintPages = fn(&[u8]) -> Result<Vec<u8>, Failure>;

/// A file of deals, which appears when it is complete.
pub struct DealsFile {
    file: NewFile,
    /// The boards in PBN, and the function that prints them when all are there; `None` for a file that has the boards
    /// themselves.
    pages: Option<(Vec<u8>, PrintPages)>,
}

impl DealsFile {
    /// Creates the file; one with the ending `.pdf` gets pages.
    ///
    /// # Errors
    /// If it cannot be created, or the program cannot print pages.
    pub fn create(path: &Path, print: Option<PrintPages>) -> Result<DealsFile, Failure> {
        let pages = match (is_pages(path), print) {
            (false, _) => None,
            (true, Some(print)) => Some((Vec::new(), print)),
            (true, None) => {
                return Err(Failure::usage(format!(
                    "-o {}: `dealer` is built without pages; `croupier deal` prints them and has the same switches",
                    path.shown()
                )));
            }
        };
        let file = NewFile::create(path)?;
        Ok(DealsFile { file, pages })
    }

    /// Completes the file.
    ///
    /// # Errors
    /// If the pages cannot be printed or the file cannot be written.
    pub fn finish(mut self) -> Result<(), Failure> {
        if let Some((boards, print)) = self.pages.take() {
            self.file.write_all(&print(&boards)?)?;
        }
        self.file.finish().map(drop)
    }
}

impl Write for DealsFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.pages {
            Some((boards, _)) => boards.write(bytes),
            None => self.file.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

/// Returns whether the name is that of pages, which are printed from boards in PBN.
pub(super) fn is_pages(path: &Path) -> bool {
    path.extension()
        .is_some_and(|ending| ending.eq_ignore_ascii_case("pdf"))
}

/// All side files of a run.
#[derive(Default)]
pub struct SideFiles {
    /// File for `csvrpt` instead of standard output.
    pub csv: Option<RecordFile>,
    /// File for `export` instead of standard output.
    pub export: Option<RecordFile>,
    /// File for solved deals.
    pub zrd: Option<RecordFile>,
    /// File for deals of 52 bytes.
    pub dl52: Option<RecordFile>,
    /// File for the deals instead of standard output.
    pub deals: Option<DealsFile>,
    /// Files for the same deals in further formats.
    pub more_deals: Vec<DealsFile>,
}

impl SideFiles {
    /// Opens the files that the options name, except that for the deals.
    ///
    /// # Errors
    /// If a file cannot be opened.
    pub fn open(options: &OutputOptions, mode: Mode) -> Result<SideFiles, Failure> {
        let side = |file: &Option<RecordFileOptions>, purpose: SideFilePurpose| {
            file.as_ref()
                .map(|file| open(&file.path, file.truncate, purpose, mode))
                .transpose()
        };
        let export = options.export.as_ref();
        Ok(SideFiles {
            csv: side(&options.csv, SideFilePurpose::Csv)?,
            export: export
                .map(|path| open(path, true, SideFilePurpose::Export, mode))
                .transpose()?,
            zrd: side(&options.zrd, SideFilePurpose::Zrd)?,
            dl52: side(&options.dl52, SideFilePurpose::Dl52)?,
            deals: None,
            more_deals: Vec::new(),
        })
    }
}
