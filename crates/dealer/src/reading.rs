//! Inputs of a run: the script, the library, the user program and the side files.

use std::ffi::OsString;
use std::io::{self, IsTerminal, Read, Write};

use croupier::session::Mode;

use super::classic::FATAL;
use super::library::LibraryFile;
use super::request::Request;
use super::side_files::{SideFiles, fatal, reason};
use crate::failure::{Failure, ShownPath};

/// Returns the script's name for messages, and its text.
///
/// # Errors
/// If the script cannot be read.
pub fn read_script(name: Option<&OsString>, mode: Mode) -> Result<(String, Vec<u8>), Failure> {
    match name {
        Some(name) if name != "-" => {
            let shown = name.to_string_lossy().into_owned();
            let text = std::fs::read(name).map_err(|error| unreadable(mode, &shown, &error))?;
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

fn unreadable(mode: Mode, name: &str, error: &io::Error) -> Failure {
    let message = format!("{name}: {}", reason(error));
    if mode == Mode::Native {
        return Failure::runtime(message);
    }
    // The classic programs name only the file.
    let _ = writeln!(io::stderr(), "{message}");
    Failure::Reported { status: FATAL }
}

fn reported(message: &str) -> Failure {
    let _ = io::stderr().write_all(message.as_bytes());
    Failure::Reported {
        status: crate::failure::RUNTIME,
    }
}

/// Opens the library that the request names.
///
/// # Errors
/// If it cannot be opened.
pub fn open_library(request: &Request) -> Result<Option<LibraryFile>, Failure> {
    let Some(path) = request.library.as_deref() else {
        return Ok(None);
    };
    LibraryFile::open(path).map(Some).map_err(|error| {
        let (name, why) = (path.shown(), reason(&error));
        if request.mode != Mode::V2 {
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
pub fn check_user_program(request: &Request) -> Result<(), Failure> {
    match request.user_program.as_deref() {
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

/// Opens the side files that the request names.
///
/// # Errors
/// If one cannot be opened.
pub fn open_side_files(request: &Request) -> Result<SideFiles, Failure> {
    SideFiles::open(request).map_err(|trouble| reported(&trouble.message))
}
