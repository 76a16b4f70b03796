//! Compress, hash and displace with the additive key: the scalar evaluator's table.
//!
//! Every rank has a constant such that the sums over the cards of a hand differ for all rank multisets of one size. The
//! low bits of the sum choose a bucket, the high bits a position in it, and the bucket's displacement shifts the
//! positions so that no two patterns share a slot: `slot = (key >> bits) + displacement[key & mask]`. No multiplication
//! is needed at run time.

use crate::reference::for_each_multiset;
pub use crate::tables::RANK_KEYS;

/// The largest sum of seven cards: four aces and three kings.
pub const LARGEST_KEY: u32 = 4 * RANK_KEYS[12] + 3 * RANK_KEYS[11];

/// Returns the key of a rank multiset.
#[must_use]
pub fn key_of(counts: &[u8; 13]) -> u32 {
    counts
        .iter()
        .zip(RANK_KEYS)
        .map(|(&count, key)| u32::from(count) * key)
        .sum()
}

/// Returns the keys of all rank multisets of `cards` cards, in enumeration order.
#[must_use]
pub fn keys(cards: u8) -> Vec<u32> {
    let mut keys = Vec::new();
    for_each_multiset(cards, 0, &mut |counts| keys.push(key_of(counts)));
    keys
}

/// Displacements for a set of keys.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Displacement {
    /// Number of low bits of the key that choose the bucket.
    pub bits: u32,
    /// The shift of every bucket.
    pub offsets: Vec<u16>,
    /// Number of slots.
    pub slots: usize,
}

impl Displacement {
    /// Places the buckets, largest first, each at the smallest shift that meets only free slots.
    ///
    /// `None` if a shift does not fit 16 bits.
    #[must_use]
    pub fn place(keys: &[u32], bits: u32) -> Option<Displacement> {
        let mut buckets = vec![Vec::new(); 1 << bits];
        for &key in keys {
            buckets[(key & ((1 << bits) - 1)) as usize].push((key >> bits) as usize);
        }
        let mut order: Vec<usize> = (0..buckets.len()).collect();
        order.sort_by_key(|&bucket| (std::cmp::Reverse(buckets[bucket].len()), bucket));
        let mut taken: Vec<bool> = Vec::new();
        let mut offsets = vec![0u16; buckets.len()];
        for bucket in order {
            let places = &buckets[bucket];
            let Some(&last) = places.iter().max() else {
                continue;
            };
            let is_free = |slot: usize| !taken.get(slot).copied().unwrap_or(false);
            let offset = (0..=u16::MAX).find(|&shift| {
                places
                    .iter()
                    .all(|place| is_free(place + usize::from(shift)))
            })?;
            offsets[bucket] = offset;
            let needed = last + usize::from(offset) + 1;
            if taken.len() < needed {
                taken.resize(needed, false);
            }
            for place in places {
                taken[place + usize::from(offset)] = true;
            }
        }
        Some(Displacement {
            bits,
            offsets,
            slots: taken.len(),
        })
    }

    /// Returns the slot of a key.
    #[must_use]
    pub fn slot(&self, key: u32) -> usize {
        let bucket = (key & ((1 << self.bits) - 1)) as usize;
        (key >> self.bits) as usize + usize::from(self.offsets[bucket])
    }
}
