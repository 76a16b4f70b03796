//! The pages with spaced cards: `printall`, the two-handed pages and `print(seats)`.

use cards::{CardSet, Deal, Seat, Side, Suit};

use crate::hand;
use crate::number;
use crate::style::PrintStyle;

/// Cards in a column of full width. Longer suits shift the rest of the line to the right.
pub(crate) const COLUMN_CARDS: usize = 10;

/// Writes one suit of several hands side by side, and the line end. A blank follows every rank; a void is `- ` and
/// counts as one card.
fn suit_line(out: &mut Vec<u8>, indent: &str, hands: &[CardSet], suit: Suit) {
    /// Maximum length of a line: four hands, of which three fill their columns and one has all thirteen cards.
    const LONGEST: usize = 2 * (3 * COLUMN_CARDS + 13) + hand::SPREAD;
    out.extend_from_slice(indent.as_bytes());
    for row in hands.chunks(4) {
        let mut line = [b' '; LONGEST];
        let mut at = 0;
        for (index, &hand) in row.iter().enumerate() {
            let printed = hand::place_spread(&mut line[at..], hand, suit);
            let width = if index + 1 < row.len() {
                printed.max(COLUMN_CARDS)
            } else {
                printed
            };
            at += 2 * width;
        }
        out.extend_from_slice(&line[..at]);
    }
    out.push(b'\n');
}

fn suit_lines(out: &mut Vec<u8>, indent: &str, hands: &[CardSet]) {
    for suit in Suit::DESCENDING {
        suit_line(out, indent, hands, suit);
    }
    out.push(b'\n');
}

/// Data of a page besides the cards.
#[derive(Clone, Copy, Debug)]
pub struct Caption<'a> {
    /// The title; empty for none.
    pub title: &'a [u8],
    /// Number of deals produced, including this one.
    pub produced: u64,
    /// The number printed on the board.
    pub board: i64,
    /// Number of actions of the same kind before this one in the action list.
    pub earlier: usize,
}

/// Writes the title of a page if this board begins one.
fn page_title(out: &mut Vec<u8>, style: &PrintStyle, caption: &Caption) {
    if !caption.title.is_empty() && style.title_is_due(caption.produced, caption.earlier) {
        out.extend_from_slice(b"                  [");
        out.extend_from_slice(caption.title);
        out.extend_from_slice(b"]\n");
    }
}

/// Writes the form feed after every tenth board of a titled set.
fn page_break(out: &mut Vec<u8>, style: &PrintStyle, caption: &Caption) {
    if style.captioned && !caption.title.is_empty() && caption.produced.is_multiple_of(10) {
        out.push(b'\x0c');
    }
}

/// Writes the four hands side by side (`printall`).
pub fn four_hands(out: &mut Vec<u8>, style: &PrintStyle, caption: &Caption, deal: &Deal) {
    page_title(out, style, caption);
    number::padded(out, 4, caption.board);
    out.push(b'.');
    if style.captioned {
        out.extend_from_slice(b" North              East                South               West ");
    }
    out.push(b'\n');
    suit_lines(out, style.indent, &Seat::ALL.map(|seat| deal.hand(seat)));
    page_break(out, style, caption);
}

/// Writes the two hands of a side, West or South on the left (`printew`, `printns`, `printside`).
pub fn two_hands(
    out: &mut Vec<u8>,
    style: &PrintStyle,
    caption: &Caption,
    deal: &Deal,
    side: Side,
) {
    let [left, right] = match side {
        Side::NorthSouth => [Seat::South, Seat::North],
        Side::EastWest => [Seat::West, Seat::East],
    };
    if style.captioned {
        page_title(out, style, caption);
        number::padded(out, 4, caption.board);
        for (before, seat) in [(". ", left), ("              ", right)] {
            let name = hand::name(seat);
            out.extend_from_slice(before.as_bytes());
            out.extend_from_slice(name.as_bytes());
            out.resize(out.len() + 5usize.saturating_sub(name.len()), b' ');
        }
        out.push(b'\n');
    }
    suit_lines(out, style.indent, &[deal.hand(left), deal.hand(right)]);
    page_break(out, style, caption);
}

/// Deals in a row of `print(seats)`.
const ROW: usize = 4;

/// Writes the hands of each seat at the end of a run, seats in the order of play from North, four deals in a row
/// (`print(seats)`). `boards` has each kept deal with its board number.
pub fn hands_of_seats<I>(
    out: &mut Vec<u8>,
    style: &PrintStyle,
    title: &[u8],
    seats: &[Seat],
    boards: I,
) where
    I: Iterator<Item = (i64, Deal)> + Clone,
{
    for seat in Seat::ALL.into_iter().filter(|seat| seats.contains(seat)) {
        seat_heading(out, style, title, seat);
        let mut rest = boards.clone().peekable();
        while rest.peek().is_some() {
            let row: Vec<(i64, Deal)> = rest.by_ref().take(ROW).collect();
            row_of_hands(out, seat, &row);
        }
        out.push(b'\x0c');
    }
}

/// Writes the heading of one seat of `print(seats)`.
pub fn seat_heading(out: &mut Vec<u8>, style: &PrintStyle, title: &[u8], seat: Seat) {
    if style.captioned && !title.is_empty() {
        out.extend_from_slice(title);
        out.push(b'\n');
    }
    let (before, after) = style.seat_heading;
    out.extend_from_slice(before.as_bytes());
    out.extend_from_slice(hand::name(seat).as_bytes());
    out.extend_from_slice(b" hands:");
    out.extend_from_slice(after.as_bytes());
}

/// Writes up to four hands of one seat side by side, each under its board number.
pub fn row_of_hands(out: &mut Vec<u8>, seat: Seat, row: &[(i64, Deal)]) {
    for &(board, _) in row {
        number::padded(out, 4, board);
        out.extend_from_slice(b".               ");
    }
    out.push(b'\n');
    let hands: Vec<CardSet> = row.iter().map(|(_, deal)| deal.hand(seat)).collect();
    suit_lines(out, "", &hands);
}
