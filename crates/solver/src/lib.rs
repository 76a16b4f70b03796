//! Double-dummy results behind one small interface.
//!
//! A [`Solver`] is a plain value with its own bounded memory: make one for every thread. It answers questions about a
//! deal: how many tricks a declarer takes ([`Solver::tricks`]), whether they are enough ([`Solver::at_least`], several
//! times cheaper), all twenty results ([`Solver::table`]) or some of them ([`Solver::results`]), what every opening
//! lead is worth ([`Solver::leads`]); and about any [`Position`] in the play: what every card is worth
//! ([`Solver::choices`]) and an optimal line ([`Solver::line`]). A [`DealCache`] remembers what is known about one deal,
//! so that no question is asked twice, [`par()`] finds the par of a table, and [`par_texts`] says it as people do.
//!
//! A [`Team`] solves one table with several threads.
//!
//! The search needs no threads, no clock and no files; it runs on any target, faster on x86 machines with BMI2 and AVX2.
//!
//! ```
//! use cards::{Deal, Seat, Strain};
//! use solver::{DealCache, Solver};
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

mod cache;
mod choice;
mod engine;
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

pub use cache::{Bounds, DealCache};
pub use choice::{Choice, Choices, Step};
pub use estimate::estimate;
pub use lead::{Lead, Leads};
pub use par::{Par, ParContract, par};
pub use par_report::{ParReport, ParResult, par_texts};
pub use position::{Position, PositionError};
pub use review::{Played, ReviewError};
pub use solver::{DEFAULT_MEMORY, LEAST_MEMORY, Seats, Solver};
pub use team::Team;
