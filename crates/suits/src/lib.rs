//! How to play one suit: exact chances and lines of play for every suit combination.
//!
//! Declarer holds the cards of North and South and sees every card that is played. West and East hold the other cards,
//! each layout with its exact weight. The defenders know all cards and declarer's line (best defence), so the value of
//! a line is its guaranteed average over the layouts, falsecards included.
//!
//! ```
//! use croupier_suits::{Combination, SuitGoal, WeightedCombination, SuitSolver, VacantPlaces};
//!
//! let combination = Combination::parse("AQT98", "5432").unwrap();
//! let mut solver = SuitSolver::new(WeightedCombination::new(combination, VacantPlaces::default()).unwrap());
//! let solution = solver.solve();
//! assert_eq!(format!("{:.4}", solution.chance(5).percent()), "26.5652");
//! let line = solver.line(&SuitGoal::AtLeast(5)).unwrap();
//! assert_eq!(line.value(), solution.chance(5));
//! ```
#![forbid(unsafe_code)]

pub mod book;
mod catalogue;
mod classes;
mod combination;
mod counts;
mod engine;
mod english;
mod fraction;
mod front;
mod hashing;
mod line;
mod matchpoints;
mod payoff;
mod plan;
mod problem;
mod root;
mod rules;
mod search;
mod sequence;
mod solver;
mod summary;
mod weight;
mod worlds;

pub use catalogue::{CATALOGUE_SIZE, catalogue};
pub use combination::{Combination, CombinationError, holding_text, rank_name};
pub use english::LineDescription;
pub use fraction::Fraction;
pub use line::{DeclarerReply, Layout, Lead, Seen, SuitLine, TrickPlan};
pub use matchpoints::{Matchpoints, TooManyLines};
pub use payoff::{imp_payoffs, score_payoffs};
pub use problem::{CombinationWeightError, Entries, VacantPlaces, WeightedCombination};
pub use sequence::{Sequence, in_sequence, two_suits};
pub use solver::{FirstMove, PayoffError, SuitGoal, SuitSolution, SuitSolver};
pub use summary::{GoalSummary, NamedGoal};
