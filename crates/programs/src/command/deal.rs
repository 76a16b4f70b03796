//! `croupier deal`: the program dealer under another name.

use std::ffi::OsString;
use std::process::ExitCode;

use crate::failure::Failure;

/// Deal hands that satisfy a script: the program dealer, with all its switches.
///
/// `croupier deal --help` does not list them; `dealer --help` does.
#[derive(clap::Args)]
#[command(disable_help_flag = true)]
pub struct Args {
    /// Everything that dealer takes.
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
/// Never: dealer reports its own failures.
pub fn run(args: Args) -> Result<ExitCode, Failure> {
    Ok(dealer::main(
        std::iter::once("dealer".into()).chain(args.words),
    ))
}
