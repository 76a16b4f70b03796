//! Input boards of a command: from a file of any format, from standard input, or from a deal on the command line.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use croupier::cards::{Deal, TrickTable};
use croupier::formats::{Board, BoardReadError, FILE_FORMATS, Reader};

use crate::failure::{Failure, ShownPath};

/// Iterator over boards. A board that cannot be read is an error item.
pub type BoardIterator = Box<dyn Iterator<Item = Result<Board, BoardReadError>> + Send>;

/// Replaces each folder by the files of boards in it and in its folders, in the order of their names. A file belongs to
/// the boards if its ending is that of a format, or one of `more_endings`; text files (`.txt`) do not.
///
/// # Errors
/// If a folder cannot be read or holds no such file.
pub fn expand_folders(given: &[PathBuf], more_endings: &[&str]) -> Result<Vec<PathBuf>, Failure> {
    let mut files = Vec::new();
    for path in given {
        if !path.is_dir() {
            files.push(path.clone());
            continue;
        }
        let before = files.len();
        add_files(path, more_endings, &mut files)?;
        if files.len() == before {
            return Err(Failure::file(
                path,
                &io::Error::other("no file of boards in this folder (.pbn, .lin ...)"),
            ));
        }
    }
    Ok(files)
}

/// Adds the files of boards in a folder and in its folders.
fn add_files(
    folder: &Path,
    more_endings: &[&str],
    files: &mut Vec<PathBuf>,
) -> Result<(), Failure> {
    let entries = std::fs::read_dir(folder).and_then(Iterator::collect::<io::Result<Vec<_>>>);
    let mut entries = entries.map_err(|error| Failure::file(folder, &error))?;
    entries.sort_by_key(std::fs::DirEntry::file_name);
    for entry in entries {
        let path = entry.path();
        // A link to a folder could lead back to where it is.
        if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            add_files(&path, more_endings, files)?;
        } else if path.is_file() && has_ending(&path, more_endings) {
            files.push(path);
        }
    }
    Ok(())
}

/// Returns whether the ending of the file is that of a format that is read, or one of `more`.
fn has_ending(path: &Path, more: &[&str]) -> bool {
    let Some(ending) = path.extension().and_then(|ending| ending.to_str()) else {
        return false;
    };
    let formats = FILE_FORMATS.iter().filter(|format| format.reads.is_some());
    let endings = formats.map(|format| format.ending);
    let endings = endings
        .filter(|&ending| ending != "txt")
        .chain(more.iter().copied());
    endings
        .into_iter()
        .any(|known| known.eq_ignore_ascii_case(ending))
}

/// Opens a file of boards or standard input (`-`), or parses the argument as a deal.
///
/// # Errors
/// If the argument is neither a readable file nor a deal.
pub fn open(given: &Path) -> Result<BoardIterator, Failure> {
    open_reader(given, |reader| Box::new(reader))
}

/// Opens several inputs as [`open`] does, one after the other. With more than one, errors of boards name the input.
///
/// # Errors
/// If the first input cannot be opened. An input that cannot be opened later is an error item.
pub fn open_all(given: &[PathBuf]) -> Result<BoardIterator, Failure> {
    let [first, rest @ ..] = given else {
        return Ok(Box::new(std::iter::empty()));
    };
    let boards = open(first)?;
    if rest.is_empty() {
        return Ok(boards);
    }
    for path in rest.iter().filter(|path| path.as_os_str() != "-") {
        drop(open(path)?);
    }
    let named = |path: PathBuf, boards: BoardIterator| {
        boards.map(move |board| {
            board.map_err(|problem| BoardReadError {
                message: format!("{} ({})", problem.message, path.shown()),
                ..problem
            })
        })
    };
    let first = named(first.clone(), boards);
    let rest: Vec<PathBuf> = rest.to_vec();
    let rest = rest.into_iter().flat_map(move |path| {
        let boards = open(&path).unwrap_or_else(|_| {
            let gone = BoardReadError {
                line: 0,
                board: None,
                message: "the file cannot be opened any more".to_owned(),
                io: None,
            };
            Box::new(std::iter::once(Err(gone)))
        });
        named(path, boards)
    });
    Ok(Box::new(first.chain(rest)))
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
