//! DL52: a deal in 52 bytes, one for each card, North's hand first.
//!
//! A byte is `16 * suit + rank`, clubs and deuces lowest; each hand is in descending order.

use cards::{Card, CardSet, Deal, Rank, Seat, Suit};

/// Bytes of a deal.
pub const RECORD: usize = 52;

/// The byte of each card, by its number.
const BYTES: [u8; 64] = {
    let mut bytes = [0; 64];
    let mut card = 0;
    while card < 52 {
        bytes[card] = (16 * (card / 13) + card % 13) as u8;
        card += 1;
    }
    bytes
};

/// Packs a deal.
pub fn encode(deal: &Deal) -> [u8; RECORD] {
    let mut record = [0; RECORD];
    for (seat, bytes) in Seat::ALL.into_iter().zip(record.as_chunks_mut::<13>().0) {
        let mut left = deal.hand(seat).0;
        for byte in bytes {
            // Highest card first; a hand has thirteen.
            let card = 63 - (left | 1).leading_zeros();
            left &= !(1 << card);
            *byte = BYTES[card as usize];
        }
    }
    record
}

/// Unpacks a deal; the cards of a hand may stand in any order.
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

/// The bytes are not a deal: a card is missing, unknown or there twice.
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

    /// The worked example of the format's description.
    #[test]
    fn the_documented_deal() {
        let deal: Deal = "N:AKQ.AKQ.AKQ.AKQJ JT98.JT9.JT9.T98 7654.876.876.765 32.5432.5432.432"
            .parse()
            .unwrap();
        let record = encode(&deal);
        let hex: Vec<String> = record.iter().map(|byte| format!("{byte:02x}")).collect();
        assert_eq!(
            hex.join(" "),
            "3c 3b 3a 2c 2b 2a 1c 1b 1a 0c 0b 0a 09 39 38 37 36 29 28 27 19 18 17 08 07 06 \
             35 34 33 32 26 25 24 16 15 14 05 04 03 31 30 23 22 21 20 13 12 11 10 02 01 00"
        );
        assert_eq!(decode(&record), Ok(deal));
    }

    #[test]
    fn a_card_twice_is_not_a_deal() {
        let deal: Deal = "N:AKQ.AKQ.AKQ.AKQJ JT98.JT9.JT9.T98 7654.876.876.765 32.5432.5432.432"
            .parse()
            .unwrap();
        let mut record = encode(&deal);
        record[0] = record[51];
        assert_eq!(decode(&record), Err(NotADeal));
        record[0] = 0x0d;
        assert_eq!(decode(&record), Err(NotADeal));
    }
}
