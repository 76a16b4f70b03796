//! Compress, hash and displace over plane keys: the textbook construction.
//!
//! The 39-bit key of the three planes is multiplied by an odd constant. The top bits of the product choose a bucket,
//! the low bits a position, and the bucket's displacement is added modulo the number of slots. It is built and tested
//! like the tables in use, which are faster: the product tables need no multiplication, the additive key no planes.

use crate::reference::for_each_multiset;

/// log2 of the number of buckets.
const BUCKET_BITS: u32 = 13;
/// log2 of the number of slots.
const SLOT_BITS: u32 = 17;
/// The first multiplier to try; the next ones are derived from it.
const FIRST_MULTIPLIER: u64 = 0x9E37_79B9_7F4A_7C15;

/// Returns the planes of a rank multiset as one key: `ones | twos << 13 | fours << 26`.
#[must_use]
pub fn plane_key(counts: &[u8; 13]) -> u64 {
    counts.iter().enumerate().fold(0, |key, (rank, &count)| {
        let count = u64::from(count);
        key | (count & 1) << rank | (count >> 1 & 1) << (13 + rank) | (count >> 2) << (26 + rank)
    })
}

/// Returns the plane keys of all rank multisets of `cards` cards.
#[must_use]
pub fn plane_keys(cards: u8) -> Vec<u64> {
    let mut keys = Vec::new();
    for_each_multiset(cards, 0, &mut |counts| keys.push(plane_key(counts)));
    keys
}

/// Returns the planes of a card mask as one key, by carry-save addition of the suits.
#[must_use]
pub fn plane_key_of_mask(mask: u64) -> u64 {
    const RANKS: u64 = 0x1FFF;
    let high = mask >> 26;
    let (sum, both) = (mask ^ high, mask & high);
    let ones = (sum ^ sum >> 13) & RANKS;
    let twos = ((both ^ both >> 13) | (sum & sum >> 13)) & RANKS;
    let fours = both & both >> 13 & RANKS;
    ones | twos << 13 | fours << 26
}

/// A perfect hash of plane keys with byte displacements.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PerfectHash {
    multiplier: u64,
    displacements: Vec<u8>,
}

impl PerfectHash {
    /// Number of slots.
    pub const SLOTS: usize = 1 << SLOT_BITS;

    /// Finds a multiplier and displacements without collisions.
    ///
    /// `None` if none of a hundred multipliers works. For the 49,205 patterns of seven cards about every third does.
    #[must_use]
    pub fn build(keys: &[u64]) -> Option<PerfectHash> {
        let mut multiplier = FIRST_MULTIPLIER;
        for _ in 0..100 {
            if let Some(displacements) = Self::displace(keys, multiplier) {
                return Some(PerfectHash {
                    multiplier,
                    displacements,
                });
            }
            multiplier = multiplier
                .wrapping_mul(0xD134_2543_DE82_EF95)
                .rotate_left(23)
                | 1;
        }
        None
    }

    fn split(multiplier: u64, key: u64) -> (usize, usize) {
        let hash = key.wrapping_mul(multiplier);
        let hash = hash ^ hash >> 29;
        (
            (hash >> (64 - BUCKET_BITS)) as usize,
            hash as usize & (Self::SLOTS - 1),
        )
    }

    fn displace(keys: &[u64], multiplier: u64) -> Option<Vec<u8>> {
        let mut buckets = vec![Vec::new(); 1 << BUCKET_BITS];
        for &key in keys {
            let (bucket, place) = Self::split(multiplier, key);
            buckets[bucket].push(place);
        }
        let mut order: Vec<usize> = (0..buckets.len()).collect();
        order.sort_by_key(|&bucket| (std::cmp::Reverse(buckets[bucket].len()), bucket));
        let mut taken = vec![false; Self::SLOTS];
        let mut displacements = vec![0; buckets.len()];
        for bucket in order {
            let mut places = buckets[bucket].clone();
            places.sort_unstable();
            if places.windows(2).any(|pair| pair[0] == pair[1]) {
                return None;
            }
            let slot = |place: usize, shift: u8| (place + usize::from(shift)) % Self::SLOTS;
            let shift = (0..=u8::MAX).find(|&s| places.iter().all(|&p| !taken[slot(p, s)]))?;
            displacements[bucket] = shift;
            for place in places {
                taken[slot(place, shift)] = true;
            }
        }
        Some(displacements)
    }

    /// Returns the slot of a key.
    #[must_use]
    pub fn slot(&self, key: u64) -> usize {
        let (bucket, place) = Self::split(self.multiplier, key);
        (place + usize::from(self.displacements[bucket])) & (Self::SLOTS - 1)
    }

    /// Returns the largest displacement in use.
    #[must_use]
    pub fn largest_displacement(&self) -> u8 {
        self.displacements.iter().copied().max().unwrap_or(0)
    }
}
