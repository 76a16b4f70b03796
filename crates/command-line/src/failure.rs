//! How a command ends when it cannot do its job: one message and an exit status.

use std::fmt;
use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;

/// Exit status for a failure while working (bad script, unreadable file, nothing produced).
pub const RUNTIME: u8 = 1;
/// Exit status for a mistake on the command line.
pub const USAGE: u8 = 2;

/// Why a command ends early.
#[derive(Debug)]
pub enum Failure {
    /// Something to be told.
    Message {
        /// What was wrong, where, and what would be right.
        text: String,
        /// The exit status of the program.
        status: u8,
    },
    /// Something that has been told already.
    Told {
        /// The exit status of the program.
        status: u8,
    },
    /// Whoever read our output has closed the pipe, as `| head` does: nothing is wrong.
    ReaderGone,
}

impl Failure {
    /// Something went wrong while working.
    pub fn runtime(message: impl fmt::Display) -> Self {
        Failure::Message {
            text: message.to_string(),
            status: RUNTIME,
        }
    }

    /// The command line asked for something that makes no sense.
    pub fn usage(message: impl fmt::Display) -> Self {
        Failure::Message {
            text: message.to_string(),
            status: USAGE,
        }
    }

    /// Something is wrong with a file, or in it.
    pub fn at(path: &Path, error: impl fmt::Display) -> Self {
        Failure::runtime(format!("{}: {error}", path.shown()))
    }

    /// Standard output takes no more.
    pub fn standard_output(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::BrokenPipe => Failure::ReaderGone,
            _ if crate::system::stdout_was_closed() => {
                Failure::runtime("standard output is closed")
            }
            _ => Failure::runtime(format!("standard output: {error}")),
        }
    }

    /// The same failure with the exit status of a wrong command line.
    #[must_use]
    pub fn as_usage(self) -> Self {
        self.with_runtime_status(USAGE)
    }

    /// The same failure; if it happened while working, with this exit status.
    #[must_use]
    pub fn with_runtime_status(mut self, other: u8) -> Self {
        if let Failure::Message { status, .. } | Failure::Told { status } = &mut self
            && *status == RUNTIME
        {
            *status = other;
        }
        self
    }

    /// Prints the message to standard error and gives the exit code.
    pub fn report(&self, program: &str) -> ExitCode {
        match self {
            Failure::Message { text, status } => {
                complain(program, text);
                ExitCode::from(*status)
            }
            Failure::Told { status } => ExitCode::from(*status),
            Failure::ReaderGone => ExitCode::SUCCESS,
        }
    }
}

/// Prints a message to standard error. Control characters, which names and texts of files may hold, are escaped: they
/// would play with the terminal.
pub fn complain(program: &str, message: impl fmt::Display) {
    let message = message.to_string();
    let lines: Vec<String> = message.split('\n').map(escaped).collect();
    // Nobody can be told if standard error is closed.
    let _ = writeln!(io::stderr(), "{program}: {}", lines.join("\n"));
}

fn escaped(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for c in text.chars() {
        match c.is_control() && c != '\t' {
            true => shown.extend(c.escape_default()),
            false => shown.push(c),
        }
    }
    shown
}

/// A path in a message.
pub trait ShownPath {
    /// Returns the path with its control characters escaped, line ends too.
    fn shown(&self) -> String;
}

impl ShownPath for Path {
    fn shown(&self) -> String {
        escaped(&self.display().to_string())
    }
}

/// Prints what clap has to say (help, the version, what is wrong with the words), where it belongs.
///
/// # Errors
/// If it cannot be printed.
pub fn tell(error: &clap::Error) -> Result<ExitCode, Failure> {
    error.print()?;
    Ok(ExitCode::from(error.exit_code() as u8))
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::Message { text, .. } => f.write_str(text),
            Failure::Told { .. } | Failure::ReaderGone => Ok(()),
        }
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::BrokenPipe => Failure::ReaderGone,
            io::ErrorKind::StorageFull if crate::system::stdout_was_closed() => {
                Failure::runtime("standard output is closed")
            }
            _ => Failure::runtime(error),
        }
    }
}
