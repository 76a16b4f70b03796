//! Declarer play without sight of the defenders' cards ("single dummy").
//!
//! A double-dummy solver sees all four hands and so finds every queen. Here declarer sees two hands and the cards played so
//! far ([`PlayQuestion`]); the defenders' hands are drawn from the layouts that are possible ([`LayoutSource`]).
//!
//! * [`rank_plays`] ranks the cards that declarer can play next by the chance that the contract makes: the αμ search over
//!   sampled worlds. [`PlanOptions::depth`] is the number of declarer's cards that are searched before the double-dummy
//!   result of each world decides; 1 is plain Monte Carlo. Endings of [`PlanOptions::exact_cards`] tricks are searched to
//!   the last card.
//! * [`play_out`] estimates the value of a contract: declarer chooses every card by this method against defenders who see
//!   all cards, on many layouts.
//! * [`answer`] does both, with the options of a user: this is what the clients call.
//! * [`SuitQuestion`] is the question of one suit alone, which the crate `suits` answers exactly, with the weights of layouts
//!   under a condition on the whole deal ([`SuitCondition`]).
//!
//! Results depend on the question, the layouts and the options, never on the number of threads.
//!
//! ```
//! use cards::notation::hand;
//! use croupier_declarer::{LayoutSource, PlanOptions, PlayQuestion, UniformLayouts, rank_plays};
//! use studies::StudyExecution;
//!
//! let (south, north) = (hand("AKQJ.A32.432.432")?, hand("T987.654.AKQ.AQ5")?);
//! let mut question = PlayQuestion::new("4S-S".parse()?, south, north)?;
//! question.play("HK".parse()?)?;
//! let layouts = UniformLayouts::new(1).layouts(&question, 20)?;
//! let options = PlanOptions { depth: 1, ..PlanOptions::default() };
//! let plan = rank_plays(&question, &layouts, &options, StudyExecution::default())?;
//! // Dummy plays any heart.
//! assert_eq!(plan.plays[0].cards.to_string(), ".654..");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![forbid(unsafe_code)]

mod answer;
mod equal_cards;
mod front;
mod layouts;
mod plan;
mod playout;
mod question;
mod search;
mod suit;
mod world_set;

pub use answer::{DeclarerAnswer, DeclarerOptions, MAX_PLAYOUTS, answer};
pub use equal_cards::equal_cards;
pub use layouts::{LayoutError, LayoutSource, ScriptLayouts, UniformLayouts};
pub use plan::{MAX_DEPTH, PlanOptions, PlayPlan, PlayPlanError, RankedPlay, rank_plays};
pub use playout::{PlayoutOptions, Playouts, play_out, play_out_deals};
pub use question::{PlayQuestion, PlayQuestionError};
pub use suit::{
    MAX_SUIT_SAMPLES, SuitAnalysis, SuitCondition, SuitContract, SuitPurpose, SuitQuestion,
    SuitQuestionError,
};
pub use world_set::MAX_WORLDS;
