//! The budget of a set-up, its estimated cost, and the meter that counts the cost so far.
//!
//! All costs are counted work times fixed constants, never measured by a clock: the same problem and budget give the
//! same result on every machine. Only a request to stop can end a set-up at another point, and then there is no result.

use std::cell::Cell;
use std::fmt;

/// Limits for setting up a sampler.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Budget {
    /// Time, computed from counted work and fixed constants, never from a clock.
    pub nanoseconds: f64,
    /// Part of the time that may be spent before an estimate shows that the rest is enough. It bounds the loss where
    /// there is no sampler.
    pub search: f64,
    /// Memory of the tables, in bytes.
    pub bytes: f64,
}

impl Default for Budget {
    /// Returns the budget for dealing: 120 ms and 64 MB.
    fn default() -> Budget {
        Budget {
            nanoseconds: 120e6,
            search: 120e6,
            bytes: 64e6,
        }
    }
}

impl Budget {
    /// Returns a budget for exact counts that a user waits for: ten seconds and a gigabyte.
    #[must_use]
    pub fn large() -> Budget {
        Budget {
            nanoseconds: 10e9,
            search: 10e9,
            bytes: 1e9,
        }
    }
}

/// The estimated cost of a set-up.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SetupCost {
    /// Counted time.
    pub nanoseconds: f64,
    /// Memory of the tables, in bytes.
    pub bytes: f64,
}

/// The reason why a set-up ended without a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SetupError {
    /// No strategy fits the budget.
    TooExpensive,
    /// The caller requested a stop.
    Stopped,
}

impl fmt::Display for SetupError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            SetupError::TooExpensive => "the tables for these conditions would be too large",
            SetupError::Stopped => "stopped before the tables for these conditions were complete",
        })
    }
}

impl std::error::Error for SetupError {}

/// A function that returns whether to stop: it tests a cancellation flag, a deadline or anything else.
pub type StopCheck<'a> = &'a dyn Fn() -> bool;

/// Counts the work of a set-up, and ends it when the budget is spent or the caller requests a stop.
pub struct CostMeter<'a> {
    spent: Cell<f64>,
    /// Current limit of the counted time.
    limit: Cell<f64>,
    /// Limit that applies once an estimate shows that it is enough.
    committed: Cell<f64>,
    bytes: f64,
    /// Cost of running without a sampler: in total, and for each deal.
    plain_cost: Option<(f64, f64)>,
    /// Expected probability of the candidates of the sampler in preparation.
    expected: Cell<f64>,
    /// Expected probability of the candidates of a simpler sampler, if there is one.
    simpler: Cell<Option<f64>>,
    stop: Option<StopCheck<'a>>,
    /// Counted time at the last check for a stop.
    last_check: Cell<f64>,
}

/// Allowed excess of the work over its estimate: a factor, and a number of counted nanoseconds.
const ESTIMATE_FACTOR: f64 = 2.0;
const ESTIMATE_EXTRA: f64 = 5e6;

/// Factor by which an expected probability may be too high.
const PROBABILITY_ERROR: f64 = 1.2;

/// Share of the cost that a sampler must save in addition to the cost of its tables.
const MIN_SHARE_SAVED: f64 = 0.1;

/// Largest share of the savings that tables may cost if a simpler sampler exists: both numbers are estimates.
const MAX_SHARE_OF_SAVINGS: f64 = 0.5;

/// Nanoseconds for drawing and testing a deal from small tables, and the additional time for each doubling of the
/// tables, which then miss the near caches more often.
const COST_OF_DRAW: f64 = 350.0;
const COST_OF_DOUBLE: f64 = 60.0;
const SMALL: usize = 1 << 16;

/// Returns the nanoseconds for a deal from tables of `bytes` bytes.
#[must_use]
pub fn cost_of_draw(bytes: usize) -> f64 {
    COST_OF_DRAW + COST_OF_DOUBLE * f64::from((bytes / SMALL).max(1).ilog2())
}

/// Counted nanoseconds between two checks for a stop.
const STOP_CHECK_INTERVAL: f64 = 1e6;

