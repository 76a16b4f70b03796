//! Files that the program reads: scripts, libraries, deals and the user program.

use std::ffi::OsString;
use std::fs::File;
use std::io::{self, IsTerminal, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use croupier::formats::Board;
use croupier::render::GivenBoards;
use croupier::session::{GivenDeals, LibraryData, Mode, SeriesDeal, SourceError};

use super::classic::FATAL;
use super::command_line::InputFiles;
use super::side_files::{fatal, reason};
use crate::failure::{self, Failure, ShownPath};
use crate::given;
use crate::system::read_exact_at;

/// Returns the script's name for messages, and its text.
///
/// # Errors
/// If the script cannot be read.
pub fn read_script(name: Option<&OsString>, mode: Mode) -> Result<(String, Vec<u8>), Failure> {
    match name {
        Some(name) if name != "-" => {
            let shown = name.to_string_lossy().into_owned();
            let text = std::fs::read(name);
            let text = text.map_err(|error| unreadable(mode, Path::new(name), &error))?;
            Ok((shown, text))
        }
        _ => {
            if io::stdin().is_terminal() {
                let _ = writeln!(
                    io::stderr(),
                    "dealer: reading a script from the terminal; end it with Ctrl-D (dealer --help explains the switches)"
                );
            }
            let mut text = Vec::new();
            io::stdin()
                .lock()
                .read_to_end(&mut text)
                .map_err(|error| Failure::runtime(format!("standard input: {error}")))?;
            Ok(("standard input".into(), text))
        }
    }
}

fn unreadable(mode: Mode, path: &Path, error: &io::Error) -> Failure {
    if mode == Mode::Native {
        return Failure::file(path, error);
    }
    // The classic programs name only the file.
    let _ = writeln!(io::stderr(), "{}: {}", path.display(), reason(error));
    Failure::Reported { status: FATAL }
}

pub(super) fn reported(message: &str) -> Failure {
    let _ = io::stderr().write_all(message.as_bytes());
    Failure::Reported {
        status: crate::failure::RUNTIME,
    }
}

/// Opens the library that the command line names.
///
/// # Errors
/// If it cannot be opened.
pub fn open_library(files: &InputFiles, mode: Mode) -> Result<Option<LibraryFile>, Failure> {
    let Some(path) = files.library.as_deref() else {
        return Ok(None);
    };
    LibraryFile::open(path).map(Some).map_err(|error| {
        let (name, why) = (path.shown(), reason(&error));
        if mode == Mode::Native {
            return Failure::file(path, &error);
        }
        if mode != Mode::V2 {
            return Failure::runtime(format!("{name}: {why}"));
        }
        reported(&format!(
            "ERROR!! Open RP LIB file for reading FAILED.: {why}\nERROR!! Cant open [{name}] for read. Aborting program \n{}",
            fatal(-12)
        ))
    })
}

/// Checks that the user program exists, as v2 does.
///
/// # Errors
/// If it does not exist.
pub fn check_user_program(files: &InputFiles) -> Result<(), Failure> {
    match files.user_program.as_deref() {
        Some(program) => std::fs::metadata(program).map(drop).map_err(|error| {
            let (name, why) = (program.shown(), reason(&error));
            reported(&format!(
                "{name}: {why}\nERROR!! Cant find [{name}] \n{}",
                fatal(-16)
            ))
        }),
        None => Ok(()),
    }
}

/// A library file, read on demand. It is not mapped into memory: if another program truncates a mapped file, the
/// process crashes; with reads it gets an error.
pub struct LibraryFile {
    path: PathBuf,
    file: File,
    size: u64,
}

impl LibraryFile {
    /// Opens a file.
    ///
    /// # Errors
    /// If the file cannot be opened or does not support reading at any position.
    pub fn open(path: &Path) -> io::Result<LibraryFile> {
        let file = File::open(path)?;
        let data = file.metadata()?;
        if !data.is_file() {
            return Err(io::Error::other("a library has to be a file"));
        }
        Ok(LibraryFile {
            path: path.to_owned(),
            file,
            size: data.len(),
        })
    }
}

impl LibraryData for LibraryFile {
    fn size(&self) -> u64 {
        self.size
    }

    fn read(&self, at: u64, bytes: &mut [u8]) -> io::Result<()> {
        read_exact_at(&self.file, bytes, at).map_err(|error| {
            let name = self.path.shown();
            match error.kind() {
                io::ErrorKind::UnexpectedEof => io::Error::new(
                    error.kind(),
                    format!("{name} has become shorter while it was being read"),
                ),
                kind => io::Error::new(kind, format!("{name}: {error}")),
            }
        })
    }
}

/// Deals from a file or a pipe, read on demand.
pub struct InputDeals {
    /// The deals.
    pub deals: GivenDeals,
    /// Number of boards that could not be read so far.
    pub bad: Arc<AtomicU64>,
    /// Data of the boards besides the cards.
    pub boards: Arc<GivenBoards>,
}

/// Opens the file of deals that the command line names: standard input for `-`, or the name itself as a deal. Boards
/// that cannot be read are reported and skipped.
///
/// # Errors
/// If the file cannot be opened and the text is not a deal, or the format is unknown.
pub fn open_deals(files: &InputFiles) -> Result<Option<InputDeals>, Failure> {
    let Some(path) = files.deals.as_deref() else {
        return Ok(None);
    };
    let standard = path.as_os_str() == "-";
    let name = match standard {
        true => "standard input".to_owned(),
        false => path.shown(),
    };
    let reader = given::open(path)?;
    let bad = Arc::new(AtomicU64::new(0));
    let counter = Arc::clone(&bad);
    let boards = Arc::new(GivenBoards::default());
    let said = Arc::clone(&boards);
    let skipped = files.skipped_deals;
    let most = files.most_deals.unwrap_or(usize::MAX);
    let mut given = 0;
    let mut left_out = 0;
    let deals = reader.filter_map(move |board| match board {
        Ok(board) => match board.deal() {
            Some(_) if left_out < skipped => {
                left_out += 1;
                None
            }
            Some(deal) => {
                let tricks = board.tricks;
                if has_other_data(&board) {
                    said.keep(given, board);
                }
                given += 1;
                Some(Ok(SeriesDeal { deal, tricks }))
            }
            None => {
                let line = board.line;
                print_error(
                    &counter,
                    &format!("{name}: line {line}: not a whole deal: fewer than three hands"),
                );
                None
            }
        },
        Err(problem) if problem.io.is_some() => {
            Some(Err(SourceError::unreadable(name.clone(), problem)))
        }
        Err(problem) => {
            print_error(&counter, &format!("{name}: {problem}"));
            None
        }
    });
    Ok(Some(InputDeals {
        deals: Box::new(deals.take(most)),
        bad,
        boards,
    }))
}

/// Returns whether the board has data of its file besides cards and tricks.
fn has_other_data(board: &Board) -> bool {
    board.number.is_some()
        || board.names.is_some()
        || board.record.is_some()
        || board.extras.is_some()
}

fn print_error(counter: &AtomicU64, text: &str) {
    counter.fetch_add(1, Ordering::Relaxed);
    failure::print_error("dealer", text);
}
