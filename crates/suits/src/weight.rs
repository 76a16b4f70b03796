//! Exact weights of worlds: 64 bits where they suffice, else 128.

use std::fmt::Debug;
use std::ops::{Add, AddAssign, Sub, SubAssign};

use crate::worlds::WorldSet;

/// An exact sum of weights.
pub(crate) trait Weight:
    Copy + Debug + Default + Ord + Add<Output = Self> + Sub<Output = Self> + AddAssign + SubAssign
{
    /// Converts a value, which must fit.
    fn from_u128(value: u128) -> Self;

    fn to_u128(self) -> u128;

    fn to_f64(self) -> f64;

    /// Returns the least integer that an exact value can be if `bound` is a lower bound of it up to rounding errors.
    fn from_lower_bound(bound: f64) -> Self;
}

/// An upper bound for the relative error of sums of a few thousand floating-point numbers.
const ROUNDING: f64 = 1e-11;

macro_rules! weight {
    ($($number:ty),*) => {$(
        impl Weight for $number {
            fn from_u128(value: u128) -> Self {
                value as $number
            }

            fn to_u128(self) -> u128 {
                self.into()
            }

            fn to_f64(self) -> f64 {
                self as f64
            }

            fn from_lower_bound(bound: f64) -> Self {
                (bound * (1.0 - ROUNDING) - ROUNDING).ceil().max(0.0) as $number
            }
        }
    )*};
}

weight!(u64, u128);

/// The objective: a weight for every level and world, which counts if the result wins the world at that level.
pub(crate) struct Objective<T> {
    weights: Vec<Vec<T>>,
}

impl<T: Weight> Objective<T> {
    pub(crate) fn new(weights: Vec<Vec<T>>) -> Self {
        Objective { weights }
    }

    pub(crate) fn levels(&self) -> usize {
        self.weights.len()
    }

    pub(crate) fn weight(&self, level: usize, world: usize) -> T {
        self.weights[level][world]
    }

    /// Returns the weight of the worlds of `set` at `level`.
    #[inline]
    pub(crate) fn of_set<const W: usize>(&self, level: usize, set: &WorldSet<W>) -> T {
        let weights = &self.weights[level];
        let mut sum = T::default();
        set.for_each(|world| sum += weights[world]);
        sum
    }

    /// Returns the value of a result.
    pub(crate) fn value<const W: usize>(&self, result: &[WorldSet<W>]) -> T {
        let mut sum = T::default();
        for (level, set) in result.iter().enumerate() {
            sum += self.of_set(level, set);
        }
        sum
    }
}
