//! Options of a study: when to stop, and how to execute.

use std::fmt;
use std::sync::atomic::AtomicBool;

use solver::DEFAULT_MEMORY;

use statistics::precision::Precision;

/// Number of deals that a study solves if neither a number nor a precision is given.
pub const DEFAULT_NUMBER: u64 = 1000;
/// Number of deals that a study with a precision uses in all if no number is given.
pub const DEFAULT_CONTROL: u64 = 100_000;

/// The options that decide how many deals a study uses and solves.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StudyOptions {
    /// Largest number of deals to solve. Default: [`DEFAULT_NUMBER`], or no limit with a precision.
    pub number: Option<u64>,
    /// Interval at which the study stops.
    pub precision: Option<Precision>,
    /// Number of deals in all, of which only some are solved. The others make the intervals narrower. Default:
    /// [`DEFAULT_CONTROL`] with a precision, otherwise only the solved deals.
    pub control: Option<u64>,
}

impl StudyOptions {
    /// Returns the number of deals in all, if the study uses more deals than it solves.
    #[must_use]
    pub fn control_deals(&self) -> Option<u64> {
        let control = self.control.or(self.precision.map(|_| DEFAULT_CONTROL))?;
        Some(control.max(self.number.unwrap_or(0)))
    }

    /// Returns the number of deals that the study needs, if the options decide it. Otherwise the caller does, for example
    /// by [`DEFAULT_NUMBER`].
    #[must_use]
    pub fn deals_needed(&self) -> Option<u64> {
        self.control_deals().or(self.number)
    }

    /// Returns the largest number of deals to solve if there are `deals` deals.
    #[must_use]
    pub fn solve_limit(&self, deals: usize) -> usize {
        let limit = match (self.control_deals(), self.number, self.precision) {
            (None, _, _) | (_, None, Some(_)) => u64::MAX,
            (_, Some(number), _) => number,
            (_, None, None) => DEFAULT_NUMBER,
        };
        deals.min(usize::try_from(limit).unwrap_or(usize::MAX))
    }
}

/// Progress of a study.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StudyProgress {
    /// Number of solved deals.
    pub solved: usize,
    /// Number of screened deals, including the solved ones.
    pub screened: usize,
}

/// The options that decide how a study is executed. The results do not depend on them, except that a cancelled study has
/// fewer deals.
pub struct StudyExecution<'a> {
    /// Number of threads; 0 means one for each core.
    pub threads: usize,
    /// Memory of each thread's solver in megabytes.
    pub solver_memory: u32,
    /// Flag that ends the study with the deals that are solved.
    pub cancel: Option<&'a AtomicBool>,
    /// Function that is called after each deal.
    pub progress: Option<&'a mut dyn FnMut(StudyProgress)>,
}

impl StudyExecution<'_> {
    /// Returns options for a part of the work; these can be used again after it.
    pub fn reborrow(&mut self) -> StudyExecution<'_> {
        StudyExecution {
            threads: self.threads,
            solver_memory: self.solver_memory,
            cancel: self.cancel,
            progress: match &mut self.progress {
                Some(progress) => Some(&mut **progress),
                None => None,
            },
        }
    }
}

impl Default for StudyExecution<'_> {
    fn default() -> Self {
        StudyExecution {
            threads: 0,
            solver_memory: DEFAULT_MEMORY,
            cancel: None,
            progress: None,
        }
    }
}

impl fmt::Debug for StudyExecution<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("StudyExecution")
            .field("threads", &self.threads)
            .field("solver_memory", &self.solver_memory)
            .field("cancel", &self.cancel)
            .field("progress", &self.progress.is_some())
            .finish()
    }
}
