//! `croupier.record`: hand records, practice hands and labels as PDF.

use std::fs;
use std::path::PathBuf;

use croupier::records::{DocumentKind, PaperSize, PerPage, Sheet, pdf};
use pyo3::prelude::*;

use crate::arguments::{SeatArgument, value_error};
use crate::board::Board;
use crate::files::with_name;

/// Writes boards as a PDF document.
#[pyfunction]
#[pyo3(signature = (path, boards, kind, seats, paper, per_page, four_colour, title, date))]
#[expect(clippy::too_many_arguments, reason = "they are arguments in Python")]
pub fn write_pdf(
    py: Python<'_>,
    path: PathBuf,
    boards: Vec<Bound<'_, Board>>,
    kind: &str,
    seats: Vec<SeatArgument>,
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
        _ => {
            return Err(value_error(format!(
                "kind={kind:?} is not one of records, practice and labels"
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
    py.detach(|| fs::write(&path, pdf(&boards, &sheet)))
        .map_err(|error| with_name(error, &path))
}
