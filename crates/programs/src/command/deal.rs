//! `croupier deal`: runs the program `dealer`.

use std::ffi::OsString;
use std::process::ExitCode;

use crate::failure::Failure;
use crate::robots;

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
}

/// Runs dealer.
///
/// # Errors
/// None: `dealer` reports its failures itself and returns the exit status.
pub fn run(args: Args) -> Result<ExitCode, Failure> {
    Ok(dealer::main_with_robots(
        std::iter::once("dealer".into()).chain(args.words),
        robots::open,
    ))
}
