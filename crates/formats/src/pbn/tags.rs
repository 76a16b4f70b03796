//! The `printpbn` action: the layout of the classic programs.

use cards::{Deal, Seat, Vulnerability};

use crate::hand;
use crate::number;
use crate::style::PrintStyle;

/// Values of the tags of a deal besides the cards.
#[derive(Clone, Copy, Debug)]
pub struct DealTags<'a> {
    /// The name of the script as given; `None` for standard input.
    pub script: Option<&'a [u8]>,
    /// The seed: a number, or `key:` and hexadecimal digits.
    pub seed: &'a str,
    /// The title; empty for none.
    pub title: &'a [u8],
    /// Day of the run, `YYYY.MM.DD`.
    pub date: &'a str,
    /// The number of the board.
    pub board: i64,
    /// The dealer that the script sets; by default it follows from the number.
    pub dealer: Option<Seat>,
    /// The vulnerability that the script sets; by default it follows from the number.
    pub vulnerable: Option<Vulnerability>,
}

/// Writes the tags of one deal and the empty line after them.
pub fn deal_tags(out: &mut Vec<u8>, style: &PrintStyle, tags: &DealTags, deal: &Deal) {
    let quoted = |out: &mut Vec<u8>, text: &[u8]| {
        if style.escape_tags {
            super::export::escaped(out, text, usize::MAX);
        } else {
            out.extend_from_slice(text);
        }
    };
    let mut text = |text: &str| out.extend_from_slice(text.as_bytes());
    text("[Event \"Hand simulated by ");
    text(style.program);
    text(" with file ");
    quoted(out, tags.script.unwrap_or(b"(null)"));
    let mut text = |text: &str| out.extend_from_slice(text.as_bytes());
    text(", seed ");
    text(tags.seed);
    text("\"]\n[Site \"-\"]\n");
    if style.captioned && !tags.title.is_empty() {
        text("[Description \"");
        quoted(out, tags.title);
        out.extend_from_slice(b"\"]\n");
    }
    let mut text = |text: &str| out.extend_from_slice(text.as_bytes());
    if let Some(generator) = style.generator {
        text("[Generator \"");
        text(generator);
        text("\"]\n");
    }
    text("[Date \"");
    text(tags.date);
    text("\"]\n[Board \"");
    number::integer(out, tags.board);
    let mut text = |text: &str| out.extend_from_slice(text.as_bytes());
    text("\"]\n[West \"-\"]\n[North \"-\"]\n[East \"-\"]\n[South \"-\"]\n[Dealer \"");
    // The cycles of dealer and vulnerability continue below board 1.
    let board = tags.board.rem_euclid(16) as u64;
    let dealer = tags.dealer.unwrap_or(Seat::dealer_of_board(board));
    let vulnerable = tags.vulnerable.unwrap_or(Vulnerability::of_board(board));
    text(dealer.letter().encode_utf8(&mut [0; 4]));
    text("\"]\n[Vulnerable \"");
    text(vulnerable.pbn());
    text("\"]\n[Deal \"N:");
    for seat in Seat::ALL {
        if seat != Seat::North {
            out.push(b' ');
        }
        hand::dotted(out, deal.hand(seat));
    }
    out.extend_from_slice(b"\"]\n[Declarer \"?\"]\n[Contract \"?\"]\n[Result \"?\"]\n\n");
}
