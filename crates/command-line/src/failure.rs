//! Failures of commands: a message and an exit status.

use std::fmt;
use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;

/// Exit status for a failure at run time (bad script, unreadable file, nothing produced).
pub const RUNTIME: u8 = 1;
/// Exit status for an error on the command line.
pub const USAGE: u8 = 2;

/// Failure of a command.
#[derive(Debug)]
pub enum Failure {
    /// A failure with a message to print.
    Message {
        /// Message: what is wrong, where, and what would be right.
        text: String,
        /// Exit status of the program.
        status: u8,
    },
    /// A failure whose message has been printed already.
    Reported {
        /// Exit status of the program.
        status: u8,
    },
    /// The reader of standard output has closed the pipe, as `| head` does. This is not an error.
    ReaderGone,
}

impl Failure {
    /// Creates a failure at run time.
    pub fn runtime(message: impl fmt::Display) -> Self {
        Failure::Message {
            text: message.to_string(),
            status: RUNTIME,
        }
    }

    /// Creates a failure for an invalid command line.
    pub fn usage(message: impl fmt::Display) -> Self {
        Failure::Message {
            text: message.to_string(),
            status: USAGE,
        }
    }

    /// Creates a failure about a file or its content.
    pub fn at(path: &Path, error: impl fmt::Display) -> Self {
        Failure::runtime(format!("{}: {error}", path.shown()))
    }

    /// Creates a failure for a file that cannot be opened or read. A missing file is an error on the command line.
    pub fn file(path: &Path, error: &io::Error) -> Self {
        let path = path.shown();
        match error.kind() {
            io::ErrorKind::NotFound => {
                Failure::usage(format!("{path}: there is no file of this name"))
            }
            io::ErrorKind::IsADirectory => {
                Failure::usage(format!("{path}: this is a folder, not a file"))
            }
            io::ErrorKind::PermissionDenied => {
                Failure::usage(format!("{path}: you are not allowed to read this file"))
            }
            _ => Failure::runtime(format!("{path}: {error}")),
        }
    }

    /// Creates a failure for an error of writing to standard output.
    pub fn standard_output(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::BrokenPipe => Failure::ReaderGone,
            _ if crate::system::stdout_was_closed() => {
                Failure::runtime("standard output is closed")
            }
            _ => Failure::runtime(format!("standard output: {error}")),
        }
    }

    /// Returns this failure with the exit status of an invalid command line.
    #[must_use]
    pub fn as_usage(self) -> Self {
        self.with_runtime_status(USAGE)
    }

    /// Returns this failure; if its status is that of a failure at run time, replaces it by `other`.
    #[must_use]
    pub fn with_runtime_status(mut self, other: u8) -> Self {
        if let Failure::Message { status, .. } | Failure::Reported { status } = &mut self
            && *status == RUNTIME
        {
            *status = other;
        }
        self
    }

    /// Prints the message to standard error and returns the exit code.
    pub fn report(&self, program: &str) -> ExitCode {
        match self {
            Failure::Message { text, status } => {
                print_error(program, text);
                ExitCode::from(*status)
            }
            Failure::Reported { status } => ExitCode::from(*status),
            Failure::ReaderGone => ExitCode::SUCCESS,
        }
    }
}

/// Prints a message to standard error. Control characters in file names and texts are escaped, because a terminal would
/// execute them.
pub fn print_error(program: &str, message: impl fmt::Display) {
    let message = message.to_string();
    let lines: Vec<String> = message.split('\n').map(escaped).collect();
    // There is no other place for the message if standard error is closed.
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

/// Formats a path for a message.
pub trait ShownPath {
    /// Returns the path with its control characters escaped, line ends too.
    fn shown(&self) -> String;
}

impl ShownPath for Path {
    fn shown(&self) -> String {
        escaped(&self.display().to_string())
    }
}

/// Prints a message of clap: help and version to standard output, errors to standard error.
///
/// # Errors
/// If the message cannot be printed.
pub fn print_clap_message(error: &clap::Error) -> Result<ExitCode, Failure> {
    error.print()?;
    Ok(ExitCode::from(error.exit_code() as u8))
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::Message { text, .. } => f.write_str(text),
            Failure::Reported { .. } | Failure::ReaderGone => Ok(()),
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
