//! Evaluation of whole blocks: columns of values over 1024 deals.
//!
//! The condition is split at its top-level `and`. Parts that are pure arithmetic on hands become columns. After each
//! column the deals that fail are deselected. When few deals are left, they are moved together, so that the remaining
//! work is proportional to their number. Parts that need more (random numbers, the double-dummy solver, a division that
//! may fail) are evaluated last, by the scalar [`Machine`](crate::Machine). Random numbers that actions use are columns
//! if every deal makes the same draws.
//!
//! The order of the parts follows their cost and how often they pass. It cannot change a result, because a part that
//! may fail or draw is never moved across another such part.

pub mod column;
mod compaction;
mod compile;
mod draw;
mod evaluator;
pub mod feature;
mod kernel;
pub mod lanes;
mod operation;
mod side;
mod slots;
mod truth;
mod view;

pub use compile::{BatchPlan, MAX_COLUMNS};
pub(crate) use compile::{ValueSource, conjuncts, solving_nodes};
pub use evaluator::BatchEvaluator;
