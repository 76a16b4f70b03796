//! What a run starts from: the script, compiled, and the files that it reads and writes.

use std::ffi::OsString;
use std::io::{self, IsTerminal, Read, Write};
use std::path::Path;

use script::plan::{Mode, Plan};
use script::{CompileOptions, Diagnostic, FileLoader, Severity, Source};

use super::classic::FATAL;
use super::library::LibraryFile;
use super::request::Request;
use super::side_files::{SideFiles, fatal, reason};
use crate::failure::Failure;

/// The script's name for messages, and its text.
///
/// # Errors
/// If it cannot be read.
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
    // The classics name the file and nothing else.
    let _ = writeln!(io::stderr(), "{message}");
    Failure {
        message: String::new(),
        status: FATAL,
    }
}

/// Opens the side files and the library that the request names.
///
/// # Errors
/// If one cannot be opened.
pub fn open_files(request: &Request) -> Result<(SideFiles, Option<LibraryFile>), Failure> {
    let said = |message: String| {
        let _ = io::stderr().write_all(message.as_bytes());
        Failure {
            message: String::new(),
            status: crate::failure::RUNTIME,
        }
    };
    let library = request.library.as_deref().map(LibraryFile::open).transpose().map_err(|error| {
        let name = request.library.as_deref().unwrap_or(Path::new("")).display();
        let why = reason(&error);
        if request.mode != Mode::V2 {
            return Failure::runtime(format!("{name}: {why}"));
        }
        said(format!(
            "ERROR!! Open RP LIB file for reading FAILED.: {why}\nERROR!! Cant open [{name}] for read. Aborting program \n{}",
            fatal(-12)
        ))
    })?;
    if request.mode == Mode::V2
        && let Some(program) = request.user_program.as_deref()
        && let Err(error) = std::fs::metadata(program)
    {
        let (name, why) = (program.display(), reason(&error));
        return Err(said(format!(
            "{name}: {why}\nERROR!! Cant find [{name}] \n{}",
            fatal(-16)
        )));
    }
    let files = SideFiles::open(request).map_err(|trouble| said(trouble.message))?;
    Ok((files, library))
}

/// Compiles a script and shows what there is to say about it.
///
/// # Errors
/// If it has errors; they have been shown.
pub fn compile(request: &Request, name: &str, text: Vec<u8>) -> Result<Plan, Failure> {
    let mut predeal: [Option<String>; 4] = Default::default();
    for (seat, cards) in &request.predeal {
        predeal[seat.index()] = Some(cards.clone());
    }
    let options = CompileOptions {
        mode: request.mode,
        script_variables: request.variables.clone(),
        loader: &FileLoader,
        predeal,
        opener: request.opener,
        // A switch over a statement is an everyday thing, not worth a warning.
        generate: false,
        produce: false,
    };
    match script::compile(&Source::new(name, text), &options) {
        Ok((plan, warnings)) => {
            if request.mode == Mode::Native && !request.no_warnings {
                show(&warnings);
            }
            Ok(plan)
        }
        Err(diagnostics) => {
            let first = diagnostics
                .iter()
                .find(|diagnostic| diagnostic.severity == Severity::Error);
            match first
                .and_then(Diagnostic::render_classic)
                .filter(|_| request.mode != Mode::Native)
            {
                Some(line) => drop(writeln!(io::stderr(), "{line}")),
                None => show(&diagnostics),
            }
            Err(Failure {
                message: String::new(),
                status: crate::failure::RUNTIME,
            })
        }
    }
}

fn show(diagnostics: &[Diagnostic]) {
    let coloured = io::stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none();
    for diagnostic in diagnostics {
        let text = if coloured {
            diagnostic.render_coloured()
        } else {
            diagnostic.render()
        };
        let _ = io::stderr().write_all(text.as_bytes());
    }
}
