//! `croupier infer`: derives the hands that an auction shows.

use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use croupier::bidding::{
    Auction, AuctionReading, HandQuantity, HandTable, HandTableOptions, HandTables, HandTablesError,
};
use croupier::cards::{Hand, Seat, Vulnerability};
use croupier::engine::Probability;
use croupier::formats::number::grouped;
use croupier::session::ExecutionOptions;

use super::lead;
use crate::failure::Failure;
use crate::interrupt::Interrupt;
use crate::limits;
use crate::progress::ElapsedTimeLine;
use crate::scripts;
use crate::systems::{self, TableArgs};
use crate::whole_file;

/// Time for tables and layouts, unless --time gives another.
const DEFAULT_TIME: Duration = Duration::from_secs(10);
/// Smallest share that is shown, in percent.
const LEAST_SHARE: f64 = 0.05;

/// Show which hands an auction describes, and deal them.
///
/// Prints the meaning of every call in the system, a dealer script with the same conditions, and exact tables of the
/// remaining hands: points and suit lengths of every seat. With --hand, the tables are those that the player with this
/// hand should expect. The script can be used with dealer, lead and compare.
///
/// Tables and layouts take at most ten seconds, or the time of --time. Shares that cannot be counted in half of it are
/// measured on dealt hands and marked with ~.
#[derive(clap::Args)]
pub struct Args {
    /// The auction: 1S-P-2C-P-2N, "1NT pass 2C", 1N--2C; it need not be complete.
    #[arg(value_name = "CALLS")]
    auction: String,
    /// The seat that called first.
    #[arg(long, value_name = "SEAT", default_value = "north")]
    dealer: Seat,
    /// Vulnerable side: none, ns, ew or both.
    #[arg(long, value_name = "WHO", default_value = "none")]
    vulnerable: Vulnerability,
    #[command(flatten)]
    systems: TableArgs,
    /// A known hand: KQJ4.T9.A2.87632.
    #[arg(short = 'H', long, value_name = "HAND", value_parser = lead::hand, requires = "seat")]
    hand: Option<Hand>,
    /// The seat of the known hand.
    #[arg(long, value_name = "SEAT", requires = "hand")]
    seat: Option<Seat>,
    /// Print only the script, for use with other commands.
    #[arg(long, conflicts_with_all = ["number", "honours"])]
    script: bool,
    /// Also show where the aces, kings and queens are.
    #[arg(long)]
    honours: bool,
    /// Also deal N layouts.
    #[arg(short, long, value_name = "N", default_value_t = 0)]
    number: u64,
    /// Seed of the layouts.
    #[arg(short, long, value_name = "N", default_value_t = 1)]
    seed: i64,
    /// File for the result instead of standard output.
    #[arg(short, long, value_name = "FILE", default_value = "-")]
    output: PathBuf,
}

/// Runs the command.
///
/// # Errors
/// If the auction is illegal, the hand contradicts it, or no deal fits.
pub fn run(args: Args) -> Result<ExitCode, Failure> {
    let auction = systems::read_auction(&args.auction, args.dealer)?;
    let read = systems::read(&args.systems, &auction, args.vulnerable)?;
    let known: Vec<(Seat, Hand)> = args.seat.zip(args.hand).into_iter().collect();
    read.check_hands(&auction, args.vulnerable, &known)?;
    let reading = read.reading;
    let script = reading.script_with(&known);
    if args.script {
        whole_file::write(&args.output, script.as_bytes())?;
        return Ok(ExitCode::SUCCESS);
    }
    let interrupt = Interrupt::watch();
    let own_limit = limits::time_left();
    let execution = ExecutionOptions {
        time_limit: Some(own_limit.unwrap_or(DEFAULT_TIME)),
        cancel: interrupt.flag(),
        ..ExecutionOptions::default()
    };
    let options = HandTableOptions {
        honours: args.honours,
        layouts: args.number,
        seed: args.seed,
        ..HandTableOptions::default()
    };
    let waiting = ElapsedTimeLine::show("counting deals");
    let found = reading.tables(&known, &options, &execution);
    drop(waiting);
    let mut out = meanings(&auction, &reading);
    let _ = write!(out, "\n{script}");
    let found = match found {
        Ok(found) => found,
        // The words show which calls contradict each other.
        Err(error @ HandTablesError::NoDeals) => {
            whole_file::write(&args.output, out.as_bytes())?;
            return Err(Failure::runtime(error));
        }
        Err(HandTablesError::Session(error)) => return Err(scripts::failure(error)),
        Err(error) => return Err(Failure::runtime(error)),
    };
    let _ = write!(out, "\n{}", share_of_deals(&found.fitting));
    out += &tables(&found);
    for deal in &found.layouts {
        let _ = writeln!(out, "{deal}");
    }
    whole_file::write(&args.output, out.as_bytes())?;
    if (found.layouts.len() as u64) < args.number && own_limit.is_none() {
        eprintln!(
            "croupier: {} of {} layouts were found in {} seconds; --time allows more",
            found.layouts.len(),
            args.number,
            DEFAULT_TIME.as_secs()
        );
    }
    Ok(interrupt.exit_code())
}

