//! Counting, from small to large: the [`pile`]s, the [`cell`]s of a pile, the [`half`] of two piles, the [`shape`]s of
//! a hand with the totals it [`accept`]s, the lengths of the [`others`], and finally all [`pairs`] of shapes.

pub(crate) mod accept;
pub(crate) mod bits;
pub(crate) mod cell;
pub(crate) mod half;
pub(crate) mod hand_in_pile;
pub(crate) mod others;
pub(crate) mod pairs;
pub(crate) mod pile;
pub(crate) mod shape;
pub(crate) mod values;
