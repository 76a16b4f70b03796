//! Common parts of all sheets: colours, suits in a line, the frame of a page, the compass.

use cards::{CardSet, Seat, Suit, Vulnerability};

use crate::Sheet;
use crate::document::{Align, Colour, Document, TextStyle};
use crate::font::FontWeight;

/// Colour of text.
pub const INK: Colour = [20, 24, 32];
/// Colour of less important text.
pub const FAINT: Colour = [95, 103, 115];
/// Colour of separating lines.
pub const LINE: Colour = [168, 175, 186];
/// Colour for vulnerable.
pub const RISK: Colour = [184, 20, 36];
/// Colour of the paper.
pub const WHITE: Colour = [255, 255, 255];
/// Distance from the edge of the paper, in points.
pub const MARGIN: f32 = 28.0;
/// Height of the title, in points.
pub const HEAD: f32 = 24.0;
/// Height of the footer, in points.
pub const FOOT: f32 = 16.0;

/// Returns the colour of a suit.
pub fn suit_colour(suit: Suit, four: bool) -> Colour {
    match (suit, four) {
        (Suit::Spades, _) | (Suit::Clubs, false) => INK,
        (Suit::Hearts, _) | (Suit::Diamonds, false) => [200, 16, 30],
        (Suit::Diamonds, true) => [212, 98, 0],
        (Suit::Clubs, true) => [10, 122, 52],
    }
}

/// Makes a text style.
pub fn look(size: f32, weight: FontWeight, colour: Colour) -> TextStyle {
    TextStyle {
        size,
        weight,
        colour,
    }
}

/// Parts of a line with their colours.
pub type Runs = Vec<(Colour, String)>;

/// Draws parts one after another, in a smaller size if they would be wider than `most`.
pub fn runs(
    document: &mut Document,
    mut style: TextStyle,
    align: Align,
    (x, y): (f32, f32),
    most: f32,
    pieces: &Runs,
) {
    let mut width = 0.0;
    for (_, text) in pieces {
        width += document.width(style, text);
    }
    if width > most {
        style.size *= most / width;
        width = most;
    }
    let mut at = match align {
        Align::Left => x,
        Align::Centre => x - width / 2.0,
        Align::Right => x - width,
    };
    for (colour, text) in pieces {
        let style = TextStyle {
            colour: *colour,
            ..style
        };
        at += document.text(style, Align::Left, (at, y), text);
    }
}

/// Draws a hand in four lines that begin at `x`, the first with its baseline at `y`.
pub fn hand(
    document: &mut Document,
    cards: CardSet,
    (x, y): (f32, f32),
    (size, leading): (f32, f32),
    most: f32,
    four: bool,
) {
    let style = look(size, FontWeight::Book, INK);
    // The widest symbol determines the indentation, so that the cards are aligned.
    let indent = document.width(style, "♠♥♦♣") / 4.0 + 0.25 * size;
    for (line, suit) in Suit::DESCENDING.into_iter().enumerate() {
        let y = y + line as f32 * leading;
        let symbol = look(size, FontWeight::Book, suit_colour(suit, four));
        document.text(symbol, Align::Left, (x, y), &suit.symbol().to_string());
        let held = cards.holding(suit);
        let ranks = match held.is_empty() {
            true => "–".to_owned(),
            false => held.to_string().replace('T', "10"),
        };
        document.text_within(style, Align::Left, (x + indent, y), most - indent, &ranks);
    }
}

/// Returns the vulnerability in the words of a hand record.
pub fn vulnerability(vulnerable: Vulnerability) -> &'static str {
    match vulnerable {
        Vulnerability::None => "None vul",
        Vulnerability::NorthSouth => "N-S vul",
        Vulnerability::EastWest => "E-W vul",
        Vulnerability::Both => "Both vul",
    }
}

/// Returns the name of a seat.
pub fn name(seat: Seat) -> &'static str {
    ["North", "East", "South", "West"][seat.index()]
}

/// Draws a compass around `centre`: dark red bands for vulnerable sides, white ones for others, and the dealer's letter
/// on a black disc. It is readable without colours.
pub fn compass(
    document: &mut Document,
    (x, y): (f32, f32),
    side: f32,
    dealer: Seat,
    vulnerable: Vulnerability,
) {
    let (half, inner) = (side / 2.0, side * 0.2);
    let at = |dx: f32, dy: f32| (x + dx, y + dy);
    // Outer and inner corners of each band, clockwise from the north-western corner.
    let outer = [(-half, -half), (half, -half), (half, half), (-half, half)];
    let within = [
        (-inner, -inner),
        (inner, -inner),
        (inner, inner),
        (-inner, inner),
    ];
    let middle = (half + inner) / 2.0;
    let middles = [(0.0, -middle), (middle, 0.0), (0.0, middle), (-middle, 0.0)];
    for seat in Seat::ALL {
        let (i, j) = (seat.index(), (seat.index() + 1) % 4);
        let corners = [outer[i], outer[j], within[j], within[i]].map(|(dx, dy)| at(dx, dy));
        let risky = vulnerable.includes(seat.side());
        document.polygon(if risky { RISK } else { WHITE }, &corners);
        for k in 0..4 {
            document.line(INK, side * 0.012, corners[k], corners[(k + 1) % 4]);
        }
        let (mx, my) = at(middles[i].0, middles[i].1);
        let size = side * 0.22;
        let mut colour = if risky { WHITE } else { INK };
        if seat == dealer {
            document.disc([0, 0, 0], (mx, my), side * 0.142);
            colour = WHITE;
        }
        let letter = seat.letter().to_string();
        let place = (mx, my + 0.365 * size);
        let style = look(size, FontWeight::Bold, colour);
        document.text(style, Align::Centre, place, &letter);
    }
}

/// Draws title and date at the top, commitment and page number at the bottom.
pub fn frame(document: &mut Document, sheet: &Sheet, part: &str, (page, pages): (usize, usize)) {
    let (width, height) = sheet.paper.size();
    let baseline = MARGIN + 11.0;
    let right = width - MARGIN;
    let date = look(10.0, FontWeight::Book, FAINT);
    let taken = document.text(date, Align::Right, (right, baseline), &sheet.date);
    let title = look(14.0, FontWeight::Bold, INK);
    let room = right - MARGIN - taken - 12.0;
    let text = match (sheet.title.as_str(), part) {
        (title, "") => title.to_owned(),
        ("", part) => part.to_owned(),
        (title, part) => format!("{title} · {part}"),
    };
    document.text_within(title, Align::Left, (MARGIN, baseline), room, &text);
    let foot = height - MARGIN + 3.0;
    let small = look(7.0, FontWeight::Book, FAINT);
    if !sheet.commitment.is_empty() {
        let text = format!("Commitment SHA-256 {}", sheet.commitment);
        document.text_within(small, Align::Left, (MARGIN, foot), 400.0, &text);
    }
    let text = format!("Page {page} of {pages}");
    document.text(small, Align::Right, (right, foot), &text);
}
