//! `croupier poker`: the worth of hands, equity, and how fast both are found.

mod bench;
mod equity;
mod eval;

use std::process::ExitCode;

use clap::{Subcommand, ValueEnum};
use poker::Game;

use crate::failure::Failure;

/// Evaluate poker hands and compute equity
#[derive(clap::Args)]
pub struct Args {
    #[command(subcommand)]
    command: PokerCommand,
}

#[derive(Subcommand)]
enum PokerCommand {
    Eval(eval::Args),
    Equity(equity::Args),
    Bench(bench::Args),
}

/// Does it.
///
/// # Errors
/// Bad hands, ranges or combinations of options.
pub fn run(args: Args) -> Result<ExitCode, Failure> {
    match args.command {
        PokerCommand::Eval(args) => eval::run(args),
        PokerCommand::Equity(args) => equity::run(args),
        PokerCommand::Bench(args) => bench::run(args),
    }
}

/// The games by name.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum GameName {
    /// Two hole cards, the best five of seven
    #[default]
    Holdem,
    /// Four hole cards, two of them with three of the board
    Omaha,
    /// Hold'em with 36 cards: sixes and higher, flushes beat full houses
    ShortDeck,
}

/// Which game is played.
#[derive(clap::Args)]
struct GameArgs {
    /// The game
    #[arg(long, value_enum, default_value_t)]
    game: GameName,
    /// In short deck, let three of a kind beat a straight
    #[arg(long)]
    trips_beat_straight: bool,
}

impl GameArgs {
    fn game(&self) -> Result<Game, Failure> {
        let trips_beat_straight = self.trips_beat_straight;
        match self.game {
            GameName::ShortDeck => Ok(Game::ShortDeck {
                trips_beat_straight,
            }),
            _ if trips_beat_straight => Err(Failure::usage(
                "--trips-beat-straight is a rule of the short deck; add --game short-deck",
            )),
            GameName::Holdem => Ok(Game::Holdem),
            GameName::Omaha => Ok(Game::Omaha),
        }
    }
}
