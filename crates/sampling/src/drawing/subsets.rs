//! Numbered subsets: the i-th set of k out of n cards.

use std::sync::LazyLock;

use shuffle::RandomWords;

use crate::binomial::choose;

/// The divisions of `k` cards between the lowest thirteen positions and the rest, the most frequent first.
#[derive(Clone, Copy, Debug)]
struct Splits {
    /// Number of sets before each division but the first. No number reaches the entries after the last.
    later: [u64; 16],
    /// The division of the first number of each of 64 intervals of `2^shift` numbers.
    guide: [u8; GUIDE],
    shift: u8,
    /// Cards among the lowest thirteen positions, and the ways to choose them.
    low: [u8; 16],
    low_ways: [u16; 16],
    /// Number of all sets.
    ways: u64,
}

impl Splits {
    /// Returns the division of set number `number`. Few intervals contain more than one, so the first is mostly right.
    #[inline(always)]
    fn way_of(&self, number: u64) -> usize {
        let mut way = usize::from(self.guide[(number >> self.shift) as usize % GUIDE]);
        while self.later[way % 16] <= number {
            way += 1;
        }
        way % 16
    }

    /// Returns the number of card sets in the divisions before division `way`.
    #[inline(always)]
    fn before(&self, way: usize) -> u64 {
        match way {
            0 => 0,
            _ => self.later[way - 1],
        }
    }
}

/// First index and number of the subsets of one size.
#[derive(Clone, Copy, Debug, Default)]
struct Small {
    first: u16,
    count: u16,
}

/// Tables for numbering the subsets of up to 39 positions.
pub(crate) struct Subsets {
    /// All subsets of 0..n for n up to 13, by n, then by size. There are 2^14 - 1, so an index masked to 14 bits needs
    /// no bounds check.
    sets: Box<[u16; 1 << 14]>,
    /// The first subset and the number of subsets of k of n positions, by 16 n + k.
    small: [Small; 256],
    /// The divisions for n from 14 to 39 and each k.
    splits: Vec<Splits>,
}

const GUIDE: usize = 64;
const CHUNK: usize = 13;
const LARGEST: usize = 39;

