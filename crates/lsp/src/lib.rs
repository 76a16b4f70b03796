//! Language server for the dealer language.
//!
//! The server reads the editor's messages in order, compiles a document when no further message is waiting, and answers
//! from the newest version. Frequencies and runs of scripts are computed on other threads and cancelled when the text changes.
//! Each feature has a file: [`names`], [`marks`], [`words`], [`fixes`], [`lens`], `run`.
//!
//! No message ends the server but `exit`: [`transport`] answers bytes that are no message, [`params`] reads parameters, and
//! a panic is the answer to one request.

use std::fmt;

pub mod analysis;
pub mod chances;
pub mod dialect;
pub mod document;
pub mod fixes;
pub mod grammar;
pub mod lens;
pub mod marks;
pub mod names;
pub mod params;
mod run;
mod server;
pub mod transport;
pub mod words;

pub use server::{capabilities, serve};

/// Error that ends the server early.
#[derive(Debug)]
#[non_exhaustive]
pub enum ServerError {
    /// The editor sent `exit` without `shutdown`.
    ExitWithoutShutdown,
    /// The connection was closed without `shutdown`.
    Disconnected,
    /// A thread could not be started, or the output could not be written.
    Io(std::io::Error),
}

impl fmt::Display for ServerError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ServerError::ExitWithoutShutdown => f.write_str("the editor ended without `shutdown`"),
            ServerError::Disconnected => {
                f.write_str("the editor closed the connection without `shutdown`")
            }
            ServerError::Io(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for ServerError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            ServerError::Io(error) => Some(error),
            _ => None,
        }
    }
}

impl From<std::io::Error> for ServerError {
    fn from(error: std::io::Error) -> ServerError {
        ServerError::Io(error)
    }
}

/// Serves an editor over standard input and output until it closes the connection.
///
/// # Errors
/// If the editor goes away without ending the session, or the output cannot be written.
pub fn serve_standard_streams() -> Result<(), ServerError> {
    let input = std::io::BufReader::new(std::io::stdin());
    transport::serve_streams(input, std::io::stdout())
}

/// Calls `action`. A panic in it becomes an error, so that a fault of one feature does not end the server.
///
/// # Errors
/// If `action` panics; the text is for the editor's log.
pub(crate) fn guarded<T>(action: impl FnOnce() -> T) -> Result<T, String> {
    let caught = std::panic::catch_unwind(std::panic::AssertUnwindSafe(action));
    caught.map_err(|panic| {
        let text = panic.downcast_ref::<String>().map(String::as_str);
        let text = text.or_else(|| panic.downcast_ref::<&str>().copied());
        format!("a fault in croupier: {}", text.unwrap_or("unknown"))
    })
}
