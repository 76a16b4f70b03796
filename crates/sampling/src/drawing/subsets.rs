//! Subsets by number: the i-th set of k out of n cards.

use std::sync::LazyLock;

use shuffle::Words;

use crate::binomial::choose;

/// One way to share `k` cards between the lowest thirteen positions and the rest.
#[derive(Clone, Copy, Debug)]
struct Split {
    weight: u64,
    low: u8,
    low_ways: u64,
}

/// Tables for numbering the subsets of up to 39 positions.
pub(crate) struct Subsets {
    /// All subsets of 0..n for n up to 13, by n, then by size.
    sets: Vec<u16>,
    first: [[u16; 14]; 14],
    /// For n of 14 to 39 and each k, the splits, the most frequent first.
    splits: Vec<Vec<Split>>,
}

const CHUNK: usize = 13;
const LARGEST: usize = 39;

static SUBSETS: LazyLock<Subsets> = LazyLock::new(Subsets::new);
impl Subsets {
    /// The shared tables, built on first use.
    pub(crate) fn shared() -> &'static Subsets {
        &SUBSETS
    }

    fn new() -> Subsets {
        let mut sets = Vec::with_capacity(1 << 14);
        let mut first = [[0; 14]; 14];
        for (n, starts) in first.iter_mut().enumerate() {
            for (k, start) in starts.iter_mut().enumerate().take(n + 1) {
                *start = sets.len() as u16;
                sets.extend((0..1u16 << n).filter(|set| set.count_ones() as usize == k));
            }
        }
        let splits = (0..=LARGEST)
            .flat_map(|n| (0..=LARGEST).map(move |k| splits(n, k)))
            .collect();
        Subsets {
            sets,
            first,
            splits,
        }
    }

    /// Subset number `index` (below `choose(n, k)`) of size `k` of the positions 0..`n`, `n` at most 39.
    #[inline(always)]
    pub(crate) fn get(&self, n: usize, k: usize, mut index: u64) -> u64 {
        let (mut n, mut k, mut shift, mut set) = (n, k, 0, 0u64);
        while n > CHUNK {
            let mut chosen = Split {
                weight: 0,
                low: 0,
                low_ways: 1,
            };
            for split in &self.splits[n * (LARGEST + 1) + k] {
                chosen = *split;
                if index < split.weight {
                    break;
                }
                index -= split.weight;
            }
            let low = usize::from(chosen.low);
            set |= self.small(CHUNK, low, index % chosen.low_ways) << shift;
            index /= chosen.low_ways;
            n -= CHUNK;
            k -= low;
            shift += CHUNK;
        }
        set | self.small(n, k, index) << shift
    }

    /// Some `k` of the positions 0..`n`, every set equally likely.
    #[inline(always)]
    pub(crate) fn some(&self, words: &mut impl Words, n: usize, k: usize) -> u64 {
        let (mut n, mut k, mut shift, mut set) = (n, k, 0, 0u64);
        while n > CHUNK {
            let mut number = words.below(choose(n, k));
            let mut low = 0;
            for split in &self.splits[n * (LARGEST + 1) + k] {
                low = usize::from(split.low);
                if number < split.weight {
                    break;
                }
                number -= split.weight;
            }
            // What is left of the number would do for the positions too, but a fresh word is cheaper
            // than a division.
            set |= self.small(CHUNK, low, words.below(choose(CHUNK, low))) << shift;
            n -= CHUNK;
            k -= low;
            shift += CHUNK;
        }
        set | self.small(n, k, words.below(choose(n, k))) << shift
    }

    #[inline(always)]
    fn small(&self, n: usize, k: usize, index: u64) -> u64 {
        u64::from(self.sets[usize::from(self.first[n][k]) + index as usize])
    }
}

fn splits(n: usize, k: usize) -> Vec<Split> {
    if n <= CHUNK || k > n {
        return Vec::new();
    }
    let mut list: Vec<Split> = (0..=k.min(CHUNK))
        .map(|low| Split {
            weight: choose(CHUNK, low) * choose(n - CHUNK, k - low),
            low: low as u8,
            low_ways: choose(CHUNK, low),
        })
        .filter(|split| split.weight > 0)
        .collect();
    list.sort_by_key(|split| std::cmp::Reverse(split.weight));
    list
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