static SUBSETS: LazyLock<Subsets> = LazyLock::new(Subsets::new);
impl Subsets {
    /// Returns the shared tables, built on first use.
    pub(crate) fn shared() -> &'static Subsets {
        &SUBSETS
    }

    fn new() -> Subsets {
        let mut sets = Box::new([0; 1 << 14]);
        let mut small = [Small::default(); 256];
        let mut first = 0;
        for n in 0..=CHUNK {
            for k in 0..=n {
                let mut count = 0;
                for set in (0..1u16 << n).filter(|set| set.count_ones() as usize == k) {
                    sets[first + count] = set;
                    count += 1;
                }
                small[16 * n + k] = Small {
                    first: first as u16,
                    count: count as u16,
                };
                first += count;
            }
        }
        let splits = (CHUNK + 1..=LARGEST)
            .flat_map(|n| (0..=LARGEST).map(move |k| splits(n, k)))
            .collect();
        Subsets {
            sets,
            small,
            splits,
        }
    }

    /// Returns subset number `index` (below `choose(n, k)`) of size `k` of the positions 0..`n`; `n` at most 39.
    #[inline(always)]
    pub(crate) fn get(&self, n: usize, k: usize, mut index: u64) -> u64 {
        let (mut n, mut k, mut shift, mut set) = (n, k, 0, 0u64);
        while n > CHUNK {
            let splits = self.splits(n, k);
            let way = splits.way_of(index);
            let (low, low_ways) = (splits.low[way], u64::from(splits.low_ways[way]));
            index -= splits.before(way);
            let low = usize::from(low);
            set |= self.small(CHUNK, low, index % low_ways) << shift;
            index /= low_ways;
            n -= CHUNK;
            k -= low;
            shift += CHUNK;
        }
        set | self.small(n, k, index) << shift
    }

    /// Draws `k` of the positions 0..`n`, every set equally likely.
    #[inline(always)]
    pub(crate) fn some(&self, words: &mut impl RandomWords, n: usize, k: usize) -> u64 {
        let (mut n, mut k, mut shift, mut set) = (n, k, 0, 0u64);
        while n > CHUNK {
            let splits = self.splits(n, k);
            let low = usize::from(splits.low[splits.way_of(words.below(splits.ways))]);
            // The rest of the number could select the positions too, but a new word is cheaper than a division.
            set |= self.some_small(words, CHUNK, low) << shift;
            n -= CHUNK;
            k -= low;
            shift += CHUNK;
        }
        set | self.some_small(words, n, k) << shift
    }

    /// Returns the number of random words that [`Subsets::some`] takes, unless one is rejected.
    pub(crate) fn words(n: usize) -> usize {
        2 * (n.saturating_sub(1) / CHUNK) + 1
    }

    #[inline(always)]
    fn splits(&self, n: usize, k: usize) -> &Splits {
        &self.splits[(n - CHUNK - 1) * (LARGEST + 1) + k]
    }

    /// Returns subset number `index` of `k` of the positions 0..`n`; `n` at most 13.
    #[inline(always)]
    pub(crate) fn small(&self, n: usize, k: usize, index: u64) -> u64 {
        let place = self.small[(16 * n + k) & 255];
        self.set(place, index)
    }

    #[inline(always)]
    fn some_small(&self, words: &mut impl RandomWords, n: usize, k: usize) -> u64 {
        let place = self.small[(16 * n + k) & 255];
        self.set(place, words.below(u64::from(place.count)))
    }

    #[inline(always)]
    fn set(&self, place: Small, index: u64) -> u64 {
        u64::from(self.sets[(usize::from(place.first) + index as usize) & 0x3fff])
    }
}

fn splits(n: usize, k: usize) -> Splits {
    let weight = |low: usize| choose(CHUNK, low) * choose(n - CHUNK, k - low);
    let mut list: Vec<usize> = (0..=k.min(CHUNK)).filter(|&low| weight(low) > 0).collect();
    list.sort_by_key(|&low| std::cmp::Reverse(weight(low)));
    let mut splits = Splits {
        later: [u64::MAX; 16],
        guide: [0; GUIDE],
        shift: (u64::BITS - choose(n, k).leading_zeros()).saturating_sub(GUIDE.ilog2()) as u8,
        low: [0; 16],
        low_ways: [1; 16],
        ways: choose(n, k),
    };
    let mut start = 0;
    for (place, low) in list.into_iter().enumerate() {
        if place > 0 {
            splits.later[place - 1] = start;
        }
        splits.low[place] = low as u8;
        splits.low_ways[place] = choose(CHUNK, low) as u16;
        start += weight(low);
    }
    for stretch in 1..GUIDE {
        // The numbers increase, so the search continues from the last division.
        splits.guide[stretch] = splits.guide[stretch - 1];
        splits.guide[stretch] = splits.way_of((stretch as u64) << splits.shift) as u8;
    }
    splits
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_subset_has_one_number() {
        for (n, k) in [
            (0, 0),
            (5, 2),
            (13, 13),
            (14, 7),
            (16, 3),
            (20, 10),
            (29, 2),
        ] {
            let sets: std::collections::HashSet<u64> = (0..choose(n, k))
                .map(|index| Subsets::shared().get(n, k, index))
                .inspect(|set| {
                    assert_eq!(set.count_ones() as usize, k);
                    assert_eq!(set >> n, 0);
                })
                .collect();
            assert_eq!(sets.len() as u64, choose(n, k));
        }
        let last = choose(39, 13) - 1;
        assert_eq!(Subsets::shared().get(39, 13, last).count_ones(), 13);
    }
}
