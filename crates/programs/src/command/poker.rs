//! `croupier poker`: evaluates hands, computes equity and solves games.

mod answer;
mod bench;
mod combos;
mod equity;
mod eval;
mod history;
mod matrix;
mod outs;
mod push;
mod question;
mod share_cells;
mod solve;
mod strength;

use std::process::ExitCode;

use clap::Subcommand;

use crate::failure::Failure;

/// Evaluate poker hands, compute equity, and solve games
#[derive(clap::Args)]
pub struct Args {
    #[command(subcommand)]
    command: PokerCommand,
}

#[derive(Subcommand)]
enum PokerCommand {
    Eval(eval::Args),
    Equity(equity::Args),
    Matrix(matrix::Args),
    Combos(combos::Args),
    Histogram(combos::HistogramArgs),
    Strength(strength::Args),
    Outs(outs::Args),
    History(history::Args),
    Push(push::Args),
    Solve(Box<solve::Args>),
    Bench(bench::Args),
}

impl Args {
    /// Returns whether the subcommand is `bench`, where `--time` is the time per row and not a limit.
    #[must_use]
    pub fn is_bench(&self) -> bool {
        matches!(self.command, PokerCommand::Bench(_))
    }
}

/// Subcommands of `croupier poker`, for the hint if a user forgets the word `poker`.
pub const SUBCOMMANDS: [&str; 9] = [
    "eval",
    "equity",
    "matrix",
    "combos",
    "histogram",
    "strength",
    "outs",
    "history",
    "push",
];

/// Runs the subcommand.
///
/// # Errors
/// If a hand, a range or a combination of options is invalid.
pub fn run(args: Args) -> Result<ExitCode, Failure> {
    match args.command {
        PokerCommand::Eval(args) => eval::run(args),
        PokerCommand::Equity(args) => equity::run(args),
        PokerCommand::Matrix(args) => matrix::run(args),
        PokerCommand::Combos(args) => combos::run(args),
        PokerCommand::Histogram(args) => combos::histogram(args),
        PokerCommand::Strength(args) => strength::run(args),
        PokerCommand::Outs(args) => outs::run(args),
        PokerCommand::History(args) => history::run(args),
        PokerCommand::Push(args) => push::run(args),
        PokerCommand::Solve(args) => solve::run(*args),
        PokerCommand::Bench(args) => bench::run(args),
    }
}
