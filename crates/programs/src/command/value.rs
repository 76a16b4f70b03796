//! `croupier value`: evaluates a hand, a pair or a deal by every method, with the parts of each total.

mod batch;
mod pairs;
mod short;
mod text;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use croupier::cards::{CardSet, Deal, Seat, Side, notation};
use croupier::usermetrics::{MetricRequest, ProgramLimits, UserMetrics};
use croupier::valuation::entries::{self, ListedValue, ValueList};
use croupier::valuation::metrics;

use crate::failure::{Failure, ShownPath};
use crate::table::{Listing, ListingCell, TableFormat};
use crate::whole_file;
use batch::Batch;

/// Value a hand, two partners or a whole deal.
///
/// Shows points, tricks and the methods for both hands with their names; --all shows every method with the parts of each
/// total, as CSV and JSON always do.
///
/// Write a hand as spades.hearts.diamonds.clubs, as in AQ963.K.KJ752.84; a deal as in PBN ("N:hand hand hand hand") or
/// as `printoneline` prints it ("n hand e hand s hand w hand").
///
/// For a file of deals in any format, prints a line for each pair with its point count (`opc`) in every strain, the
/// expected tricks, the quick losers and, if the deals are solved, how far the expected tricks are from the
/// double-dummy tricks; with --only, every number of those valuations instead. Reads files for DealerV2's DOP (d=1
/// W=AKxx,... E=...) too.
#[derive(clap::Args)]
pub struct Args {
    /// A hand, two hands (North's and South's), a deal, or a file of deals (`-` is standard input).
    #[arg(required = true, num_args = 1..=2, value_name = "HAND, DEAL OR FILE")]
    cards: Vec<String>,
    /// Format of the values.
    #[arg(short, long, value_enum, default_value_t)]
    format: TableFormat,
    /// File for the values instead of standard output.
    #[arg(short, long, value_name = "FILE", default_value = "-")]
    output: PathBuf,
    /// Show every method with all of its parts.
    #[arg(long, conflicts_with = "only")]
    all: bool,
    /// Use only these valuations, such as cccc, opc or bergen (see `croupier metrics`).
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    only: Vec<String>,
    /// Hand that opened the bidding, for opc. The value applies to both sides: N or E means that North or East opened,
    /// S or W that South or West did.
    #[arg(short = 'O', long, value_name = "SEAT", default_value = "W", value_parser = seat)]
    opener: Seat,
    /// Also use a metric of your own: an evaluation server or a WebAssembly module (needs a deal).
    #[arg(short = 'U', long = "user", value_name = "FILE")]
    user: Option<PathBuf>,
    /// Tag to pass to this metric.
    #[arg(long, value_name = "NUMBER", default_value_t = 0, requires = "user")]
    tag: i32,
}

fn seat(text: &str) -> Result<Seat, String> {
    text.parse()
        .map_err(|_| "expected N, E, S or W".to_string())
}

/// The cards to value.
enum CardsToValue {
    Hand(CardSet),
    Pair(CardSet, CardSet),
    Deal(Deal),
}

impl CardsToValue {
    fn parse(texts: &[String]) -> Result<CardsToValue, Failure> {
        let hand = |text: &String| {
            notation::hand(text.trim()).map_err(|error| Failure::usage(format!("{text}: {error}")))
        };
        match texts {
            [first, second] => {
                let (north, south) = (hand(first)?, hand(second)?);
                if north.is_disjoint(south) {
                    return Ok(CardsToValue::Pair(north, south));
                }
                let both = (north & south).iter().next().map(|card| card.to_string());
                Err(Failure::usage(format!(
                    "both hands hold the card {}",
                    both.unwrap_or_default()
                )))
            }
            [text] if text.trim().contains([' ', ':']) => match text.parse::<Deal>() {
                Ok(deal) => Ok(CardsToValue::Deal(deal)),
                Err(error) => Err(Failure::usage(format!("{text}: {error}"))),
            },
            [text] if text.contains('/') => match notation::hand(text.trim()) {
                Ok(hand) => Ok(CardsToValue::Hand(hand)),
                Err(error) => Err(Failure::usage(format!(
                    "{text}: there is no such file, and {error}"
                ))),
            },
            [text] => hand(text).map(CardsToValue::Hand),
            _ => Err(Failure::usage("expected a hand, two hands or a deal")),
        }
    }