/// Formats the meaning of every call.
fn meanings(auction: &Auction, reading: &AuctionReading) -> String {
    let mut text = String::new();
    for told in &reading.calls {
        let call = croupier::bidding::auction::call_text(told.call);
        let alert = if told.is_alerted { "!" } else { "" };
        let shows = match told.text.as_str() {
            "" => "shows nothing more",
            text => text,
        };
        let _ = writeln!(text, "{:<6} {:<4} {shows}", told.seat.name(), call + alert);
    }
    if let Some(declared) = auction.declared().filter(|_| auction.is_over()) {
        let _ = writeln!(text, "contract    {declared}");
    }
    text
}

/// Formats the number of deals that fit.
fn share_of_deals(chances: &Probability) -> String {
    let count = &chances.bound;
    match chances.trial {
        None => format!(
            "{} of {} {} fit, {} %\n",
            grouped(count.hits()),
            grouped(count.out_of()),
            count.unit(),
            count.decimal(6, 2)
        ),
        Some(trial) if trial.passed == 0 => format!(
            "at most {:.2e} % of the deals fit (95 % confidence); none of {} tried deals did\n",
            100.0 * chances.interval().1,
            grouped(trial.tried.into())
        ),
        Some(_) => format!(
            "about {} % of the deals fit\n",
            rounded(100.0 * chances.probability())
        ),
    }
}

/// Formats a percentage with three significant digits at least.
fn rounded(percent: f64) -> String {
    match percent >= 0.1 {
        true => format!("{percent:.4}"),
        false => format!("{percent:.2e}"),
    }
}

/// Formats a line of percentages for each quantity, then a line for each honour.
fn tables(found: &HandTables) -> String {
    let mut text = String::new();
    let mut last = None;
    for HandTable {
        seat,
        quantity,
        shares,
        is_exact,
    } in &found.tables
    {
        let mark = if *is_exact { "" } else { "~" };
        let name = seat.name();
        if let HandQuantity::Holds(_) = quantity {
            let held = shares.iter().find(|(value, _)| *value == 1);
            let percent = held.map_or(0.0, |(_, share)| 100.0 * share);
            if last != Some(quantity) {
                let end = if last.is_some() { "\n" } else { "" };
                let _ = write!(text, "{end}{quantity} ");
            }
            let _ = write!(text, "  {name} {mark}{percent:.1} %");
            last = Some(quantity);
            continue;
        }
        let shown = shares
            .iter()
            .filter(|(_, share)| 100.0 * share >= LEAST_SHARE);
        let shown = shown.map(|(value, share)| format!("{value}: {mark}{:.1} %", 100.0 * share));
        let shown: Vec<String> = shown.collect();
        let label = format!("{name} {quantity}");
        let _ = writeln!(text, "{label:<15} {}", shown.join("  "));
    }
    if last.is_some() {
        text.push('\n');
    }
    match found.measured {
        None => {}
        Some(0) => {
            text += "no deal that fits was found in time, so that there is nothing to measure\n"
        }
        Some(deals) => {
            let number = grouped(deals.into());
            let _ = writeln!(
                text,
                "~ measured on {number} deals, because it cannot be counted in time"
            );
        }
    }
    text
}
