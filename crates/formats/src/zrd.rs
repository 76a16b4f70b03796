//! ZRD: solved deals in records of 23 bytes, and the order in which a library of them is read.
//!
//! Thirteen bytes have the holder of each card (two bits for each card from ♠A to ♣2: West 0, North 1, East 2, South
//! 3), ten bytes the double-dummy tricks (NT ♠ ♥ ♦ ♣; West, North, East, South in four bits each). A record that would
//! give West the first fourteen cards has a part of the title instead.

use cards::{CardSet, Deal, Seat, Strain, TrickTable};

/// Bytes of a record.
pub const RECORD: usize = 23;
/// Bytes that hold the cards.
const CARDS: usize = 13;
/// Bytes of title text in a header record.
const TEXT: usize = 19;
/// The order of the strains in a record.
const STRAINS: [Strain; 5] = Strain::DESCENDING;
/// The seats in the order of their codes and nibbles.
const SEATS: [Seat; 4] = [Seat::West, Seat::North, Seat::East, Seat::South];

/// The content of a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Record<'a> {
    /// A deal with its tricks, all zero if unsolved.
    Deal(Deal, TrickTable),
    /// Part number `sequence` (from 1) of the title.
    Header {
        /// The number of the part.
        sequence: u8,
        /// The text, padded with zero bytes.
        text: &'a [u8],
    },
    /// An invalid record: some hand does not have thirteen cards.
    Invalid,
}

/// Packs the holders of all cards into thirteen bytes.
pub fn pack(deal: &Deal) -> [u8; CARDS] {
    let low = deal.hand(Seat::North) | deal.hand(Seat::South);
    let high = deal.hand(Seat::East) | deal.hand(Seat::South);
    let bits = interleave(from_top(low.0)) | interleave(from_top(high.0)) << 1;
    let mut packed = [0; CARDS];
    packed.copy_from_slice(&bits.to_le_bytes()[..CARDS]);
    packed
}

/// Unpacks thirteen bytes; `None` if some hand does not have thirteen cards.
pub fn unpack(packed: &[u8; CARDS]) -> Option<Deal> {
    let mut bytes = [0; 16];
    bytes[..CARDS].copy_from_slice(packed);
    let bits = u128::from_le_bytes(bytes);
    let low = CardSet(from_top(deinterleave(bits)));
    let high = CardSet(from_top(deinterleave(bits >> 1)));
    let (north, east, south) = (low - high, high - low, low & high);
    if north.len() == 13 && east.len() == 13 && south.len() == 13 {
        Some(Deal::from_valid_hands([north, east, south, !(low | high)]))
    } else {
        None
    }
}

/// Reverses the order of cards: the file counts from the spade ace down, a set from the club deuce up.
fn from_top(bits: u64) -> u64 {
    bits.reverse_bits() >> 12
}

/// Moves bit `i` to bit `2 * i`.
fn interleave(bits: u64) -> u128 {
    let mut x = u128::from(bits);
    for (shift, mask) in [
        (32, 0x0000_0000_ffff_ffff_0000_0000_ffff_ffff),
        (16, 0x0000_ffff_0000_ffff_0000_ffff_0000_ffff),
        (8, 0x00ff_00ff_00ff_00ff_00ff_00ff_00ff_00ff),
        (4, 0x0f0f_0f0f_0f0f_0f0f_0f0f_0f0f_0f0f_0f0f),
        (2, 0x3333_3333_3333_3333_3333_3333_3333_3333),
        (1, 0x5555_5555_5555_5555_5555_5555_5555_5555),
    ] {
        x = (x | x << shift) & mask;
    }
    x
}

/// Moves bit `2 * i` to bit `i`, for the even bits.
fn deinterleave(bits: u128) -> u64 {
    let half = |word: u64| {
        let mut x = word & 0x5555_5555_5555_5555;
        for (shift, mask) in [
            (1, 0x3333_3333_3333_3333),
            (2, 0x0f0f_0f0f_0f0f_0f0f),
            (4, 0x00ff_00ff_00ff_00ff),
            (8, 0x0000_ffff_0000_ffff),
            (16, 0x0000_0000_ffff_ffff),
        ] {
            x = (x | x >> shift) & mask;
        }
        x
    };
    half(bits as u64) | half((bits >> 64) as u64) << 32
}

