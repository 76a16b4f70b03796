//! Hand records: all hands of a board around a compass, points, makeable contracts, and par.

use cards::{CardSet, Seat, Side, Strain, TrickTable, Vulnerability};
use formats::Board;

use crate::document::{Align, Document};
use crate::font::FontWeight;
use crate::makes::{self, level_text, strain_text};
use crate::tools::{
    FAINT, FOOT, HEAD, INK, LINE, MARGIN, RISK, compass, frame, hand, look, name, runs,
    vulnerability,
};
use crate::{PerPage, Sheet};

/// Draws the pages of hand records.
pub fn pages(document: &mut Document, boards: &[Board], sheet: &Sheet) {
    let (columns, rows) = sheet.per_page.grid();
    let (width, height) = sheet.paper.size();
    let gap = match sheet.per_page {
        PerPage::Six => 9.0,
        PerPage::Twelve => 6.0,
        PerPage::ThirtySix => 3.0,
    };
    let share = |room: f32, parts: usize| (room - gap * (parts - 1) as f32) / parts as f32;
    let size = (
        share(width - 2.0 * MARGIN, columns),
        share(height - 2.0 * MARGIN - HEAD - FOOT, rows),
    );
    let pages = boards.len().div_ceil(columns * rows).max(1);
    let mut parts = boards.chunks(columns * rows);
    for page in 1..=pages {
        if page > 1 {
            document.next_page();
        }
        frame(document, sheet, "", (page, pages));
        for (place, board) in parts.next().unwrap_or_default().iter().enumerate() {
            let (column, row) = (place % columns, place / columns);
            let corner = (
                MARGIN + column as f32 * (size.0 + gap),
                MARGIN + HEAD + row as f32 * (size.1 + gap),
            );
            let card = Card {
                board,
                corner,
                size,
                four: sheet.four_colour,
            };
            match sheet.per_page {
                PerPage::ThirtySix => card.draw_small(document),
                PerPage::Six | PerPage::Twelve => card.draw(document),
            }
        }
    }
}

/// Draws the card of a board at `corner`.
pub fn draw_card(
    document: &mut Document,
    board: &Board,
    corner: (f32, f32),
    size: (f32, f32),
    four: bool,
) {
    let card = Card {
        board,
        corner,
        size,
        four,
    };
    card.draw(document);
}

/// Returns the high-card points, 4-3-2-1.
fn points(hand: CardSet) -> u32 {
    hand.into_iter()
        .map(|card| (card.rank().index() as u32).saturating_sub(8))
        .sum()
}

/// Returns the cards of a seat, if they are known.
pub fn cards_of(board: &Board, seat: Seat) -> Option<CardSet> {
    match board.deal() {
        Some(deal) => Some(deal.hand(seat)),
        None => board.hands.0[seat],
    }
}

/// Positions of the hands of a card: three rows around a compass.
struct Around {
    /// Font size and line distance.
    size: f32,
    leading: f32,
    /// The left and right ends of the card and its middle.
    left: f32,
    right: f32,
    middle: f32,
    /// The baselines of the first lines of the three rows.
    rows: [f32; 3],
    /// Half the width of the compass.
    half: f32,
    /// The left edge of North and South, and their maximum width.
    block: f32,
    fits: f32,
    /// The free space on West's and East's side of the compass.
    free: (f32, f32),
}

struct Card<'a> {
    board: &'a Board,
    corner: (f32, f32),
    size: (f32, f32),
    four: bool,
}

