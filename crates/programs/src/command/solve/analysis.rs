//! `--line` and `--explain`: how the cards of a contract are played, and which of them decide.

use std::fmt::Write as _;
use std::io::Write;
use std::ops::ControlFlow;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use croupier::cards::{Card, CardSet, Seat, Suit};
use croupier::engine::parallel;
use croupier::formats::DeclaredContract;
use croupier::solver::{DecidingCards, OptimalPlay, Solver, Swing};

use super::{Args, SolveTask, SolveTasks, SolvedFormat, name};
use crate::failure::Failure;
use crate::interrupt::Interrupt;
use crate::principal;
use crate::progress::ItemProgress;
use crate::table::{Listing, ListingCell, TableFormat};

/// The analysis of a contract.
enum Analysis {
    Line(Vec<OptimalPlay>),
    Deciding(DecidingCards, Vec<Swing>),
}

/// A board with its analysis.
struct AnalysedBoard {
    number: ListingCell,
    declared: DeclaredContract,
    analysis: Analysis,
}

/// Prints the principal lines or the deciding cards of all boards.
///
/// # Errors
/// If a board cannot be read or has no contract, or the format is not one of tables.
pub fn run(args: &Args, tasks: SolveTasks, total: Option<u64>) -> Result<ExitCode, Failure> {
    let switch = if args.line { "--line" } else { "--explain" };
    let format = match args.format {
        None => TableFormat::Text,
        Some(SolvedFormat::Csv) => TableFormat::Csv,
        Some(SolvedFormat::Json) => TableFormat::Json,
        Some(_) => {
            return Err(Failure::usage(format!(
                "{switch} prints text: use --format csv or json, or no --format"
            )));
        }
    };
    let interrupt = Interrupt::watch();
    let stop = interrupt.flag();
    let mut progress = ItemProgress::new("boards", total);
    let (mut boards, mut failure) = (Vec::new(), None);
    let tasks = tasks.take_while(|_| !interrupt.is_requested());
    let _ = parallel::ordered_map(
        args.threads.count(),
        tasks,
        || args.memory.solver(),
        |solver: &mut Solver, task| {
            let task = task.map_err(|problem| problem.to_string())?;
            let stop = Arc::clone(&stop);
            let analysed = solver.with_cancellation(&stop, |solver| analyse(args, solver, &task));
            analysed.transpose()
        },
        |analysed: Result<Option<AnalysedBoard>, String>| match analysed {
            Ok(board) => {
                boards.extend(board);
                progress.advance(1);
                ControlFlow::Continue(())
            }
            Err(message) => {
                failure = Some(Failure::runtime(format!("{}: {message}", name(args))));
                ControlFlow::Break(())
            }
        },
    );
    progress.finish();
    if let Some(failure) = failure {
        return Err(failure);
    }
    if boards.is_empty() && !stop.load(Ordering::Relaxed) {
        let message = format!("{}: there is no deal in it", name(args));
        return Err(Failure::runtime(message));
    }
    let mut out = Vec::new();
    write(format, args.line, &boards, &mut out).map_err(Failure::standard_output)?;
    std::io::stdout()
        .lock()
        .write_all(&out)
        .map_err(Failure::standard_output)?;
    if interrupt.is_requested() {
        eprintln!(
            "croupier: {}: {} boards are shown",
            interrupt.text(),
            boards.len()
        );
    }
    Ok(interrupt.exit_code())
}

fn analyse(args: &Args, solver: &mut Solver, task: &SolveTask) -> Result<AnalysedBoard, String> {
    let number = task.board.number;
    let declared = args
        .contract
        .or_else(|| principal::contract_of(&task.board, &task.deal, solver));
    let Some(declared) = declared else {
        let number = number.unwrap_or(1);
        return Err(format!(
            "board {number} has no contract, and par is to pass; give one, such as --contract 3N-S"
        ));
    };
    let position = principal::opening(&task.deal, declared);
    let analysis = match args.line {
        true => Analysis::Line(solver.line(&position)),
        false => {
            let deciding = solver.deciding_cards(&position);
            Analysis::Deciding(deciding, solver.swings(&position))
        }
    };
    Ok(AnalysedBoard {
        number: number.map_or(ListingCell::Empty, ListingCell::Whole),
        declared,
        analysis,
    })
}

fn write(
    format: TableFormat,
    line: bool,
    boards: &[AnalysedBoard],
    out: &mut Vec<u8>,
) -> std::io::Result<()> {
    if line {
        return lines(boards).write(format, out);
    }
    if format == TableFormat::Text {
        return out.write_all(explanations(boards).as_bytes());
    }
    let (before, between, after) = match format {
        TableFormat::Json => ("{\"boards\": ", ", \"swings\": ", "}\n"),
        _ => ("", "\n", ""),
    };
    let (deciding, swings) = tables(boards);
    write!(out, "{before}")?;
    deciding.write(format, out)?;
    write!(out, "{between}")?;
    swings.write(format, out)?;
    write!(out, "{after}")
}

