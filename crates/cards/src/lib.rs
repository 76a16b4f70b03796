//! Cards, hands and deals: the vocabulary of croupier.
//!
//! All types are small `Copy` values. A [`CardSet`] is a 52-bit mask in a `u64`, thirteen bits for each suit, clubs and
//! deuces lowest (`bit = 13 * suit + rank`); a [`Deal`] is four disjoint sets of thirteen. The module [`notation`]
//! reads and writes cards, hands and deals.
//!
//! ```
//! use croupier_cards::{Deal, Seat, Suit};
//!
//! let deal: Deal = "N:AKJ.KQJ.A9873.Q9 QT.T75.QT6.JT843 98642.842.52.652 753.A963.KJ4.AK7"
//!     .parse()
//!     .unwrap();
//! assert_eq!(deal[Seat::North].holding(Suit::Diamonds).len(), 5);
//! assert_eq!(deal[Seat::West].to_string(), "753.A963.KJ4.AK7");
//! assert_eq!(
//!     deal.one_line().to_string(),
//!     "n AKJ.KQJ.A9873.Q9 e QT.T75.QT6.JT843 s 98642.842.52.652 w 753.A963.KJ4.AK7",
//! );
//! ```
#![no_std]
#![forbid(unsafe_code)]

mod by;
mod card;
mod deal;
pub mod notation;
mod rank;
pub mod scoring;
mod seat;
mod set;
mod shape;
mod suit;
mod tricks;

pub use by::{BySeat, BySuit};
pub use card::Card;
pub use deal::{Deal, DealError};
pub use notation::NotationError;
pub use rank::Rank;
pub use scoring::{Contract, Doubling};
pub use seat::{Seat, Side, Vulnerability};
pub use set::{CardSet, Cards, Holding, Ranks};
pub use shape::{Shape, ShapeSet};
pub use suit::{Strain, Suit};
pub use tricks::TrickTable;

/// A hand is a set of cards. Functions that require thirteen cards check this.
pub type Hand = CardSet;

/// Compiles and runs the program in README.md.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