/// Makes a record of a deal. Without tricks their bytes are zero.
pub fn encode(deal: &Deal, tricks: Option<&TrickTable>) -> [u8; RECORD] {
    let mut record = [0; RECORD];
    record[..CARDS].copy_from_slice(&pack(deal));
    if let Some(table) = tricks {
        for (strain, pair) in STRAINS.into_iter().zip(record[CARDS..].chunks_exact_mut(2)) {
            let [w, n, e, s] = SEATS.map(|seat| table.tricks(seat, strain) & 15);
            pair.copy_from_slice(&[w | n << 4, e | s << 4]);
        }
    }
    record
}

/// Reads a record.
pub fn decode(record: &[u8; RECORD]) -> Record<'_> {
    if let [0, 0, 0, number, text @ ..] = record
        && number & 15 == 0
    {
        return Record::Header {
            sequence: number >> 4,
            text,
        };
    }
    let mut packed = [0; CARDS];
    packed.copy_from_slice(&record[..CARDS]);
    match unpack(&packed) {
        Some(deal) => Record::Deal(deal, tricks_of(&record[CARDS..])),
        None => Record::Invalid,
    }
}

/// Reads ten bytes of tricks; numbers above thirteen count as thirteen.
pub fn tricks_of(bytes: &[u8]) -> TrickTable {
    let mut table = TrickTable::default();
    for (strain, pair) in STRAINS.into_iter().zip(bytes.chunks_exact(2)) {
        for (index, seat) in SEATS.into_iter().enumerate() {
            table.set(seat, strain, pair[index / 2] >> (4 * (index % 2)) & 15);
        }
    }
    table
}

/// Returns the header records for a title; none for an empty one. The text and its terminating zero are cut into parts
/// of nineteen bytes, at most fifteen of them.
pub fn headers(title: &[u8]) -> Vec<u8> {
    if title.is_empty() {
        return Vec::new();
    }
    let mut text = title.to_vec();
    text.push(0);
    let mut records = Vec::new();
    for (index, piece) in text.chunks(TEXT).take(15).enumerate() {
        let mut record = [0; RECORD];
        record[3] = (index as u8 + 1) << 4;
        record[4..4 + piece.len()].copy_from_slice(piece);
        records.extend_from_slice(&record);
    }
    records
}

/// Copies the text of a header record to its position in the title.
pub fn put_header(title: &mut Vec<u8>, sequence: u8, text: &[u8]) {
    let at = TEXT * usize::from(sequence.max(1) - 1);
    let text = &text[..text
        .iter()
        .position(|&byte| byte == 0)
        .unwrap_or(text.len())];
    title.truncate(at);
    title.resize(at, b' ');
    title.extend_from_slice(text);
}

/// The order in which the records of a library are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RecordOrder {
    records: usize,
    first: usize,
    start_block: u64,
}

impl RecordOrder {
    /// Creates the order for `records` records and a seed, which is the number of the first block. A block has 1, 10,
    /// 100 or 1000 records, depending on the size of the file. Seeds beyond the last block mean the last block.
    #[must_use]
    pub fn new(records: usize, seed: u64) -> RecordOrder {
        let block = match records {
            0..100 => 1,
            100..1_000 => 10,
            1_000..10_000 => 100,
            _ => 1_000,
        };
        /// Largest seed for any size: the number of blocks in the original collection.
        const LARGEST_SEED: u64 = 10_485;
        let largest = (records as u64 / block).saturating_sub(1).min(LARGEST_SEED);
        let start_block = seed.min(largest);
        RecordOrder {
            records,
            first: (start_block * block) as usize,
            start_block,
        }
    }

    /// Returns the number of records, including headers. It is also the largest number of deals to generate.
    #[must_use]
    pub fn records(&self) -> usize {
        self.records
    }

    /// Returns the block at which reading starts: the seed, unless it is too large.
    #[must_use]
    pub fn start_block(&self) -> u64 {
        self.start_block
    }

