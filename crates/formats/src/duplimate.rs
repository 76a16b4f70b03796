//! The files of Duplimate dealing machines: DUP, and its two parts BRI and DGE.
//!
//! A BRI part is 78 digits: the cards of North, East and South, two digits each from 01 (♠A) to 52 (♣2). A DGE part is
//! 68 bytes: the four hands from North on, each suit after a symbol of the DOS character set (♠ 6, ♥ 3, ♦ 4, ♣ 5). A
//! record of a BRI file has 128 bytes (the part, then blanks and zeros), one of a DGE file 128 (then zeros), and one of
//! a DUP file 156: both parts and ten bytes for the machine, with the lowest and highest number of the set. BRI and DGE
//! have no board numbers. Dealer and vulnerability are in none of them; they follow from the number.

use std::io::{self, BufRead};

use cards::{Card, CardSet, Deal, Rank, Seat, Suit};

use crate::{Board, BoardReadError, Hands};

/// Bytes of a BRI part.
const BRI: usize = 78;
/// Bytes of a DGE part.
const DGE: usize = 68;
/// Bytes of a record of a BRI or DGE file.
pub const RECORD: usize = 128;
/// Bytes of a record of a DUP file.
pub const DUP_RECORD: usize = 156;
/// Highest board number in a DUP file.
pub const HIGHEST: u64 = 999;

/// The ranks from the ace down.
const RANKS: &[u8; 13] = b"AKQJT98765432";

/// One of the three Duplimate formats.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DuplimateFormat {
    /// Both parts and the bytes for the machine.
    Dup,
    /// Cards as digits.
    Bri,
    /// Cards as suits and ranks.
    Dge,
}

impl DuplimateFormat {
    fn record_length(self) -> usize {
        match self {
            DuplimateFormat::Dup => DUP_RECORD,
            DuplimateFormat::Bri | DuplimateFormat::Dge => RECORD,
        }
    }
}

/// Returns the symbol of a suit in the DOS character set.
fn symbol(suit: Suit) -> u8 {
    match suit {
        Suit::Spades => 6,
        Suit::Hearts => 3,
        Suit::Diamonds => 4,
        Suit::Clubs => 5,
    }
}

/// Returns the number of a card, 1 (♠A) to 52 (♣2).
fn number_of(card: Card) -> u8 {
    52 - card.index() as u8
}

fn bri_part(out: &mut Vec<u8>, deal: &Deal) {
    for seat in [Seat::North, Seat::East, Seat::South] {
        let mut numbers: Vec<u8> = deal.hand(seat).into_iter().map(number_of).collect();
        numbers.sort_unstable();
        for number in numbers {
            out.extend_from_slice(&[b'0' + number / 10, b'0' + number % 10]);
        }
    }
}

fn dge_part(out: &mut Vec<u8>, deal: &Deal) {
    for seat in Seat::ALL {
        for suit in Suit::DESCENDING {
            out.push(symbol(suit));
            crate::hand::holding(out, deal.hand(seat), suit);
        }
    }
}

/// Writes a record of a BRI file.
pub fn write_bri(out: &mut Vec<u8>, deal: &Deal) {
    bri_part(out, deal);
    out.extend_from_slice(&[b' '; 32]);
    out.extend_from_slice(&[0; 18]);
}

/// Writes a record of a DGE file.
pub fn write_dge(out: &mut Vec<u8>, deal: &Deal) {
    dge_part(out, deal);
    out.extend_from_slice(&[0; RECORD - DGE]);
}

/// Writes a record of a DUP file whose set has these numbers.
pub fn write_dup(out: &mut Vec<u8>, deal: &Deal, lowest: u64, highest: u64) {
    bri_part(out, deal);
    dge_part(out, deal);
    // Flags: random hands, ascending numbers, one copy of each board.
    let machine = format!(
        "YN{lowest:<3.3}1 {highest:<3.3}",
        lowest = lowest.to_string(),
        highest = highest.to_string()
    );
    out.extend_from_slice(machine.as_bytes());
}

