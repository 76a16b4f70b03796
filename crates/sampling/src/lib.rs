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

mod accept;
mod binomial;
mod bits;
mod blocks;
mod cells;
mod choice;
mod count;
mod draft;
mod draws;
mod engine;
mod feature;
mod geometric;
mod halves;
mod lay;
mod layout;
mod others;
mod piles;
mod prepare;
mod problem;
mod sampler;
mod seats;
mod shapes;
mod subsets;
mod tables;
mod tree;

pub use binomial::{arrangements, choose};
pub use count::{Count, Unit};
pub use draft::{Budget, Estimate};
pub use feature::{Feature, Holder, SuitFunction, SuitFunctions};
pub use geometric::Skips;
pub use layout::Tracked;
pub use problem::{Atom, FeatureId, Formula, Impossible, Problem, Term};
pub use sampler::{BLOCK, Sampler, TooExpensive};
pub use seats::{ConstrainedDealer, Constraints, ConstraintsError, HandRanges, in_shapes};
