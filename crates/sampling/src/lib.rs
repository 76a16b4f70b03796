//! Exactly uniform deals under conditions, however rare, and exact counts of them.
//!
//! Plain dealing deals at random and rejects. This crate counts the deals that satisfy the conditions, exactly and in
//! integers, and then draws from them so that each is equally likely. A condition that the tables cannot express is
//! left to the caller, who tests it on each deal; so the result always has the distribution of plain dealing.
//!
//! ```
//! use cards::{Seat, Suit};
//! use croupier_sampling::{Budget, Formula, Problem, Sampler, SuitFunction};
//! use shuffle::Key;
//!
//! // North: six or more spades and 10-12 points. South: five or more hearts and 13-15 points.
//! let mut problem = Problem::new();
//! for (seat, suit, length, points) in [
//!     (Seat::North, Suit::Spades, 6, 10..=12),
//!     (Seat::South, Suit::Hearts, 5, 13..=15),
//! ] {
//!     let cards = problem.length(seat, suit);
//!     let hcp = problem.points(seat, SuitFunction::hcp());
//!     problem.require(Formula::between(cards, length, 13));
//!     problem.require(Formula::between(hcp, *points.start(), *points.end()));
//! }
//! let sampler = Sampler::new(&problem, Budget::default()).unwrap();
//! assert_eq!(sampler.count().hits(), 2_935_974_902_225_435_502);
//! assert_eq!(sampler.count().out_of(), 5_157_850_293_780_050_462_400);
//! let deal = sampler.sample(&Key::from_seed(1), 17).unwrap();
//! assert!(deal[Seat::North].holding(Suit::Spades).len() >= 6);
//! ```
//!
//! # The modules
//!
//! ```text
//!  problem/          the conditions           Problem, Formula, Term     -> filters on single suits, forced cards
//!     |
//!  setup/            which hands to track     choice -> Layout -> tree   -> conditions sorted by the hands they depend on
//!     |              and the estimated cost   Draft, Estimate, Budget
//!     |
//!  tables/           counting                 Pile -> Cell -> Half       -> ways by lengths and features, suit by suit
//!     |                                       Shapes, Acceptance, Others -> the totals that are accepted
//!     |                                       pairs: Tables              -> one row for each pair of shapes; their sum is the count
//!     |
//!  drawing/          from a number to a deal  TableDealer                -> row, features, pattern of marks, spots, the other hands
//!                                             Skips                      -> how many deals plain dealing would have rejected
//!
//!  points            a shorter method for points of all four hands without lengths: from the problem to the deal
//!  sampler, count    the public interface
//! ```
//!
//! # Terms
//!
//! The theory is in `docs/exact-sampling.md` and in the doc comments of the modules.
//!
//! * **role**: A and B are the *tracked* hands: tables follow their lengths and features. C and D are the other two, of
//!   which tables follow only lengths. A **side** is tracked as one hand of 26 cards with role A.
//! * **feature**: a sum over suits of functions of the holding, such as points or losers. The features of a hand form
//!   its **vector**; x stands for vectors of A, y for those of B.
//! * **pile**: one or two suits taken together; every card belongs to one pile.
//! * **mark**: a card of a pile whose owner matters beyond the count; all other cards are **spots**. A **pattern** is
//!   an assignment of the marks, a **group** a number of patterns with the same vectors.
//! * **cell**: for one pile and given numbers of cards of A and B, the number of ways to get each (x, y).
//! * **half**: two piles together. A **total** is the vector of a whole hand.
//! * **shape**: the number of cards that a hand takes from each pile. A **row** is a pair of shapes with the vector of
//!   A in half 1.
//! * **sharing**: a division by lengths, between C and D, of the cards that A and B leave.
//! * **grade**: in `points`, the cards with equal values.
//! * **block**: 1024 deals that share a stream of random words, as everywhere in croupier; never a set of suits.

mod binomial;
mod count;
mod drawing;
mod points;
mod problem;
mod sampler;
mod setup;
mod tables;

pub use binomial::{arrangements, choose};
pub use count::{Count, CountUnit};
pub use drawing::geometric::Skips;
pub use problem::feature::{Feature, Holder, SuitFunction, SuitFunctions};
pub use problem::{Atom, FeatureId, Formula, PredealConflict, Problem, Term};
pub use sampler::{BLOCK, Sampler};
pub use setup::budget::{Budget, CostMeter, SetupCost, SetupError, StopCheck, cost_of_draw};
pub use setup::layout::Tracked;
