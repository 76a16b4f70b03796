//! Reading and writing deals in every format.

use std::fs::{self, File};
use std::io::{self, BufWriter, Read, Write};
use std::path::{Path, PathBuf};

use croupier::formats::{Board as FileBoard, OutputFormat, Reader};
use pyo3::exceptions::PyUserWarning;
use pyo3::prelude::*;
use std::ffi::CString;

use crate::arguments::{type_error, value_error};
use crate::board::{Board, encode};
use crate::deal::DealArgument;
use crate::deals::{Deals, DealsArgument};
use crate::waiting::{Link, wait};

/// Boards, and messages about boards that could not be read.
type Found = (Vec<FileBoard>, Vec<String>);

/// Reads all boards. A text without any is an error, unless it is empty or has only comments.
fn boards(mut input: impl Read, name: &str) -> Result<Found, String> {
    let wrong = |error: &dyn std::fmt::Display| format!("{name}: {error}");
    let (mut found, mut complaints) = (Vec::new(), Vec::new());
    let mut bytes = Vec::new();
    input
        .read_to_end(&mut bytes)
        .map_err(|error| wrong(&error))?;
    let is_comment = |line: &[u8]| matches!(line.trim_ascii_start(), [] | [b'%' | b';' | b'#', ..]);
    let is_empty = bytes.split(|byte| *byte == b'\n').all(is_comment);
    let input = &bytes[..];
    for board in Reader::new(input).map_err(|error| wrong(&error))? {
        match board {
            Ok(board) => found.push(board),
            Err(problem) if problem.io.is_some() => return Err(wrong(&problem)),
            Err(problem) => complaints.push(wrong(&problem)),
        }
    }
    if found.is_empty() && complaints.is_empty() && !is_empty {
        complaints.push(wrong(&"there is no board in a known format"));
    }
    Ok((found, complaints))
}

/// Returns the boards. Raises an error, or warns, if some could not be read.
fn answer(py: Python<'_>, found: Found, strict: bool) -> PyResult<Vec<Board>> {
    let (boards, complaints) = found;
    if strict && !complaints.is_empty() {
        return Err(value_error(complaints.join("\n")));
    }
    for complaint in complaints {
        let text = CString::new(complaint.replace('\0', " ")).unwrap_or_default();
        PyErr::warn(py, &py.get_type::<PyUserWarning>(), &text, 1)?;
    }
    Ok(boards.into_iter().map(Board).collect())
}

/// Reads the boards of a file in any format: PBN, LIN, RP files (ZRD), DL52, CSV, JSON, printed deals. The format is
/// detected from the content. A board that cannot be read raises an error, or with `strict=False` a warning.
#[pyfunction]
#[pyo3(signature = (path, *, strict=true))]
pub fn read(py: Python<'_>, path: PathBuf, strict: bool) -> PyResult<Vec<Board>> {
    let name = path.display().to_string();
    // Opening the file here raises `FileNotFoundError` for a missing file, as in Python's own functions.
    let file = File::open(&path).map_err(|error| with_name(error, &path))?;
    let link = Link::default();
    let found = wait(
        py,
        &link,
        None,
        move |_: &crate::waiting::Events<(), _>| boards(file, &name),
        |()| Ok(()),
    )?;
    answer(py, found.map_err(value_error)?, strict)
}

/// Converts an error of the operating system and adds the name of the file, as Python does.
pub fn with_name(error: std::io::Error, path: &Path) -> PyErr {
    let text = error.to_string();
    match error.raw_os_error() {
        Some(code) => {
            pyo3::exceptions::PyOSError::new_err((code, text, path.display().to_string()))
        }
        None => error.into(),
    }
}

/// Reads the boards of a text or of bytes in any format.
#[pyfunction]
#[pyo3(signature = (text, *, strict=true))]
pub fn read_text(py: Python<'_>, text: &Bound<'_, PyAny>, strict: bool) -> PyResult<Vec<Board>> {
    let bytes: Vec<u8> = match text.extract::<String>() {
        Ok(text) => text.into_bytes(),
        Err(_) => text
            .extract()
            .map_err(|_| type_error("a text or bytes", text))?,
    };
    let found = py.detach(|| boards(&bytes[..], "text"));
    answer(py, found.map_err(value_error)?, strict)
}

