//! Classic streams whose deals do not depend on their evaluation, dealt by all threads.

use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use shuffle::legacy::parallel::{Blocks, ParallelMap, Rounds};
use shuffle::{BLOCK_DEALS, Key, Stream};

use super::{Batch, DealSource};

/// Runs per thread in a round: enough to make the cost of starting threads negligible.
const RUNS_PER_THREAD: usize = 4;

/// Threads that are started for one piece of work and joined after it.
pub(crate) struct Threads(usize);

impl ParallelMap for Threads {
    fn map<T: Send, R: Send>(&self, items: Vec<T>, work: impl Fn(T) -> R + Sync) -> Vec<R> {
        let share = items.len().div_ceil(self.0.max(1)).max(1);
        if items.len() <= share {
            return items.into_iter().map(work).collect();
        }
        let mut items = items.into_iter();
        thread::scope(|scope| {
            let mut parts = Vec::new();
            while items.len() > 0 {
                let part: Vec<T> = items.by_ref().take(share).collect();
                parts.push(Part::start(scope, part, &work));
            }
            parts.into_iter().flat_map(Part::finish).collect()
        })
    }
}

/// Results of a thread, or of the calling thread if no thread could be started.
enum Part<'scope, R> {
    Begun(thread::ScopedJoinHandle<'scope, Vec<R>>),
    Done(Vec<R>),
}

impl<'scope, R: Send + 'scope> Part<'scope, R> {
    fn start<T: Send + 'scope>(
        scope: &'scope thread::Scope<'scope, '_>,
        items: Vec<T>,
        work: &'scope (impl Fn(T) -> R + Sync),
    ) -> Self {
        // The items stay here until the thread has started.
        let items = Arc::new(Mutex::new(items));
        let theirs = Arc::clone(&items);
        let run = move |items: &Mutex<Vec<T>>| {
            let items = std::mem::take(&mut *items.lock().unwrap_or_else(PoisonError::into_inner));
            items.into_iter().map(work).collect::<Vec<R>>()
        };
        match thread::Builder::new().spawn_scoped(scope, move || run(&theirs)) {
            Ok(handle) => Part::Begun(handle),
            Err(_) => Part::Done(run(&items)),
        }
    }

    fn finish(self) -> Vec<R> {
        match self {
            Part::Done(results) => results,
            Part::Begun(handle) => handle
                .join()
                .unwrap_or_else(|panic| std::panic::resume_unwind(panic)),
        }
    }
}

/// A classic stream in blocks.
pub(crate) struct ClassicSource(Blocks<Threads>);

impl ClassicSource {
    /// Creates a source of the remaining deals of a classic dealer.
    pub(crate) fn new(rounds: Rounds, threads: usize) -> Self {
        ClassicSource(Blocks::new(
            rounds,
            RUNS_PER_THREAD * threads,
            Threads(threads),
        ))
    }
}

impl DealSource for ClassicSource {
    fn fill(&self, number: u64, batch: &mut Batch) {
        batch.clear(number.saturating_mul(BLOCK_DEALS as u64));
        self.0.fill(number, &mut batch.block);
        batch.count = BLOCK_DEALS;
    }

    /// Returns a key that is never used: a script with `rnd` is evaluated deal by deal.
    fn random(&self) -> (Key, Stream) {
        (Key::from_seed(0), Stream::Rnd)
    }
}
