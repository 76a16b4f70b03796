//! `croupier poker outs`: shows how every next card changes the equity.

use std::io::{self, Write};
use std::process::ExitCode;

use croupier::cards::CardSet;
use croupier::poker::{EquityOptions, Query, format_cards};

use super::question::{MethodArgs, Table as PokerTable, TableArgs, failure, shortened};
use crate::failure::Failure;
use crate::table::{Cell, Table, TableFormat};

/// Show how every next card changes a player's equity
///
/// An out is a card that puts the player ahead: from at most an even share of the pot to more than that. All cards are
/// listed, the best first, including those that change nothing.
#[derive(clap::Args)]
pub struct Args {
    /// Player's hand or range
    range: String,
    /// Opponents' hands or ranges
    #[arg(long, value_name = "RANGE", required = true, num_args = 1..)]
    against: Vec<String>,
    #[command(flatten)]
    table: TableArgs,
    #[command(flatten)]
    method: MethodArgs,
    /// Format of the table
    #[arg(short, long, value_enum, default_value_t)]
    format: TableFormat,
}

/// The equities after a card.
pub(super) struct NextCardEquity {
    pub(super) card: CardSet,
    pub(super) equities: Vec<f64>,
}

/// Returns each player's equity after each card that can come next, in games with a board.
pub(super) fn after_each_card(
    query: &Query,
    options: &EquityOptions,
) -> Result<Vec<NextCardEquity>, Failure> {
    let left = query.game.deck() - query.board - query.dead;
    let mut all = Vec::new();
    for card in left {
        let card = CardSet::of(card);
        let mut next = query.clone();
        next.board |= card;
        match next.solve(options) {
            Ok(answer) => {
                let equities = answer.players().iter().map(|p| p.equity).collect();
                all.push(NextCardEquity { card, equities });
            }
            // The card is in the only hand of some player and cannot come.
            Err(error) if !error.is_invalid_query() => {}
            Err(error) => return Err(failure(error)),
        }
    }
    Ok(all)
}

/// Returns an error if no further card can come to this table.
pub(super) fn require_a_next_card(table: &PokerTable) -> Result<(), Failure> {
    let full = table.game.board_cards();
    if full == 0 {
        return Err(Failure::usage(format!("{} has no board", table.game)));
    }
    if !(3..full).contains(&table.board.len()) {
        return Err(Failure::usage(
            "a --board of three or four cards is needed for the next card to be told",
        ));
    }
    Ok(())
}

/// Computes and prints the table.
pub fn run(args: Args) -> Result<ExitCode, Failure> {
    let table = args.table.read()?;
    require_a_next_card(&table)?;
    let mut ranges = vec![args.range.clone()];
    ranges.extend(args.against.iter().cloned());
    let query = table.query(&ranges)?;
    let options = args.method.options()?;
    let now = query.solve(&options).map_err(failure)?.players()[0].equity;
    let even = 1.0 / query.players.len() as f64;
    let mut after = after_each_card(&query, &options)?;
    after.sort_by(|a, b| b.equities[0].total_cmp(&a.equities[0]));
    let is_out = |after: &NextCardEquity| now <= even && after.equities[0] > even;
    let mut listing = Table::new(&["card", "equity%", "change%", "out"]);
    for one in &after {
        listing.push(vec![
            Cell::Text(format_cards(one.card)),
            Cell::Decimal(100.0 * one.equities[0], 4),
            Cell::Decimal(100.0 * (one.equities[0] - now), 4),
            if is_out(one) { "yes" } else { "no" }.into(),
        ]);
    }
    let mut out = io::stdout().lock();
    if args.format == TableFormat::Text {
        let outs: Vec<String> = after
            .iter()
            .filter(|one| is_out(one))
            .map(|one| format_cards(one.card))
            .collect();
        writeln!(
            out,
            "{}: {} on {}: equity {:.4} %, {} outs of {} cards{}{}",
            table.game,
            shortened(&args.range),
            format_cards(table.board),
            100.0 * now,
            outs.len(),
            after.len(),
            if outs.is_empty() { "" } else { ": " },
            outs.join(" ")
        )?;
        if now > even {
            writeln!(out, "The player is ahead; there is nothing to draw to.")?;
        }
    }
    listing.write(args.format, &mut out)?;
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}
