//! `croupier man` and `croupier completions`: generated from the declarations of the switches.

use std::io::{self, Write};
use std::process::ExitCode;

use clap::CommandFactory;

use crate::failure::Failure;

/// A program of this crate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Program {
    /// The drop-in replacement for the classic dealer.
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

/// Print the manual page of a program, in the format of the command man.
#[derive(clap::Args)]
pub struct ManArgs {
    /// Program to describe.
    #[arg(value_enum, default_value = "dealer")]
    program: Program,
}

/// Prints a manual page.
///
/// # Errors
/// If standard output cannot be written to.
pub fn man(args: ManArgs) -> Result<ExitCode, Failure> {
    let mut text = Vec::new();
    clap_mangen::Man::new(args.program.command()).render(&mut text)?;
    io::stdout().write_all(&text)?;
    Ok(ExitCode::SUCCESS)
}

/// Print the completion script of a shell.
#[derive(clap::Args)]
pub struct CompletionArgs {
    /// Shell that reads the script.
    #[arg(value_enum)]
    shell: clap_complete::Shell,
    /// Program whose switches to complete.
    #[arg(value_enum, default_value = "dealer")]
    program: Program,
}

/// Prints a completion script.
///
/// # Errors
/// If standard output cannot be written to.
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
