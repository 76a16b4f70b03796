//! Queries without a run: the probability of the condition, and whether it accepts a deal.

use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use cards::{Deal, TrickTable};
use engine::{
    ChancesError, DealFacts, EvaluationError, ExactTallies, Machine, NoRandom, Options,
    PreparedPlan, Program, TimeLimit,
};
use script::plan::NodeId;

use crate::error::{Error, SupplyError};
use crate::execution::ExecutionOptions;
use crate::session::Session;

/// The probability of a script's condition, and its tables without sampling error.
#[derive(Clone, Debug)]
pub struct ScriptProbability {
    /// The probability: exact, or a bound and an estimate.
    pub condition: engine::Probability,
    /// The averages and frequency tables that could be counted exactly.
    pub tables: ExactTallies,
    /// Whether the time limit was reached before everything countable was counted.
    pub cut_short: bool,
}

/// The time limit of a query and its start.
struct Time<'a> {
    execution: &'a ExecutionOptions,
    started: Option<Instant>,
    limit: Option<Duration>,
}

impl Time<'_> {
    fn start(execution: &ExecutionOptions) -> Time<'_> {
        Time {
            execution,
            started: execution.clock.then(Instant::now),
            limit: execution.time_limit.filter(|_| execution.clock),
        }
    }

    /// Returns the rest of the time limit, if there is one.
    fn left(&self) -> Option<Duration> {
        let spent = self.started.map(|started| started.elapsed());
        let limit = self.limit?;
        Some(limit.saturating_sub(spent.unwrap_or_default()))
    }

    /// Returns whether the caller cancelled the query.
    fn stopped(&self) -> bool {
        self.execution.cancel.load(Ordering::Relaxed)
    }
}

/// The fraction of the time limit for exact counting; the rest is for an estimate if counting does not finish.
const COUNTING: f64 = 0.6;

impl Session {
    /// Returns the probability of the condition: counted if possible, else estimated on `samples` deals. Averages and tables are
    /// counted if each takes at most `table_nanoseconds` (estimated).
    ///
    /// With a time limit, a condition that cannot be counted within most of it is estimated instead, on as many deals
    /// as the time allows.
    ///
    /// # Errors
    /// If no deal can be made, an expression fails on one, or the caller cancels.
    pub fn chances(
        &self,
        samples: u64,
        table_nanoseconds: f64,
    ) -> Result<ScriptProbability, Error> {
        self.check_robots()?;
        let time = Time::start(&self.execution);
        let (condition, late) = self.condition(samples, &time)?;
        let end = || time.stopped() || time.left() == Some(Duration::ZERO);
        let plan = self.plan();
        let tables = match condition.is_exact() {
            true => ExactTallies::until(plan, table_nanoseconds, &end),
            false => ExactTallies::none(plan),
        };
        Ok(ScriptProbability {
            cut_short: late || end(),
            condition,
            tables,
        })
    }

    /// Returns the probability of the condition alone.
    ///
    /// # Errors
    /// As [`chances`](Self::chances).
    pub fn probability(&self, samples: u64) -> Result<engine::Probability, Error> {
        self.check_robots()?;
        let time = Time::start(&self.execution);
        Ok(self.condition(samples, &time)?.0)
    }

    /// Returns the probability of the condition, and whether the time was too short to count it.
    fn condition(
        &self,
        samples: u64,
        time: &Time<'_>,
    ) -> Result<(engine::Probability, bool), Error> {
        let within = |limit: Option<Duration>| Options {
            cancel: Some(&self.execution.cancel),
            time_limit: limit.map(TimeLimit::Always),
            ..self.evaluation()
        };
        let (plan, key) = (self.plan(), &self.settings.seed.key);
        let counting = within(time.limit.map(|limit| limit.mul_f64(COUNTING)));
        let counted = engine::chances(plan, &counting, key, samples);
        let late = counted == Err(ChancesError::Stopped) && !time.stopped();
        let condition = match late {
            true => engine::estimated(plan, &within(time.left()), key, samples),
            false => counted,
        };
        let condition = condition.map_err(SupplyError::Chances)?;
        Ok((condition, late))
    }

    /// Returns the exact probability of the condition, if counting takes little work.
    #[must_use]
    pub fn counted(&self) -> Option<engine::Count> {
        engine::mixture::counted(self.plan())
    }

    /// Calls `work` with an evaluator that tests any number of deals.
    pub fn test_deals<T>(&self, ask: impl FnOnce(&mut ConditionTester<'_>) -> T) -> T {
        let options = self.evaluation();
        let prepared = PreparedPlan::new(self.plan(), &options);
        let program = Program::new(self.plan(), self.plan().condition);
        ask(&mut ConditionTester {
            condition: self.plan().condition,
            machine: Machine::new(&prepared, &program),
            tested: 0,
            accepted: 0,
        })
    }
}

/// Tests whether deals satisfy the condition of a script.
pub struct ConditionTester<'a> {
    condition: Option<NodeId>,
    machine: Machine<'a>,
    tested: u64,
    accepted: u64,
}

impl ConditionTester<'_> {
    /// Returns whether the deal satisfies the condition. Random numbers are all 0.
    ///
    /// # Errors
    /// If an expression fails on the deal.
    pub fn accepts(
        &mut self,
        deal: &Deal,
        tricks: Option<TrickTable>,
    ) -> Result<bool, EvaluationError> {
        let facts = tricks.map_or_else(DealFacts::new, DealFacts::with_tricks);
        self.machine
            .set_deal(*deal, facts, self.tested, self.accepted);
        self.tested += 1;
        let accepted = match self.condition {
            None => true,
            Some(condition) => self.machine.evaluate(condition, &mut NoRandom)? != 0,
        };
        self.accepted += u64::from(accepted);
        Ok(accepted)
    }
}
