//! Whole blocks at a time: columns of values over 1024 deals.
//!
//! The condition is taken apart at its top-level `and`. Parts that are pure arithmetic on hands become columns;
//! after each of them the deals that failed are out, and when few are left the survivors are moved together so
//! that the rest of the work is proportional to them. Parts that need more (random numbers, the double-dummy
//! solver, a division that may fail) are left to the scalar [`Machine`](crate::Machine), last. Random numbers that actions
//! want are columns where every deal draws the same.
//!
//! The order in which the parts are tried follows their cost and how often they pass; it cannot change a result,
//! because a part that may fail or draw is never moved across another such part.

pub mod column;
mod compile;
mod draw;
mod evaluator;
pub mod feature;
mod kernel;
pub mod lanes;
mod operation;
mod places;
mod side;
mod squeeze;
mod truth;
mod view;

pub use compile::{BatchPlan, MAX_COLUMNS};
pub(crate) use compile::{Origin, conjuncts, solving_nodes};
pub use evaluator::BatchEvaluator;
