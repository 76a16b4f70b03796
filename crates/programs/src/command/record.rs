//! `croupier record`: prints hand records.

use std::collections::HashSet;
use std::path::PathBuf;
use std::process::ExitCode;

use crate::boards::{self, BoardFormat, BoardOutput};
use crate::failure::{Failure, ShownPath};
use crate::given;
use crate::interrupt::Interrupt;

/// Print hand records, hands for bidding practice or labels for boards.
///
/// Reads boards in any format and writes a PDF or an HTML page: the hands around a compass, points, dealer and
/// vulnerability. With double-dummy results it also shows what every player makes (the level, in notrump and each suit)
/// and par. --solve computes results that the file lacks.
#[derive(clap::Args)]
pub struct Args {
    /// Files of boards in any format (`-` is standard input), folders with such files, or deals: "N:AKQ... ...".
    #[arg(required = true, value_name = "FILE|FOLDER|DEAL")]
    input: Vec<PathBuf>,
    /// File to write: .pdf or .html; `-` is standard output.
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    /// Print only the first N boards.
    #[arg(short, long, value_name = "N")]
    number: Option<usize>,
    /// Print each board once, however many tables played it.
    #[arg(long)]
    deduplicate: bool,
    #[command(flatten)]
    finish: BoardOutput,
}

/// Runs the command.
///
/// # Errors
/// If a file cannot be read or written, or the format is unknown.
pub fn run(args: Args) -> Result<ExitCode, Failure> {
    let target = match args.finish.format {
        Some(target) => target,
        None => BoardFormat::of_file(&args.output)?,
    };
    let BoardFormat::Sheet(_) = target else {
        return Err(Failure::usage(format!(
            "{}: hand records are written as pdf or html; for data of other programs see croupier convert and croupier solve",
            args.output.shown()
        )));
    };
    let mut boards = Vec::new();
    for input in &given::expand_folders(&args.input, &[])? {
        boards.extend(boards::read(input)?);
    }
    if args.deduplicate {
        let mut seen = HashSet::new();
        boards.retain(|board| seen.insert((board.number, board.hands)));
    }
    boards.truncate(args.number.unwrap_or(usize::MAX));
    let boards: Vec<_> = (1..)
        .zip(boards)
        .map(|(place, board)| board.with_number(place))
        .collect();
    let wanted = boards.len() as u64;
    let interrupt = Interrupt::watch();
    args.finish.write(
        std::slice::from_ref(&args.output),
        &[target],
        boards,
        wanted,
        &interrupt,
    )
}