impl Card<'_> {
    fn dealer(&self) -> Seat {
        self.board.dealer.unwrap_or(Seat::North)
    }

    fn vulnerable(&self) -> Vulnerability {
        self.board.vulnerable.unwrap_or(Vulnerability::None)
    }

    fn vulnerable_style(&self, size: f32) -> crate::document::TextStyle {
        match self.vulnerable() {
            Vulnerability::None => look(size, FontWeight::Book, INK),
            _ => look(size, FontWeight::Bold, RISK),
        }
    }

    fn number(&self) -> String {
        self.board.number.unwrap_or(1).to_string()
    }

    /// Draws a card with data in its corners: number, par, points and makeable contracts around the four hands.
    fn draw(&self, document: &mut Document) {
        let ((x, y), (width, height)) = (self.corner, self.size);
        document.outline(LINE, 0.6, self.corner, self.size);
        let size = (width / 18.6).min(height / 16.6);
        let leading = 1.18 * size;
        let pad = 0.7 * size;
        let (left, right) = (x + pad, x + width - pad);
        let middle = x + width / 2.0;
        // Divide the free height between the three rows of hands.
        let between = (height - 2.0 * pad - 12.0 * leading) / 2.0;
        let row = |row: usize| y + pad + 0.88 * size + row as f32 * (4.0 * leading + between);
        let half = 2.3 * size;
        let block = middle - half + 0.35 * size;
        // The table and par begin where the cards of North and South end.
        let edge = block + 0.307 * width;
        let fits = edge - 0.4 * size - block;
        let corner = block - left - 0.4 * size;
        let big = look(1.75 * size, FontWeight::Bold, INK);
        let top = y + pad + 1.3 * size;
        document.text_within(big, Align::Left, (left, top), corner, &self.number());
        let words = format!("{} deals", name(self.dealer()));
        let plain = look(0.86 * size, FontWeight::Book, INK);
        let line = 1.1 * size;
        document.text(plain, Align::Left, (left, top + 1.25 * line), &words);
        document.text(
            self.vulnerable_style(0.86 * size),
            Align::Left,
            (left, top + 2.25 * line),
            vulnerability(self.vulnerable()),
        );
        let around = Around {
            size,
            leading,
            left,
            right,
            middle,
            rows: [row(0), row(1), row(2)],
            half,
            block,
            fits,
            free: (0.4 * size, 0.9 * size),
        };
        self.draw_hands(document, &around);
        let most = corner.min(right - edge);
        self.draw_par(document, (right, row(0)), 0.86 * size, most);
        let low = row(2);
        self.draw_points(document, (left + 2.1 * size, low + 0.9 * leading), size);
        if let Some(table) = &self.board.tricks {
            let room = right - edge;
            let top = low - 0.35 * between.min(leading);
            self.draw_grid(document, table, (right, top), room.min(6.8 * size), leading);
        }
    }

    /// Draws the four hands around the compass.
    fn draw_hands(&self, document: &mut Document, around: &Around) {
        let [north, middle, south] = around.rows;
        let west = around.middle - around.half - around.left - around.free.0;
        let east = around.middle + around.half + around.free.1;
        let places = [
            (Seat::North, (around.block, north), around.fits),
            (Seat::West, (around.left, middle), west),
            (Seat::East, (east, middle), around.right - east),
            (Seat::South, (around.block, south), around.fits),
        ];
        let lines = (around.size, around.leading);
        for (seat, place, most) in places {
            if let Some(cards) = cards_of(self.board, seat) {
                hand(document, cards, place, lines, most, self.four);
            }
        }
        let centre = (
            around.middle,
            middle - 0.88 * around.size + 2.0 * around.leading,
        );
        let (dealer, vulnerable) = (self.dealer(), self.vulnerable());
        compass(document, centre, 2.0 * around.half, dealer, vulnerable);
    }

    /// Draws par in the corner that ends at `right`: the score, and as many of the contracts as fit.
    fn draw_par(&self, document: &mut Document, (right, y): (f32, f32), size: f32, most: f32) {
        /// Maximum number of contracts with a line of their own.
        const SHOWN: usize = 3;
        let Some(par) = makes::par(self.board, self.four) else {
            return;
        };
        let text = vec![(FAINT, "Par ".to_owned()), (INK, par.score)];
        let bold = look(1.1 * size, FontWeight::Bold, INK);
        runs(document, bold, Align::Right, (right, y), most, &text);
        let plain = look(size, FontWeight::Book, INK);
        let mut y = y;
        let hidden = par.contracts.len().saturating_sub(SHOWN);
        for (line, contract) in par.contracts.iter().take(SHOWN).enumerate() {
            y += 1.22 * size;
            let mut contract = contract.clone();
            if hidden > 0 && line + 1 == SHOWN {
                contract.push((FAINT, " …".to_owned()));
            }
            runs(document, plain, Align::Right, (right, y), most, &contract);
        }
    }

    /// Draws the points of all hands, each in the position of its hand.
    fn draw_points(&self, document: &mut Document, (x, y): (f32, f32), size: f32) {
        let label = look(0.62 * size, FontWeight::Book, FAINT);
        document.text(label, Align::Centre, (x, y + 0.22 * size), "HCP");
        let style = look(0.92 * size, FontWeight::Book, INK);
        let offsets = [
            (0.0, -0.85 * size),
            (1.5 * size, 0.33 * size),
            (0.0, 1.45 * size),
            (-1.5 * size, 0.33 * size),
        ];
        for seat in Seat::ALL {
            let Some(cards) = cards_of(self.board, seat) else {
                continue;
            };
            let (dx, dy) = offsets[seat.index()];
            let text = points(cards).to_string();
            document.text(style, Align::Centre, (x + dx, y + dy), &text);
        }
    }

    /// Draws the twenty results: the level that each hand makes in each strain.
    fn draw_grid(
        &self,
        document: &mut Document,
        table: &TrickTable,
        (right, y): (f32, f32),
        width: f32,
        leading: f32,
    ) {
        let pitch = width / 6.0;
        let size = (0.92 * pitch).min(0.74 * leading);
        let step = 0.86 * leading;
        let column = |place: usize| right - (4 - place) as f32 * pitch - 0.45 * pitch;
        let top = y - 0.3 * leading;
        for (place, strain) in Strain::DESCENDING.into_iter().enumerate() {
            let (colour, text) = strain_text(strain, self.four);
            let style = look(size, FontWeight::Book, colour);
            let at = (column(place), top);
            document.text_within(style, Align::Centre, at, 0.95 * pitch, &text);
        }
        let rule = top + 0.28 * leading;
        document.line(LINE, 0.4, (right - width, rule), (right, rule));
        let seats = [Seat::North, Seat::South, Seat::East, Seat::West];
        for (line, seat) in seats.into_iter().enumerate() {
            let y = top + 0.1 * leading + (line + 1) as f32 * step;
            let letter = look(size, FontWeight::Bold, INK);
            let at = (right - width + 0.35 * pitch, y);
            document.text(letter, Align::Centre, at, &seat.letter().to_string());
            for (place, strain) in Strain::DESCENDING.into_iter().enumerate() {
                let tricks = table.tricks(seat, strain);
                let colour = if tricks > 6 { INK } else { FAINT };
                let style = look(size, FontWeight::Book, colour);
                document.text(
                    style,
                    Align::Centre,
                    (column(place), y),
                    &level_text(tricks),
                );
            }
        }
    }

    /// Draws a small card, of which a whole session fits on a page: makeable contracts are in two lines.
    fn draw_small(&self, document: &mut Document) {
        let ((x, y), (width, height)) = (self.corner, self.size);
        document.outline(LINE, 0.5, self.corner, self.size);
        let size = (width / 15.0).min(height / 19.2);
        let leading = 1.1 * size;
        let pad = 0.5 * size;
        let (left, right, middle) = (x + pad, x + width - pad, x + width / 2.0);
        let top = y + pad + 1.1 * size;
        let big = look(1.5 * size, FontWeight::Bold, INK);
        let taken = document.text(big, Align::Left, (left, top), &self.number());
        let vulnerable = vulnerability(self.vulnerable());
        let risk = self.vulnerable_style(0.95 * size);
        let said = document.text(risk, Align::Right, (right, top), vulnerable);
        let words = format!("{} deals", name(self.dealer()));
        let plain = look(0.95 * size, FontWeight::Book, INK);
        let room = right - left - taken - said - 1.2 * size;
        let at = (left + taken + 0.6 * size, top);
        document.text_within(plain, Align::Left, at, room, &words);
        let lines = 3.0 * 1.14 * size;
        let between = (height - 2.0 * pad - 1.5 * size - 12.0 * leading - lines) / 3.0;
        let row = |row: usize| {
            top + between + 1.15 * size + row as f32 * (4.0 * leading + between.min(size))
        };
        let half = 1.75 * size;
        let block = middle - half + 0.2 * size;
        let fits = 0.36 * width;
        let around = Around {
            size,
            leading,
            left,
            right,
            middle,
            rows: [row(0), row(1), row(2)],
            half,
            block,
            fits,
            free: (0.3 * size, 0.5 * size),
        };
        self.draw_hands(document, &around);
        let at = (left + 1.75 * size, row(2) + 1.1 * leading);
        self.draw_points(document, at, 0.95 * size);
        let small = look(0.92 * size, FontWeight::Book, INK);
        let mut y = y + height - pad - 2.55 * size;
        let room = right - left;
        if let Some(table) = &self.board.tricks {
            for side in [Side::NorthSouth, Side::EastWest] {
                let pieces = makes::line(table, side, self.four);
                runs(document, small, Align::Left, (left, y), room, &pieces);
                y += 1.14 * size;
            }
        } else {
            y += 2.28 * size;
        }
        if let Some(par) = makes::par(self.board, self.four) {
            let mut pieces = vec![(FAINT, "Par ".to_owned())];
            let hidden = par.contracts.len() > 1;
            pieces.extend(par.contracts.into_iter().next().unwrap_or_default());
            pieces.push((
                INK,
                format!("{} {}", if hidden { " …" } else { "" }, par.score),
            ));
            runs(document, small, Align::Left, (left, y), room, &pieces);
        }
    }
}
