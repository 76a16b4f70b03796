//! Questions that need no run: how often, and whether this deal.

use cards::{Deal, TrickTable};
use engine::{DealFacts, EvaluationError, ExactTallies, Machine, NoRandom, Prepared, Program};
use script::plan::NodeId;

use crate::error::Error;
use crate::session::Session;

/// How often the condition of a script holds, and its tables without sampling error.
#[derive(Clone, Debug)]
pub struct Chances {
    /// The probability: exact, or a bound and an estimate.
    pub condition: engine::Chances,
    /// The averages and frequency tables that could be counted out.
    pub tables: ExactTallies,
}

impl Session {
    /// How often the condition holds: counted out where that can be done, else tried on `samples` deals. Averages and
    /// tables are counted out if each takes no longer than `patience` (nanoseconds, roughly).
    ///
    /// # Errors
    /// If no deal can be made, or an expression fails on one.
    pub fn chances(&self, samples: u64, patience: f64) -> Result<Chances, Error> {
        let key = &self.settings.seed.key;
        let condition = engine::chances(self.plan(), &self.evaluation(), key, samples)
            .map_err(|error| Error::Supply(error.to_string()))?;
        let tables = match condition.is_exact() {
            true => ExactTallies::new(self.plan(), patience),
            false => ExactTallies::default(),
        };
        Ok(Chances { condition, tables })
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
