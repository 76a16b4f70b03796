//! Sources of deals.

mod classic;
mod error;
mod records;

pub(crate) use classic::ClassicSource;
pub use error::SourceError;

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use cards::{Deal, TrickTable};
use formats::zrd;
use shuffle::{BLOCK_DEALS, Block, BlockNumberTooLarge, FastDealer, Key, Stream, Swap, tournament};

/// Up to 1024 deals in the layout in which they are evaluated.
#[derive(Clone, Debug)]
pub struct Batch {
    /// The cards.
    pub block: Block,
    /// Number of deals in the block. Fewer than [`BLOCK_DEALS`] means that the source ends here, unless `goes_on`
    /// is set.
    pub count: usize,
    /// Number of the first deal, from 0; the others follow it.
    pub first: u64,
    /// Numbers of the deals if they are not consecutive.
    pub numbers: Vec<u64>,
    /// Double-dummy results that came with the deals: none, or one for each.
    tricks: Vec<TrickTable>,
    /// Packed double-dummy results of library records, unpacked when they are needed.
    packed: Vec<records::PackedTricks>,
    /// Whether the source continues although the batch is not full.
    pub goes_on: bool,
    /// If the source continues after a batch that is not full: the number after the last deal of the block, even if that deal is
    /// not in the batch.
    pub end: u64,
    /// An error of the source after these deals. It ends the run unless the run is complete before it.
    pub failure: Option<SourceError>,
}

impl Batch {
    /// Creates an empty batch, which can be filled repeatedly.
    #[must_use]
    pub fn new() -> Self {
        Batch {
            block: Block::new(),
            count: 0,
            first: 0,
            numbers: Vec::new(),
            tricks: Vec::new(),
            packed: Vec::new(),
            goes_on: false,
            end: 0,
            failure: None,
        }
    }

    /// Empties the batch; deals put into it are numbered from `first`.
    pub fn clear(&mut self, first: u64) {
        self.count = 0;
        self.first = first;
        self.numbers.clear();
        self.tricks.clear();
        self.packed.clear();
        self.goes_on = false;
        self.end = 0;
        self.failure = None;
    }

    /// Appends a deal to the batch. Either all deals of a batch have results or none.
    pub fn push(&mut self, deal: &Deal, tricks: Option<TrickTable>) {
        self.block.set_deal(self.count, deal);
        self.tricks.extend(tricks);
        self.count += 1;
    }

    /// Returns whether the batch is full.
    #[must_use]
    pub fn is_full(&self) -> bool {
        self.count == BLOCK_DEALS
    }

    /// Returns the number of a deal among all deals of the source.
    #[must_use]
    pub fn number(&self, place: usize) -> u64 {
        self.numbers
            .get(place)
            .copied()
            .unwrap_or(self.first + place as u64)
    }

    /// Returns the results that came with a deal.
    #[must_use]
    pub fn tricks(&self, place: usize) -> Option<TrickTable> {
        match self.packed.get(place) {
            Some(packed) => Some(zrd::tricks_of(packed)),
            None => self.tricks.get(place).copied(),
        }
    }
}

impl Default for Batch {
    fn default() -> Self {
        Batch::new()
    }
}

/// A source of deals in numbered blocks, shared by all threads.
///
/// Each block is requested once, roughly in ascending order. Its contents depend on its number alone.
pub trait DealSource: Sync {
    /// Puts block `number` into the batch.
    fn fill(&self, number: u64, batch: &mut Batch);

    /// Fills like [`fill`](Self::fill), for a source that may have to plan first. It stops planning when `stop` returns
    /// true, and returns false with an empty batch. Otherwise the result does not depend on `stop`.
    fn fill_unless(&self, number: u64, batch: &mut Batch, stop: &dyn Fn() -> bool) -> bool {
        let _ = stop;
        self.fill(number, batch);
        true
    }

    /// Returns the key and stream of `rnd` in native mode.
    fn random(&self) -> (Key, Stream);

    /// Returns the block that holds the deal with this number, or the first one after it.
    fn block_of(&self, number: u64) -> u64 {
        number / BLOCK_DEALS as u64
    }

    /// Returns whether all deals up to the end of a block are numbered consecutively. If not, numbers are no measure of
    /// how many deals there are. A source that has to plan for the answer returns false if `stop` returns true.
    fn numbers_are_consecutive(&self, block: u64, stop: &dyn Fn() -> bool) -> bool {
        let _ = (block, stop);
        true
    }

    /// Returns whether the deals come with their double-dummy results.
    fn has_tricks(&self) -> bool {
        false
    }
}

/// The native supply: uniform deals of a key, with or without swapping.
#[derive(Clone, Debug)]
pub struct FastSource {
    dealer: FastDealer,
    swap: Swap,
}

impl FastSource {
    /// Creates a source from a dealer.
    #[must_use]
    pub fn new(dealer: FastDealer) -> Self {
        FastSource {
            dealer,
            swap: Swap::Off,
        }
    }

    /// Derives several deals from each by exchanging hands.
    #[must_use]
    pub fn swapping(self, swap: Swap) -> Self {
        FastSource { swap, ..self }
    }

