//! Exactly uniform deals under conditions, however rare, and exact counts of them.
//!
//! Others deal and throw away. Here the deals that satisfy the conditions are counted, exactly and in
//! integers, and then drawn so that each of them is equally likely. What cannot be expressed is left to
//! whoever evaluates the deals afterwards, so the result always has the distribution of plain dealing.
//!
//! ```
//! use cards::{Seat, Suit};
//! use sampling::{Budget, Formula, Problem, Sampler, SuitFunction};
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
//! # The map
//!
//! ```text
//!  problem/          what is asked            Problem, Formula, Term     -> filters on single suits, forced cards
//!     |
//!  setup/            who is tracked           choice -> Layout -> tree   -> conditions sorted by whose cards they are about
//!     |              and what it would cost   Draft, Estimate, Budget
//!     |
//!  tables/           counting                 Pile -> Cell -> Half       -> ways by lengths and features, suit by suit
//!     |                                       Shapes, Acceptance, Others -> which totals are accepted
//!     |                                       pairs: Tables              -> one row for each pair of shapes; their sum is the count
//!     |
//!  drawing/          from a number to a deal  TableDealer                -> row, features, pattern of marks, spots, the other hands
//!                                             Skips                      -> how many deals plain dealing would have thrown away
//!
//!  points            a shorter way for points of all four hands without lengths: from the problem to the deal
//!  sampler, count    what all this looks like from outside
//! ```
//!
//! # The words
//!
//! The theory is in `docs/exact-sampling.md` and in the doc comments of the modules. One word, one meaning:
//!
//! * **role**: A and B are the *tracked* hands, whose lengths and features are followed; C and D are the other two, of
//!   which only lengths are followed. A **side** is tracked as one hand of 26 cards with role A.
//! * **feature**: a sum over suits of functions of the holding, such as points or losers. A hand's features together
//!   are its **vector**; the vectors of A are called x, those of B y.
//! * **pile**: one or two suits taken together; every card belongs to one pile.
//! * **mark**: a card of a pile whose place matters beyond the count; **spots** are all others. A **pattern** says who
//!   gets which marks, a **group** is a number of patterns with the same vectors.
//! * **cell**: for one pile and given numbers of cards of A and B, the ways to get each (x, y).
//! * **half**: two piles together. A **total** is the vector of a whole hand.
//! * **shape**: how many cards a hand takes from each pile. A **row** is a pair of shapes with the vector of A in half 1.
//! * **sharing**: how C and D share by lengths what A and B leave.
//! * **grade**: in `points`, the cards that are worth the same.
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
pub use count::{Count, Unit};
pub use drawing::geometric::Skips;
pub use problem::feature::{Feature, Holder, SuitFunction, SuitFunctions};
pub use problem::{Atom, FeatureId, Formula, Impossible, Problem, Term};
pub use sampler::{BLOCK, Sampler};
pub use setup::budget::{Budget, Estimate, GaveUp, Meter, Stop, cost_of_draw};
pub use setup::layout::Tracked;