impl<'a> CostMeter<'a> {
    /// Creates a meter for a budget.
    #[must_use]
    pub fn new(budget: Budget) -> CostMeter<'a> {
        CostMeter {
            spent: Cell::new(0.0),
            limit: Cell::new(budget.search.min(budget.nanoseconds)),
            committed: Cell::new(budget.nanoseconds),
            bytes: budget.bytes,
            plain_cost: None,
            expected: Cell::new(0.0),
            simpler: Cell::new(None),
            stop: None,
            last_check: Cell::new(0.0),
        }
    }

    /// Sets a function that the meter calls now and then to check for a stop.
    #[must_use]
    pub fn with_stop(self, stop: StopCheck<'a>) -> CostMeter<'a> {
        CostMeter {
            stop: Some(stop),
            ..self
        }
    }

    /// Sets the cost without a sampler: `nanoseconds` in total, and `each` for each deal. Samplers that are expected to
    /// save too little are not tried.
    #[must_use]
    pub fn with_plain_cost(self, nanoseconds: f64, each: f64) -> CostMeter<'a> {
        CostMeter {
            plain_cost: Some((nanoseconds, each)),
            ..self
        }
    }

    /// Returns whether the cost without a sampler is known.
    pub(crate) fn has_plain_cost(&self) -> bool {
        self.plain_cost.is_some()
    }

    /// Returns the expected savings of a sampler with tables of this size and candidates of this probability.
    fn expected_savings(&self, expected: f64, bytes: f64) -> f64 {
        self.plain_cost.map_or(f64::INFINITY, |(cost, each)| {
            let draw = cost_of_draw(bytes as usize);
            let saved = cost * (1.0 - MIN_SHARE_SAVED - expected / PROBABILITY_ERROR * draw / each);
            match self.simpler.get() {
                Some(simpler) => {
                    let otherwise = self.cost_without(simpler);
                    saved.min(MAX_SHARE_OF_SAVINGS * (otherwise - cost / each * expected * draw))
                }
                None => saved,
            }
        })
    }

    /// Returns the cost of the run if the planned tables are not built: with a simpler sampler whose candidates have
    /// probability `simpler`, or without a sampler if that costs less. 0 if the cost without a sampler is unknown.
    pub(crate) fn cost_without(&self, simpler: f64) -> f64 {
        self.plain_cost.map_or(0.0, |(cost, each)| {
            cost.min(cost / each * simpler * cost_of_draw(0))
        })
    }

    /// Runs `work` when a simpler sampler with probability `simpler` is available: tables that would cost about as much
    /// as they save are not built.
    pub(crate) fn with_simpler<T>(&self, simpler: f64, work: impl FnOnce() -> T) -> T {
        let before = self.simpler.replace(Some(simpler));
        let result = work();
        self.simpler.set(before);
        result
    }

    /// Returns whether a sampler with this probability can save anything.
    pub(crate) fn is_useful(&self, expected: f64) -> bool {
        self.expected_savings(expected, 0.0) > 0.0
    }

    /// Runs `work`, which prepares a sampler with the given expected probability: tables that would cost more than they
    /// save are not built.
    pub(crate) fn expecting<T>(&self, probability: f64, work: impl FnOnce() -> T) -> T {
        let before = self.expected.replace(probability);
        let result = work();
        self.expected.set(before);
        result
    }

    /// Returns the counted nanoseconds so far.
    #[must_use]
    pub fn spent(&self) -> f64 {
        self.spent.get()
    }

    /// Returns the counted nanoseconds that may still be spent.
    #[must_use]
    pub fn left(&self) -> f64 {
        self.limit.get() - self.spent.get()
    }

    /// Returns whether necessary work exceeds every limit.
    pub(crate) fn rules_out(&self, nanoseconds: f64) -> bool {
        self.spent.get() + nanoseconds > self.committed.get()
    }

    /// Counts work that was done or is about to be done.
    ///
    /// # Errors
    /// Returns an error if the budget is exceeded or a stop is requested.
    #[inline]
    pub fn spend(&self, nanoseconds: f64) -> Result<(), SetupError> {
        let spent = self.spent.get() + nanoseconds;
        self.spent.set(spent);
        if spent > self.limit.get() {
            return Err(SetupError::TooExpensive);
        }
        if spent - self.last_check.get() > STOP_CHECK_INTERVAL {
            self.check_stop()?;
        }
        Ok(())
    }

    /// Checks for a stop at once.
    ///
    /// # Errors
    /// Returns an error if a stop is requested.
    pub fn check_stop(&self) -> Result<(), SetupError> {
        self.last_check.set(self.spent.get());
        match self.stop {
            Some(stop) if stop() => Err(SetupError::Stopped),
            _ => Ok(()),
        }
    }

    /// Runs the work that was estimated, if the budget allows it. The work may exceed the estimate by a factor.
    pub(crate) fn commit<T>(
        &self,
        estimate: &SetupCost,
        work: impl FnOnce() -> Result<T, SetupError>,
    ) -> Result<T, SetupError> {
        self.has_room(estimate.bytes)?;
        let spent = self.spent.get();
        let worth = self.expected_savings(self.expected.get(), estimate.bytes);
        if spent + estimate.nanoseconds > self.committed.get() || estimate.nanoseconds > worth {
            return Err(SetupError::TooExpensive);
        }
        let before = self.limit.get();
        let limit = spent + ESTIMATE_FACTOR * estimate.nanoseconds + ESTIMATE_EXTRA;
        self.limit.set(limit.min(self.committed.get()));
        let result = work();
        self.limit.set(before);
        result
    }

    /// Returns an error if tables of this size exceed the budget.
    pub(crate) fn has_room(&self, bytes: f64) -> Result<(), SetupError> {
        if bytes > self.bytes {
            return Err(SetupError::TooExpensive);
        }
        Ok(())
    }

    /// Runs `work` with a limit that no estimate can raise.
    pub(crate) fn strictly_at_most<T>(&self, nanoseconds: f64, work: impl FnOnce() -> T) -> T {
        let before = self.committed.get();
        let limit = self.spent.get() + nanoseconds;
        self.committed.set(before.min(limit));
        let result = self.at_most(nanoseconds, work);
        self.committed.set(before);
        result
    }

    /// Runs `work` with a limit that an estimate may raise.
    pub(crate) fn at_most<T>(&self, nanoseconds: f64, work: impl FnOnce() -> T) -> T {
        let before = self.limit.get();
        self.limit.set(before.min(self.spent.get() + nanoseconds));
        let result = work();
        self.limit.set(before);
        result
    }
}

impl From<Budget> for CostMeter<'_> {
    fn from(budget: Budget) -> Self {
        CostMeter::new(budget)
    }
}
