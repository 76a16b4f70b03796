//! `croupier solve`: adds the twenty double-dummy results and par to deals of any format.

mod analysis;
mod resume;
mod summary;

use std::io::{self, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use croupier::cards::{CardSet, Deal, Seat, Strain, TrickTable, Vulnerability};
use croupier::engine::parallel;
use croupier::formats::{Board, BoardReadError, DeclaredContract, OutputFormat, Writer, pbn};
use croupier::solver::{Position, Solver};
use croupier::studies::Precision;

use crate::boards::BoardFormat;
use crate::failure::{Failure, ShownPath, print_error};
use crate::given::{self, BoardIterator, with_results};
use crate::progress::ItemProgress;
use crate::solver_memory::SolverMemory;
use crate::threads::Threads;

use summary::TableSummary;

/// Solve deals double dummy: add the twenty results and the par score.
///
/// Reads deals in any format. Deals with results keep them. With --output, you can continue an interrupted run: start
/// it again with the same arguments.
#[derive(clap::Args)]
pub struct Args {
    /// Files of deals in any format, folders with such files, `-` for standard input, or a deal.
    #[arg(required = true, value_name = "IN")]
    inputs: Vec<PathBuf>,
    /// File to write; without it the deals go to standard output.
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Format to write [default: by the name of the output file, else pbn].
    #[arg(short, long, value_enum)]
    format: Option<SolvedFormat>,
    /// Vulnerability for par [default: that of the board].
    #[arg(long, value_name = "WHO")]
    vulnerable: Option<Vulnerability>,
    /// Solve only the first N deals.
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    number: Option<u64>,
    #[command(flatten)]
    threads: Threads,
    #[command(flatten)]
    memory: SolverMemory,
    /// Solve all deals, even those that have results already.
    #[arg(long)]
    again: bool,
    /// Whether to start from the beginning even if the output file exists (`--force`).
    #[arg(skip)]
    pub overwrite: bool,
    /// Print a summary instead of the deals: the average tricks of each declarer in each strain, and how often that is
    /// a game or a slam, with 95 % confidence intervals.
    #[arg(long, conflicts_with_all = ["output", "format"])]
    summary: bool,
    /// With --summary: stop when every average (in tricks) or every share (in %) is known this precisely, for example
    /// 0.05 or 0.5%. The remaining deals of the file are not solved, but their cards are used to improve the estimate.
    #[arg(long, value_name = "HALF_WIDTH", requires = "summary")]
    precision: Option<Precision>,
    /// Print the principal line of play instead of the deals: for each card that is played the cards that are as good.
    #[arg(long, conflicts_with_all = ["output", "summary", "explain", "optimum_play"])]
    line: bool,
    /// Print the cards that decide the result instead of the deals, and the exchanges of two adjacent cards that change
    /// it. All other cards of a suit can change places.
    #[arg(long, conflicts_with_all = ["output", "summary", "optimum_play"])]
    explain: bool,
    /// Contract for --line and --explain: 4S-S [default: that of the board, else one that reaches par].
    #[arg(long, value_name = "CONTRACT")]
    contract: Option<DeclaredContract>,
    /// Add the table OptimumPlayTable of PBN 2.1 to boards with a play: the optimal cards at each turn. Such a run
    /// cannot be continued.
    #[arg(long, conflicts_with = "summary")]
    optimum_play: bool,
}

/// Formats with room for results.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum SolvedFormat {
    /// Records of 23 bytes.
    Zrd,
    /// Portable Bridge Notation with OptimumResultTable and OptimumScore.
    Pbn,
    /// A header row and one row per deal.
    Csv,
    /// One JSON object per line.
    Json,
    /// Bridge Base Online; the results are in additional fields.
    Lin,
}

