//! Deals from a library of solved deals, read by all threads.

use std::sync::Arc;

use cards::TrickTable;
use engine::{Batch, DealSource, SourceError};
use formats::zrd::{self, RECORD, Record, RecordOrder, put_header};
use shuffle::{BLOCK_DEALS, Key, Stream};

use crate::error::{Error, SupplyError};
use crate::supply::LibraryBytes;

/// Number of records that are read at a time when all are scanned.
const PIECE: usize = 1 << 14;

/// Reads at most `count` records from number `first` on, up to the end of the library.
fn read(bytes: &LibraryBytes, first: usize, count: usize) -> std::io::Result<Vec<u8>> {
    let records = (bytes.size() / RECORD as u64) as usize;
    let count = count.min(records.saturating_sub(first));
    let mut records = vec![0; count * RECORD];
    bytes.read((first * RECORD) as u64, &mut records)?;
    Ok(records)
}

fn unreadable(error: std::io::Error) -> Error {
    SupplyError::Library(Arc::new(error)).into()
}

/// Returns the record numbers of the headers of a library, ascending.
///
/// # Errors
/// If it cannot be read.
pub(crate) fn header_records(bytes: &LibraryBytes) -> Result<Vec<usize>, Error> {
    let records = (bytes.size() / RECORD as u64) as usize;
    let mut headers = Vec::new();
    for first in (0..records).step_by(PIECE) {
        let piece = read(bytes, first, PIECE).map_err(unreadable)?;
        headers.extend(zrd::header_records(&piece).map(|place| first + place));
    }
    Ok(headers)
}

/// The deals of a library in reading order, numbered without the header records.
pub(crate) struct LibrarySource {
    bytes: LibraryBytes,
    reading: RecordOrder,
    /// Record numbers of the headers, ascending.
    headers: Vec<usize>,
    key: Key,
    /// Whether the double-dummy results of the records are used.
    solved: bool,
}

impl LibrarySource {
    /// Reads the library's deals from the block that the seed selects.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn new(bytes: LibraryBytes, start: u64, key: Key) -> Result<LibrarySource, Error> {
        let records = (bytes.size() / RECORD as u64) as usize;
        Ok(LibrarySource {
            headers: header_records(&bytes)?,
            reading: RecordOrder::new(records, start),
            bytes,
            key,
            solved: true,
        })
    }

    /// Rejects a library that is empty or truncated, and ignores trick results that were never computed: such deals are
    /// solved during the run.
    ///
    /// # Errors
    /// If the library cannot be read, holds no deal or ends inside a record.
    pub fn without_unsolved_tricks(mut self) -> Result<LibrarySource, Error> {
        /// Number of deals to check; libraries are solved as a whole.
        const LOOKED_AT: usize = 100;
        if self.headers.len() == self.reading.records() {
            return Err(SupplyError::EmptyLibrary.into());
        }
        if !self.bytes.size().is_multiple_of(RECORD as u64) {
            let record = self.reading.records() + 1;
            return Err(SupplyError::TruncatedLibrary { record }.into());
        }
        let bytes = read(&self.bytes, 0, LOOKED_AT + self.headers.len()).map_err(unreadable)?;
        let (records, _) = bytes.as_chunks::<RECORD>();
        let mut deals = records
            .iter()
            .filter_map(|record| match zrd::decode(record) {
                Record::Deal(_, tricks) => Some(tricks),
                _ => None,
            })
            .take(LOOKED_AT);
        // Every deal has a strain in which some declarer takes a trick.
        self.solved = deals.all(|tricks| tricks != TrickTable::default());
        Ok(self)
    }

    /// Returns the order of the records.
    pub fn reading(&self) -> &RecordOrder {
        &self.reading
    }

    /// Returns the title in the header records, if there are any.
    pub fn title(&self) -> Option<Vec<u8>> {
        let mut title = Vec::new();
        for &index in &self.headers {
            let bytes = read(&self.bytes, index, 1).ok()?;
            let (records, _) = bytes.as_chunks::<RECORD>();
            if let Some(Record::Header { sequence, text }) = records.first().map(zrd::decode) {
                put_header(&mut title, sequence, text);
            }
        }
        (!self.headers.is_empty()).then_some(title)
    }

    /// Returns the number of deals in one pass from the start to the end of the file, and in a whole pass.
    fn passes(&self) -> (u64, u64) {
        let all = self.reading.records() - self.headers.len();
        let skipped = self.reading.first();
        let before = skipped - self.headers.partition_point(|&header| header < skipped);
        ((all - before) as u64, all as u64)
    }

    /// Returns how often the end of the file was reached after `deals` deals; `one_more_requested` is whether one more was
    /// requested.
    pub fn wraps(&self, deals: u64, one_more_requested: bool) -> u64 {
        let (first, all) = self.passes();
        let reached = |end: u64| u64::from(deals > end || (deals == end && one_more_requested));
        reached(first) + reached(first + all)
    }

    /// Returns the step of the reading order at which deal number `deal` is read.
    fn step_of(&self, deal: u64) -> usize {
        let library = self.reading;
        let (first, all) = self.passes();
        if deal >= first + all {
            return usize::MAX;
        }
        let (pass_start, deal, steps_before) = if deal < first {
            (library.first(), deal, 0)
        } else {
            (0, deal - first, library.records() - library.first())
        };
        let mut record = pass_start + deal as usize;
        for &header in self.headers.iter().filter(|&&header| header >= pass_start) {
            if header > record {
                break;
            }
            record += 1;
        }
        steps_before + record - pass_start
    }
}

