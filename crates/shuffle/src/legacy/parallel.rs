//! Deals the classic streams with several threads.
//!
//! A shuffle is a permutation that depends only on the random stream, not on the pack. So the stream is cut into runs
//! whose generators are reached by jumping ahead. Every run is composed into permutations relative to its unknown first
//! pack, and then the packs are chained: 52 bytes for each run. Only `rnd()` makes this impossible, because the
//! condition decides how many numbers it takes from the stream; such a script must use [`V1`](super::V1) or
//! [`V2`](super::V2) deal by deal.
//!
//! v2 without predeal sorts its pack whenever a deal is accepted. This changes only the pack from which the rest of the
//! run follows, and [`ConsecutiveDeals::accept`] rewrites it in place. So evaluate the deals as if none were accepted;
//! at the first accepted one call `accept`, and evaluate the deals after it again.
//!
//! The caller provides the threads as a [`ParallelMap`].
//!
//! ```
//! use croupier_shuffle::legacy::parallel::OneThread;
//! use croupier_shuffle::legacy::{LegacyDealer, V1, Variant};
//! use croupier_shuffle::{Predeal, Swap};
//!
//! let mut one_by_one = V1::new(Variant::Debian, 7, &Predeal::NONE, Swap::Off);
//! let mut rounds = one_by_one.rounds().unwrap();
//! for run in rounds.next_round(2, &OneThread) {
//!     assert!((0..run.len()).all(|i| Some(run.deal(i)) == one_by_one.next_deal()));
//! }
//! ```

use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

use cards::{BySeat, CardSet, Deal, Seat, Side};

use super::additive::{Additive, Jump};
use super::congruential::Congruential;
use super::v1::SlotDraw;
use super::{Pack, V2Start};
use crate::{BLOCK_DEALS, Block, Swap};

/// Numbers of v1's stream in a run: about 1260 deals of a whole pack.
const NUMBERS_PER_RUN: u64 = 1 << 16;
/// Numbers that are converted to slots together.
const BATCH: usize = 64;
/// Shuffles in a run of v2.
const SHUFFLES_PER_RUN: usize = 1024;

/// A parallel map over independent work items, on the caller's threads.
pub trait ParallelMap {
    /// Calls `work` for every item; results are in the order of the items.
    fn map<T: Send, R: Send>(&self, items: Vec<T>, work: impl Fn(T) -> R + Sync) -> Vec<R>;
}

/// A map without threads: one item after the other.
#[derive(Clone, Copy, Debug)]
pub struct OneThread;

impl ParallelMap for OneThread {
    fn map<T: Send, R: Send>(&self, items: Vec<T>, work: impl Fn(T) -> R + Sync) -> Vec<R> {
        items.into_iter().map(work).collect()
    }
}

const NOTHING_FIXED: BySeat<CardSet> = BySeat([CardSet::EMPTY; 4]);

/// Consecutive deals of a classic stream.
#[derive(Clone, Debug)]
pub struct ConsecutiveDeals {
    first: u64,
    start: Pack,
    /// The pack of each deal, relative to the slots of `start`.
    relative: Vec<Pack>,
    fixed: BySeat<CardSet>,
}

impl ConsecutiveDeals {
    /// Returns the number of the first deal in the whole stream, from 0.
    #[must_use]
    pub fn first(&self) -> u64 {
        self.first
    }

    /// Returns the number of deals.
    #[must_use]
    pub fn len(&self) -> usize {
        self.relative.len()
    }

