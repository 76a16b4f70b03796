//! A minimal perfect hash in levels (after BBHash) for the 1,287 flush classes.
//!
//! On each level every remaining key hashes to one bit. Keys that share a bit with another move to the next level. The
//! number of a key is the count of set bits before its own. The result needs less than a kilobyte, a tenth of the
//! direct table. But a suit of six or seven cards must first be reduced to its best five, and the search through the
//! levels costs more than the single load of the direct table, which the evaluators use.

/// Bits per key on each level.
const BITS_PER_KEY: usize = 2;

/// One level: its bits, and the number of bits set on earlier levels and words.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Level {
    words: Vec<u64>,
    before: Vec<u16>,
}

impl Level {
    fn bit(&self, level: usize, key: u16) -> usize {
        hash(level, key) as usize & (64 * self.words.len() - 1)
    }
}

/// A minimal perfect hash of 13-bit masks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MinimalHash {
    levels: Vec<Level>,
}

fn hash(level: usize, key: u16) -> u64 {
    let mut x = u64::from(key) ^ (level as u64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    x ^= x >> 33;
    x = x.wrapping_mul(0xFF51_AFD7_ED55_8CCD);
    x ^ x >> 29
}

impl MinimalHash {
    /// Builds levels until every key has a bit of its own. Keys must be distinct.
    #[must_use]
    pub fn build(keys: &[u16]) -> MinimalHash {
        let mut levels = Vec::new();
        let mut left = keys.to_vec();
        let mut set_so_far = 0;
        while !left.is_empty() {
            let bits = (BITS_PER_KEY * left.len()).next_power_of_two().max(64);
            let number = levels.len();
            let mut level = Level {
                words: vec![0; bits / 64],
                before: Vec::new(),
            };
            let mut hits = vec![0u16; bits];
            for &key in &left {
                hits[level.bit(number, key)] += 1;
            }
            for (bit, _) in hits.iter().enumerate().filter(|&(_, &hits)| hits == 1) {
                level.words[bit / 64] |= 1 << (bit % 64);
            }
            for word in &level.words {
                level.before.push(set_so_far);
                set_so_far += word.count_ones() as u16;
            }
            left.retain(|&key| hits[level.bit(number, key)] != 1);
            levels.push(level);
        }
        MinimalHash { levels }
    }

    /// Returns the number of a key, below the number of keys. `None` only for masks that were not among the keys (which
    /// may also get a number).
    #[must_use]
    pub fn index(&self, key: u16) -> Option<usize> {
        self.levels.iter().enumerate().find_map(|(number, level)| {
            let bit = level.bit(number, key);
            let (word, mask) = (bit / 64, 1u64 << (bit % 64));
            (level.words[word] & mask != 0).then(|| {
                let before = (level.words[word] & (mask - 1)).count_ones() as usize;
                usize::from(level.before[word]) + before
            })
        })
    }

    /// Returns the number of levels.
    #[must_use]
    pub fn levels(&self) -> usize {
        self.levels.len()
    }

    /// Returns the size of all levels in bits.
    #[must_use]
    pub fn bits(&self) -> usize {
        self.levels.iter().map(|level| 64 * level.words.len()).sum()
    }
}

/// Returns the five cards of a suit (five to seven ranks) that make its best flush or straight flush.
#[must_use]
pub fn best_five_of_suit(suited: u16) -> u16 {
    const WHEEL: u16 = 0x100F;
    let runs = suited & suited << 1 & suited << 2 & suited << 3 & suited << 4;
    if let Some(high) = runs.checked_ilog2() {
        return 0x1F << (high - 4);
    }
    if suited & WHEEL == WHEEL {
        return WHEEL;
    }
    let mut best = suited;
    while best.count_ones() > 5 {
        best &= best - 1;
    }
    best
}
