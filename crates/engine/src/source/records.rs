//! Conversion of library records to the plane layout.
//!
//! A record gives every card the two-bit number of its holder, spade ace first. The low bits of all cards form one set
//! (North's and South's cards), the high bits another (East's and South's). In plane layout the four hands are then a
//! few vector operations for 32 deals at once, without building single hands.

use formats::zrd::{self, RECORD};
use shuffle::{BLOCK_DEALS, GROUP_DEALS, Group, Plane};

/// Bytes of a record for the holders of the cards.
const CARDS: usize = 13;
/// Bytes of a record for the tricks.
const TRICKS: usize = RECORD - CARDS;

/// The packed tricks of a record; unpacked only for deals that need them.
pub(super) type PackedTricks = [u8; TRICKS];

/// For each byte of a record, the low bits of its four cards (bits 0 to 3) and their high bits (bits 4 to 7). The first
/// card of the byte is the highest, so it becomes the highest bit.
const BITS: [u8; 256] = {
    let mut bits = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        let mut card = 0;
        while card < 4 {
            let holder = byte >> (2 * card);
            bits[byte] |= ((holder & 1) << (3 - card) | (holder >> 1 & 1) << (7 - card)) as u8;
            card += 1;
        }
        byte += 1;
    }
    bits
};

/// Returns the sets of the cards with low and with high bit, in the order of a `CardSet`.
fn low_and_high(record: &[u8; RECORD]) -> (u64, u64) {
    let (mut low, mut high) = (0, 0);
    for &byte in &record[..CARDS] {
        let bits = BITS[usize::from(byte)];
        low = low << 4 | u64::from(bits & 15);
        high = high << 4 | u64::from(bits >> 4);
    }
    (low, high)
}

/// Puts up to 32 records into a group. Returns false if one of them does not give thirteen cards to each hand; the
/// caller finds which one.
fn fill_group(records: &[[u8; RECORD]], group: &mut Group) -> bool {
    let mut low = [[0; GROUP_DEALS]; 4];
    let mut high = [[0; GROUP_DEALS]; 4];
    for (lane, record) in records.iter().enumerate() {
        let (mut lows, mut highs) = low_and_high(record);
        for suit in 0..4 {
            low[suit][lane] = lows as u16 & 0x1fff;
            high[suit][lane] = highs as u16 & 0x1fff;
            lows >>= 13;
            highs >>= 13;
        }
    }
    let mut counts = [[0u16; GROUP_DEALS]; 3];
    for suit in 0..4 {
        let [north, east, south, west] = &mut group.planes[suit];
        for lane in 0..GROUP_DEALS {
            let (low, high) = (low[suit][lane], high[suit][lane]);
            north[lane] = low & !high;
            east[lane] = high & !low;
            south[lane] = low & high;
            west[lane] = !(low | high) & 0x1fff;
        }
        for (count, plane) in counts.iter_mut().zip([&*north, &*east, &*south]) {
            add_lengths(count, plane);
        }
    }
    (0..records.len()).all(|lane| counts.iter().all(|count| count[lane] == 13))
}

/// Adds the number of cards of each holding, counted in parallel: pairs, nibbles, bytes.
fn add_lengths(count: &mut Plane, plane: &Plane) {
    for (count, &holding) in count.iter_mut().zip(plane) {
        let pairs = holding - (holding >> 1 & 0x5555);
        let nibbles = (pairs & 0x3333) + (pairs >> 2 & 0x3333);
        let bytes = (nibbles + (nibbles >> 4)) & 0x0f0f;
        *count += (bytes + (bytes >> 8)) & 0x1f;
    }
}

impl super::Batch {
    /// Puts library records of 23 bytes into the batch, as many as there is room for, and returns how many. They must
    /// not be headers.
    ///
    /// # Errors
    /// The index of the first record that is not a deal; the records before it are in the batch.
    pub fn push_records(&mut self, records: &[u8]) -> Result<usize, usize> {
        let (records, _) = records.as_chunks::<RECORD>();
        let records = &records[..records.len().min(BLOCK_DEALS - self.count)];
        let mut done = 0;
        while done < records.len() {
            let lane = self.count % GROUP_DEALS;
            let end = records.len().min(done + GROUP_DEALS - lane);
            let some = &records[done..end];
            let group = &mut self.block.groups_mut()[self.count / GROUP_DEALS];
            if lane == 0 && fill_group(some, group) {
                self.count += some.len();
                self.packed.extend(some.iter().map(packed_tricks));
            } else {
                self.push_one_by_one(some).map_err(|bad| done + bad)?;
            }
            done = end;
        }
        Ok(done)
    }

    fn push_one_by_one(&mut self, records: &[[u8; RECORD]]) -> Result<(), usize> {
        for (number, record) in records.iter().enumerate() {
            let zrd::Record::Deal(deal, _) = zrd::decode(record) else {
                return Err(number);
            };
            self.block.set_deal(self.count, &deal);
            self.packed.push(packed_tricks(record));
            self.count += 1;
        }
        Ok(())
    }
}

fn packed_tricks(record: &[u8; RECORD]) -> PackedTricks {
    std::array::from_fn(|i| record[CARDS + i])
}

#[cfg(test)]
mod tests {
    use cards::TrickTable;
    use shuffle::{FastDealer, Key, Predeal};

    use super::super::Batch;
    use super::*;

    fn library(deals: u64) -> (Vec<u8>, Vec<(cards::Deal, TrickTable)>) {
        let dealer = FastDealer::new(Key::from_seed(7), &Predeal::NONE);
        let deals: Vec<_> = (0..deals)
            .map(|number| {
                let rows = std::array::from_fn(|seat| [(number as usize + seat) as u8 % 14; 5]);
                (dealer.deal(number), TrickTable::new(rows).unwrap())
            })
            .collect();
        let bytes = deals
            .iter()
            .flat_map(|(deal, tricks)| zrd::encode(deal, Some(tricks)));
        (bytes.collect(), deals)
    }

    #[test]
    fn records_of_a_library_are_read_as_they_were_written() {
        let (bytes, deals) = library(1100);
        for offset in [0, 1, 31, 32, 50] {
            let mut batch = Batch::new();
            let first = batch.push_records(&bytes[..offset * RECORD]).unwrap();
            let second = batch.push_records(&bytes[offset * RECORD..]).unwrap();
            assert_eq!((first, second, batch.count), (offset, 1024 - offset, 1024));
            for (place, (deal, tricks)) in deals[..1024].iter().enumerate() {
                assert_eq!(batch.block.deal(place), *deal);
                assert_eq!(batch.tricks(place), Some(*tricks));
            }
        }
    }

    #[test]
    fn a_record_that_is_no_deal_is_found() {
        let (bytes, deals) = library(100);
        for bad in [0, 5, 31, 32, 99] {
            let mut bytes = bytes.clone();
            // Gives the last card to the next seat.
            let last = &mut bytes[bad * RECORD + 12];
            *last = last.wrapping_add(0x40);
            let mut batch = Batch::new();
            assert_eq!(batch.push_records(&bytes), Err(bad));
            assert_eq!(batch.count, bad);
            assert!((0..bad).all(|place| batch.block.deal(place) == deals[place].0));
        }
    }
}
