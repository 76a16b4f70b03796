//! Runs a plan over blocks of deals.

mod analysis;
pub mod batch;
pub mod mixture;
mod outcome;
pub mod parallel;
mod prepared;
mod run;
mod sampled;
mod scalar;
mod source;
mod tally;
mod user;
mod wanted;

pub use analysis::Analysis;
pub use outcome::{
    Ended, EvaluationError, NoDeals, Options, ProducedDeal, Progress, Report, RunError, Sink,
    TimeLimit,
};
pub use prepared::Prepared;
pub use run::{Deals, run};
pub use sampled::{Decision, SampledSource, SamplerUse};
pub use scalar::{DealFacts, Machine, NoRandom, Program, Randomness};
pub use source::{Batch, FastSource, SeriesDeal, SeriesSource, Source, TournamentSource};
pub use tally::{Average, Frequency, Frequency2, Scale, Tally, TrickCounts};
