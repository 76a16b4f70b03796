//! Continuation of an interrupted run.
//!
//! The output file is its own checkpoint. Each complete board in it can be rendered again from the input and the
//! results in the file, byte for byte. The first board for which the bytes differ was cut short, and the run continues
//! there. No other state is used, so a run that was killed at any moment, even in the middle of a write, ends with the
//! output of an uninterrupted run.

use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;

use croupier::cards::TrickTable;
use croupier::formats::{BoardReadError, Reader, Writer};

use super::{SolveTask, SolveTasks, SolvedFormat};
use crate::failure::Failure;
use crate::record_file;

/// Position from which to continue the output file.
pub(super) struct ResumePoint {
    /// The output file, truncated after its last complete board.
    pub file: File,
    /// Number of boards in the file.
    pub written: u64,
    /// Items of the input that were read during the search but are not in the file.
    pub pending: Vec<Result<SolveTask, BoardReadError>>,
}

impl ResumePoint {
    /// Creates an empty output file.
    pub fn create(path: &Path) -> Result<ResumePoint, Failure> {
        let file = open(path)?;
        file.set_len(0).map_err(|error| Failure::at(path, error))?;
        Ok(ResumePoint {
            file,
            written: 0,
            pending: Vec::new(),
        })
    }

    /// Finds the last complete board of the file and truncates the file after it.
    pub fn find(
        path: &Path,
        format: SolvedFormat,
        tasks: &mut SolveTasks,
    ) -> Result<ResumePoint, Failure> {
        let mut file = open(path)?;
        let mut length = file
            .metadata()
            .map_err(|error| Failure::at(path, error))?
            .len();
        let mut start = ResumePoint {
            file: file.try_clone().map_err(|error| Failure::at(path, error))?,
            written: 0,
            pending: Vec::new(),
        };
        let input = File::open(path).map_err(|error| Failure::at(path, error))?;
        let mut results = Reader::with_format(input, format.input());
        let mut writer = Writer::new(format.output());
        let mut offset = 0;
        while offset < length {
            let task = match tasks.next() {
                Some(Ok(task)) => task,
                Some(Err(problem)) => {
                    start.pending.push(Err(problem));
                    continue;
                }
                None => return Err(not_this_output(path)),
            };
            let before = writer.clone();
            let table = results.next().and_then(|board| board.ok()?.tricks);
            let mut expected = Vec::new();
            if let Some(table) = table {
                writer.write(&mut expected, &task.solved(table), &task.deal);
            }
            if table.is_some()
                && has_bytes(&mut file, offset, &expected).map_err(|e| Failure::at(path, e))?
            {
                offset += expected.len() as u64;
                start.written += 1;
                continue;
            }
            check_partial_board(path, &mut file, offset, length, &before, &task)?;
            start.pending.push(Ok(task));
            length = offset;
        }
        file.set_len(offset)
            .map_err(|error| Failure::at(path, error))?;
        start
            .file
            .seek(SeekFrom::Start(offset))
            .map_err(|error| Failure::at(path, error))?;
        Ok(start)
    }
}

/// Opens the file for reading and writing and locks it against other runs.
fn open(path: &Path) -> Result<File, Failure> {
    let file = OpenOptions::new()
        .read(true)
        .write(true)
        .create(true)
        .truncate(false)
        .open(path)
        .map_err(|error| Failure::at(path, error))?;
    record_file::lock(&file).map_err(|error| Failure::at(path, error))?;
    Ok(file)
}

fn not_this_output(path: &Path) -> Failure {
    Failure::at(
        path,
        "the file exists and is not the beginning of this output; --force replaces it",
    )
    .as_usage()
}

/// Returns whether the file has these bytes at `offset`.
fn has_bytes(file: &mut File, offset: u64, expected: &[u8]) -> io::Result<bool> {
    Ok(read_at(file, offset, expected.len() as u64)? == expected)
}

fn read_at(file: &mut File, offset: u64, length: u64) -> io::Result<Vec<u8>> {
    file.seek(SeekFrom::Start(offset))?;
    let mut bytes = Vec::new();
    file.take(length).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Checks that the bytes after the last complete board are the beginning of the next one: its cards must agree as far
/// as they go, and it must be shorter than a whole board. Otherwise the file is not an output of this run and must not
/// be truncated.
fn check_partial_board(
    path: &Path,
    file: &mut File,
    offset: u64,
    length: u64,
    writer: &Writer,
    task: &SolveTask,
) -> Result<(), Failure> {
    // Two trick tables that differ everywhere show which bytes do not depend on the results.
    let render = |tricks: u8| {
        let table = TrickTable::new([[tricks; 5]; 4]).unwrap_or_default();
        let mut bytes = Vec::new();
        writer
            .clone()
            .write(&mut bytes, &task.solved(table), &task.deal);
        bytes
    };
    let (low, high) = (render(0), render(13));
    let fixed = low.iter().zip(&high).take_while(|(a, b)| a == b).count();
    // Scores and tricks differ in their number of digits.
    let longest = low.len().max(high.len()) as u64 + 64;
    let stump = read_at(file, offset, fixed as u64).map_err(|error| Failure::at(path, error))?;
    if length - offset > longest || !low.starts_with(&stump) {
        return Err(not_this_output(path));
    }
    Ok(())
}
