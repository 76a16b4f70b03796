//! Runs over blocks on all threads: workers fill and filter blocks, the calling thread records the results in order.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use cards::Deal;
use script::plan::NodeId;
use shuffle::BLOCK_DEALS;

use super::clock::Clock;
use super::filter::{Filter, Findings, Stop, Worker};
use super::ledger::{self, Ledger};
use super::needs::Needs;
use super::parallel_text::TurnQueue;
use crate::batch::BatchPlan;
use crate::outcome::{Ended, Options, ParallelFormatter, Report, RunError, Sink};
use crate::parallel::ordered_map_within;
use crate::prepared::PreparedPlan;
use crate::scalar::{Machine, Program};
use crate::source::DealSource;
use crate::tally::Tally;

/// Maximum number of blocks per unit of work: less than a millisecond of work, so that a run stops promptly, and enough
/// to make the cost of passing results to the calling thread negligible.
const MAX_UNIT: u64 = 128;

/// Maximum number of blocks per unit when the deals themselves are passed on, which takes memory.
const MAX_UNIT_OF_DEALS: u64 = 8;

/// Maximum number of blocks per unit when text is passed on and most deals are accepted, which takes more memory.
const MAX_UNIT_OF_TEXT: u64 = 1;

/// Maximum estimated nanoseconds of work per unit. Time limits are checked between units.
const MAX_UNIT_NANOSECONDS: u64 = 20_000_000;

/// Nanoseconds of evaluation per deal from which evaluations can be interrupted. Below it, a block takes at most 50
/// milliseconds.
const SLOW: u64 = 50_000;

/// Number of values per deal up to which no memory limit is needed.
const FEW_VALUES: usize = 8;

/// Maximum bytes of values that wait for earlier ones.
const WAITING_BYTES: u64 = 64 << 20;

/// Counted nanoseconds of dealing before a run starts more threads: starting them takes about as long. A run that needs
/// a few deals of a common kind ends before that.
const SINGLE_THREAD_WORK: u64 = 250_000;

/// Estimated nanoseconds to deal a block, and to evaluate the scalar parts of the condition on it.
const COST_OF_BLOCK: u64 = 5 * BLOCK_DEALS as u64;
const COST_OF_TAIL: u64 = 100 * BLOCK_DEALS as u64;

/// Consecutive blocks for one worker.
#[derive(Clone, Copy, Debug)]
pub(super) struct Unit {
    /// Number of the unit in the run, from 0.
    pub number: u64,
    pub first: u64,
    pub blocks: u64,
}

/// The state of a run that is shared with its workers.
pub(super) struct Shared<'a> {
    pub filter: Filter<'a>,
    pub source: &'a dyn DealSource,
    pub options: &'a Options<'a>,
    /// The formatter of the accepted deals, if the run needs only their text.
    pub formatter: Option<&'a dyn ParallelFormatter>,
    /// Assigns to the workers the numbers of the deals that they format.
    pub turns: TurnQueue,
    pub clock: Clock<'a>,
    /// Number of deals recorded.
    entered: AtomicU64,
    /// Number of recorded deals that were produced.
    produced: AtomicU64,
    /// Whether the run has ended, so that unfinished work is not needed.
    over: AtomicBool,
    /// The reason why no more units are handed out, unless all were.
    stopped: Mutex<Option<Ended>>,
    /// Deals that workers have evaluated, and how many of them passed the columns of the condition.
    looked_at: AtomicU64,
    passed: AtomicU64,
    /// Maximum nanoseconds of the scalar machine per deal.
    scalar_cost: u64,
    /// The tallies that workers have collected themselves.
    pub collected: Mutex<Vec<Option<Tally>>>,
}

