//! Limits on the work of one request.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use croupier::session::{AuctionSource, UserMetrics};
use croupier::solver::Solver;

use crate::RequestError;

/// Opens the robots of the systems of North-South and East-West, or those that bid if no system is named.
pub type RequestRobots = fn(Option<[&str; 2]>) -> Result<Arc<dyn AuctionSource>, RequestError>;

/// Limits on the work of one request. The defaults suit a page on the user's own machine.
#[derive(Clone, Debug)]
pub struct RequestLimits {
    /// Maximum length of a file in bytes.
    pub text: usize,
    /// Maximum length of a script in bytes.
    pub script: usize,
    /// Maximum number of boards to read, write or solve.
    pub boards: usize,
    /// Maximum number of deals in the plan of a study.
    pub controls: usize,
    /// Number of deals to try where an exact count is not possible.
    pub samples: u64,
    /// Maximum estimated time for exact tables, in nanoseconds.
    pub exact_work: f64,
    /// Maximum number of random deals of a poker request that cannot be counted.
    pub poker_samples: u64,
    /// Number of threads for one request.
    pub threads: usize,
    /// Memory of a solver in megabytes.
    pub solver_memory: u32,
    /// Cancellation flag. When it is set, the work ends soon.
    pub cancel: Arc<AtomicBool>,
    /// Metrics that compute `usereval`; `None` means the built-in metrics.
    pub metrics: Option<Arc<UserMetrics>>,
    /// Robots for scripts that depend on auctions; `None` means that such scripts are refused.
    pub robots: Option<RequestRobots>,
}

impl Default for RequestLimits {
    fn default() -> RequestLimits {
        RequestLimits {
            text: 32 << 20,
            script: 1 << 20,
            boards: 50_000,
            controls: 20_000,
            samples: 200_000,
            exact_work: 1e8,
            poker_samples: 20_000_000,
            threads: 1,
            solver_memory: 128,
            cancel: Arc::default(),
            metrics: None,
            robots: None,
        }
    }
}

impl RequestLimits {
    /// Calls `work` with a solver within the limits.
    ///
    /// # Errors
    /// If the work was cancelled.
    pub fn solve<T>(&self, work: impl FnOnce(&mut Solver) -> T) -> Result<T, RequestError> {
        let mut solver = Solver::with_memory(self.solver_memory);
        let done = solver.with_cancellation(&self.cancel, work);
        done.ok_or_else(RequestError::cancelled)
    }

    /// Returns an error if the work was cancelled.
    ///
    /// # Errors
    /// If it was cancelled.
    pub fn check_cancelled(&self) -> Result<(), RequestError> {
        match self.cancel.load(Ordering::Relaxed) {
            true => Err(RequestError::cancelled()),
            false => Ok(()),
        }
    }

    /// Checks the length of a file.
    ///
    /// # Errors
    /// If it is too long.
    pub fn text(&self, text: &[u8]) -> Result<(), RequestError> {
        within("text", text.len(), self.text)
    }

    /// Checks the length of a script.
    ///
    /// # Errors
    /// If it is too long.
    pub fn script(&self, script: &str) -> Result<(), RequestError> {
        within("script", script.len(), self.script)
    }

    /// Checks the number of deals in the plan of a study.
    ///
    /// # Errors
    /// If `count` is larger than the limit.
    pub fn controls(&self, count: usize) -> Result<(), RequestError> {
        match count <= self.controls {
            true => Ok(()),
            false => Err(RequestError::limit(format!(
                "{count} deals for a plan; at most {} are taken",
                self.controls
            ))),
        }
    }

    /// Checks the number of boards.
    ///
    /// # Errors
    /// If there are too many.
    pub fn boards(&self, count: usize) -> Result<(), RequestError> {
        if count <= self.boards {
            return Ok(());
        }
        Err(RequestError::limit(format!(
            "{count} boards at once; at most {} are taken",
            self.boards
        )))
    }
}

fn within(what: &str, bytes: usize, limit: usize) -> Result<(), RequestError> {
    if bytes <= limit {
        return Ok(());
    }
    Err(RequestError::limit(format!(
        "the {what} has {bytes} bytes; at most {limit} are taken"
    )))
}
