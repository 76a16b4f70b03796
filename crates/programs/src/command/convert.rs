//! `croupier convert`: converts boards between all formats, with the data that belongs to them.

mod change;
mod check;

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use croupier::engine::parallel;
use croupier::formats::{Board, BoardReadError, OutputFormat, WriteError, Writer};
use croupier::solver::Solver;

use crate::boards::{self, BoardFormat};
use crate::failure::{Failure, ShownPath, print_error};
use crate::given::{self, with_results};
use crate::interrupt::Interrupt;
use crate::new_file::NewFile;
use crate::progress::ItemProgress;
use crate::sheet::SheetArgs;
use crate::solver_memory::SolverMemory;
use crate::threads::Threads;
use crate::values;
pub use change::BoardNumbers;
use change::Changes;
use check::Checks;

/// Convert boards from any format to any other, with everything recorded about them.
///
/// Keeps board number, dealer, vulnerability, event, site, date, players, auction, play, result, double-dummy tricks,
/// par and comments where the output format has room for them, and lists what it had to leave out. The output file
/// appears only when it is complete.
#[derive(clap::Args)]
pub struct Args {
    /// Files of boards in any format, folders with such files, `-` for standard input, or a deal.
    #[arg(required = true, value_name = "IN")]
    inputs: Vec<PathBuf>,
    /// File to write; its ending selects the format. Several -o write the boards in several formats: -o a.lin -o a.pdf.
    /// Without it the boards go to standard output.
    #[arg(short, long, value_name = "OUT")]
    output: Vec<PathBuf>,
    /// Format to write; overrides the ending of the file.
    #[arg(short = 'f', long = "to", visible_alias = "format", value_name = "FORMAT", value_parser = values::written_formats())]
    to: Option<OutputFormat>,
    /// Keep only the boards with these numbers: 1-8,12
    #[arg(long, value_name = "LIST")]
    select: Option<BoardNumbers>,
    /// Keep only the first N boards.
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    number: Option<u64>,
    /// Number the boards in order. Dealer and vulnerability follow the new numbers; the cards stay.
    #[arg(long)]
    renumber: bool,
    /// Number of the first board for --renumber [default: 1].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    first_board: Option<u64>,
    /// Rotate each board so that its dealer is the one that belongs to its number. Hands, auction and play rotate
    /// together.
    #[arg(long)]
    rotate: bool,
    /// Add double-dummy tricks and par where they are missing.
    #[arg(long)]
    solve: bool,
    /// Copies of each board that the dealing machine makes (.dup), one for each section.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(1..=99))]
    copies: Option<u8>,
    /// Leave out boards with the cards of an earlier board.
    #[arg(long)]
    deduplicate: bool,
    /// Only check: report duplicate deals, wrong dealers and vulnerabilities, and bad cards. With any finding the exit
    /// status is 1 and nothing is written.
    #[arg(long)]
    check: bool,
    /// Skip boards that cannot be read and write the others; the exit status is still 1.
    #[arg(long)]
    keep_going: bool,
    #[command(flatten)]
    threads: Threads,
    #[command(flatten)]
    memory: SolverMemory,
    #[command(flatten)]
    sheet: SheetArgs,
}

/// Returns the files to write and their formats.
fn targets(args: &Args) -> Result<Vec<Target>, Failure> {
    let named = args.to.map(BoardFormat::Data);
    if args.output.len() > 1 && named.is_some() {
        return Err(Failure::usage(
            "--to is for one file; several files have the formats of their endings",
        ));
    }
    let stdout = || Target::new(None, BoardFormat::Data(OutputFormat::Pbn));
    match (named, args.output.is_empty()) {
        (Some(format), true) => Ok(vec![Target { format, ..stdout() }]),
        (None, true) if args.check => Ok(Vec::new()),
        (None, true) => Err(Failure::usage(
            "say what to write: -o FILE with a known ending, or --to FORMAT for standard output",
        )),
        (_, false) => {
            let format = |path: &PathBuf| match named {
                Some(format) => Ok(format),
                None => BoardFormat::of_file(path),
            };
            let target = |path: &PathBuf| Ok(Target::new(Some(path), format(path)?));
            args.output.iter().map(target).collect()
        }
    }
}

