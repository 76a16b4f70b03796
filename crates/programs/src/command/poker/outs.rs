//! `croupier poker outs`: shows how every next card changes the equity.

use std::io::{self, Write};
use std::iter;
use std::process::ExitCode;

use croupier::poker::{Equity, NextCard, card_text, format_cards};

use super::answer::Answer;
use super::equity::share_totals;
use super::question::{FoldedArgs, MethodArgs, PokerTable, TableArgs, failure, shortened};
use super::share_cells::{IntervalLimits, column_decimals, percent_limits, share_and_limits};
use crate::failure::Failure;
use crate::table::{Listing, ListingCell, TableFormat};

/// Show how every next card changes a player's equity
///
/// An out is a card that raises the player's equity to more than an even share of the pot: more than a half against one
/// opponent. All cards are listed, the best first, including those that change nothing.
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
    folded: FoldedArgs,
    #[command(flatten)]
    method: MethodArgs,
    /// Format of the table
    #[arg(short, long, value_enum, default_value_t)]
    format: TableFormat,
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
    let query = table.query(&ranges, &args.folded)?;
    let options = args.method.options()?;
    let equity = query.solve(&options).map_err(failure)?;
    let now = equity.players().swap_remove(0);
    let even = 1.0 / query.players.len() as f64;
    let mut next = query.next_cards(&options).map_err(failure)?;
    next.sort_by(|a, b| b.player(0).equity.total_cmp(&a.player(0).equity));
    let outs: Vec<String> = next
        .iter()
        .filter(|next| next.is_out(0, &equity))
        .map(|next| card_text(next.card))
        .collect();
    let mut out = io::stdout().lock();
    if args.format == TableFormat::Json {
        let mut totals = vec![("exact", ListingCell::YesNo(equity.is_exact()))];
        totals.extend(share_totals(&now));
        totals.push(("outs", ListingCell::Whole(outs.len() as u64)));
        let answer = Answer {
            query: &query,
            totals,
            rows: ("cards", &listing(&next, &equity, true)),
        };
        answer.write(&mut out)?;
        out.flush()?;
        return Ok(ExitCode::SUCCESS);
    }
    if args.format == TableFormat::Text {
        let decimals = column_decimals(iter::once(now.confidence_interval()), 4);
        let limits = now
            .confidence_interval()
            .map_or_else(String::new, |limits| {
                format!(" (95 %: {})", percent_limits(limits, decimals))
            });
        writeln!(
            out,
            "{}: {} on {}: equity {:.*} %{}, {} outs of {} cards{}{}",
            table.game,
            shortened(&args.range),
            format_cards(table.board),
            decimals,
            100.0 * now.equity,
            limits,
            outs.len(),
            next.len(),
            if outs.is_empty() { "" } else { ": " },
            outs.join(" ")
        )?;
        if now.equity > even {
            writeln!(
                out,
                "The equity is more than an even share already; outs raise it further."
            )?;
        }
    }
    listing(&next, &equity, false).write(args.format, &mut out)?;
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}

/// Returns a row for each card, with shares from 0 to 1 for JSON and in percent otherwise.
fn listing(cards: &[NextCard], now: &Equity, is_json: bool) -> Listing {
    const SHARES: [&str; 8] = [
        "card",
        "equity",
        "low",
        "high",
        "change",
        "change_low",
        "change_high",
        "out",
    ];
    const PERCENTAGES: [&str; 8] = [
        "card",
        "equity%",
        "low%",
        "high%",
        "change%",
        "change_low%",
        "change_high%",
        "out",
    ];
    let is_simulated = !now.is_exact() || cards.iter().any(|next| !next.equity.is_exact());
    let names = if is_json { SHARES } else { PERCENTAGES };
    let exact_names = [names[0], names[1], names[4], names[7]];
    let mut listing = Listing::new(if is_simulated {
        &names[..]
    } else {
        &exact_names[..]
    });
    let cells = |share: f64, limits: IntervalLimits| {
        let (factor, decimals) = if is_json { (1.0, 12) } else { (100.0, 4) };
        let cells = share_and_limits(share, limits, factor, decimals);
        cells.into_iter().take(if is_simulated { 3 } else { 1 })
    };
    for next in cards {
        let mut row = vec![ListingCell::Text(card_text(next.card))];
        let player = next.player(0);
        row.extend(cells(player.equity, player.confidence_interval()));
        let (change, limits) = next.change(0, now);
        row.extend(cells(change, limits));
        row.push(ListingCell::YesNo(next.is_out(0, now)));
        listing.push(row);
    }
    listing
}
