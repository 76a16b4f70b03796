//! Poker: ranks of hands of five to seven cards, and equity.
//!
//! A hand is a [`cards::CardSet`], a mask of 52 bits. Its rank is a number from 0 (royal flush) to 7461 (7-5-4-3-2);
//! smaller wins. Evaluating a hand takes a few nanoseconds, in batches about half of that, with the vector instructions
//! of the processor.
//!
//! ```
//! let hand = croupier_poker::parse_cards("Ts Th Td 4s 4h Ac 2d")?;
//! let rank = croupier_poker::evaluate7(hand);
//! assert_eq!(rank.describe(), "full house, tens full of fours");
//! assert!(rank < croupier_poker::evaluate7(croupier_poker::parse_cards("As Ks Qs Js 9s 2h 3d")?));
//! # Ok::<(), croupier_poker::CardsError>(())
//! ```
//!
//! Without the feature `std`, which is on by default, the crate has the evaluators of single hands and needs neither an
//! operating system nor an allocator: [`PokerHand`], [`evaluate`], [`evaluate7_cards`] and the like, [`HandRank`].
#![cfg_attr(not(feature = "std"), no_std)]

#[cfg(feature = "std")]
mod batch;
#[cfg(feature = "std")]
pub mod enumeration;
#[cfg(feature = "std")]
pub mod equity;
mod evaluate;
#[cfg(feature = "std")]
mod game;
#[cfg(feature = "std")]
mod games;
#[cfg(feature = "std")]
pub mod grid;
mod hand;
#[cfg(feature = "histories")]
pub mod history;
#[cfg(feature = "std")]
mod indexer;
#[cfg(feature = "std")]
mod notation;
#[cfg(feature = "std")]
mod range;
mod rank;
#[cfg(feature = "std")]
pub mod reference;
#[cfg(feature = "std")]
mod rows;
#[cfg(feature = "std")]
pub mod samples;
#[cfg(feature = "std")]
pub mod strength;
pub mod tables;

#[cfg(feature = "std")]
pub use batch::{
    evaluate5_batch, evaluate5_batch_with, evaluate6_batch, evaluate6_batch_with, evaluate7_batch,
    evaluate7_batch_with,
};
pub use cards::{Card, CardSet, Rank, Suit};
#[cfg(feature = "std")]
pub use cpu::CpuPath;
#[cfg(feature = "std")]
pub use equity::{
    Algorithm, Decimal, Equity, EquityError, EquityMethod, EquityOptions, HandEquity, MAX_PLAYERS,
    NextCard, PlayerEquity, Query, ShareIntervals, StopRule, Winners,
};
pub use evaluate::{best_five, evaluate, evaluate5, evaluate6, evaluate7};
#[cfg(feature = "std")]
pub use game::{GAMES, Game, GameEntry, UnknownGame};
#[cfg(feature = "std")]
pub use games::{
    BadugiRank, DeuceToSevenRank, EightLow, RazzRank, ShowdownHand, Worth, evaluate_badugi,
    evaluate_deuce_to_seven, evaluate_omaha, evaluate_omaha_batch, evaluate_omaha_batch_with,
    evaluate_omaha_low, evaluate_razz, evaluate_stud_low, split_pot,
};
pub use hand::{PokerHand, evaluate5_cards, evaluate6_cards, evaluate7_cards};
#[cfg(feature = "std")]
pub use indexer::{HandIndexer, IndexerError};
#[cfg(feature = "std")]
pub use notation::{CardsError, card_text, format_cards, parse_cards};
#[cfg(feature = "std")]
pub use range::{
    NamedRanges, NamedRangesError, Range, RangeContext, RangeError, RangeProblem, Weight,
    split_players,
};
pub use rank::{Category, HandRank};
#[cfg(feature = "std")]
pub use reference::Rules;

/// Compiles and runs the programs in docs/poker.md.
#[cfg(all(doctest, feature = "std"))]
#[doc = include_str!("../../../docs/poker.md")]
struct Page;

/// Compiles and runs the program in README.md.
#[cfg(all(doctest, feature = "std"))]
#[doc = include_str!("../README.md")]
struct Readme;