/// Runs the command.
///
/// # Errors
/// If a file cannot be read or written, a board is invalid, or an output format cannot hold the boards.
pub fn run(mut args: Args) -> Result<ExitCode, Failure> {
    args.inputs = given::expand_folders(&args.inputs, &[])?;
    let mut targets = targets(&args)?;
    if args.first_board.is_some() && !args.renumber {
        return Err(Failure::usage(
            "--first-board says where --renumber begins; give both",
        ));
    }
    let formats: Vec<BoardFormat> = targets.iter().map(|target| target.format).collect();
    boards::check_copies(args.copies, &formats)?;
    targets.iter_mut().try_for_each(Target::open)?;
    let interrupt = match args.solve {
        true => Interrupt::watch(),
        false => Interrupt::default(),
    };
    let mut items = InputBoards::new(&args);
    copy(&args, &mut items, &mut targets, &interrupt)?;
    // A file is complete or missing: it must not contain only the boards that happened to be solved.
    if interrupt.is_requested() {
        let text = interrupt.text();
        let failure = Failure::runtime(format!("{text}: nothing was written"));
        return Err(failure.with_runtime_status(interrupt.status()));
    }
    let name = match targets.first() {
        Some(target) => target.name.clone(),
        None => "standard output".to_owned(),
    };
    let found = items.changes.report(&name);
    let problems = items.problems();
    if (problems > 0 && !args.keep_going) || found > 0 {
        return Err(refusal(&args, problems, found));
    }
    if args.select.is_some() && items.handed_on == 0 {
        return Err(Failure::runtime(
            "no board has a number that --select names; nothing was written",
        ));
    }
    for target in targets {
        target.finish(&args)?;
    }
    match problems {
        0 => Ok(ExitCode::SUCCESS),
        // The exit status shows that the output lacks some boards of the input.
        _ => Err(Failure::runtime(format!(
            "{} could not be read and {} left out",
            count(problems, "board"),
            if problems == 1 { "was" } else { "were" }
        ))),
    }
}

/// Reads all boards, solves them if that is requested, and passes them to the targets in their order.
fn copy(
    args: &Args,
    items: &mut InputBoards,
    targets: &mut [Target],
    interrupt: &Interrupt,
) -> Result<(), Failure> {
    let mut progress = args.solve.then(|| ItemProgress::new("boards", None));
    let mut boards = items.take_while(|_| !interrupt.is_requested());
    let work = |solver: &mut Option<Solver>, item: Result<Board, Failure>| {
        let board = item?;
        Ok(match (board.tricks, board.deal()) {
            (None, Some(deal)) if args.solve => {
                let table = solver
                    .get_or_insert_with(|| args.memory.solver())
                    .table(&deal);
                with_results(board, table)
            }
            (Some(table), _) if args.solve && board.par_contracts.is_none() => {
                with_results(board, table)
            }
            _ => board,
        })
    };
    let sink = |board: Result<Board, Failure>| {
        let written = board.and_then(|board| {
            targets
                .iter_mut()
                .try_for_each(|target| target.write(&board))
        });
        match written {
            Ok(()) => {
                progress.iter_mut().for_each(|progress| progress.advance(1));
                ControlFlow::Continue(())
            }
            Err(failure) => ControlFlow::Break(failure),
        }
    };
    let threads = if args.solve { args.threads.count() } else { 1 };
    if let ControlFlow::Break(failure) =
        parallel::ordered_map(threads, &mut boards, || None, work, sink)
    {
        return Err(failure);
    }
    progress.iter_mut().for_each(ItemProgress::finish);
    Ok(())
}

