//! Regrets and strategy sums of all decisions, in floating point or in 16 bits.
//!
//! The values are in the order in which the tree is walked, so the storage of a subtree is contiguous and threads can
//! work on disjoint parts of it.

use super::river::Number;
use super::tree::Extent;

/// The number format of stored regrets and strategies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StoragePrecision {
    /// 64-bit floating point, for small games to high precision: 16 bytes for every action of every hand.
    Double,
    /// 32-bit floating point: 8 bytes for every action of every hand.
    Single,
    /// 16-bit integers with a scale for every decision: 4 bytes.
    Compact,
}

impl StoragePrecision {
    /// Returns the bytes needed for a storage.
    pub(super) fn bytes(self, extent: Extent) -> u64 {
        match self {
            StoragePrecision::Double => 16 * extent.values as u64,
            StoragePrecision::Single => 8 * extent.values as u64,
            StoragePrecision::Compact => 4 * extent.values as u64 + 8 * extent.decisions as u64,
        }
    }
}

/// The storage of a game.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Storage {
    Double {
        regrets: Vec<f64>,
        sums: Vec<f64>,
    },
    Single {
        regrets: Vec<f32>,
        sums: Vec<f32>,
    },
    Compact {
        regrets: Vec<i16>,
        sums: Vec<u16>,
        /// Units of the regrets and of the sums of every decision.
        scales: Vec<[f32; 2]>,
    },
}

/// The storage of a subtree.
pub(super) enum Slab<'a> {
    Double {
        regrets: &'a mut [f64],
        sums: &'a mut [f64],
    },
    Single {
        regrets: &'a mut [f32],
        sums: &'a mut [f32],
    },
    Compact {
        regrets: &'a mut [i16],
        sums: &'a mut [u16],
        scales: &'a mut [[f32; 2]],
    },
}

/// Splits the first `length` elements off a slice.
fn take<'a, T>(slice: &mut &'a mut [T], length: usize) -> &'a mut [T] {
    let (front, rest) = std::mem::take(slice).split_at_mut(length);
    *slice = rest;
    front
}

impl Storage {
    pub fn new(precision: StoragePrecision, extent: Extent) -> Storage {
        match precision {
            StoragePrecision::Double => Storage::Double {
                regrets: vec![0.0; extent.values],
                sums: vec![0.0; extent.values],
            },
            StoragePrecision::Single => Storage::Single {
                regrets: vec![0.0; extent.values],
                sums: vec![0.0; extent.values],
            },
            StoragePrecision::Compact => Storage::Compact {
                regrets: vec![0; extent.values],
                sums: vec![0; extent.values],
                scales: vec![[0.0; 2]; extent.decisions],
            },
        }
    }

    pub fn slab(&mut self) -> Slab<'_> {
        match self {
            Storage::Double { regrets, sums } => Slab::Double { regrets, sums },
            Storage::Single { regrets, sums } => Slab::Single { regrets, sums },
            Storage::Compact {
                regrets,
                sums,
                scales,
            } => Slab::Compact {
                regrets,
                sums,
                scales,
            },
        }
    }

    /// Reads the strategy sums of a decision that begins at `start`.
    pub fn load_sums<T: Number>(&self, start: Extent, sums: &mut [T]) {
        let range = start.values..start.values + sums.len();
        match self {
            Storage::Double { sums: stored, .. } => load(&stored[range], 1.0, sums),
            Storage::Single { sums: stored, .. } => load(&stored[range], 1.0, sums),
            Storage::Compact {
                sums: stored,
                scales,
                ..
            } => load(&stored[range], scales[start.decisions][1], sums),
        }
    }
}

/// Reads stored numbers in units of `scale`.
fn load<S: Copy + Into<f64>, T: Number>(stored: &[S], scale: f32, numbers: &mut [T]) {
    for (number, &stored) in numbers.iter_mut().zip(stored) {
        *number = T::of(stored.into() * f64::from(scale));
    }
}

