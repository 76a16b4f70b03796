//! Deals from seat profiles.
//!
//! A profile describes a bidding scenario seat by seat instead of by a script: "North opens a weak two, East doubles,
//! South raises". [`read`] takes it from JSON or TOML, [`ProfileDealer`] deals boards for it, [`to_script`] translates
//! it to the dealer language.
//!
//! ```
//! use croupier_profiles::{DealOptions, ProfileDealer, DealingStrategy, read};
//! use shuffle::Key;
//!
//! let (profile, _) = read(r#"
//!     profile_name = "North has six spades and 10 to 12 points"
//!     dealer = "N"
//!     [[seat_profiles.N.subprofiles]]
//!     standard.spades = { min_cards = 6, max_cards = 6 }
//!     standard.total_min_hcp = 10
//!     standard.total_max_hcp = 12
//! "#).unwrap();
//! let options = DealOptions { key: Key::from_seed(1), strategy: DealingStrategy::Exact, max_attempts: 1000, rotate: Some(false) };
//! let (mut dealer, _) = ProfileDealer::new(profile, options).unwrap();
//! let board = dealer.board(1).unwrap();
//! assert_eq!(board.deal()[cards::Seat::North].lengths()[0], 6);
//! ```

pub mod compare;
mod dealing;
mod decode;
mod demand;
mod dialogue;
mod exact;
mod model;
mod problem;
mod read;
mod report;
mod scenario;
mod strategy;
mod to_script;
mod tree;

pub use dealing::{BoardFailure, DealOptions, DealtBoard, ImpossibleProfile, ProfileDealer};
pub use demand::{Demand, FailureCause, hcp, obviously_impossible};
pub use dialogue::ask;
pub use exact::Tightness;
pub use model::*;
pub use problem::ProfileMessage;
pub use read::{Notation, read};
pub use report::{FailureReport, SeatReport};
pub use scenario::{Combinations, Picks, SubprofileChoice, SubprofileError};
pub use strategy::{DealingStrategy, Preallocation, at_least};
pub use to_script::{board_condition, condition, to_script};
