//! DLM, the file of the Duplimate program for Windows: an INI file with a line for each board.
//!
//! `Board 07=` is followed by 26 letters and a checksum of three digits. The pack from ♠A to ♣2 is divided into pairs.
//! A letter from `a` to `p` encodes the holders of a pair: four times the seat of the first card (North 0, East 1,
//! South 2, West 3) plus that of the second. The checksum is the exclusive or of the number and of the 26 letters'
//! codes.

use std::collections::BTreeSet;
use std::io::BufRead;
use std::ops::RangeInclusive;

use cards::{Card, CardSet, Deal, Seat};

use crate::lines::{Lines, decode_text};
use crate::{Board, BoardReadError, Hands};

/// Highest board number in a DLM file.
pub const HIGHEST: u64 = 99;

/// Returns the letters of a deal.
fn letters(deal: &Deal) -> [u8; 26] {
    let holder = |place: usize| {
        let card = Card::from_index(51 - place)
            .map(CardSet::of)
            .unwrap_or_default();
        let held = |seat: &Seat| !deal.hand(*seat).is_disjoint(card);
        Seat::ALL.iter().position(held).unwrap_or(0) as u8
    };
    std::array::from_fn(|pair| b'a' + 4 * holder(2 * pair) + holder(2 * pair + 1))
}

fn checksum(number: u64, letters: &[u8]) -> u8 {
    letters
        .iter()
        .fold(number as u8, |sum, letter| sum ^ letter)
}

/// Writes a whole file. The numbers of the boards are consecutive, from `first` to at most [`HIGHEST`].
pub fn write(out: &mut Vec<u8>, first: u64, deals: &[Deal]) {
    let mut lines = Vec::new();
    for (number, deal) in (first..).zip(deals) {
        write_board(&mut lines, number, deal);
    }
    let last = first + (deals.len() as u64).saturating_sub(1);
    write_set(out, first..=last, &lines);
}

/// Writes the lines of one board.
pub fn write_board(out: &mut Vec<u8>, number: u64, deal: &Deal) {
    write_letters(out, number, &letters(deal));
}

fn write_letters(out: &mut Vec<u8>, number: u64, letters: &[u8; 26]) {
    let sum = checksum(number, letters);
    let text = decode_text(letters);
    let lines = format!("Duplicates {number:02}=0\r\nBoard {number:02}={text}{sum:03}\r\n");
    out.extend_from_slice(lines.as_bytes());
}

/// Writes a whole file around `lines`, the [lines](write_board) of the boards with the numbers `set`.
pub fn write_set(out: &mut Vec<u8>, set: RangeInclusive<u64>, lines: &[u8]) {
    let (first, last) = (*set.start(), *set.end());
    // The checksum contains a 1 because the cards are shown; the number of copies is 0.
    let sum = first ^ last ^ 1;
    let head = format!(
        "[Document]\r\nHeadline=croupier\r\nStatus=Show\r\nDuplicates=0\r\nFrom board={first}\r\nTo board={last}\r\n\
         Next board to duplimate=0\r\nPrintOuts=0\r\nCrypto key=0\r\nChecksum={sum}\r\n"
    );
    out.extend_from_slice(head.as_bytes());
    // The files of the machine have all 99 boards. Boards outside the set have a sorted pack.
    const SORTED: &[u8; 26] = b"aaaaaabffffffkkkkkklpppppp";
    for number in 1..first.min(HIGHEST + 1) {
        write_letters(out, number, SORTED);
    }
    out.extend_from_slice(lines);
    for number in last.saturating_add(1)..=HIGHEST {
        write_letters(out, number, SORTED);
    }
}

/// Reads boards from a DLM file.
#[derive(Debug)]
pub struct DlmReader<R> {
    lines: Lines<R>,
    from: u64,
    to: u64,
    /// Numbers of the set that have no line yet. Empty until the file has named both ends of the set.
    missing: BTreeSet<u64>,
    ended: bool,
}

