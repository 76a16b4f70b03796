//! `croupier infer`: the hands that an auction shows.

use std::fmt::Write as _;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::process::ExitCode;

use bidding::{Auction, Reading, Span};
use cards::{Hand, Seat, Suit, Vulnerability};
use engine::{ExactTable, ExactTallies};
use formats::number::grouped;
use session::{Job, Session, Usual};

use super::lead;
use crate::failure::Failure;
use crate::interrupt::Interrupt;
use crate::limits;
use crate::scripts;
use crate::systems::{self, TableArgs};
use crate::whole_file;

/// Deals that are looked at when an auction is rare.
const USUAL_LIMIT: i64 = 10_000_000_000;
/// Time for a table, in nanoseconds, roughly; tables that take longer are left out.
const PATIENCE: f64 = 2e9;
/// Shares that are shown, in percent, at least.
const LEAST_SHARE: f64 = 0.05;

/// Say which hands an auction shows, and deal them.
///
/// Prints what every call means by the rules of the system, the dealer script that says the same, and exact
/// tables of the hands that remain: points and suit lengths of every seat. With --hand the tables are those that the
/// player with this hand should expect. The script can be used with dealer, lead and compare.
#[derive(clap::Args)]
pub struct Args {
    /// The auction: 1S-P-2C-P-2N, "1NT pass 2C", 1N--2C; it need not be complete.
    #[arg(value_name = "CALLS")]
    auction: String,
    /// Who called first.
    #[arg(long, value_name = "SEAT", default_value = "north")]
    dealer: Seat,
    /// Who is vulnerable: none, ns, ew or both.
    #[arg(long, value_name = "WHO", default_value = "none")]
    vulnerable: Vulnerability,
    #[command(flatten)]
    systems: TableArgs,
    /// A hand that is known: KQJ4.T9.A2.87632.
    #[arg(short = 'H', long, value_name = "HAND", value_parser = lead::hand, requires = "seat")]
    hand: Option<Hand>,
    /// The seat of the known hand.
    #[arg(long, value_name = "SEAT", requires = "hand")]
    seat: Option<Seat>,
    /// Print only the script, to be used elsewhere.
    #[arg(long, conflicts_with_all = ["number", "honours"])]
    script: bool,
    /// Also say where the aces, kings and queens are.
    #[arg(long)]
    honours: bool,
    /// Also deal N layouts.
    #[arg(short, long, value_name = "N", default_value_t = 0)]
    number: u64,
    /// Seed of the layouts.
    #[arg(short, long, value_name = "N", default_value_t = 1)]
    seed: i64,
    /// File for the answer instead of standard output.
    #[arg(short, long, value_name = "FILE", default_value = "-")]
    output: PathBuf,
}

/// Runs the command.
///
/// # Errors
/// If the auction is not legal, the hand contradicts it, or no deal fits.
pub fn run(args: Args) -> Result<ExitCode, Failure> {
    let auction = systems::read_auction(&args.auction, args.dealer)?;
    let reading = systems::read(&args.systems, &auction, args.vulnerable)?;
    let known: Vec<(Seat, Hand)> = args.seat.zip(args.hand).into_iter().collect();
    systems::check_hands(&reading, &auction, &known)?;
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
    let mut out = words(&auction, &reading);
    let _ = write!(out, "\n{script}\n");
    let mut text = script + &actions(&reading, &unknown);
    if args.honours {
        text += &honours(
            &unknown,
            known.first().map(|&(_, hand)| hand).unwrap_or_default(),
        );
    }
    let interrupt = Interrupt::watch();
    let mut job = Job::new(text)
        .name("auction")
        .as_dealt()
        .seed(args.seed)
        .cancel(interrupt.flag())
        .usual(Usual {
            generate: Some(USUAL_LIMIT),
            ..Usual::default()
        });
    if let Some(left) = limits::time_left() {
        job = job.time_limit(left);
    }
    let mut session = job
        .produce(args.number.max(1))
        .prepare()
        .map_err(scripts::failure)?;
    out += &tables(&session, &unknown)?;
    if args.number > 0 {
        session.retain_actions(|_| false);
        out += &deals(&session)?;
    }
    whole_file::write(&args.output, out.as_bytes())?;
    Ok(interrupt.exit_code())
}

