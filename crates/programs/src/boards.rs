//! Boards as commands take them, solve them and write them.

use std::ops::ControlFlow;
use std::path::Path;
use std::process::ExitCode;

use croupier::engine::parallel;
use croupier::formats::{Board, OutputFormat, Writer};
use croupier::solver::Solver;

use crate::failure::{Failure, ShownPath};
use crate::given::{self, with_results};
use crate::interrupt::Interrupt;
use crate::progress::Progress;
use crate::sheet::{Sheet, SheetFormat};
use crate::solver_memory::SolverMemory;
use crate::threads::Threads;
use crate::whole_file;

/// How boards are finished and written: the same switches wherever that is done.
#[derive(clap::Args)]
pub struct Finish {
    /// Format to write [default: by the name of the file].
    #[arg(short, long, value_name = "FORMAT", value_parser = Target::by_name)]
    pub format: Option<Target>,
    /// Add the double-dummy results that are missing, and par.
    #[arg(long)]
    solve: bool,
    /// The threads.
    #[command(flatten)]
    pub threads: Threads,
    /// The solvers.
    #[command(flatten)]
    memory: SolverMemory,
    /// The pages.
    #[command(flatten)]
    pub sheet: Sheet,
}

impl Finish {
    /// What to write: as asked, else what the name of the file tells; standard output gets PBN.
    ///
    /// # Errors
    /// If the name tells nothing.
    pub fn target(&self, output: &Path) -> Result<Target, Failure> {
        match self.format {
            Some(target) => Ok(target),
            None if output.as_os_str() == "-" => Ok(Target::Data(OutputFormat::Pbn)),
            None => Target::of_file(output),
        }
    }

    /// Solves the boards, if that is wished, and writes them. After Ctrl-C those that are complete are written, and how
    /// many of those that were `wanted` is said.
    ///
    /// # Errors
    /// If there is none, or they cannot be written.
    pub fn write(
        &self,
        path: &Path,
        target: Target,
        mut boards: Vec<Board>,
        wanted: u64,
        interrupt: &Interrupt,
    ) -> Result<ExitCode, Failure> {
        if self.solve {
            solve(&mut boards, self.threads.count(), self.memory, interrupt);
        }
        if boards.is_empty() {
            let text = interrupt.text();
            return Err(Failure::runtime(format!(
                "{text} before the first board was complete; nothing is written"
            ))
            .with_runtime_status(interrupt.status()));
        }
        write(path, target, &boards, &self.sheet)?;
        let whole = match boards.len() {
            n if (n as u64) < wanted => format!("the first {n} of {wanted} boards are"),
            n => format!("{n} boards are"),
        };
        if interrupt.came() {
            eprintln!("croupier: {}: {whole} written", interrupt.text());
        }
        Ok(interrupt.exit_code())
    }
}

/// What boards are written as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// A format for programs.
    Data(OutputFormat),
    /// A hand record for people.
    Sheet(SheetFormat),
}

impl Target {
    /// The names of all formats.
    fn names() -> String {
        let mut names: Vec<&str> = SheetFormat::NAMES.map(|(name, _)| name).to_vec();
        names.extend(OutputFormat::NAMES.map(|(name, _)| name));
        names.join(", ")
    }

    /// The format of this name.
    ///
    /// # Errors
    /// If there is none; the message lists them.
    pub fn by_name(name: &str) -> Result<Target, String> {
        let name = name.to_ascii_lowercase();
        let sheet = SheetFormat::NAMES.iter().find(|(it, _)| *it == name);
        sheet
            .map(|(_, format)| Target::Sheet(*format))
            .or_else(|| OutputFormat::from_name(&name).map(Target::Data))
            .ok_or_else(|| format!("use one of {}", Target::names()))
    }

    /// The format that the name of a file tells.
    ///
    /// # Errors
    /// If it tells none.
    pub fn of_file(path: &Path) -> Result<Target, Failure> {
        let ending = path.extension().and_then(|ending| ending.to_str());
        let ending = ending.unwrap_or_default().to_ascii_lowercase();
        if let Some(format) = OutputFormat::of_ending(&ending) {
            return Ok(Target::Data(format));
        }
        let name = if ending == "htm" { "html" } else { &ending };
        Target::by_name(name).map_err(|_| {
            Failure::usage(format!(
                "{}: the ending tells no format; write -f and one of {}",
                path.shown(),
                Target::names()
            ))
        })
    }
}

/// The boards of a file in any format, of standard input for `-`, or a deal written out as the argument itself.
///
/// # Errors
/// If it cannot be read, or a board in it is not right.
pub fn read(input: &Path) -> Result<Vec<Board>, Failure> {
    let mut boards = Vec::new();
    for board in given::open(input)? {
        boards.push(board.map_err(|problem| Failure::at(input, problem))?);
    }
    match boards.is_empty() {
        true => Err(Failure::at(input, "there are no boards in it")),
        false => Ok(boards),
    }
}

/// Solves the boards that have no results, until the user has had enough: then the boards up to there remain.
pub(crate) fn solve(
    boards: &mut Vec<Board>,
    threads: usize,
    memory: SolverMemory,
    interrupt: &Interrupt,
) {
    let missing = |board: &Board| board.tricks.is_none().then(|| board.deal()).flatten();
    let open = boards
        .iter()
        .filter(|board| missing(board).is_some())
        .count();
    let mut progress = Progress::new("boards", Some(open as u64));
    let work = |solver: &mut Solver, board: Board| {
        let deal = missing(&board).filter(|_| !interrupt.came());
        let solved = deal.map(|deal| solver.table(&deal));
        (board, solved)
    };
    let mut done = Vec::with_capacity(boards.len());
    let _ = parallel::ordered_map(
        threads,
        std::mem::take(boards),
        || memory.solver(),
        work,
        |(mut board, solved)| {
            if let Some(table) = solved {
                board = with_results(board, table);
                progress.advance(1);
            } else if missing(&board).is_some() {
                return ControlFlow::Break(());
            }
            done.push(board);
            ControlFlow::Continue(())
        },
    );
    progress.finish();
    *boards = done;
}

/// Writes boards, whole or not at all.
pub(crate) fn write(
    path: &Path,
    target: Target,
    boards: &[Board],
    sheet: &Sheet,
) -> Result<(), Failure> {
    let bytes = match target {
        Target::Sheet(format) => sheet.print(format, boards)?,
        Target::Data(format) => {
            let (mut bytes, mut writer) = (Vec::new(), Writer::new(format));
            for board in boards {
                let deal = board.deal().ok_or_else(|| {
                    let number = board.number.unwrap_or(0);
                    Failure::runtime(format!("board {number}: fewer than three hands are known"))
                })?;
                writer.write(&mut bytes, board, &deal);
            }
            writer
                .finish(&mut bytes)
                .map_err(|refusal| Failure::at(path, refusal))?;
            bytes
        }
    };
    whole_file::write(path, &bytes)
}
