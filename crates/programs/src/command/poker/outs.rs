//! `croupier poker outs`: shows how every next card changes the equity.

use std::io::{self, Write};
use std::iter;
use std::process::ExitCode;

use croupier::cards::CardSet;
use croupier::poker::equity::PlayerEquity;
use croupier::poker::{EquityOptions, Query, format_cards};

use super::question::{MethodArgs, PokerTable, TableArgs, failure, shortened};
use super::share_cells::{Limits, column_decimals, percent_limits, share_and_limits};
use crate::failure::Failure;
use crate::table::{Listing, ListingCell, TableFormat};

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

/// The equity of the players after a next card.
pub(super) struct NextCardEquity {
    pub(super) card: CardSet,
    pub(super) players: Vec<PlayerEquity>,
}

impl NextCardEquity {
    /// Returns the equity of the first player.
    fn equity(&self) -> f64 {
        self.players[0].equity
    }

    /// Returns the interval of the change from `now` to this equity, if one of the two is simulated. It holds every
    /// difference between values in the two intervals.
    fn change_limits(&self, now: &PlayerEquity) -> Limits {
        let [before, after] = [now, &self.players[0]].map(|player| {
            let exact = (player.equity, player.equity);
            player.confidence_interval().unwrap_or(exact)
        });
        let is_exact = before.0 == before.1 && after.0 == after.1;
        (!is_exact).then_some((after.0 - before.1, after.1 - before.0))
    }
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
                let players = answer.players();
                all.push(NextCardEquity { card, players });
            }
            // The card is in the only possible hand of some player, so it cannot come next.
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
    let now = query.solve(&options).map_err(failure)?.players()[0].clone();
    let even = 1.0 / query.players.len() as f64;
    let mut after = after_each_card(&query, &options)?;
    after.sort_by(|a, b| b.equity().total_cmp(&a.equity()));
    let is_out = |after: &NextCardEquity| now.equity <= even && after.equity() > even;
    let is_simulated = after.iter().any(|it| it.change_limits(&now).is_some());
    let mut listing = Listing::new(match is_simulated {
        true => &[
            "card",
            "equity%",
            "low%",
            "high%",
            "change%",
            "change_low%",
            "change_high%",
            "out",
        ],
        false => &["card", "equity%", "change%", "out"],
    });
    let cells = |share: f64, limits: Limits| {
        let shown = if is_simulated { 3 } else { 1 };
        let cells = share_and_limits(share, limits, 100.0, 4);
        cells.into_iter().take(shown)
    };
    for one in &after {
        let mut row = vec![ListingCell::Text(format_cards(one.card))];
        let own_limits = one.players[0].confidence_interval();
        row.extend(cells(one.equity(), own_limits));
        row.extend(cells(one.equity() - now.equity, one.change_limits(&now)));
        row.push(if is_out(one) { "yes" } else { "no" }.into());
        listing.push(row);
    }
    let mut out = io::stdout().lock();
    if args.format == TableFormat::Text {
        let outs: Vec<String> = after
            .iter()
            .filter(|one| is_out(one))
            .map(|one| format_cards(one.card))
            .collect();
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
            after.len(),
            if outs.is_empty() { "" } else { ": " },
            outs.join(" ")
        )?;
        if now.equity > even {
            writeln!(out, "The player is ahead; there is nothing to draw to.")?;
        }
    }
    listing.write(args.format, &mut out)?;
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}
