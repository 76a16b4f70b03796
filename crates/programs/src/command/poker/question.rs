//! Arguments that the equity commands share: the game, the known cards, and the method of computation.

use std::io::IsTerminal;
use std::path::{Path, PathBuf};

use clap::ValueEnum;
use croupier::cards::CardSet;
use croupier::poker::{
    EquityError, EquityMethod, EquityOptions, Game, NamedRanges, Query, Range, RangeContext,
    StopRule, parse_cards,
};

use crate::failure::Failure;
use crate::values;

/// The game.
#[derive(clap::Args)]
pub(super) struct GameArgs {
    /// Game to play
    #[arg(long, value_name = "GAME", default_value = "holdem", value_parser = values::games())]
    game: Game,
    /// In short deck, let three of a kind beat a straight
    #[arg(long)]
    trips_beat_straight: bool,
}

impl GameArgs {
    pub(super) fn game(&self) -> Result<Game, Failure> {
        match (self.game, self.trips_beat_straight) {
            (game, false) => Ok(game),
            (Game::ShortDeck { .. }, trips_beat_straight) => Ok(Game::ShortDeck {
                trips_beat_straight,
            }),
            (_, true) => Err(Failure::usage(
                "--trips-beat-straight is a rule of the short deck; add --game short-deck",
            )),
        }
    }
}

/// The table: game, board, dead cards and named ranges.
#[derive(clap::Args)]
pub(super) struct TableArgs {
    /// Board: up to five cards, as in Kh7d2c
    #[arg(long, value_name = "CARDS", default_value = "")]
    board: String,
    /// Cards that no player can have
    #[arg(long, value_name = "CARDS", default_value = "")]
    dead: String,
    /// File of named ranges, one per line: name = range
    #[arg(long, value_name = "FILE")]
    ranges_file: Option<PathBuf>,
    #[command(flatten)]
    game: GameArgs,
}

/// Ranges of players who have folded.
#[derive(clap::Args)]
pub(super) struct FoldedArgs {
    /// Ranges of players who have folded; the hands that they held take cards from the deck
    #[arg(long, value_name = "RANGE", num_args = 1..)]
    folded: Vec<String>,
}

/// The game and the cards that are known to all players.
pub(super) struct PokerTable {
    pub(super) game: Game,
    pub(super) board: CardSet,
    pub(super) dead: CardSet,
    /// The first cards of the board in the order of the text: none, the first, the first two and so on.
    pub(super) dealt: Vec<CardSet>,
    names: NamedRanges,
}

/// Returns the first cards of a valid board text: none, one, two and so on.
fn dealt(text: &str) -> Vec<CardSet> {
    let mut boards = vec![CardSet::EMPTY];
    for (end, _) in text.char_indices().chain([(text.len(), ' ')]) {
        if let Ok(cards) = parse_cards(&text[..end])
            && cards.len() == boards.len()
        {
            boards.push(cards);
        }
    }
    boards
}

/// Reads a file of named ranges. Without a file there are no names.
pub(super) fn read_names(
    path: Option<&Path>,
    game: Game,
    board: CardSet,
) -> Result<NamedRanges, Failure> {
    let Some(path) = path else {
        return Ok(NamedRanges::default());
    };
    let text = std::fs::read_to_string(path).map_err(|error| Failure::file(path, &error))?;
    NamedRanges::parse_on(&text, game, board).map_err(|error| Failure::at(path, error))
}

impl TableArgs {
    pub(super) fn read(&self) -> Result<PokerTable, Failure> {
        let game = self.game.game()?;
        let cards = |name: &str, text: &str| {
            parse_cards(text).map_err(|error| Failure::usage(format!("{name} {text:?}: {error}")))
        };
        let board = cards("--board", &self.board)?;
        let names = read_names(self.ranges_file.as_deref(), game, board)?;
        Ok(PokerTable {
            game,
            board,
            dead: cards("--dead", &self.dead)?,
            dealt: dealt(&self.board),
            names,
        })
    }
}

impl PokerTable {
    /// Parses a range of this table.
    pub(super) fn range(&self, text: &str) -> Result<Range, Failure> {
        let setting = RangeContext {
            game: self.game,
            board: self.board,
            names: &self.names,
        };
        Range::parse_in(text, &setting)
            .map_err(|error| Failure::usage(format!("range {text:?}: {error}")))
    }

