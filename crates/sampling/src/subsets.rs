//! Subsets by number: the i-th set of k out of n cards, and laying such a set onto given cards.

use std::sync::LazyLock;

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
static DEPOSIT: LazyLock<Box<[[u8; 128]; 128]>> = LazyLock::new(deposit_table);

fn deposit_table() -> Box<[[u8; 128]; 128]> {
    let mut table = Box::new([[0; 128]; 128]);
    for (mask, row) in table.iter_mut().enumerate() {
        for (source, cell) in row.iter_mut().enumerate() {
            let places = (0..7).filter(|place| mask >> place & 1 == 1);
            *cell = places
                .enumerate()
                .filter(|(bit, _)| source >> bit & 1 == 1)
                .map(|(_, place)| 1 << place)
                .sum();
        }
    }
    table
}

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
    #[inline]
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

    #[inline]
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

/// Puts bit i of `source` at the i-th set bit of `mask`, suit by suit of a 52-bit set.
#[inline]
pub(crate) fn deposit(mut source: u64, mask: u64) -> u64 {
    let table = &**DEPOSIT;
    let mut result = 0;
    let mut shift = 0;
    while source != 0 && shift < 52 {
        // Thirteen bits as seven and six, so that one suit never straddles a table.
        for width in [7, 6] {
            let part = (mask >> shift) as usize & ((1 << width) - 1);
            result |= u64::from(table[part][source as usize & 127]) << shift;
            source >>= part.count_ones();
            shift += width;
        }
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    fn slow_deposit(source: u64, mask: u64) -> u64 {
        (0..52)
            .filter(|place| mask >> place & 1 == 1)
            .enumerate()
            .filter(|(bit, _)| source >> bit & 1 == 1)
            .map(|(_, place)| 1 << place)
            .sum()
    }

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

    proptest::proptest! {
        #[test]
        fn deposit_lays_bits_onto_the_mask(source: u64, mask in 0u64..1 << 52) {
            proptest::prop_assert_eq!(deposit(source, mask), slow_deposit(source, mask));
        }
    }
}