/// Returns the failure of an input with `problems` boards that could not be read and `found` contradictory ones.
fn refusal(args: &Args, problems: u64, found: u64) -> Failure {
    let nothing = match args.output.is_empty() {
        true => "",
        false => "; nothing was written",
    };
    Failure::runtime(match args.check {
        true => format!("{} found{nothing}", count(problems + found, "problem")),
        false => format!(
            "{} could not be read{nothing}; --keep-going leaves such boards out",
            count(problems, "board")
        ),
    })
}

fn count(number: u64, what: &str) -> String {
    format!("{number} {what}{}", if number == 1 { "" } else { "s" })
}

/// Destination of the boards.
enum Destination {
    Standard,
    File(NewFile),
}

/// A file to write, or standard output.
struct Target {
    name: String,
    path: Option<PathBuf>,
    format: BoardFormat,
    writer: Writer,
    out: Destination,
    /// Data that the format cannot hold, with the number of boards that had it.
    lost: BTreeMap<&'static str, u64>,
    /// Number of boards whose auction leads to another contract than the file names.
    contradictions: u64,
    bytes: Vec<u8>,
    /// All boards, for a page to print.
    boards: Vec<Board>,
}

impl Target {
    fn new(path: Option<&PathBuf>, format: BoardFormat) -> Target {
        Target {
            name: path.map_or("standard output".into(), |path| path.shown()),
            path: path.cloned(),
            format,
            writer: Writer::new(OutputFormat::Pbn),
            out: Destination::Standard,
            lost: BTreeMap::new(),
            contradictions: 0,
            bytes: Vec::new(),
            boards: Vec::new(),
        }
    }

    /// Begins the file.
    fn open(&mut self) -> Result<(), Failure> {
        if let BoardFormat::Data(format) = self.format {
            self.writer = Writer::new(format);
        }
        if let Some(path) = &self.path {
            self.out = Destination::File(NewFile::output(path)?);
        }
        Ok(())
    }

    fn write(&mut self, board: &Board) -> Result<(), Failure> {
        let BoardFormat::Data(format) = self.format else {
            self.boards.push(board.clone());
            return Ok(());
        };
        let dealer = board.place().1;
        let record = board.record.as_deref();
        let contradiction = record.and_then(|record| record.contradicted_by_auction(dealer));
        self.contradictions += u64::from(contradiction.is_some());
        self.bytes.clear();
        match board.deal() {
            Some(deal) => self.writer.write(&mut self.bytes, board, &deal),
            None => {
                if !self.writer.write_partial(&mut self.bytes, board) {
                    return Err(Failure::runtime(format!(
                        "{}: line {}, board {}: not all cards are known, and this format needs all of them (pbn and lin do not)",
                        self.name,
                        board.line,
                        board.number.unwrap_or(1)
                    )));
                }
            }
        }
        if !self.writer.has_copied() {
            let source = board.source.as_deref();
            let texts = source.filter(|source| source.has_texts_before());
            let texts = texts.map(|_| "texts between the boards");
            for what in format.loses(board).into_iter().chain(texts) {
                *self.lost.entry(what).or_default() += 1;
            }
        }
        self.write_bytes()
    }

    fn write_bytes(&mut self) -> Result<(), Failure> {
        match &mut self.out {
            Destination::Standard => io::stdout()
                .lock()
                .write_all(&self.bytes)
                .map_err(Failure::standard_output),
            Destination::File(file) => Ok(file.write_all(&self.bytes)?),
        }
    }

