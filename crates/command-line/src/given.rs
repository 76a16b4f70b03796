//! Input boards of a command: from a file of any format, from standard input, or from a deal on the command line.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use croupier::cards::{Deal, TrickTable};
use croupier::formats::{Board, BoardReadError, Reader};

use crate::failure::Failure;

/// Iterator over boards. A board that cannot be read is an error item.
pub type BoardIterator = Box<dyn Iterator<Item = Result<Board, BoardReadError>> + Send>;

/// Opens a file of boards or standard input (`-`), or parses the argument as a deal.
///
/// # Errors
/// If the argument is neither a readable file nor a deal.
pub fn open(given: &Path) -> Result<BoardIterator, Failure> {
    open_reader(given, |reader| Box::new(reader))
}

/// Opens boards as [`open`] does. The boards of a PBN file also have the text of their games.
///
/// # Errors
/// As for [`open`].
pub fn open_with_source(given: &Path) -> Result<BoardIterator, Failure> {
    open_reader(given, |reader| Box::new(reader.keeping_source()))
}

fn open_reader(
    given: &Path,
    boards: impl FnOnce(Reader<Box<dyn Read + Send>>) -> BoardIterator,
) -> Result<BoardIterator, Failure> {
    let input: Box<dyn Read + Send> = if given.as_os_str() == "-" {
        Box::new(io::stdin())
    } else {
        match File::open(given) {
            Ok(file) => Box::new(file),
            Err(error) => return on_command_line(given, &error),
        }
    };
    let reader = Reader::new(input).map_err(|error| Failure::file(given, &error))?;
    Ok(boards(reader))
}

fn on_command_line(given: &Path, error: &io::Error) -> Result<BoardIterator, Failure> {
    let text = given.to_string_lossy();
    match text.parse::<Deal>() {
        Ok(deal) => Ok(Box::new(std::iter::once(Ok(Board::of(&deal))))),
        // A text with eight or more dots is certainly meant as a deal, so report what is wrong with it.
        Err(wrong) if text.matches('.').count() >= 8 => Err(Failure::at(given, wrong)),
        Err(_) => Err(Failure::file(given, error)),
    }
}

/// Returns the board with these results and their par.
#[must_use]
pub fn with_results(board: Board, table: TrickTable) -> Board {
    let board = Board {
        tricks: Some(table),
        ..board
    };
    with_par(board)
}

/// Returns the board with the par of its tricks, or without par if the tricks are unknown.
#[must_use]
pub fn with_par(board: Board) -> Board {
    let (_, dealer, vulnerable) = board.place();
    let par = board
        .tricks
        .map(|table| croupier::solver::par_report(&table, vulnerable, dealer));
    Board {
        par: par.as_ref().map(|par| par.score),
        par_contracts: par.map(|par| par.contracts_text()),
        ..board
    }
}
