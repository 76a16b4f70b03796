//! The files besides standard output: reports, exports and libraries of produced deals.

use std::fs::{File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use script::plan::Mode;

use super::request::{Request, SideFile};
use crate::new_file::NewFile;

/// What a side file is for; v2 names it in its own words when it cannot be opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Purpose {
    Csv,
    Export,
    Zrd,
    Dl52,
}

impl Purpose {
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

/// A file that is being written.
pub struct Output {
    path: PathBuf,
    writer: BufWriter<File>,
    /// Whether nothing stood in the file before.
    pub is_new: bool,
}

impl Output {
    fn open(path: &Path, truncate: bool, purpose: Purpose, mode: Mode) -> Result<Output, Trouble> {
        let file = OpenOptions::new()
            .create(true)
            .write(true)
            .truncate(truncate)
            .append(!truncate)
            .open(path);
        let file = file.map_err(|error| Trouble {
            message: complaint(path, truncate, purpose, mode, &error),
        })?;
        let is_new = file.metadata().map(|data| data.len() == 0).unwrap_or(true);
        Ok(Output {
            path: path.to_owned(),
            writer: BufWriter::with_capacity(1 << 16, file),
            is_new,
        })
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.writer
            .write(bytes)
            .map_err(|error| named(&self.path, error))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.writer
            .flush()
            .map_err(|error| named(&self.path, error))
    }
}

fn named(path: &Path, error: io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("{}: {error}", path.display()))
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
        return format!("dealer: cannot write {}: {reason}\n", path.display());
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
    pub csv: Option<Output>,
    /// Where `export` goes instead of standard output.
    pub export: Option<Output>,
    /// Where solved deals go.
    pub zrd: Option<Output>,
    /// Where deals of 52 bytes go.
    pub dl52: Option<Output>,
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
        let open = |file: &Option<SideFile>, purpose: Purpose| {
            file.as_ref()
                .map(|file| Output::open(&file.path, file.truncate, purpose, mode))
                .transpose()
        };
        Ok(SideFiles {
            csv: open(&request.csv, Purpose::Csv)?,
            export: request
                .export
                .as_ref()
                .map(|path| Output::open(path, true, Purpose::Export, mode))
                .transpose()?,
            zrd: open(&request.zrd, Purpose::Zrd)?,
            dl52: open(&request.dl52, Purpose::Dl52)?,
            unsolved: request.zrd.as_ref().is_some_and(|file| file.unsolved),
            deals: None,
        })
    }
}