impl<R: BufRead> DlmReader<R> {
    /// Creates a reader of the boards in `input`.
    pub fn new(input: R) -> Self {
        DlmReader {
            lines: Lines::new(input),
            from: 1,
            to: HIGHEST,
            missing: BTreeSet::new(),
            ended: false,
        }
    }
}

impl<R: BufRead> DlmReader<R> {
    /// Reports the next missing boards of the set, consecutive numbers in one message.
    fn next_missing(&mut self) -> Option<Result<Board, BoardReadError>> {
        let first = self.missing.pop_first()?;
        let mut last = first;
        while self.missing.remove(&(last + 1)) {
            last += 1;
        }
        let message = match first == last {
            true => "the file ends without this board".to_owned(),
            false => format!("the file ends without boards {first} to {last}"),
        };
        let line = self.lines.number();
        Some(Err(BoardReadError::board(line, first, message)))
    }
}

impl<R: BufRead> Iterator for DlmReader<R> {
    type Item = Result<Board, BoardReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        while !self.ended {
            let text = match self.lines.next_line() {
                Ok(Some(line)) => decode_text(line),
                Ok(None) => {
                    return self.next_missing();
                }
                Err(error) => {
                    self.ended = true;
                    return Some(Err(BoardReadError::io(self.lines.number(), error)));
                }
            };
            let Some((key, value)) = text.split_once('=') else {
                continue;
            };
            let (key, value) = (key.trim().to_ascii_lowercase(), value.trim());
            let number = || value.parse::<u64>().ok();
            match key.as_str() {
                "from board" => self.from = number().unwrap_or(self.from),
                "to board" => {
                    self.to = number().unwrap_or(self.to);
                    self.missing = (self.from..=self.to.min(HIGHEST)).collect();
                }
                key => {
                    let Some(number) = key
                        .strip_prefix("board ")
                        .and_then(|text| text.trim().parse().ok())
                    else {
                        continue;
                    };
                    if !(self.from..=self.to).contains(&number) {
                        continue;
                    }
                    self.missing.remove(&number);
                    let line = self.lines.number();
                    return Some(match hands(number, value) {
                        Ok(hands) => Ok(Board {
                            hands,
                            line,
                            ..Board::default()
                        }
                        .with_number(number)),
                        Err(message) => Err(BoardReadError::board(line, number, message)),
                    });
                }
            }
        }
        None
    }
}

fn hands(number: u64, value: &str) -> Result<Hands, String> {
    let bytes = value.as_bytes();
    let Some((letters, digits)) = bytes.split_at_checked(26) else {
        return Err(format!("a board has 26 letters, not {}", bytes.len()));
    };
    let mut held = [CardSet::EMPTY; 4];
    for (pair, letter) in letters.iter().map(u8::to_ascii_lowercase).enumerate() {
        let code = match letter {
            b'a'..=b'p' => usize::from(letter - b'a'),
            _ => return Err(format!("{:?} is no letter from a to p", char::from(letter))),
        };
        for (place, seat) in [(2 * pair, code / 4), (2 * pair + 1, code % 4)] {
            held[seat] |= Card::from_index(51 - place)
                .map(CardSet::of)
                .unwrap_or_default();
        }
    }
    let sum = checksum(number, &letters.to_ascii_lowercase());
    let given = decode_text(digits);
    if !given.is_empty() && given.parse() != Ok(sum) {
        return Err(format!(
            "the checksum is {sum:03}, not {given}: the board was changed"
        ));
    }
    let mut hands = Hands::default();
    for seat in Seat::ALL {
        hands.0[seat] = Some(held[seat.index()]);
    }
    hands.complete().map_err(|error| error.to_string())?;
    Ok(hands)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two lines that were published in discussions of the format.
    #[test]
    fn published_boards_have_the_checksum_that_we_compute() {
        for (letters, sum) in [
            ("jlifaelnecgmoldfjmcflinlap", 23),
            ("cgcajjjnakpkchipnjhmbmbpbh", 22),
        ] {
            assert_eq!(checksum(1, letters.as_bytes()), sum);
            assert!(hands(1, &format!("{letters}{sum:03}")).is_ok());
            assert!(hands(2, &format!("{letters}{sum:03}")).is_err());
        }
    }
}
