//! Counting, from small to large: the [`pile`]s, the [`cell`]s of a pile, the [`half`] of two piles, the [`shape`]s of
//! a hand with the totals it [`accept`]s, what is left to the [`others`], and at last all [`pairs`] of shapes.

pub(crate) mod accept;
pub(crate) mod bits;
pub(crate) mod cell;
pub(crate) mod half;
pub(crate) mod others;
pub(crate) mod pairs;
pub(crate) mod pile;
pub(crate) mod shape;
pub(crate) mod values;
pub(crate) mod view;