    /// Returns whether there are no deals.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.relative.is_empty()
    }

    /// Returns deal number `index` of the run.
    #[must_use]
    pub fn deal(&self, index: usize) -> Deal {
        let mut slots = self.relative[index].0.iter();
        let hands = self.fixed.map(|hand| {
            let drawn = slots.by_ref().take(13 - hand.len());
            hand | CardSet(drawn.fold(0, |set, &slot| set | 1 << self.start.0[usize::from(slot)]))
        });
        Deal::from_valid_hands(hands.0)
    }

    /// Returns the cards in the slots of the first pack, as bits, if no card is fixed.
    fn cards(&self) -> Option<[u64; 64]> {
        let mut cards = [0; 64];
        for (card, &held) in cards.iter_mut().zip(&self.start.0) {
            *card = 1 << held;
        }
        (self.fixed == NOTHING_FIXED).then_some(cards)
    }

    /// Returns a [`deal`](Self::deal) without fixed cards, given [`cards`](Self::cards).
    #[inline]
    fn whole_deal(&self, index: usize, cards: &[u64; 64]) -> Deal {
        let slots = &self.relative[index].0;
        let hand = |seat: usize| {
            let slots = &slots[13 * seat..][..13];
            CardSet(
                slots
                    .iter()
                    .fold(0, |set, &slot| set | cards[usize::from(slot & 63)]),
            )
        };
        Deal::from_valid_hands([hand(0), hand(1), hand(2), hand(3)])
    }

    /// Writes deals `from ..` of the run into a block, as many as it holds. Returns how many.
    pub fn fill(&self, from: usize, block: &mut Block) -> usize {
        let count = self.len().saturating_sub(from).min(BLOCK_DEALS);
        self.put(from..from + count, block, 0);
        count
    }

    /// Writes these deals of the run into a block, starting at `place`.
    fn put(&self, deals: Range<usize>, block: &mut Block, place: usize) {
        let cards = self.cards();
        for (place, index) in (place..).zip(deals) {
            let deal = match &cards {
                Some(cards) => self.whole_deal(index, cards),
                None => self.deal(index),
            };
            block.set_deal(place, &deal);
        }
    }

    /// Reports that deal `index` was accepted, for v2 without predeal. The deals after it follow from sorted hands.
    pub fn accept(&mut self, index: usize) {
        self.sort(index, &Seat::ALL);
    }

    /// Reports that `opc` of a side was evaluated in deal `index`, for v2 without predeal.
    pub fn opc_evaluated(&mut self, index: usize, side: Side) {
        self.sort(index, &side.seats());
    }

    /// Changes the start pack so that deal `index` has these seats sorted; later deals follow from it.
    fn sort(&mut self, index: usize, seats: &[Seat]) {
        let relative = &self.relative[index];
        let mut pack = self.start.permuted(relative);
        seats.iter().for_each(|&seat| pack.sort_hand(seat));
        for (&slot, card) in relative.0.iter().zip(pack.0) {
            self.start.0[usize::from(slot)] = card;
        }
    }

    /// Returns the pack after the last deal.
    fn end(&self) -> Pack {
        self.relative
            .last()
            .map_or(self.start, |relative| self.start.permuted(relative))
    }
}

/// The stream of shuffles that the runs are cut from.
#[derive(Clone, Debug)]
enum Shuffles {
    /// v1: some draws are repeated, so the place where a run ends is known only after its numbers have been read.
    Slots(Slots),
    /// v2: a fixed number of draws for each shuffle of `cards` cards.
    Counted { random: Congruential, cards: usize },
}

/// The stream of v1.
#[derive(Clone, Debug)]
struct Slots {
    random: Box<Additive>,
    jump: Box<Jump>,
    draw: SlotDraw,
    /// Draws after the last whole shuffle.
    carried: Vec<u8>,
}

/// Deals a classic stream in rounds; a round is a number of runs.
#[derive(Clone, Debug)]
pub struct Rounds {
    shuffles: Shuffles,
    swap: Swap,
    fixed: BySeat<CardSet>,
    pack: Pack,
    dealt: u64,
}

impl Rounds {
    /// Creates v1's stream from a state of its generator and pack.
    pub(super) fn of_slots(random: Additive, draw: SlotDraw, pack: Pack, swap: Swap) -> Self {
        let (random, jump) = (Box::new(random), Box::new(Jump::new(NUMBERS_PER_RUN)));
        let carried = Vec::new();
        let shuffles = Shuffles::Slots(Slots {
            random,
            jump,
            draw,
            carried,
        });
        Rounds {
            shuffles,
            swap,
            fixed: NOTHING_FIXED,
            pack,
            dealt: 0,
        }
    }

    /// Creates v2's stream with fixed cards, from the order of the remaining cards in `rest`.
    pub(super) fn of_rest(random: Congruential, rest: &[u8], fixed: BySeat<CardSet>) -> Self {
        let mut pack = Pack::DESCENDING;
        pack.0[..rest.len()].copy_from_slice(rest);
        let shuffles = Shuffles::Counted {
            random,
            cards: rest.len(),
        };
        Rounds {
            shuffles,
            swap: Swap::Off,
            fixed,
            pack,
            dealt: 0,
        }
    }

    /// Creates the stream of [`V2::new`](super::V2::new). Acceptance must be reported to the runs, in order. (For the
    /// other dealers use [`LegacyDealer::rounds`](super::LegacyDealer::rounds).)
    #[must_use]
    pub fn v2(start: V2Start, swap: Swap) -> Self {
        let shuffles = Shuffles::Counted {
            random: start.generator(),
            cards: 52,
        };
        Rounds {
            shuffles,
            swap,
            fixed: NOTHING_FIXED,
            pack: Pack::DESCENDING,
            dealt: 0,
        }
    }

