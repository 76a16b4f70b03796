//! Where `usereval` gets its values: the built-in metrics, or whatever the caller supplies.

use cards::{Deal, Seat, Side, Strain};
use script::plan::{Counter, Mode, Plan, Who};
use valuation::metrics::{self, MetricError, Slots};
use valuation::{CountTables, PointTable};

/// One `usereval(tag, who, [strain,] index)`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct UserQuery {
    /// Which evaluation.
    pub tag: i32,
    /// About whom.
    pub who: Who,
    /// In which strain, if one was named.
    pub strain: Option<Strain>,
    /// Which of its results.
    pub index: i32,
}

impl UserQuery {
    /// Results that one evaluation of a side gives.
    pub const RESULTS: usize = 128;

    /// The side whose hands are evaluated.
    #[must_use]
    pub fn side(&self) -> Side {
        match self.who {
            Who::Side(side) => side,
            Who::Seat(seat) => seat.side(),
        }
    }

    /// Where the result stands among the 128 of the side: the four forms of the function have a region each.
    #[must_use]
    pub fn slot(&self) -> Option<usize> {
        let suit = self.strain.map(|strain| strain.index() as i64);
        let index = i64::from(self.index);
        let slot = match (self.who, suit) {
            (Who::Side(_), None) => index,
            (Who::Side(_), Some(suit)) => 32 + 8 * suit + index,
            (Who::Seat(seat), None) => 64 + 16 * second(seat) + index,
            (Who::Seat(seat), Some(suit)) => 96 + 16 * second(seat) + 4 * suit + index,
        };
        usize::try_from(slot)
            .ok()
            .filter(|&slot| index >= 0 && slot < UserQuery::RESULTS)
    }
}

/// North and East are the first hands of their sides, South and West the second.
fn second(seat: Seat) -> i64 {
    i64::from(matches!(seat, Seat::South | Seat::West))
}

/// Evaluates deals for one thread.
pub trait UserEvaluator {
    /// The value, or why there is none.
    fn evaluate(&mut self, query: &UserQuery, deal: &Deal) -> Result<i32, String>;
}

/// Makes an evaluator for each thread of a run.
pub trait UserEvaluation: Sync {
    /// An evaluator of its own for the calling thread.
    fn evaluator(&self) -> Box<dyn UserEvaluator + '_>;
}

/// The metrics of the crate `valuation`, by their numbers.
#[derive(Clone, Copy, Debug)]
pub struct BuiltInMetrics {
    /// The count tables of the script.
    pub tables: CountTables,
    /// Whether an unknown number is answered as DealerV2's server does, or refused.
    pub answer_unknown: bool,
}

impl BuiltInMetrics {
    /// The metrics as a plan sees them.
    #[must_use]
    pub fn of(plan: &Plan) -> Self {
        let table = |counter| PointTable::from_ranks(*plan.counter(counter));
        let tables = CountTables {
            hcp: table(Counter::Hcp),
            counts: std::array::from_fn(|n| table(Counter::Pt(n as u8))),
        };
        BuiltInMetrics {
            tables,
            answer_unknown: plan.mode == Mode::V2,
        }
    }

    fn slots(&self, tag: i32, deal: &Deal, side: Side) -> Result<Slots, String> {
        match metrics::evaluate_with(tag, deal, side, &self.tables) {
            Err(MetricError::Unknown(_)) if self.answer_unknown => Ok(metrics::unknown_tag(deal)),
            result => result.map_err(|error| format!("usereval: {error}")),
        }
    }
}

impl UserEvaluation for BuiltInMetrics {
    fn evaluator(&self) -> Box<dyn UserEvaluator + '_> {
        Box::new(MetricEvaluator {
            metrics: self,
            last: None,
        })
    }
}

/// Remembers the last evaluation: scripts ask for several results of the same one.
struct MetricEvaluator<'a> {
    metrics: &'a BuiltInMetrics,
    last: Option<((i32, Side, Deal), Slots)>,
}

impl UserEvaluator for MetricEvaluator<'_> {
    fn evaluate(&mut self, query: &UserQuery, deal: &Deal) -> Result<i32, String> {
        let slot = query
            .slot()
            .ok_or_else(|| format!("usereval: result {} is out of range", query.index))?;
        let question = (query.tag, query.side(), *deal);
        let slots = match &self.last {
            Some((known, slots)) if *known == question => *slots,
            _ => self.metrics.slots(query.tag, deal, query.side())?,
        };
        self.last = Some((question, slots));
        Ok(slots.values()[slot])
    }
}
