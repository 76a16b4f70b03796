//! Boards of commands: reading, solving and writing them.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use croupier::engine::parallel;
use croupier::formats::{Board, OutputFormat, Writer, duplimate};
use croupier::solver::Solver;

use crate::failure::{Failure, ShownPath};
use crate::given::{self, with_results};
use crate::interrupt::Interrupt;
use crate::principal;
use crate::progress::ItemProgress;
use crate::sheet::{LessonPart, SheetArgs, SheetFormat};
use crate::solver_memory::SolverMemory;
use crate::threads::Threads;
use crate::whole_file;

/// Switches of every command that completes boards and writes them.
#[derive(clap::Args)]
pub struct BoardOutput {
    /// Format to write [default: by the name of the file].
    #[arg(short, long, value_name = "FORMAT", value_parser = BoardFormat::by_name)]
    pub format: Option<BoardFormat>,
    /// Add the double-dummy results that are missing, and par.
    #[arg(long)]
    solve: bool,
    /// Copies of each board that the dealing machine makes (.dup), one for each section
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(1..=99))]
    copies: Option<u8>,
    /// Number of threads.
    #[command(flatten)]
    pub threads: Threads,
    /// Memory of the solvers.
    #[command(flatten)]
    memory: SolverMemory,
    /// Layout of hand records.
    #[command(flatten)]
    pub sheet: SheetArgs,
}

impl BoardOutput {
    /// Returns the format given with `--format`, else the format of the file name's ending. Standard output gets PBN.
    ///
    /// # Errors
    /// If the ending of the file name belongs to no format.
    pub fn target(&self, output: &Path) -> Result<BoardFormat, Failure> {
        match self.format {
            Some(target) => Ok(target),
            None if output.as_os_str() == "-" => Ok(BoardFormat::Data(OutputFormat::Pbn)),
            None => BoardFormat::of_file(output),
        }
    }

    /// Returns the format of each file, as [`Self::target`].
    ///
    /// # Errors
    /// As for [`Self::target`], or if `--format` is given for several files.
    pub fn targets(&self, outputs: &[PathBuf]) -> Result<Vec<BoardFormat>, Failure> {
        if outputs.len() > 1 && self.format.is_some() {
            return Err(Failure::usage(
                "--format is for one file; several files have the formats of their endings",
            ));
        }
        let targets = outputs.iter().map(|path| self.target(path));
        let targets = targets.collect::<Result<Vec<_>, _>>()?;
        check_copies(self.copies, &targets)?;
        Ok(targets)
    }

    /// Solves the boards if `--solve` was given, and writes them. After Ctrl-C it writes the complete boards and
    /// reports how many of the `wanted` boards these are.
    ///
    /// # Errors
    /// If there are no boards, or they cannot be written.
    pub fn write(
        &self,
        paths: &[PathBuf],
        targets: &[BoardFormat],
        mut boards: Vec<Board>,
        wanted: u64,
        interrupt: &Interrupt,
    ) -> Result<ExitCode, Failure> {
        if self.solve {
            solve(&mut boards, self.threads.count(), self.memory, interrupt);
        }
        let is_printed = |target: &BoardFormat| matches!(target, BoardFormat::Sheet(_));
        if self.sheet.with.contains(&LessonPart::Line) && targets.iter().all(is_printed) {
            let replace = !self.sheet.with.contains(&LessonPart::Comments);
            let threads = self.threads.count();
            add_lines(&mut boards, replace, threads, self.memory, interrupt);
        }
        if boards.is_empty() {
            let text = interrupt.text();
            return Err(Failure::runtime(format!(
                "{text} before the first board was complete; nothing is written"
            ))
            .with_runtime_status(interrupt.status()));
        }
        for (path, target) in paths.iter().zip(targets) {
            write(path, *target, &boards, &self.sheet, self.copies)?;
        }
        let whole = match boards.len() {
            n if (n as u64) < wanted => format!("the first {n} of {wanted} boards are"),
            n => format!("{n} boards are"),
        };
        if interrupt.is_requested() {
            eprintln!("croupier: {}: {whole} written", interrupt.text());
        }
        Ok(interrupt.exit_code())
    }
}

/// Format in which boards are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BoardFormat {
    /// A data format, read by programs.
    Data(OutputFormat),
    /// A hand record, read by players.
    Sheet(SheetFormat),
}

impl BoardFormat {
    /// Returns the names of all formats.
    fn names() -> String {
        let mut names: Vec<&str> = SheetFormat::NAMES.map(|(name, _)| name).to_vec();
        names.extend(OutputFormat::NAMES.map(|(name, _)| name));
        names.join(", ")
    }

