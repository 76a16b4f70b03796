//! A worker: fills blocks, selects deals, evaluates them, and collects or passes on the results.

use std::convert::Infallible;
use std::sync::PoisonError;

use script::plan::NodeId;
use shuffle::{BLOCK_DEALS, DealRandom};

use super::blocks::{Shared, Unit};
use super::failure;
use super::ledger::{self, Accepted};
use super::needs::Needs;
use super::sequence::DealDraws;
use crate::action_inputs::Quantity;
use crate::batch::{BatchEvaluator, BatchPlan, ValueSource};
use crate::outcome::{Ended, EvaluationError, RunError, SolverCalls};
use crate::prepared::PreparedPlan;
use crate::scalar::{DealFacts, Machine};
use crate::source::Batch;
use crate::tally::Tally;

/// The condition and the values that workers evaluate.
pub(super) struct Filter<'a> {
    pub prepared: &'a PreparedPlan<'a>,
    pub needs: &'a Needs,
    pub plan: &'a BatchPlan,
    /// The parts of the condition that are not columns and that workers evaluate.
    pub tail: &'a [NodeId],
    /// Whether workers evaluate the inputs of the actions.
    pub values: bool,
    /// Whether the accepted deals themselves are needed.
    pub passes_deals_on: bool,
}

impl Filter<'_> {
    /// Returns the expressions that the scalar machine evaluates.
    pub fn scalars(&self) -> impl Iterator<Item = NodeId> {
        let values = self
            .plan
            .action_inputs
            .iter()
            .flatten()
            .filter(|_| self.values);
        let values = values.filter_map(|origin| match *origin {
            ValueSource::Scalar(Quantity::Value(node)) => Some(node),
            _ => None,
        });
        self.tail.iter().copied().chain(values)
    }
}

/// The result of a unit of work.
pub(super) struct Findings {
    /// Number after the last evaluated deal.
    pub end: u64,
    /// Accepted deals, if they are passed on.
    pub accepted: Accepted,
    /// Number of accepted deals, if the worker collected them itself.
    pub collected: Option<u64>,
    /// The text of the accepted deals, one buffer per output, if there is a formatter.
    pub texts: Option<Vec<Vec<u8>>>,
    /// Call counts of the expensive functions.
    pub calls: SolverCalls,
    /// The reason why the worker stopped inside the unit.
    pub stop: Option<Stop>,
}

pub(super) enum Stop {
    Exhausted,
    /// The generate limit was reached before the last deal of the block.
    Limit,
    /// The time limit or the cancel flag stopped the source.
    Interrupted(Ended),
    Failed(RunError),
}

/// The state of one worker thread.
pub(super) struct Worker<'a> {
    shared: &'a Shared<'a>,
    evaluator: BatchEvaluator<'a>,
    machine: Option<Machine<'a>>,
    random: DealDraws,
    batch: Batch,
    /// Numbers from the scalar machine for the accepted deals of the block.
    scalars: Vec<i32>,
    tallies: Vec<Option<Tally>>,
    /// Length of the text of the last unit, for each output.
    room: Vec<usize>,
    /// Deals of the unit that were evaluated, and how many passed the columns of the condition.
    looked_at: u64,
    passed: u64,
}

impl<'a> Worker<'a> {
    pub fn new(shared: &'a Shared<'a>) -> Self {
        let filter = &shared.filter;
        let scalar =
            filter.values && (!filter.needs.tables.is_empty() || filter.plan.scalars() > 0);
        let machine = (scalar || !filter.tail.is_empty())
            .then(|| shared.watched(Machine::new(filter.prepared, &filter.needs.program)));
        let (key, stream) = shared.source.random();
        Worker {
            shared,
            evaluator: BatchEvaluator::new(filter.plan),
            machine,
            random: DealDraws(DealRandom::on(stream, &key, 0)),
            batch: Batch::new(),
            scalars: Vec::new(),
            tallies: ledger::tallies(filter.prepared.plan),
            room: Vec::new(),
            looked_at: 0,
            passed: 0,
        }
    }

