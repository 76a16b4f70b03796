//! The program `croupier`: one subcommand for every job.

use std::process::ExitCode;

use clap::Parser;
use croupier::command::Cli;

fn main() -> ExitCode {
    let cli = Cli::parse();
    cli.command
        .run()
        .unwrap_or_else(|failure| failure.report("croupier"))
}