impl<'a> Shared<'a> {
    pub fn new(filter: Filter<'a>, source: &'a dyn DealSource, options: &'a Options<'a>) -> Self {
        let scalar_cost = Program::cost(filter.prepared.plan, filter.scalars());
        Shared {
            collected: Mutex::new(ledger::tallies(filter.prepared.plan)),
            looked_at: AtomicU64::new(0),
            passed: AtomicU64::new(0),
            scalar_cost,
            filter,
            source,
            options,
            formatter: None,
            turns: TurnQueue::new(options.from.produced),
            clock: Clock::start(options),
            entered: AtomicU64::new(options.from.generated),
            produced: AtomicU64::new(options.from.produced),
            over: AtomicBool::new(false),
            stopped: Mutex::new(None),
        }
    }

    /// Makes the evaluations of a machine end with the run.
    pub fn watched(&'a self, machine: Machine<'a>) -> Machine<'a> {
        machine.with_clock(self.clock, Some(&self.produced))
    }

    /// Returns the reason for which the run ends, after an evaluation was interrupted.
    pub fn why(&self) -> Ended {
        self.clock.stop(self.produced()).unwrap_or(Ended::Cancelled)
    }

    /// Returns whether a deal may take so long that evaluations must be interruptible. Workers then pass deals on
    /// instead of collecting them, because an interrupted unit could not be separated from the tallies.
    pub fn is_slow(&self) -> bool {
        self.scalar_cost >= SLOW
    }

    /// Adds the deals that a worker has evaluated and those that passed the columns of the condition.
    pub fn note_passed(&self, looked_at: u64, passed: u64) {
        self.looked_at.fetch_add(looked_at, Ordering::Relaxed);
        self.passed.fetch_add(passed, Ordering::Relaxed);
    }

    /// Returns the estimated nanoseconds per block, from the share of deals that passed so far.
    fn cost_of_block(&self) -> u64 {
        let (plan, deals) = (self.filter.plan, BLOCK_DEALS as u64);
        let looked_at = self.looked_at.load(Ordering::Relaxed);
        let passed = self.passed.load(Ordering::Relaxed);
        let all = plan
            .cost_of_outputs()
            .saturating_add(deals.saturating_mul(self.scalar_cost));
        let passing = match looked_at {
            0 => all,
            _ => (u128::from(all) * u128::from(passed) / u128::from(looked_at)) as u64,
        };
        (COST_OF_BLOCK + plan.cost()).saturating_add(passing)
    }

    /// Returns the bytes of values of a block of deals that are passed on.
    fn bytes_of_block(&self) -> u64 {
        let values = self.filter.needs.values() as u64;
        BLOCK_DEALS as u64 * (size_of::<(u64, Deal)>() as u64 + 4 * values)
    }

    /// Returns how many units may wait for earlier ones.
    fn ahead(&self) -> usize {
        let threads = crate::parallel::threads(self.options.threads);
        let most = (WAITING_BYTES / self.bytes_of_block()) as usize;
        most.clamp(threads, threads * crate::parallel::AHEAD)
    }

    /// Returns whether all accepted deals of a unit are certain to be produced, so that a worker may collect them
    /// without waiting for earlier units: even if all deals up to its end were accepted, the limit would not be
    /// reached.
    pub fn is_safe(&self, unit: Unit) -> bool {
        // The order of the loads matters: a newer `produced` only makes the answer more cautious.
        let entered = self.entered.load(Ordering::Acquire);
        let produced = self.produced.load(Ordering::Acquire);
        let end = (unit.first + unit.blocks).saturating_mul(BLOCK_DEALS as u64);
        produced.saturating_add(end.saturating_sub(entered)) < self.options.produce
    }

    /// Returns whether most deals are accepted, so that units must be small.
    fn is_dense(&self) -> bool {
        let entered = self.entered.load(Ordering::Relaxed);
        self.produced.load(Ordering::Relaxed).saturating_mul(8) >= entered
    }

    /// Returns the number of deals produced so far.
    pub fn produced(&self) -> u64 {
        self.produced.load(Ordering::Acquire)
    }

    /// Returns whether a worker can stop after `accepted` deals of its unit: the run has enough deals, or has with
    /// these.
    pub fn is_enough(&self, accepted: usize) -> bool {
        self.over.load(Ordering::Relaxed)
            || self.produced().saturating_add(accepted as u64) >= self.options.produce
    }

    /// Records the reason why no more units are handed out.
    pub fn stop(&self, ended: Ended) {
        *self.stopped.lock().unwrap_or_else(PoisonError::into_inner) = Some(ended);
    }

    /// Returns why the run ended if it reached the last unit: a limit, or the end of the source.
    pub fn ended(&self) -> Ended {
        let stopped = *self.stopped.lock().unwrap_or_else(PoisonError::into_inner);
        stopped.unwrap_or(Ended::Generated)
    }

    /// Publishes the recorded counts to the workers.
    pub fn note(&self, ledger: &Ledger<'_, '_>) {
        self.produced.store(ledger.produced, Ordering::Release);
        self.entered.store(ledger.generated, Ordering::Release);
    }
}

