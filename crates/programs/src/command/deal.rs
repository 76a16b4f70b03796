//! `croupier deal`: runs the program `dealer`.

use std::ffi::OsString;
use std::process::ExitCode;

use crate::failure::Failure;

/// Deal hands that satisfy a script: the program dealer, with all its switches.
///
/// For the list of switches run `dealer --help`.
#[derive(clap::Args)]
#[command(disable_help_flag = true)]
pub struct Args {
    /// Arguments of `dealer`.
    #[arg(
        trailing_var_arg = true,
        allow_hyphen_values = true,
        value_name = "DEALER SWITCHES AND SCRIPT"
    )]
    words: Vec<OsString>,
    /// Whether existing files are replaced (`--force`, which is a switch of all commands).
    #[arg(skip)]
    pub force: bool,
}

/// Runs dealer.
///
/// # Errors
/// None: `dealer` reports its failures itself and returns the exit status.
pub fn run(args: Args) -> Result<ExitCode, Failure> {
    let force = args.force.then(|| OsString::from("--force"));
    let words = std::iter::once("dealer".into()).chain(force);
    Ok(dealer::main_with(words.chain(args.words), crate::ADDITIONS))
}
