//! `croupier record`: hand records on paper.

use std::path::PathBuf;
use std::process::ExitCode;

use crate::boards::{self, Target};
use crate::failure::Failure;
use crate::interrupt::Interrupt;
use crate::sheet::Sheet;
use crate::solver_memory::SolverMemory;

/// Print hand records, hands for bidding practice or labels for boards.
///
/// Reads boards in any format and writes a PDF or a page for the browser: the hands around a compass, points, dealer
/// and vulnerability; with double-dummy results also what every hand makes (the level, in notrump and each suit) and par.
/// Results that the file has are used; --solve computes those that are missing.
#[derive(clap::Args)]
pub struct Args {
    /// Files of boards in any format (`-` is standard input), or deals: "N:AKQ... ...".
    #[arg(required = true, value_name = "FILE|DEAL")]
    input: Vec<PathBuf>,
    /// File to write: .pdf or .html; `-` is standard output.
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    /// Format to write: pdf or html [default: by the name of the file].
    #[arg(short, long, value_name = "FORMAT", value_parser = Target::by_name)]
    format: Option<Target>,
    /// Print only the first N boards.
    #[arg(short, long, value_name = "N")]
    number: Option<usize>,
    /// Compute the double-dummy results that are missing.
    #[arg(long)]
    solve: bool,
    /// Threads; 0 means one for each core. The output does not depend on it.
    #[arg(
        short = 'j',
        visible_short_alias = 'R',
        long,
        value_name = "N",
        default_value_t = 0
    )]
    threads: usize,
    #[command(flatten)]
    memory: SolverMemory,
    #[command(flatten)]
    sheet: Sheet,
}

/// Runs the command.
///
/// # Errors
/// If a file cannot be read or written, or nothing says which format is wanted.
pub fn run(args: Args) -> Result<ExitCode, Failure> {
    let target = match args.format {
        Some(target) => target,
        None => Target::of_file(&args.output)?,
    };
    let Target::Sheet(_) = target else {
        return Err(Failure::usage(format!(
            "{}: hand records are written as pdf or html; for data of other programs see croupier convert and croupier solve",
            args.output.display()
        )));
    };
    let mut boards = Vec::new();
    for input in &args.input {
        boards.extend(boards::read(input)?);
    }
    boards.truncate(args.number.unwrap_or(usize::MAX));
    let mut boards: Vec<_> = (1..)
        .zip(boards)
        .map(|(place, board)| board.with_number(place))
        .collect();
    let interrupt = Interrupt::watch();
    let wanted = boards.len();
    if args.solve {
        boards::solve(&mut boards, args.threads, args.memory, &interrupt);
    }
    if boards.is_empty() && wanted > 0 {
        let text = interrupt.text();
        return Err(Failure::runtime(format!(
            "{text} before the first board was solved; nothing is written"
        ))
        .with_runtime_status(interrupt.status()));
    }
    boards::write(&args.output, target, &boards, &args.sheet)?;
    if boards.len() < wanted {
        let (text, solved) = (interrupt.text(), boards.len());
        eprintln!("croupier: {text}: the first {solved} of {wanted} boards are written");
    }
    Ok(interrupt.exit_code())
}
