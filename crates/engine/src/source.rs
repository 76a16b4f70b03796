//! Where deals come from.

mod classic;
mod records;

pub(crate) use classic::ClassicSource;

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
    /// How many of its places are filled; fewer than [`BLOCK_DEALS`] means that the source ends here.
    pub count: usize,
    /// Number of the first deal, from 0; the others follow it.
    pub first: u64,
    /// Numbers of the deals where they do not simply follow the first.
    pub numbers: Vec<u64>,
    /// Double-dummy results that came with the deals: none, or one for each.
    tricks: Vec<TrickTable>,
    /// The same for library records, unpacked when they are needed.
    packed: Vec<records::PackedTricks>,
    /// Whether the source goes on although the batch is not full.
    pub goes_on: bool,
    /// Number after the last deal of such a block, whether or not it is in the batch.
    pub end: u64,
    /// What went wrong after these deals; the run ends with it unless it needs no more.
    pub failure: Option<String>,
}

impl Batch {
    /// A batch to be filled again and again.
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

    /// Puts another deal into the batch. Either all deals of a batch come with results or none.
    pub fn push(&mut self, deal: &Deal, tricks: Option<TrickTable>) {
        self.block.set_deal(self.count, deal);
        self.tricks.extend(tricks);
        self.count += 1;
    }

    /// Whether there is no place left.
    #[must_use]
    pub fn is_full(&self) -> bool {
        self.count == BLOCK_DEALS
    }

    /// Number of a deal among all that the source gives.
    #[must_use]
    pub fn number(&self, place: usize) -> u64 {
        self.numbers
            .get(place)
            .copied()
            .unwrap_or(self.first + place as u64)
    }

    /// The results that came with a deal.
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

/// A supply of deals in numbered blocks, shared by all threads.
///
/// Each block is asked for once, roughly in ascending order. What it holds depends on its number alone.
pub trait Source: Sync {
    /// Puts block `number` into the batch.
    fn fill(&self, number: u64, batch: &mut Batch);

    /// The same, for a source that may have to think first: it stops thinking when `stop` says so, and gives false
    /// with nothing in the batch. What it gives otherwise does not depend on `stop`.
    fn fill_unless(&self, number: u64, batch: &mut Batch, stop: &dyn Fn() -> bool) -> bool {
        let _ = stop;
        self.fill(number, batch);
        true
    }

    /// Key and stream of `rnd` in native mode.
    fn random(&self) -> (Key, Stream);

    /// The block that holds the deal with this number, or the first one after it.
    fn block_of(&self, number: u64) -> u64 {
        number / BLOCK_DEALS as u64
    }

    /// Whether all deals up to the end of a block are numbered one after the other. If not, the numbers say
    /// nothing about how many deals there are. A source that has to think about it may be told to `stop`; its answer
    /// is then no.
    fn numbers_follow(&self, block: u64, stop: &dyn Fn() -> bool) -> bool {
        let _ = (block, stop);
        true
    }

    /// Whether the deals come with their double-dummy results.
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
    /// The deals of the dealer.
    #[must_use]
    pub fn new(dealer: FastDealer) -> Self {
        FastSource {
            dealer,
            swap: Swap::Off,
        }
    }

    /// Several deals from each by exchanging hands.
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
            // As far as the base block and the batch reach.
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

impl Source for FastSource {
    fn fill(&self, number: u64, batch: &mut Batch) {
        batch.clear(number.saturating_mul(BLOCK_DEALS as u64));
        let result = match self.swap {
            Swap::Off => self
                .dealer
                .fill(number, &mut batch.block)
                .map(|()| batch.count = BLOCK_DEALS),
            _ => self.fill_swapped(batch.first, batch),
        };
        batch.failure = result.err().map(|error| error.to_string());
    }

    fn random(&self) -> (Key, Stream) {
        (*self.dealer.key(), Stream::Rnd)
    }
}

/// Tournament deals of a key.
#[derive(Clone, Copy, Debug)]
pub struct TournamentSource {
    /// The secret.
    pub key: Key,
}

impl Source for TournamentSource {
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
    /// Its results, if they came with it.
    pub tricks: Option<TrickTable>,
}

impl From<Deal> for SeriesDeal {
    fn from(deal: Deal) -> Self {
        SeriesDeal { deal, tricks: None }
    }
}

/// Deals that come one after the other: from a file, from standard input, from a classic generator.
///
/// They are read as they are needed, a block at a time, and evaluated by all threads.
pub struct SeriesSource<I> {
    state: Mutex<Series<I>>,
    key: Key,
    has_tricks: bool,
}

struct Series<I> {
    deals: I,
    /// The next block to be read.
    next: u64,
    /// Deals given so far.
    given: u64,
    /// Blocks read before they were asked for.
    early: BTreeMap<u64, Batch>,
    ended: bool,
}

impl<I: Iterator<Item = Result<SeriesDeal, String>> + Send> SeriesSource<I> {
    /// The deals of an iterator; an error ends them at its place.
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

    /// The first deal has this number, which must be that of the first deal of a block.
    #[must_use]
    pub fn starting_at(mut self, number: u64) -> Self {
        let series = self.state.get_mut().unwrap_or_else(PoisonError::into_inner);
        series.next = number / BLOCK_DEALS as u64;
        series.given = number;
        self
    }

    /// The key of `rnd`, if the script has any.
    #[must_use]
    pub fn with_key(self, key: Key) -> Self {
        SeriesSource { key, ..self }
    }

    /// Says that every deal comes with its double-dummy results.
    #[must_use]
    pub fn with_tricks(self) -> Self {
        SeriesSource {
            has_tricks: true,
            ..self
        }
    }
}

impl<I: Iterator<Item = Result<SeriesDeal, String>>> Series<I> {
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

impl<I: Iterator<Item = Result<SeriesDeal, String>> + Send> Source for SeriesSource<I> {
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
