//! One deal, one value: the exact meaning of every expression.
//!
//! A plan's expressions are compiled once to a linear program for a small stack machine. Nothing recurses, so
//! an expression may be nested as deeply as memory allows; `and`, `or` and `?:` become jumps, so what is not
//! needed is not evaluated; an expression used several times is a subroutine whose value is remembered for the
//! deal unless it depends on `rnd`, which draws anew at every use.

mod compile;
mod machine;

pub use compile::Program;
pub(crate) use machine::binary;
pub use machine::{DealFacts, Machine, NoRandom, Randomness};
