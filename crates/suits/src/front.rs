//! Pareto fronts: the results of lines of play of which none is better than another in every world.

use crate::worlds::WorldSet;

/// A set of results none of which contains another.
///
/// A result has `levels` world sets: set `j` has the worlds in which declarer takes at least `j` tricks more than the
/// first number of tricks in question. The sets of a result are nested.
#[derive(Clone, Debug)]
pub(crate) struct Front<const W: usize> {
    levels: usize,
    sets: Vec<WorldSet<W>>,
}

impl<const W: usize> Front<W> {
    /// Creates an empty front of results with `levels` sets, at least one.
    pub(crate) fn new(levels: usize) -> Self {
        Front {
            levels,
            sets: Vec::new(),
        }
    }

    /// Creates a front of one result.
    pub(crate) fn of(result: Vec<WorldSet<W>>) -> Self {
        Front {
            levels: result.len(),
            sets: result,
        }
    }

    /// Creates a front from sets that already form an antichain.
    pub(crate) fn from_sets(levels: usize, sets: Vec<WorldSet<W>>) -> Self {
        Front { levels, sets }
    }

    pub(crate) fn len(&self) -> usize {
        self.sets.len() / self.levels
    }

    pub(crate) fn results(&self) -> impl Iterator<Item = &[WorldSet<W>]> {
        self.sets.chunks_exact(self.levels)
    }

    pub(crate) fn sets(&self) -> &[WorldSet<W>] {
        &self.sets
    }

    /// Adds a result unless one of the front contains it, and removes the results that it contains.
    pub(crate) fn add(&mut self, result: &[WorldSet<W>]) {
        let levels = self.levels;
        let mut place = 0;
        while place < self.sets.len() {
            let other = &self.sets[place..place + levels];
            let (mut smaller, mut larger) = (true, true);
            for (mine, theirs) in result.iter().zip(other) {
                smaller &= mine.is_subset(theirs);
                larger &= theirs.is_subset(mine);
                if !smaller && !larger {
                    break;
                }
            }
            if smaller {
                return;
            }
            if larger {
                let last = self.sets.len() - levels;
                self.sets.copy_within(last.., place);
                self.sets.truncate(last);
            } else {
                place += levels;
            }
        }
        self.sets.extend_from_slice(result);
    }

    /// Adds every result of `other`.
    pub(crate) fn merge(&mut self, other: &Front<W>) {
        if self.sets.is_empty() {
            self.sets.extend_from_slice(&other.sets);
            return;
        }
        for result in other.results() {
            self.add(result);
        }
    }

    /// Returns whether the front consists of `result` alone.
    pub(crate) fn is_only(&self, result: &[WorldSet<W>]) -> bool {
        self.sets == result
    }

    /// Returns for level `level` the worlds that some result wins.
    pub(crate) fn winnable(&self, level: usize) -> WorldSet<W> {
        self.results()
            .fold(WorldSet::EMPTY, |union, result| union | result[level])
    }

    /// Returns for level `level` the worlds that every result wins.
    pub(crate) fn certain(&self, level: usize) -> WorldSet<W> {
        let all = WorldSet([u64::MAX; W]);
        self.results()
            .fold(all, |common, result| common & result[level])
    }

    /// Applies `change` to every set.
    pub(crate) fn map(mut self, change: impl Fn(&WorldSet<W>) -> WorldSet<W>) -> Self {
        for set in &mut self.sets {
            *set = change(set);
        }
        self
    }
}
