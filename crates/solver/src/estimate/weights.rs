//! Weights in thousandths of a trick, written by `examples/train_estimate.rs`.

use super::{NOTRUMP_FEATURES, SUIT_FEATURES};

#[rustfmt::skip]
pub(super) const SUIT: [i32; SUIT_FEATURES] = [
    -76, 2089, 1379, 912, 500, 283, 1375, 738, 350, 258, 123, 615,
    -797, 552, 263, -37, 30, 258, -17, -63, -110, -699, 204, -270,
    118, 61, 109, 76, -171, -169, -154, 7, 0,
];

#[rustfmt::skip]
pub(super) const NOTRUMP: [i32; NOTRUMP_FEATURES] = [
    336, 1614, 1233, 788, 382, 213, -112, -268, 125, 124, 68, -39,
    3, -277, 100, -381, 67, -27, 111, -10, 79, 180, 578,
];
