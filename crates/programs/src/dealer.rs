//! The program `dealer`: script in, deals and tables out, in the manners of the dialect asked for.

mod classic;
mod dialect;
mod getopt;
mod inquiry;
mod levelling;
mod library;
mod limits;
mod metrics;
pub mod native;
mod notices;
mod output;
mod progress;
mod reading;
mod request;
mod run;
mod side_files;
mod supply;

use std::ffi::{OsStr, OsString};
use std::io::{self, Write};
use std::process::ExitCode;

use clap::Parser;
use script::plan::Mode;

use crate::failure::Failure;
use native::Cli;
use request::Request;

/// Runs `dealer` with the words of a command line, the program's name first.
pub fn main(words: impl IntoIterator<Item = OsString>) -> ExitCode {
    let mut words = words.into_iter();
    let program = words.next().unwrap_or_else(|| "dealer".into());
    let mut words: Vec<OsString> = words.collect();
    let environment = std::env::var_os(dialect::VARIABLE);
    let mode = match dialect::choose(&program, &mut words, environment) {
        Ok(mode) => mode,
        Err(message) => return Failure::usage(message).report("dealer"),
    };
    let request = match mode {
        Mode::Native => read_native(&words),
        _ => read_classic(&program, &words, mode),
    };
    match request.and_then(run::run) {
        Ok(code) => code,
        Err(failure) => failure.report("dealer"),
    }
}

/// A command line of our own dialect.
fn read_native(words: &[OsString]) -> Result<Request, Failure> {
    let named = std::iter::once(OsString::from("dealer")).chain(joined_level(words));
    let cli = Cli::try_parse_from(named).map_err(|error| {
        // Help and version are answers, not failures; clap knows which stream and status.
        let _ = error.print();
        Failure {
            message: String::new(),
            status: error.exit_code() as u8,
        }
    })?;
    if cli.license || cli.credits {
        return Err(print_and_end(if cli.license { LICENSE } else { CREDITS }));
    }
    if cli.exhaust {
        return Err(Failure::usage(
            "-e: there is no exhaust mode; see --sampler for conditions that rarely hold",
        ));
    }
    if cli.upper_case {
        let _ = writeln!(
            io::stderr(),
            "dealer: -u has never had an effect and has none here"
        );
    }
    let request = cli.into_request(Mode::Native).map_err(Failure::usage)?;
    if request.produce.is_some_and(|n| n < 0) || request.generate.is_some_and(|n| n < 0) {
        return Err(Failure::usage(
            "-p and -g count deals and cannot be negative",
        ));
    }
    Ok(request)
}

/// `--level` may stand alone or before its classes; joined, clap cannot take a script for them.
fn joined_level(words: &[OsString]) -> Vec<OsString> {
    let mut joined: Vec<OsString> = Vec::new();
    let mut words = words.iter().peekable();
    while let Some(word) = words.next() {
        if word == "--" {
            joined.push(word.clone());
            joined.extend(words.cloned());
            break;
        }
        if word == "--level" {
            let classes = words.next_if(|next| next.to_string_lossy().contains('='));
            let mut word = OsString::from("--level=");
            word.push(classes.map_or(OsStr::new(""), OsString::as_os_str));
            joined.push(word);
        } else {
            joined.push(word.clone());
        }
    }
    joined
}

const LICENSE: &str =
    "croupier is free software under the MIT licence or the Apache License 2.0, as you choose.\n";
const CREDITS: &str = "\
The language and the pages of dealer are the work of Hans van Staveren and of those who continued it;
DealerV2 is by JGM; the format of solved deals is by Richard Pavlicek. croupier shares no code with them.\n";

/// An answer instead of a run.
fn print_and_end(text: &str) -> Failure {
    match io::stdout().write_all(text.as_bytes()) {
        Ok(()) => Failure {
            message: String::new(),
            status: 0,
        },
        Err(error) => error.into(),
    }
}

/// A command line of v1 or v2.
fn read_classic(program: &OsStr, words: &[OsString], mode: Mode) -> Result<Request, Failure> {
    match classic::read(&crate::program_name(program), words, mode) {
        Ok((request, warnings)) => {
            let _ = io::stderr().write_all(warnings.as_bytes());
            Ok(request)
        }
        Err(exit) => {
            let _ = io::stdout().write_all(exit.out.as_bytes());
            let _ = io::stderr().write_all(exit.err.as_bytes());
            Err(Failure {
                message: String::new(),
                status: exit.status,
            })
        }
    }
}
