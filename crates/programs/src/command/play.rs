//! `croupier play`: computes the double-dummy cost of every card of a recorded play.

mod interactive;

use std::fs::File;
use std::io::{self, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use croupier::cards::{Card, CardSet, Deal, Seat};
use croupier::engine::parallel;
use croupier::formats::{Board, Reader};
use croupier::solver::{Played, Position, Solver};

use crate::command::convert::BoardNumbers;
use crate::failure::{Failure, ShownPath};
use crate::given;
use crate::interrupt::Interrupt;
use crate::progress::ItemProgress;
use crate::solver_memory::SolverMemory;
use crate::table::{Listing, ListingCell, TableFormat};
use crate::threads::Threads;
use crate::whole_file;

/// Show which cards of a recorded play cost a trick.
///
/// Reads boards with contract and play: PBN with the tags Contract, Declarer (or Auction) and Play, or LIN with `mb|`
/// and `pc|`. Prints for every card the tricks that it gave away against best play by all four hands, the tricks that
/// declarer then gets, and, if it cost a trick, the cards that would not have. Boards without play are left out. With
/// --interactive you step through one play, forwards and backwards, and can try other cards.
#[derive(clap::Args)]
pub struct Args {
    /// Files of boards (PBN or LIN) or folders with them; `-` is standard input.
    #[arg(required = true, value_name = "FILE|FOLDER")]
    inputs: Vec<PathBuf>,
    /// Use only the boards with these numbers: 7 or 1-8,12.
    #[arg(short, long, value_name = "LIST")]
    board: Option<BoardNumbers>,
    /// Step through the play of one board on the terminal: the hands, the cost of each card and better cards.
    #[arg(short, long, conflicts_with_all = ["mistakes", "format", "output"])]
    interactive: bool,
    /// Show only the cards that cost a trick.
    #[arg(short, long)]
    mistakes: bool,
    /// Format of the tables.
    #[arg(short, long, value_enum, default_value_t)]
    format: TableFormat,
    /// File for the tables instead of standard output.
    #[arg(short, long, value_name = "FILE", default_value = "-")]
    output: PathBuf,
    #[command(flatten)]
    threads: Threads,
    #[command(flatten)]
    memory: SolverMemory,
}

/// A board with a contract and a play to analyse.
struct RecordedPlay {
    /// The file of the board.
    path: PathBuf,
    board: Board,
    deal: Deal,
    declarer: Seat,
    contract: croupier::cards::Contract,
}

impl RecordedPlay {
    fn cards(&self) -> &[Card] {
        let record = self.board.record.as_deref();
        record.map_or(&[], |record| &record.play)
    }

    /// Returns the name of the player in a seat; empty if it is not known.
    fn player(&self, seat: Seat) -> &str {
        let names = self.board.names.as_deref();
        names.map_or("", |names| names.players[seat].as_str())
    }

    fn failure(&self, error: impl std::fmt::Display) -> Failure {
        let number = self.board.number.unwrap_or(0);
        let line = self.board.line;
        Failure::at(&self.path, format!("line {line}, board {number}: {error}"))
    }
}

/// Runs the command.
///
/// # Errors
/// If a file cannot be read or contains no play, or a card of the play is impossible.
pub fn run(args: Args) -> Result<ExitCode, Failure> {
    let inputs = given::expand_folders(&args.inputs, &[])?;
    let tasks = read(&args, &inputs)?;
    if args.interactive {
        let mut numbers: Vec<Option<u64>> = tasks.iter().map(|task| task.board.number).collect();
        numbers.sort_unstable();
        numbers.dedup();
        // Several records of one deal in a file are those of its tables.
        let is_one_board = tasks.windows(2).all(|pair| {
            pair[0].path == pair[1].path
                && pair[0].board.number == pair[1].board.number
                && pair[0].deal == pair[1].deal
        });
        return match is_one_board && !tasks.is_empty() {
            true => interactive::run(&tasks, || args.memory.solver()),
            false => Err(Failure::usage(format!(
                "--interactive shows one board, and there are {}; choose one with --board: {}",
                tasks.len(),
                list(&numbers)
            ))),
        };
    }
    let has_files = inputs.len() > 1;
    let mut cards = table(
        has_files,
        &[
            "board", "trick", "seat", "card", "cost", "declarer", "better", "player",
        ],
    );
    let mut boards = table(
        has_files,
        &[
            "board",
            "contract",
            "declarer",
            "makes",
            "after play",
            "declarer's cost",
            "defence's cost",
            "player",
        ],
    );
    let review = |solver: &mut Solver, task: RecordedPlay| {
        let position = Position::opening(&task.deal, task.declarer, task.contract.strain);
        let makes = solver.tricks(&task.deal, task.declarer, task.contract.strain);
        let played = solver.review(&position, task.cards());
        (makes, played, task)
    };
    let interrupt = Interrupt::watch();
    let wanted = tasks.len();
    let mut progress = ItemProgress::new("boards", Some(wanted as u64));
    let (mut failure, mut done) = (None, 0);
    let tasks = tasks.into_iter().take_while(|_| !interrupt.is_requested());
    let _ = parallel::ordered_map(
        args.threads.count(),
        tasks,
        || args.memory.solver(),
        review,
        |(makes, played, task)| match played {
            Ok(played) => {
                describe(&args, has_files, &task, &played, &mut cards);
                summarize(has_files, &task, makes, &played, &mut boards);
                progress.advance(1);
                done += 1;
                ControlFlow::Continue(())
            }
            Err(error) => {
                failure = Some(task.failure(error));
                ControlFlow::Break(())
            }
        },
    );
    progress.finish();
    if let Some(failure) = failure {
        return Err(failure);
    }
    let mut out = Vec::new();
    let (before, between, after) = match args.format {
        TableFormat::Json => ("{\"cards\": ", ", \"boards\": ", "}\n"),
        TableFormat::Text | TableFormat::Csv | TableFormat::CsvSafe => ("", "\n", ""),
    };
    write!(out, "{before}")?;
    cards.write(args.format, &mut out)?;
    write!(out, "{between}")?;
    boards.write(args.format, &mut out)?;
    write!(out, "{after}")?;
    whole_file::write(&args.output, &out)?;
    if interrupt.is_requested() {
        eprintln!(
            "croupier: {}: {done} of {wanted} boards are shown",
            interrupt.text()
        );
    }
    Ok(interrupt.exit_code())
}

/// Returns the first numbers of a list as text.
fn list(numbers: &[Option<u64>]) -> String {
    const SHOWN: usize = 8;
    let texts = numbers.iter().take(SHOWN).map(|number| match number {
        Some(number) => number.to_string(),
        None => "no number".to_owned(),
    });
    let more = if numbers.len() > SHOWN { " ..." } else { "" };
    texts.collect::<Vec<_>>().join(", ") + more
}

/// Creates a table with a first column for the file, if there are several.
fn table(has_files: bool, columns: &[&'static str]) -> Listing {
    let file = has_files.then_some("file");
    let columns: Vec<&str> = file.into_iter().chain(columns.iter().copied()).collect();
    Listing::new(&columns)
}

/// Reads the boards that have a contract and a play.
fn read(args: &Args, inputs: &[PathBuf]) -> Result<Vec<RecordedPlay>, Failure> {
    let mut tasks = Vec::new();
    for path in inputs {
        read_file(args, path, &mut tasks)?;
    }
    if tasks.is_empty() {
        let message = match args.board {
            Some(_) => "no board with this number has a play",
            None => "no board with a play in it ([Play] in PBN, pc| in LIN)",
        };
        return Err(match inputs {
            [path] => Failure::at(path, message),
            _ => Failure::runtime(format!("the {} files: {message}", inputs.len())),
        });
    }
    Ok(tasks)
}

fn read_file(args: &Args, path: &Path, tasks: &mut Vec<RecordedPlay>) -> Result<(), Failure> {
    let input: Box<dyn io::Read> = match path.as_os_str() == "-" {
        true => Box::new(io::stdin()),
        false => Box::new(File::open(path).map_err(|error| Failure::file(path, &error))?),
    };
    for board in Reader::new(input).map_err(|error| Failure::file(path, &error))? {
        let board = board.map_err(|problem| Failure::at(path, problem))?;
        let is_selected = |selection: &BoardNumbers| {
            board
                .number
                .is_some_and(|number| selection.contains(number))
        };
        let record = board.record.as_deref();
        let Some(record) = record.filter(|record| !record.play.is_empty()) else {
            continue;
        };
        if !args.board.as_ref().is_none_or(is_selected) {
            continue;
        }
        let (Some(contract), Some(declarer)) = (record.contract, record.declarer) else {
            let message = format!("line {}: a play without contract and declarer", board.line);
            return Err(Failure::at(path, message));
        };
        let Some(deal) = board.deal() else {
            return Err(Failure::at(
                path,
                format!("line {}: not a whole deal", board.line),
            ));
        };
        tasks.push(RecordedPlay {
            path: path.to_owned(),
            board,
            deal,
            declarer,
            contract,
        });
    }
    Ok(())
}

fn declarers_tricks(task: &RecordedPlay, north_south: u8) -> u8 {
    match task.declarer.index() % 2 {
        0 => north_south,
        _ => 13 - north_south,
    }
}

fn number(task: &RecordedPlay) -> ListingCell {
    task.board
        .number
        .map_or(ListingCell::Empty, ListingCell::Whole)
}

/// Returns the name of the file as the first cells of a row, if there are several.
fn file_cell(has_files: bool, task: &RecordedPlay) -> Vec<ListingCell> {
    match has_files {
        true => vec![ListingCell::Text(task.path.shown())],
        false => Vec::new(),
    }
}

/// Returns a card as files of boards write it, the suit first: `SQ`.
fn card_text(card: Card) -> String {
    CardSet::of(card).suit_holdings().to_string()
}

/// Adds a row for every card.
fn describe(
    args: &Args,
    has_files: bool,
    task: &RecordedPlay,
    played: &[Played],
    table: &mut Listing,
) {
    for (i, card) in played.iter().enumerate() {
        if args.mistakes && card.cost == 0 {
            continue;
        }
        let better: Vec<String> = card.better.iter().map(card_text).collect();
        let mut row = file_cell(has_files, task);
        row.extend([
            number(task),
            ListingCell::Whole(i as u64 / 4 + 1),
            card.seat.name().into(),
            ListingCell::Text(card_text(card.card)),
            ListingCell::Whole(card.cost.into()),
            ListingCell::Whole(declarers_tricks(task, card.north_south).into()),
            match better.is_empty() {
                true => ListingCell::Empty,
                false => ListingCell::Text(better.join(" ")),
            },
            task.player(card.seat).into(),
        ]);
        table.push(row);
    }
}

/// Adds a row for the board.
fn summarize(
    has_files: bool,
    task: &RecordedPlay,
    makes: u8,
    played: &[Played],
    table: &mut Listing,
) {
    let ours = |card: &&Played| card.seat.side() == task.declarer.side();
    let cost = |cards: &mut dyn Iterator<Item = &Played>| {
        ListingCell::Whole(cards.map(|card| u64::from(card.cost)).sum())
    };
    let last = played
        .last()
        .map_or(makes, |card| declarers_tricks(task, card.north_south));
    let mut row = file_cell(has_files, task);
    row.extend([
        number(task),
        ListingCell::Text(task.contract.to_string()),
        task.declarer.name().into(),
        ListingCell::Whole(makes.into()),
        ListingCell::Whole(last.into()),
        cost(&mut played.iter().filter(ours)),
        cost(&mut played.iter().filter(|card| !ours(card))),
        task.player(task.declarer).into(),
    ]);
    table.push(row);
}
