//! `croupier infer`: derives the hands that an auction shows.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::process::ExitCode;

use croupier::bidding::{Auction, AuctionReading, NumberRange};
use croupier::cards::{Card, Deal, Hand, Rank, Seat, Suit, Vulnerability};
use croupier::engine::ExactTable;
use croupier::formats::number::grouped;
use croupier::session::Job;

use super::lead;
use crate::failure::Failure;
use crate::interrupt::Interrupt;
use crate::limits;
use crate::scripts;
use crate::systems::{self, TableArgs};
use crate::whole_file;

/// Default limit on the number of deals tried for an auction.
const DEFAULT_LIMIT: u64 = 1_000_000_000;
/// Number of deals tried to estimate the share that fits, if it cannot be computed exactly.
const TRIAL_DEALS: u64 = 100_000;
/// Number of deals sampled for quantities that cannot be computed exactly.
const MEASURED_DEALS: u64 = 20_000;
/// Estimated time limit for an exact table, in nanoseconds. Tables that would take longer are left out.
const TABLE_TIME: f64 = 2e9;
/// Smallest share that is shown, in percent.
const LEAST_SHARE: f64 = 0.05;

/// Show which hands an auction describes, and deal them.
///
/// Prints the meaning of every call in the system, a dealer script with the same conditions, and exact tables of the
/// remaining hands: points and suit lengths of every seat. With --hand, the tables are those that the player with this
/// hand should expect. The script can be used with dealer, lead and compare.
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
    let seats: Vec<Seat> = known.iter().map(|&(seat, _)| seat).collect();
    let mut script = reading.script(&seats);
    for (seat, hand) in &known {
        script = format!("predeal {} {}\n{script}", seat.name(), hand.suit_holdings());
    }
    if args.script {
        whole_file::write(&args.output, script.as_bytes())?;
        return Ok(ExitCode::SUCCESS);
    }
    let unknown: Vec<Seat> = Seat::ALL
        .into_iter()
        .filter(|seat| !seats.contains(seat))
        .collect();
    let quantities = quantities(&unknown, known.first().map(|&(_, hand)| hand), args.honours);
    let actions: Vec<String> = quantities.iter().map(|it| it.action(&reading)).collect();
    let text = format!("{script}action {}\n", actions.join(",\n  "));
    let interrupt = Interrupt::watch();
    let session = job(&args, &text, 1, &interrupt)
        .prepare()
        .map_err(scripts::failure)?;
    let found = session
        .chances(TRIAL_DEALS, TABLE_TIME)
        .map_err(scripts::failure)?;
    let mut out = meanings(&auction, &reading);
    let _ = write!(out, "\n{script}\n{}", share_of_deals(&found.condition)?);
    let mut shares: Vec<Option<Shares>> = quantities
        .iter()
        .map(|it| {
            found
                .tables
                .tables
                .iter()
                .find(|table| table.label == Some(it.label()))
        })
        .map(|table| table.map(exact_shares))
        .collect();
    let measured = shares.iter().any(Option::is_none);
    let wanted = args.number.max(if measured { MEASURED_DEALS } else { 0 });
    let mut deals = Vec::new();
    if wanted > 0 {
        let mut session = job(&args, &text, wanted, &interrupt)
            .prepare()
            .map_err(scripts::failure)?;
        session.retain_actions(|_| false);
        let mut keep = |produced: &croupier::session::ProducedDeal<'_>| {
            deals.push(produced.deal);
            ControlFlow::Continue(())
        };
        session.run(&mut keep).map_err(scripts::failure)?;
    }
    for (quantity, shares) in quantities.iter().zip(&mut shares) {
        shares.get_or_insert_with(|| quantity.measure(&deals));
    }
    out += &table(&quantities, &shares);
    if measured {
        let number = grouped(deals.len() as u128);
        let _ = writeln!(
            out,
            "~ measured on {number} deals, because it cannot be counted"
        );
    }
    for deal in deals
        .iter()
        .take(usize::try_from(args.number).unwrap_or(usize::MAX))
    {
        let _ = writeln!(out, "{deal}");
    }
    whole_file::write(&args.output, out.as_bytes())?;
    Ok(interrupt.exit_code())
}

