//! `croupier lsp`: the language server for editors.

use std::process::ExitCode;

use crate::failure::Failure;

/// Serve an editor over standard input and output with the language server protocol.
///
/// Editors start this themselves; docs/editors.md says how for VS Code, Neovim, Helix and others.
#[derive(clap::Args)]
pub struct Args {
    /// Talk over standard input and output; there is no other way, and some editors say so.
    #[arg(long, hide = true)]
    stdio: bool,
}

/// Serves until the editor says goodbye.
///
/// # Errors
/// If the editor does not keep to the protocol.
pub fn run(Args { stdio: _ }: Args) -> Result<ExitCode, Failure> {
    ::lsp::serve_standard_streams().map_err(|error| Failure::runtime(format!("lsp: {error}")))?;
    Ok(ExitCode::SUCCESS)
}