/// Writes what every call shows.
fn words(auction: &Auction, reading: &Reading) -> String {
    let mut text = String::new();
    for told in &reading.calls {
        let call = bidding::auction::call_text(told.call);
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

/// Returns the actions that tabulate points and lengths of the seats.
fn actions(reading: &Reading, seats: &[Seat]) -> String {
    let mut actions = Vec::new();
    for &seat in seats {
        let (name, hull) = (seat.name(), reading.seats[seat].hull());
        let mut add = |label: &str, value: String, span: Span| {
            let (least, most) = (span.least, span.most);
            actions.push(format!(
                "frequency \"{name} {label}\" ({value}, {least}, {most})"
            ));
        };
        add("HCP", format!("hcp({name})"), hull.hcp);
        for suit in Suit::DESCENDING {
            let word = suit.name();
            add(word, format!("{word}({name})"), hull.lengths[suit]);
        }
    }
    format!("action {}\n", actions.join(",\n  "))
}

/// Returns the actions that say where the honours are that nobody has seen.
fn honours(seats: &[Seat], seen: Hand) -> String {
    let mut actions = Vec::new();
    for suit in Suit::DESCENDING {
        for rank in [cards::Rank::ACE, cards::Rank::KING, cards::Rank::QUEEN] {
            if seen.holding(suit).contains(rank) {
                continue;
            }
            let card = format!("{}{}", rank.letter(), suit.letter());
            for seat in seats {
                let name = seat.name();
                actions.push(format!(
                    "frequency \"{card} {name}\" (hascard({name}, {card}), 0, 1)"
                ));
            }
        }
    }
    match actions.is_empty() {
        true => String::new(),
        false => format!("action {}\n", actions.join(",\n  ")),
    }
}

/// Counts the deals that fit and writes the tables.
fn tables(session: &Session, seats: &[Seat]) -> Result<String, Failure> {
    let found = session
        .chances(100_000, PATIENCE)
        .map_err(scripts::failure)?;
    let (count, mut text) = (&found.condition.bound, String::new());
    if found.condition.probability() == 0.0 {
        return Err(Failure::runtime(
            "no deal fits the auction and the hand; what the calls show contradicts itself",
        ));
    }
    let _ = match &found.condition.trial {
        None => writeln!(
            text,
            "{} of {} {} fit, {} %",
            grouped(count.hits()),
            grouped(count.out_of()),
            count.unit(),
            count.decimal(6, 2)
        ),
        Some(_) => writeln!(
            text,
            "about {:.4} % of the deals fit",
            100.0 * found.condition.probability()
        ),
    };
    text += &shares(&found.tables, seats);
    if !found.tables.left_out.is_empty() {
        let _ = writeln!(
            text,
            "left out: {}; dealer measures them with the script",
            found.tables.left_out.join(", ")
        );
    }
    Ok(text)
}

/// Writes a line of shares in percent for each quantity of each seat, then a line for each honour.
fn shares(tallies: &ExactTallies, seats: &[Seat]) -> String {
    let mut text = String::new();
    let label = |table: &ExactTable| table.label.clone().unwrap_or_default();
    for seat in seats {
        for table in &tallies.tables {
            if let Some(quantity) = label(table).strip_prefix(seat.name()) {
                let _ = writeln!(text, "{:<6}{quantity:<9} {}", seat.name(), line(table));
            }
        }
    }
    let honours = tallies.tables.iter().filter_map(|table| {
        let label = label(table);
        let (card, seat) = label.split_once(' ')?;
        (card.len() == 2).then(|| (card.to_owned(), seat.to_owned(), held(table)))
    });
    let mut last = String::new();
    for (card, seat, share) in honours {
        if card != last {
            let _ = write!(text, "{}{card}  ", if last.is_empty() { "" } else { "\n" });
            last = card;
        }
        let _ = write!(text, " {seat} {:.1} %", 100.0 * share);
    }
    if !last.is_empty() {
        text.push('\n');
    }
    text
}

/// Returns how often the value 1 comes.
fn held(table: &ExactTable) -> f64 {
    let rows = table.rows.iter().zip(&table.cells);
    let ones = rows.filter(|(bin, _)| bin.low == Some(1) && bin.high == Some(1));
    ones.map(|(_, share)| share).sum()
}

fn line(table: &ExactTable) -> String {
    let rows = table.rows.iter().zip(&table.cells);
    let shown = rows.filter_map(|(bin, share)| {
        let percent = 100.0 * share;
        let value = bin.low.filter(|_| bin.low == bin.high)?;
        (percent >= LEAST_SHARE).then(|| format!("{value}: {percent:.1} %"))
    });
    shown.collect::<Vec<_>>().join("  ")
}

/// Deals layouts and writes each on a line.
fn deals(session: &Session) -> Result<String, Failure> {
    let mut text = "\n".to_owned();
    let mut keep = |produced: &session::ProducedDeal<'_>| {
        let _ = writeln!(text, "{}", produced.deal);
        ControlFlow::Continue(())
    };
    session.run(&mut keep).map_err(scripts::failure)?;
    Ok(text)
}
