//! Many deals or positions in one call.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;

use cards::{Deal, Strain, TrickTable};

use crate::choice::Choices;
use crate::guess;
use crate::position::Position;
use crate::solver::{DEFAULT_MEMORY, Solver, for_north_south};

/// Solves any number of deals or positions, on several threads.
///
/// Results are in the order of the input and equal those of a [`Solver`]. Put related positions next to each other: the
/// positions of one play, or layouts of the hidden hands around a known one. A result is the first guess for the next,
/// and late in the play the transposition table is kept from one position to the next, which saves searches.
///
/// The solvers stay with the batch, so create one and use it for many calls.
///
/// ```
/// use cards::{Deal, Seat, Strain};
/// use croupier_solver::{SolverBatch, Position};
///
/// let deal: Deal = "N:AKQ.AKQ.AKQ.AKQJ JT98.JT9.JT9.T98 7654.876.876.765 32.5432.5432.432".parse()?;
/// let mut batch = SolverBatch::new(2);
/// assert_eq!(batch.tables(&[deal, deal.rotated(1)]).len(), 2);
/// let position = Position::opening(&deal, Seat::South, Strain::Notrump);
/// assert_eq!(batch.north_south(&[position]), [13]);
/// # Ok::<(), cards::NotationError>(())
/// ```
pub struct SolverBatch {
    solvers: Vec<Solver>,
    stop: Option<Arc<AtomicBool>>,
}

/// Most tricks left at which tables are kept. Measured on layouts of two hidden hands: with 10 tricks left a call gains
/// 3 %, with 8 it gains 15 %, with 6 60 %, with 13 it loses 10 %, because lists of patterns become long.
const MAX_SHARED_TRICKS: usize = 9;

/// Number of consecutive positions that a thread takes at once.
const BLOCK: usize = 16;

impl SolverBatch {
    /// Creates a batch of `threads` solvers with [`DEFAULT_MEMORY`] each.
    #[must_use]
    pub fn new(threads: usize) -> SolverBatch {
        SolverBatch::with_memory(threads, DEFAULT_MEMORY)
    }

    /// Creates a batch of `threads` solvers that use at most `megabytes` of memory each.
    #[must_use]
    pub fn with_memory(threads: usize, megabytes: u32) -> SolverBatch {
        let solvers = (0..threads.max(1)).map(|_| Solver::with_memory(megabytes));
        SolverBatch {
            solvers: solvers.collect(),
            stop: None,
        }
    }

    /// Runs `work` with this batch. Stops within milliseconds and returns `None` if `stop` becomes true before it is
    /// done.
    pub fn with_cancellation<T>(
        &mut self,
        stop: &Arc<AtomicBool>,
        work: impl FnOnce(&mut SolverBatch) -> T,
    ) -> Option<T> {
        self.stop = Some(Arc::clone(stop));
        let done = work(self);
        self.stop = None;
        (!stop.load(Ordering::Relaxed)).then_some(done)
    }

    /// Returns the twenty results of each deal.
    #[must_use]
    pub fn tables(&mut self, deals: &[Deal]) -> Vec<TrickTable> {
        self.map(deals, 1, |solver, _, deal| solver.table(deal))
    }

    /// Returns the tricks of North-South from each position on, the current trick included.
    #[must_use]
    pub fn north_south(&mut self, positions: &[Position]) -> Vec<u8> {
        self.map(positions, BLOCK, |solver, last, position| {
            let guess = last.prepare(solver, position);
            let north_south = solver.north_south_near(position, guess);
            last.result = Some(north_south);
            north_south
        })
    }

    /// Returns the tricks after each legal card of each position, for the side that plays it.
    #[must_use]
    pub fn choices(&mut self, positions: &[Position]) -> Vec<Choices> {
        self.map(positions, BLOCK, |solver, last, position| {
            let guess = last.prepare(solver, position);
            let choices = solver.choices_near(position, guess);
            let (seat, left) = (position.to_play(), position.tricks_left());
            last.result = Some(for_north_south(seat, choices.best(), left));
            choices
        })
    }

    /// Applies `work` to all items. Each thread takes `block` items at a time. When the batch is cancelled, the results
    /// of the remaining items have their default value.
    fn map<T: Sync, R: Default + Send>(
        &mut self,
        items: &[T],
        block: usize,
        work: impl Fn(&mut Solver, &mut LastPosition, &T) -> R + Sync,
    ) -> Vec<R> {
        let (next, stop) = (AtomicUsize::new(0), self.stop.as_ref());
        let run = |solver: &mut Solver| {
            let (mut results, mut last) = (Vec::new(), LastPosition::default());
            let mut solve_blocks = |solver: &mut Solver| {
                loop {
                    let start = next.fetch_add(block, Ordering::Relaxed);
                    for (place, item) in items.iter().enumerate().skip(start).take(block) {
                        if stop.is_some_and(|stop| stop.load(Ordering::Relaxed)) {
                            return;
                        }
                        results.push((place, work(solver, &mut last, item)));
                    }
                    if start >= items.len() {
                        return;
                    }
                }
            };
            match stop {
                Some(stop) => {
                    let _ = solver.with_cancellation(stop, solve_blocks);
                }
                None => solve_blocks(solver),
            }
            solver.keep_tables(false);
            results
        };
        let mut all: Vec<R> = (0..items.len()).map(|_| R::default()).collect();
        let (first, others) = self
            .solvers
            .split_first_mut()
            .expect("a batch has a solver");
        // The calling thread works too, so that one thread needs no other.
        let found = thread::scope(|scope| {
            let run = &run;
            let useful = items.len().div_ceil(block).saturating_sub(1);
            let others = others.iter_mut().take(useful);
            let others: Vec<_> = others
                .map(|solver| scope.spawn(move || run(solver)))
                .collect();
            let mut found = run(first);
            for other in others {
                found.extend(other.join().expect("a solver does not panic"));
            }
            found
        });
        for (place, result) in found {
            all[place] = result;
        }
        all
    }
}

/// The position that a thread solved last, for the guess of the next.
#[derive(Default)]
struct LastPosition {
    strain: Option<Strain>,
    tricks_left: usize,
    result: Option<u8>,
}

impl LastPosition {
    /// Prepares the solver for a position, and returns a guess of North-South's tricks.
    fn prepare(&mut self, solver: &mut Solver, position: &Position) -> i32 {
        let (strain, tricks_left) = (position.strain(), position.tricks_left());
        solver.keep_tables(tricks_left <= MAX_SHARED_TRICKS);
        let is_like = self.strain == Some(strain) && self.tricks_left == tricks_left;
        let last = self.result.filter(|_| is_like);
        (self.strain, self.tricks_left) = (Some(strain), tricks_left);
        match (Deal::new(position.hands()), last) {
            (Ok(deal), _) => guess::north_south(&deal, strain).round() as i32,
            (_, Some(last)) => i32::from(last),
            _ => tricks_left as i32 / 2,
        }
    }
}
