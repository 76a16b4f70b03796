//! The program `dealer`: script in, deals and tables out, in the manners of the dialect asked for.

mod checkpoint;
mod classic;
mod dialect;
mod getopt;
mod input;
mod inquiry;
mod job;
mod library;
pub mod native;
mod notices;
mod output;
pub mod part;
mod precision;
mod reading;
pub mod request;
mod run;
pub mod shapes;
mod show;
mod side_files;
mod stats_json;
pub mod tables;
mod words;

use std::ffi::{OsStr, OsString};
use std::io::{self, Write};
use std::process::ExitCode;

use clap::Parser;
use croupier::script::plan::Mode;

use command_line::failure::{self, Failure};
use command_line::{
    given, interrupt, limits, new_file, progress, record_file, scripts, solver_memory, system,
    threads, whole_file,
};

pub use classic::Exit;
pub use dialect::is_program_name;
use native::Cli;
use request::Request;

/// Runs `dealer` with the words of a command line, the program's name first.
pub fn main(words: impl IntoIterator<Item = OsString>) -> ExitCode {
    let mut words = words.into_iter();
    let program = words.next().unwrap_or_else(|| "dealer".into());
    let environment = std::env::var_os(dialect::VARIABLE);
    let done = read(&program, words.collect(), environment).and_then(|reading| match reading {
        Reading::Run { request, warnings } => {
            let _ = io::stderr().write_all(warnings.as_bytes());
            if request.list_parameters {
                list_parameters(&request)
            } else {
                run::run(*request)
            }
        }
        Reading::Answer(exit) => {
            let _ = io::stdout().write_all(exit.out.as_bytes());
            let _ = io::stderr().write_all(exit.err.as_bytes());
            Ok(ExitCode::from(exit.status))
        }
        Reading::Clap(error) => failure::tell(&error),
    });
    done.unwrap_or_else(|failure| failure.report("dealer"))
}

/// What came of a command line.
pub enum Reading {
    /// There is something to do.
    Run {
        /// What.
        request: Box<Request>,
        /// What is odd about the command line, for standard error.
        warnings: String,
    },
    /// It was a question (for help, for the version) or made no sense in a classic dialect.
    Answer(Box<Exit>),
    /// The same in our own dialect.
    Clap(Box<clap::Error>),
}

/// Reads the words of a command line; does nothing yet. `environment` is what the environment says of the dialect.
///
/// # Errors
/// If they make no sense.
pub fn read(
    program: &OsStr,
    mut words: Vec<OsString>,
    environment: Option<OsString>,
) -> Result<Reading, Failure> {
    let dialect = dialect::choose(program, &mut words, environment).map_err(Failure::usage)?;
    if dialect.mode != Mode::Native {
        return Ok(read_classic(program, &words, dialect.mode));
    }
    if dialect.dealer3 {
        words = dialect::from_dealer3(&words);
    }
    let mut reading = read_native(&words)?;
    if let Reading::Run { request, .. } = &mut reading {
        request.dealer3 = dialect.dealer3;
    }
    Ok(reading)
}

/// The parameters of the script and what it says about them.
fn list_parameters(request: &Request) -> Result<ExitCode, Failure> {
    let (_, text) = reading::read_script(request.scripts.first(), request.mode)?;
    let mut out = String::new();
    for parameter in croupier::script::parameters(&text) {
        let given = request.variables[usize::from(parameter.number)].as_deref();
        let value = given
            .or(parameter.default.as_deref())
            .unwrap_or("(no text)");
        out += &format!("${}  {value}", parameter.number);
        if let Some(description) = &parameter.description {
            out += &format!("  # {description}");
        }
        if !parameter.used {
            out += "  (declared, but not used)";
        }
        out.push('\n');
    }
    if out.is_empty() {
        out = "the script has no parameters\n".to_owned();
    }
    io::stdout().write_all(out.as_bytes())?;
    Ok(ExitCode::SUCCESS)
}

/// A command line of our own dialect.
fn read_native(words: &[OsString]) -> Result<Reading, Failure> {
    let named = std::iter::once(OsString::from("dealer")).chain(joined_level(words));
    let cli = match Cli::try_parse_from(named) {
        Ok(cli) => cli,
        Err(mut error) => {
            drop_wild_guess(&mut error);
            return Ok(Reading::Clap(Box::new(error)));
        }
    };
    if cli.license || cli.credits {
        let text = if cli.license { LICENSE } else { CREDITS };
        return Ok(Reading::Answer(Box::new(Exit::out(text, 0))));
    }
    if cli.exhaust {
        return Err(Failure::usage(
            "-e: there is no exhaust mode; see --sampler for conditions that rarely hold",
        ));
    }
    let warnings = if cli.upper_case {
        "dealer: -u has never had an effect and has none here\n"
    } else {
        ""
    };
    let request = cli.into_request(Mode::Native).map_err(Failure::usage)?;
    if request.produce.is_some_and(|n| n < 0) || request.generate.is_some_and(|n| n < 0) {
        return Err(Failure::usage(
            "-p and -g count deals and cannot be negative",
        ));
    }
    Ok(Reading::Run {
        request: Box::new(request),
        warnings: warnings.to_owned(),
    })
}

/// A suggestion that does not even begin like the word that was given helps nobody.
fn drop_wild_guess(error: &mut clap::Error) {
    use clap::error::{ContextKind, ContextValue};
    let text = |kind| match error.get(kind) {
        Some(ContextValue::String(text)) => Some(text.trim_start_matches('-').to_owned()),
        _ => None,
    };
    let given = text(ContextKind::InvalidArg);
    let guess = text(ContextKind::SuggestedArg);
    if let (Some(given), Some(guess)) = (given, guess)
        && given.chars().next() != guess.chars().next()
    {
        error.remove(ContextKind::SuggestedArg);
        // It is built from the guess.
        error.remove(ContextKind::Usage);
    }
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
            let classes = words.next_if(|next| are_shares(&next.to_string_lossy()));
            let mut word = OsString::from("--level=");
            word.push(classes.map_or(OsStr::new(""), OsString::as_os_str));
            joined.push(word);
        } else {
            joined.push(word.clone());
        }
    }
    joined
}

/// `Game=2,Slam=1`, or a list of weights; anything else after `--level` is the script.
fn are_shares(word: &str) -> bool {
    let weights = |letter: char| letter.is_ascii_digit() || ",.% ".contains(letter);
    word.contains('=') || (word.contains([',', '%']) && word.chars().all(weights))
}

const LICENSE: &str =
    "croupier is free software under the MIT licence or the Apache License 2.0, as you choose.\n";
const CREDITS: &str = "\
The language and the pages of dealer are the work of Hans van Staveren and of those who continued it;
DealerV2 is by JGM; the format of solved deals is by Richard Pavlicek. croupier shares no code with them.\n";

/// A command line of v1 or v2.
fn read_classic(program: &OsStr, words: &[OsString], mode: Mode) -> Reading {
    match classic::read(&command_line::program_name(program), words, mode) {
        Ok((request, warnings)) => Reading::Run {
            request: Box::new(request),
            warnings,
        },
        Err(exit) => Reading::Answer(exit),
    }
}