impl<'a> Slab<'a> {
    /// Splits the storage of a subtree off the front.
    pub fn split(&mut self, extent: Extent) -> Slab<'a> {
        match self {
            Slab::Double { regrets, sums } => Slab::Double {
                regrets: take(regrets, extent.values),
                sums: take(sums, extent.values),
            },
            Slab::Single { regrets, sums } => Slab::Single {
                regrets: take(regrets, extent.values),
                sums: take(sums, extent.values),
            },
            Slab::Compact {
                regrets,
                sums,
                scales,
            } => Slab::Compact {
                regrets: take(regrets, extent.values),
                sums: take(sums, extent.values),
                scales: take(scales, extent.decisions),
            },
        }
    }

    /// Reads the regrets of a slab of one decision.
    pub fn load_regrets<T: Number>(&self, regrets: &mut [T]) {
        match self {
            Slab::Double {
                regrets: stored, ..
            } => load(stored, 1.0, regrets),
            Slab::Single {
                regrets: stored, ..
            } => load(stored, 1.0, regrets),
            Slab::Compact {
                regrets: stored,
                scales,
                ..
            } => load(stored, scales[0][0], regrets),
        }
    }

    /// Discounts the regrets of a decision by their sign and adds `gains`. `salt` varies the rounding of 16-bit values.
    pub fn add_regrets<T: Number>(&mut self, gains: &[T], positive: f64, negative: f64, salt: u32) {
        match self {
            Slab::Double { regrets, .. } => discount_and_add(regrets, gains, positive, negative),
            Slab::Single { regrets, .. } => discount_and_add(regrets, gains, positive, negative),
            Slab::Compact {
                regrets, scales, ..
            } => {
                let scale = &mut scales[0][0];
                let (positive, negative) = (positive as f32, negative as f32);
                let sum = |stored: i16, gain: T| {
                    let regret = f32::from(stored) * *scale;
                    regret * if stored > 0 { positive } else { negative } + gain.get() as f32
                };
                let largest = largest(regrets, gains, |stored, gain| sum(stored, gain).abs());
                let (unit, units) = units(largest, 32767.0);
                let offset = dither_offset(salt);
                for (place, (stored, &gain)) in regrets.iter_mut().zip(gains).enumerate() {
                    let exact = sum(*stored, gain) * units + 32768.0;
                    *stored = (dithered(exact, place as u32, offset) as i32 - 32768) as i16;
                }
                *scale = unit;
            }
        }
    }

    /// Discounts the strategy sums of a decision and adds `parts`.
    pub fn add_sums<T: Number>(&mut self, parts: &[T], discount: f64, salt: u32) {
        match self {
            Slab::Double { sums, .. } => discount_and_add(sums, parts, discount, discount),
            Slab::Single { sums, .. } => discount_and_add(sums, parts, discount, discount),
            Slab::Compact { sums, scales, .. } => {
                let scale = &mut scales[0][1];
                let factor = *scale * discount as f32;
                let sum = |stored: u16, part: T| f32::from(stored) * factor + part.get() as f32;
                let largest = largest(sums, parts, sum);
                let (unit, units) = units(largest, 65535.0);
                let offset = dither_offset(!salt);
                for (place, (stored, &part)) in sums.iter_mut().zip(parts).enumerate() {
                    let exact = sum(*stored, part) * units;
                    *stored = dithered(exact, place as u32, offset) as u16;
                }
                *scale = unit;
            }
        }
    }
}

/// Discounts numbers by their sign and adds others to them.
fn discount_and_add<S: Number, T: Number>(
    stored: &mut [S],
    gains: &[T],
    positive: f64,
    negative: f64,
) {
    let (positive, negative) = (S::of(positive), S::of(negative));
    for (stored, gain) in stored.iter_mut().zip(gains) {
        let discount = if *stored > S::default() {
            positive
        } else {
            negative
        };
        *stored = *stored * discount + S::of(gain.get());
    }
}

/// Returns the size of a unit when `largest` is `most` units, and its inverse.
fn units(largest: f32, most: f32) -> (f32, f32) {
    if largest > 0.0 {
        (largest / most, most / largest)
    } else {
        (0.0, 0.0)
    }
}

/// Returns the largest of the sizes of pairs. The loop has lanes that the compiler can put into a vector register.
fn largest<S: Copy, T: Copy>(stored: &[S], parts: &[T], size: impl Fn(S, T) -> f32) -> f32 {
    const LANES: usize = 8;
    let larger = |a: f32, b: f32| if b > a { b } else { a };
    let mut lanes = [0.0f32; LANES];
    let (stored, stored_rest) = stored.as_chunks::<LANES>();
    let (parts, parts_rest) = parts.as_chunks::<LANES>();
    for (stored, parts) in stored.iter().zip(parts) {
        for lane in 0..LANES {
            lanes[lane] = larger(lanes[lane], size(stored[lane], parts[lane]));
        }
    }
    let rest = stored_rest.iter().zip(parts_rest);
    let rest = rest.map(|(&stored, &part)| size(stored, part));
    lanes.into_iter().chain(rest).fold(0.0, larger)
}

/// Returns a pseudo-random number for all values of an iteration.
fn dither_offset(salt: u32) -> u32 {
    let mut hash = salt.wrapping_mul(0x85EB_CA6B);
    hash ^= hash >> 15;
    hash = hash.wrapping_mul(0x2C1B_3C6D);
    hash ^ hash >> 12
}

/// Rounds up or down so that the mean over the iterations is exact. Plain rounding would always lose changes of less
/// than half a unit. The thresholds are equally distributed over the positions and over the iterations, and depend only
/// on these.
fn dithered(exact: f32, place: u32, offset: u32) -> u32 {
    /// From this number on, neighbouring single-precision numbers are whole numbers, so adding it rounds.
    const ROUNDING: f32 = 8_388_608.0;
    let threshold = place.wrapping_mul(0x9E37_79B1).wrapping_add(offset) >> 9;
    // From -0.5 to 0.5: the bits of a number from 1 to 2, minus 1.5.
    let threshold = f32::from_bits(0x3F80_0000 | threshold) - 1.5;
    let moved = exact + threshold;
    let moved = if moved > 0.0 { moved } else { 0.0 };
    let moved = if moved < 65535.0 { moved } else { 65535.0 };
    (moved + ROUNDING).to_bits() & 0xFFFF
}