    /// Returns the query with these ranges and the folded ones.
    pub(super) fn query(&self, ranges: &[String], folded: &FoldedArgs) -> Result<Query, Failure> {
        let read = |ranges: &[String]| -> Result<Vec<Range>, Failure> {
            ranges.iter().map(|text| self.range(text)).collect()
        };
        Ok(Query {
            game: self.game,
            players: read(ranges)?,
            folded: read(&folded.folded)?,
            board: self.board,
            dead: self.dead,
        })
    }

    /// Returns an error for games with another number of hole cards than two.
    pub(super) fn require_two_hole_cards(&self, command: &str) -> Result<(), Failure> {
        if self.game.hole_cards() == 2 {
            return Ok(());
        }
        Err(Failure::usage(format!(
            "{command} is for hold'em and short deck; {} hands have {} cards",
            self.game,
            self.game.hole_cards()
        )))
    }
}

/// Method of computation.
#[derive(clap::Args)]
pub(super) struct MethodArgs {
    /// Count all deals, however long it takes
    #[arg(long, conflicts_with = "monte_carlo")]
    exact: bool,
    /// Sample deals at random even where counting is possible
    #[arg(long)]
    monte_carlo: bool,
    /// Sample at most N deals
    #[arg(short = 'n', long, visible_alias = "number", value_name = "N", default_value_t = StopRule::default().samples)]
    samples: u64,
    /// Stop sampling when every player's standard error is at most this [default: 0.0001; history: 0.001]
    #[arg(long, value_name = "SHARE")]
    error: Option<f64>,
    /// Seed of the random deals; a seed always gives the same answer
    #[arg(short, long, default_value_t = 0)]
    pub(super) seed: u64,
    /// Threads to use [default: all]; the answer does not depend on them
    #[arg(short = 'j', long, value_name = "N")]
    threads: Option<usize>,
}

impl MethodArgs {
    pub(super) fn options(&self) -> Result<EquityOptions, Failure> {
        self.options_within(StopRule::default().standard_error)
    }

    /// Returns the options with another default of `--error`.
    pub(super) fn options_within(&self, usual_error: f64) -> Result<EquityOptions, Failure> {
        let error = self.error.unwrap_or(usual_error);
        if self.samples == 0 {
            return Err(Failure::usage("--samples: at least one deal is needed"));
        }
        if !(0.0..1.0).contains(&error) {
            return Err(Failure::usage(
                "--error: a share from 0 to 1 is needed, as in 0.0005",
            ));
        }
        let method = match (self.exact, self.monte_carlo) {
            (true, _) => EquityMethod::Exact,
            (_, true) => EquityMethod::MonteCarlo,
            _ => EquityMethod::Auto,
        };
        let usual = EquityOptions::default();
        Ok(EquityOptions {
            method,
            threads: self.threads.unwrap_or(usual.threads).clamp(1, 1024),
            seed: self.seed,
            stop: StopRule {
                samples: self.samples,
                standard_error: error,
            },
        })
    }
}

/// When to colour text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(super) enum ColourMode {
    /// On a terminal, unless NO_COLOR is set
    #[default]
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

impl ColourMode {
    /// Returns whether to colour the text written to `out`.
    pub(super) fn is_on(self, out: &impl IsTerminal) -> bool {
        match self {
            ColourMode::Always => true,
            ColourMode::Never => false,
            ColourMode::Auto => out.is_terminal() && std::env::var_os("NO_COLOR").is_none(),
        }
    }
}

/// Converts the error: an invalid question is a usage error, a question without an answer a runtime error.
pub(super) fn failure(error: EquityError) -> Failure {
    if error.is_invalid_query() {
        Failure::usage(error)
    } else {
        Failure::runtime(error)
    }
}

/// Shortens a long range, so that the numbers stay on the screen.
pub(super) fn shortened(range: &str) -> String {
    const LONGEST: usize = 40;
    if range.chars().count() <= LONGEST {
        return range.to_string();
    }
    let start = range.chars().take(LONGEST - 3);
    start.chain("...".chars()).collect()
}
