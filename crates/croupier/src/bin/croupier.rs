//! The program `croupier`: one subcommand for every job.

use std::process::ExitCode;

use clap::{Parser, Subcommand};
use croupier::command;

/// Deals and values cards.
#[derive(Parser)]
#[command(name = "croupier", version, about, long_about = None)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Bench(command::bench::Args),
}

fn main() -> ExitCode {
    let cli = Cli::parse();
    let result = match cli.command {
        Command::Bench(args) => command::bench::run(args),
    };
    result.unwrap_or_else(|failure| failure.report("croupier"))
}
