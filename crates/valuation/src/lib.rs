//! Pure functions from hands to numbers.
//!
//! Point counts, controls, losers, the modern losing trick count, suit quality, the Kaplan-Rubens
//! evaluation, the Optimal Point Count of a pair, and in [`metrics`] the side metrics from Bergen to
//! Zar. No randomness, no input or output, no global state: the same hands always give the same
//! integers. Values with decimals are scaled by 100, as in the dealer language.
//!
//! Everything about one suit depends on its thirteen-bit holding only and comes from a table of 8192
//! entries that the compiler computes from the rule written next to it.
//!
//! ```
//! use cards::notation;
//! use croupier_valuation::{FourCsVersion, cccc, controls, hcp, losers, ltc};
//!
//! let hand = notation::hand("AK842.QJ5.KT9.72").unwrap();
//! assert_eq!(hcp(hand), 13);
//! assert_eq!(controls(hand), 4);
//! assert_eq!(losers(hand), 7);
//! assert_eq!(ltc(hand), 700);
//! assert_eq!(cccc(hand, FourCsVersion::V2), 1385);
//! ```
//!
//! Two hands together, with everything the total is made of:
//!
//! ```
//! use cards::{Deal, Seat, Side, Strain};
//! use croupier_valuation::{HandPair, metrics, opc};
//!
//! let deal: Deal = "N:AQ963.K.KJ752.84 2.QT984.AQT.AKJ5 KT74.AJ65.8.Q732 J85.732.9643.T96".parse().unwrap();
//! assert_eq!(opc(&HandPair::of(&deal, Side::NorthSouth, Seat::South)).strain(Strain::Spades), 2800);
//!
//! let bergen = metrics::by_name("bergen").unwrap();
//! let slots = metrics::evaluate(bergen.tag, &deal, Side::NorthSouth).unwrap();
//! assert_eq!(slots[0], 22); // both hands in notrump
//! assert_eq!(slots[3], 31); // both hands in their spade fit
//! ```

pub mod entries;
mod four_cs;
mod hand_rules;
mod losers;
pub mod metrics;
mod opc;
mod points;
mod ranks;

pub use four_cs::{FourCs, FourCsVersion, cccc, quality};
pub use hand_rules::{HandRule, HandRuleRow, HandValue, RuleValue, SuitArgument, SuitValue};
pub use losers::{losers, losers_by_tables, ltc, suit_losers, suit_losers_by_tables, suit_ltc};
pub use opc::{HandPair, Opc, OpcCount, OpcHand, OpcParts, Opener, opc};
pub use points::{CountTables, PointTable, controls, hcp, suit_controls, suit_hcp};
