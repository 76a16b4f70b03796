//! Tail probabilities, confidence intervals, and the precision at which sampling stops.
//!
//! Counts stay exact integers everywhere in croupier; only the last step, from a statistic to a probability, is
//! floating point, and it is here and nowhere else.
//!
//! ```
//! use croupier_statistics::chi_square;
//!
//! // Sixty throws of a die: 3.841 is exceeded once in twenty samples with one degree of freedom.
//! assert!((chi_square::upper_tail(3.841_458_820_694, 1.0) - 0.05).abs() < 1e-9);
//! let throws = [8, 11, 9, 12, 10, 10];
//! assert!(chi_square::of_equal(&throws) < 1.01);
//! ```
#![forbid(unsafe_code)]

mod beta;
pub mod chi_square;
mod gamma;
pub mod interval;
pub mod normal;
pub mod precision;
pub mod student;
