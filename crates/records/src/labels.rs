//! Labels for duplicate boards, on common sheets of labels.

use cards::{Seat, Vulnerability};
use formats::Board;

use crate::document::{Align, Document};
use crate::font::FontWeight;
use crate::tools::{FAINT, INK, RISK, compass, look, name, vulnerability};
use crate::{PaperSize, Sheet};

/// The positions of labels on a sheet, in points.
struct Stock {
    columns: usize,
    rows: usize,
    size: (f32, f32),
    pitch: (f32, f32),
    corner: (f32, f32),
}

const MM: f32 = 72.0 / 25.4;

/// Returns the positions. A4: 24 labels of 63.5 by 33.9 mm. Letter: 30 labels of 2 5/8 by 1 inch.
fn stock(paper: PaperSize) -> Stock {
    match paper {
        PaperSize::A4 => Stock {
            columns: 3,
            rows: 8,
            size: (63.5 * MM, 33.9 * MM),
            pitch: (66.0 * MM, 33.9 * MM),
            corner: (7.25 * MM, 12.9 * MM),
        },
        PaperSize::Letter => Stock {
            columns: 3,
            rows: 10,
            size: (189.0, 72.0),
            pitch: (198.0, 72.0),
            corner: (13.5, 36.0),
        },
    }
}

/// Draws sheets of labels.
pub fn pages(document: &mut Document, boards: &[Board], sheet: &Sheet) {
    let stock = stock(sheet.paper);
    let per_page = stock.columns * stock.rows;
    for (place, board) in boards.iter().enumerate() {
        if place > 0 && place % per_page == 0 {
            document.next_page();
        }
        let place = place % per_page;
        let (column, row) = (place % stock.columns, place / stock.columns);
        let x = stock.corner.0 + column as f32 * stock.pitch.0;
        let y = stock.corner.1 + row as f32 * stock.pitch.1;
        draw(document, board, (x, y), stock.size, sheet);
    }
}

fn draw(
    document: &mut Document,
    board: &Board,
    (x, y): (f32, f32),
    (width, height): (f32, f32),
    sheet: &Sheet,
) {
    // Printers are inaccurate by a millimetre or two.
    let pad = 6.0;
    let side = height - 2.0 * pad;
    let dealer = board.dealer.unwrap_or(Seat::North);
    let vulnerable = board.vulnerable.unwrap_or(Vulnerability::None);
    let centre = (x + width - pad - side / 2.0, y + height / 2.0);
    compass(document, centre, side, dealer, vulnerable);
    let (left, room) = (x + pad + 3.0, width - side - 3.0 * pad - 3.0);
    let number = board.number.unwrap_or(1).to_string();
    let big = look(0.46 * height, FontWeight::Bold, INK);
    let baseline = y + 0.47 * height;
    document.text_within(big, Align::Left, (left, baseline), room, &number);
    let size = 0.125 * height;
    let plain = look(size, FontWeight::Book, INK);
    let words = format!("{} deals", name(dealer));
    document.text_within(
        plain,
        Align::Left,
        (left, baseline + 1.5 * size),
        room,
        &words,
    );
    let style = match vulnerable {
        Vulnerability::None => plain,
        _ => look(size, FontWeight::Bold, RISK),
    };
    let at = (left, baseline + 2.75 * size);
    document.text_within(style, Align::Left, at, room, vulnerability(vulnerable));
    if !sheet.title.is_empty() {
        let small = look(0.8 * size, FontWeight::Book, FAINT);
        let at = (left, baseline + 3.95 * size);
        document.text_within(small, Align::Left, at, room, &sheet.title);
    }
}
