//! `croupier play`: computes the double-dummy cost of every card of a recorded play.

use std::fs::File;
use std::io::{self, Write};
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::process::ExitCode;

use croupier::cards::{Deal, Seat};
use croupier::engine::parallel;
use croupier::formats::{Board, Reader};
use croupier::solver::{Played, Position, Solver};

use crate::failure::{Failure, ShownPath};
use crate::solver_memory::SolverMemory;
use crate::table::{Listing, ListingCell, TableFormat};
use crate::threads::Threads;
use crate::whole_file;

/// Show which cards of a recorded play cost a trick.
///
/// Reads boards with contract and play: PBN with the tags Contract, Declarer (or Auction) and Play, or LIN with `mb|`
/// and `pc|`. Prints for every card the tricks that it gave away against best play by all four hands, the tricks that
/// declarer then gets, and, if it cost a trick, the cards that would not have. Boards without play are left out.
#[derive(clap::Args)]
pub struct Args {
    /// File of boards (PBN or LIN); `-` is standard input.
    input: PathBuf,
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
    board: Board,
    deal: Deal,
    declarer: Seat,
    contract: croupier::cards::Contract,
}

/// Runs the command.
///
/// # Errors
/// If the file cannot be read or contains no play, or a card of the play is impossible.
pub fn run(args: Args) -> Result<ExitCode, Failure> {
    let tasks = read(&args)?;
    let mut cards = Listing::new(&[
        "board", "trick", "seat", "card", "cost", "declarer", "better",
    ]);
    let mut boards = Listing::new(&[
        "board",
        "contract",
        "declarer",
        "makes",
        "after play",
        "declarer's cost",
        "defence's cost",
    ]);
    let review = |solver: &mut Solver, task: RecordedPlay| {
        let position = Position::opening(&task.deal, task.declarer, task.contract.strain);
        let record = task.board.record.as_deref();
        let play = record.map_or(&[][..], |record| &record.play);
        let makes = solver.tricks(&task.deal, task.declarer, task.contract.strain);
        let played = solver.review(&position, play);
        (makes, played, task)
    };
    let mut failure = None;
    let _ = parallel::ordered_map(
        args.threads.count(),
        tasks,
        || args.memory.solver(),
        review,
        |(makes, played, task)| match played {
            Ok(played) => {
                describe(&args, &task, &played, &mut cards);
                summarize(&task, makes, &played, &mut boards);
                ControlFlow::Continue(())
            }
            Err(error) => {
                let number = task.board.number.unwrap_or(0);
                failure = Some(format!(
                    "{}: line {}, board {number}: {error}",
                    args.input.shown(),
                    task.board.line
                ));
                ControlFlow::Break(())
            }
        },
    );
    if let Some(message) = failure {
        return Err(Failure::runtime(message));
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
    Ok(ExitCode::SUCCESS)
}

/// Reads the boards that have a contract and a play.
fn read(args: &Args) -> Result<Vec<RecordedPlay>, Failure> {
    let path = &args.input;
    let input: Box<dyn io::Read> = match path.as_os_str() == "-" {
        true => Box::new(io::stdin()),
        false => Box::new(File::open(path).map_err(|error| Failure::file(path, &error))?),
    };
    let mut tasks = Vec::new();
    for board in Reader::new(input).map_err(|error| Failure::at(path, error))? {
        let board = board.map_err(|problem| Failure::at(path, problem))?;
        let record = board.record.as_deref();
        let Some(record) = record.filter(|record| !record.play.is_empty()) else {
            continue;
        };
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
            board,
            deal,
            declarer,
            contract,
        });
    }
    if tasks.is_empty() {
        return Err(Failure::at(
            path,
            "no board with a play in it ([Play] in PBN, pc| in LIN)",
        ));
    }
    Ok(tasks)
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

/// Adds a row for every card.
fn describe(args: &Args, task: &RecordedPlay, played: &[Played], table: &mut Listing) {
    for (i, card) in played.iter().enumerate() {
        if args.mistakes && card.cost == 0 {
            continue;
        }
        let better: Vec<String> = card.better.iter().map(|card| card.to_string()).collect();
        table.push(vec![
            number(task),
            ListingCell::Whole(i as u64 / 4 + 1),
            card.seat.name().into(),
            ListingCell::Text(card.card.to_string()),
            ListingCell::Whole(card.cost.into()),
            ListingCell::Whole(declarers_tricks(task, card.north_south).into()),
            match better.is_empty() {
                true => ListingCell::Empty,
                false => ListingCell::Text(better.join(" ")),
            },
        ]);
    }
}

/// Adds a row for the board.
fn summarize(task: &RecordedPlay, makes: u8, played: &[Played], table: &mut Listing) {
    let ours = |card: &&Played| card.seat.side() == task.declarer.side();
    let cost = |cards: &mut dyn Iterator<Item = &Played>| {
        ListingCell::Whole(cards.map(|card| u64::from(card.cost)).sum())
    };
    let last = played
        .last()
        .map_or(makes, |card| declarers_tricks(task, card.north_south));
    table.push(vec![
        number(task),
        ListingCell::Text(task.contract.to_string()),
        task.declarer.name().into(),
        ListingCell::Whole(makes.into()),
        ListingCell::Whole(last.into()),
        cost(&mut played.iter().filter(ours)),
        cost(&mut played.iter().filter(|card| !ours(card))),
    ]);
}
