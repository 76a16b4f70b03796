//! `croupier probability`: computes how often a condition holds.

use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use command_line::rounded;
use croupier::engine::{Bin, ExactTable, ExactTallies, Probability};
use croupier::formats::number::grouped;

use crate::failure::Failure;
use crate::interrupt::{Interrupt, LIMIT};
use crate::limits;
use crate::progress::ElapsedTimeLine;
use crate::robots;
use crate::scripts;
use crate::table::TableFormat;
use crate::whole_file;

mod json;

use json::ProbabilityJson;

/// Compute how often a script's condition holds: exactly where that is possible.
///
/// Conditions on lengths, shapes, points, losers, cards held, sums over a side and all combinations of them with and,
/// or, not are counted exactly. Other conditions are tried on deals that satisfy the rest; then the answer is an exact
/// bound times an estimate with a 95 % confidence interval. The script's averages and frequency tables are also
/// computed exactly where that is possible: quick ones always, slow ones with --tables.
#[derive(clap::Args)]
pub struct Args {
    /// The script; `-` is standard input.
    script: PathBuf,
    /// Format of the answer.
    #[arg(short, long, value_enum, default_value_t)]
    format: TableFormat,
    /// File for the answer instead of standard output.
    #[arg(short, long, value_name = "FILE", default_value = "-")]
    output: PathBuf,
    /// Number of deals to try for conditions that cannot be counted exactly.
    #[arg(long, value_name = "N", default_value_t = 100_000, value_parser = clap::value_parser!(u64).range(1..))]
    samples: u64,
    /// Seed of the deals that are tried.
    #[arg(short, long, default_value_t = 1)]
    seed: i64,
    /// Compute all averages and tables, even those that take long.
    #[arg(long)]
    tables: bool,
}

/// Runs the command.
///
/// # Errors
/// If the script cannot be read or has errors, or no deal satisfies its predeal.
pub fn run(args: Args) -> Result<ExitCode, Failure> {
    let interrupt = Interrupt::peek();
    let mut job = robots::with_robots(scripts::job(&args.script)?)
        .seed(args.seed)
        .cancel(interrupt.flag());
    if let Some(left) = limits::time_left() {
        job = job.time_limit(left);
    }
    let session = job.prepare().map_err(scripts::failure)?;
    scripts::show(session.warnings());
    let interrupt = Interrupt::watch();
    let table_nanoseconds = if args.tables { f64::INFINITY } else { 1e8 };
    let waiting = ElapsedTimeLine::show("counting deals");
    let answer = session.chances(args.samples, table_nanoseconds);
    drop(waiting);
    if answer.is_err() {
        limits::end_if_late(Duration::ZERO);
    }
    let croupier::session::ScriptProbability {
        condition: chances,
        tables: tallies,
        cut_short,
    } = answer.map_err(|error| match interrupt.is_requested() {
        true => {
            let text = interrupt.text();
            Failure::runtime(format!("{text} before the deals were counted"))
                .with_runtime_status(interrupt.status())
        }
        false => scripts::failure(error),
    })?;
    let left_out = LeftOut {
        names: &tallies.left_out,
        remedy: match (chances.is_exact(), args.tables) {
            _ if cut_short => "there was no time to count them",
            (true, false) => "--tables counts them out, if it can be done at all",
            (true, true) => "they cannot be counted; dealer --tables measures them on deals",
            (false, _) => {
                "this condition cannot be counted as a whole; dealer --tables measures them on deals"
            }
        },
    };
    let mut out = Vec::new();
    match args.format {
        TableFormat::Text => text(&mut out, &chances, &tallies, &left_out)?,
        // A CSV file holds numbers only.
        TableFormat::Csv | TableFormat::CsvSafe => {
            csv(&mut out, &chances, &tallies)?;
            // Remarks go to standard error, so that the rows stay readable for programs.
            if let Some(sentence) = left_out.sentence() {
                eprintln!("croupier: {sentence}");
            }
        }
        TableFormat::Json => {
            let answer = ProbabilityJson::new(&chances, &tallies);
            serde_json::to_writer(&mut out, &answer).map_err(io::Error::from)?;
            writeln!(out)?;
        }
    }
    whole_file::write(&args.output, &out)?;
    if cut_short {
        let what = match (chances.is_exact(), chances.trial) {
            (false, Some(trial)) => format!("the deals were not counted but {} tried", trial.tried),
            _ => "the condition is counted, but not all tables are".to_owned(),
        };
        let cause = match interrupt.is_requested() {
            true => interrupt.text(),
            false => "the time is up (--time)".to_owned(),
        };
        eprintln!("croupier: {cause}: {what}");
        return Ok(ExitCode::from(match interrupt.is_requested() {
            true => interrupt.status(),
            false => LIMIT,
        }));
    }
    Ok(ExitCode::SUCCESS)
}

/// Averages and tables that were not computed, and the switch that adds them.
struct LeftOut<'a> {
    names: &'a [String],
    remedy: &'static str,
}

impl LeftOut<'_> {
    fn sentence(&self) -> Option<String> {
        let names: Vec<String> = self.names.iter().map(|name| format!("{name:?}")).collect();
        (!names.is_empty()).then(|| format!("left out: {}; {}", names.join(", "), self.remedy))
    }
}

