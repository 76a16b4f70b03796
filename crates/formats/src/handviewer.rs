//! Links to the hand viewer of Bridge Base Online.
//!
//! The written address has a whole LIN board after `lin=`. The reader also accepts links with separate hands: `n=`,
//! `e=`, `s=` and `w=` (suit letters and ranks), `d=` dealer, `v=` vulnerability, `b=` board, `a=` auction, `p=` play,
//! `c=` claim, and `nn=`, `en=`, `sn=`, `wn=` names.

use cards::{Deal, Seat, notation};

use crate::lin::{self, percent_decode};
use crate::lines::decode_text;
use crate::{Board, BoardNames, Hands, Record};

/// The address before the board.
pub const ADDRESS: &str = "https://www.bridgebase.com/tools/handviewer.html?lin=";

/// Writes the link of a board on a line of its own.
pub fn write(out: &mut Vec<u8>, board: &Board, deal: &Deal) {
    let mut line = Vec::new();
    let known = Board {
        hands: Hands::of(deal),
        ..board.clone()
    };
    lin::write(&mut line, &known);
    out.extend_from_slice(ADDRESS.as_bytes());
    for byte in line.trim_ascii_end() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'_' | b'.' | b'~' | b',' => {
                out.push(*byte)
            }
            byte => out.extend_from_slice(format!("%{byte:02X}").as_bytes()),
        }
    }
    out.push(b'\n');
}

/// Reads a board from the parameters of an address.
pub(crate) fn board(query: &str, line: u64) -> Result<Board, String> {
    let mut board = Board {
        line,
        ..Board::default()
    };
    let (mut names, mut record) = (BoardNames::default(), Record::default());
    for part in query.replace("&amp;", "&").split('&') {
        let Some((key, value)) = part.split_once('=') else {
            continue;
        };
        let value = decode_text(&percent_decode(value.as_bytes()));
        let value = value.trim();
        let key = key.to_ascii_lowercase();
        match key.as_str() {
            "n" | "e" | "s" | "w" => {
                let seat: Seat = key
                    .parse()
                    .map_err(|error: cards::NotationError| error.to_string())?;
                let cards = notation::suit_holdings(value)
                    .map_err(|error| format!("{}: {error}", seat.name()))?;
                board.hands.0[seat] = Some(cards);
            }
            "nn" | "en" | "sn" | "wn" => {
                if let Ok(seat) = key[..1].parse::<Seat>() {
                    names.players[seat] = value.to_owned();
                }
            }
            "d" => board.dealer = value.parse().ok(),
            "v" => board.vulnerable = value.get(..1).and_then(|first| first.parse().ok()),
            "b" => board.number = value.parse().ok().filter(|&number| number > 0),
            "a" => calls(value, &mut record),
            "p" => {
                let symbols: Vec<char> = value
                    .chars()
                    .filter(|c| c.is_ascii_alphanumeric())
                    .collect();
                let card = |pair: &[char]| pair.iter().collect::<String>().parse().ok();
                record.play = symbols.chunks(2).map_while(card).collect();
            }
            "c" => record.result = value.parse().ok().filter(|&tricks| tricks <= 13),
            _ => {}
        }
    }
    board.hands.complete().map_err(|error| error.to_string())?;
    record.conclude(board.dealer, record.is_over());
    record.result = record.result.or_else(|| record.result_of_play());
    board.names = (names != BoardNames::default()).then(|| Box::new(names));
    board.record = (!record.is_empty()).then(|| Box::new(record));
    Ok(board)
}

/// Reads calls without separators: `1n!(15-17)ppp`. `p`, `d` and `r` are single letters, explanations are in
/// parentheses, dashes are ignored.
fn calls(text: &str, record: &mut Record) {
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        let last = record.auction.len().checked_sub(1);
        match c.to_ascii_lowercase() {
            call @ ('p' | 'd' | 'x' | 'r') => record.auction.push(call.to_string()),
            level @ '1'..='7' => {
                if let Some(strain) = chars.next_if(char::is_ascii_alphabetic) {
                    // 1n and 1nt mean the same call.
                    chars.next_if(|next| next.eq_ignore_ascii_case(&'t'));
                    record
                        .auction
                        .push(format!("{level}{}", strain.to_ascii_uppercase()));
                }
            }
            '!' => record.notes.extend(last.map(|last| (last, String::new()))),
            '(' => {
                let note: String = chars.by_ref().take_while(|&c| c != ')').collect();
                if let Some(last) = last {
                    record
                        .notes
                        .retain(|(at, text)| *at != last || !text.is_empty());
                    record.notes.push((last, note));
                }
            }
            _ => {}
        }
    }
}
