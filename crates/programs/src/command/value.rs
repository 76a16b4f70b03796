//! `croupier value`: every valuation of a hand, a pair or a deal, with the parts it is made of.

mod text;

use std::io::{self, BufWriter, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use cards::{CardSet, Deal, Seat, Side, notation};
use usermetrics::{Limits, Request, UserMetrics};
use valuation::entries::{self, Entries, Entry};
use valuation::{Pair, metrics};

use crate::failure::Failure;
use crate::table::{Cell, Table, TableFormat};

/// Value a hand, two partners or a whole deal by every method, with the parts of each total.
///
/// Hands are written spades.hearts.diamonds.clubs, as in AQ963.K.KJ752.84; deals as in PBN
/// ("N:hand hand hand hand") or as `printoneline` prints them ("n hand e hand s hand w hand").
#[derive(clap::Args)]
pub struct Args {
    /// A hand, two hands (North's and South's), or a deal.
    #[arg(required = true, num_args = 1..=2, value_name = "HAND OR DEAL")]
    cards: Vec<String>,
    /// How to write the values.
    #[arg(short, long, value_enum, default_value_t)]
    format: TableFormat,
    /// Only these valuations, such as cccc, opc or bergen (see `croupier metrics`).
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    only: Vec<String>,
    /// Who opened the bidding, for opc: a seat. North and East stand for each other, as do South and
    /// West.
    #[arg(short = 'O', long, value_name = "SEAT", default_value = "W", value_parser = seat)]
    opener: Seat,
    /// Ask a metric of your own too: an evaluation server or a WebAssembly module (needs a deal).
    #[arg(short = 'U', long = "user", value_name = "FILE")]
    user: Option<PathBuf>,
    /// The tag to ask it with.
    #[arg(long, value_name = "NUMBER", default_value_t = 0, requires = "user")]
    tag: i32,
}

fn seat(text: &str) -> Result<Seat, String> {
    text.parse()
        .map_err(|_| "expected N, E, S or W".to_string())
}

/// What is to be valued.
enum Cards {
    Hand(CardSet),
    Pair(CardSet, CardSet),
    Deal(Deal),
}

impl Cards {
    fn parse(texts: &[String]) -> Result<Cards, Failure> {
        let hand = |text: &String| {
            notation::hand(text.trim()).map_err(|error| Failure::usage(format!("{text}: {error}")))
        };
        match texts {
            [first, second] => {
                let (north, south) = (hand(first)?, hand(second)?);
                if north.is_disjoint(south) {
                    return Ok(Cards::Pair(north, south));
                }
                let both = (north & south).iter().next().map(|card| card.to_string());
                Err(Failure::usage(format!(
                    "both hands hold the card {}",
                    both.unwrap_or_default()
                )))
            }
            [text] if text.trim().contains([' ', ':']) => match text.parse::<Deal>() {
                Ok(deal) => Ok(Cards::Deal(deal)),
                Err(error) => Err(Failure::usage(format!("{text}: {error}"))),
            },
            [text] => hand(text).map(Cards::Hand),
            _ => Err(Failure::usage("expected a hand, two hands or a deal")),
        }
    }

    /// All valuations of the cards.
    fn entries(&self, opener: Seat) -> Entries {
        let mut entries = Entries::default();
        match *self {
            Cards::Hand(hand) => entries.hand("hand", hand),
            Cards::Pair(north, south) => {
                entries.hand("N", north);
                entries.hand("S", south);
                let pair = Pair {
                    north_east: north,
                    south_west: south,
                    opener: opener.into(),
                };
                entries.side(Side::NorthSouth, &pair);
            }
            Cards::Deal(deal) => entries.deal(&deal, opener),
        }
        entries
    }
}

/// Runs the command.
///
/// # Errors
/// If the cards cannot be read, a name is unknown, or a user's metric fails.
pub fn run(args: Args) -> Result<ExitCode, Failure> {
    check_names(&args.only)?;
    let cards = Cards::parse(&args.cards)?;
    let mut entries = cards.entries(args.opener);
    if !args.only.is_empty() {
        entries.keep(&args.only);
    }
    if let Some(path) = &args.user {
        let Cards::Deal(deal) = &cards else {
            return Err(Failure::usage("a metric of your own needs a whole deal"));
        };
        user_metric(path, args.tag, deal, &mut entries)?;
    }
    let mut out = BufWriter::new(io::stdout().lock());
    match args.format {
        TableFormat::Text => text::write(&entries, &mut out)?,
        format => long_table(&entries).write(format, &mut out)?,
    }
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}

fn check_names(names: &[String]) -> Result<(), Failure> {
    let known = |name: &str| entries::NAMES.contains(&name) || metrics::by_name(name).is_some();
    match names.iter().find(|name| !known(&name.to_ascii_lowercase())) {
        None => Ok(()),
        Some(name) => Err(Failure::usage(format!(
            "unknown valuation \"{name}\"; there are {}, and those of `croupier metrics`",
            entries::NAMES.join(", ")
        ))),
    }
}

/// The results of a user's metric for both sides, up to the last that is not 0.
fn user_metric(
    path: &std::path::Path,
    tag: i32,
    deal: &Deal,
    entries: &mut Entries,
) -> Result<(), Failure> {
    let user = UserMetrics::open(path, Limits::default()).map_err(Failure::runtime)?;
    let mut evaluator = user.evaluator().map_err(Failure::runtime)?;
    for side in Side::ALL {
        let results = evaluator
            .evaluate(&Request::new(tag, deal, side))
            .map_err(Failure::runtime)?;
        let filled = results
            .iter()
            .rposition(|&value| value != 0)
            .map_or(0, |last| last + 1);
        for (slot, &value) in results[..filled].iter().enumerate() {
            entries.user(side, slot, value);
        }
    }
    Ok(())
}

/// One row for every number.
fn long_table(entries: &Entries) -> Table {
    let mut table = Table::new(&["whose", "valuation", "part", "suit", "slot", "value"]);
    for entry in entries.iter() {
        table.push(vec![
            Cell::from(entry.whose.as_str()),
            Cell::from(entry.valuation),
            Cell::from(entry.part.as_str()),
            entry.suit.map_or(Cell::Empty, |suit| {
                Cell::from(suit.letter().to_string().as_str())
            }),
            entry
                .slot
                .map_or(Cell::Empty, |slot| Cell::Whole(slot as u64)),
            number(entry),
        ]);
    }
    table
}

/// The value in points, with as many decimals as it is counted in.
fn number(entry: &Entry) -> Cell {
    match entry.scale {
        1 => Cell::Decimal(f64::from(entry.value), 0),
        scale => Cell::Decimal(f64::from(entry.value) / f64::from(scale), 2),
    }
}
