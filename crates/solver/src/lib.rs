//! Double-dummy solver: tricks, opening leads, lines of play and par.
//!
//! A [`Solver`] is a plain value with its own bounded memory. Create one for each thread. For a deal it computes
//! * the tricks of a declarer ([`Solver::tricks`]);
//! * whether they reach a target ([`Solver::at_least`], several times cheaper than the count);
//! * all twenty results ([`Solver::table`]) or some of them ([`Solver::results`]);
//! * the tricks after each opening lead ([`Solver::leads`]).
//!
//! For a [`Position`] in the play it computes the tricks after each legal card ([`Solver::choices`]) and an optimal
//! line ([`Solver::line`]). A [`DealCache`] keeps the results of one deal, so that no search is repeated. [`par()`]
//! computes the par of a table as scripts use it, [`par_report()`] as players write it.
//!
//! A [`Team`] solves one table with several threads, a [`SolverBatch`] any number of deals or positions.
//! [`Solver::deciding_cards`] returns the cards whose ranks decide a result.
//!
//! The search uses no files and no threads of its own, and it looks at a clock only if you set a deadline. It runs on
//! every target; x86 processors with BMI2 and AVX2 run it faster.
//!
//! ```
//! use cards::{Deal, Seat, Strain};
//! use croupier_solver::{DealCache, Solver};
//!
//! let deal: Deal = "N:AKQ.AKQ.AKQ.AKQJ JT98.JT9.JT9.T98 7654.876.876.765 32.5432.5432.432"
//!     .parse()
//!     .unwrap();
//! let mut solver = Solver::new();
//! assert_eq!(solver.tricks(&deal, Seat::South, Strain::Notrump), 13);
//! assert!(solver.at_least(&deal, Seat::North, Strain::Spades, 12));
//!
//! let mut known = DealCache::new();
//! assert!(!known.at_least(&mut solver, &deal, Seat::North, Strain::Spades, 13));
//! assert!(known.at_least(&mut solver, &deal, Seat::North, Strain::Spades, 12));
//! assert_eq!(known.known(Seat::North, Strain::Spades), Some(12));
//! ```
#![deny(unsafe_code)]

mod batch;
mod cache;
mod choice;
mod deciding;
mod engine;
mod equal_strains;
pub mod estimate;
mod guess;
mod lead;
pub mod par;
mod par_report;
mod position;
mod review;
mod search;
mod solver;
mod team;

pub use batch::SolverBatch;
pub use cache::{Bounds, DealCache};
pub use choice::{Choice, Choices, OptimalPlay};
pub use deciding::{DecidingCards, Swing};
pub use estimate::estimate;
pub use lead::{Leads, SolvedLead};
pub use par::{Par, ParContract, par};
pub use par_report::{ParReport, ParResult, par_report};
pub use position::{Position, PositionError};
pub use review::{Played, ReviewError};
pub use solver::{DEFAULT_MEMORY, MIN_MEMORY, SeatSet, Solver};
pub use team::Team;

/// Compiles and runs the program in README.md.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