    fn finish(mut self, args: &Args) -> Result<(), Failure> {
        self.bytes.clear();
        match self.format {
            BoardFormat::Sheet(format) => self.bytes = args.sheet.print(format, &self.boards)?,
            BoardFormat::Data(_) => self.writer.finish(&mut self.bytes).map_err(|refusal| {
                let advice = match refusal {
                    WriteError::Gap { after, number } if after == number => {
                        "; --deduplicate keeps one record of each board"
                    }
                    _ if args.renumber => "",
                    _ => "; --renumber numbers the boards in order",
                };
                Failure::runtime(format!("{}: {refusal}{advice}", self.name))
            })?,
        }
        if let BoardFormat::Data(format) = self.format {
            boards::set_copies(&mut self.bytes, format, args.copies);
        }
        self.write_bytes()?;
        match self.out {
            Destination::Standard => io::stdout().flush().map_err(Failure::standard_output)?,
            Destination::File(file) => drop(file.finish()?),
        }
        if !self.lost.is_empty() {
            let lost: Vec<String> = self
                .lost
                .iter()
                .map(|(what, boards)| format!("{what} ({})", count(*boards, "board")))
                .collect();
            eprintln!("croupier: {}: no room for {}", self.name, lost.join(", "));
        }
        if self.contradictions > 0 {
            eprintln!(
                "croupier: {}: on {} the auction leads to another contract than the file names; both are kept (--check lists them)",
                self.name,
                count(self.contradictions, "board")
            );
        }
        Ok(())
    }
}

/// Iterator over the boards of all inputs, with the requested changes applied. It reports unreadable boards as it meets
/// them.
struct InputBoards {
    inputs: std::vec::IntoIter<PathBuf>,
    current: Option<(PathBuf, given::BoardIterator)>,
    /// Whether the current input contained any board, valid or not.
    found: bool,
    read: u64,
    /// Number of boards that `--number` still allows.
    left: u64,
    handed_on: u64,
    problems: u64,
    /// Whether to continue with the next file after a file without deals.
    keep_going: bool,
    changes: Changes,
}

impl InputBoards {
    fn new(args: &Args) -> InputBoards {
        InputBoards {
            inputs: args.inputs.clone().into_iter(),
            current: None,
            found: false,
            read: 0,
            left: args.number.unwrap_or(u64::MAX),
            handed_on: 0,
            problems: 0,
            keep_going: args.keep_going,
            changes: Changes {
                select: args.select.clone(),
                next: args.renumber.then_some(args.first_board.unwrap_or(1)),
                rotate: args.rotate,
                seen: args.deduplicate.then(Default::default),
                checks: args.check.then(Checks::default),
                dropped: 0,
                lost_auctions: 0,
            },
        }
    }

    fn problems(&self) -> u64 {
        self.problems
    }

    fn report_problem(&mut self, path: &Path, problem: &BoardReadError) {
        self.problems += 1;
        print_error("croupier", format_args!("{}: {problem}", path.shown()));
    }
}

impl Iterator for &mut InputBoards {
    type Item = Result<Board, Failure>;

    fn next(&mut self) -> Option<Self::Item> {
        while self.left > 0 {
            let Some((path, boards)) = &mut self.current else {
                let path = self.inputs.next()?;
                match given::open_with_source(&path) {
                    Ok(boards) => {
                        self.current = Some((path, boards));
                        self.found = false;
                    }
                    Err(failure) => return Some(Err(failure)),
                }
                continue;
            };
            let (path, item) = (path.clone(), boards.next());
            let found = std::mem::replace(&mut self.found, true);
            let board = match item {
                None => {
                    self.current = None;
                    if found {
                        continue;
                    }
                    let name = path.shown();
                    let failure = Failure::runtime(format!("{name}: there is no deal in it"));
                    if !self.keep_going {
                        return Some(Err(failure));
                    }
                    self.problems += 1;
                    failure.report("croupier");
                    continue;
                }
                Some(Ok(board)) => board,
                Some(Err(problem)) => {
                    self.report_problem(&path, &problem);
                    continue;
                }
            };
            self.read += 1;
            let board = board.with_number(self.read);
            if let Some(board) = self.changes.apply(&path, board) {
                self.left -= 1;
                self.handed_on += 1;
                return Some(Ok(board));
            }
        }
        None
    }
}
