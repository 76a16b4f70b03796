//! The numbers of the sampler's blocks of candidates among the deals of a plain run.

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};

use sampling::Skips;
use shuffle::{BLOCK_DEALS, Key};

/// The start of each block so far, and the random skips drawn for it.
pub(super) struct Starts {
    key: Key,
    /// Maximum number of deals.
    limit: u128,
    drawn: Mutex<Drawn>,
}

#[derive(Default)]
struct Drawn {
    /// For each block, the number of the deal at which its skips begin, counted among the deals of a plain run.
    list: Vec<u128>,
    /// The skips of blocks that have been drawn and not yet used, the latest last.
    skips: VecDeque<(u64, Vec<u128>)>,
}

/// Maximum number of blocks whose skips are kept until they are used; others are drawn again.
const KEPT_SKIPS: usize = 64;

impl Starts {
    /// Creates an empty list for the deals of a key. At most `generate` deals are generated.
    pub(super) fn new(key: Key, generate: u64) -> Starts {
        Starts {
            key,
            limit: u128::from(generate),
            drawn: Mutex::default(),
        }
    }

    fn lock(&self) -> MutexGuard<'_, Drawn> {
        self.drawn.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the block of candidates that holds raw deal `number`, or the first one after it.
    pub(super) fn block_of(&self, skips: &Skips, plain: u64, number: u64) -> u64 {
        let number = u128::from(number);
        loop {
            let drawn = self.lock();
            let last = drawn.list.last().copied().unwrap_or(0);
            if last > number || last >= self.limit {
                let after = drawn.list.partition_point(|&start| start <= number);
                return after.saturating_sub(1) as u64;
            }
            let next = drawn.list.len() as u64;
            drop(drawn);
            self.of(skips, plain, next);
        }
    }

    /// Returns the number of raw deals before a block of candidates, and the skips of the block. The skips are empty if
    /// the block is beyond the limit of the run. Blocks are requested roughly in order, so a call usually adds at most
    /// one block to the list, and the skips of each block are drawn once.
    pub(super) fn of(&self, skips: &Skips, plain: u64, block: u64) -> (u128, Vec<u128>) {
        let mut drawn = self.lock();
        let Drawn { list, skips: kept } = &mut *drawn;
        if list.is_empty() {
            list.push(u128::from(plain * BLOCK_DEALS as u64));
        }
        while list.len() as u64 <= block + 1 {
            let last = list.last().copied().unwrap_or(0);
            if last >= self.limit {
                break;
            }
            let number = list.len() as u64 - 1;
            let mut skipped = Vec::new();
            skips.block(&self.key, number, &mut skipped);
            let all = skipped.iter();
            list.push(all.fold(last, |sum, &skip| sum.saturating_add(skip + 1)));
            if kept.len() == KEPT_SKIPS {
                kept.pop_front();
            }
            kept.push_back((number, skipped));
        }
        let before = match list.get(block as usize) {
            Some(&before) => before,
            None => return (list.last().copied().unwrap_or(0), Vec::new()),
        };
        let place = kept.iter().position(|&(number, _)| number == block);
        if let Some((_, skipped)) = place.and_then(|place| kept.remove(place)) {
            return (before, skipped);
        }
        drop(drawn);
        let mut skipped = Vec::new();
        if before < self.limit {
            skips.block(&self.key, block, &mut skipped);
        }
        (before, skipped)
    }
}
