//! Runs over blocks on all threads: workers fill and filter, the calling thread keeps the account in order.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use cards::Deal;
use script::plan::NodeId;
use shuffle::BLOCK_DEALS;

use super::clock::Clock;
use super::filter::{Filter, Findings, Stop, Worker};
use super::inscribing::Line;
use super::ledger::{self, Ledger};
use super::needs::Needs;
use crate::batch::BatchPlan;
use crate::outcome::{Ended, Options, Report, RunError, Scribe, Sink};
use crate::parallel::ordered_map_within;
use crate::prepared::Prepared;
use crate::scalar::{Machine, Program};
use crate::source::Source;
use crate::tally::Tally;

/// Blocks a worker takes at a time at most: below a millisecond of work, so that a run stops at once, and enough
/// that the hand-over, which wakes the calling thread, does not show.
const LARGEST_UNIT: u64 = 128;

/// The same when the deals themselves are handed over, which take memory.
const LARGEST_UNIT_OF_DEALS: u64 = 8;

/// The same when their text is handed over and most deals are accepted, which takes more memory.
const LARGEST_UNIT_OF_TEXT: u64 = 1;

/// Nanoseconds of estimated work that a worker takes at a time at most: limits of time hold between units.
const LONGEST_UNIT: u64 = 20_000_000;

/// Nanoseconds of evaluation for a deal, from which on evaluations may be interrupted: a block of less takes 50
/// milliseconds.
const SLOW: u64 = 50_000;

/// Values of a deal that need no limit of memory.
const FEW_VALUES: usize = 8;

/// Bytes of values that may wait for earlier ones.
const WAITING_BYTES: u64 = 64 << 20;

/// Counted nanoseconds of dealing before a run asks for more threads: starting them takes about as long. A run that needs
/// a few deals of a common kind is over by then.
const ALONE: u64 = 250_000;

/// Nanoseconds to deal a block, and to evaluate on the scalar machine what is left of it.
const COST_OF_BLOCK: u64 = 5 * BLOCK_DEALS as u64;
const COST_OF_TAIL: u64 = 100 * BLOCK_DEALS as u64;

/// Consecutive blocks for one worker.
#[derive(Clone, Copy, Debug)]
pub(super) struct Unit {
    /// Its place among the units of the run, from 0.
    pub number: u64,
    pub first: u64,
    pub blocks: u64,
}

/// The state of a run that its workers may look at.
pub(super) struct Shared<'a> {
    pub filter: Filter<'a>,
    pub source: &'a dyn Source,
    pub options: &'a Options<'a>,
    /// Who makes text of the accepted deals, if that is all that is wanted of them.
    pub scribe: Option<&'a dyn Scribe>,
    /// Tells the workers the numbers of the deals that they write about.
    pub line: Line,
    pub clock: Clock<'a>,
    /// Deals entered in the account, and how many of them were produced.
    entered: AtomicU64,
    produced: AtomicU64,
    /// Whether the run is over and what is still in work of no use.
    over: AtomicBool,
    /// Why no more units are handed out, if not because all were.
    stopped: Mutex<Option<Ended>>,
    /// Deals that workers looked at, and how many of them passed the columns of the condition.
    looked_at: AtomicU64,
    passed: AtomicU64,
    /// Nanoseconds that the scalar machine may take for a deal.
    scalar_cost: u64,
    /// What the workers collected themselves.
    pub collected: Mutex<Vec<Option<Tally>>>,
}

impl<'a> Shared<'a> {
    pub fn new(filter: Filter<'a>, source: &'a dyn Source, options: &'a Options<'a>) -> Self {
        let scalar_cost = Program::cost(filter.prepared.plan, filter.scalars());
        Shared {
            collected: Mutex::new(ledger::tallies(filter.prepared.plan)),
            looked_at: AtomicU64::new(0),
            passed: AtomicU64::new(0),
            scalar_cost,
            filter,
            source,
            options,
            scribe: None,
            line: Line::new(options.from.produced),
            clock: Clock::start(options),
            entered: AtomicU64::new(options.from.generated),
            produced: AtomicU64::new(options.from.produced),
            over: AtomicBool::new(false),
            stopped: Mutex::new(None),
        }
    }