    /// Processes the blocks of a unit.
    pub fn work(&mut self, unit: Unit) -> Findings {
        let shared = self.shared;
        let place = shared
            .formatter
            .map(|formatter| shared.turns.turn(formatter, unit.number));
        let source = shared.source;
        let ended = || shared.clock.stop(shared.produced());
        let stop = || ended().is_some();
        let collects = !shared.filter.passes_deals_on
            && !shared.is_slow()
            && shared.is_safe(unit)
            && source.numbers_are_consecutive(unit.first + unit.blocks - 1, &stop);
        let mut found = Findings {
            end: 0,
            accepted: Accepted::default(),
            collected: collects.then_some(0),
            texts: None,
            calls: SolverCalls::default(),
            stop: None,
        };
        for block in unit.first..unit.first + unit.blocks {
            if !source.fill_unless(block, &mut self.batch, &stop) {
                // A source stops only while it plans the sampler, and all deals before that are complete.
                found.end = block.saturating_mul(BLOCK_DEALS as u64);
                found.stop = Some(Stop::Interrupted(shared.why()));
                break;
            }
            self.block(&mut found);
            // With values, every accepted deal is produced. A block from the sampler takes as long as many plain ones.
            let enough = shared.filter.values
                && found.collected.is_none()
                && shared.is_enough(found.accepted.deals.len());
            if found.stop.is_some() || enough {
                break;
            }
        }
        shared.note_passed(
            std::mem::take(&mut self.looked_at),
            std::mem::take(&mut self.passed),
        );
        found.calls = self.evaluator.take_calls();
        if let Some(machine) = &mut self.machine {
            found.calls += machine.take_calls();
        }
        if let Some(place) = place {
            let starts = &shared.filter.needs.starts;
            let produce = shared.options.produce;
            found.texts = Some(place.write(&mut found.accepted, starts, produce, &mut self.room));
        }
        found
    }

    fn block(&mut self, found: &mut Findings) {
        let generate = self.shared.options.generate;
        let full = self.batch.is_full() || self.batch.goes_on;
        let count = match self.batch.numbers.as_slice() {
            [] => generate
                .saturating_sub(self.batch.first)
                .min(self.batch.count as u64) as usize,
            numbers => numbers.partition_point(|&number| number < generate),
        };
        found.end = match count {
            0 => self.batch.first.min(generate),
            count => self.batch.number(count - 1) + 1,
        };
        if self.batch.goes_on && count == self.batch.count {
            found.end = self.batch.end.min(generate);
        }
        self.evaluator.select(&self.batch.block, count);
        self.leave_out_earlier(count);
        self.looked_at += count as u64;
        self.passed += self.evaluator.survivors() as u64;
        if self.evaluator.survivors() > 0 {
            if let Err((error, place)) = self.examine(&mut found.accepted) {
                let deal = self.batch.block.deal(place);
                let number = self.batch.number(place);
                let plan = self.shared.filter.prepared.plan;
                found.end = number;
                found.stop = Some(match error {
                    EvaluationError::Interrupted => Stop::Interrupted(self.shared.why()),
                    error => Stop::Failed(failure(plan, error, number, deal)),
                });
            }
            self.evaluator
                .compute_outputs(&self.batch, &mut self.random.0);
            match &mut found.collected {
                Some(collected) => *collected += self.collect(),
                None => self.append_accepted(&mut found.accepted),
            }
        }
        let beyond = match self.batch.numbers.is_empty() {
            true => self.batch.count == 0 && self.batch.first >= generate,
            false => count < self.batch.count,
        };
        if found.stop.is_none() && beyond {
            found.end = generate;
            found.stop = Some(Stop::Limit);
        }
        if found.stop.is_none() && count == self.batch.count {
            if let Some(error) = self.batch.failure.take() {
                found.stop = Some(Stop::Failed(RunError::Source(error)));
            } else if !full {
                found.stop = Some(Stop::Exhausted);
            }
        }
    }

    /// Drops the deals that an earlier part of the run has evaluated.
    fn leave_out_earlier(&mut self, count: usize) {
        let from = self.shared.options.from.generated;
        if count > 0 && self.batch.number(0) < from {
            let batch = &self.batch;
            let keep = |place| Ok::<bool, Infallible>(batch.number(place) >= from);
            let Ok(()) = self.evaluator.retain(keep);
        }
    }