impl SolvedFormat {
    /// Returns the format that belongs to the ending of a file name.
    fn of_name(path: &Path) -> Result<SolvedFormat, Failure> {
        match format_of(path)? {
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

    fn input(self) -> croupier::formats::InputFormat {
        match self {
            SolvedFormat::Zrd => croupier::formats::InputFormat::Zrd,
            SolvedFormat::Pbn => croupier::formats::InputFormat::Pbn,
            SolvedFormat::Csv => croupier::formats::InputFormat::Csv,
            SolvedFormat::Json => croupier::formats::InputFormat::Json,
            SolvedFormat::Lin => croupier::formats::InputFormat::Lin,
        }
    }
}

/// A board of the input with its number and complete deal.
struct SolveTask {
    board: Board,
    deal: Deal,
    /// The position before the first card of the play, if the table of optimum play is wanted and there is a play.
    play: Option<Position>,
}

impl SolveTask {
    /// Returns the board with these results and their par.
    fn solved(&self, table: TrickTable) -> Board {
        with_results(self.board.clone(), table)
    }

    /// Returns the optimal cards at each turn of the play, if the table of optimum play is wanted.
    fn optimum_play(&self, solver: &mut Solver) -> Option<Vec<CardSet>> {
        let record = self.board.record.as_deref()?;
        solver.optimal_cards(self.play.as_ref()?, &record.play).ok()
    }
}

/// Returns the position before the first card of a board's play; `None` if it has none.
///
/// # Errors
/// If a card of the play cannot have been played.
fn start_of_play(board: &Board, deal: &Deal) -> Result<Option<Position>, String> {
    let Some(record) = board.record.as_deref().filter(|it| !it.play.is_empty()) else {
        return Ok(None);
    };
    let (Some(contract), Some(declarer)) = (record.contract, record.declarer) else {
        return Err("a play without contract and declarer".to_owned());
    };
    let start = Position::opening(deal, declarer, contract.strain);
    let mut now = start.clone();
    for (number, &card) in (1..).zip(&record.play) {
        now.play(card)
            .map_err(|error| format!("card {number} of the play: {error}"))?;
    }
    Ok(Some(start))
}

/// Iterator over the boards of the input, in order, ready to solve. Boards that cannot be read are errors.
struct SolveTasks {
    reader: BoardIterator,
    vulnerable: Option<Vulnerability>,
    again: bool,
    optimum_play: bool,
    count: u64,
    most: u64,
}

impl Iterator for SolveTasks {
    type Item = Result<SolveTask, BoardReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.count == self.most {
            return None;
        }
        let mut board = match self.reader.next()? {
            Ok(board) => board,
            Err(problem) => return Some(Err(problem)),
        };
        let Some(deal) = board.deal() else {
            return Some(Err(BoardReadError {
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
        let play = match self.optimum_play {
            true => start_of_play(&board, &deal),
            false => Ok(None),
        };
        Some(match play {
            Ok(play) => Ok(SolveTask { board, deal, play }),
            Err(message) => Err(BoardReadError {
                line: board.line,
                board: board.number,
                message,
                io: None,
            }),
        })
    }
}

/// Runs the command.
///
/// # Errors
/// If a file cannot be read or written, or the output file is not the beginning of this run's output.
pub fn run(mut args: Args) -> Result<ExitCode, Failure> {
    args.inputs = given::expand_folders(&args.inputs, &[])?;
    let mut summary = match args.summary {
        true => Some(TableSummary::new(args.precision, &control_deals(&args)?)?),
        false => None,
    };
    let format = match (args.format, &args.output) {
        (Some(format), _) => format,
        (None, Some(path)) => SolvedFormat::of_name(path)?,
        (None, None) => SolvedFormat::Pbn,
    };
    let mut tasks = SolveTasks {
        reader: given::open_all(&args.inputs)?,
        vulnerable: args.vulnerable,
        again: args.again,
        optimum_play: args.optimum_play,
        count: 0,
        most: args.number.unwrap_or(u64::MAX),
    };
    let total = count_boards(&args)?;
    if args.line || args.explain {
        return analysis::run(&args, tasks, total);
    }
    if args.contract.is_some() {
        return Err(Failure::usage("--contract is for --line and --explain"));
    }
    if args.optimum_play && format != SolvedFormat::Pbn {
        return Err(Failure::usage(
            "only PBN has a table of optimum play: use --format pbn or leave out --optimum-play",
        ));
    }
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
            Some(summary) => summary.print(end),
            None => end,
        };
    };
    let is_there = std::fs::metadata(path).is_ok_and(|file| file.len() > 0);
    if args.optimum_play && is_there && !args.overwrite {
        return Err(Failure::usage(format!(
            "{}: exists, and a run with --optimum-play cannot be continued; --force replaces it",
            path.shown()
        )));
    }
    let start = match args.overwrite {
        true => resume::ResumePoint::create(path),
        false => resume::ResumePoint::find(path, format, &mut tasks),
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

/// Returns the format that belongs to the ending of a file name.
fn format_of(path: &Path) -> Result<OutputFormat, Failure> {
    match BoardFormat::of_file(path)? {
        BoardFormat::Data(format) => Ok(format),
        BoardFormat::Sheet(_) => {
            let path = path.shown();
            Err(Failure::usage(format!(
                "{path}: pages to print are made by croupier record"
            )))
        }
    }
}

/// Returns the name of the input in messages.
fn name(args: &Args) -> String {
    match args.inputs.as_slice() {
        [path] => path.shown(),
        paths => format!("{} files", paths.len()),
    }
}

fn reads_standard_input(args: &Args) -> bool {
    args.inputs.iter().any(|path| path.as_os_str() == "-")
}

/// Returns the deals whose cards improve the estimate of a summary: all of the input, if it can be read twice.
fn control_deals(args: &Args) -> Result<Vec<Deal>, Failure> {
    if reads_standard_input(args) || args.precision.is_none() {
        return Ok(Vec::new());
    }
    let most = usize::try_from(args.number.unwrap_or(u64::MAX)).unwrap_or(usize::MAX);
    let boards = given::open_all(&args.inputs)?.filter_map(Result::ok);
    Ok(boards.filter_map(|board| board.deal()).take(most).collect())
}

/// Returns the number of boards to solve, if progress is shown and the input can be read twice.
fn count_boards(args: &Args) -> Result<Option<u64>, Failure> {
    if reads_standard_input(args) || !io::IsTerminal::is_terminal(&io::stderr()) {
        return Ok(None);
    }
    let boards = given::open_all(&args.inputs)?;
    let boards = boards.filter(Result::is_ok).count() as u64;
    Ok(Some(boards.min(args.number.unwrap_or(u64::MAX))))
}

/// A unit of work for one thread.
enum WorkUnit {
    Whole(Box<Result<SolveTask, BoardReadError>>),
    Strain(Arc<SolveTask>, Strain),
}

/// Result of a unit of work. The rows of a deal follow one another, notrump first.
enum UnitResult {
    Problem(BoardReadError),
    Table(Box<SolveTask>, TrickTable),
    Row(Arc<SolveTask>, Strain, [u8; 4], Option<Vec<CardSet>>),
}

/// Strain of the row that completes a table.
const LAST_STRAIN: Strain = Strain::Clubs;

/// Returns a deal as one unit of work, or strain by strain, so that several threads share a table. The searches of
/// different strains have no common results, so the split costs no extra work.
fn work_units(task: Result<SolveTask, BoardReadError>, split: bool) -> Vec<WorkUnit> {
    match task {
        Ok(task) if split && task.board.tricks.is_none() => {
            let task = Arc::new(task);
            let strains = Strain::ALL.into_iter().rev();
            strains
                .map(|strain| WorkUnit::Strain(Arc::clone(&task), strain))
                .collect()
        }
        task => vec![WorkUnit::Whole(Box::new(task))],
    }
}

impl WorkUnit {
    fn solve(self, solver: &mut Solver) -> UnitResult {
        match self {
            WorkUnit::Strain(task, strain) => {
                let row = solver.strain(&task.deal, strain);
                let optimum = (strain == LAST_STRAIN).then(|| task.optimum_play(solver));
                UnitResult::Row(task, strain, row, optimum.flatten())
            }
            WorkUnit::Whole(task) => match *task {
                Err(problem) => UnitResult::Problem(problem),
                Ok(mut task) => {
                    if let Some(rows) = task.optimum_play(solver) {
                        pbn::set_optimum_play(&mut task.board, &rows);
                    }
                    let known = task.board.tricks;
                    let table = known.unwrap_or_else(|| solver.table(&task.deal));
                    UnitResult::Table(Box::new(task), table)
                }
            },
        }
    }
}

fn unreadable(problems: u64) -> Failure {
    Failure::runtime(format!(
        "{problems} of the boards could not be read and were left out"
    ))
}

/// Solves the table of the only board of the input on all threads.
fn solve_single_board(args: &Args, board: &mut Option<Result<SolveTask, BoardReadError>>) {
    if let Some(Ok(task)) = board
        && task.board.tricks.is_none()
    {
        let mut team = args.memory.team(args.threads.count());
        task.board.tricks = Some(team.table(&task.deal));
    }
}

/// Solves `pending` and then the rest on all threads and writes the boards in order. The output file has `before`
/// boards already.
fn solve(
    args: &Args,
    (before, pending): (u64, Vec<Result<SolveTask, BoardReadError>>),
    tasks: SolveTasks,
    mut writer: Writer,
    total: Option<u64>,
    (out, summary): (&mut dyn Write, &mut Option<TableSummary>),
) -> Result<ExitCode, Failure> {
    let mut progress = ItemProgress::new("deals", total);
    let (mut problems, mut solved) = (0u64, before);
    let mut bytes = Vec::new();
    let mut table = TrickTable::default();
    let split = args.threads.count() > 1;
    let mut tasks = pending.into_iter().chain(tasks).peekable();
    let mut first = tasks.next();
    // The program that writes to a pipe may wait for the answer before it sends the next deal; so only files are read
    // ahead.
    if split && !reads_standard_input(args) && tasks.peek().is_none() {
        solve_single_board(args, &mut first);
    }
    let end = parallel::ordered_map(
        args.threads.count(),
        first
            .into_iter()
            .chain(tasks)
            .flat_map(|task| work_units(task, split)),
        || args.memory.solver(),
        |solver: &mut Solver, piece| piece.solve(solver),
        |answer: UnitResult| {
            let (board, deal) = match answer {
                UnitResult::Problem(problem) => {
                    problems += 1;
                    print_error("croupier", format_args!("{}: {problem}", name(args)));
                    return ControlFlow::Continue(());
                }
                UnitResult::Table(task, table) => (task.solved(table), task.deal),
                UnitResult::Row(task, strain, row, optimum) => {
                    for (seat, tricks) in Seat::ALL.into_iter().zip(row) {
                        table.set(seat, strain, tricks);
                    }
                    if strain != LAST_STRAIN {
                        return ControlFlow::Continue(());
                    }
                    let mut board = task.solved(std::mem::take(&mut table));
                    if let Some(rows) = optimum {
                        pbn::set_optimum_play(&mut board, &rows);
                    }
                    (board, task.deal)
                }
            };
            bytes.clear();
            writer.write(&mut bytes, &board, &deal);
            // Flush after each deal, because solving it took long.
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
        ControlFlow::Break(None) => Err(unreadable(problems)),
        ControlFlow::Continue(()) if problems > 0 => Err(unreadable(problems)),
        ControlFlow::Continue(()) if solved == 0 => Err(Failure::runtime(format!(
            "{}: there is no deal in it",
            name(args)
        ))),
        ControlFlow::Continue(()) => Ok(ExitCode::SUCCESS),
    }
}