/// Writes the highest number of the set into all records of a DUP file.
pub fn set_highest(records: &mut [u8], highest: u64) {
    for record in records.chunks_exact_mut(DUP_RECORD) {
        let number = format!("{:<3.3}", highest.to_string());
        record[DUP_RECORD - 3..].copy_from_slice(number.as_bytes());
    }
}

/// Highest number of copies of each board that a DUP record can hold.
pub const MOST_COPIES: u8 = 99;

/// Writes the number of copies of each board, at most [`MOST_COPIES`], into all records of a DUP file.
pub fn set_copies(records: &mut [u8], copies: u8) {
    for record in records.chunks_exact_mut(DUP_RECORD) {
        let number = format!("{:<2}", copies.min(MOST_COPIES));
        record[DUP_RECORD - 5..DUP_RECORD - 3].copy_from_slice(number.as_bytes());
    }
}

/// Returns which of the three formats the file has, if any.
#[must_use]
pub fn detect(sample: &[u8]) -> Option<DuplimateFormat> {
    if let Some(part) = sample.get(..BRI)
        && read_bri(part).is_ok()
    {
        let dge = sample.get(BRI..BRI + DGE);
        let dup = dge
            .is_some_and(|part| part.iter().all(|&byte| byte == b' ') || part.first() == Some(&6));
        let machine = sample.get(BRI + DGE..BRI + DGE + 2);
        let asked = machine.is_some_and(|two| two.iter().all(|byte| matches!(byte, b'Y' | b'N')));
        return Some(if dup && asked {
            DuplimateFormat::Dup
        } else {
            DuplimateFormat::Bri
        });
    }
    let part = sample.get(..DGE)?;
    (part[0] == 6 && read_dge(part).is_ok()).then_some(DuplimateFormat::Dge)
}

fn read_bri(part: &[u8]) -> Result<Hands, String> {
    let mut hands = Hands::default();
    for (seat, digits) in [Seat::North, Seat::East, Seat::South]
        .into_iter()
        .zip(part.chunks_exact(26))
    {
        let mut cards = CardSet::EMPTY;
        for pair in digits.chunks_exact(2) {
            let number = match pair {
                [a @ b'0'..=b'9', b @ b'0'..=b'9'] => usize::from((a - b'0') * 10 + (b - b'0')),
                _ => {
                    return Err(format!(
                        "{}: a card is two digits, not {:?}",
                        seat.name(),
                        show(pair)
                    ));
                }
            };
            let card = 52_usize.checked_sub(number).and_then(Card::from_index);
            let card = card.ok_or_else(|| {
                format!(
                    "{}: there is no card {number:02}; they go from 01 to 52",
                    seat.name()
                )
            })?;
            if !cards.is_disjoint(CardSet::of(card)) {
                return Err(format!("{} holds card {number:02} twice", seat.name()));
            }
            cards |= CardSet::of(card);
        }
        hands.0[seat] = Some(cards);
    }
    match hands.complete() {
        Ok(Some(deal)) => Ok(Hands::of(&deal)),
        Ok(None) => Err("not a whole deal".to_owned()),
        Err(error) => Err(error.to_string()),
    }
}