    /// Returns the number of the first record.
    #[must_use]
    pub fn first(&self) -> usize {
        self.first
    }

    /// Returns the record at a step of the reading order: from the start to the end of the file, then once more from
    /// the beginning to the end. `step` counts from 0. The second number is how often the end of the file has been
    /// passed.
    #[must_use]
    pub fn step(&self, step: usize) -> Option<(usize, u64)> {
        let before_end = self.records.saturating_sub(self.first);
        if step < before_end {
            Some((self.first + step, 0))
        } else if step - before_end < self.records {
            Some((step - before_end, 1))
        } else {
            None
        }
    }
}

/// Returns the positions of the header records, ascending. Reads only four bytes of each record.
pub fn header_records(bytes: &[u8]) -> impl Iterator<Item = usize> + '_ {
    let (records, _) = bytes.as_chunks::<RECORD>();
    let is_header = |record: &[u8; RECORD]| record[..3] == [0; 3] && record[3] & 15 == 0;
    let numbered = records.iter().enumerate();
    numbered
        .filter(move |(_, record)| is_header(record))
        .map(|(number, _)| number)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn example() -> (Deal, TrickTable, [u8; RECORD]) {
        let deal = "N:AKQ.AKQ.AKQ.AKQJ JT98.JT9.JT9.T98 7654.876.876.765 32.5432.5432.432"
            .parse()
            .unwrap();
        let mut table = TrickTable::default();
        for strain in Strain::ALL {
            let lost = u8::from(!matches!(strain, Strain::Notrump | Strain::Clubs));
            for seat in Seat::ALL {
                let north_south = matches!(seat, Seat::North | Seat::South);
                table.set(seat, strain, if north_south { 13 - lost } else { lost });
            }
        }
        let record = [
            0x95, 0xea, 0x3f, 0x54, 0xea, 0x0f, 0x50, 0xa9, 0x3f, 0x40, 0x95, 0xfa, 0x03, 0xd0,
            0xd0, 0xc1, 0xc1, 0xc1, 0xc1, 0xc1, 0xc1, 0xd0, 0xd0,
        ];
        (deal, table, record)
    }

    /// The example in the description of the format.
    #[test]
    fn the_documented_record() {
        let (deal, table, record) = example();
        assert_eq!(encode(&deal, Some(&table)), record);
        assert_eq!(decode(&record), Record::Deal(deal, table));
    }

    #[test]
    fn a_title_of_nineteen_letters_needs_two_headers() {
        let records = headers(b"exactly-19-letters!");
        assert_eq!(records.len(), 2 * RECORD);
        assert_eq!(records[..4], [0, 0, 0, 0x10]);
        assert_eq!(records[RECORD..RECORD + 4], [0, 0, 0, 0x20]);
        assert!(headers(b"").is_empty());
        let mut title = b"an older title, longer than the new one".to_vec();
        for record in records.chunks_exact(RECORD) {
            let Record::Header { sequence, text } = decode(record.try_into().unwrap()) else {
                panic!()
            };
            put_header(&mut title, sequence, text);
        }
        assert_eq!(title, b"exactly-19-letters!");
    }

    #[test]
    fn blocks_grow_with_the_file() {
        for (records, seed, block, first) in [
            (5, 3, 3, 3),
            (5, 99, 4, 4),
            (120, 4, 4, 40),
            (120, 500, 11, 110),
            (2_500, 24, 24, 2_400),
            (12_345, 11, 11, 11_000),
            (12_345, 12, 11, 11_000),
            (0, 7, 0, 0),
        ] {
            let library = RecordOrder::new(records, seed);
            assert_eq!(
                (library.records(), library.start_block(), library.first()),
                (records, block, first)
            );
        }
    }

    #[test]
    fn reading_wraps_around_once() {
        let library = RecordOrder::new(3, 2);
        let order: Vec<_> = (0..).map_while(|step| library.step(step)).collect();
        assert_eq!(order, [(2, 0), (0, 1), (1, 1), (2, 1)]);
        assert_eq!(RecordOrder::new(0, 0).step(0), None);
    }
}
