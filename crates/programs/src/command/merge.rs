//! `croupier merge`: the parts of a run, put together.

use std::path::PathBuf;
use std::process::ExitCode;

use croupier::render::Format;
use croupier::session::Mode;

use crate::failure::Failure;
use crate::threads::Threads;
use dealer::part;
use dealer::request::Request;

/// Put the parts of a run together and print what the whole run prints.
///
/// `dealer --shard 3/64 --partial part3.json script.dl` makes a part, on any machine; the parts may be given in any
/// order. The result is exactly that of one run of dealer, also where `produce` ends it.
#[derive(clap::Args)]
pub struct Args {
    /// The files of the parts.
    #[arg(value_name = "PART", required = true)]
    parts: Vec<PathBuf>,
    /// Write the deals in this format instead of what the script prints.
    #[arg(short, long, value_name = "FORMAT", value_parser = dealer::native::deal_format)]
    format: Option<&'static Format>,
    /// Write tables and boards as a page for the browser.
    #[arg(long, value_name = "FILE")]
    report: Option<PathBuf>,
    /// Turn the deals so that dealer and vulnerability follow the board number.
    #[arg(long)]
    rotate: bool,
    /// No statistics at the end.
    #[arg(short = 'v', long)]
    no_stats: bool,
    #[command(flatten)]
    threads: Threads,
}

/// Runs the command.
///
/// # Errors
/// If a file is not a part, or parts do not fit together.
pub fn run(args: Args) -> Result<ExitCode, Failure> {
    let request = Request {
        format: args.format,
        report: args.report,
        rotate: args.rotate,
        statistics: !args.no_stats,
        threads: args.threads.count(),
        ..Request::new(Mode::Native)
    };
    part::merge(&args.parts, &request)
}
