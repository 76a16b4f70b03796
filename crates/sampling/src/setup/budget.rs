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
    committed: Cell<f64>,
    bytes: f64,
    /// What the sampler is to replace costs so much altogether, and so much for each deal.
    instead_of: Option<(f64, f64)>,
    /// The probability that is expected of what is being made.
    expected: Cell<f64>,
    /// The probability that is expected of something simpler, if there is that.
    simpler: Cell<Option<f64>>,
    stop: Option<Stop<'a>>,
    /// What had been spent when `stop` was asked for the last time.
    asked: Cell<f64>,
}

/// How far the work may exceed its estimate: a factor, and counted nanoseconds.
const SLACK: f64 = 2.0;
const SURELY: f64 = 5e6;

/// How far an expected probability may be too high.
const GUESS: f64 = 1.2;

/// The share of the cost that a sampler must save beside what its tables cost: less is not worth the trouble.
const MARGIN: f64 = 0.1;

/// The share of what they save that tables may cost where something simpler would do: both are guesses.
const SURER: f64 = 0.5;

/// Nanoseconds for a deal from small tables and a look at it, and more each time that tables are twice as large: they
/// lie farther away.
const COST_OF_DRAW: f64 = 350.0;
const COST_OF_DOUBLE: f64 = 60.0;
const SMALL: usize = 1 << 16;

/// Nanoseconds for a deal from tables of so many bytes.
#[must_use]
pub fn cost_of_draw(bytes: usize) -> f64 {
    COST_OF_DRAW + COST_OF_DOUBLE * f64::from((bytes / SMALL).max(1).ilog2())
}

/// Counted nanoseconds between two looks at whether to stop.
const BETWEEN_LOOKS: f64 = 1e6;

impl<'a> Meter<'a> {
    /// A meter for a budget.
    #[must_use]
    pub fn new(budget: Budget) -> Meter<'a> {
        Meter {
            spent: Cell::new(0.0),
            most: Cell::new(budget.search.min(budget.nanoseconds)),
            committed: Cell::new(budget.nanoseconds),
            bytes: budget.bytes,
            instead_of: None,
            expected: Cell::new(0.0),
            simpler: Cell::new(None),
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

    /// The same for somebody who can do without a sampler for so many nanoseconds, so many for each deal. What is
    /// expected to save too little is not tried.
    #[must_use]
    pub fn instead_of(self, nanoseconds: f64, each: f64) -> Meter<'a> {
        Meter {
            instead_of: Some((nanoseconds, each)),
            ..self
        }
    }

    /// Whether the sampler is weighed against something that can be had without it.
    pub(crate) fn weighs(&self) -> bool {
        self.instead_of.is_some()
    }

    /// What a sampler with tables of this size would save, with the probability that is expected of it.
    fn saves(&self, expected: f64, bytes: f64) -> f64 {
        self.instead_of.map_or(f64::INFINITY, |(cost, each)| {
            let draw = cost_of_draw(bytes as usize);
            let saved = cost * (1.0 - MARGIN - expected / GUESS * draw / each);
            match self.simpler.get() {
                Some(simpler) => {
                    let otherwise = self.cost_without(simpler);
                    saved.min(SURER * (otherwise - cost / each * expected * draw))
                }
                None => saved,
            }
        })
    }

    /// What it would cost to draw from small tables with this probability, or to do without a sampler if that is less;
    /// nothing if there is nothing to weigh it against.
    pub(crate) fn cost_without(&self, simpler: f64) -> f64 {
        self.instead_of.map_or(0.0, |(cost, each)| {
            cost.min(cost / each * simpler * cost_of_draw(0))
        })
    }

    /// Does something where something simpler, with this probability, would do as well: tables that would take about
    /// as long as they save are not made.
    pub(crate) fn rather_than<T>(&self, simpler: f64, work: impl FnOnce() -> T) -> T {
        let before = self.simpler.replace(Some(simpler));
        let result = work();
        self.simpler.set(before);
        result
    }

    /// Whether such a sampler is worth a try.
    pub(crate) fn is_useful(&self, expected: f64) -> bool {
        self.saves(expected, 0.0) > 0.0
    }

    /// Does something that is expected to lead to a sampler for deals of this probability: tables that would take longer
    /// than they save are not made.
    pub(crate) fn expecting<T>(&self, probability: f64, work: impl FnOnce() -> T) -> T {
        let before = self.expected.replace(probability);
        let result = work();
        self.expected.set(before);
        result
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
        self.spent.get() + nanoseconds > self.committed.get()
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
        let worth = self.saves(self.expected.get(), estimate.bytes);
        if spent + estimate.nanoseconds > self.committed.get() || estimate.nanoseconds > worth {
            return Err(GaveUp::TooExpensive);
        }
        let before = self.most.get();
        let most = spent + SLACK * estimate.nanoseconds + SURELY;
        self.most.set(most.min(self.committed.get()));
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

    /// Does something of which no estimate tells whether it will do: it may spend only so much whatever it estimates.
    pub(crate) fn strictly_at_most<T>(&self, nanoseconds: f64, work: impl FnOnce() -> T) -> T {
        let before = self.committed.get();
        let most = self.spent.get() + nanoseconds;
        self.committed.set(before.min(most));
        let result = self.at_most(nanoseconds, work);
        self.committed.set(before);
        result
    }

    /// Does something that may spend only so much, unless an estimate says that more will do.
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