    fn fill_swapped(&self, first: u64, batch: &mut Batch) -> Result<(), BlockNumberTooLarge> {
        let mut base = Block::new();
        while !batch.is_full() {
            let next = first + batch.count as u64;
            let block = self.swap.locate(next).0 / BLOCK_DEALS as u64;
            self.dealer.fill(block, &mut base)?;
            // Up to the end of the base block or of the batch.
            let after = (block + 1).saturating_mul(BLOCK_DEALS as u64 * self.swap.arrangements());
            let end = after.min(first + BLOCK_DEALS as u64);
            let deals = (next..end).map(|number| {
                let (deal, arrangement) = self.swap.locate(number);
                ((deal % BLOCK_DEALS as u64) as usize, arrangement)
            });
            batch.block.set_arranged(batch.count, &base, deals);
            batch.count += (end - next) as usize;
        }
        Ok(())
    }
}

impl DealSource for FastSource {
    fn fill(&self, number: u64, batch: &mut Batch) {
        batch.clear(number.saturating_mul(BLOCK_DEALS as u64));
        let result = match self.swap {
            Swap::Off => self
                .dealer
                .fill(number, &mut batch.block)
                .map(|()| batch.count = BLOCK_DEALS),
            _ => self.fill_swapped(batch.first, batch),
        };
        batch.failure = result.err().map(SourceError::failed);
    }

    fn random(&self) -> (Key, Stream) {
        (*self.dealer.key(), Stream::Rnd)
    }
}

/// Tournament deals of a key.
#[derive(Clone, Copy, Debug)]
pub struct TournamentSource {
    /// The secret key.
    pub key: Key,
}

impl DealSource for TournamentSource {
    fn fill(&self, number: u64, batch: &mut Batch) {
        let first = number.saturating_mul(BLOCK_DEALS as u64);
        batch.clear(first);
        let mut boards = tournament::Boards::new(&self.key);
        while !batch.is_full() {
            batch.push(&boards.deal(first + batch.count as u64), None);
        }
    }

    fn random(&self) -> (Key, Stream) {
        (self.key, Stream::Rnd)
    }
}

/// A deal from a list, a file or a stream.
#[derive(Clone, Copy, Debug)]
pub struct SeriesDeal {
    /// The cards.
    pub deal: Deal,
    /// Double-dummy results of the deal, if the source has them.
    pub tricks: Option<TrickTable>,
}

impl From<Deal> for SeriesDeal {
    fn from(deal: Deal) -> Self {
        SeriesDeal { deal, tricks: None }
    }
}

/// Deals that arrive one after the other: from a file, from standard input, from a classic generator.
///
/// They are read when they are needed, a block at a time, and evaluated by all threads.
pub struct SeriesSource<I> {
    state: Mutex<Series<I>>,
    key: Key,
    has_tricks: bool,
}

struct Series<I> {
    deals: I,
    /// The next block to be read.
    next: u64,
    /// Number of deals put into batches so far.
    given: u64,
    /// Blocks that were read before they were requested.
    early: BTreeMap<u64, Batch>,
    ended: bool,
}

impl<I: Iterator<Item = Result<SeriesDeal, SourceError>> + Send> SeriesSource<I> {
    /// Creates a source from an iterator; an error ends the source at its place.
    pub fn new(deals: I) -> Self {
        let state = Series {
            deals,
            next: 0,
            given: 0,
            early: BTreeMap::new(),
            ended: false,
        };
        SeriesSource {
            state: Mutex::new(state),
            key: Key::from_seed(0),
            has_tricks: false,
        }
    }

    /// Sets the number of the first deal, which must be a multiple of the block size.
    #[must_use]
    pub fn starting_at(mut self, number: u64) -> Self {
        let series = self.state.get_mut().unwrap_or_else(PoisonError::into_inner);
        series.next = number / BLOCK_DEALS as u64;
        series.given = number;
        self
    }

    /// Sets the key of `rnd`, for scripts that use it.
    #[must_use]
    pub fn with_key(self, key: Key) -> Self {
        SeriesSource { key, ..self }
    }

    /// Declares that every deal comes with its double-dummy results.
    #[must_use]
    pub fn with_tricks(self) -> Self {
        SeriesSource {
            has_tricks: true,
            ..self
        }
    }
}

impl<I: Iterator<Item = Result<SeriesDeal, SourceError>>> Series<I> {
    fn read(&mut self, batch: &mut Batch) {
        batch.clear(self.given);
        while !batch.is_full() && !self.ended {
            match self.deals.next() {
                Some(Ok(deal)) => batch.push(&deal.deal, deal.tricks),
                Some(Err(error)) => {
                    batch.failure = Some(error);
                    self.ended = true;
                }
                None => self.ended = true,
            }
        }
        self.given += batch.count as u64;
        self.next += 1;
    }
}

impl<I: Iterator<Item = Result<SeriesDeal, SourceError>> + Send> DealSource for SeriesSource<I> {
    fn fill(&self, number: u64, batch: &mut Batch) {
        let mut series = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        while series.next < number {
            let at = series.next;
            let mut early = Batch::new();
            series.read(&mut early);
            series.early.insert(at, early);
        }
        match series.early.remove(&number) {
            Some(early) => *batch = early,
            None => series.read(batch),
        }
    }

    fn random(&self) -> (Key, Stream) {
        (self.key, Stream::Rnd)
    }

    fn has_tricks(&self) -> bool {
        self.has_tricks
    }
}
