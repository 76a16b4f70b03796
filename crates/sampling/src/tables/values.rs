//! Feature vectors of a hand, and sets of them.

use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasherDefault, Hasher};

/// Largest number of features of one hand that can be tracked at once.
pub(crate) const MAX_FEATURES: usize = 6;

/// The features of a hand, or of its part in a pile.
pub(crate) type Vector = [i32; MAX_FEATURES];

pub(crate) fn sum(a: &Vector, b: &Vector) -> Vector {
    std::array::from_fn(|i| a[i] + b[i])
}

/// A fast hasher for vectors. They come from our own tables, so no input can force collisions.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct FoldHasher(u64);

impl Hasher for FoldHasher {
    fn write(&mut self, bytes: &[u8]) {
        for part in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..part.len()].copy_from_slice(part);
            self.write_u64(u64::from_le_bytes(word));
        }
    }

    fn write_u64(&mut self, word: u64) {
        // The multiplier is 2^64 divided by the golden ratio.
        self.0 = (self.0.rotate_left(5) ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }

    fn write_u32(&mut self, number: u32) {
        self.write_u64(u64::from(number));
    }

    fn write_usize(&mut self, number: usize) {
        self.write_u64(number as u64);
    }

    fn finish(&self) -> u64 {
        self.0 ^ self.0 >> 29
    }
}

pub(crate) type FastHash = BuildHasherDefault<FoldHasher>;

/// The different values of a vector, in ascending order.
#[derive(Clone, Debug, Default)]
pub(crate) struct Values {
    list: Vec<Vector>,
    index: HashMap<Vector, u32, FastHash>,
}

impl Values {
    pub(crate) fn new(values: impl IntoIterator<Item = Vector>) -> Values {
        let different: HashSet<Vector, FastHash> = values.into_iter().collect();
        let mut list: Vec<Vector> = different.into_iter().collect();
        list.sort_unstable();
        let index = list.iter().copied().zip(0..).collect();
        Values { list, index }
    }

    pub(crate) fn len(&self) -> usize {
        self.list.len()
    }

    pub(crate) fn list(&self) -> &[Vector] {
        &self.list
    }

    pub(crate) fn position(&self, value: &Vector) -> Option<u32> {
        self.index.get(value).copied()
    }
}
