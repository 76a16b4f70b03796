//! Questions that need no run: how often, and whether this deal.

use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use cards::{Deal, TrickTable};
use engine::{
    ChancesError, DealFacts, EvaluationError, ExactTallies, Machine, NoRandom, Options, Prepared,
    Program, TimeLimit,
};
use script::plan::NodeId;

use crate::error::Error;
use crate::job::Manner;
use crate::session::Session;

/// How often the condition of a script holds, and its tables without sampling error.
#[derive(Clone, Debug)]
pub struct Chances {
    /// The probability: exact, or a bound and an estimate.
    pub condition: engine::Chances,
    /// The averages and frequency tables that could be counted out.
    pub tables: ExactTallies,
    /// Whether the time was up before everything was counted that could have been.
    pub cut_short: bool,
}

/// How long a question may take, and since when it has.
struct Time<'a> {
    manner: &'a Manner,
    started: Option<Instant>,
    limit: Option<Duration>,
}

impl Time<'_> {
    fn start(manner: &Manner) -> Time<'_> {
        Time {
            manner,
            started: manner.clock.then(Instant::now),
            limit: manner.time_limit.filter(|_| manner.clock),
        }
    }

    /// What is left of the limit, if there is one.
    fn left(&self) -> Option<Duration> {
        let spent = self.started.map(|started| started.elapsed());
        let limit = self.limit?;
        Some(limit.saturating_sub(spent.unwrap_or_default()))
    }

    /// Whether the caller said stop.
    fn stopped(&self) -> bool {
        self.manner.cancel.load(Ordering::Relaxed)
    }
}

/// The part of the time that counting may take; what is left of it is for an estimate, should counting not end.
const COUNTING: f64 = 0.6;

impl Session {
    /// How often the condition holds: counted out where that can be done, else tried on `samples` deals. Averages and
    /// tables are counted out if each takes no longer than `patience` (nanoseconds, roughly).
    ///
    /// With a time limit, what cannot be counted within most of it is tried on deals instead, as many as there is time
    /// for.
    ///
    /// # Errors
    /// If no deal can be made, an expression fails on one, or the caller says stop.
    pub fn chances(&self, samples: u64, patience: f64) -> Result<Chances, Error> {
        let time = Time::start(&self.manner);
        let (condition, late) = self.condition(samples, &time)?;
        let end = || time.stopped() || time.left() == Some(Duration::ZERO);
        let plan = self.plan();
        let tables = match condition.is_exact() {
            true => ExactTallies::until(plan, patience, &end),
            false => ExactTallies::none(plan),
        };
        Ok(Chances {
            cut_short: late || end(),
            condition,
            tables,
        })
    }

    /// How often the condition holds, and nothing else.
    ///
    /// # Errors
    /// As [`chances`](Self::chances).
    pub fn probability(&self, samples: u64) -> Result<engine::Chances, Error> {
        let time = Time::start(&self.manner);
        Ok(self.condition(samples, &time)?.0)
    }

    /// The chances of the condition, and whether there was no time to count them.
    fn condition(&self, samples: u64, time: &Time<'_>) -> Result<(engine::Chances, bool), Error> {
        let within = |limit: Option<Duration>| Options {
            cancel: Some(&self.manner.cancel),
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
        let condition = condition.map_err(|error| Error::Supply(error.to_string()))?;
        Ok((condition, late))
    }

    /// How often the condition holds, if that can be counted with little work.
    #[must_use]
    pub fn counted(&self) -> Option<engine::Count> {
        engine::mixture::counted(self.plan())
    }

    /// Lets `ask` judge any number of deals by the condition.
    pub fn judge<T>(&self, ask: impl FnOnce(&mut Judge<'_>) -> T) -> T {
        let options = self.evaluation();
        let prepared = Prepared::new(self.plan(), &options);
        let program = Program::new(self.plan(), self.plan().condition);
        ask(&mut Judge {
            condition: self.plan().condition,
            machine: Machine::new(&prepared, &program),
            judged: 0,
            accepted: 0,
        })
    }
}

/// Says of deals whether they satisfy the condition of a script.
pub struct Judge<'a> {
    condition: Option<NodeId>,
    machine: Machine<'a>,
    judged: u64,
    accepted: u64,
}

impl Judge<'_> {
    /// Whether the deal satisfies the condition. Random numbers are all 0.
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
            .look_at(*deal, facts, self.judged, self.accepted);
        self.judged += 1;
        let accepted = match self.condition {
            None => true,
            Some(condition) => self.machine.evaluate(condition, &mut NoRandom)? != 0,
        };
        self.accepted += u64::from(accepted);
        Ok(accepted)
    }
}
