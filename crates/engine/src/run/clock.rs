//! Time limits and cancellation.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crate::outcome::{Ended, Options, TimeLimit};

/// Number of deals between two checks of the clock when each deal may have to be solved.
pub(crate) const DEALS_PER_CLOCK_CHECK: u64 = 16;

/// Checks the time limit and the cancel flag.
#[derive(Clone, Copy)]
pub(crate) struct Clock<'a> {
    /// `None` without a time limit, because not every platform has a clock.
    start: Option<Instant>,
    options: &'a Options<'a>,
}

impl<'a> Clock<'a> {
    pub fn start(options: &'a Options<'a>) -> Self {
        Clock {
            start: options.time_limit.map(|_| Instant::now()),
            options,
        }
    }

    /// Returns the cancel flag.
    pub fn flag(&self) -> Option<&'a Arc<AtomicBool>> {
        self.options.cancel
    }

    /// Returns the time at which the run ends if `produced` deals are produced by then.
    pub fn deadline(&self, produced: u64) -> Option<Instant> {
        let limit = match self.options.time_limit? {
            TimeLimit::Always(limit) => limit,
            TimeLimit::IfNothingProduced(limit) if produced == 0 => limit,
            TimeLimit::IfNothingProduced(_) => return None,
        };
        self.start?.checked_add(limit)
    }

    /// Returns the reason to stop now, if there is one.
    pub fn stop(&self, produced: u64) -> Option<Ended> {
        if self
            .options
            .cancel
            .is_some_and(|cancel| cancel.load(Ordering::Relaxed))
        {
            return Some(Ended::Cancelled);
        }
        let late = |limit: Duration| self.start.is_some_and(|start| start.elapsed() >= limit);
        match self.options.time_limit {
            Some(TimeLimit::Always(limit)) if late(limit) => Some(Ended::TimedOut),
            Some(TimeLimit::IfNothingProduced(limit)) if produced == 0 && late(limit) => {
                Some(Ended::TimedOut)
            }
            _ => None,
        }
    }
}
