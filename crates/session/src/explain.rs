//! Explanations of a script: its requirements, how it is dealt, and why a deal was accepted.

use cards::{Deal, TrickTable};
use engine::{Analysis, Options, SampledSource, SamplerDecision, SamplerUse};
use script::plan::NodeId;
use serde::Serialize;
use shuffle::{FastDealer, Predeal};

use crate::error::{Error, SupplyError};
use crate::run::located;
use crate::session::Session;

/// The requirements of a script and how it would be dealt.
#[derive(Clone, Debug, Serialize)]
pub struct Explanation {
    /// The plan, as text.
    pub plan: String,
    /// How the deals would be made.
    pub dealing: Dealing,
    /// The pass rates of the parts of the condition; `None` without a condition.
    pub trial: Option<ClauseTrial>,
}

/// How deals are made.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Dealing {
    /// All deals are dealt and tested.
    Plain {
        /// The reason, for the user.
        reason: String,
    },
    /// The exact sampler makes only deals that satisfy a part of the condition.
    Sampled {
        /// The reason, for the user.
        reason: String,
        /// The parts of the condition that every deal satisfies.
        covered: Vec<String>,
        /// The parts that are still tested on each deal.
        tested: Vec<String>,
        /// The probability of the covered parts, in decimal digits.
        probability: String,
        /// The probability in per cent.
        percent: String,
    },
}

/// A short run that counts clause by clause, in deals dealt without regard to the condition.
#[derive(Clone, Debug, Serialize)]
pub struct ClauseTrial {
    /// Number of deals evaluated.
    pub deals: u64,
    /// Deals that satisfied all clauses.
    pub accepted: u64,
    /// The clauses in the order of evaluation.
    pub clauses: Vec<Clause>,
    /// The deal on which an expression failed, if one did; a run over these deals fails too.
    pub failure: Option<String>,
}

/// One clause of the condition.
#[derive(Clone, Debug, Serialize)]
pub struct Clause {
    /// The expression.
    pub expression: String,
    /// Deals that satisfied all earlier clauses.
    pub reached: u64,
    /// Deals of `reached` that satisfied this clause.
    pub passed: u64,
}

/// An expression and its value on one deal.
#[derive(Clone, Debug, Serialize)]
pub struct NamedValue {
    /// Name of the variable, or text of the expression.
    pub name: String,
    /// Value of the expression, or the reason why it has none.
    pub value: Result<i32, String>,
}

impl NamedValue {
    /// Returns whether the value is not 0, so that the expression holds as a condition.
    #[must_use]
    pub fn holds(&self) -> bool {
        self.value.as_ref().is_ok_and(|&value| value != 0)
    }
}

/// All values of a script on one deal.
#[derive(Clone, Debug, Serialize)]
pub struct DealExplanation {
    /// The script's variables, in order of definition.
    pub variables: Vec<NamedValue>,
    /// The clauses of the condition, each evaluated on its own.
    pub clauses: Vec<NamedValue>,
    /// Whether a run would produce the deal.
    pub accepted: bool,
}

impl DealExplanation {
    /// Returns the first clause that does not hold, from 1.
    #[must_use]
    pub fn rejected_by(&self) -> Option<usize> {
        let failed = self.clauses.iter().position(|clause| !clause.holds());
        failed.map(|place| place + 1)
    }
}

/// Maximum work of a trial run: about a second, in nanoseconds.
const EFFORT: u64 = 1_000_000_000;
/// Maximum number of deals of a trial run.
const TRIAL: u64 = 200_000;

impl Session {
    /// Returns the plan, the decision about the exact sampler, and a trial run.
    ///
    /// # Errors
    /// If nothing can be dealt.
    pub fn explain(&self) -> Result<Explanation, Error> {
        let plan = self.plan();
        let source = self.source(self.spec.supply.sampler().unwrap_or(SamplerUse::Off))?;
        let trial = match self.default_sample() {
            Some(deals) => Some(self.sample(deals)?),
            None => None,
        };
        Ok(Explanation {
            plan: plan.explain(),
            dealing: self.dealing(source.decision()),
            trial,
        })
    }