    /// Evaluates the parts that are not columns on the scalar machine, deal by deal.
    fn examine(&mut self, accepted: &mut Accepted) -> Result<(), (EvaluationError, usize)> {
        self.scalars.clear();
        let Some(machine) = &mut self.machine else {
            return Ok(());
        };
        let filter = &self.shared.filter;
        let (batch, random, scalars) = (&self.batch, &mut self.random, &mut self.scalars);
        self.evaluator.retain(|place| {
            let facts = batch
                .tricks(place)
                .map_or_else(DealFacts::new, DealFacts::with_tricks);
            // `rnd(0)` does not occur here, so the number of produced deals does not matter.
            machine.set_deal(batch.block.deal(place), facts, batch.number(place), 0);
            random.0.restart(batch.number(place));
            let at = |error| (error, place);
            for &part in filter.tail {
                if machine.evaluate(part, random).map_err(at)? == 0 {
                    return Ok(false);
                }
            }
            if filter.values {
                for origin in filter.plan.action_inputs.iter().flatten() {
                    match *origin {
                        ValueSource::Column(_) => {}
                        ValueSource::Scalar(Quantity::Value(node)) => {
                            scalars.push(machine.evaluate(node, random).map_err(at)?);
                        }
                        ValueSource::Scalar(Quantity::Tricks(seat, strain)) => {
                            scalars.push(machine.tricks(seat, strain).map_err(at)?);
                        }
                    }
                }
                if !filter.needs.tables.is_empty() {
                    let rows = machine.rows(filter.needs.tables).map_err(at)?;
                    accepted.tricks.push(rows);
                }
            }
            Ok(true)
        })
    }

    /// Adds the accepted deals of the block to this worker's tallies.
    fn collect(&mut self) -> u64 {
        let deals = self.evaluator.survivors();
        let action_inputs = &self.shared.filter.plan.action_inputs;
        let stride = self.shared.filter.plan.scalars();
        if stride > 0 {
            self.evaluator.list();
        }
        let mut first_scalar = 0;
        let mut values = Vec::new();
        for (tally, origins) in self.tallies.iter_mut().zip(action_inputs) {
            let scalars = origins
                .iter()
                .filter(|o| matches!(o, ValueSource::Scalar(_)))
                .count();
            let first = first_scalar;
            first_scalar += scalars;
            let evaluator = &self.evaluator;
            match (tally, origins.as_slice()) {
                (None, _) => {}
                (Some(Tally::Average(average)), &[ValueSource::Column(x)]) => {
                    evaluator.add_average(x, average);
                }
                (Some(Tally::Frequency(table)), &[ValueSource::Column(x)]) => {
                    evaluator.add_frequency(x, table);
                }
                (
                    Some(Tally::Frequency2(table)),
                    &[ValueSource::Column(x), ValueSource::Column(y)],
                ) => {
                    evaluator.add_frequency2(x, y, table);
                }
                (Some(tally), origins) => {
                    for deal in 0..deals {
                        let row = &self.scalars[deal * stride + first..][..scalars];
                        gather(evaluator, origins, deal, row, &mut values);
                        tally.add(&values);
                        values.clear();
                    }
                }
            }
        }
        deals as u64
    }

    /// Appends the accepted deals of the block with all needed numbers to `accepted`.
    fn append_accepted(&mut self, accepted: &mut Accepted) {
        let batch = &self.batch;
        self.evaluator.for_each(|place| {
            accepted
                .deals
                .push((batch.number(place), batch.block.deal(place)));
        });
        if !self.shared.filter.values {
            return;
        }
        let deals = self.evaluator.survivors();
        let action_inputs = &self.shared.filter.plan.action_inputs;
        let stride = self.shared.filter.plan.scalars();
        self.evaluator.list();
        for deal in 0..deals {
            let mut row = &self.scalars[deal * stride..(deal + 1) * stride];
            for origins in action_inputs {
                row = gather(&self.evaluator, origins, deal, row, &mut accepted.values);
            }
        }
    }
}

/// Appends an action's numbers for one deal; returns the scalars that it did not use.
fn gather<'s>(
    evaluator: &BatchEvaluator<'_>,
    origins: &[ValueSource],
    deal: usize,
    mut scalars: &'s [i32],
    values: &mut Vec<i32>,
) -> &'s [i32] {
    for origin in origins {
        match origin {
            ValueSource::Column(output) => values.push(evaluator.output(*output, deal)),
            ValueSource::Scalar(_) => {
                values.push(scalars[0]);
                scalars = &scalars[1..];
            }
        }
    }
    scalars
}

impl Drop for Worker<'_> {
    fn drop(&mut self) {
        let mut collected = self
            .shared
            .collected
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        for pair in collected.iter_mut().zip(&self.tallies) {
            if let (Some(all), Some(mine)) = pair {
                all.merge(mine);
            }
        }
    }
}
