//! `croupier convert`: converts boards between all formats, with the data that belongs to them.

mod change;
mod check;

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use croupier::engine::parallel;
use croupier::formats::{Board, OutputFormat, Problem, WriteError, Writer};
use croupier::solver::Solver;

use crate::failure::{Failure, ShownPath, print_error};
use crate::given::{self, with_results};
use crate::new_file::NewFile;
use crate::solver_memory::SolverMemory;
use crate::threads::Threads;
use change::{Changes, Selection};
use check::Checks;

/// Convert boards from any format to any other, with everything recorded about them.
///
/// Keeps board number, dealer, vulnerability, event, site, date, players, auction, play, result, double-dummy tricks,
/// par and comments where the output format has room for them, and lists what it had to leave out. The output file
/// appears only when it is complete.
#[derive(clap::Args)]
pub struct Args {
    /// Files of boards in any format, `-` for standard input, or a deal.
    #[arg(required = true, value_name = "IN")]
    inputs: Vec<PathBuf>,
    /// File to write; its ending selects the format. Without it the boards go to standard output.
    #[arg(short, long, value_name = "OUT")]
    output: Option<PathBuf>,
    /// Format to write; overrides the ending of the file.
    #[arg(short = 'f', long = "to", visible_alias = "format", value_name = "FORMAT", value_parser = format_named)]
    to: Option<OutputFormat>,
    /// Keep only the boards with these numbers: 1-8,12
    #[arg(long, value_name = "LIST")]
    select: Option<Selection>,
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
}

fn format_named(name: &str) -> Result<OutputFormat, String> {
    OutputFormat::of_ending(name).ok_or_else(|| format!("use one of {}", names()))
}

fn names() -> String {
    let names: Vec<&str> = OutputFormat::NAMES.iter().map(|(name, _)| *name).collect();
    names.join(", ")
}

/// Returns the format that belongs to the ending of a file name.
///
/// # Errors
/// If the ending belongs to no format.
pub fn format_of(path: &Path) -> Result<OutputFormat, Failure> {
    let ending = path
        .extension()
        .map(|ending| ending.to_string_lossy().into_owned());
    let format = ending.as_deref().and_then(OutputFormat::of_ending);
    let page = ["pdf", "html", "htm"];
    if ending.is_some_and(|ending| page.contains(&&*ending.to_ascii_lowercase())) {
        let path = path.shown();
        return Err(Failure::usage(format!(
            "{path}: pages to print are made by croupier record"
        )));
    }
    format.ok_or_else(|| {
        Failure::usage(format!(
            "{}: no format is known by this ending; use one of {}, or name the format with --to",
            path.shown(),
            names()
        ))
    })
}

