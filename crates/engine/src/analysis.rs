//! What a script requires of the hands, in the terms of the exact sampler.
//!
//! The condition is split at its top-level `and`. What the sampler can express becomes part of a
//! [`sampling::Problem`]; what it cannot is left out, which only makes the requirement weaker. Deals from the
//! sampler are evaluated like all others, so the result never depends on how much was understood. Predealt cards and
//! lengths are no part of the condition and are not evaluated: every sampler covers them, or there is none.

mod expression;
mod formula;
mod linear;
mod local;
mod metric;

use cards::{Seat, Suit};
use sampling::{Budget, Count, Formula, GaveUp, Meter, Problem, Sampler};
use script::plan::{Node, NodeId, Plan};
use usermetrics::UserMetrics;

use crate::outcome::Options;
use crate::prepared::Prepared;
pub(crate) use expression::Expression;
use formula::Reader;

/// Parts of a condition beyond which even looking at them takes too long.
const MOST_PARTS: usize = 1000;

/// A condition as the sampler sees it.
pub struct Analysis {
    problem: Problem,
    /// The parts of the condition in the order in which the problem requires them.
    parts: Vec<NodeId>,
    /// Requirements before the parts: the lengths that are predealt.
    lengths: usize,
    /// Why the sampler must not be used at all.
    refusal: Option<&'static str>,
    /// What is known of the metrics.
    metrics: Metrics,
}

/// What is known of the metrics in a condition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Metrics {
    /// Nothing: they may be somebody's own.
    Unknown,
    /// As much as one number of each hand says: tables stay small, and few of the deals fail the rest.
    Coarse,
    /// Everything that can be counted.
    Exact,
}

impl Analysis {
    /// Looks at the condition and the predeal of a plan. Where its metrics come from is not known, so they are tested
    /// on each deal.
    #[must_use]
    pub fn new(plan: &Plan) -> Analysis {
        Analysis::of(plan, Metrics::Unknown)
    }

    /// The same for a run with these options, which tell where metrics come from.
    #[must_use]
    pub fn of_run(plan: &Plan, options: &Options<'_>) -> Analysis {
        let built_in = options.user_metrics.is_none_or(UserMetrics::is_built_in);
        match built_in {
            true => Analysis::of(plan, Metrics::Coarse),
            false => Analysis::new(plan),
        }
    }

    /// The same for those who count. All that metrics follow from is read where it is asked of one hand; several hands
    /// would have too many numbers.
    #[must_use]
    pub fn counting(plan: &Plan, options: &Options<'_>) -> Analysis {
        let coarse = Analysis::of_run(plan, options);
        if coarse.metrics == Metrics::Coarse && knows_a_metric(plan) {
            let exact = Analysis::of(plan, Metrics::Exact);
            if exact.problem.is_about_one_hand() {
                return exact;
            }
        }
        coarse
    }

    /// The same with so much known of metrics.
    pub(crate) fn of(plan: &Plan, metrics: Metrics) -> Analysis {
        let mut problem = Problem::new();
        let mut refusal = None;
        if problem.predeal(plan.predeal).is_err() {
            refusal = Some("the predealt cards do not fit");
        }
        let lengths = insist_on_lengths(plan, &mut problem);
        let parts = crate::batch::conjuncts(&plan.nodes, plan.condition);
        if parts.iter().any(|&part| plan.facts_of(part).can_fail) {
            // A deal that plain dealing would have thrown away might have stopped the run with an error.
            refusal = Some("the condition contains a division that can fail");
        }
        if parts.len() > MOST_PARTS {
            refusal = Some("the condition has too many parts");
        }
        let options = Options::default();
        let prepared = Prepared::new(plan, &options);
        let mut reader = Reader::new(&prepared, &mut problem).knowing(metrics);
        let formulas: Vec<Formula> = parts.iter().map(|&part| reader.formula(part)).collect();
        for formula in formulas {
            problem.require(formula);
        }
        Analysis {
            problem,
            parts,
            lengths,
            refusal,
            metrics,
        }
    }

    /// The requirements.
    #[must_use]
    pub fn problem(&self) -> &Problem {
        &self.problem
    }

