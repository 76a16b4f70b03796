//! Feature vectors of a hand, and sets of them.

use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasherDefault, Hasher};

/// Features of one hand that can be tracked at once.
pub(crate) const MOST_FEATURES: usize = 6;

/// The features of a hand, or their part in a pile.
pub(crate) type Vector = [i32; MOST_FEATURES];

pub(crate) fn sum(a: &Vector, b: &Vector) -> Vector {
    std::array::from_fn(|i| a[i] + b[i])
}

/// Hashes vectors in a few steps; they come from tables of our own, not from anybody who would make them collide.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Fold(u64);

impl Hasher for Fold {
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

pub(crate) type Quick = BuildHasherDefault<Fold>;

/// The different values something can have, in ascending order.
#[derive(Clone, Debug, Default)]
pub(crate) struct Values {
    list: Vec<Vector>,
    index: HashMap<Vector, u32, Quick>,
}

impl Values {
    pub(crate) fn new(values: impl IntoIterator<Item = Vector>) -> Values {
        let different: HashSet<Vector, Quick> = values.into_iter().collect();
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
