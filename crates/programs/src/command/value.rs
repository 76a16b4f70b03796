//! `croupier value`: every valuation of a hand, a pair or a deal, with the parts it is made of.

mod batch;
mod pairs;
mod text;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use croupier::cards::{CardSet, Deal, Seat, Side, notation};
use croupier::usermetrics::{Limits, Request, UserMetrics};
use croupier::valuation::entries::{self, Entries, Entry};
use croupier::valuation::metrics;

use crate::failure::{Failure, ShownPath};
use crate::table::{Cell, Table, TableFormat};
use crate::whole_file;
use batch::Batch;

/// Value a hand, two partners or a whole deal by every method, with the parts of each total.
///
/// Hands are written spades.hearts.diamonds.clubs, as in AQ963.K.KJ752.84; deals as in PBN
/// ("N:hand hand hand hand") or as `printoneline` prints them ("n hand e hand s hand w hand").
///
/// A file of deals in any format is valued as a batch: a line for each pair with its point count (`opc`) in every
/// strain, the tricks that it expects, its quick losers and, if the deals are solved, how well the tricks agree; with --only
/// every number of those valuations instead. Files for DealerV2's DOP (d=1 W=AKxx,... E=...) are read too.
#[derive(clap::Args)]
pub struct Args {
    /// A hand, two hands (North's and South's), a deal, or a file of deals (`-` is standard input).
    #[arg(required = true, num_args = 1..=2, value_name = "HAND, DEAL OR FILE")]
    cards: Vec<String>,
    /// How to write the values.
    #[arg(short, long, value_enum, default_value_t)]
    format: TableFormat,
    /// File for the values instead of standard output.
    #[arg(short, long, value_name = "FILE", default_value = "-")]
    output: PathBuf,
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
            [text] if text.contains('/') => match notation::hand(text.trim()) {
                Ok(hand) => Ok(Cards::Hand(hand)),
                Err(error) => Err(Failure::usage(format!(
                    "{text}: there is no such file, and {error}"
                ))),
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
            Cards::Pair(north, south) => entries.pair(north, south, opener),
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
    if let [one] = args.cards.as_slice()
        && (one == "-" || Path::new(one).exists())
    {
        return value_file(Path::new(one), &args);
    }
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
    let mut out = Vec::new();
    match args.format {
        TableFormat::Text => text::write(&entries, &mut out)?,
        format => long_table(&entries).write(format, &mut out)?,
    }
    whole_file::write(&args.output, &out)?;
    Ok(ExitCode::SUCCESS)
}

/// The values of a file of deals.
fn value_file(path: &Path, args: &Args) -> Result<ExitCode, Failure> {
    if args.user.is_some() {
        return Err(Failure::usage(
            "a metric of your own is asked about one deal; for a file use dealer --input-deals with usereval",
        ));
    }
    let batch = Batch::read(path, args.opener)?;
    let mut out = Vec::new();
    if args.only.is_empty() {
        batch.write(args.format, &mut out)?;
    } else {
        let mut table = Table::new(&[
            "board",
            "whose",
            "valuation",
            "part",
            "suit",
            "slot",
            "value",
        ]);
        for (board, mut entries) in batch.entries() {
            entries.keep(&args.only);
            for entry in entries.iter() {
                let mut row = vec![Cell::Whole(board)];
                row.extend(cells(entry));
                table.push(row);
            }
        }
        table.write(args.format, &mut out)?;
    }
    whole_file::write(&args.output, &out)?;
    match batch.unreadable {
        0 => Ok(ExitCode::SUCCESS),
        unreadable => Err(Failure::runtime(format!(
            "{}: {unreadable} of the deals could not be read and were left out",
            path.shown()
        ))),
    }
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
        table.push(cells(entry));
    }
    table
}

fn cells(entry: &Entry) -> Vec<Cell> {
    let suit = entry.suit.map(|suit| suit.letter().to_string());
    vec![
        Cell::from(entry.whose.as_str()),
        Cell::from(entry.valuation),
        Cell::from(entry.part.as_str()),
        suit.map_or(Cell::Empty, Cell::Text),
        entry
            .slot
            .map_or(Cell::Empty, |slot| Cell::Whole(slot as u64)),
        number(entry),
    ]
}

/// The value in points, with as many decimals as it is counted in.
fn number(entry: &Entry) -> Cell {
    match entry.scale {
        1 => Cell::Decimal(f64::from(entry.value), 0),
        scale => Cell::Decimal(f64::from(entry.value) / f64::from(scale), 2),
    }
}
