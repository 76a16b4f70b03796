//! The program `dealer`: reads a script and prints deals and tables, in the dialect that the command line selects.

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

/// Runs `dealer` with the arguments of a command line, the program's name first.
pub fn main(words: impl IntoIterator<Item = OsString>) -> ExitCode {
    let mut words = words.into_iter();
    let program = words.next().unwrap_or_else(|| "dealer".into());
    let environment = std::env::var_os(dialect::VARIABLE);
    let done = read(&program, words.collect(), environment).and_then(|reading| match reading {
        ParsedCommandLine::Run { request, warnings } => {
            let _ = io::stderr().write_all(warnings.as_bytes());
            if request.list_parameters {
                list_parameters(&request)
            } else {
                run::run(*request)
            }
        }
        ParsedCommandLine::Answer(exit) => {
            let _ = io::stdout().write_all(exit.out.as_bytes());
            let _ = io::stderr().write_all(exit.err.as_bytes());
            Ok(ExitCode::from(exit.status))
        }
        ParsedCommandLine::Clap(error) => failure::print_clap_message(&error),
    });
    done.unwrap_or_else(|failure| failure.report("dealer"))
}

/// A parsed command line.
pub enum ParsedCommandLine {
    /// The command line requests a run.
    Run {
        /// The request.
        request: Box<Request>,
        /// Warnings about the command line, for standard error.
        warnings: String,
    },
    /// The command line requests help or the version, or has an error, in a classic dialect.
    Answer(Box<Exit>),
    /// As `Answer`, in the native dialect.
    Clap(Box<clap::Error>),
}

/// Parses the arguments of a command line. `environment` is the value of the environment variable for the dialect.
///
/// # Errors
/// If the arguments are invalid.
pub fn read(
    program: &OsStr,
    mut words: Vec<OsString>,
    environment: Option<OsString>,
) -> Result<ParsedCommandLine, Failure> {
    let dialect = dialect::choose(program, &mut words, environment).map_err(Failure::usage)?;
    if dialect.mode != Mode::Native {
        return Ok(read_classic(program, &words, dialect.mode));
    }
    if dialect.dealer3 {
        words = dialect::from_dealer3(&words);
    }
    let mut reading = read_native(&words)?;
    if let ParsedCommandLine::Run { request, .. } = &mut reading {
        request.dealer3 = dialect.dealer3;
    }
    Ok(reading)
}

/// Prints the parameters of the script and their descriptions.
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

/// Parses a command line of the native dialect.
fn read_native(words: &[OsString]) -> Result<ParsedCommandLine, Failure> {
    let named = std::iter::once(OsString::from("dealer")).chain(joined_level(words));
    let cli = match Cli::try_parse_from(named) {
        Ok(cli) => cli,
        Err(mut error) => {
            remove_poor_suggestion(&mut error);
            return Ok(ParsedCommandLine::Clap(Box::new(error)));
        }
    };
    if cli.license || cli.credits {
        let text = if cli.license { LICENSE } else { CREDITS };
        return Ok(ParsedCommandLine::Answer(Box::new(Exit::out(text, 0))));
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
    Ok(ParsedCommandLine::Run {
        request: Box::new(request),
        warnings: warnings.to_owned(),
    })
}

/// Removes clap's suggestion if it does not begin like the argument; such a suggestion misleads.
fn remove_poor_suggestion(error: &mut clap::Error) {
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
        // The usage line is built from the suggestion.
        error.remove(ContextKind::Usage);
    }
}

/// Joins `--level` with its classes to one argument. `--level` may also stand alone; separated, clap would take a
/// script for the classes.
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

/// Returns whether the text is a list of shares, `Game=2,Slam=1`, or of weights; any other text after `--level` is the
/// script.
fn are_shares(word: &str) -> bool {
    let weights = |letter: char| letter.is_ascii_digit() || ",.% ".contains(letter);
    word.contains('=') || (word.contains([',', '%']) && word.chars().all(weights))
}

const LICENSE: &str =
    "croupier is free software under the MIT licence or the Apache License 2.0, as you choose.\n";
const CREDITS: &str = "\
The language and the pages of dealer are the work of Hans van Staveren and of those who continued it;
DealerV2 is by JGM; the format of solved deals is by Richard Pavlicek. croupier shares no code with them.\n";

/// Parses a command line of v1 or v2.
fn read_classic(program: &OsStr, words: &[OsString], mode: Mode) -> ParsedCommandLine {
    match classic::read(&command_line::program_name(program), words, mode) {
        Ok((request, warnings)) => ParsedCommandLine::Run {
            request: Box::new(request),
            warnings,
        },
        Err(exit) => ParsedCommandLine::Answer(exit),
    }
}
