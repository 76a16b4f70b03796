//! Runs with the double-dummy solver: first all cheap tests, then the remaining deals, one by one.
//!
//! Solving takes milliseconds, so the unit of work is a single deal. The cheap parts of the condition find candidates
//! in blocks. Every thread solves the next candidate if there is one and searches for more otherwise. Results are
//! recorded in deal order.

mod pool;

use std::ops::ControlFlow;

use cards::{Deal, TrickTable};
use script::plan::NodeId;
use shuffle::DealRandom;

use super::blocks::{Shared, Units, verdict};
use super::clock::Clock;
use super::failure;
use super::filter::{Filter, Worker};
use super::ledger::Ledger;
use super::needs::Needs;
use super::sequence::DealDraws;
use crate::action_inputs::Quantity;
use crate::batch::{BatchPlan, solving_nodes};
use crate::outcome::{Ended, EvaluationError, Options, Report, RunError, Sink, SolverCalls};
use crate::prepared::PreparedPlan;
use crate::scalar::{DealFacts, Machine};
use crate::source::DealSource;

/// A deal that passed all cheap parts of the condition.
#[derive(Clone, Copy)]
struct Candidate {
    number: u64,
    deal: Deal,
}

/// An evaluated candidate.
struct EvaluatedCandidate {
    candidate: Candidate,
    calls: SolverCalls,
    /// The values for the actions; `None` if the deal was rejected.
    accepted: Result<Option<ActionValues>, NotEvaluated>,
}

/// The reason why a candidate has no result.
enum NotEvaluated {
    /// The time limit or the cancel flag stopped the run.
    Interrupted(Ended),
    Failed(RunError),
}

/// The values that the actions need of an accepted deal.
struct ActionValues {
    values: Vec<i32>,
    tricks: Option<TrickTable>,
}

/// Splits the condition into the parts for the filtering threads and the parts for the solving threads.
///
/// With random numbers in the condition nothing is split: the draws of a deal must be made in order.
fn split<'t>(prepared: &PreparedPlan<'_>, tail: &'t [NodeId]) -> (&'t [NodeId], &'t [NodeId]) {
    let plan = prepared.plan;
    if tail.iter().any(|part| plan.facts_of(*part).random) {
        return (&[], tail);
    }
    let solving = solving_nodes(&plan.nodes);
    let first = tail
        .iter()
        .position(|part| solving[part.index()])
        .unwrap_or(tail.len());
    tail.split_at(first)
}

/// Runs a plan with a solver on every thread.
pub(super) fn run(
    prepared: &PreparedPlan<'_>,
    needs: &Needs,
    source: &dyn DealSource,
    options: &Options<'_>,
    sink: &mut dyn Sink,
) -> Result<Report, RunError> {
    let mut ledger = Ledger::new(prepared.plan, needs, options, sink);
    if let Some(ended) = ledger.complete(options) {
        return Ok(ledger.close(ended));
    }
    let plan = BatchPlan::for_run(prepared, &[], options.path);
    let (cheap, dear) = split(prepared, &plan.tail);
    let filter = Filter {
        prepared,
        needs,
        plan: &plan,
        tail: cheap,
        values: false,
        passes_deals_on: true,
    };
    let shared = Shared::new(filter, source, options);
    let solving = Solving {
        shared: &shared,
        parts: dear,
    };
    let ended = match crate::parallel::threads(options.threads) {
        1 => alone(&solving, &mut ledger),
        threads => pool::run(&solving, threads, &mut ledger),
    }?;
    Ok(ledger.close(ended))
}

