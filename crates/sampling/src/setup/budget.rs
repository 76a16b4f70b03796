//! What a set-up may cost, what it is estimated to cost, and the meter that counts what it has cost.
//!
//! All costs are counted work times fixed constants, never the clock: the same problem and budget give the same
//! result on every machine. Only being told to stop depends on anything else, and then there is no result.

use std::cell::Cell;
use std::fmt;

/// What setting up a sampler may cost at most.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Budget {
    /// Time, from counted work and fixed constants, never from a clock.
    pub nanoseconds: f64,
    /// How much of it may be spent before there is an estimate that the rest will do: what is lost at most where
    /// there is no sampler.
    pub search: f64,
    /// Memory of the tables.
    pub bytes: f64,
}

impl Default for Budget {
    /// 120 ms and 64 MB.
    fn default() -> Budget {
        Budget {
            nanoseconds: 120e6,
            search: 120e6,
            bytes: 64e6,
        }
    }
}

impl Budget {
    /// For exact counts that somebody is waiting for: ten seconds and a gigabyte.
    #[must_use]
    pub fn patient() -> Budget {
        Budget {
            nanoseconds: 10e9,
            search: 10e9,
            bytes: 1e9,
        }
    }
}

/// The estimated cost of a set-up.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// Time.
    pub nanoseconds: f64,
    /// Memory of the tables.
    pub bytes: f64,
}

/// Why a set-up ended without a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GaveUp {
    /// No way to look at the problem fits the budget.
    TooExpensive,
    /// It was told to stop.
    Stopped,
}

impl fmt::Display for GaveUp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            GaveUp::TooExpensive => "the tables for these conditions would be too large",
            GaveUp::Stopped => "stopped before the tables for these conditions were complete",
        })
    }
}

impl std::error::Error for GaveUp {}

/// Says whether to stop: a cancel flag, a deadline, anything.
pub type Stop<'a> = &'a dyn Fn() -> bool;

/// Counts the work of a set-up, and ends it when the budget is used up or somebody says stop.
pub struct Meter<'a> {
    spent: Cell<f64>,
    /// What may be spent at the moment.
    most: Cell<f64>,
    /// What may be spent once an estimate says that it will do.
    committed: f64,
    bytes: f64,
    /// From this probability on a sampler is of no use.
    useless: f64,
    stop: Option<Stop<'a>>,
    /// What had been spent when `stop` was asked for the last time.
    asked: Cell<f64>,
}

/// How far the work may exceed its estimate: a factor, and counted nanoseconds.
const SLACK: f64 = 2.0;
const SURELY: f64 = 5e6;

/// How far an expected probability may be too high.
const GUESS: f64 = 2.0;

/// Counted nanoseconds between two looks at whether to stop.
const BETWEEN_LOOKS: f64 = 1e6;

impl<'a> Meter<'a> {
    /// A meter for a budget.
    #[must_use]
    pub fn new(budget: Budget) -> Meter<'a> {
        Meter {
            spent: Cell::new(0.0),
            most: Cell::new(budget.search.min(budget.nanoseconds)),
            committed: budget.nanoseconds,
            bytes: budget.bytes,
            useless: f64::INFINITY,
            stop: None,
            asked: Cell::new(0.0),
        }
    }

    /// The same, which also looks now and then whether to stop.
    #[must_use]
    pub fn watching(self, stop: Stop<'a>) -> Meter<'a> {
        Meter {
            stop: Some(stop),
            ..self
        }
    }

    /// The same for somebody who has no use for deals that are more probable than this. What is expected to cover no
    /// more of the conditions is not tried.
    #[must_use]
    pub fn rarer_than(self, probability: f64) -> Meter<'a> {
        Meter {
            useless: probability,
            ..self
        }
    }

    /// Whether a sampler that covers a part of the conditions is worth a try, with the probability that is expected of it.
    pub(crate) fn is_useful(&self, expected: f64) -> bool {
        expected < GUESS * self.useless
    }

    /// Counted nanoseconds so far.
    #[must_use]
    pub fn spent(&self) -> f64 {
        self.spent.get()
    }

    /// Counted nanoseconds that may still be spent.
    #[must_use]
    pub fn left(&self) -> f64 {
        self.most.get() - self.spent.get()
    }

    /// Whether work that must surely be done is beyond any budget.
    pub(crate) fn rules_out(&self, nanoseconds: f64) -> bool {
        self.spent.get() + nanoseconds > self.committed
    }

    /// Enters work that was done or is about to be done.
    ///
    /// # Errors
    /// If that is more than the budget allows, or it is time to stop.
    #[inline]
    pub fn spend(&self, nanoseconds: f64) -> Result<(), GaveUp> {
        let spent = self.spent.get() + nanoseconds;
        self.spent.set(spent);
        if spent > self.most.get() {
            return Err(GaveUp::TooExpensive);
        }
        if spent - self.asked.get() > BETWEEN_LOOKS {
            self.look()?;
        }
        Ok(())
    }

    /// Whether it is time to stop, asked at once.
    ///
    /// # Errors
    /// If so.
    pub fn look(&self) -> Result<(), GaveUp> {
        self.asked.set(self.spent.get());
        match self.stop {
            Some(stop) if stop() => Err(GaveUp::Stopped),
            _ => Ok(()),
        }
    }

    /// Does the work that was estimated, if the budget allows that; it may exceed the estimate by a factor.
    pub(crate) fn commit<T>(
        &self,
        estimate: &Estimate,
        work: impl FnOnce() -> Result<T, GaveUp>,
    ) -> Result<T, GaveUp> {
        self.has_room(estimate.bytes)?;
        let spent = self.spent.get();
        if spent + estimate.nanoseconds > self.committed {
            return Err(GaveUp::TooExpensive);
        }
        let before = self.most.get();
        let most = spent + SLACK * estimate.nanoseconds + SURELY;
        self.most.set(most.min(self.committed));
        let result = work();
        self.most.set(before);
        result
    }

    /// Whether tables of this size are allowed.
    pub(crate) fn has_room(&self, bytes: f64) -> Result<(), GaveUp> {
        if bytes > self.bytes {
            return Err(GaveUp::TooExpensive);
        }
        Ok(())
    }

    /// Does something that may spend only so much.
    pub(crate) fn at_most<T>(&self, nanoseconds: f64, work: impl FnOnce() -> T) -> T {
        let before = self.most.get();
        self.most.set(before.min(self.spent.get() + nanoseconds));
        let result = work();
        self.most.set(before);
        result
    }
}

impl From<Budget> for Meter<'_> {
    fn from(budget: Budget) -> Self {
        Meter::new(budget)
    }
}