    fn dealing(&self, decision: &SamplerDecision) -> Dealing {
        let plan = self.plan();
        match decision {
            SamplerDecision::Plain { reason } => Dealing::Plain {
                reason: reason.clone(),
            },
            SamplerDecision::Sampled {
                sampler,
                probability,
                reason,
            } => {
                let (covered, tested) = Analysis::for_run(plan, &self.evaluation()).split(sampler);
                let texts = |nodes: Vec<NodeId>| {
                    nodes
                        .into_iter()
                        .map(|node| plan.expression(node))
                        .collect()
                };
                Dealing::Sampled {
                    reason: reason.clone(),
                    covered: texts(covered),
                    tested: texts(tested),
                    probability: probability.decimal(12, 0),
                    percent: probability.decimal(10, 2),
                }
            }
        }
    }

    /// Returns deals of croupier's generator, as this plan deals them.
    fn source(&self, usage: SamplerUse) -> Result<SampledSource, Error> {
        let plan = self.plan();
        let predeal = Predeal::new(plan.predeal).map_err(SupplyError::Predeal)?;
        let dealer = FastDealer::new(self.settings.seed.key, &predeal);
        let limits = self.settings.limits.counts();
        let source = SampledSource::new(plan, dealer, usage, limits)
            .map_err(SupplyError::PredealtLengths)?;
        Ok(source.with_user_metrics(self.execution.metrics.as_deref()))
    }

    /// Returns how many deals a trial run evaluates; 0 without a condition. The number follows from the script, not
    /// from the clock, so that the result is reproducible.
    fn default_sample(&self) -> Option<u64> {
        let plan = self.plan();
        let clauses = plan.clauses();
        let cost = |&clause: &NodeId| u64::from(plan.facts_of(clause).cost);
        let cost: u64 = clauses.iter().map(cost).sum();
        (!clauses.is_empty()).then(|| (EFFORT / cost.max(1)).clamp(100, TRIAL))
    }

    /// Counts how many of the first `deals` deals, dealt without regard to the condition, pass each part of it. If the
    /// job is cancelled, fewer deals are evaluated.
    ///
    /// # Errors
    /// If nothing can be dealt.
    pub fn sample(&self, deals: u64) -> Result<ClauseTrial, Error> {
        self.check_robots()?;
        let plan = self.plan();
        let source = self.source(SamplerUse::Off)?;
        let options = Options {
            cancel: Some(&self.execution.cancel),
            ..self.evaluation()
        };
        let sample = engine::sample_clauses(plan, &source, deals, &options)
            .map_err(|error| located(plan, error))?;
        let clause = |clause: &engine::ClauseCount| Clause {
            expression: plan.expression(clause.node),
            reached: clause.reached,
            passed: clause.passed,
        };
        Ok(ClauseTrial {
            deals: sample.deals,
            accepted: sample.accepted(),
            clauses: sample.clauses.iter().map(clause).collect(),
            failure: sample
                .failure
                .clone()
                .map(|error| located(plan, error).to_string()),
        })
    }

    /// Evaluates every variable and clause on one deal. Random numbers are all 0.
    #[must_use]
    pub fn explain_deal(&self, deal: &Deal, tricks: Option<TrickTable>) -> DealExplanation {
        let plan = self.plan();
        let options = Options {
            cancel: Some(&self.execution.cancel),
            ..self.evaluation()
        };
        let explained = engine::explain_deal(plan, deal, tricks, &options);
        let named = |name: String, evaluated: &engine::Evaluated| NamedValue {
            name,
            value: evaluated.value.clone().map_err(|error| error.to_string()),
        };
        let variables = plan.variables.iter().zip(&explained.variables);
        let clauses = explained.clauses.iter();
        DealExplanation {
            accepted: explained.is_accepted(),
            variables: variables
                .map(|(variable, value)| named(variable.name.clone(), value))
                .collect(),
            clauses: clauses
                .map(|value| named(plan.expression(value.node), value))
                .collect(),
        }
    }

    /// Returns the options for evaluating expressions.
    pub(crate) fn evaluation(&self) -> Options<'_> {
        Options {
            par_vulnerability: self.settings.par_vulnerability,
            opener: self.settings.opener,
            user_metrics: self.execution.metrics.as_deref(),
            auctions: self.settings.auctions(&self.execution),
            solver_memory: self.execution.solver_memory,
            ..Options::default()
        }
    }
}
