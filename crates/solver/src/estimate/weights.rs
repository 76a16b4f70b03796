//! Weights in thousandths of a trick, written by `examples/train_estimate.rs`.

use super::{NOTRUMP_FEATURES, SUIT_FEATURES};

#[rustfmt::skip]
pub(super) const SUIT: [i32; SUIT_FEATURES] = [
    -102, 2063, 1434, 928, 524, 255, 1384, 831, 391, 241, 97, 550,
    -786, 538, 281, 3, 57, 259, -17, -61, -113, -811, 254, -256,
    121, 85, 127, 78, -134, -124, -158, 2,
];

#[rustfmt::skip]
pub(super) const NOTRUMP: [i32; NOTRUMP_FEATURES] = [
    328, 1591, 1282, 800, 407, 182, -94, -278, 156, 112, 52, -47,
    -50, -231, 61, -348, 49, -104, 201, -21, 57, 190, 481,
];
