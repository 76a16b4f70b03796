//! `croupier poker eval`: ranks hands.

use std::io::{self, BufRead, IsTerminal, Write};
use std::process::ExitCode;

use croupier::cards::CardSet;
use croupier::poker::{Game, format_cards, parse_cards, reference};
use serde::Serialize;

use super::question::GameArgs;
use crate::failure::Failure;
use crate::table::TableFormat;

/// Show the rank of hands of five to seven cards
///
/// Ranks run from 0 (royal flush) to 7461; the lower rank wins. Give hands as arguments, or one per line on standard
/// input. Other games have numbers of their own; in every game the lower one wins. In split games a second number
/// ranks the low half.
#[derive(clap::Args)]
pub struct Args {
    /// Hands such as AsKdQhJcTs or "As Kd Qh Jc Ts"; single cards form one hand together
    hands: Vec<String>,
    /// Cards that all hands share; in Omaha the board, of which exactly three count
    #[arg(long, value_name = "CARDS")]
    board: Option<String>,
    #[command(flatten)]
    game: GameArgs,
    /// Format of the table
    #[arg(short, long, value_enum, default_value_t)]
    format: TableFormat,
}

/// Evaluates the hands and prints their ranks.
pub fn run(args: Args) -> Result<ExitCode, Failure> {
    let board = args.board.as_deref().unwrap_or("");
    let board = parse_cards(board).map_err(|e| Failure::usage(format!("--board: {e}")))?;
    let evaluator = Evaluator {
        game: args.game.game()?,
        board,
    };
    let mut report = Report {
        out: io::stdout().lock(),
        format: args.format,
        is_split: evaluator.game.is_split(),
        rows: 0,
    };
    report.begin()?;
    if args.hands.is_empty() {
        if io::stdin().is_terminal() {
            eprintln!("Reading hands, one per line; end with Ctrl-D.");
        }
        for (number, line) in (1..).zip(io::stdin().lock().lines()) {
            let line = line?;
            if line.trim().is_empty() {
                continue;
            }
            let row = evaluator.evaluate(&line);
            report.row(&row.map_err(|e| Failure::runtime(format!("line {number}: {e}")))?)?;
        }
    } else {
        for hand in joined(&args.hands) {
            let row = evaluator.evaluate(&hand);
            report.row(&row.map_err(|e| Failure::usage(format!("{hand:?}: {e}")))?)?;
        }
    }
    report.end()?;
    Ok(ExitCode::SUCCESS)
}

/// Returns one hand if all arguments are single cards, else one hand per argument.
fn joined(arguments: &[String]) -> Vec<String> {
    let single = |text: &String| parse_cards(text).is_ok_and(|cards| cards.len() == 1);
    if arguments.iter().all(single) {
        vec![arguments.join(" ")]
    } else {
        arguments.to_vec()
    }
}

/// A hand and its rank.
#[derive(Serialize)]
struct Row {
    cards: String,
    rank: u32,
    /// The rank for the low half, in split games.
    #[serde(skip_serializing_if = "Option::is_none")]
    low_rank: Option<u32>,
    category: &'static str,
    description: String,
}

struct Evaluator {
    game: Game,
    board: CardSet,
}