    /// Returns the format called `name`.
    ///
    /// # Errors
    /// If there is no such format; the message lists the names.
    pub fn by_name(name: &str) -> Result<BoardFormat, String> {
        let name = name.to_ascii_lowercase();
        let sheet = SheetFormat::NAMES.iter().find(|(it, _)| *it == name);
        sheet
            .map(|(_, format)| BoardFormat::Sheet(*format))
            .or_else(|| OutputFormat::from_name(&name).map(BoardFormat::Data))
            .ok_or_else(|| format!("use one of {}", BoardFormat::names()))
    }

    /// Returns the format of a file by the ending of its name.
    ///
    /// # Errors
    /// If the ending belongs to no format.
    pub fn of_file(path: &Path) -> Result<BoardFormat, Failure> {
        let ending = path.extension().and_then(|ending| ending.to_str());
        let ending = ending.unwrap_or_default().to_ascii_lowercase();
        if let Some(format) = OutputFormat::of_ending(&ending) {
            return Ok(BoardFormat::Data(format));
        }
        let name = if ending == "htm" { "html" } else { &ending };
        BoardFormat::by_name(name).map_err(|_| {
            Failure::usage(format!(
                "{}: the ending tells no format; write -f and one of {}",
                path.shown(),
                BoardFormat::names()
            ))
        })
    }
}

/// Reads boards from a file in any format, from standard input if `input` is `-`, or from `input` itself if it is a
/// deal.
///
/// # Errors
/// If the input cannot be read, or a board in it is invalid.
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

/// Solves the boards without double-dummy results. After an interrupt only the boards solved so far remain.
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
    let mut progress = ItemProgress::new("boards", Some(open as u64));
    let work = |solver: &mut Solver, board: Board| {
        let deal = missing(&board).filter(|_| !interrupt.is_requested());
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

/// Adds the principal line of play to the comments of the boards, in place of other comments if `replace` is set. After
/// an interrupt only the boards analysed so far remain.
fn add_lines(
    boards: &mut Vec<Board>,
    replace: bool,
    threads: usize,
    memory: SolverMemory,
    interrupt: &Interrupt,
) {
    let mut progress = ItemProgress::new("boards", Some(boards.len() as u64));
    let work = |solver: &mut Solver, board: Board| {
        let deal = board.deal();
        let line = deal.and_then(|deal| {
            let declared = principal::contract_of(&board, &deal, solver)?;
            let line = solver.line(&principal::opening(&deal, declared));
            Some(principal::sentence(declared, &line))
        });
        (board, line)
    };
    let mut done = Vec::with_capacity(boards.len());
    let _ = parallel::ordered_map(
        threads,
        std::mem::take(boards),
        || memory.solver(),
        work,
        |(mut board, line)| {
            if interrupt.is_requested() {
                return ControlFlow::Break(());
            }
            let comments = &mut board.extras.get_or_insert_default().comments;
            if replace {
                comments.clear();
            }
            comments.extend(line);
            progress.advance(1);
            done.push(board);
            ControlFlow::Continue(())
        },
    );
    progress.finish();
    *boards = done;
}

/// Writes boards to a file, which appears only when it is complete.
pub(crate) fn write(
    path: &Path,
    target: BoardFormat,
    boards: &[Board],
    sheet: &SheetArgs,
    copies: Option<u8>,
) -> Result<(), Failure> {
    let bytes = match target {
        BoardFormat::Sheet(format) => sheet.print(format, boards)?,
        BoardFormat::Data(format) => {
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
            set_copies(&mut bytes, format, copies);
            bytes
        }
    };
    whole_file::write(path, &bytes)
}

/// Checks that the number of copies is only given for a format that holds it.
///
/// # Errors
/// If it is given and no file is a DUP file.
pub(crate) fn check_copies(copies: Option<u8>, targets: &[BoardFormat]) -> Result<(), Failure> {
    match copies {
        Some(_) if !targets.contains(&BoardFormat::Data(OutputFormat::Dup)) => Err(Failure::usage(
            "--copies: only files for dealing machines with the ending .dup hold a number of copies",
        )),
        _ => Ok(()),
    }
}

/// Writes the number of copies into the records, if the format is DUP and a number is given.
pub(crate) fn set_copies(bytes: &mut [u8], format: OutputFormat, copies: Option<u8>) {
    if let (OutputFormat::Dup, Some(copies)) = (format, copies) {
        duplimate::set_copies(bytes, copies);
    }
}
