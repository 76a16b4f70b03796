//! Pareto fronts: for every strategy of declarer that no other strategy dominates, the worlds in which it wins.

use crate::world_set::WorldSet;

/// Maximum number of sets in a front. A larger front keeps the sets of the greatest weight, so that its value is a lower
/// bound.
const MAX_SETS: usize = 2000;

/// Sets of worlds of which none contains another.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Front(Vec<WorldSet>);

impl Front {
    /// A front without a strategy. [`Front::add`] must follow.
    pub(crate) const NONE: Front = Front(Vec::new());

    /// Returns the front of a single strategy.
    pub(crate) fn of(set: WorldSet) -> Front {
        Front(vec![set])
    }

    /// Adds a strategy, unless another one wins in all its worlds.
    pub(crate) fn insert(&mut self, set: WorldSet) {
        if self.0.iter().any(|other| set.is_subset_of(*other)) {
            return;
        }
        self.0.retain(|other| !other.is_subset_of(set));
        self.0.push(set);
    }

    /// Adds all strategies of another front: declarer may choose one of either.
    pub(crate) fn add(&mut self, other: &Front, weights: &[f64]) {
        for &set in &other.0 {
            self.insert(set);
        }
        self.limit(weights);
    }

    /// Combines this front with that of a card of the defence that is possible in `worlds`. Declarer sees the card and
    /// chooses a strategy for it. In each of these worlds the defence may play the card, so declarer must win after it.
    pub(crate) fn join(&mut self, worlds: WorldSet, other: &Front, weights: &[f64]) {
        let mut joined = Front::NONE;
        for &set in &self.0 {
            for &answer in &other.0 {
                joined.insert(set.minus(worlds.minus(answer)));
            }
        }
        joined.limit(weights);
        *self = joined;
    }

    /// Returns whether some strategy wins in all of `worlds`.
    pub(crate) fn covers(&self, worlds: WorldSet) -> bool {
        self.0.iter().any(|set| worlds.is_subset_of(*set))
    }

    /// Returns whether no strategy wins in any world.
    pub(crate) fn is_hopeless(&self) -> bool {
        self.0.iter().all(|set| set.is_empty())
    }

    /// Returns the set of the greatest weight, and its weight.
    pub(crate) fn best(&self, weights: &[f64]) -> (WorldSet, f64) {
        let mut best = (WorldSet::EMPTY, 0.0);
        for &set in &self.0 {
            let weight = weight(set, weights);
            if weight > best.1 || weight == best.1 && set > best.0 {
                best = (set, weight);
            }
        }
        best
    }

    fn limit(&mut self, weights: &[f64]) {
        if self.0.len() > MAX_SETS {
            self.0.sort_by(|a, b| {
                let order = weight(*b, weights).total_cmp(&weight(*a, weights));
                order.then(b.cmp(a))
            });
            self.0.truncate(MAX_SETS);
        }
    }
}

/// Returns the weight of a set of worlds.
pub(crate) fn weight(set: WorldSet, weights: &[f64]) -> f64 {
    set.iter().fold(0.0, |sum, world| sum + weights[world])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(worlds: &[usize]) -> WorldSet {
        worlds.iter().copied().collect()
    }

    #[test]
    fn dominated_strategies_are_dropped() {
        let mut front = Front::of(set(&[0, 1]));
        front.insert(set(&[1]));
        front.insert(set(&[2]));
        assert_eq!(front, Front(vec![set(&[0, 1]), set(&[2])]));
        front.insert(set(&[0, 1, 2]));
        assert_eq!(front, Front::of(set(&[0, 1, 2])));
    }

    #[test]
    fn declarer_chooses_an_answer_to_each_card_of_the_defence() {
        // Worlds 0 and 1 can play the first card, worlds 1 and 2 the second one.
        let mut front = Front::of(set(&[0, 1, 2]));
        let weights = [1.0; 3];
        let mut first = Front::of(set(&[0]));
        first.insert(set(&[1]));
        front.join(set(&[0, 1]), &first, &weights);
        front.join(set(&[1, 2]), &Front::of(set(&[1, 2])), &weights);
        assert!(front.covers(set(&[0, 2])) && front.covers(set(&[1, 2])));
        assert!(!front.covers(set(&[0, 1])));
        assert_eq!(front.best(&[1.0, 3.0, 1.0]).1, 4.0);
    }
}