impl DealSource for LibrarySource {
    fn fill(&self, number: u64, batch: &mut Batch) {
        let first = number.saturating_mul(BLOCK_DEALS as u64);
        batch.clear(first);
        let library = self.reading;
        let mut step = self.step_of(first);
        while !batch.is_full() {
            let Some((index, _)) = library.step(step) else {
                return;
            };
            // Records up to the next header or the end of the file are contiguous.
            let next = self.headers.partition_point(|&header| header < index);
            let end = self.headers.get(next).copied().unwrap_or(library.records());
            if end == index {
                step += 1;
                continue;
            }
            let wanted = (end - index).min(BLOCK_DEALS - batch.count);
            let records = match read(&self.bytes, index, wanted) {
                Ok(records) => records,
                Err(error) => {
                    batch.failure = Some(SourceError::unreadable("the library", error));
                    return;
                }
            };
            match batch.push_records(&records) {
                Ok(pushed) => step += pushed,
                Err(bad) => {
                    let record = index + bad + 1;
                    let reason = format!("record {record} of the library is not a deal");
                    batch.failure = Some(SourceError::NotADeal(reason));
                    return;
                }
            }
        }
    }

    fn random(&self) -> (Key, Stream) {
        (self.key, Stream::Rnd)
    }

    fn has_tricks(&self) -> bool {
        self.solved
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cards::{Deal, TrickTable};
    use formats::zrd;

    fn deal(number: usize) -> Deal {
        let deal: Deal = "N:AKQ.AKQ.AKQ.AKQJ JT98.JT9.JT9.T98 7654.876.876.765 32.5432.5432.432"
            .parse()
            .unwrap();
        deal.rotated(number)
    }

    /// Returns deals 0 to 5 with a header before deal 0 and before deal 3.
    fn file() -> Vec<u8> {
        let mut bytes = Vec::new();
        for number in 0..6 {
            if number % 3 == 0 {
                bytes.extend_from_slice(&zrd::headers(b"Title"));
            }
            let mut tricks = TrickTable::default();
            tricks.set(cards::Seat::North, cards::Strain::Clubs, number as u8);
            bytes.extend_from_slice(&zrd::encode(&deal(number), Some(&tricks)));
        }
        bytes
    }

    /// Returns the numbers of the deals (encoded as club tricks) in reading order.
    fn order(seed: u64) -> (Vec<u8>, u64) {
        let bytes = file();
        let source =
            LibrarySource::new(std::sync::Arc::new(bytes), seed, Key::from_seed(0)).unwrap();
        let mut batch = Batch::new();
        source.fill(0, &mut batch);
        let clubs = |place| {
            batch
                .tricks(place)
                .unwrap()
                .tricks(cards::Seat::North, cards::Strain::Clubs)
        };
        let numbers = (0..batch.count).map(clubs).collect();
        let (first, all) = source.passes();
        for deal in 0..first + all {
            let (index, _) = source.reading().step(source.step_of(deal)).unwrap();
            assert!(!source.headers.contains(&index));
        }
        (numbers, first)
    }

    #[test]
    fn headers_are_skipped_and_reading_wraps_once() {
        assert_eq!(order(0), (vec![0, 1, 2, 3, 4, 5, 0, 1, 2, 3, 4, 5], 6));
        // Record 5 is deal 3: two headers precede it.
        assert_eq!(order(5), (vec![3, 4, 5, 0, 1, 2, 3, 4, 5], 3));
        // Record 4 is the second header.
        assert_eq!(order(4), (vec![3, 4, 5, 0, 1, 2, 3, 4, 5], 3));
    }

    #[test]
    fn reading_past_the_end_of_the_file_counts_a_wrap() {
        let bytes = file();
        let source = LibrarySource::new(std::sync::Arc::new(bytes), 0, Key::from_seed(0)).unwrap();
        assert_eq!(
            (
                source.wraps(6, false),
                source.wraps(6, true),
                source.wraps(7, false)
            ),
            (0, 1, 1)
        );
        assert_eq!((source.wraps(12, false), source.wraps(12, true)), (1, 2));
        assert_eq!(source.title(), Some(b"Title".to_vec()));
    }
}