    /// Returns the next `runs` runs. The expensive parts run on `threads`.
    pub fn next_round(&mut self, runs: usize, threads: &impl ParallelMap) -> Vec<ConsecutiveDeals> {
        let swap = self.swap;
        let relative = match &mut self.shuffles {
            Shuffles::Slots(slots) => slots.round(swap, runs, threads),
            Shuffles::Counted { random, cards } => {
                counted_round(random, *cards, swap, runs, threads)
            }
        };
        let mut round = Vec::with_capacity(runs);
        for relative in relative {
            let run = ConsecutiveDeals {
                first: self.dealt,
                start: self.pack,
                relative,
                fixed: self.fixed,
            };
            self.dealt += run.len() as u64;
            self.pack = run.end();
            round.push(run);
        }
        round
    }

    /// Updates the packs of the later runs and rounds after a deal of `round[changed]` was accepted.
    pub fn update_packs(&mut self, round: &mut [ConsecutiveDeals], changed: usize) {
        let Some(mut pack) = round.get(changed).map(ConsecutiveDeals::end) else {
            return;
        };
        for run in &mut round[changed + 1..] {
            run.start = pack;
            pack = run.end();
        }
        self.pack = pack;
    }
}

/// The deals of a stream that does not depend on acceptance, in blocks of 1024, for any number of threads.
///
/// Each block can be requested once, by any thread, roughly in ascending order. A thread that requests a block that is
/// not computed yet computes a round with all threads; the others wait for it.
#[derive(Debug)]
pub struct Blocks<M> {
    threads: M,
    largest_round: usize,
    pending: Mutex<PendingRuns>,
}

#[derive(Debug)]
struct PendingRuns {
    rounds: Rounds,
    /// Runs of the next round: one at first, because a script may need few deals, then more and more.
    next_runs: usize,
    /// Runs with deals that have not been requested, and the number of these deals.
    runs: Vec<(Arc<ConsecutiveDeals>, usize)>,
}

impl<M: ParallelMap> Blocks<M> {
    /// Creates blocks of the stream, computed in rounds of up to `largest_round` runs.
    pub fn new(rounds: Rounds, largest_round: usize, threads: M) -> Self {
        let pending = PendingRuns {
            rounds,
            next_runs: 1,
            runs: Vec::new(),
        };
        Blocks {
            threads,
            largest_round: largest_round.max(1),
            pending: Mutex::new(pending),
        }
    }

    /// Writes deals `1024 * number ..` into the block.
    pub fn fill(&self, number: u64, block: &mut Block) {
        let first = number.saturating_mul(BLOCK_DEALS as u64);
        for run in self.runs_of(first) {
            // The deals that are in both the run and the block.
            let begin = first.max(run.first());
            let end = (first + BLOCK_DEALS as u64).min(run.first() + run.len() as u64);
            if begin < end {
                let [from, to] = [begin, end].map(|deal| (deal - run.first()) as usize);
                run.put(from..to, block, (begin - first) as usize);
            }
        }
    }

    /// Returns the runs that hold the deals from `first` on. A run is dropped when all its deals have been taken.
    fn runs_of(&self, first: u64) -> Vec<Arc<ConsecutiveDeals>> {
        let end = first + BLOCK_DEALS as u64;
        let mut pending = self.pending.lock().unwrap_or_else(PoisonError::into_inner);
        while pending.rounds.dealt < end {
            let runs = pending.next_runs;
            pending.next_runs = (2 * runs).min(self.largest_round);
            let round = pending.rounds.next_round(runs, &self.threads);
            pending.runs.extend(round.into_iter().map(|run| {
                let deals = run.len();
                (Arc::new(run), deals)
            }));
        }
        let mut wanted = Vec::new();
        pending.runs.retain_mut(|(run, untaken)| {
            let (begin, run_end) = (
                run.first().max(first),
                (run.first() + run.len() as u64).min(end),
            );
            if begin < run_end {
                wanted.push(Arc::clone(run));
                *untaken = untaken.saturating_sub((run_end - begin) as usize);
            }
            *untaken > 0
        });
        wanted
    }
}

