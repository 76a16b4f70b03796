//! Where an interrupted run stopped.
//!
//! The output file is its own journal. A board that was written completely can be written again
//! from the input and the results in the file, byte for byte; the first one for which this does not
//! succeed was cut short, and the run goes on there. Nothing else is trusted, so a run that was
//! killed at any moment, even in the middle of a write, ends like one that was not.

use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;

use croupier::cards::TrickTable;
use croupier::formats::{Problem, Reader, Writer};

use super::{SolvedFormat, Task, Tasks};
use crate::failure::Failure;
use crate::record_file;

/// The point from which the output file is to be continued.
pub(super) struct Start {
    /// The file, cut behind its last complete board.
    pub file: File,
    /// How many boards it has.
    pub written: u64,
    /// Items of the input that were read on the way but are not in the file.
    pub pending: Vec<Result<Task, Problem>>,
}

impl Start {
    /// An empty file.
    pub fn anew(path: &Path) -> Result<Start, Failure> {
        let file = open(path)?;
        file.set_len(0).map_err(|error| Failure::at(path, error))?;
        Ok(Start {
            file,
            written: 0,
            pending: Vec::new(),
        })
    }

    /// Finds the last complete board of the file and removes what follows it.
    pub fn find(path: &Path, format: SolvedFormat, tasks: &mut Tasks) -> Result<Start, Failure> {
        let mut file = open(path)?;
        let mut length = file
            .metadata()
            .map_err(|error| Failure::at(path, error))?
            .len();
        let mut start = Start {
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
                None => return Err(foreign(path)),
            };
            let before = writer.clone();
            let table = results.next().and_then(|board| board.ok()?.tricks);
            let mut expected = Vec::new();
            if let Some(table) = table {
                writer.write(&mut expected, &task.solved(table), &task.deal);
            }
            if table.is_some()
                && holds(&mut file, offset, &expected).map_err(|e| Failure::at(path, e))?
            {
                offset += expected.len() as u64;
                start.written += 1;
                continue;
            }
            check_stump(path, &mut file, offset, length, &before, &task)?;
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

/// Opens the file for reading and writing and keeps other runs away from it.
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

fn foreign(path: &Path) -> Failure {
    Failure::at(
        path,
        "exists and is not the beginning of this output; use --overwrite to replace it",
    )
}

/// Whether the file has these bytes there.
fn holds(file: &mut File, offset: u64, expected: &[u8]) -> io::Result<bool> {
    Ok(read_at(file, offset, expected.len() as u64)? == expected)
}

fn read_at(file: &mut File, offset: u64, length: u64) -> io::Result<Vec<u8>> {
    file.seek(SeekFrom::Start(offset))?;
    let mut bytes = Vec::new();
    file.take(length).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// What follows the last complete board must be the beginning of the next one: its cards must be
/// right as far as they go, and it must be shorter than a whole board. Otherwise the file is not
/// ours to cut.
fn check_stump(
    path: &Path,
    file: &mut File,
    offset: u64,
    length: u64,
    writer: &Writer,
    task: &Task,
) -> Result<(), Failure> {
    // Two tables that differ everywhere show which bytes do not depend on the results.
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
        return Err(foreign(path));
    }
    Ok(())
}
