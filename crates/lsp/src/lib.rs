//! The dealer language in an editor: a language server over any connection.
//!
//! The server reads what the editor sends in order, compiles a document when nothing more is waiting, and answers from the
//! newest state. Frequencies are worked out on a second thread and given up when the text changes. One file a
//! feature: [`names`], [`marks`], [`words`], [`fixes`], [`lens`].

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

/// What ends the service early.
pub type Error = Box<dyn std::error::Error + Send + Sync>;

/// Serves the editor at the other end of standard input and output until it says goodbye.
///
/// # Errors
/// If the editor does not keep to the protocol or goes away.
pub fn serve_standard_streams() -> Result<(), Error> {
    let (connection, threads) = Connection::stdio();
    let served = serve(&connection);
    // The writing thread ends when the last sender is gone.
    drop(connection);
    threads.join()?;
    served
}
