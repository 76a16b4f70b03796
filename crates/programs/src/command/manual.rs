//! `croupier man` and `croupier completions`: made from the declarations of the switches.

use std::io::{self, Write};
use std::process::ExitCode;

use clap::CommandFactory;

use crate::failure::Failure;

/// The two programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Program {
    /// The drop-in program.
    Dealer,
    /// The program with the subcommands.
    Croupier,
}

impl Program {
    fn command(self) -> clap::Command {
        match self {
            Program::Dealer => dealer::native::Cli::command(),
            Program::Croupier => super::Cli::command(),
        }
    }

    fn name(self) -> &'static str {
        match self {
            Program::Dealer => "dealer",
            Program::Croupier => "croupier",
        }
    }
}

/// Print the manual page of a program, in the format of man.
#[derive(clap::Args)]
pub struct ManArgs {
    /// Which program.
    #[arg(value_enum, default_value = "dealer")]
    program: Program,
}

/// Prints a manual page.
///
/// # Errors
/// If it cannot be printed.
pub fn man(args: ManArgs) -> Result<ExitCode, Failure> {
    let mut text = Vec::new();
    clap_mangen::Man::new(args.program.command()).render(&mut text)?;
    io::stdout().write_all(&text)?;
    Ok(ExitCode::SUCCESS)
}

/// Print completions for a shell.
#[derive(clap::Args)]
pub struct CompletionArgs {
    /// Which shell.
    #[arg(value_enum)]
    shell: clap_complete::Shell,
    /// Which program.
    #[arg(value_enum, default_value = "dealer")]
    program: Program,
}

/// Prints completions.
///
/// # Errors
/// If they cannot be printed.
pub fn completions(args: CompletionArgs) -> Result<ExitCode, Failure> {
    let mut text = Vec::new();
    clap_complete::generate(
        args.shell,
        &mut args.program.command(),
        args.program.name(),
        &mut text,
    );
    io::stdout().write_all(&text)?;
    Ok(ExitCode::SUCCESS)
}
