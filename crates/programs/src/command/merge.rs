//! `croupier merge`: merges the parts of a distributed run.

use std::path::PathBuf;
use std::process::ExitCode;

use croupier::render::{OutputOptions, RenderFormat};
use croupier::session::{ExecutionOptions, Mode};

use crate::failure::Failure;
use crate::threads::Threads;
use dealer::command_line::CommandLine;
use dealer::part;

/// Merge the parts of a run that was divided among several machines.
///
/// `dealer --shard 3/64 --partial part3.json script.dl` computes one part of 64, on any machine. Give the files of all
/// parts, in any order: the output is exactly that of one run of dealer, even if `produce` ends it early.
#[derive(clap::Args)]
pub struct Args {
    /// Files of the parts.
    #[arg(value_name = "PART", required = true)]
    parts: Vec<PathBuf>,
    /// Write the deals in this format instead of the output of the script.
    #[arg(short, long, value_name = "FORMAT", value_parser = dealer::native::deal_format)]
    format: Option<&'static RenderFormat>,
    /// Write tables and boards to this HTML file, to be opened in a browser.
    #[arg(long, value_name = "FILE")]
    report: Option<PathBuf>,
    /// Rotate the deals so that dealer and vulnerability follow the board number.
    #[arg(long)]
    rotate: bool,
    /// Print no statistics at the end.
    #[arg(short = 'v', long)]
    no_stats: bool,
    #[command(flatten)]
    threads: Threads,
}

/// Runs the command.
///
/// # Errors
/// If a file does not hold a part, or the parts belong to different runs.
pub fn run(args: Args) -> Result<ExitCode, Failure> {
    let line = CommandLine {
        output: OutputOptions {
            format: args.format,
            report: args.report,
            rotate: args.rotate,
            statistics: !args.no_stats,
            ..OutputOptions::default()
        },
        execution: ExecutionOptions {
            threads: args.threads.count(),
            ..ExecutionOptions::default()
        },
        additions: crate::ADDITIONS,
        ..CommandLine::new(Mode::Native)
    };
    part::merge(&args.parts, &line)
}
