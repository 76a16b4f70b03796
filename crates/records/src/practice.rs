//! Pages with the hands of one seat, for bidding practice of partners.

use cards::Seat;
use formats::Board;

use crate::Sheet;
use crate::card::cards_of;
use crate::document::{Align, Document};
use crate::font::FontWeight;
use crate::tools::{
    FAINT, FOOT, HEAD, INK, LINE, MARGIN, RISK, frame, hand, look, name, vulnerability,
};

/// Columns and rows of hands.
const GRID: (usize, usize) = (3, 8);

/// Draws the pages of each seat.
pub fn pages(document: &mut Document, boards: &[Board], seats: &[Seat], sheet: &Sheet) {
    let per_page = GRID.0 * GRID.1;
    let pages = boards.len().div_ceil(per_page).max(1);
    for (nth, &seat) in seats.iter().enumerate() {
        let mut parts = boards.chunks(per_page);
        for page in 1..=pages {
            if page > 1 || nth > 0 {
                document.next_page();
            }
            frame(document, sheet, name(seat), (page, pages));
            for (place, board) in parts.next().unwrap_or_default().iter().enumerate() {
                draw(document, board, seat, place, sheet);
            }
        }
    }
}

fn draw(document: &mut Document, board: &Board, seat: Seat, place: usize, sheet: &Sheet) {
    let (paper_width, paper_height) = sheet.paper.size();
    let gap = 5.0;
    let width = (paper_width - 2.0 * MARGIN - gap * (GRID.0 - 1) as f32) / GRID.0 as f32;
    let height =
        (paper_height - 2.0 * MARGIN - HEAD - FOOT - gap * (GRID.1 - 1) as f32) / GRID.1 as f32;
    let x = MARGIN + (place % GRID.0) as f32 * (width + gap);
    let y = MARGIN + HEAD + (place / GRID.0) as f32 * (height + gap);
    document.outline(LINE, 0.6, (x, y), (width, height));
    let (left, right) = (x + 6.0, x + width - 6.0);
    let top = y + 14.0;
    let number = board.number.unwrap_or(1).to_string();
    let taken = document.text(
        look(13.0, FontWeight::Bold, INK),
        Align::Left,
        (left, top),
        &number,
    );
    let dealer = board.dealer.unwrap_or(Seat::North);
    let words = format!("{} deals", name(dealer));
    let plain = look(8.5, FontWeight::Book, INK);
    let at = (left + taken + 6.0, top);
    document.text(plain, Align::Left, at, &words);
    let vulnerable = board.vulnerable.unwrap_or(cards::Vulnerability::None);
    let style = match vulnerable {
        cards::Vulnerability::None => plain,
        _ => look(8.5, FontWeight::Bold, RISK),
    };
    document.text(style, Align::Right, (right, top), vulnerability(vulnerable));
    let middle = x + 0.46 * width;
    if let Some(cards) = cards_of(board, seat) {
        let size = (10.5, (height - 26.0) / 4.0);
        let most = middle - left - 4.0;
        hand(
            document,
            cards,
            (left, y + 31.0),
            size,
            most,
            sheet.four_colour,
        );
    }
    // Room for the auction, with the dealer's first call under the dealer.
    let pitch = (right - middle) / 4.0;
    let rows = 4;
    let (first, step) = (y + 29.0, (height - 35.0) / rows as f32);
    let small = look(7.0, FontWeight::Book, FAINT);
    let order = [Seat::West, Seat::North, Seat::East, Seat::South];
    for (column, bidder) in order.into_iter().enumerate() {
        let style = match bidder == dealer {
            true => look(7.0, FontWeight::Bold, INK),
            false => small,
        };
        let at = (middle + (column as f32 + 0.5) * pitch, first - 3.0);
        document.text(style, Align::Centre, at, &bidder.letter().to_string());
    }
    for line in 0..=rows {
        let y = first + line as f32 * step;
        document.line(LINE, 0.35, (middle, y), (right, y));
    }
}
