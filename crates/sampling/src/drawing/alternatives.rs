//! Disjunctions: one sampler for each alternative. A deal counts only for the first alternative that it satisfies.
//!
//! `a or b or c` may concern different suits of different hands. Tables for all of it at once are too large or
//! impossible, but each alternative alone is often simple. So an alternative is chosen with probability proportional to
//! its number of deals, a deal is drawn uniformly from it, and the deal is accepted only if no earlier alternative
//! contains it. Each deal of the union then has exactly one way to be accepted, and all ways are equally likely: the
//! accepted deals are uniform over the union. A rejected candidate counts as a deal that plain dealing would have
//! rejected.

use cards::Deal;
use shuffle::RandomWords;

use crate::binomial::arrangements;
use crate::count::{Count, CountUnit};
use crate::drawing::draws::below_wide;
use crate::problem::{Formula, Problem};
use crate::sampler::Sampler;
use crate::setup::budget::{CostMeter, SetupError};

/// Largest number of alternatives that are split.
const MAX_ALTERNATIVES: usize = 32;

/// The alternatives of a problem, with the number of deals of each.
pub(crate) struct Alternatives {
    parts: Vec<Part>,
    count: Count,
}

struct Part {
    problem: Problem,
    sampler: Sampler,
    /// Deals up to and including this alternative.
    end: u128,
}

impl Alternatives {
    /// Splits one condition of the problem, which must be a disjunction.
    pub(crate) fn new(
        problem: &Problem,
        conjunct: usize,
        meter: &CostMeter<'_>,
    ) -> Result<Alternatives, SetupError> {
        let Some(Formula::Any(list)) = problem.conjuncts.get(conjunct) else {
            return Err(SetupError::TooExpensive);
        };
        if list.len() > MAX_ALTERNATIVES {
            return Err(SetupError::TooExpensive);
        }
        let all = arrangements(problem.fixed.map(|hand| 13 - hand.len()));
        let mut parts = Vec::new();
        let mut end = 0u128;
        for (number, formula) in list.iter().enumerate() {
            let mut alone = problem.clone();
            alone.conjuncts[conjunct] = formula.clone();
            // Each of the remaining alternatives gets the same share, because all of them are needed.
            let share = meter.left() / (list.len() - number) as f64;
            let sampler = meter.strictly_at_most(share, || Sampler::with_meter(&alone, meter))?;
            end += sampler.deals();
            if end >= all {
                return Err(SetupError::TooExpensive);
            }
            if sampler.deals() > 0 {
                parts.push(Part {
                    problem: alone,
                    sampler,
                    end,
                });
            }
        }
        Ok(Alternatives {
            parts,
            count: Count::new(end, all, CountUnit::Deals),
        })
    }

    /// Returns the number of deals of all alternatives. A deal of several alternatives counts several times.
    pub(crate) fn count(&self) -> Count {
        self.count
    }

    /// Returns the memory of the tables, in bytes.
    pub(crate) fn bytes(&self) -> usize {
        self.parts.iter().map(|part| part.sampler.bytes()).sum()
    }

    /// Draws a candidate: a deal, or `None` if an earlier alternative contains it.
    pub(crate) fn candidate(&self, words: &mut impl RandomWords) -> Option<Deal> {
        let number = below_wide(words, self.count.hits());
        let place = self.parts.partition_point(|part| part.end <= number);
        let deal = self.parts[place].sampler.draw(words)?;
        let first = self
            .parts
            .iter()
            .position(|part| part.problem.accepts(&deal));
        (first == Some(place)).then_some(deal)
    }
}
