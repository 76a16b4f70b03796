//! `croupier solve`: adds the twenty double-dummy results and par to deals of any format.

mod resume;

use std::fs::File;
use std::io::{self, Read, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use cards::{Deal, TrickTable, Vulnerability};
use engine::parallel;
use formats::{Board, OutputFormat, Problem, Reader, Writer};
use solver::Solver;

use crate::failure::Failure;
use crate::progress::Progress;
use crate::solver_memory::SolverMemory;

/// Solve deals double dummy: add the twenty results and the par score.
///
/// Reads deals in any format. Deals that come with results keep them. With --output an interrupted
/// run continues where it stopped: start it again with the same arguments.
#[derive(clap::Args)]
pub struct Args {
    /// File of deals (PBN, LIN, ZRD, DL52, CSV, JSON or printed); `-` is standard input.
    input: PathBuf,
    /// File to write; without it the deals go to standard output.
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Format to write [default: by the name of the output file, else pbn].
    #[arg(short, long, value_enum)]
    format: Option<SolvedFormat>,
    /// Vulnerability for par; without it that of the board.
    #[arg(long, value_name = "WHO")]
    vulnerable: Option<Vulnerability>,
    /// Threads; 0 means one for each core. The output does not depend on it.
    #[arg(short = 'R', long, default_value_t = 0)]
    threads: usize,
    #[command(flatten)]
    memory: SolverMemory,
    /// Solve again what the input gives as solved.
    #[arg(long)]
    again: bool,
    /// Start anew even if the output file exists.
    #[arg(long)]
    overwrite: bool,
}

/// The formats that have room for results.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum SolvedFormat {
    /// Records of 23 bytes.
    Zrd,
    /// Portable Bridge Notation with OptimumResultTable and OptimumScore.
    Pbn,
    /// A header row and one row a deal.
    Csv,
    /// One JSON object a line.
    Json,
}

impl SolvedFormat {
    fn of_name(path: &Path) -> Option<SolvedFormat> {
        match path.extension()?.to_str()?.to_ascii_lowercase().as_str() {
            "zrd" => Some(SolvedFormat::Zrd),
            "pbn" => Some(SolvedFormat::Pbn),
            "csv" => Some(SolvedFormat::Csv),
            "json" | "jsonl" | "ndjson" => Some(SolvedFormat::Json),
            _ => None,
        }
    }

    fn output(self) -> OutputFormat {
        match self {
            SolvedFormat::Zrd => OutputFormat::Zrd,
            SolvedFormat::Pbn => OutputFormat::Pbn,
            SolvedFormat::Csv => OutputFormat::Csv,
            SolvedFormat::Json => OutputFormat::Json,
        }
    }

    fn input(self) -> formats::Format {
        match self {
            SolvedFormat::Zrd => formats::Format::Zrd,
            SolvedFormat::Pbn => formats::Format::Pbn,
            SolvedFormat::Csv => formats::Format::Csv,
            SolvedFormat::Json => formats::Format::Json,
        }
    }
}

/// A board of the input, numbered, with its complete deal.
struct Task {
    board: Board,
    deal: Deal,
}

impl Task {
    /// The board with these results and their par.
    fn solved(&self, table: TrickTable) -> Board {
        let vulnerable = self.board.vulnerable.unwrap_or(Vulnerability::None);
        Board {
            tricks: Some(table),
            par: Some(solver::par(&table, vulnerable).score),
            ..self.board.clone()
        }
    }
}

/// The boards of the input in order, made ready; what cannot be read is passed on.
struct Tasks<R: Read> {
    reader: Reader<R>,
    vulnerable: Option<Vulnerability>,
    again: bool,
    count: u64,
}

impl<R: Read> Iterator for Tasks<R> {
    type Item = Result<Task, Problem>;

    fn next(&mut self) -> Option<Self::Item> {
        let mut board = match self.reader.next()? {
            Ok(board) => board,
            Err(problem) => return Some(Err(problem)),
        };
        let Some(deal) = board.deal() else {
            return Some(Err(Problem {
                line: board.line,
                board: board.number,
                message: "fewer than three hands are known".into(),
                io: None,
            }));
        };
        self.count += 1;
        board.vulnerable = self.vulnerable.or(board.vulnerable);
        if self.again {
            board.tricks = None;
        }
        let board = board.with_number(self.count);
        Some(Ok(Task { board, deal }))
    }
}

