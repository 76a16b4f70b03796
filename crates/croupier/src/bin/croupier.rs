//! The program `croupier`: one subcommand for every job.

use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// Deals and values cards.
#[derive(Parser)]
#[command(name = "croupier", version, about, long_about = None)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {}

fn main() -> ExitCode {
    let cli = Cli::parse();
    match cli.command {}
}
