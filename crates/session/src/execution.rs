//! Options of the execution of a job.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use engine::{AuctionSource, Progress};
use usermetrics::UserMetrics;

/// A function that receives the progress of a run from time to time.
pub type ProgressFunction = Arc<dyn Fn(Progress) + Send + Sync>;

/// Options that decide how a job is executed. They do not change its result, except that the time limit and the cancel
/// flag may end it early, and that metrics of the user and robots give other values.
#[derive(Clone)]
pub struct ExecutionOptions {
    /// Number of worker threads; 0 means one for each core, 1 means that no thread is started.
    pub threads: usize,
    /// Blocks of 1024 deals per unit of work; 0 lets the engine choose.
    pub batch: usize,
    /// Megabytes of memory for the double-dummy solver of each thread.
    pub solver_memory: u32,
    /// Time after which the job stops, with the results so far. The v1 dialect stops only if nothing was produced by
    /// then.
    pub time_limit: Option<Duration>,
    /// Flag that stops the job soon after it becomes true, with the results so far.
    pub cancel: Arc<AtomicBool>,
    /// Function that receives the progress.
    pub progress: Option<ProgressFunction>,
    /// Whether there is a clock. Browsers have none.
    pub clock: bool,
    /// Metrics for `usereval` and `metric`; `None` means the built-in ones.
    pub metrics: Option<Arc<UserMetrics>>,
    /// Robots for `bids` and similar functions: those of [`JobSpec::systems`](crate::JobSpec), which the caller opens.
    pub robots: Option<Arc<dyn AuctionSource>>,
}

impl Default for ExecutionOptions {
    fn default() -> Self {
        ExecutionOptions {
            threads: 0,
            batch: 0,
            solver_memory: engine::Options::default().solver_memory,
            time_limit: None,
            cancel: Arc::default(),
            progress: None,
            clock: true,
            metrics: None,
            robots: None,
        }
    }
}

impl fmt::Debug for ExecutionOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ExecutionOptions")
            .field("threads", &self.threads)
            .field("batch", &self.batch)
            .field("solver_memory", &self.solver_memory)
            .field("time_limit", &self.time_limit)
            .field("cancel", &self.cancel)
            .field("progress", &self.progress.is_some())
            .field("clock", &self.clock)
            .field("metrics", &self.metrics.is_some())
            .field("robots", &self.robots.is_some())
            .finish()
    }
}