/// Runs everything on the calling thread.
fn alone(solving: &Solving<'_>, ledger: &mut Ledger<'_, '_>) -> Result<Ended, RunError> {
    let shared = solving.shared;
    let clock = Clock::start(shared.options);
    let mut worker = Worker::new(shared);
    let mut evaluate = CandidateEvaluator::new(solving);
    for unit in Units::new(shared, clock) {
        let findings = worker.work(unit);
        for (number, deal) in findings.accepted.deals {
            if let Some(ended) = clock.stop(ledger.produced) {
                return Ok(ended);
            }
            if let ControlFlow::Break(end) =
                enter(ledger, evaluate.evaluate(Candidate { number, deal }))
            {
                return end;
            }
        }
        ledger.calls += findings.calls;
        ledger.pass(findings.end);
        shared.note(ledger);
        if let ControlFlow::Break(end) = verdict(findings.stop) {
            return end;
        }
    }
    Ok(shared.ended())
}

/// The state that all threads share.
struct Solving<'a> {
    shared: &'a Shared<'a>,
    /// The parts of the condition that need the solver.
    parts: &'a [NodeId],
}

/// The state of one thread that evaluates candidates.
struct CandidateEvaluator<'a> {
    solving: &'a Solving<'a>,
    machine: Machine<'a>,
    random: DealDraws,
}

impl<'a> CandidateEvaluator<'a> {
    fn new(solving: &'a Solving<'a>) -> Self {
        let filter = &solving.shared.filter;
        let (key, stream) = solving.shared.source.random();
        let machine = Machine::new(filter.prepared, &filter.needs.program);
        CandidateEvaluator {
            solving,
            machine: solving.shared.watched(machine),
            random: DealDraws(DealRandom::on(stream, &key, 0)),
        }
    }

    fn evaluate(&mut self, candidate: Candidate) -> EvaluatedCandidate {
        let Candidate { number, deal } = candidate;
        let filter = &self.solving.shared.filter;
        self.machine.set_deal(deal, DealFacts::new(), number, 0);
        self.random.0.restart(number);
        let accepted = self.examine().map_err(|error| match error {
            EvaluationError::Interrupted => NotEvaluated::Interrupted(self.solving.shared.why()),
            error => NotEvaluated::Failed(failure(filter.prepared.plan, error, number, deal)),
        });
        EvaluatedCandidate {
            candidate,
            calls: self.machine.take_calls(),
            accepted,
        }
    }

    /// Returns the values of the actions, if the deal is accepted.
    fn examine(&mut self) -> Result<Option<ActionValues>, EvaluationError> {
        for &part in self.solving.parts {
            if self.machine.evaluate(part, &mut self.random)? == 0 {
                return Ok(None);
            }
        }
        let needs = self.solving.shared.filter.needs;
        self.machine.solve_together(&needs.together)?;
        let quantities = needs
            .action_inputs
            .iter()
            .flat_map(|inputs| &inputs.quantities);
        let values = quantities.map(|quantity| match *quantity {
            Quantity::Value(node) => self.machine.evaluate(node, &mut self.random),
            Quantity::Tricks(seat, strain) => self.machine.tricks(seat, strain),
        });
        let values = values.collect::<Result<Vec<i32>, EvaluationError>>()?;
        let tricks = match needs.tables.is_empty() {
            true => None,
            false => Some(self.machine.rows(needs.tables)?),
        };
        Ok(Some(ActionValues { values, tricks }))
    }
}

/// Records an evaluated candidate; breaks when it ends the run.
fn enter(
    ledger: &mut Ledger<'_, '_>,
    evaluated: EvaluatedCandidate,
) -> ControlFlow<Result<Ended, RunError>> {
    let Candidate { number, deal } = evaluated.candidate;
    ledger.calls += evaluated.calls;
    match evaluated.accepted {
        Ok(None) => ledger.pass(number + 1),
        Ok(Some(ActionValues { values, tricks })) => {
            if let ControlFlow::Break(ended) = ledger.enter(number, deal, tricks, &values) {
                return ControlFlow::Break(Ok(ended));
            }
        }
        Err(NotEvaluated::Interrupted(ended)) => return ControlFlow::Break(Ok(ended)),
        Err(NotEvaluated::Failed(error)) => return ControlFlow::Break(Err(error)),
    }
    ControlFlow::Continue(())
}
