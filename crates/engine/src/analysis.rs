//! Translates the condition of a script into requirements of the exact sampler.
//!
//! The condition is split at its top-level `and`. A part that the sampler can express becomes part of a
//! [`sampling::Problem`]. Other parts are left out, which only makes the requirement weaker. The run evaluates the
//! whole condition on every deal from the sampler, so the result never depends on how many parts were translated.
//! Predealt cards and lengths are not part of the condition and are not evaluated: every sampler covers them, or no
//! sampler is built.

mod expression;
mod formula;
mod linear;
mod local;
mod metric;

use cards::{Seat, Suit};
use sampling::{Budget, CostMeter, Count, Formula, Problem, Sampler, SetupError};
use script::plan::{Node, NodeId, Plan};
use usermetrics::UserMetrics;

use crate::outcome::Options;
use crate::prepared::PreparedPlan;
pub(crate) use expression::Expression;
use formula::Reader;

/// Maximum number of parts of a condition. Analysing more would take too long.
const MAX_PARTS: usize = 1000;

/// A condition translated for the sampler.
pub struct Analysis {
    problem: Problem,
    /// The parts of the condition in the order in which the problem requires them.
    parts: Vec<NodeId>,
    /// Requirements before the parts: the lengths that are predealt.
    lengths: usize,
    /// Reason why the sampler must not be used at all, if there is one.
    refusal: Option<&'static str>,
    /// How far the analysis may rely on the built-in metrics.
    metrics: MetricKnowledge,
}

/// How far the analysis may rely on the values of metrics in a condition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MetricKnowledge {
    /// Not at all: the metrics may be user-defined.
    Unknown,
    /// One number per hand for each metric. The tables stay small, and few of the sampled deals fail the exact test.
    Coarse,
    /// Every number that can be counted.
    Exact,
}

impl Analysis {
    /// Analyses the condition and the predeal of a plan. The source of its metrics is unknown, so they are tested on
    /// each deal.
    #[must_use]
    pub fn new(plan: &Plan) -> Analysis {
        Analysis::of(plan, MetricKnowledge::Unknown)
    }

    /// Analyses the condition for a run with these options, which determine where metrics come from.
    #[must_use]
    pub fn for_run(plan: &Plan, options: &Options<'_>) -> Analysis {
        let built_in = options.user_metrics.is_none_or(UserMetrics::is_built_in);
        match built_in {
            true => Analysis::of(plan, MetricKnowledge::Coarse),
            false => Analysis::new(plan),
        }
    }

    /// Analyses the condition for exact counting. Metrics of single hands are translated exactly; metrics of several
    /// hands are not, because their tables would be too large.
    #[must_use]
    pub fn counting(plan: &Plan, options: &Options<'_>) -> Analysis {
        let coarse = Analysis::for_run(plan, options);
        if coarse.metrics == MetricKnowledge::Coarse && uses_bounded_metric(plan) {
            let exact = Analysis::of(plan, MetricKnowledge::Exact);
            if exact.problem.is_about_one_hand() {
                return exact;
            }
        }
        coarse
    }

    /// Analyses the condition with the given reliance on metrics.
    pub(crate) fn of(plan: &Plan, metrics: MetricKnowledge) -> Analysis {
        let mut problem = Problem::new();
        let mut refusal = None;
        if problem.predeal(plan.predeal).is_err() {
            refusal = Some("the predealt cards do not fit");
        }
        let lengths = require_lengths(plan, &mut problem);
        let parts = crate::batch::conjuncts(&plan.nodes, plan.condition);
        if parts.iter().any(|&part| plan.facts_of(part).can_fail) {
            // Plain dealing could stop with an error on a deal that the sampler leaves out.
            refusal = Some("the condition contains a division that can fail");
        }
        if parts.len() > MAX_PARTS {
            refusal = Some("the condition has too many parts");
        }
        let options = Options::default();
        let prepared = PreparedPlan::new(plan, &options);
        let mut reader = Reader::new(&prepared, &mut problem).with_metrics(metrics);
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

    /// Returns the requirements.
    #[must_use]
    pub fn problem(&self) -> &Problem {
        &self.problem
    }

    /// Returns the reason why the sampler must not be used, if there is one.
    #[must_use]
    pub fn refusal(&self) -> Option<&'static str> {
        self.refusal
    }

