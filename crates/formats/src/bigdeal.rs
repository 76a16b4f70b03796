//! The formats of the dealing program Big Deal that have no module of their own: BER, BHG (Borel), CDS and its CSV.

use std::io::BufRead;

use cards::{BySeat, Card, CardSet, Deal, Rank, Seat, Suit};

use crate::{Board, BoardReadError};

/// A format of Big Deal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BigDealFormat {
    /// 52 digits for each board: the seat (1 to 4, from North) of each card, the ace of spades first.
    Ber,
    /// A line of 52 letters for each board: the cards of the dealer first. `A` is the ace of spades, `z` the two of
    /// clubs.
    Bhg,
    /// 14 bytes for each board: its number, then for each rank the seats of the four cards in two bits each.
    Cds,
    /// 18 quoted fields for each board: 16 holdings from North's spades on, the number, and dealer with vulnerability.
    Csv,
}

/// Bytes of a record of CDS.
const CDS_RECORD: usize = 14;

/// Number of records that must be valid for a file to be detected as CDS. In a shorter file all records must be valid.
const CDS_RECORDS_TO_DETECT: usize = 4;

/// Returns the format of a file that begins with `sample`, if it is one of these.
pub(crate) fn detect(sample: &[u8]) -> Option<BigDealFormat> {
    let digits = sample.get(..52);
    if digits.and_then(ber).is_some() {
        return Some(BigDealFormat::Ber);
    }
    let line = sample
        .split(|&byte| byte == b'\n')
        .map(<[u8]>::trim_ascii)
        .find(|line| !line.is_empty());
    if line.is_some_and(|line| bhg(line, 1).is_some()) {
        return Some(BigDealFormat::Bhg);
    }
    if line.is_some_and(|line| csv(line).is_some()) {
        return Some(BigDealFormat::Csv);
    }
    is_cds(sample).then_some(BigDealFormat::Cds)
}

/// Returns whether `sample` begins with records of CDS.
///
/// One in some hundred texts looks like a record by accident, so the first records must all be right, and they must hold a
/// byte that plain English text never contains.
fn is_cds(sample: &[u8]) -> bool {
    let records = &sample[..sample.len().min(CDS_RECORDS_TO_DETECT * CDS_RECORD)];
    let is_binary = records
        .iter()
        .any(|byte| matches!(byte, 0..=8 | 14..=31 | 127..));
    records.len() >= CDS_RECORD
        && is_binary
        && records
            .chunks_exact(CDS_RECORD)
            .all(|record| record[0] > 0 && cds(&record[1..]).is_some())
}

/// Returns a card by its place in a deck that begins with the ace of spades and ends with the two of clubs.
fn card(place: usize) -> Option<Card> {
    let suit = *Suit::DESCENDING.get(place / 13)?;
    let rank = Rank::ALL.into_iter().rev().nth(place % 13)?;
    Some(Card::new(suit, rank))
}

/// Returns the deal of these hands, from North on.
fn deal(hands: [CardSet; 4]) -> Option<Deal> {
    Deal::new(hands).ok()
}

fn ber(digits: &[u8]) -> Option<Deal> {
    let mut hands = [CardSet::EMPTY; 4];
    for (place, digit) in digits.iter().enumerate() {
        let seat = usize::from(digit.checked_sub(b'1')?);
        hands.get_mut(seat)?.insert(card(place)?);
    }
    deal(hands)
}

fn bhg(line: &[u8], number: u64) -> Option<Deal> {
    if line.len() != 52 {
        return None;
    }
    let mut hands = BySeat([CardSet::EMPTY; 4]);
    let dealer = Seat::dealer_of_board(number);
    for (i, letter) in line.iter().enumerate() {
        let place = match letter {
            b'A'..=b'Z' => letter - b'A',
            b'a'..=b'z' => letter - b'a' + 26,
            _ => return None,
        };
        hands[dealer.clockwise(i / 13)].insert(card(usize::from(place))?);
    }
    deal(hands.0)
}

