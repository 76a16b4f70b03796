//! Language server for the dealer language.
//!
//! The server reads the editor's messages in order, compiles a document when no further message is waiting, and answers
//! from the newest version. Frequencies are computed on a second thread and cancelled when the text changes. Each
//! feature has a file: [`names`], [`marks`], [`words`], [`fixes`], [`lens`].

pub mod analysis;
pub mod chances;
pub mod document;
pub mod fixes;
pub mod grammar;
pub mod lens;
pub mod marks;
pub mod names;
mod server;
pub mod words;

pub use server::{capabilities, serve};

use lsp_server::Connection;

/// Error that ends the server early.
pub type Error = Box<dyn std::error::Error + Send + Sync>;

/// Serves an editor over standard input and output until it closes the connection.
///
/// # Errors
/// If a message violates the protocol, or the connection breaks.
pub fn serve_standard_streams() -> Result<(), Error> {
    let (connection, threads) = Connection::stdio();
    let served = serve(&connection);
    // The writing thread ends when the last sender is dropped.
    drop(connection);
    threads.join()?;
    served
}
