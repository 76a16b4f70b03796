//! Scalar evaluation of one deal: the definition of every expression's value.
//!
//! A plan's expressions are compiled once to a linear program for a small stack machine. There is no recursion, so an
//! expression may be nested as deeply as memory allows. `and`, `or` and `?:` become jumps, so unneeded operands are not
//! evaluated. An expression that is used several times is a subroutine. Its value is cached for the deal unless it
//! depends on `rnd`, which draws anew at every use.

mod compile;
mod machine;

pub use compile::Program;
pub(crate) use machine::binary;
pub use machine::{DealFacts, Machine, NoRandom, Randomness};
