//! How a command ends when it cannot do its job: one message and an exit status.

use std::fmt;
use std::process::ExitCode;

/// Exit status for a failure while working (bad script, unreadable file, nothing produced).
pub const RUNTIME: u8 = 1;
/// Exit status for a mistake on the command line.
pub const USAGE: u8 = 2;

/// A message for the user and the exit status that goes with it.
#[derive(Debug)]
pub struct Failure {
    /// What was wrong, where, and what would be right. Empty when it has been reported already.
    pub message: String,
    /// The exit status of the program.
    pub status: u8,
}

impl Failure {
    /// Something went wrong while working.
    pub fn runtime(message: impl fmt::Display) -> Self {
        Failure {
            message: message.to_string(),
            status: RUNTIME,
        }
    }

    /// The command line asked for something that makes no sense.
    pub fn usage(message: impl fmt::Display) -> Self {
        Failure {
            message: message.to_string(),
            status: USAGE,
        }
    }

    /// Prints the message to standard error and gives the exit code.
    pub fn report(&self, program: &str) -> ExitCode {
        if !self.message.is_empty() {
            eprintln!("{program}: {}", self.message);
        }
        ExitCode::from(self.status)
    }
}

impl From<std::io::Error> for Failure {
    /// A closed pipe is how `| head` says "enough": that is success, and silent.
    fn from(error: std::io::Error) -> Self {
        if error.kind() == std::io::ErrorKind::BrokenPipe {
            Failure {
                message: String::new(),
                status: 0,
            }
        } else {
            Failure::runtime(error)
        }
    }
}