/// Returns a row for each card of each line.
fn lines(boards: &[AnalysedBoard]) -> Listing {
    let columns = [
        "board", "contract", "tricks", "trick", "seat", "card", "as good",
    ];
    let mut table = Listing::new(&columns);
    for board in boards {
        let Analysis::Line(line) = &board.analysis else {
            continue;
        };
        let tricks = line.first().map_or(0, |step| step.north_south);
        for (i, step) in line.iter().enumerate() {
            let others = step.alternatives - CardSet::of(step.card);
            let mut row = head(board, tricks);
            row.extend([
                ListingCell::Whole(i as u64 / 4 + 1),
                step.seat.name().into(),
                ListingCell::Text(CardSet::of(step.card).suit_holdings().to_string()),
                match others.is_empty() {
                    true => ListingCell::Empty,
                    false => ListingCell::Text(holdings(others)),
                },
            ]);
            table.push(row);
        }
    }
    table
}

/// Returns the cells of every row: number, contract and tricks of declarer.
fn head(board: &AnalysedBoard, north_south: u8) -> Vec<ListingCell> {
    vec![
        board.number.clone(),
        ListingCell::Text(board.declared.to_string()),
        ListingCell::Whole(principal::declarers(board.declared, north_south).into()),
    ]
}

/// Returns cards suit by suit: `SKQ HT`.
fn holdings(cards: CardSet) -> String {
    cards.suit_holdings().to_string().replace(',', " ")
}

/// Returns the deciding cards, and the exchanges that change the result.
fn tables(boards: &[AnalysedBoard]) -> (Listing, Listing) {
    let mut deciding = Listing::new(&["board", "contract", "tricks", "deciding"]);
    let mut swings = Listing::new(&[
        "board", "contract", "card", "seat", "instead", "of", "tricks",
    ]);
    for board in boards {
        let Analysis::Deciding(cards, found) = &board.analysis else {
            continue;
        };
        let mut row = head(board, cards.north_south);
        row.push(ListingCell::Text(holdings(cards.cards)));
        deciding.push(row);
        for swing in found {
            let text = |card| ListingCell::Text(CardSet::of(card).suit_holdings().to_string());
            let tricks = principal::declarers(board.declared, swing.north_south);
            swings.push(vec![
                board.number.clone(),
                ListingCell::Text(board.declared.to_string()),
                text(swing.card),
                swing.seat.name().into(),
                text(swing.lower),
                swing.lower_seat.name().into(),
                ListingCell::Whole(tricks.into()),
            ]);
        }
    }
    (deciding, swings)
}

/// Returns the deciding cards of all boards as sentences.
fn explanations(boards: &[AnalysedBoard]) -> String {
    let mut text = String::new();
    for board in boards {
        let Analysis::Deciding(cards, swings) = &board.analysis else {
            continue;
        };
        if !text.is_empty() {
            text.push('\n');
        }
        if let ListingCell::Whole(number) = board.number {
            let _ = write!(text, "board {number}, ");
        }
        let tricks = principal::declarers(board.declared, cards.north_south);
        let _ = writeln!(text, "{}: {tricks} tricks", board.declared);
        for suit in Suit::DESCENDING {
            let _ = writeln!(text, "{}: {}", suit.name(), decided(cards.cards, suit));
        }
        for swing in swings {
            let tricks = principal::declarers(board.declared, swing.north_south);
            let _ = writeln!(
                text,
                "the {} of {} matters: with the {} of {} instead declarer takes {tricks}",
                long_name(swing.card),
                possessor(swing.seat),
                rank_name(swing.lower),
                possessor(swing.lower_seat),
            );
        }
        if swings.is_empty() {
            text.push_str("no exchange of two adjacent cards changes the result\n");
        }
    }
    text
}

/// Describes the deciding cards of a suit.
fn decided(deciding: CardSet, suit: Suit) -> String {
    let cards = deciding & CardSet::of_suit(suit);
    let ranks: String = cards.iter().map(|card| card.rank().letter()).collect();
    match (cards.is_empty(), cards.len()) {
        (true, _) => "no rank matters".to_owned(),
        (_, 13) => format!("{ranks} matter"),
        _ => format!("{ranks} matter, lower cards can change places"),
    }
}

fn possessor(seat: Seat) -> String {
    let name = seat.name();
    name[..1].to_uppercase() + &name[1..]
}

/// Returns a rank as a word.
fn rank_name(card: Card) -> &'static str {
    const NAMES: [&str; 13] = [
        "deuce", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack", "queen",
        "king", "ace",
    ];
    NAMES[card.rank().index()]
}

/// Returns a card as words: `spade nine`.
fn long_name(card: Card) -> String {
    let suit = card.suit().name().trim_end_matches('s');
    format!("{suit} {}", rank_name(card))
}
