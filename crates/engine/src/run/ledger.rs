//! Records a run in deal order: deals generated, produced and collected.

use std::ops::ControlFlow;

use cards::{Deal, TrickTable};
use script::plan::Plan;

use super::needs::Needs;
use crate::outcome::{Ended, Options, ProducedDeal, Progress, Report, Sink, SolverCalls};
use crate::tally::Tally;

/// Deals that satisfied the condition, with their numbers, in order.
#[derive(Clone, Debug, Default)]
pub(super) struct Accepted {
    pub deals: Vec<(u64, Deal)>,
    /// All numbers of the first deal, then of the second, and so on.
    pub values: Vec<i32>,
    /// One table per deal, if tables are needed.
    pub tricks: Vec<TrickTable>,
}

impl Accepted {
    /// Keeps the first `deals` deals, each with `width` numbers.
    pub fn truncate(&mut self, deals: usize, width: usize) {
        self.deals.truncate(deals);
        self.values.truncate(deals.saturating_mul(width));
        self.tricks.truncate(deals);
    }
}

/// Returns empty tallies for the actions of a plan.
pub(super) fn tallies(plan: &Plan) -> Vec<Option<Tally>> {
    plan.actions.iter().map(Tally::for_action).collect()
}

/// The record of a run.
pub(super) struct Ledger<'a, 's> {
    needs: &'a Needs,
    sink: &'s mut dyn Sink,
    progress: Option<&'a (dyn Fn(Progress) + Send + Sync)>,
    produce: u64,
    pub generated: u64,
    pub produced: u64,
    pub calls: SolverCalls,
    tallies: Vec<Option<Tally>>,
}

impl<'a, 's> Ledger<'a, 's> {
    pub fn new(
        plan: &Plan,
        needs: &'a Needs,
        options: &Options<'a>,
        sink: &'s mut dyn Sink,
    ) -> Self {
        Ledger {
            needs,
            sink,
            progress: options.progress,
            produce: options.produce,
            generated: options.from.generated,
            produced: options.from.produced,
            calls: SolverCalls::default(),
            tallies: tallies(plan),
        }
    }

    /// Returns why a run ends at once, if it has nothing to do.
    pub fn complete(&self, options: &Options<'_>) -> Option<Ended> {
        if self.produced >= options.produce {
            Some(Ended::Produced)
        } else {
            (self.generated >= options.generate).then_some(Ended::Generated)
        }
    }

    /// Records one accepted deal. Breaks when the run is complete with it.
    pub fn enter(
        &mut self,
        number: u64,
        deal: Deal,
        tricks: Option<TrickTable>,
        values: &[i32],
    ) -> ControlFlow<Ended> {
        self.produced += 1;
        self.generated = number + 1;
        self.collect(values);
        if self.needs.deals {
            let (ordinal, starts) = (self.produced, &self.needs.starts);
            let deal = ProducedDeal {
                index: number,
                ordinal,
                deal,
                tricks,
                values,
                starts,
            };
            if self.sink.on_deal(&deal).is_break() {
                return ControlFlow::Break(Ended::Stopped);
            }
        }
        if self.produced >= self.produce {
            return ControlFlow::Break(Ended::Produced);
        }
        ControlFlow::Continue(())
    }

    /// Records the deals up to number `end`, of which `accepted` were accepted.
    pub fn enter_all(&mut self, accepted: &Accepted, end: u64) -> ControlFlow<Ended> {
        let width = self.needs.values();
        for (i, &(number, deal)) in accepted.deals.iter().enumerate() {
            let values = &accepted.values[i * width..(i + 1) * width];
            self.enter(number, deal, accepted.tricks.get(i).copied(), values)?;
        }
        self.pass(end);
        ControlFlow::Continue(())
    }

    /// Records the deals up to number `end`, of which `accepted` were accepted and formatted by a worker. They are at
    /// most as many as the run still needs.
    pub fn enter_text(
        &mut self,
        accepted: &Accepted,
        texts: &mut [Vec<u8>],
        end: u64,
    ) -> ControlFlow<Ended> {
        let width = self.needs.values();
        if self.tallies.iter().any(Option::is_some) {
            for values in accepted.values.chunks_exact(width.max(1)) {
                self.collect(values);
            }
        }
        if let Some(&(last, _)) = accepted.deals.last() {
            self.produced += accepted.deals.len() as u64;
            self.generated = last + 1;
            if self.sink.on_text(texts).is_break() {
                return ControlFlow::Break(Ended::Stopped);
            }
        }
        if self.produced >= self.produce {
            return ControlFlow::Break(Ended::Produced);
        }
        self.pass(end);
        ControlFlow::Continue(())
    }

    /// Adds the numbers of one deal to the tallies.
    fn collect(&mut self, values: &[i32]) {
        for (tally, range) in self.tallies.iter_mut().zip(self.needs.starts.windows(2)) {
            if let Some(tally) = tally {
                tally.add(&values[range[0]..range[1]]);
            }
        }
    }

    /// Records the deals up to number `end`, of which a worker has collected `accepted` in its tallies.
    pub fn enter_count(&mut self, accepted: u64, end: u64) {
        self.produced += accepted;
        self.pass(end);
    }

    /// Records that all deals before number `end` were evaluated.
    pub fn pass(&mut self, end: u64) {
        self.generated = end;
        let progress = Progress {
            generated: self.generated,
            produced: self.produced,
        };
        if let Some(show) = self.progress {
            show(progress);
        }
        self.sink.on_progress(progress);
    }

    /// Adds the tallies of a worker.
    pub fn merge(&mut self, tallies: &[Option<Tally>]) {
        for pair in self.tallies.iter_mut().zip(tallies) {
            if let (Some(mine), Some(theirs)) = pair {
                mine.merge(theirs);
            }
        }
    }

    pub fn close(self, ended: Ended) -> Report {
        Report {
            generated: self.generated,
            produced: self.produced,
            tallies: self.tallies,
            ended,
            calls: self.calls,
        }
    }
}