/// Runs the command.
///
/// # Errors
/// If a file cannot be read or written, a board is invalid, or the output format cannot hold the boards.
pub fn run(args: Args) -> Result<ExitCode, Failure> {
    let format = match (&args.to, &args.output) {
        (Some(format), _) => Some(*format),
        (None, Some(path)) => Some(format_of(path)?),
        (None, None) if args.check => None,
        (None, None) => {
            return Err(Failure::usage(
                "say what to write: -o FILE with a known ending, or --to FORMAT for standard output",
            ));
        }
    };
    if args.first_board.is_some() && !args.renumber {
        return Err(Failure::usage(
            "--first-board says where --renumber begins; give both",
        ));
    }
    let mut out = match (&args.output, format) {
        (_, None) => Destination::Nowhere,
        (None, Some(_)) => Destination::Standard(io::stdout().lock()),
        (Some(path), Some(_)) => Destination::File(NewFile::create(path)?),
    };
    let mut conversion = Conversion {
        name: args
            .output
            .as_deref()
            .map_or("standard output".into(), |path| path.shown()),
        format,
        writer: format.map(Writer::new),
        lost: BTreeMap::new(),
        bytes: Vec::new(),
    };
    let mut items = InputBoards::new(&args);
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
    let sink = |board: Result<Board, Failure>| match board
        .and_then(|board| conversion.write(&board, &mut out))
    {
        Ok(()) => ControlFlow::Continue(()),
        Err(failure) => ControlFlow::Break(failure),
    };
    let threads = if args.solve { args.threads.count() } else { 1 };
    if let ControlFlow::Break(failure) =
        parallel::ordered_map(threads, &mut items, || None, work, sink)
    {
        return Err(failure);
    }
    let problems = items.problems();
    let found = items.changes.report(&conversion.name);
    if (problems > 0 && !args.keep_going) || found > 0 {
        let nothing = if args.output.is_some() {
            "; nothing was written"
        } else {
            ""
        };
        return match args.check {
            true => Err(Failure::runtime(format!(
                "{} found{nothing}",
                count(problems + found, "problem")
            ))),
            false => Err(Failure::runtime(format!(
                "{} could not be read{nothing}; --keep-going leaves such boards out",
                count(problems, "board")
            ))),
        };
    }
    if args.select.is_some() && items.handed_on == 0 {
        return Err(Failure::runtime(
            "no board has a number that --select names; nothing was written",
        ));
    }
    conversion.finish(out, &args)?;
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

fn count(number: u64, what: &str) -> String {
    format!("{number} {what}{}", if number == 1 { "" } else { "s" })
}

/// Destination of the boards.
enum Destination<'a> {
    Nowhere,
    Standard(io::StdoutLock<'a>),
    File(NewFile),
}

/// State of writing the boards.
struct Conversion {
    name: String,
    format: Option<OutputFormat>,
    writer: Option<Writer>,
    /// Data that the output format cannot hold, with the number of boards that had it.
    lost: BTreeMap<&'static str, u64>,
    bytes: Vec<u8>,
}

impl Conversion {
    fn write(&mut self, board: &Board, out: &mut Destination<'_>) -> Result<(), Failure> {
        let (Some(writer), Some(format), Some(deal)) =
            (&mut self.writer, self.format, board.deal())
        else {
            return Ok(());
        };
        for what in format.loses(board) {
            *self.lost.entry(what).or_default() += 1;
        }
        self.bytes.clear();
        writer.write(&mut self.bytes, board, &deal);
        Conversion::write_bytes(&self.bytes, out)
    }

    fn write_bytes(bytes: &[u8], out: &mut Destination<'_>) -> Result<(), Failure> {
        match out {
            Destination::Nowhere => Ok(()),
            Destination::Standard(out) => out.write_all(bytes).map_err(Failure::standard_output),
            Destination::File(file) => Ok(file.write_all(bytes)?),
        }
    }

    fn finish(mut self, mut out: Destination<'_>, args: &Args) -> Result<(), Failure> {
        let Some(writer) = &mut self.writer else {
            return Ok(());
        };
        self.bytes.clear();
        writer.finish(&mut self.bytes).map_err(|refusal| {
            let advice = match refusal {
                WriteError::Gap { after, number } if after == number => {
                    "; --deduplicate keeps one record of each board"
                }
                _ if args.renumber => "",
                _ => "; --renumber numbers the boards in order",
            };
            Failure::runtime(format!("{}: {refusal}{advice}", self.name))
        })?;
        Conversion::write_bytes(&self.bytes, &mut out)?;
        match out {
            Destination::Nowhere => {}
            Destination::Standard(mut out) => out.flush().map_err(Failure::standard_output)?,
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
        Ok(())
    }
}

/// Iterator over the boards of all inputs, with the requested changes applied. It reports unreadable boards as it meets
/// them.
struct InputBoards {
    inputs: std::vec::IntoIter<PathBuf>,
    current: Option<(PathBuf, given::Boards)>,
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

    fn report_problem(&mut self, path: &Path, problem: &Problem) {
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
                match given::open(&path) {
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
            if board.deal().is_none() {
                let problem = Problem {
                    line: board.line,
                    board: board.number,
                    message: "fewer than three hands are known".into(),
                    io: None,
                };
                self.report_problem(&path, &problem);
                continue;
            }
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
