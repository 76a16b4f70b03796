//! A hand in one line: dotted, as a report item, and as an export switch.

use std::sync::LazyLock;

use cards::{CardSet, Deal, Holding, Rank, Seat, Side, Suit};

/// Ranks of one holding, high to low, with their number: 14 bytes that are copied as a whole.
#[derive(Clone, Copy)]
struct Ranks {
    text: [u8; 15],
    len: u8,
}

/// The text of all 8192 holdings. It determines the speed of printing: one copy per suit instead of a loop over bits
/// makes one-line output about four times as fast.
static RANKS: LazyLock<Box<[Ranks]>> = LazyLock::new(|| {
    let empty = Ranks {
        text: [b' '; 15],
        len: 0,
    };
    let letters = Rank::ALL.map(|rank| rank.letter() as u8);
    let mut list = Vec::with_capacity(usize::from(Holding::FULL.0) + 1);
    list.push(empty);
    for bits in 1..=Holding::FULL.0 {
        // Extend the text of the holding without its lowest card. This is faster than a loop over all cards, and a
        // program that prints a single deal waits for this table.
        let mut ranks: Ranks = list[usize::from(bits & (bits - 1))];
        ranks.text[usize::from(ranks.len)] = letters[bits.trailing_zeros() as usize];
        ranks.len += 1;
        list.push(ranks);
    }
    list.into_boxed_slice()
});

/// Maximum length of a dotted hand: thirteen ranks and three dots.
const DOTTED: usize = 16;

/// Writes the ranks of one suit of a hand, high to low, without separators.
pub fn holding(out: &mut Vec<u8>, hand: CardSet, suit: Suit) {
    let ranks = &RANKS[usize::from(hand.holding(suit).0)];
    out.extend_from_slice(&ranks.text[..usize::from(ranks.len)]);
}

/// Writes the ranks of one suit at the start of `line`, which has room for fifteen bytes. Returns their number.
pub(crate) fn place_holding(line: &mut [u8], hand: CardSet, suit: Suit) -> usize {
    let ranks = &RANKS[usize::from(hand.holding(suit).0)];
    line[..15].copy_from_slice(&ranks.text);
    usize::from(ranks.len)
}

/// Writes four dotted hands from `first` on, with blanks between them.
pub(crate) fn dotted_from(out: &mut Vec<u8>, deal: &Deal, first: Seat) {
    // 4 * 16 + 3 bytes, and room for the fixed-size copies.
    let mut line = [b' '; 67 + 16];
    let mut at = 0;
    for step in 0..4 {
        at += place_dotted(&mut line[at..], deal.hand(first.clockwise(step)));
        line[at] = b' ';
        at += 1;
    }
    out.extend_from_slice(&line[..at - 1]);
}

/// Bytes that [`place_spread`] writes: fourteen ranks and their blanks; unused ones are blank.
pub(crate) const SPREAD: usize = 28;

/// Writes the ranks of one suit, each with a blank after it, at the start of `line`; a dash for a void. Returns the
/// number of ranks or dashes.
pub(crate) fn place_spread(line: &mut [u8], hand: CardSet, suit: Suit) -> usize {
    let ranks = &RANKS[usize::from(hand.holding(suit).0)];
    if ranks.len == 0 {
        line[0] = b'-';
        return 1;
    }
    for (pair, &rank) in line[..SPREAD].chunks_exact_mut(2).zip(&ranks.text) {
        pair[0] = rank;
        pair[1] = b' ';
    }
    usize::from(ranks.len)
}

/// Writes a dotted hand at the start of `line`, which has room for [`DOTTED`] and fifteen more bytes. Returns its
/// length.
pub(crate) fn place_dotted(line: &mut [u8], hand: CardSet) -> usize {
    let mut at = 0;
    for suit in Suit::DESCENDING {
        let ranks = &RANKS[usize::from(hand.holding(suit).0)];
        line[at..at + 15].copy_from_slice(&ranks.text);
        at += usize::from(ranks.len);
        line[at] = b'.';
        at += 1;
    }
    at - 1
}

