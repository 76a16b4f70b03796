//! Double-dummy results behind one small interface.
//!
//! A [`Solver`] is a plain value with its own memory: make one for every thread. It answers four
//! questions about a deal: how many tricks a declarer takes ([`Solver::tricks`]), whether they are
//! enough ([`Solver::at_least`], several times cheaper), all twenty results ([`Solver::table`]) and
//! what every opening lead is worth ([`Solver::leads`]). A [`DealCache`] remembers what is known
//! about one deal, so that no question is asked twice, [`par()`] finds the par of a table, and
//! [`study`] collects what leads and contracts are worth on many deals.
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
#![forbid(unsafe_code)]

mod cache;
mod lead;
pub mod par;
mod solver;
pub mod study;

pub use cache::{Bounds, DealCache};
pub use lead::{Lead, Leads};
pub use par::{Par, ParContract, par};
pub use solver::Solver;