impl Slots {
    /// Reads v1's stream, cuts it into whole shuffles, and composes these.
    fn round(&mut self, swap: Swap, runs: usize, threads: &impl ParallelMap) -> Vec<Vec<Pack>> {
        let draw = &self.draw;
        let mut starts = Vec::with_capacity(runs);
        for _ in 0..runs {
            starts.push(Additive::clone(&self.random));
            *self.random = self.random.jump(&self.jump);
        }
        let open = draw.open.len();
        if open == 0 {
            // Every card is fixed, so no number is drawn.
            return threads.map(starts, |_| compose(SHUFFLES_PER_RUN, swap, |_| ()));
        }
        let read = threads.map(starts, |mut random| {
            let mut slots = vec![0; NUMBERS_PER_RUN as usize];
            let mut accepted = 0;
            let mut left = NUMBERS_PER_RUN;
            while open == 52 && left >= BATCH as u64 {
                // There must be room for a whole batch, even if some of its draws are repeated.
                let Some(room) = slots[accepted..].first_chunk_mut::<BATCH>() else {
                    break;
                };
                let taken = if draw.whole_pack(random.peek(), room) {
                    BATCH
                } else {
                    let drawn = random.peek::<BATCH>().map(|word| draw.slot(word));
                    let mut taken = 0;
                    for slot in drawn.into_iter().flatten() {
                        room[taken] = slot;
                        taken += 1;
                    }
                    taken
                };
                random.skip(BATCH);
                accepted += taken;
                left -= BATCH as u64;
            }
            for _ in 0..left {
                // A draw to be repeated is overwritten by the next.
                let slot = draw.slot(random.step());
                slots[accepted] = slot.unwrap_or_default();
                accepted += usize::from(slot.is_some());
            }
            slots.truncate(accepted);
            slots
        });
        let mut cut = Vec::with_capacity(runs);
        for slots in read {
            let mut whole = std::mem::take(&mut self.carried);
            whole.extend(slots);
            self.carried = whole.split_off(whole.len() / open * open);
            cut.push(whole);
        }
        if open == 52 && swap.arrangements() == 1 {
            let mut cut = cut.into_iter();
            let mut pairs = Vec::with_capacity(runs.div_ceil(2));
            while let Some(first) = cut.next() {
                pairs.push([first, cut.next().unwrap_or_default()]);
            }
            let packs = threads.map(pairs, |pair| compose_two(&pair));
            return packs.into_iter().flatten().take(runs).collect();
        }
        threads.map(cut, |slots| {
            let mut shuffles = slots.chunks_exact(open);
            compose(slots.len() / open, swap, |pack| {
                let shuffle = shuffles.next().unwrap_or_default();
                if let Some(slots) = shuffle.first_chunk() {
                    return pack.shuffle(slots);
                }
                for (&slot, &other) in draw.open.iter().zip(shuffle) {
                    pack.0.swap(usize::from(slot), usize::from(other));
                }
            })
        })
    }
}

/// Returns the packs of two runs of v1 without fixed cards, relative to the slots before them.
///
/// A pack that was just written byte by byte cannot be copied quickly, because the copy waits for all the writes. So
/// each pack is copied while the other is shuffled.
fn compose_two(runs: &[Vec<u8>; 2]) -> [Vec<Pack>; 2] {
    let [one, other] = runs.each_ref().map(|slots| slots.as_chunks::<52>().0);
    let [mut packs, mut others] = [one, other].map(|run| Vec::with_capacity(run.len()));
    let [mut pack, mut second] = [Pack::ASCENDING; 2];
    let both = one.len().min(other.len());
    for number in 0..both {
        pack.shuffle(&one[number]);
        if number > 0 {
            others.push(second);
        }
        second.shuffle(&other[number]);
        packs.push(pack);
    }
    if both > 0 {
        others.push(second);
    }
    for (rest, pack, packs) in [
        (&one[both..], &mut pack, &mut packs),
        (&other[both..], &mut second, &mut others),
    ] {
        for shuffle in rest {
            pack.shuffle(shuffle);
            packs.push(*pack);
        }
    }
    [packs, others]
}

/// Composes the shuffles of v2, whose generators are reached by jumping.
fn counted_round(
    random: &mut Congruential,
    cards: usize,
    swap: Swap,
    runs: usize,
    threads: &impl ParallelMap,
) -> Vec<Vec<Pack>> {
    let draws = SHUFFLES_PER_RUN as u64 * cards.saturating_sub(1) as u64;
    let mut starts = Vec::with_capacity(runs);
    for _ in 0..runs {
        starts.push(*random);
        *random = random.ahead(draws);
    }
    threads.map(starts, |mut random| {
        compose(SHUFFLES_PER_RUN, swap, |pack| {
            random.shuffle(&mut pack.0[..cards])
        })
    })
}

/// Returns the packs of consecutive shuffles and their swapped arrangements, relative to the slots before them.
fn compose(shuffles: usize, swap: Swap, mut shuffle: impl FnMut(&mut Pack)) -> Vec<Pack> {
    let arrangements = swap.arrangements() as usize;
    let mut packs = Vec::with_capacity(shuffles * arrangements);
    let mut pack = Pack::ASCENDING;
    for _ in 0..shuffles {
        shuffle(&mut pack);
        packs.push(pack);
        for arrangement in 1..arrangements {
            let (a, b) = Swap::exchange(arrangement);
            pack.exchange(a, b);
            packs.push(pack);
        }
    }
    packs
}
