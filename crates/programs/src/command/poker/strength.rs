//! `croupier poker strength`: counts the made hands and draws of a range on a board.

use std::io::{self, Write};
use std::process::ExitCode;

use clap::ValueEnum;
use croupier::poker::strength::{Draws, Made, distribution, distribution_after};
use croupier::poker::{EquityOptions, Query, format_cards};

use super::answer::Answer;
use super::question::{TableArgs, shortened};
use crate::failure::Failure;
use crate::table::{Listing, ListingCell, TableFormat};

/// Show how often a range has each made hand and draw on a board
///
/// Every hand counts as exactly one made hand, so these shares add up to 100 %. Draws are counted separately. The
/// column `or better` adds up the shares from the best hand. With `--by` all completions of the board up to a street
/// count: all flops without a board, all rivers after a flop. The combos are then a mean over these boards.
#[derive(clap::Args)]
pub struct Args {
    /// Range to count
    range: String,
    #[command(flatten)]
    table: TableArgs,
    /// Street up to which every completion of the board counts
    #[arg(long, value_enum, value_name = "STREET")]
    by: Option<Street>,
    /// Threads to use [default: all]; the answer does not depend on them
    #[arg(short = 'j', long, value_name = "N")]
    threads: Option<usize>,
    /// Format of the table
    #[arg(short, long, value_enum, default_value_t)]
    format: TableFormat,
}

/// A street of the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Street {
    /// All flops
    Flop,
    /// All turns
    Turn,
    /// All rivers
    River,
}

impl Street {
    /// Returns the number of cards on the board and the name.
    fn cards_and_name(self) -> (usize, &'static str) {
        match self {
            Street::Flop => (3, "flop"),
            Street::Turn => (4, "turn"),
            Street::River => (5, "river"),
        }
    }
}

/// Counts and prints the table.
pub fn run(args: Args) -> Result<ExitCode, Failure> {
    let table = args.table.read()?;
    table.require_two_hole_cards("strength")?;
    if args.by.is_none() && !(3..=5).contains(&table.board.len()) {
        return Err(Failure::usage(
            "strength needs a --board of three to five cards, as in --board Kh7d2c, or --by with a street",
        ));
    }
    let range = table.range(&args.range)?;
    let street = args.by.map(Street::cards_and_name);
    let found = match street {
        None => distribution(table.game, &range, table.board, table.dead),
        Some((cards, _)) => {
            let threads = args.threads.unwrap_or(EquityOptions::default().threads);
            let threads = threads.clamp(1, 1024);
            distribution_after(table.game, &range, table.board, table.dead, cards, threads)
                .map_err(Failure::usage)?
        }
    };
    if found.total == 0 {
        return Err(Failure::runtime(format!(
            "no hand of {} is left; each shares a card with the board or the dead cards",
            args.range
        )));
    }
    let is_json = args.format == TableFormat::Json;
    let mut listing = Listing::new(match is_json {
        true => &["kind", "hand", "combos", "share", "or_better"],
        false => &["kind", "hand", "combos", "percent", "or_better"],
    });
    let share = |weight: u64| {
        let share = weight as f64 / found.total as f64;
        match is_json {
            true => ListingCell::Decimal(share, 9),
            false => ListingCell::Decimal(100.0 * share, 2),
        }
    };
    let unit = 1_000_000 * found.boards;
    let combos = |weight: u64| match weight % unit {
        0 => ListingCell::Whole(weight / unit),
        _ => ListingCell::Decimal(weight as f64 / unit as f64, 6),
    };
    let mut sum = 0;
    for made in Made::ALL {
        let weight = found.made.get(&made).copied().unwrap_or(0);
        sum += weight;
        listing.push(vec![
            "made".into(),
            made.name().into(),
            combos(weight),
            share(weight),
            share(sum),
        ]);
    }
    for (name, _) in Draws::default().named() {
        let weight = found.draws.get(name).copied().unwrap_or(0);
        listing.push(vec![
            "draw".into(),
            name.into(),
            combos(weight),
            share(weight),
            ListingCell::Empty,
        ]);
    }
    let mut out = io::stdout().lock();
    if is_json {
        let mut totals = vec![
            ("hands", ListingCell::Whole(found.hands as u64)),
            ("combos", combos(found.total)),
        ];
        if let Some((_, name)) = street {
            totals.push(("by", name.into()));
            totals.push(("boards", ListingCell::Whole(found.boards)));
        }
        let answer = Answer {
            query: &Query {
                board: table.board,
                dead: table.dead,
                ..Query::new(table.game, vec![range])
            },
            totals,
            rows: ("kinds", &listing),
        };
        answer.write(&mut out)?;
        out.flush()?;
        return Ok(ExitCode::SUCCESS);
    }
    if args.format == TableFormat::Text {
        write!(out, "{}: {}", table.game, shortened(&args.range))?;
        if !table.board.is_empty() {
            write!(out, " on {}", format_cards(table.board))?;
        }
        match street {
            Some((_, name)) => writeln!(
                out,
                " by the {name}, {} hands, {} boards",
                found.hands, found.boards
            )?,
            None => writeln!(out, ", {} hands", found.hands)?,
        }
    }
    listing.write(args.format, &mut out)?;
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}
