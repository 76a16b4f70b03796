//! Deals from seat profiles.
//!
//! A profile describes a bidding scenario seat by seat instead of by a script: "North opens a weak
//! two, East doubles, South raises". [`read`] takes it from JSON or TOML, [`to_script`] says the same in the dealer language.
//!

pub mod compare;
mod decode;
mod demand;
mod dialogue;
mod model;
mod problem;
mod read;
mod report;
mod scenario;
mod strategy;
mod to_script;
mod tree;

pub use demand::{Cause, Demand, hcp, obviously_impossible};
pub use dialogue::ask;
pub use model::*;
pub use problem::Problem;
pub use read::{Notation, read};
pub use report::{FailureReport, SeatReport};
pub use scenario::{Combinations, Picks, Scenario};
pub use strategy::{Preallocation, Strategy, at_least};
pub use to_script::{board_condition, condition, to_script};