fn job(args: &Args, script: &str, number: u64, interrupt: &Interrupt) -> Job {
    let job = Job::new(script)
        .name("auction")
        .as_dealt()
        .seed(args.seed)
        .produce(number)
        .generate(DEFAULT_LIMIT)
        .cancel(interrupt.flag());
    match limits::time_left() {
        Some(left) => job.time_limit(left),
        None => job,
    }
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

/// A property of a seat's hand that is tabulated.
#[derive(Clone, Copy)]
struct Quantity {
    seat: Seat,
    kind: QuantityKind,
}

#[derive(Clone, Copy)]
enum QuantityKind {
    Hcp,
    Length(Suit),
    Holds(Card),
}

/// The share of each value, 0 to 1, and whether the shares are exact.
struct Shares {
    values: Vec<(i32, f64)>,
    is_exact: bool,
}

/// Returns the quantities to tabulate for the seats: points, suit lengths, and the honours that are not in the known
/// hand.
fn quantities(seats: &[Seat], seen: Option<Hand>, honours: bool) -> Vec<Quantity> {
    let mut all = Vec::new();
    for &seat in seats {
        all.push(Quantity {
            seat,
            kind: QuantityKind::Hcp,
        });
        let lengths = Suit::DESCENDING.map(QuantityKind::Length);
        all.extend(lengths.map(|kind| Quantity { seat, kind }));
    }
    for suit in Suit::DESCENDING.into_iter().filter(|_| honours) {
        for rank in [Rank::ACE, Rank::KING, Rank::QUEEN] {
            let card = Card::new(suit, rank);
            let kind = QuantityKind::Holds(card);
            if !seen.unwrap_or_default().contains(card) {
                all.extend(seats.iter().map(|&seat| Quantity { seat, kind }));
            }
        }
    }
    all
}

impl Quantity {
    fn label(&self) -> String {
        let name = self.seat.name();
        match self.kind {
            QuantityKind::Hcp => format!("{name} HCP"),
            QuantityKind::Length(suit) => format!("{name} {}", suit.name()),
            QuantityKind::Holds(card) => format!("{name} {}", card_text(card)),
        }
    }

    /// Returns the script action that tabulates the quantity over the range that the auction leaves.
    fn action(&self, reading: &AuctionReading) -> String {
        let (name, label) = (self.seat.name(), self.label());
        let hull = reading.seats[self.seat].hull();
        let (value, NumberRange { least, most }) = match self.kind {
            QuantityKind::Hcp => (format!("hcp({name})"), hull.hcp),
            QuantityKind::Length(suit) => (format!("{}({name})", suit.name()), hull.lengths[suit]),
            QuantityKind::Holds(card) => (
                format!("hascard({name}, {})", card_text(card)),
                NumberRange::new(0, 1),
            ),
        };
        format!("frequency \"{label}\" ({value}, {least}, {most})")
    }

    fn value(&self, deal: &Deal) -> i32 {
        let hand = deal[self.seat];
        match self.kind {
            QuantityKind::Hcp => croupier::valuation::hcp(hand),
            QuantityKind::Length(suit) => hand.holding(suit).len() as i32,
            QuantityKind::Holds(card) => i32::from(hand.contains(card)),
        }
    }

    fn measure(&self, deals: &[Deal]) -> Shares {
        let mut counts: BTreeMap<i32, u64> = BTreeMap::new();
        for deal in deals {
            *counts.entry(self.value(deal)).or_default() += 1;
        }
        let share = |(value, count)| (value, count as f64 / deals.len() as f64);
        Shares {
            values: counts.into_iter().map(share).collect(),
            is_exact: false,
        }
    }
}

/// Formats a card as the script language writes it.
fn card_text(card: Card) -> String {
    format!("{}{}", card.rank().letter(), card.suit().letter())
}

fn exact_shares(table: &ExactTable) -> Shares {
    let rows = table.rows.iter().zip(&table.cells);
    let value = |bin: &croupier::engine::Bin| bin.low.filter(|_| bin.low == bin.high);
    Shares {
        values: rows
            .filter_map(|(bin, share)| Some((value(bin)?, *share)))
            .collect(),
        is_exact: true,
    }
}

/// Formats the number of deals that fit.
fn share_of_deals(chances: &croupier::engine::Probability) -> Result<String, Failure> {
    if chances.probability() == 0.0 {
        return Err(Failure::runtime(
            "no deal fits the auction and the hand; what the calls show contradicts itself",
        ));
    }
    let count = &chances.bound;
    Ok(match chances.is_exact() {
        true => format!(
            "{} of {} {} fit, {} %\n",
            grouped(count.hits()),
            grouped(count.out_of()),
            count.unit(),
            count.decimal(6, 2)
        ),
        false => format!(
            "about {:.4} % of the deals fit\n",
            100.0 * chances.probability()
        ),
    })
}

/// Formats a line of percentages for each quantity, then a line for each honour.
fn table(quantities: &[Quantity], shares: &[Option<Shares>]) -> String {
    let mut text = String::new();
    let mut last = None;
    for (quantity, shares) in quantities.iter().zip(shares) {
        let Some(shares) = shares else { continue };
        let mark = if shares.is_exact { "" } else { "~" };
        let name = quantity.seat.name();
        if let QuantityKind::Holds(card) = quantity.kind {
            let held = shares.values.iter().find(|(value, _)| *value == 1);
            let percent = held.map_or(0.0, |(_, share)| 100.0 * share);
            if last != Some(card) {
                let end = if last.is_some() { "\n" } else { "" };
                let _ = write!(text, "{end}{} ", card_text(card));
            }
            let _ = write!(text, "  {name} {mark}{percent:.1} %");
            last = Some(card);
            continue;
        }
        let shown = shares
            .values
            .iter()
            .filter(|(_, share)| 100.0 * share >= LEAST_SHARE);
        let shown = shown.map(|(value, share)| format!("{value}: {mark}{:.1} %", 100.0 * share));
        let shown: Vec<String> = shown.collect();
        let _ = writeln!(text, "{:<15} {}", quantity.label(), shown.join("  "));
    }
    if last.is_some() {
        text.push('\n');
    }
    text
}
