//! `croupier metrics`: lists the built-in metrics and the meaning of their results.

use std::io::{self, BufWriter, Write};
use std::process::ExitCode;

use croupier::valuation::metrics::{self, LabelOwner, Metric};

use crate::failure::Failure;
use crate::table::{Listing, ListingCell, TableFormat};

/// List the built-in metrics, or the result slots of one of them.
///
/// A script uses a metric by name, as in metric(bergen, NS) or metric(zar, EW, notrump), or by tag and slot, as in
/// usereval(0, NS, 3).
#[derive(clap::Args)]
pub struct Args {
    /// Name or tag of a metric: lists the meaning of each of its slots.
    metric: Option<String>,
    /// Format of the list.
    #[arg(short, long, value_enum, default_value_t)]
    format: TableFormat,
}

/// Runs the command.
///
/// # Errors
/// If there is no such metric.
pub fn run(args: Args) -> Result<ExitCode, Failure> {
    let table = match &args.metric {
        None => all_metrics(),
        Some(name) => slots_of(find(name)?),
    };
    let mut out = BufWriter::new(io::stdout().lock());
    table.write(args.format, &mut out)?;
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}

fn find(name: &str) -> Result<&'static Metric, Failure> {
    let by_tag = || name.parse().ok().and_then(metrics::by_tag);
    metrics::by_name(name).or_else(by_tag).ok_or_else(|| {
        Failure::usage(format!(
            "no metric \"{name}\"; `croupier metrics` lists those there are"
        ))
    })
}

fn all_metrics() -> Listing {
    let mut table = Listing::new(&["tag", "letter", "name", "about"]);
    for metric in metrics::list() {
        table.push(vec![
            ListingCell::Whole(metric.tag.unsigned_abs().into()),
            metric.letter.map_or(ListingCell::Empty, |letter| {
                ListingCell::Text(letter.to_string())
            }),
            ListingCell::from(metric.name),
            ListingCell::from(metric.summary),
        ]);
    }
    table
}

fn slots_of(metric: &Metric) -> Listing {
    let mut table = Listing::new(&["slot", "whose", "what", "unit"]);
    for label in metric.labels() {
        let whose = match label.whose {
            LabelOwner::Side => "side",
            LabelOwner::First => "N or E",
            LabelOwner::Second => "S or W",
        };
        let unit = if label.scale == 100 { "1/100" } else { "1" };
        table.push(vec![
            ListingCell::Whole(label.slot as u64),
            ListingCell::from(whose),
            ListingCell::from(label.text.as_str()),
            ListingCell::from(unit),
        ]);
    }
    table
}