/// Runs the command.
///
/// # Errors
/// If a file cannot be read or written, or the output file is not the beginning of this run's.
pub fn run(args: Args) -> Result<ExitCode, Failure> {
    let by_name = args.output.as_deref().and_then(SolvedFormat::of_name);
    let format = args.format.or(by_name).unwrap_or(SolvedFormat::Pbn);
    let mut tasks = Tasks {
        reader: Reader::new(open(&args.input)?).map_err(|error| at(&args.input, error))?,
        vulnerable: args.vulnerable,
        again: args.again,
        count: 0,
    };
    let total = count_boards(&args)?;
    let Some(path) = &args.output else {
        let mut out = io::stdout().lock();
        let writer = Writer::new(format.output());
        return solve(&args, (0, Vec::new()), tasks, writer, total, &mut out);
    };
    let start = match args.overwrite {
        true => resume::Start::anew(path),
        false => resume::Start::find(path, format, &mut tasks),
    }?;
    if start.written > 0 && io::IsTerminal::is_terminal(&io::stderr()) {
        eprintln!("{} deals are there already, going on", start.written);
    }
    let writer = Writer::resumed(format.output(), start.written);
    let left = total.map(|total| total.saturating_sub(start.written));
    let mut file = start.file;
    let pending = (start.written, start.pending);
    solve(&args, pending, tasks, writer, left, &mut file)
}

fn open(path: &Path) -> Result<Box<dyn Read + Send>, Failure> {
    if path.as_os_str() == "-" {
        return Ok(Box::new(io::stdin()));
    }
    match File::open(path) {
        Ok(file) => Ok(Box::new(file)),
        Err(error) => Err(at(path, error)),
    }
}

fn at(path: &Path, error: impl std::fmt::Display) -> Failure {
    Failure::runtime(format!("{}: {error}", path.display()))
}

/// How many boards there are to solve, if somebody is watching and the input can be read twice.
fn count_boards(args: &Args) -> Result<Option<u64>, Failure> {
    if args.input.as_os_str() == "-" || !io::IsTerminal::is_terminal(&io::stderr()) {
        return Ok(None);
    }
    let reader = Reader::new(open(&args.input)?).map_err(|error| at(&args.input, error))?;
    Ok(Some(reader.filter(Result::is_ok).count() as u64))
}

/// Solves `pending` and then the rest on all threads and writes the boards in order; so many are there `before`.
fn solve<R: Read + Send>(
    args: &Args,
    (before, pending): (u64, Vec<Result<Task, Problem>>),
    tasks: Tasks<R>,
    mut writer: Writer,
    total: Option<u64>,
    out: &mut dyn Write,
) -> Result<ExitCode, Failure> {
    let mut progress = Progress::new("deals", total);
    let (mut problems, mut solved) = (0, before);
    let mut bytes = Vec::new();
    let work = |solver: &mut Solver, task: Result<Task, Problem>| {
        let task = task?;
        let table = task
            .board
            .tricks
            .unwrap_or_else(|| solver.table(&task.deal));
        Ok((task.solved(table), task.deal))
    };
    let end = parallel::ordered_map(
        args.threads,
        pending.into_iter().chain(tasks),
        || args.memory.solver(),
        work,
        |result: Result<(Board, Deal), Problem>| {
            match result {
                Err(problem) => {
                    problems += 1;
                    eprintln!("croupier: {}: {problem}", args.input.display());
                }
                Ok((board, deal)) => {
                    bytes.clear();
                    writer.write(&mut bytes, &board, &deal);
                    // Each deal is handed over at once: it took long enough to find.
                    if let Err(error) = out.write_all(&bytes).and_then(|()| out.flush()) {
                        return ControlFlow::Break(error);
                    }
                    solved += 1;
                    progress.advance(1);
                }
            }
            ControlFlow::Continue(())
        },
    );
    progress.finish();
    match end {
        ControlFlow::Break(error) => Err(error.into()),
        ControlFlow::Continue(()) if problems > 0 => Err(Failure::runtime(format!(
            "{problems} of the boards could not be read and were left out"
        ))),
        ControlFlow::Continue(()) if solved == 0 => Err(Failure::runtime(format!(
            "{}: there is no deal in it",
            args.input.display()
        ))),
        ControlFlow::Continue(()) => Ok(ExitCode::SUCCESS),
    }
}