/// Hands out units of work until there is a reason to stop.
pub(super) struct Units<'a> {
    shared: &'a Shared<'a>,
    clock: Clock<'a>,
    number: u64,
    next: u64,
    size: u64,
    largest: u64,
    /// Maximum number of blocks whose values may wait for those of earlier units.
    widest: u64,
}

impl<'a> Units<'a> {
    pub fn new(shared: &'a Shared<'a>, clock: Clock<'a>) -> Self {
        let (size, largest) = match shared.options.batch {
            0 if shared.filter.passes_deals_on => (1, MAX_UNIT_OF_DEALS),
            0 => (1, MAX_UNIT),
            blocks => (blocks as u64, blocks as u64),
        };
        Units {
            shared,
            clock,
            number: 0,
            next: shared.source.block_of(shared.options.from.generated),
            size,
            largest,
            widest: match shared.filter.needs.values() {
                // The memory of few values needs no limit.
                0..=FEW_VALUES => u64::MAX,
                _ => WAITING_BYTES / shared.ahead() as u64 / shared.bytes_of_block(),
            },
        }
    }
}

impl Iterator for Units<'_> {
    type Item = Unit;

    fn next(&mut self) -> Option<Unit> {
        if let Some(ended) = self
            .clock
            .stop(self.shared.produced.load(Ordering::Relaxed))
        {
            self.shared.stop(ended);
            return None;
        }
        let blocks = self.shared.options.generate.div_ceil(BLOCK_DEALS as u64);
        let left = blocks.checked_sub(self.next).filter(|&left| left > 0)?;
        let shared = self.shared;
        let affordable = MAX_UNIT_NANOSECONDS / shared.cost_of_block();
        let mut size = self.size.min(self.widest).min(affordable).max(1);
        if self.shared.formatter.is_some() && self.shared.is_dense() {
            size = size.min(MAX_UNIT_OF_TEXT);
        }
        let unit = Unit {
            number: self.number,
            first: self.next,
            blocks: size.min(left),
        };
        self.number += 1;
        self.next += unit.blocks;
        // Small units first: a run that needs few deals should not wait for many.
        self.size = (self.size * 2).min(self.largest);
        Some(unit)
    }
}

/// Filters the source and records the findings in order, until they end the run.
fn drive(
    shared: &Shared<'_>,
    mut deliver: impl FnMut(Findings) -> ControlFlow<Result<Ended, RunError>>,
) -> Result<Ended, RunError> {
    let mut deliver = |findings| {
        let flow = deliver(findings);
        shared.over.store(flow.is_break(), Ordering::Relaxed);
        flow
    };
    let mut units = Units::new(shared, shared.clock);
    if let ControlFlow::Break(end) = alone(shared, &mut units, &mut deliver) {
        return end;
    }
    let end = ordered_map_within(
        shared.options.threads,
        shared.ahead(),
        units,
        || Worker::new(shared),
        |worker, unit| worker.work(unit),
        deliver,
    );
    match end {
        ControlFlow::Break(end) => end,
        ControlFlow::Continue(()) => Ok(shared.ended()),
    }
}

