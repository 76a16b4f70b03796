//! `croupier.record`: hand records, practice hands and labels as PDF.

use std::io::Write;
use std::path::PathBuf;

use croupier::records::{DocumentKind, LessonParts, PaperSize, PerPage, Sheet, pdf};
use pyo3::prelude::*;

use crate::arguments::{SeatArgument, value_error};
use crate::board::Board;
use crate::files::{with_name, write_whole};

/// Writes boards as a PDF document.
#[pyfunction]
#[pyo3(signature = (path, boards, kind, seats, parts, paper, per_page, four_colour, title, date))]
#[expect(clippy::too_many_arguments, reason = "they are arguments in Python")]
pub fn write_pdf(
    py: Python<'_>,
    path: PathBuf,
    boards: Vec<Bound<'_, Board>>,
    kind: &str,
    seats: Vec<SeatArgument>,
    parts: Vec<String>,
    paper: &str,
    per_page: u32,
    four_colour: bool,
    title: String,
    date: String,
) -> PyResult<()> {
    let kind = match kind {
        "records" => DocumentKind::Records,
        "practice" => DocumentKind::Practice(seats.into_iter().map(|seat| seat.0).collect()),
        "labels" => DocumentKind::Labels,
        "lesson" => DocumentKind::Lesson(lesson_parts(&parts)?),
        _ => {
            return Err(value_error(format!(
                "kind={kind:?} is not one of records, practice, labels and lesson"
            )));
        }
    };
    let paper = match paper.to_ascii_lowercase().as_str() {
        "a4" => PaperSize::A4,
        "letter" => PaperSize::Letter,
        _ => {
            return Err(value_error(format!(
                "paper={paper:?} is not one of A4 and letter"
            )));
        }
    };
    let per_page = match per_page {
        6 => PerPage::Six,
        12 => PerPage::Twelve,
        36 => PerPage::ThirtySix,
        _ => {
            return Err(value_error(format!(
                "per_page={per_page} is not one of 6, 12 and 36"
            )));
        }
    };
    let sheet = Sheet {
        kind,
        paper,
        per_page,
        four_colour,
        title,
        date,
        ..Sheet::default()
    };
    let boards: Vec<croupier::formats::Board> =
        boards.iter().map(|board| board.get().0.clone()).collect();
    py.detach(|| {
        let bytes = pdf(&boards, &sheet);
        write_whole(&path, |file| file.write_all(&bytes))
    })
    .map_err(|error| with_name(error, &path))
}

/// Returns the parts of a lesson by name.
fn lesson_parts(names: &[String]) -> PyResult<LessonParts> {
    let mut parts = LessonParts::default();
    for name in names {
        match name.as_str() {
            "auction" => parts.auction = true,
            "play" => parts.play = true,
            "comments" => parts.comments = true,
            other => {
                return Err(value_error(format!(
                    "parts: {other:?} is not one of auction, play and comments"
                )));
            }
        }
    }
    Ok(parts)
}