    /// A machine whose evaluations end with the run.
    pub fn watched(&'a self, machine: Machine<'a>) -> Machine<'a> {
        machine.watching(self.clock, Some(&self.produced))
    }

    /// Why the run is to end, once an evaluation was interrupted.
    pub fn why(&self) -> Ended {
        self.clock.stop(self.produced()).unwrap_or(Ended::Cancelled)
    }

    /// Whether a deal may take so long that evaluations are interrupted when the run is to end. Then workers hand their
    /// deals over instead of collecting them: what was collected could not be told from what counts.
    pub fn is_slow(&self) -> bool {
        self.scalar_cost >= SLOW
    }

    /// Notes how many deals a worker looked at, and how many of them passed the columns of the condition.
    pub fn note_passed(&self, looked_at: u64, passed: u64) {
        self.looked_at.fetch_add(looked_at, Ordering::Relaxed);
        self.passed.fetch_add(passed, Ordering::Relaxed);
    }

    /// Nanoseconds that a block should take, by what passed so far.
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

    /// Bytes of the values of a block of deals that are handed over.
    fn bytes_of_block(&self) -> u64 {
        let values = self.filter.needs.values() as u64;
        BLOCK_DEALS as u64 * (size_of::<(u64, Deal)>() as u64 + 4 * values)
    }

    /// How many units may wait for earlier ones.
    fn ahead(&self) -> usize {
        let threads = crate::parallel::threads(self.options.threads);
        let most = (WAITING_BYTES / self.bytes_of_block()) as usize;
        most.clamp(threads, threads * crate::parallel::AHEAD)
    }

    /// Whether everything accepted in a unit is certain to be produced, so that a worker may collect it without
    /// waiting for the units before it: even if all deals up to its end were accepted, the limit is not reached.
    pub fn is_safe(&self, unit: Unit) -> bool {
        // In this order: a newer `produced` only makes the answer more careful.
        let entered = self.entered.load(Ordering::Acquire);
        let produced = self.produced.load(Ordering::Acquire);
        let end = (unit.first + unit.blocks).saturating_mul(BLOCK_DEALS as u64);
        produced.saturating_add(end.saturating_sub(entered)) < self.options.produce
    }

    /// Whether most deals are accepted.
    fn is_dense(&self) -> bool {
        let entered = self.entered.load(Ordering::Relaxed);
        self.produced.load(Ordering::Relaxed).saturating_mul(8) >= entered
    }

    /// Deals produced so far.
    pub fn produced(&self) -> u64 {
        self.produced.load(Ordering::Acquire)
    }

    /// Whether a worker that has accepted so many deals of its unit need not go on with it: the run has all it wants, or
    /// will have with these.
    pub fn is_enough(&self, accepted: usize) -> bool {
        self.over.load(Ordering::Relaxed)
            || self.produced().saturating_add(accepted as u64) >= self.options.produce
    }

    /// Notes why no more units are handed out.
    pub fn stop(&self, ended: Ended) {
        *self.stopped.lock().unwrap_or_else(PoisonError::into_inner) = Some(ended);
    }

    /// How a run ended whose findings did not say so.
    pub fn ended(&self) -> Ended {
        let stopped = *self.stopped.lock().unwrap_or_else(PoisonError::into_inner);
        stopped.unwrap_or(Ended::Generated)
    }

    /// Publishes the account.
    pub fn note(&self, ledger: &Ledger<'_, '_>) {
        self.produced.store(ledger.produced, Ordering::Release);
        self.entered.store(ledger.generated, Ordering::Release);
    }
}

/// Hands out units until there is a reason to stop.
pub(super) struct Units<'a> {
    shared: &'a Shared<'a>,
    clock: Clock<'a>,
    number: u64,
    next: u64,
    size: u64,
    largest: u64,
    /// Blocks whose values may wait for those of earlier units.
    widest: u64,
}

impl<'a> Units<'a> {
    pub fn new(shared: &'a Shared<'a>, clock: Clock<'a>) -> Self {
        let (size, largest) = match shared.options.batch {
            0 if shared.filter.hands_over => (1, LARGEST_UNIT_OF_DEALS),
            0 => (1, LARGEST_UNIT),
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
                // So few values take little memory.
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
        let affordable = LONGEST_UNIT / shared.cost_of_block();
        let mut size = self.size.min(self.widest).min(affordable).max(1);
        if self.shared.scribe.is_some() && self.shared.is_dense() {
            size = size.min(LARGEST_UNIT_OF_TEXT);
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

/// Filters the source and hands the findings over in order, until they say how the run ended.
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

/// The first units on the calling thread: less work than starting threads.
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
    let blocks = ALONE / block;
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

/// How findings say that the run is over.
pub(super) fn verdict(stop: Option<Stop>) -> ControlFlow<Result<Ended, RunError>> {
    match stop {
        None => ControlFlow::Continue(()),
        Some(Stop::Limit) => ControlFlow::Break(Ok(Ended::Generated)),
        Some(Stop::Exhausted) => ControlFlow::Break(Ok(Ended::Exhausted)),
        Some(Stop::Interrupted(ended)) => ControlFlow::Break(Ok(ended)),
        Some(Stop::Failed(error)) => ControlFlow::Break(Err(error)),
    }
}

/// Runs on blocks.
pub(super) fn run(
    prepared: &Prepared<'_>,
    needs: &Needs,
    source: &dyn Source,
    options: &Options<'_>,
    sink: &mut dyn Sink,
) -> Result<Report, RunError> {
    if needs.deals
        && let Some((scribe, sink)) = sink.scribe()
    {
        return run_with(prepared, needs, source, options, (Some(scribe), sink));
    }
    run_with(prepared, needs, source, options, (None, sink))
}

fn run_with(
    prepared: &Prepared<'_>,
    needs: &Needs,
    source: &dyn Source,
    options: &Options<'_>,
    (scribe, sink): (Option<&dyn Scribe>, &mut dyn Sink),
) -> Result<Report, RunError> {
    let mut ledger = Ledger::new(prepared.plan, needs, options, sink);
    if let Some(ended) = ledger.complete(options) {
        return Ok(ledger.close(ended));
    }
    let plan = BatchPlan::for_run(prepared, &needs.wishes, options.path);
    let tail: &[NodeId] = &plan.tail;
    let filter = Filter {
        prepared,
        needs,
        plan: &plan,
        tail,
        values: true,
        hands_over: needs.deals,
    };
    let shared = Shared {
        scribe,
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
