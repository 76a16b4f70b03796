//! `croupier system`: checks bidding systems that are written as scripts.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Subcommand, ValueEnum};
use croupier::bidding::check::{self, CheckOptions, DifferencesReport, SystemReport};
use croupier::bidding::{ScriptSystem, read_system};
use croupier::cards::Vulnerability;

use crate::failure::Failure;
use crate::interrupt::Interrupt;
use crate::progress::StatusLine;
use crate::scripts;
use crate::threads::Threads;
use crate::whole_file;

/// Check bidding systems that are written as scripts.
#[derive(clap::Args)]
pub struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Find gaps, overlaps and unused rules of a system, and count how often each call is made.
    ///
    /// Follows the auctions that the rules lead to, and shows for each point of the auction how many deals reach it, how
    /// often each rule makes its call (exact where this can be counted, else with a 95 % interval), hands that fit no rule,
    /// and hands that fit rules with different calls, of which the first has priority. With two files, shows where the
    /// second version makes other calls.
    Check(CheckArgs),
}

/// Format of the report.
#[derive(Clone, Copy, Debug, Default, ValueEnum)]
enum ReportFormat {
    /// Lines of text.
    #[default]
    Text,
    /// JSON.
    Json,
}

#[derive(clap::Args)]
struct CheckArgs {
    /// File with the rules of the system.
    #[arg(value_name = "FILE")]
    system: PathBuf,
    /// Another version of the system: show only the differences.
    #[arg(value_name = "OTHER")]
    other: Option<PathBuf>,
    /// Vulnerable side: none, ns, ew or both.
    #[arg(long, value_name = "WHO", default_value = "none")]
    vulnerable: Vulnerability,
    /// Number of deals at each point of the auction, for examples, overlaps, and calls that cannot be counted.
    #[arg(short, long, value_name = "N", default_value_t = CheckOptions::default().deals, value_parser = clap::value_parser!(u64).range(1..=10_000_000))]
    number: u64,
    /// Seed of these deals.
    #[arg(short, long, value_name = "N", default_value_t = 1)]
    seed: i64,
    /// Time limit in seconds for counting the calls of one point exactly; beyond it they are estimated from deals.
    #[arg(long, value_name = "SECONDS", default_value_t = CheckOptions::default().count_seconds)]
    count_seconds: f64,
    /// Number of example hands of a gap or overlap.
    #[arg(long, value_name = "N", default_value_t = CheckOptions::default().examples)]
    examples: usize,
    /// Maximum number of points of the auction.
    #[arg(long, value_name = "N", default_value_t = CheckOptions::default().points)]
    points: usize,
    /// Exit with status 1 if there is a gap, or a rule that makes no call.
    #[arg(long, conflicts_with = "other")]
    strict: bool,
    /// Format of the report.
    #[arg(short, long, value_enum, default_value_t)]
    format: ReportFormat,
    /// File for the report instead of standard output.
    #[arg(short, long, value_name = "FILE", default_value = "-")]
    output: PathBuf,
    /// Also write the points of the auction as a tree to be opened in a browser.
    #[arg(
        long,
        visible_alias = "report",
        value_name = "FILE",
        conflicts_with = "other"
    )]
    html: Option<PathBuf>,
    #[command(flatten)]
    threads: Threads,
}

/// Runs the command.
///
/// # Errors
/// If a file cannot be read, has errors, or cannot be written.
pub fn run(args: Args) -> Result<ExitCode, Failure> {
    let Command::Check(args) = args.command;
    let read = |path: &PathBuf| read_system(path).map_err(Failure::usage);
    let system = read(&args.system)?;
    let interrupt = Interrupt::watch();
    let options = CheckOptions {
        vulnerability: args.vulnerable,
        deals: args.number,
        seed: args.seed,
        count_seconds: args.count_seconds,
        examples: args.examples,
        points: args.points,
        threads: args.threads.count(),
        cancel: interrupt.flag(),
    };
    match &args.other {
        None => check_one(&args, &system, &options, &interrupt),
        Some(path) => compare(&args, [&system, &read(path)?], &options, &interrupt),
    }
}

fn check_one(
    args: &CheckArgs,
    system: &ScriptSystem,
    options: &CheckOptions,
    interrupt: &Interrupt,
) -> Result<ExitCode, Failure> {
    let mut status = StatusLine::new();
    let report = check::check(system, options, |number, auction| {
        status.show(|_| format!("point {}: {auction}", number + 1));
    });
    status.finish();
    let report: SystemReport = report.map_err(scripts::failure)?;
    let text = match args.format {
        ReportFormat::Text => report.text(),
        ReportFormat::Json => report.json(),
    };
    whole_file::write(&args.output, text.as_bytes())?;
    if let Some(path) = &args.html {
        whole_file::write(path, report.html().as_bytes())?;
    }
    if args.strict && (report.gaps() > 0 || !report.unreachable.is_empty()) {
        return Ok(ExitCode::FAILURE);
    }
    Ok(interrupt.exit_code())
}

fn compare(
    args: &CheckArgs,
    systems: [&ScriptSystem; 2],
    options: &CheckOptions,
    interrupt: &Interrupt,
) -> Result<ExitCode, Failure> {
    let mut status = StatusLine::new();
    let report = check::differences(systems, options, |number, auction| {
        status.show(|_| format!("point {}: {auction}", number + 1));
    });
    status.finish();
    let report: DifferencesReport = report.map_err(scripts::failure)?;
    let text = match args.format {
        ReportFormat::Text => report.text(),
        ReportFormat::Json => report.json(),
    };
    whole_file::write(&args.output, text.as_bytes())?;
    Ok(interrupt.exit_code())
}
