//! How much one question may ask for.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use croupier::session::UserMetrics;
use croupier::solver::Solver;

use crate::Problem;

/// Bounds on the work of one question. The defaults are those of a page on the asker's own machine.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Bytes of a file.
    pub text: usize,
    /// Bytes of a script.
    pub script: usize,
    /// Boards read, written or solved by one question.
    pub boards: usize,
    /// Deals of a study's plan.
    pub controls: usize,
    /// Deals tried where an exact count is not possible.
    pub samples: u64,
    /// Nanoseconds of estimated work for exact tables.
    pub exact_work: f64,
    /// Random deals of a poker question that cannot be counted.
    pub poker_samples: u64,
    /// Threads of one question.
    pub threads: usize,
    /// Megabytes of a solver.
    pub solver_memory: u32,
    /// Ends the work soon after it becomes true: nobody waits for the answer any more.
    pub cancel: Arc<AtomicBool>,
    /// What answers `usereval`; nothing means the built-in metrics.
    pub metrics: Option<Arc<UserMetrics>>,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            text: 1 << 20,
            script: 1 << 20,
            boards: 5_000,
            controls: 20_000,
            samples: 200_000,
            exact_work: 1e8,
            poker_samples: 20_000_000,
            threads: 1,
            solver_memory: 128,
            cancel: Arc::default(),
            metrics: None,
        }
    }
}

impl Limits {
    /// Asks a solver within them.
    ///
    /// # Errors
    /// If the work was cancelled.
    pub fn solve<T>(&self, work: impl FnOnce(&mut Solver) -> T) -> Result<T, Problem> {
        let mut solver = Solver::with_memory(self.solver_memory);
        let done = solver.with_cancellation(&self.cancel, work);
        done.ok_or_else(Problem::cancelled)
    }

    /// Ends the work if it was cancelled.
    ///
    /// # Errors
    /// If it was.
    pub fn go_on(&self) -> Result<(), Problem> {
        match self.cancel.load(Ordering::Relaxed) {
            true => Err(Problem::cancelled()),
            false => Ok(()),
        }
    }

    /// Refuses a text that is too long.
    ///
    /// # Errors
    /// If it is.
    pub fn text(&self, text: &[u8]) -> Result<(), Problem> {
        within("text", text.len(), self.text)
    }

    /// Refuses a script that is too long.
    ///
    /// # Errors
    /// If it is.
    pub fn script(&self, script: &str) -> Result<(), Problem> {
        within("script", script.len(), self.script)
    }

    /// Refuses too many deals for the plan of a study.
    ///
    /// # Errors
    /// If `count` is larger than the limit.
    pub fn controls(&self, count: usize) -> Result<(), Problem> {
        match count <= self.controls {
            true => Ok(()),
            false => Err(Problem::limit(format!(
                "{count} deals for a plan; at most {} are taken",
                self.controls
            ))),
        }
    }

    /// Refuses too many boards.
    ///
    /// # Errors
    /// If there are.
    pub fn boards(&self, count: usize) -> Result<(), Problem> {
        if count <= self.boards {
            return Ok(());
        }
        Err(Problem::limit(format!(
            "{count} boards at once; at most {} are taken",
            self.boards
        )))
    }
}

fn within(what: &str, bytes: usize, limit: usize) -> Result<(), Problem> {
    if bytes <= limit {
        return Ok(());
    }
    Err(Problem::limit(format!(
        "the {what} has {bytes} bytes; at most {limit} are taken"
    )))
}