fn show(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn read_dge(part: &[u8]) -> Result<Hands, String> {
    let mut hands = Hands::default();
    for (seat, text) in Seat::ALL.into_iter().zip(part.chunks_exact(17)) {
        let mut cards = CardSet::EMPTY;
        let mut suit = None;
        for &byte in text {
            if let Some(next) = Suit::DESCENDING
                .into_iter()
                .find(|&suit| symbol(suit) == byte)
            {
                suit = Some(next);
                continue;
            }
            let rank = RANKS
                .iter()
                .position(|&rank| rank == byte.to_ascii_uppercase());
            let rank = rank.and_then(|place| Rank::from_letter(char::from(RANKS[place])));
            let card = suit.zip(rank).map(|(suit, rank)| Card::new(suit, rank));
            let card =
                card.ok_or_else(|| format!("{}: {:?} is no card", seat.name(), char::from(byte)))?;
            if !cards.is_disjoint(CardSet::of(card)) {
                return Err(format!("{} holds {card} twice", seat.name()));
            }
            cards |= CardSet::of(card);
        }
        hands.0[seat] = Some(cards);
    }
    hands.complete().map_err(|error| error.to_string())?;
    Ok(hands)
}

/// Reads boards from a DUP, BRI or DGE stream.
#[derive(Debug)]
pub struct DuplimateReader<R> {
    input: R,
    kind: DuplimateFormat,
    count: u64,
    /// Number of the first board, which DUP files contain.
    lowest: u64,
    /// Records of only zeros or blanks since the last other record.
    blanks: u64,
    /// A record after blank ones that has been read ahead.
    held: Option<Vec<u8>>,
    ended: bool,
}

impl<R: BufRead> DuplimateReader<R> {
    /// Creates a reader of the boards in `input`.
    pub fn new(input: R, kind: DuplimateFormat) -> Self {
        DuplimateReader {
            input,
            kind,
            count: 0,
            lowest: 1,
            blanks: 0,
            held: None,
            ended: false,
        }
    }

    /// Reads the next record and skips line ends before it; empty at the end. A record that ends with its line may be
    /// short.
    fn record(&mut self) -> io::Result<Vec<u8>> {
        let length = self.kind.record_length();
        let mut record = Vec::with_capacity(length);
        while record.len() < length {
            let buffer = self.input.fill_buf()?;
            let Some(&byte) = buffer.first() else { break };
            let line_end = matches!(byte, b'\r' | b'\n' | 0x1a);
            self.input.consume(1);
            match (line_end, record.is_empty()) {
                (true, true) => continue,
                (true, false) => break,
                (false, _) => record.push(byte),
            }
        }
        Ok(record)
    }

    /// Returns the next record that is not blank. Blank records may fill the end of a file, but are an error before a
    /// board.
    fn next_record(&mut self) -> io::Result<Option<Vec<u8>>> {
        loop {
            if self.held.is_some() && self.blanks > 0 {
                self.blanks -= 1;
                return Ok(Some(Vec::new()));
            }
            if let Some(record) = self.held.take() {
                return Ok(Some(record));
            }
            let record = self.record()?;
            if record.is_empty() {
                return Ok(None);
            }
            if record.iter().any(|&byte| !matches!(byte, 0 | b' ')) {
                self.held = Some(record);
            } else if record.len() == self.kind.record_length() {
                self.blanks += 1;
            }
        }
    }

    fn board(&mut self, record: &[u8]) -> Result<Board, String> {
        let cut = |from: usize, len: usize| {
            let part = record.get(from..from + len);
            part.ok_or_else(|| format!("the record ends after {} bytes", record.len()))
        };
        let hands = match self.kind {
            DuplimateFormat::Dge => read_dge(cut(0, DGE)?)?,
            DuplimateFormat::Bri => read_bri(cut(0, BRI)?)?,
            DuplimateFormat::Dup => {
                let hands = read_bri(cut(0, BRI)?)?;
                let shown = cut(BRI, DGE)?;
                // A sealed file has no cards here.
                if shown.iter().any(|&byte| byte != b' ') && read_dge(shown)? != hands {
                    return Err("the two parts of the record give different cards".to_owned());
                }
                // Boards are counted from 1; 0 means unknown.
                if self.count == 1
                    && let Ok(lowest) = show(cut(BRI + DGE + 2, 3)?).trim().parse()
                    && lowest != 0
                {
                    self.lowest = lowest;
                }
                hands
            }
        };
        let board = Board {
            hands,
            line: self.count,
            ..Board::default()
        };
        Ok(board.with_number(self.lowest + self.count - 1))
    }
}

impl<R: BufRead> Iterator for DuplimateReader<R> {
    type Item = Result<Board, BoardReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.ended {
            return None;
        }
        let record = match self.next_record() {
            Ok(Some(record)) => record,
            Ok(None) => {
                self.ended = true;
                return None;
            }
            Err(error) => {
                self.ended = true;
                return Some(Err(BoardReadError::io(self.count, error)));
            }
        };
        self.count += 1;
        let (count, lowest) = (self.count, self.lowest);
        Some(self.board(&record).map_err(|message| {
            BoardReadError::board(
                count,
                lowest + count - 1,
                format!("record {count}: {message}"),
            )
        }))
    }
}