    /// Why the sampler must not be used, if so.
    #[must_use]
    pub fn refusal(&self) -> Option<&'static str> {
        self.refusal
    }

    /// Whether the script fixes the lengths of suits.
    #[must_use]
    pub fn has_lengths(&self) -> bool {
        self.lengths > 0
    }

    /// A sampler for as much of the condition as the budget allows.
    ///
    /// # Errors
    /// If nothing fits the budget.
    pub fn sampler(&self, budget: Budget) -> Result<Sampler, GaveUp> {
        Sampler::new(&self.problem, budget)
    }

    /// The same, with a meter that may be told to stop.
    ///
    /// # Errors
    /// If nothing fits the budget, or it was told to stop.
    pub fn metered(&self, meter: &Meter<'_>) -> Result<Sampler, GaveUp> {
        Sampler::metered(&self.problem, meter)
    }

    /// A sampler of which only the candidates are used; see [`Sampler::with_alternatives`].
    ///
    /// # Errors
    /// If nothing fits the budget, or it was told to stop.
    pub fn with_alternatives(&self, meter: &Meter<'_>) -> Result<Sampler, GaveUp> {
        Sampler::with_alternatives(&self.problem, meter)
    }

    /// A sampler for the predealt lengths alone: every deal that the script's predeal allows.
    ///
    /// # Errors
    /// If the tables would be too large.
    pub fn universe(&self, plan: &Plan) -> Result<Sampler, GaveUp> {
        Analysis::universe_of(plan)
    }

    /// The same without an analysis of the condition.
    pub(crate) fn universe_of(plan: &Plan) -> Result<Sampler, GaveUp> {
        let mut problem = Problem::new();
        if problem.predeal(plan.predeal).is_ok() {
            insist_on_lengths(plan, &mut problem);
        }
        Sampler::new(&problem, Budget::patient())
    }

    /// The parts of the condition that a sampler covers, and those it leaves to the evaluator.
    #[must_use]
    pub fn split(&self, sampler: &Sampler) -> (Vec<NodeId>, Vec<NodeId>) {
        let covered = &sampler.covered()[self.lengths..];
        let (yes, no): (Vec<_>, Vec<_>) = self
            .parts
            .iter()
            .zip(covered)
            .partition(|(_, covered)| **covered);
        let nodes = |list: Vec<(&NodeId, &bool)>| list.into_iter().map(|(part, _)| *part).collect();
        (nodes(yes), nodes(no))
    }

    /// The exact probability of what a sampler covers, relative to the script's predeal.
    #[must_use]
    pub fn probability(&self, plan: &Plan, sampler: &Sampler) -> Option<Count> {
        if !self.has_lengths() {
            return Some(sampler.count());
        }
        let universe = self.universe(plan).ok()?;
        Count::among(sampler.deals(), universe.deals())
    }

    /// The requirements and one more: that an expression has a value that `wanted` accepts. None if the
    /// sampler does not know the expression.
    #[must_use]
    pub fn with_value(
        &self,
        plan: &Plan,
        node: NodeId,
        wanted: impl Fn(i32) -> bool + Send + Sync + 'static,
    ) -> Option<Problem> {
        self.add_value(plan, &self.problem, node, wanted)
    }

    /// The same on top of other requirements of this script.
    pub(crate) fn add_value(
        &self,
        plan: &Plan,
        problem: &Problem,
        node: NodeId,
        wanted: impl Fn(i32) -> bool + Send + Sync + 'static,
    ) -> Option<Problem> {
        let options = Options::default();
        let prepared = Prepared::new(plan, &options);
        let mut problem = problem.clone();
        let mut reader = Reader::new(&prepared, &mut problem).knowing(self.metrics);
        let formula = reader.test(node, wanted)?;
        problem.require(formula);
        Some(problem)
    }
}

/// Whether the condition asks a built-in metric of which anything is known before a deal is dealt.
pub(crate) fn knows_a_metric(plan: &Plan) -> bool {
    let options = Options::default();
    let prepared = Prepared::new(plan, &options);
    metric::are_known(&prepared) && metric::is_asked(plan)
}

/// Insists on the lengths that the script fixes, which no expression of the plan tests; gives their number.
fn insist_on_lengths(plan: &Plan, problem: &mut Problem) -> usize {
    let mut count = 0;
    for seat in Seat::ALL {
        for suit in Suit::ALL {
            if let Some(length) = plan.lengths[seat][suit] {
                let cards = problem.length(seat, suit);
                problem.insist(Formula::between(cards, length.into(), length.into()));
                count += 1;
            }
        }
    }
    count
}

/// Whether a node is a plain number.
fn constant(plan: &Plan, node: NodeId) -> Option<i32> {
    match plan.node(node) {
        Node::Constant(value) => Some(*value),
        _ => None,
    }
}
