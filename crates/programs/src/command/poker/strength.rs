//! `croupier poker strength`: counts the made hands and draws of a range on a board.

use std::io::{self, Write};
use std::process::ExitCode;

use croupier::poker::strength::{Made, distribution};
use croupier::poker::{Query, format_cards, strength::Draws};

use super::answer::Answer;
use super::question::{TableArgs, shortened};
use crate::failure::Failure;
use crate::table::{Listing, ListingCell, TableFormat};

/// Show how often a range has each made hand and draw on a board
///
/// Every hand counts as exactly one made hand, so these shares add up to 100 %. Draws are counted separately. The
/// column `or better` adds up the shares from the best hand.
#[derive(clap::Args)]
pub struct Args {
    /// Range to count
    range: String,
    #[command(flatten)]
    table: TableArgs,
    /// Format of the table
    #[arg(short, long, value_enum, default_value_t)]
    format: TableFormat,
}

/// Counts and prints the table.
pub fn run(args: Args) -> Result<ExitCode, Failure> {
    let table = args.table.read()?;
    table.require_two_hole_cards("strength")?;
    if !(3..=5).contains(&table.board.len()) {
        return Err(Failure::usage(
            "strength needs a --board of three to five cards, as in --board Kh7d2c",
        ));
    }
    let range = table.range(&args.range)?;
    let found = distribution(table.game, &range, table.board, table.dead);
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
    let combos = |weight: u64| match weight % 1_000_000 {
        0 => ListingCell::Whole(weight / 1_000_000),
        _ => ListingCell::Decimal(weight as f64 / 1e6, 6),
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
        let answer = Answer {
            query: &Query {
                game: table.game,
                players: vec![range],
                board: table.board,
                dead: table.dead,
            },
            totals: vec![
                ("hands", ListingCell::Whole(found.hands as u64)),
                ("combos", combos(found.total)),
            ],
            rows: ("kinds", &listing),
        };
        answer.write(&mut out)?;
        out.flush()?;
        return Ok(ExitCode::SUCCESS);
    }
    if args.format == TableFormat::Text {
        writeln!(
            out,
            "{}: {} on {}, {} hands",
            table.game,
            shortened(&args.range),
            format_cards(table.board),
            found.hands
        )?;
    }
    listing.write(args.format, &mut out)?;
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}