/// Returns the format that belongs to the ending of a file name.
fn format_of(path: &Path, format: Option<&str>) -> PyResult<OutputFormat> {
    let extension = path
        .extension()
        .map(|it| it.to_string_lossy().to_lowercase());
    let found = match (format, extension.as_deref()) {
        (Some(format), _) => OutputFormat::from_name(format),
        (None, Some("txt")) => OutputFormat::from_name("oneline"),
        (None, Some("jsonl" | "ndjson")) => OutputFormat::from_name("json"),
        (None, Some(extension)) => OutputFormat::of_ending(extension),
        (None, None) => None,
    };
    found.ok_or_else(|| {
        let names = OutputFormat::NAMES.map(|(name, _)| name).join(", ");
        value_error(format!(
            "{}: say format=; the formats are {names}",
            path.display()
        ))
    })
}

/// Returns the boards to write. Boards keep their numbers.
fn to_write(deals: &Bound<'_, PyAny>) -> PyResult<Vec<FileBoard>> {
    if let Ok(board) = deals.cast::<Board>() {
        return Ok(vec![board.get().0.clone()]);
    }
    let is_text = deals.extract::<String>().is_ok();
    if is_text
        || deals.cast::<Deals>().is_ok()
        || deals.hasattr("__array_interface__")?
        || deals.hasattr("deals")?
        || deals.try_iter().is_err()
    {
        let deals: DealsArgument = deals.extract()?;
        return Ok(deals.deals.iter().map(FileBoard::of).collect());
    }
    deals
        .try_iter()?
        .map(|item| {
            let item = item?;
            match item.cast::<Board>() {
                Ok(board) => Ok(board.get().0.clone()),
                Err(_) => Ok(FileBoard::of(&item.extract::<DealArgument>()?.0)),
            }
        })
        .collect()
}

/// Writes deals or boards to a file. Its ending or `format` selects the format: pbn, lin, oneline, compact, all, zrd,
/// dl52, csv, json, or a format of dealing machines. The file appears only when it is complete. Returns what the format cannot
/// hold, with the number of boards for each.
#[pyfunction]
#[pyo3(signature = (path, deals, format=None))]
pub fn write_boards(
    py: Python<'_>,
    path: PathBuf,
    deals: &Bound<'_, PyAny>,
    format: Option<&str>,
) -> PyResult<Vec<(&'static str, usize)>> {
    let format = format_of(&path, format)?;
    let boards = to_write(deals)?;
    let loses = losses(&boards, format);
    let bytes = py.detach(|| encode(&boards, format));
    let bytes = bytes.map_err(|error| value_error(format!("{}: {error}", path.display())))?;
    py.detach(|| write_whole(&path, |file| file.write_all(&bytes)))
        .map_err(|error| with_name(error, &path))?;
    Ok(loses)
}

/// Returns what a format cannot hold of these boards, with the number of boards for each.
fn losses(boards: &[FileBoard], format: OutputFormat) -> Vec<(&'static str, usize)> {
    let mut counts: Vec<(&'static str, usize)> = Vec::new();
    let lost = (1..).zip(boards).flat_map(|(place, board)| {
        let has_marks = board.dealer.is_some() || board.vulnerable.is_some();
        match board.number.is_none() && has_marks {
            // Dealer and vulnerability are usual for the number that the board gets.
            true => format.loses(&board.clone().with_number(place)),
            false => format.loses(board),
        }
    });
    for what in lost {
        match counts.iter_mut().find(|(name, _)| *name == what) {
            Some((_, count)) => *count += 1,
            None => counts.push((what, 1)),
        }
    }
    counts
}

/// Writes a file under another name, and renames it when it is complete.
pub fn write_whole(
    path: &Path,
    write: impl FnOnce(&mut BufWriter<File>) -> io::Result<()>,
) -> io::Result<()> {
    let mut part = path.to_owned().into_os_string();
    part.push(".part");
    let written = File::create(&part).and_then(|file| {
        let mut file = BufWriter::new(file);
        write(&mut file)?;
        file.flush()?;
        fs::rename(&part, path)
    });
    if written.is_err() {
        let _ = fs::remove_file(&part);
    }
    written
}
