//! `croupier lsp`: the language server for editors.

use std::process::ExitCode;

use crate::failure::Failure;

/// Serve an editor over standard input and output with the Language Server Protocol.
///
/// Your editor starts this program; docs/editors.md explains the setup for VS Code, Neovim, Helix and others.
#[derive(clap::Args)]
pub struct Args {
    /// Use standard input and output. This is the only transport; the switch exists because some editors pass it.
    #[arg(long, hide = true)]
    stdio: bool,
}

/// Serves the editor until it closes the connection.
///
/// # Errors
/// If a message of the editor violates the protocol.
pub fn run(Args { stdio: _ }: Args) -> Result<ExitCode, Failure> {
    ::lsp::serve_standard_streams().map_err(|error| Failure::runtime(format!("lsp: {error}")))?;
    Ok(ExitCode::SUCCESS)
}