    /// Returns whether the script fixes the lengths of suits.
    #[must_use]
    pub fn has_lengths(&self) -> bool {
        self.lengths > 0
    }

    /// Builds a sampler for as many parts of the condition as the budget allows.
    ///
    /// # Errors
    /// If nothing fits the budget.
    pub fn sampler(&self, budget: Budget) -> Result<Sampler, SetupError> {
        Sampler::new(&self.problem, budget)
    }

    /// Builds a sampler like [`sampler`](Self::sampler), limited by a meter that can be interrupted.
    ///
    /// # Errors
    /// If nothing fits the budget, or the meter was interrupted.
    pub fn metered(&self, meter: &CostMeter<'_>) -> Result<Sampler, SetupError> {
        Sampler::with_meter(&self.problem, meter)
    }

    /// Builds a sampler of which only the candidates are used; see [`Sampler::with_alternatives`].
    ///
    /// # Errors
    /// If nothing fits the budget, or the meter was interrupted.
    pub fn with_alternatives(&self, meter: &CostMeter<'_>) -> Result<Sampler, SetupError> {
        Sampler::with_alternatives(&self.problem, meter)
    }

    /// Builds a sampler for the predealt lengths alone: it draws from all deals that the script's predeal allows.
    ///
    /// # Errors
    /// If the tables would be too large.
    pub fn universe(&self, plan: &Plan) -> Result<Sampler, SetupError> {
        Analysis::universe_of(plan)
    }

    /// Builds the sampler of [`universe`](Self::universe) without analysing the condition.
    pub(crate) fn universe_of(plan: &Plan) -> Result<Sampler, SetupError> {
        let mut problem = Problem::new();
        if problem.predeal(plan.predeal).is_ok() {
            require_lengths(plan, &mut problem);
        }
        Sampler::new(&problem, Budget::large())
    }

    /// Returns the parts of the condition that a sampler covers, and the parts left to the evaluator.
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

    /// Returns the exact probability of the parts that a sampler covers, relative to the script's predeal.
    #[must_use]
    pub fn probability(&self, plan: &Plan, sampler: &Sampler) -> Option<Count> {
        if !self.has_lengths() {
            return Some(sampler.count());
        }
        let universe = self.universe(plan).ok()?;
        Count::among(sampler.deals(), universe.deals())
    }

    /// Returns the requirements plus one more: that `wanted` accepts the value of an expression. `None` if the sampler
    /// cannot express it.
    #[must_use]
    pub fn with_value(
        &self,
        plan: &Plan,
        node: NodeId,
        wanted: impl Fn(i32) -> bool + Send + Sync + 'static,
    ) -> Option<Problem> {
        self.add_value(plan, &self.problem, node, wanted)
    }

    /// Adds the requirement of [`with_value`](Self::with_value) to other requirements of this script.
    pub(crate) fn add_value(
        &self,
        plan: &Plan,
        problem: &Problem,
        node: NodeId,
        wanted: impl Fn(i32) -> bool + Send + Sync + 'static,
    ) -> Option<Problem> {
        let options = Options::default();
        let prepared = PreparedPlan::new(plan, &options);
        let mut problem = problem.clone();
        let mut reader = Reader::new(&prepared, &mut problem).with_metrics(self.metrics);
        let formula = reader.test(node, wanted)?;
        problem.require(formula);
        Some(problem)
    }
}

/// Returns whether the condition uses a built-in metric whose value can be bounded before dealing.
pub(crate) fn uses_bounded_metric(plan: &Plan) -> bool {
    let options = Options::default();
    let prepared = PreparedPlan::new(plan, &options);
    metric::are_known(&prepared) && metric::is_used(plan)
}

/// Requires the suit lengths that the script fixes, which no expression of the plan tests. Returns how many there are.
fn require_lengths(plan: &Plan, problem: &mut Problem) -> usize {
    let mut count = 0;
    for seat in Seat::ALL {
        for suit in Suit::ALL {
            if let Some(length) = plan.lengths[seat][suit] {
                let cards = problem.length(seat, suit);
                problem.require_covered(Formula::between(cards, length.into(), length.into()));
                count += 1;
            }
        }
    }
    count
}

/// Returns the value of a node that is a constant.
fn constant(plan: &Plan, node: NodeId) -> Option<i32> {
    match plan.node(node) {
        Node::Constant(value) => Some(*value),
        _ => None,
    }
}
