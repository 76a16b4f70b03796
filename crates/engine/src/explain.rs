//! Explains why a deal was accepted, and why a script produces nothing.

use cards::{Deal, TrickTable};
use script::plan::{NodeId, Plan};
use shuffle::DealRandom;

use crate::outcome::{EvaluationError, Options, RunError};
use crate::prepared::PreparedPlan;
use crate::run::{Clock, DEALS_PER_CLOCK_CHECK, DealDraws, failure};
use crate::scalar::{DealFacts, Machine, NoRandom, Program};
use crate::source::{Batch, DealSource};

/// A value of the script on one deal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Evaluated {
    /// The expression.
    pub node: NodeId,
    /// Value of the expression, or the error that evaluating it gives.
    pub value: Result<i32, EvaluationError>,
}

/// All values of a script on one deal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DealExplained {
    /// The script's variables, in order of definition.
    pub variables: Vec<Evaluated>,
    /// The parts of the condition (see [`Plan::clauses`]), each evaluated on its own.
    pub clauses: Vec<Evaluated>,
    /// The condition as a whole; `None` if the script has none.
    pub condition: Option<Evaluated>,
}

impl DealExplained {
    /// Returns whether a run would produce the deal.
    #[must_use]
    pub fn is_accepted(&self) -> bool {
        self.condition
            .as_ref()
            .is_none_or(|condition| condition.value.as_ref().is_ok_and(|&value| value != 0))
    }
}

/// Evaluates every variable and every clause of the plan on one deal. Random numbers are all 0.
#[must_use]
pub fn explain_deal(
    plan: &Plan,
    deal: &Deal,
    tricks: Option<TrickTable>,
    options: &Options<'_>,
) -> DealExplained {
    let clauses = plan.clauses();
    let variables: Vec<NodeId> = plan
        .variables
        .iter()
        .map(|variable| variable.value)
        .collect();
    let prepared = PreparedPlan::new(plan, options);
    let roots = clauses
        .iter()
        .chain(&variables)
        .chain(&plan.condition)
        .copied();
    let program = Program::new(plan, roots);
    let mut machine = Machine::new(&prepared, &program).with_clock(Clock::start(options), None);
    machine.set_deal(
        *deal,
        tricks.map_or_else(DealFacts::new, DealFacts::with_tricks),
        0,
        0,
    );
    let mut evaluate = |node: &NodeId| Evaluated {
        node: *node,
        value: machine.evaluate(*node, &mut NoRandom),
    };
    DealExplained {
        variables: variables.iter().map(&mut evaluate).collect(),
        clauses: clauses.iter().map(&mut evaluate).collect(),
        condition: plan.condition.as_ref().map(evaluate),
    }
}

/// The pass rate of a clause of the condition in a sample.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClauseCount {
    /// The clause.
    pub node: NodeId,
    /// Deals that passed all earlier clauses.
    pub reached: u64,
    /// Deals of `reached` that passed this clause.
    pub passed: u64,
}

/// Pass rates of the clauses of a condition in a sample of deals.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClauseSample {
    /// Number of deals in the sample.
    pub deals: u64,
    /// The clauses in the order of [`Plan::clauses`].
    pub clauses: Vec<ClauseCount>,
    /// The error on the last deal, if an expression failed there.
    pub failure: Option<RunError>,
}

impl ClauseSample {
    /// Returns the number of deals that passed all clauses.
    #[must_use]
    pub fn accepted(&self) -> u64 {
        self.clauses
            .last()
            .map_or(self.deals, |clause| clause.passed)
    }
}

/// Counts, clause by clause, how many of the first `deals` deals of a source pass it. The sample ends at the first deal
/// on which an expression fails, as a run would, or when `stop` returns true.
///
/// # Errors
/// If the source fails.
pub fn sample_clauses(
    plan: &Plan,
    source: &dyn DealSource,
    deals: u64,
    options: &Options<'_>,
) -> Result<ClauseSample, RunError> {
    let clauses = plan.clauses();
    let prepared = PreparedPlan::new(plan, options);
    let program = Program::new(plan, clauses.iter().copied());
    let clock = Clock::start(options);
    let mut machine = Machine::new(&prepared, &program).with_clock(clock, None);
    let (key, stream) = source.random();
    let mut random = DealDraws(DealRandom::on(stream, &key, 0));
    let none = |&node: &NodeId| ClauseCount {
        node,
        reached: 0,
        passed: 0,
    };
    let mut sample = ClauseSample {
        deals: 0,
        clauses: clauses.iter().map(none).collect(),
        failure: None,
    };
    let mut batch = Batch::new();
    let stop =
        |looked_at: u64| looked_at.is_multiple_of(DEALS_PER_CLOCK_CHECK) && clock.stop(0).is_some();
    for block in 0.. {
        source.fill(block, &mut batch);
        for place in 0..batch.count {
            if sample.deals == deals || stop(sample.deals) {
                return Ok(sample);
            }
            let (number, deal) = (batch.number(place), batch.block.deal(place));
            let facts = batch
                .tricks(place)
                .map_or_else(DealFacts::new, DealFacts::with_tricks);
            machine.set_deal(deal, facts, number, sample.accepted());
            random.0.restart(number);
            let mut held = 0;
            let mut failed = None;
            for clause in &sample.clauses {
                match machine.evaluate(clause.node, &mut random) {
                    Ok(0) => break,
                    Ok(_) => held += 1,
                    // The deal was not evaluated, so it does not count.
                    Err(EvaluationError::Interrupted) => return Ok(sample),
                    Err(error) => {
                        failed = Some(failure(plan, error, number, deal));
                        break;
                    }
                }
            }
            sample.deals += 1;
            for (place, clause) in sample.clauses.iter_mut().enumerate().take(held + 1) {
                clause.reached += 1;
                clause.passed += u64::from(place < held);
            }
            if failed.is_some() {
                sample.failure = failed;
                return Ok(sample);
            }
        }
        if let Some(error) = batch.failure.take() {
            return Err(RunError::Source(error));
        }
        if !batch.is_full() {
            break;
        }
    }
    Ok(sample)
}
