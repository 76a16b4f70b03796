//! Sets of worlds. A world is one layout of the defenders' cards.

/// Maximum number of worlds of one search.
pub const MAX_WORLDS: usize = 256;

const WORDS: usize = MAX_WORLDS / 64;

/// A set of worlds, by their numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct WorldSet([u64; WORDS]);

impl WorldSet {
    pub(crate) const EMPTY: WorldSet = WorldSet([0; WORDS]);

    pub(crate) fn insert(&mut self, world: usize) {
        self.0[world / 64] |= 1 << (world % 64);
    }

    pub(crate) fn contains(self, world: usize) -> bool {
        self.0[world / 64] >> (world % 64) & 1 != 0
    }

    pub(crate) fn len(self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }

    pub(crate) fn is_empty(self) -> bool {
        self == WorldSet::EMPTY
    }

    pub(crate) fn is_subset_of(self, other: WorldSet) -> bool {
        self.minus(other).is_empty()
    }

    pub(crate) fn minus(self, other: WorldSet) -> WorldSet {
        let mut words = self.0;
        for (word, other) in words.iter_mut().zip(other.0) {
            *word &= !other;
        }
        WorldSet(words)
    }

    /// Returns the worlds, the lowest number first.
    pub(crate) fn iter(self) -> impl Iterator<Item = usize> {
        (0..MAX_WORLDS).filter(move |&world| self.contains(world))
    }
}

impl FromIterator<usize> for WorldSet {
    fn from_iter<I: IntoIterator<Item = usize>>(worlds: I) -> WorldSet {
        let mut set = WorldSet::EMPTY;
        for world in worlds {
            set.insert(world);
        }
        set
    }
}
