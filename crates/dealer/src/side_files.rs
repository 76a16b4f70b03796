//! The files besides standard output: reports, exports and libraries of produced deals.

use std::io;
use std::path::Path;

use croupier::formats::{dl52, zrd};
use croupier::script::plan::Mode;

use super::request::{Request, SideFile};
use crate::failure::ShownPath;
use crate::new_file::NewFile;
use crate::record_file::{RecordFile, Start};

/// What a side file is for; v2 names it in its own words when it cannot be opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Purpose {
    Csv,
    Export,
    Zrd,
    Dl52,
}

impl Purpose {
    /// The bytes of a record, where all are of the same length.
    fn record(self) -> Option<u64> {
        match self {
            Purpose::Csv | Purpose::Export => None,
            Purpose::Zrd => Some(zrd::RECORD as u64),
            Purpose::Dl52 => Some(dl52::RECORD as u64),
        }
    }

    /// The complaint of v2: what failed, and its error number.
    fn complaint_of_v2(self) -> (&'static str, i32) {
        match self {
            Purpose::Csv => ("CSV Report file", -11),
            Purpose::Export => ("Export file", -13),
            Purpose::Zrd => ("ZRD Output file", -18),
            Purpose::Dl52 => ("DL52 file", -15),
        }
    }
}

/// A file that could not be opened or written.
#[derive(Debug)]
pub struct Trouble {
    /// The message, with its line ends.
    pub message: String,
}

fn open(path: &Path, truncate: bool, purpose: Purpose, mode: Mode) -> Result<RecordFile, Trouble> {
    let record = purpose.record();
    let start = match truncate {
        true => Start::Anew { record },
        // DealerV2 appends to anything.
        false if mode == Mode::V2 => Start::Anywhere,
        false => Start::AtEnd { record },
    };
    RecordFile::open(path, start).map_err(|error| Trouble {
        message: complaint(path, truncate, purpose, mode, &error),
    })
}

fn complaint(
    path: &Path,
    truncate: bool,
    purpose: Purpose,
    mode: Mode,
    error: &io::Error,
) -> String {
    let reason = reason(error);
    if mode != Mode::V2 {
        return format!("dealer: cannot write {}: {reason}\n", path.shown());
    }
    let (name, number) = purpose.complaint_of_v2();
    let how = if truncate { 'w' } else { 'a' };
    let which = match purpose {
        Purpose::Zrd => String::new(),
        _ => format!("ERROR!! Cant open [{}] for {how} \n", path.display()),
    };
    format!(
        "ERROR!! Open {name} FAILED: {reason}\n{which}{}",
        fatal(number)
    )
}

/// The last line of v2 when a switch is fatal.
pub fn fatal(number: i32) -> String {
    format!("FATAL Error In GetOpts[{number}]. Ending Program \n")
}

/// The operating system's reason, without Rust's error number.
pub fn reason(error: &io::Error) -> String {
    let text = error.to_string();
    match text.find(" (os error") {
        Some(at) => text[..at].to_owned(),
        None => text,
    }
}

/// All side files of a run.
#[derive(Default)]
pub struct SideFiles {
    /// Where `csvrpt` goes instead of standard output.
    pub csv: Option<RecordFile>,
    /// Where `export` goes instead of standard output.
    pub export: Option<RecordFile>,
    /// Where solved deals go.
    pub zrd: Option<RecordFile>,
    /// Where deals of 52 bytes go.
    pub dl52: Option<RecordFile>,
    /// Whether the solved deals are not.
    pub unsolved: bool,
    /// Where the deals go instead of standard output.
    pub deals: Option<NewFile>,
}

impl SideFiles {
    /// Opens what the request names.
    ///
    /// # Errors
    /// If one cannot be opened.
    pub fn open(request: &Request) -> Result<SideFiles, Trouble> {
        let mode = request.mode;
        let side = |file: &Option<SideFile>, purpose: Purpose| {
            file.as_ref()
                .map(|file| open(&file.path, file.truncate, purpose, mode))
                .transpose()
        };
        let export = request.export.as_ref();
        Ok(SideFiles {
            csv: side(&request.csv, Purpose::Csv)?,
            export: export
                .map(|path| open(path, true, Purpose::Export, mode))
                .transpose()?,
            zrd: side(&request.zrd, Purpose::Zrd)?,
            dl52: side(&request.dl52, Purpose::Dl52)?,
            unsolved: request.zrd.as_ref().is_some_and(|file| file.unsolved),
            deals: None,
        })
    }
}
