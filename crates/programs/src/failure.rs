//! How a command ends when it cannot do its job: one message and an exit status.

use std::fmt;
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
        Failure::runtime(format!("{}: {error}", path.display()))
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
                eprintln!("{program}: {text}");
                ExitCode::from(*status)
            }
            Failure::Told { status } => ExitCode::from(*status),
            Failure::ReaderGone => ExitCode::SUCCESS,
        }
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

impl From<std::io::Error> for Failure {
    fn from(error: std::io::Error) -> Self {
        match error.kind() {
            std::io::ErrorKind::BrokenPipe => Failure::ReaderGone,
            _ => Failure::runtime(error),
        }
    }
}
