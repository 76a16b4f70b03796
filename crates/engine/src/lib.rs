//! Runs a plan over blocks of deals.
//!
//! Deals flow one way: a [`DealSource`] fills blocks of 1024, columns over the block select the deals that satisfy the
//! condition, the produced deals go to a [`Sink`] in order, and averages and frequencies are collected exactly. This
//! crate starts the threads of a run, and no result depends on their number.
//!
//! To run a script with all its settings, use the crate `session`. This crate leaves the settings to the caller:
//!
//! ```
//! use croupier_engine::{RunDeals, FastSource, NoDeals, Options, Tally, run};
//! use shuffle::{FastDealer, Key, Predeal};
//!
//! let text = "condition hcp(north) >= 15 and shape(north, any 4333 + any 4432 + any 5332)
//!             predeal south SA produce 10000
//!             action average \"spades\" spades(south)";
//! let (plan, _) = script::compile(&script::ScriptSource::new("1nt.dl", text), &Default::default()).unwrap();
//!
//! let predeal = Predeal::new(plan.predeal).unwrap();
//! let source = FastSource::new(FastDealer::new(Key::from_seed(1), &predeal));
//! let produce = plan.settings.produce.unwrap_or(u64::MAX);
//! let options = Options { generate: 1_000_000, produce, ..Options::default() };
//! let report = run(&plan, RunDeals::Blocks(&source), &options, &mut NoDeals).unwrap();
//!
//! assert_eq!(report.produced, 10_000);
//! let Some(Tally::Average(spades)) = &report.tallies[0] else { panic!() };
//! assert!(spades.mean().unwrap() > 3.6); // the ace, and its share of the others
//! ```
//!
//! [`explain_deal`] evaluates a plan on a single deal, which also defines every value:
//!
//! ```
//! use croupier_engine::{Options, explain_deal};
//!
//! let text = "points = hcp(north)  condition points > 15 and hearts(north) == 3";
//! let (plan, _) = script::compile(&script::ScriptSource::new("", text), &Default::default()).unwrap();
//! let deal = "N:AKJ.KQJ.A9873.Q9 QT.T75.QT6.JT843 98642.842.52.652 753.A963.KJ4.AK7".parse().unwrap();
//! let explained = explain_deal(&plan, &deal, None, &Options::default());
//! assert_eq!(explained.variables[0].value, Ok(20));
//! assert!(explained.is_accepted());
//! ```

mod action_inputs;
mod analysis;
mod auctions;
pub mod batch;
mod chances;
mod explain;
pub mod mixture;
mod outcome;
pub mod parallel;
mod prepared;
pub mod reference;
mod run;
mod sampled;
mod scalar;
mod source;
mod tally;
mod user;

pub use action_inputs::value_starts;
pub use analysis::Analysis;
pub use auctions::{AuctionSource, DealAuctions, DealBidder};
pub use chances::{
    Bin, ChancesError, ExactAverage, ExactTable, ExactTallies, Probability, Trial, chances,
    estimated,
};
pub use explain::{
    ClauseCount, ClauseSample, DealExplained, Evaluated, explain_deal, sample_clauses,
};
pub use outcome::{
    Calls, Ended, EvaluationError, NoDeals, Options, ParallelFormatter, ProducedDeal, Progress,
    Report, RunError, Sink, SolverCalls, TimeLimit,
};
pub use prepared::PreparedPlan;
pub use run::{RunDeals, counts_produced, run};
pub use sampled::{PredealtLengthsError, SampledSource, SamplerDecision, SamplerUse};
pub use sampling::Count;
pub use scalar::{DealFacts, Machine, NoRandom, Program, Randomness};
pub use source::{
    Batch, DealSource, FastSource, SeriesDeal, SeriesSource, SourceError, TournamentSource,
};
pub use tally::{AverageSums, Frequency, Frequency2, Scale, Tally, TrickCounts};