    /// Returns all valuations of the cards.
    fn entries(&self, opener: Seat) -> ValueList {
        let mut entries = ValueList::default();
        match *self {
            CardsToValue::Hand(hand) => entries.hand("hand", hand),
            CardsToValue::Pair(north, south) => entries.pair(north, south, opener),
            CardsToValue::Deal(deal) => entries.deal(&deal, opener),
        }
        entries
    }
}

/// Returns whether the text looks like the name of a file and not like a hand: one point before an ending that no rank
/// begins, or a folder.
fn is_file_name(text: &str) -> bool {
    let has_folder = text.contains(['/', '\\']);
    let points = text.matches('.').count();
    let is_rank = |c: char| c.is_ascii_digit() || "AKQJTakqjt-".contains(c);
    has_folder || (1..=2).contains(&points) && !text.replace('.', "").chars().all(is_rank)
}

/// Runs the command.
///
/// # Errors
/// If the cards cannot be parsed, a name is unknown, or a user's metric fails.
pub fn run(args: Args) -> Result<ExitCode, Failure> {
    check_names(&args.only)?;
    if let [one] = args.cards.as_slice()
        && (one == "-" || Path::new(one).exists())
    {
        return value_file(Path::new(one), &args);
    }
    if let [one] = args.cards.as_slice()
        && is_file_name(one)
    {
        let path = Path::new(one).shown();
        return Err(Failure::usage(format!(
            "{path}: there is no file of this name"
        )));
    }
    let cards = CardsToValue::parse(&args.cards)?;
    let mut entries = cards.entries(args.opener);
    if !args.only.is_empty() {
        entries.keep(&args.only);
    }
    if let Some(path) = &args.user {
        let CardsToValue::Deal(deal) = &cards else {
            return Err(Failure::usage("a metric of your own needs a whole deal"));
        };
        user_metric(path, args.tag, deal, &mut entries)?;
    }
    let mut out = Vec::new();
    let is_short = !args.all && args.only.is_empty() && args.user.is_none();
    match args.format {
        TableFormat::Text if is_short => short::write(&entries, &mut out)?,
        TableFormat::Text => text::write(&entries, &mut out)?,
        format => long_table(&entries).write(format, &mut out)?,
    }
    whole_file::write(&args.output, &out)?;
    Ok(ExitCode::SUCCESS)
}

/// Values a file of deals.
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
        let mut table = Listing::new(&[
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
                let mut row = vec![ListingCell::Whole(board)];
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

/// Returns the results of a user's metric for both sides, up to the last nonzero slot.
fn user_metric(
    path: &std::path::Path,
    tag: i32,
    deal: &Deal,
    entries: &mut ValueList,
) -> Result<(), Failure> {
    let user = UserMetrics::open(path, ProgramLimits::default()).map_err(Failure::runtime)?;
    let mut evaluator = user.evaluator().map_err(Failure::runtime)?;
    for side in Side::ALL {
        let results = evaluator
            .evaluate(&MetricRequest::new(tag, deal, side))
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

/// Returns a table with one row for every number.
fn long_table(entries: &ValueList) -> Listing {
    let mut table = Listing::new(&["whose", "valuation", "part", "suit", "slot", "value"]);
    for entry in entries.iter() {
        table.push(cells(entry));
    }
    table
}

fn cells(entry: &ListedValue) -> Vec<ListingCell> {
    let suit = entry.suit.map(|suit| suit.letter().to_string());
    vec![
        ListingCell::from(entry.whose.as_str()),
        ListingCell::from(entry.valuation),
        ListingCell::from(entry.part.as_str()),
        suit.map_or(ListingCell::Empty, ListingCell::Text),
        entry
            .slot
            .map_or(ListingCell::Empty, |slot| ListingCell::Whole(slot as u64)),
        number(entry),
    ]
}

/// Returns the value in points, with the decimals of the valuation's unit.
fn number(entry: &ListedValue) -> ListingCell {
    match entry.scale {
        1 => ListingCell::Decimal(f64::from(entry.value), 0),
        scale => ListingCell::Decimal(f64::from(entry.value) / f64::from(scale), 2),
    }
}