fn cds(bytes: &[u8]) -> Option<Deal> {
    let mut hands = [CardSet::EMPTY; 4];
    for (rank, byte) in bytes.iter().enumerate() {
        for suit in 0..4 {
            // The seats count from West.
            let seat = usize::from(byte >> (6 - 2 * suit) & 3);
            hands[(seat + 3) % 4].insert(card(13 * suit + rank)?);
        }
    }
    deal(hands)
}

fn csv(line: &[u8]) -> Option<(Deal, u64)> {
    let line = std::str::from_utf8(line).ok()?;
    let fields: Vec<&str> = line
        .strip_prefix('"')?
        .strip_suffix('"')?
        .split("\",\"")
        .collect();
    if fields.len() != 18 {
        return None;
    }
    let mut hands = [CardSet::EMPTY; 4];
    for (i, holding) in fields[..16].iter().enumerate() {
        for letter in holding.replace("10", "T").chars() {
            let rank = Rank::from_letter(letter)?;
            hands[i / 4].insert(Card::new(Suit::DESCENDING[i % 4], rank));
        }
    }
    Some((deal(hands)?, fields[16].parse().ok()?))
}

/// Reads boards from a file of Big Deal.
#[derive(Debug)]
pub struct BigDealReader<R> {
    input: R,
    boards: std::vec::IntoIter<Result<Board, BoardReadError>>,
    is_read: bool,
}

/// Maximum size of a file in bytes: more than a million boards.
const LONGEST_FILE: u64 = 1 << 26;

impl<R: BufRead> BigDealReader<R> {
    /// Creates a reader of the boards in `input`.
    pub fn new(input: R) -> Self {
        BigDealReader {
            input,
            boards: Vec::new().into_iter(),
            is_read: false,
        }
    }

    fn read(&mut self) -> Vec<Result<Board, BoardReadError>> {
        let mut bytes = Vec::new();
        let input = std::io::Read::by_ref(&mut self.input);
        if let Err(error) =
            std::io::Read::read_to_end(&mut std::io::Read::take(input, LONGEST_FILE), &mut bytes)
        {
            return vec![Err(BoardReadError::io(1, error))];
        }
        let wrong = |place: u64, what: &str| {
            Err(BoardReadError::board(
                place,
                place,
                format!("this is not {what} with thirteen cards for each hand"),
            ))
        };
        let board = |place: u64, number: u64, deal: Option<Deal>, what: &str| match deal {
            Some(deal) => Ok(Board {
                line: place,
                ..Board::duplicate(&deal, number)
            }),
            None => wrong(place, what),
        };
        let lines = || {
            let lines = bytes.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii);
            (1..).zip(lines.filter(|line| !line.is_empty()))
        };
        match detect(&bytes) {
            Some(BigDealFormat::Ber) => {
                let end = bytes.trim_ascii_end().len();
                let records = (1..).zip(bytes[..end].chunks(52));
                records
                    .map(|(place, digits)| {
                        board(
                            place,
                            place,
                            ber(digits).filter(|_| digits.len() == 52),
                            "a record of 52 digits",
                        )
                    })
                    .collect()
            }
            Some(BigDealFormat::Bhg) => lines()
                .map(|(place, line)| board(place, place, bhg(line, place), "a line of 52 letters"))
                .collect(),
            Some(BigDealFormat::Csv) => lines()
                .map(|(place, line)| match csv(line) {
                    Some((deal, number)) => board(place, number, Some(deal), ""),
                    None => wrong(place, "a row of 16 holdings and 2 more fields"),
                })
                .collect(),
            Some(BigDealFormat::Cds) | None => (1..)
                .zip(bytes.chunks(CDS_RECORD))
                .map(|(place, record)| {
                    let cards = record.get(1..CDS_RECORD).and_then(cds);
                    board(
                        place,
                        u64::from(record[0]).max(1),
                        cards,
                        "a record of 14 bytes",
                    )
                })
                .collect(),
        }
    }
}

impl<R: BufRead> Iterator for BigDealReader<R> {
    type Item = Result<Board, BoardReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        if !self.is_read {
            self.is_read = true;
            self.boards = self.read().into_iter();
        }
        self.boards.next()
    }
}
