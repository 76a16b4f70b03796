//! `croupier poker combos` and `croupier poker histogram`: list the hands of a range one by one.

use std::io::{self, Write};
use std::process::ExitCode;

use croupier::poker::equity::{HandEquity, ShareIntervals};
use croupier::poker::{EquityOptions, Query, format_cards};
use croupier::session::interval::decimals;

use super::answer::{Answer, equity_totals};
use super::question::{FoldedArgs, MethodArgs, TableArgs, failure, shortened};
use super::share_cells::share_and_limits;
use crate::failure::Failure;
use crate::table::{Listing, ListingCell, TableFormat};

/// Arguments: the range, the opponents and the table.
#[derive(clap::Args)]
struct RangeArgs {
    /// Range whose hands are listed
    range: String,
    /// Opponents' ranges
    #[arg(long, value_name = "RANGE", default_value = "random", num_args = 1..)]
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

impl RangeArgs {
    /// Returns the hands with their equities, the best first, and the title of the output.
    fn answer(&self) -> Result<RangeAnswer, Failure> {
        let table = self.table.read()?;
        let mut ranges = vec![self.range.clone()];
        ranges.extend(self.against.iter().cloned());
        let query = table.query(&ranges, &self.folded)?;
        let options = self.method.options()?;
        let mut hands = query.by_hand(0, &options).map_err(failure)?;
        hands.sort_by(|a, b| b.equity.total_cmp(&a.equity).then(b.hand.cmp(&a.hand)));
        let board = if table.board.is_empty() {
            String::new()
        } else {
            format!(" on {}", format_cards(table.board))
        };
        let title = format!(
            "{}: {} against {}{board}",
            table.game,
            shortened(&self.range),
            shortened(&self.against.join(" and "))
        );
        Ok(RangeAnswer {
            query,
            options,
            hands,
            title,
            format: self.format,
        })
    }
}

/// A range's hands with their equities.
struct RangeAnswer {
    query: Query,
    options: EquityOptions,
    hands: Vec<HandEquity>,
    /// The first line of a text.
    title: String,
    format: TableFormat,
}

impl RangeAnswer {
    /// Writes a listing of the hands. In JSON, `name` is the name of its rows.
    fn write(&self, name: &'static str, listing: &Listing) -> Result<ExitCode, Failure> {
        let mut out = io::stdout().lock();
        if self.format == TableFormat::Json {
            let answer = Answer {
                query: &self.query,
                totals: equity_totals(&self.query, &self.options)?,
                rows: (name, listing),
            };
            answer.write(&mut out)?;
        } else {
            if self.format == TableFormat::Text {
                writeln!(out, "{}", self.title)?;
            }
            listing.write(self.format, &mut out)?;
        }
        out.flush()?;
        Ok(ExitCode::SUCCESS)
    }
}

/// List the equity of every hand of a range
#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    question: RangeArgs,
}

/// Computes and prints the table.
pub fn run(args: Args) -> Result<ExitCode, Failure> {
    let answer = args.question.answer()?;
    let hands = &answer.hands;
    let is_simulated = hands.iter().any(|hand| hand.intervals.is_some());
    let mut listing = Listing::new(match is_simulated {
        true => &[
            "hand",
            "weight",
            "equity",
            "low",
            "high",
            "win",
            "win_low",
            "win_high",
            "tie",
            "tie_low",
            "tie_high",
            "standard_error",
        ],
        false => &["hand", "weight", "equity", "win", "tie", "standard_error"],
    });
    for hand in hands {
        let of = |get: fn(ShareIntervals) -> (f64, f64)| hand.intervals.map(get);
        let mut row = vec![
            ListingCell::Text(format_cards(hand.hand)),
            ListingCell::Decimal(hand.weight.millionths() as f64 / 1e6, 6),
        ];
        for (share, limits) in [
            (hand.equity, of(|it| it.equity)),
            (hand.win_share, of(|it| it.win)),
            (hand.tie_share, of(|it| it.tie)),
        ] {
            let cells = share_and_limits(share, limits, 1.0, 9);
            row.extend(cells.into_iter().take(if is_simulated { 3 } else { 1 }));
        }
        let error = hand.standard_error.zip(of(|it| it.equity));
        row.push(error.map_or(ListingCell::Empty, |(error, (low, high))| {
            ListingCell::Decimal(error, decimals(low, high))
        }));
        listing.push(row);
    }
    answer.write("hands", &listing)
}

/// Show how the equities of a range's hands are distributed
#[derive(clap::Args)]
pub struct HistogramArgs {
    #[command(flatten)]
    question: RangeArgs,
    /// Number of equal bins from 0 to 100 %
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..=1000))]
    bins: u32,
}

/// Computes and prints the histogram.
pub fn histogram(args: HistogramArgs) -> Result<ExitCode, Failure> {
    let answer = args.question.answer()?;
    let bins = args.bins as usize;
    let mut weights = vec![0.0; bins];
    let mut counts = vec![0u64; bins];
    for hand in &answer.hands {
        let bin = ((hand.equity * bins as f64) as usize).min(bins - 1);
        weights[bin] += hand.weight.millionths() as f64 / 1e6;
        counts[bin] += 1;
    }
    let total: f64 = weights.iter().sum();
    let largest = weights.iter().copied().fold(f64::MIN_POSITIVE, f64::max);
    let text = args.question.format == TableFormat::Text;
    let is_json = args.question.format == TableFormat::Json;
    let mut columns = match is_json {
        true => vec!["from", "to", "combos", "share"],
        false => vec!["from%", "to%", "combos", "percent"],
    };
    if text {
        columns.push("");
    }
    let mut listing = Listing::new(&columns);
    for bin in 0..bins {
        let share = |share: f64, decimals: usize| match is_json {
            true => ListingCell::Decimal(share, 9),
            false => ListingCell::Decimal(100.0 * share, decimals),
        };
        let edge = |bin: usize| share(bin as f64 / bins as f64, 1);
        let mut row = vec![
            edge(bin),
            edge(bin + 1),
            ListingCell::Whole(counts[bin]),
            share(weights[bin] / total, 2),
        ];
        if text {
            let length = (40.0 * weights[bin] / largest).round() as usize;
            row.push(ListingCell::Text("█".repeat(length)));
        }
        listing.push(row);
    }
    answer.write("bins", &listing)
}