/// Processes the first units on the calling thread, if that is less work than starting threads.
fn alone(
    shared: &Shared<'_>,
    units: &mut Units<'_>,
    deliver: &mut impl FnMut(Findings) -> ControlFlow<Result<Ended, RunError>>,
) -> ControlFlow<Result<Ended, RunError>> {
    if shared.options.threads == 1 {
        return ControlFlow::Continue(());
    }
    let filter = &shared.filter;
    let tail = !filter.tail.is_empty() || filter.plan.scalars() > 0;
    let block = COST_OF_BLOCK + filter.plan.cost() + if tail { COST_OF_TAIL } else { 0 };
    let blocks = SINGLE_THREAD_WORK / block;
    let mut worker = None;
    let mut done = 0;
    while done + units.size <= blocks {
        let Some(unit) = units.next() else {
            return ControlFlow::Break(Ok(shared.ended()));
        };
        done += unit.blocks;
        let worker = worker.get_or_insert_with(|| Worker::new(shared));
        deliver(worker.work(unit))?;
    }
    ControlFlow::Continue(())
}

/// Converts the reason for which findings stopped to the result of the run.
pub(super) fn verdict(stop: Option<Stop>) -> ControlFlow<Result<Ended, RunError>> {
    match stop {
        None => ControlFlow::Continue(()),
        Some(Stop::Limit) => ControlFlow::Break(Ok(Ended::Generated)),
        Some(Stop::Exhausted) => ControlFlow::Break(Ok(Ended::Exhausted)),
        Some(Stop::Interrupted(ended)) => ControlFlow::Break(Ok(ended)),
        Some(Stop::Failed(error)) => ControlFlow::Break(Err(error)),
    }
}

/// Runs a plan on blocks.
pub(super) fn run(
    prepared: &PreparedPlan<'_>,
    needs: &Needs,
    source: &dyn DealSource,
    options: &Options<'_>,
    sink: &mut dyn Sink,
) -> Result<Report, RunError> {
    if needs.deals
        && let Some((formatter, sink)) = sink.parallel_formatter()
    {
        return run_with(prepared, needs, source, options, (Some(formatter), sink));
    }
    run_with(prepared, needs, source, options, (None, sink))
}

fn run_with(
    prepared: &PreparedPlan<'_>,
    needs: &Needs,
    source: &dyn DealSource,
    options: &Options<'_>,
    (formatter, sink): (Option<&dyn ParallelFormatter>, &mut dyn Sink),
) -> Result<Report, RunError> {
    let mut ledger = Ledger::new(prepared.plan, needs, options, sink);
    if let Some(ended) = ledger.complete(options) {
        return Ok(ledger.close(ended));
    }
    let plan = BatchPlan::for_run(prepared, &needs.action_inputs, options.path);
    let tail: &[NodeId] = &plan.tail;
    let filter = Filter {
        prepared,
        needs,
        plan: &plan,
        tail,
        values: true,
        passes_deals_on: needs.deals,
    };
    let shared = Shared {
        formatter,
        ..Shared::new(filter, source, options)
    };
    let ended = drive(&shared, |findings| {
        ledger.calls += findings.calls;
        let entered = match (findings.collected, findings.texts) {
            (Some(count), _) => {
                ledger.enter_count(count, findings.end);
                ControlFlow::Continue(())
            }
            (None, Some(mut texts)) => {
                ledger.enter_text(&findings.accepted, &mut texts, findings.end)
            }
            (None, None) => ledger.enter_all(&findings.accepted, findings.end),
        };
        if let ControlFlow::Break(ended) = entered {
            return ControlFlow::Break(Ok(ended));
        }
        shared.note(&ledger);
        verdict(findings.stop)
    })?;
    ledger.merge(
        &shared
            .collected
            .into_inner()
            .unwrap_or_else(PoisonError::into_inner),
    );
    Ok(ledger.close(ended))
}
