//! `croupier solve`: adds the twenty double-dummy results and par to deals of any format.

mod resume;
mod summary;

use std::io::{self, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use croupier::cards::{Deal, Seat, Strain, TrickTable, Vulnerability};
use croupier::engine::parallel;
use croupier::formats::{Board, OutputFormat, Problem, Writer};
use croupier::solver::Solver;
use croupier::studies::Precision;

use crate::failure::{Failure, ShownPath, complain};
use crate::given::{self, Boards, with_results};
use crate::progress::Progress;
use crate::solver_memory::SolverMemory;
use crate::threads::Threads;

use summary::Summary;

/// Solve deals double dummy: add the twenty results and the par score.
///
/// Reads deals in any format. Deals that come with results keep them. With --output an interrupted
/// run continues where it stopped: start it again with the same arguments.
#[derive(clap::Args)]
pub struct Args {
    /// File of deals in any format, `-` for standard input, or a deal.
    #[arg(value_name = "IN")]
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
    /// Solve only the first N deals.
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    number: Option<u64>,
    #[command(flatten)]
    threads: Threads,
    #[command(flatten)]
    memory: SolverMemory,
    /// Solve again what the input gives as solved.
    #[arg(long)]
    again: bool,
    /// Start anew even if the output file exists.
    #[arg(long)]
    overwrite: bool,
    /// Print a summary instead of the deals: what each declarer takes in each strain on average and how often that is a
    /// game or a slam, with 95 % intervals.
    #[arg(long, conflicts_with_all = ["output", "format"])]
    summary: bool,
    /// With --summary: solve no more deals than it takes to know every average (tricks) or every share (%) this well:
    /// 0.05 tricks or 0.5%. The other deals of the file are looked at, which helps.
    #[arg(long, value_name = "HALF_WIDTH", requires = "summary")]
    precision: Option<Precision>,
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
    /// Bridge Base Online; the results stand in pairs of our own.
    Lin,
}

impl SolvedFormat {
    /// The format that the name of a file asks for.
    fn of_name(path: &Path) -> Result<SolvedFormat, Failure> {
        match super::convert::format_of(path)? {
            OutputFormat::Zrd => Ok(SolvedFormat::Zrd),
            OutputFormat::Pbn => Ok(SolvedFormat::Pbn),
            OutputFormat::Csv => Ok(SolvedFormat::Csv),
            OutputFormat::Json => Ok(SolvedFormat::Json),
            OutputFormat::Lin => Ok(SolvedFormat::Lin),
            _ => Err(Failure::usage(format!(
                "{}: this format has no room for results; use zrd, pbn, lin, csv or json",
                path.shown()
            ))),
        }
    }

    fn output(self) -> OutputFormat {
        match self {
            SolvedFormat::Zrd => OutputFormat::Zrd,
            SolvedFormat::Pbn => OutputFormat::Pbn,
            SolvedFormat::Csv => OutputFormat::Csv,
            SolvedFormat::Json => OutputFormat::Json,
            SolvedFormat::Lin => OutputFormat::Lin,
        }
    }

    fn input(self) -> croupier::formats::Format {
        match self {
            SolvedFormat::Zrd => croupier::formats::Format::Zrd,
            SolvedFormat::Pbn => croupier::formats::Format::Pbn,
            SolvedFormat::Csv => croupier::formats::Format::Csv,
            SolvedFormat::Json => croupier::formats::Format::Json,
            SolvedFormat::Lin => croupier::formats::Format::Lin,
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
        with_results(self.board.clone(), table)
    }
}

/// The boards of the input in order, made ready; what cannot be read is passed on.
struct Tasks {
    reader: Boards,
    vulnerable: Option<Vulnerability>,
    again: bool,
    count: u64,
    most: u64,
}

impl Iterator for Tasks {
    type Item = Result<Task, Problem>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.count == self.most {
            return None;
        }
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
    let mut summary = match args.summary {
        true => Some(Summary::new(args.precision, &deals_to_look_at(&args)?)?),
        false => None,
    };
    let format = match (args.format, &args.output) {
        (Some(format), _) => format,
        (None, Some(path)) => SolvedFormat::of_name(path)?,
        (None, None) => SolvedFormat::Pbn,
    };
    let mut tasks = Tasks {
        reader: given::open(&args.input)?,
        vulnerable: args.vulnerable,
        again: args.again,
        count: 0,
        most: args.number.unwrap_or(u64::MAX),
    };
    let total = count_boards(&args)?;
    let Some(path) = &args.output else {
        let mut out: Box<dyn Write> = match args.summary {
            true => Box::new(io::sink()),
            false => Box::new(io::stdout().lock()),
        };
        let writer = Writer::new(format.output());
        let nothing = (0, Vec::new());
        let end = solve(
            &args,
            nothing,
            tasks,
            writer,
            total,
            (&mut out, &mut summary),
        );
        drop(out);
        return match &summary {
            Some(summary) => summary.told(end),
            None => end,
        };
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
    solve(&args, pending, tasks, writer, left, (&mut file, &mut None))
}

/// The deals of the input that a summary with a precision looks at: all, if the input can be read twice.
fn deals_to_look_at(args: &Args) -> Result<Vec<Deal>, Failure> {
    if args.input.as_os_str() == "-" || args.precision.is_none() {
        return Ok(Vec::new());
    }
    let most = usize::try_from(args.number.unwrap_or(u64::MAX)).unwrap_or(usize::MAX);
    let boards = given::open(&args.input)?.filter_map(Result::ok);
    Ok(boards.filter_map(|board| board.deal()).take(most).collect())
}

/// How many boards there are to solve, if somebody is watching and the input can be read twice.
fn count_boards(args: &Args) -> Result<Option<u64>, Failure> {
    if args.input.as_os_str() == "-" || !io::IsTerminal::is_terminal(&io::stderr()) {
        return Ok(None);
    }
    let boards = given::open(&args.input)?;
    let boards = boards.filter(Result::is_ok).count() as u64;
    Ok(Some(boards.min(args.number.unwrap_or(u64::MAX))))
}

/// What one thread does at a time.
enum Piece {
    Whole(Box<Result<Task, Problem>>),
    Strain(Arc<Task>, Strain),
}

/// What came of it. The rows of a deal follow one another, notrump first.
enum Answer {
    Problem(Problem),
    Table(Box<Task>, TrickTable),
    Row(Arc<Task>, Strain, [u8; 4]),
}

/// The strain whose row completes a table.
const LAST_STRAIN: Strain = Strain::Clubs;

/// A deal in one piece, or strain by strain so that several threads share a single table. The strains have nothing to
/// tell one another, so that costs no work.
fn pieces(task: Result<Task, Problem>, split: bool) -> Vec<Piece> {
    match task {
        Ok(task) if split && task.board.tricks.is_none() => {
            let task = Arc::new(task);
            let strains = Strain::ALL.into_iter().rev();
            strains
                .map(|strain| Piece::Strain(Arc::clone(&task), strain))
                .collect()
        }
        task => vec![Piece::Whole(Box::new(task))],
    }
}

impl Piece {
    fn solve(self, solver: &mut Solver) -> Answer {
        match self {
            Piece::Strain(task, strain) => {
                let row = solver.strain(&task.deal, strain);
                Answer::Row(task, strain, row)
            }
            Piece::Whole(task) => match *task {
                Err(problem) => Answer::Problem(problem),
                Ok(task) => {
                    let known = task.board.tricks;
                    let table = known.unwrap_or_else(|| solver.table(&task.deal));
                    Answer::Table(Box::new(task), table)
                }
            },
        }
    }
}

fn unread(problems: u64) -> Failure {
    Failure::runtime(format!(
        "{problems} of the boards could not be read and were left out"
    ))
}

/// The only board of the input: all threads work on its table.
fn solve_alone(args: &Args, board: &mut Option<Result<Task, Problem>>) {
    if let Some(Ok(task)) = board
        && task.board.tricks.is_none()
    {
        let mut team = args.memory.team(args.threads.count());
        task.board.tricks = Some(team.table(&task.deal));
    }
}

/// Solves `pending` and then the rest on all threads and writes the boards in order; so many are there `before`.
fn solve(
    args: &Args,
    (before, pending): (u64, Vec<Result<Task, Problem>>),
    tasks: Tasks,
    mut writer: Writer,
    total: Option<u64>,
    (out, summary): (&mut dyn Write, &mut Option<Summary>),
) -> Result<ExitCode, Failure> {
    let mut progress = Progress::new("deals", total);
    let (mut problems, mut solved) = (0u64, before);
    let mut bytes = Vec::new();
    let mut table = TrickTable::default();
    let split = args.threads.count() > 1;
    let mut tasks = pending.into_iter().chain(tasks).peekable();
    let mut first = tasks.next();
    // Whoever writes to a pipe may wait for the answer before the next deal: only files are asked for more.
    if split && args.input.as_os_str() != "-" && tasks.peek().is_none() {
        solve_alone(args, &mut first);
    }
    let end = parallel::ordered_map(
        args.threads.count(),
        first
            .into_iter()
            .chain(tasks)
            .flat_map(|task| pieces(task, split)),
        || args.memory.solver(),
        |solver: &mut Solver, piece| piece.solve(solver),
        |answer: Answer| {
            let (board, deal) = match answer {
                Answer::Problem(problem) => {
                    problems += 1;
                    complain(
                        "croupier",
                        format_args!("{}: {problem}", args.input.shown()),
                    );
                    return ControlFlow::Continue(());
                }
                Answer::Table(task, table) => (task.solved(table), task.deal),
                Answer::Row(task, strain, row) => {
                    for (seat, tricks) in Seat::ALL.into_iter().zip(row) {
                        table.set(seat, strain, tricks);
                    }
                    if strain != LAST_STRAIN {
                        return ControlFlow::Continue(());
                    }
                    (task.solved(std::mem::take(&mut table)), task.deal)
                }
            };
            bytes.clear();
            writer.write(&mut bytes, &board, &deal);
            // Each deal is handed over at once: it took long enough to find.
            if let Err(error) = out.write_all(&bytes).and_then(|()| out.flush()) {
                return ControlFlow::Break(Some(error));
            }
            solved += 1;
            progress.advance(1);
            let enough = |table| summary.as_mut().is_some_and(|it| it.add(&deal, &table));
            match board.tricks.is_some_and(enough) {
                true => ControlFlow::Break(None),
                false => ControlFlow::Continue(()),
            }
        },
    );
    progress.finish();
    match end {
        ControlFlow::Break(Some(error)) => Err(match &args.output {
            Some(path) => Failure::at(path, error),
            None => Failure::standard_output(error),
        }),
        ControlFlow::Break(None) if problems == 0 => Ok(ExitCode::SUCCESS),
        ControlFlow::Break(None) => Err(unread(problems)),
        ControlFlow::Continue(()) if problems > 0 => Err(unread(problems)),
        ControlFlow::Continue(()) if solved == 0 => Err(Failure::runtime(format!(
            "{}: there is no deal in it",
            args.input.shown()
        ))),
        ControlFlow::Continue(()) => Ok(ExitCode::SUCCESS),
    }
}
