//! `croupier convert`: boards from any format that we read to any that we write, with everything that is said about them.

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

use crate::failure::{Failure, ShownPath, complain};
use crate::given::{self, with_results};
use crate::new_file::NewFile;
use crate::solver_memory::SolverMemory;
use crate::threads::Threads;
use change::{Changes, Selection};
use check::Checks;

/// Convert boards from any format to any other and keep what is said about them.
///
/// Board number, dealer, vulnerability, event, site, date, players, auction, play, result, double-dummy tricks, par and
/// comments are kept where the target has room for them; what had no room is said. The output file appears when it is
/// complete, or not at all.
#[derive(clap::Args)]
pub struct Args {
    /// Files of boards in any format, `-` for standard input, or a deal.
    #[arg(required = true, value_name = "IN")]
    inputs: Vec<PathBuf>,
    /// File to write; its ending says the format. Without it the boards go to standard output.
    #[arg(short, long, value_name = "OUT")]
    output: Option<PathBuf>,
    /// Format to write, whatever the name of the file.
    #[arg(short = 'f', long = "to", visible_alias = "format", value_name = "FORMAT", value_parser = format_named)]
    to: Option<OutputFormat>,
    /// Only the boards with these numbers: 1-8,12
    #[arg(long, value_name = "LIST")]
    select: Option<Selection>,
    /// Only the first N boards.
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    number: Option<u64>,
    /// Number the boards in order; dealer and vulnerability follow the numbers, the cards stay.
    #[arg(long)]
    renumber: bool,
    /// Number of the first board for --renumber [default: 1].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    first_board: Option<u64>,
    /// Turn each board so that its dealer is the dealer of its number; everything on it turns with it.
    #[arg(long)]
    rotate: bool,
    /// Add double-dummy tricks and par where they are missing.
    #[arg(long)]
    solve: bool,
    /// Leave out boards whose cards came before.
    #[arg(long)]
    deduplicate: bool,
    /// Report cards that come twice in these files, wrong dealers and vulnerabilities and bad cards; if there are any the
    /// status is 1 and nothing is written.
    #[arg(long)]
    check: bool,
    /// Leave out boards that cannot be read and write the others; the status is 1 all the same.
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

/// The format of a file by its ending.
///
/// # Errors
/// If no format ends like that.
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
/// If a file cannot be read or written, a board is bad, or the target cannot hold the boards.
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
        (_, None) => Target::Nowhere,
        (None, Some(_)) => Target::Standard(io::stdout().lock()),
        (Some(path), Some(_)) => Target::File(NewFile::create(path)?),
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
    let mut items = Items::new(&args);
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
        // The status tells that the output is not all of the input.
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

/// Where the boards go.
enum Target<'a> {
    Nowhere,
    Standard(io::StdoutLock<'a>),
    File(NewFile),
}

/// The boards on their way out.
struct Conversion {
    name: String,
    format: Option<OutputFormat>,
    writer: Option<Writer>,
    /// What had no room, and on how many boards.
    lost: BTreeMap<&'static str, u64>,
    bytes: Vec<u8>,
}

impl Conversion {
    fn write(&mut self, board: &Board, out: &mut Target<'_>) -> Result<(), Failure> {
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
        Conversion::hand_on(&self.bytes, out)
    }

    fn hand_on(bytes: &[u8], out: &mut Target<'_>) -> Result<(), Failure> {
        match out {
            Target::Nowhere => Ok(()),
            Target::Standard(out) => out.write_all(bytes).map_err(Failure::standard_output),
            Target::File(file) => Ok(file.write_all(bytes)?),
        }
    }

    fn finish(mut self, mut out: Target<'_>, args: &Args) -> Result<(), Failure> {
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
        Conversion::hand_on(&self.bytes, &mut out)?;
        match out {
            Target::Nowhere => {}
            Target::Standard(mut out) => out.flush().map_err(Failure::standard_output)?,
            Target::File(file) => drop(file.finish()?),
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

/// The boards of all inputs, changed as it was asked for. What cannot be read is told at once.
struct Items {
    inputs: std::vec::IntoIter<PathBuf>,
    current: Option<(PathBuf, given::Boards)>,
    /// Whether the current input had anything in it, right or not.
    found: bool,
    read: u64,
    /// Boards that may still be handed on.
    left: u64,
    handed_on: u64,
    problems: u64,
    /// Whether to go on behind a file without deals.
    keep_going: bool,
    changes: Changes,
}

impl Items {
    fn new(args: &Args) -> Items {
        Items {
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
                silenced: 0,
            },
        }
    }

    fn problems(&self) -> u64 {
        self.problems
    }

    fn complain(&mut self, path: &Path, problem: &Problem) {
        self.problems += 1;
        complain("croupier", format_args!("{}: {problem}", path.shown()));
    }
}

impl Iterator for &mut Items {
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
                    self.complain(&path, &problem);
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
                self.complain(&path, &problem);
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