fn text(
    out: &mut impl Write,
    chances: &Probability,
    tallies: &ExactTallies,
    left_out: &LeftOut<'_>,
) -> io::Result<()> {
    let count = &chances.bound;
    let summary = format!(
        "{} of {} {}, {} %",
        grouped(count.hits()),
        grouped(count.out_of()),
        count.unit(),
        count.decimal(16, 2)
    );
    match &chances.trial {
        None => {
            writeln!(out, "{summary}")?;
            let (top, bottom) = count.lowest_terms();
            writeln!(
                out,
                "exactly {} / {} = {}",
                grouped(top),
                grouped(bottom),
                count.decimal(20, 0)
            )?;
            match count.one_in(12) {
                Some(deals) => writeln!(out, "one deal in {deals}")?,
                None => writeln!(out, "it never happens")?,
            }
        }
        Some(trial) => {
            let (low, high) = chances.interval();
            writeln!(out, "at most {summary}")?;
            writeln!(
                out,
                "of these {} of {} deals tried satisfy the rest of the condition",
                grouped(trial.passed.into()),
                grouped(trial.tried.into())
            )?;
            writeln!(
                out,
                "about {} %, between {} % and {} % (95 % confidence)",
                percent(chances.probability(), (low, high)),
                percent(low, (low, high)),
                percent(high, (low, high))
            )?;
            if chances.probability() > 0.0 {
                let deals = 1.0 / chances.probability();
                let error = deals * (high - low) / chances.probability() / 2.0;
                writeln!(out, "about one deal in {}", rounded(deals, error))?;
            }
        }
    }
    for average in &tallies.averages {
        let label = average.label.as_deref().unwrap_or("average");
        writeln!(
            out,
            "\n{label}: mean {:.12}, standard deviation {:.12}",
            average.mean, average.deviation
        )?;
    }
    for table in &tallies.tables {
        writeln!(out)?;
        text_table(out, table)?;
    }
    if let Some(sentence) = left_out.sentence() {
        writeln!(out, "\n{sentence}")?;
    }
    Ok(())
}

/// Formats a share in percent with as many digits as its interval supports: two digits of its width.
fn percent(share: f64, (low, high): (f64, f64)) -> String {
    rounded(100.0 * share, 100.0 * (high - low))
}

fn bin_name(bin: &Bin) -> String {
    match (bin.low, bin.high) {
        (None, None) => "%".to_owned(),
        (None, Some(_)) => "below".to_owned(),
        (Some(_), None) => "above".to_owned(),
        (Some(low), Some(high)) if low == high => low.to_string(),
        (Some(low), Some(high)) => format!("{low}..{high}"),
    }
}

/// Returns whether a row is shown. Empty rows and columns at the ends of the range are hidden.
fn shown(table: &ExactTable, row: usize) -> bool {
    let width = table.columns.len();
    let inside = table.rows[row].low.is_some() && table.rows[row].high.is_some();
    inside
        || table.deals[row * width..][..width]
            .iter()
            .any(|&deals| deals > 0)
}

fn text_table(out: &mut impl Write, table: &ExactTable) -> io::Result<()> {
    writeln!(out, "{}", table.label.as_deref().unwrap_or("frequency"))?;
    let width = table.columns.len();
    let column_shown: Vec<bool> = (0..width)
        .map(|column| {
            let bin = table.columns[column];
            let open = bin.low.is_none() != bin.high.is_none();
            !open
                || table
                    .deals
                    .iter()
                    .skip(column)
                    .step_by(width)
                    .any(|&deals| deals > 0)
        })
        .collect();
    let columns = || (0..width).filter(|&column| column_shown[column]);
    write!(out, "{:>8}", "")?;
    for column in columns() {
        write!(out, "  {:>14}", bin_name(&table.columns[column]))?;
    }
    writeln!(out)?;
    for (row, bin) in table.rows.iter().enumerate() {
        if !shown(table, row) {
            continue;
        }
        write!(out, "{:>8}", bin_name(bin))?;
        for column in columns() {
            write!(
                out,
                "  {:>14.10}",
                100.0 * table.cells[row * width + column]
            )?;
        }
        writeln!(out)?;
    }
    Ok(())
}

fn csv(out: &mut impl Write, chances: &Probability, tallies: &ExactTallies) -> io::Result<()> {
    let (low, high) = chances.interval();
    let count = &chances.bound;
    writeln!(out, "count,out_of,unit,probability,low,high,exact")?;
    writeln!(
        out,
        "{},{},{},{:e},{low:e},{high:e},{}",
        count.hits(),
        count.out_of(),
        count.unit(),
        chances.probability(),
        chances.is_exact()
    )?;
    for table in &tallies.tables {
        writeln!(out, "\naction,row,column,deals,probability")?;
        for (place, (deals, share)) in table.deals.iter().zip(&table.cells).enumerate() {
            let (row, column) = (place / table.columns.len(), place % table.columns.len());
            let column = match table.columns.len() {
                1 => String::new(),
                _ => bin_name(&table.columns[column]),
            };
            let row = bin_name(&table.rows[row]);
            writeln!(out, "{},{row},{column},{deals},{share:e}", table.action)?;
        }
    }
    Ok(())
}
