//! The program `dealer`: reads a script and prints deals and tables, in the dialect that the command line selects.

mod checkpoint;
mod classic;
pub mod command_line;
mod dialect;
mod getopt;
mod inputs;
mod inquiry;
pub mod native;
pub mod part;
mod print;
mod promise;
mod robots;
mod run;
pub mod shapes;
mod side_files;
mod stats_json;
mod words;

use std::ffi::{OsStr, OsString};
use std::io::{self, Write};
use std::process::ExitCode;

use croupier::script::plan::Mode;

// The crate, whose name is that of the module in this crate.
use ::command_line as shared;
use shared::failure::{self, Failure};
use shared::{
    checkpoint_file, given, interrupt, limits, new_file, progress, record_file, scripts,
    solver_memory, system, threads, whole_file,
};

pub use classic::Exit;
use command_line::{CommandLine, Task};
pub use dialect::is_program_name;
pub use robots::OpenRobots;
pub use side_files::PrintPages;

/// Functions that take long to build, so that `dealer` has none of them and `croupier deal` adds them.
#[derive(Clone, Copy, Debug)]
pub struct Additions {
    /// Opens the robots for scripts that depend on auctions.
    pub open_robots: OpenRobots,
    /// Prints boards as PDF; `None` if the program cannot.
    pub print_pages: Option<PrintPages>,
}

impl Default for Additions {
    fn default() -> Additions {
        Additions {
            open_robots: robots::none,
            print_pages: None,
        }
    }
}

/// Runs `dealer` with the arguments of a command line, the program's name first.
pub fn main(words: impl IntoIterator<Item = OsString>) -> ExitCode {
    main_with(words, Additions::default())
}

/// Runs `dealer` as [`main`] does, with further functions.
pub fn main_with(words: impl IntoIterator<Item = OsString>, additions: Additions) -> ExitCode {
    let mut words = words.into_iter();
    let program = words.next().unwrap_or_else(|| "dealer".into());
    let environment = std::env::var_os(dialect::VARIABLE);
    let done = read(&program, words.collect(), environment).and_then(|parsed| match parsed {
        ParsedCommandLine::Run { mut line, warnings } => {
            line.additions = additions;
            let _ = io::stderr().write_all(warnings.as_bytes());
            match line.task {
                Task::ListParameters => inquiry::list_parameters(&line),
                _ => run::run(*line),
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
        /// The options of the run.
        line: Box<CommandLine>,
        /// Warnings about the command line, for standard error.
        warnings: String,
    },
    /// The command line requests help or the version, or has an error, in a classic dialect.
    Answer(Box<Exit>),
    /// The command line requests help or the version, or has an error, in the native dialect.
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
    let mut parsed = match dialect.mode {
        Mode::Native if dialect.dealer3 => native::read(&dialect::from_dealer3(&words))?,
        Mode::Native => native::read(&words)?,
        mode => match classic::read(&shared::program_name(program), &words, mode) {
            Ok((line, warnings)) => ParsedCommandLine::Run {
                line: Box::new(line),
                warnings,
            },
            Err(exit) => ParsedCommandLine::Answer(exit),
        },
    };
    if let ParsedCommandLine::Run { line, .. } = &mut parsed {
        line.job.dealer3 = dialect.dealer3;
        line.replaces_files |= dialect.dealer3;
        line.output.require(&mut line.job);
    }
    Ok(parsed)
}
