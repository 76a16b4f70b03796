//! Tables with many rows, on as many pages as they need.

use crate::document::{Align, Document};
use crate::font::FontWeight;
use crate::tools::{FAINT, FOOT, HEAD, INK, MARGIN, frame, look};
use crate::{PaperSize, Sheet};

/// Height of a row, and size of its text, in points.
const ROW: f32 = 11.0;
const TEXT: f32 = 8.0;

/// Space between two columns, in points.
const GAP: f32 = 8.0;

/// A table to print.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TableSheet {
    /// Title at the top of each page.
    pub title: String,
    /// Titles of the columns.
    pub columns: Vec<String>,
    /// The rows; each has a text for every column.
    pub rows: Vec<Vec<String>>,
    /// The paper.
    pub paper: PaperSize,
}

/// Prints a table. Columns are as wide as their longest text; if they are wider than the page together, all get less.
///
/// ```
/// let table = croupier_records::TableSheet {
///     title: "Suits".to_owned(),
///     columns: vec!["North".to_owned(), "South".to_owned()],
///     rows: vec![vec!["AQ".to_owned(), "32".to_owned()]; 100],
///     ..croupier_records::TableSheet::default()
/// };
/// assert!(croupier_records::table_pdf(&table).starts_with(b"%PDF-"));
/// ```
#[must_use]
pub fn table_pdf(table: &TableSheet) -> Vec<u8> {
    let (width, height) = table.paper.size();
    let mut document = Document::new((width, height));
    let sheet = Sheet {
        title: table.title.clone(),
        paper: table.paper,
        ..Sheet::default()
    };
    let widths = column_widths(&mut document, table, width - 2.0 * MARGIN);
    let top = MARGIN + HEAD;
    let fitting = ((height - MARGIN - FOOT - top) / ROW) as usize;
    let on_page = fitting.saturating_sub(1).max(1);
    let pages = table.rows.len().div_ceil(on_page).max(1);
    for page in 0..pages {
        if page > 0 {
            document.next_page();
        }
        frame(&mut document, &sheet, "", (page + 1, pages));
        let mut y = top + ROW;
        draw_row(&mut document, &table.columns, &widths, y, FontWeight::Bold);
        let line = y + 2.5;
        document.line(FAINT, 0.5, (MARGIN, line), (width - MARGIN, line));
        let rows = table.rows.iter().skip(page * on_page).take(on_page);
        for row in rows {
            y += ROW;
            draw_row(&mut document, row, &widths, y, FontWeight::Book);
        }
    }
    document.finish(&table.title)
}

fn column_widths(document: &mut Document, table: &TableSheet, room: f32) -> Vec<f32> {
    let mut widths = vec![0.0f32; table.columns.len()];
    let titles = std::iter::once((&table.columns, FontWeight::Bold));
    let rows = table.rows.iter().map(|row| (row, FontWeight::Book));
    for (row, weight) in titles.chain(rows) {
        for (width, text) in widths.iter_mut().zip(row) {
            let style = look(TEXT, weight, INK);
            *width = width.max(document.width(style, text) + GAP);
        }
    }
    let all: f32 = widths.iter().sum();
    if all > room {
        for width in &mut widths {
            *width *= room / all;
        }
    }
    widths
}

fn draw_row(document: &mut Document, row: &[String], widths: &[f32], y: f32, weight: FontWeight) {
    let mut x = MARGIN;
    for (text, &width) in row.iter().zip(widths) {
        let style = look(TEXT, weight, INK);
        document.text_within(style, Align::Left, (x, y), width - GAP / 2.0, text);
        x += width;
    }
}
