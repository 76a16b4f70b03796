//! DL52: a deal in 52 bytes, one for each card, North's hand first.
//!
//! A byte is `16 * suit + rank`, clubs and deuces lowest; each hand is in descending order.

use std::sync::LazyLock;

use cards::{Card, CardSet, Deal, Rank, Seat, Suit};

/// Bytes of a record.
pub const RECORD: usize = 52;

/// The bytes of every holding of clubs as a number, the highest card in the lowest byte. The highest byte is the number
/// of cards.
static HOLDINGS: LazyLock<Box<[u128; 1 << 13]>> = LazyLock::new(|| {
    let mut holdings = Box::new([0; 1 << 13]);
    for (set, bytes) in holdings.iter_mut().enumerate() {
        for rank in (0..13).filter(|rank| set >> rank & 1 == 1) {
            let count = *bytes >> 120;
            let ranks = (*bytes << 8 | rank) & (u128::MAX >> 8);
            *bytes = ranks | (count + 1) << 120;
        }
    }
    holdings
});

/// The number of a suit in every byte, above the rank.
const EVERY_BYTE: u128 = u128::MAX / 0xff * 0x10;

/// Appends the record of a deal.
pub fn append(out: &mut Vec<u8>, deal: &Deal) {
    // Sixteen bytes are written for every suit; the next suit overwrites the surplus.
    let holdings = &**HOLDINGS;
    let start = out.len();
    out.resize(start + RECORD + 16, 0);
    let record = &mut out[start..];
    let mut at = 0;
    for seat in Seat::ALL {
        let hand = deal.hand(seat).0;
        for suit in (0..4).rev() {
            let bytes = holdings[(hand >> (13 * suit)) as usize & 0x1fff];
            let of_suit = bytes | (suit * EVERY_BYTE);
            record[at..at + 16].copy_from_slice(&of_suit.to_le_bytes());
            at += (bytes >> 120) as usize;
        }
    }
    out.truncate(start + RECORD);
}

/// Decodes a deal. The cards of a hand may be in any order.
///
/// # Errors
/// If the bytes are not the 52 cards, each once.
pub fn decode(record: &[u8; RECORD]) -> Result<Deal, NotADeal> {
    let mut hands = [CardSet::EMPTY; 4];
    for (index, &byte) in record.iter().enumerate() {
        let hand = &mut hands[index / 13];
        hand.insert(card_of(byte).ok_or(NotADeal)?);
    }
    Deal::new(hands).map_err(|_| NotADeal)
}

fn card_of(byte: u8) -> Option<Card> {
    let suit = *Suit::ALL.get(usize::from(byte >> 4))?;
    Some(Card::new(suit, Rank::from_index(usize::from(byte & 15))?))
}

/// Bytes that are not a deal: a card is missing, unknown or duplicated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotADeal;

impl std::fmt::Display for NotADeal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("the 52 bytes are not the 52 cards, each once, thirteen to a hand")
    }
}

impl std::error::Error for NotADeal {}

#[cfg(test)]
mod tests {
    use super::*;

    /// The example in the description of the format.
    #[test]
    fn the_documented_deal() {
        let deal: Deal = "N:AKQ.AKQ.AKQ.AKQJ JT98.JT9.JT9.T98 7654.876.876.765 32.5432.5432.432"
            .parse()
            .unwrap();
        let mut record = vec![0xff];
        append(&mut record, &deal);
        assert_eq!(record.remove(0), 0xff);
        let hex: Vec<String> = record.iter().map(|byte| format!("{byte:02x}")).collect();
        assert_eq!(
            hex.join(" "),
            "3c 3b 3a 2c 2b 2a 1c 1b 1a 0c 0b 0a 09 39 38 37 36 29 28 27 19 18 17 08 07 06 \
             35 34 33 32 26 25 24 16 15 14 05 04 03 31 30 23 22 21 20 13 12 11 10 02 01 00"
        );
        assert_eq!(decode(record.first_chunk().expect("52 bytes")), Ok(deal));
    }

    #[test]
    fn a_card_twice_is_not_a_deal() {
        let deal: Deal = "N:AKQ.AKQ.AKQ.AKQJ JT98.JT9.JT9.T98 7654.876.876.765 32.5432.5432.432"
            .parse()
            .unwrap();
        let mut record = Vec::new();
        append(&mut record, &deal);
        let record = record.first_chunk_mut().expect("52 bytes");
        record[0] = record[51];
        assert_eq!(decode(record), Err(NotADeal));
        record[0] = 0x0d;
        assert_eq!(decode(record), Err(NotADeal));
    }
}
