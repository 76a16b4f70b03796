//! Disjunctions: one sampler for each alternative, and every deal counted with the first alternative that it satisfies.
//!
//! `a or b or c` may ask for different suits of different hands; tables that follow all of it at once are too large or
//! cannot follow it at all. But each alternative alone is often simple. So an alternative is chosen with probability
//! proportional to its number of deals, a deal is drawn uniformly from it, and the deal is taken only if no earlier
//! alternative has it too. Each deal of the union then has exactly one way to be taken, and all ways are equally likely:
//! the deals that are taken are uniform over the union. A candidate that is not taken counts as a deal that plain dealing
//! would have thrown away, with the probability that goes with it.

use cards::Deal;
use shuffle::Words;

use crate::binomial::arrangements;
use crate::count::{Count, Unit};
use crate::drawing::draws::below_wide;
use crate::problem::{Formula, Problem};
use crate::sampler::Sampler;
use crate::setup::budget::{GaveUp, Meter};

/// More alternatives than this are not split.
const MOST: usize = 32;

/// The alternatives of a problem with the deals of each.
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
        meter: &Meter<'_>,
    ) -> Result<Alternatives, GaveUp> {
        let Some(Formula::Any(list)) = problem.conjuncts.get(conjunct) else {
            return Err(GaveUp::TooExpensive);
        };
        if list.len() > MOST {
            return Err(GaveUp::TooExpensive);
        }
        let all = arrangements(problem.fixed.map(|hand| 13 - hand.len()));
        let mut parts = Vec::new();
        let mut end = 0u128;
        for (number, formula) in list.iter().enumerate() {
            let mut alone = problem.clone();
            alone.conjuncts[conjunct] = formula.clone();
            // The same amount for each of those that are left, since all are of no use without the last.
            let share = meter.left() / (list.len() - number) as f64;
            let sampler = meter.strictly_at_most(share, || Sampler::metered(&alone, meter))?;
            end += sampler.deals();
            if end >= all {
                return Err(GaveUp::TooExpensive);
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
            count: Count::new(end, all, Unit::Deals),
        })
    }

    /// The deals of all alternatives; those that several have are counted several times.
    pub(crate) fn count(&self) -> Count {
        self.count
    }

    /// Memory taken by the tables.
    pub(crate) fn bytes(&self) -> usize {
        self.parts.iter().map(|part| part.sampler.bytes()).sum()
    }

    /// A candidate: a deal, unless an earlier alternative has it too.
    pub(crate) fn candidate(&self, words: &mut impl Words) -> Option<Deal> {
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