/// Writes a dotted hand: `AK32.T5..AJT9762`.
///
/// ```
/// # use cards::Deal;
/// let deal: Deal = "N:AKQ.AKQ.AKQ.AKQJ JT98.JT9.JT9.T98 7654.876.876.765 32.5432.5432.432".parse().unwrap();
/// let mut out = Vec::new();
/// croupier_formats::hand::dotted(&mut out, deal.hand(cards::Seat::North));
/// assert_eq!(out, b"AKQ.AKQ.AKQ.AKQJ");
/// ```
pub fn dotted(out: &mut Vec<u8>, hand: CardSet) {
    let mut line = [0u8; DOTTED + 16];
    let len = place_dotted(&mut line, hand);
    out.extend_from_slice(&line[..len]);
}

/// Returns the small letter of a seat: `n`, `e`, `s`, `w`.
fn letter(seat: Seat) -> u8 {
    seat.letter().to_ascii_lowercase() as u8
}

/// Returns the capitalised name of a seat: `North`.
pub(crate) fn name(seat: Seat) -> &'static str {
    ["North", "East", "South", "West"][seat.index()]
}

/// Writes a named hand of a report: seat letter, blank, dotted hand, blank.
pub fn report(out: &mut Vec<u8>, deal: &Deal, seat: Seat) {
    out.extend_from_slice(&[letter(seat), b' ']);
    dotted(out, deal.hand(seat));
    out.push(b' ');
}

/// Writes the four named hands in one line. A blank always follows West's.
pub fn all_four(out: &mut Vec<u8>, deal: &Deal) {
    let mut line = [0u8; 76 + 16];
    let len = place_all_four(&mut line, deal, b' ');
    out.extend_from_slice(&line[..len]);
}

/// Writes the four named hands, each followed by `after`: 4 * (2 + 16 + 1) = 76 bytes, and room for the fixed-size
/// copies. Returns the length.
fn place_all_four(line: &mut [u8; 76 + 16], deal: &Deal, after: u8) -> usize {
    let mut at = 0;
    for seat in Seat::ALL {
        line[at] = letter(seat);
        line[at + 1] = b' ';
        at += 2 + place_dotted(&mut line[at + 2..], deal.hand(seat));
        line[at] = after;
        at += 1;
    }
    at
}

/// Writes the whole deal in one line, with an optional value (`printoneline`).
pub fn one_line(out: &mut Vec<u8>, deal: &Deal, value: Option<i32>) {
    all_four(out, deal);
    if let Some(value) = value {
        crate::number::integer(out, i64::from(value));
    }
    out.push(b'\n');
}

/// Writes a line for each hand, and one for an optional value (`printcompact`).
pub fn compact(out: &mut Vec<u8>, deal: &Deal, value: Option<i32>) {
    let mut text = [0u8; 76 + 16];
    let len = place_all_four(&mut text, deal, b'\n');
    out.extend_from_slice(&text[..len]);
    if let Some(value) = value {
        crate::number::integer(out, i64::from(value));
        out.push(b'\n');
    }
}

/// Writes a hand as a predeal switch: `-W S753,HA963,DKJ4,CAK7` and a blank. Voids are omitted.
pub fn export_switch(out: &mut Vec<u8>, deal: &Deal, seat: Seat) {
    out.extend_from_slice(&[b'-', seat.letter() as u8, b' ']);
    suits_with_letters(out, deal.hand(seat));
    out.push(b' ');
}

/// Writes the suits of a hand with their letters, joined by commas: `S753,HA963,DKJ4,CAK7`.
fn suits_with_letters(out: &mut Vec<u8>, hand: CardSet) {
    let mut first = true;
    for suit in Suit::DESCENDING {
        if hand.holding(suit).0 != 0 {
            if !first {
                out.push(b',');
            }
            first = false;
            out.push(suit.letter() as u8);
            holding(out, hand, suit);
        }
    }
}

/// Writes the hand as a predeal switch on a line of its own (`export(seat)`).
pub fn export_seat(out: &mut Vec<u8>, deal: &Deal, seat: Seat) {
    export_switch(out, deal, seat);
    out.push(b'\n');
}

/// Writes both hands as predeal switches on one line (`export(NS)` or `export(EW)`).
pub fn export_side(out: &mut Vec<u8>, deal: &Deal, side: Side) {
    let [first, second] = side.seats();
    export_switch(out, deal, first);
    out.push(b' ');
    export_switch(out, deal, second);
    out.push(b'\n');
}