impl Evaluator {
    fn evaluate(&self, text: &str) -> Result<Row, String> {
        let hand = parse_cards(text).map_err(|error| error.to_string())?;
        let shared = hand & self.board;
        if !shared.is_empty() {
            return Err(format!("{} is on the board already", format_cards(shared)));
        }
        let foreign = (hand | self.board) - self.game.deck();
        if !foreign.is_empty() {
            return Err(format!(
                "the deck of this game has no {}",
                format_cards(foreign)
            ));
        }
        let all = hand | self.board;
        // Games for the high hand rank hands of five to seven cards; the other games need the exact number of cards.
        let is_high = matches!(
            self.game,
            Game::Holdem | Game::ShortDeck { .. } | Game::Stud
        );
        if is_high {
            if !(5..=7).contains(&all.len()) {
                return Err(self.wrong_count(hand));
            }
            let numbering = reference::numbering(self.game.rules());
            let rank = numbering.rank(reference::score(self.game.rules(), all));
            let class = &numbering.classes()[usize::from(rank.0)];
            return Ok(Row {
                cards: format_cards(hand),
                rank: rank.0.into(),
                low_rank: None,
                category: class.category.key(),
                description: class.describe(),
            });
        }
        let (own, board) = (self.game.hole_cards(), self.game.board_cards());
        let enough = match self.game {
            Game::Razz => (5..=7).contains(&hand.len()),
            _ => hand.len() == own,
        };
        if !enough || self.board.len() != board {
            let given = (hand.len(), self.board.len());
            return Err(match board {
                0 => format!(
                    "{} cards; {} needs {own} and no --board",
                    given.0, self.game
                ),
                _ => format!(
                    "{} cards and a --board of {}; {} needs {own} and {board}",
                    given.0, given.1, self.game
                ),
            });
        }
        let worth = self.game.worth(hand, self.board);
        let category = match self.game {
            Game::Razz | Game::DeuceToSeven | Game::AceToFive => "low",
            Game::Badugi => "badugi",
            _ => croupier::poker::HandRank(worth.main as u16)
                .category()
                .key(),
        };
        Ok(Row {
            cards: format_cards(hand),
            rank: worth.main,
            low_rank: worth.low,
            category,
            description: self.game.describe(hand, self.board),
        })
    }

    fn wrong_count(&self, hand: CardSet) -> String {
        match self.board.len() {
            0 => format!("{} cards; a hand has 5, 6 or 7", hand.len()),
            board => format!(
                "{} cards and {board} on the board; 5, 6 or 7 are needed",
                hand.len()
            ),
        }
    }
}

/// A report that writes each row at once, because inputs may be long.
struct Report<W> {
    out: W,
    format: TableFormat,
    is_split: bool,
    rows: u64,
}

impl<W: Write> Report<W> {
    fn begin(&mut self) -> io::Result<()> {
        match self.format {
            TableFormat::Text => Ok(()),
            TableFormat::Csv | TableFormat::CsvSafe => {
                let low = if self.is_split { "low_rank," } else { "" };
                writeln!(self.out, "cards,rank,{low}category,description")
            }
            TableFormat::Json => write!(self.out, "["),
        }
    }

    fn row(&mut self, row: &Row) -> io::Result<()> {
        let Row {
            cards,
            rank,
            low_rank,
            category,
            description,
        } = row;
        let low = low_rank.map_or_else(String::new, |low| low.to_string());
        let low_cell = if self.is_split {
            format!("{low},")
        } else {
            low.clone()
        };
        self.rows += 1;
        match self.format {
            TableFormat::Text => {
                let low = if self.is_split {
                    format!("{low:>3}  ")
                } else {
                    low
                };
                writeln!(self.out, "{cards:<14}  {rank:>4}  {low}{description}")
            }
            TableFormat::Csv | TableFormat::CsvSafe if description.contains(',') => {
                writeln!(
                    self.out,
                    "{cards},{rank},{low_cell}{category},\"{description}\""
                )
            }
            TableFormat::Csv | TableFormat::CsvSafe => {
                writeln!(
                    self.out,
                    "{cards},{rank},{low_cell}{category},{description}"
                )
            }
            TableFormat::Json => {
                let comma = if self.rows == 1 { "" } else { "," };
                write!(self.out, "{comma}\n  ")?;
                Ok(serde_json::to_writer(&mut self.out, row)?)
            }
        }
    }

    fn end(&mut self) -> io::Result<()> {
        if self.format == TableFormat::Json {
            writeln!(self.out, "\n]")?;
        }
        self.out.flush()
    }
}
