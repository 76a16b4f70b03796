//! The entry point: turns a script, the settings that the caller requests and the defaults into a run, and the run into
//! an [`Outcome`].
//!
//! ```
//! use croupier_session::{Job, TableData};
//!
//! let script = "condition hcp(north) >= 15 and shape(north, any 4333 + any 4432 + any 5332)
//!               action average \"spades\" spades(south)";
//! let mut deals = Vec::new();
//! let outcome = Job::new(script).seed(1).produce(100).run(&mut |produced: &croupier_session::ProducedDeal<'_>| {
//!     deals.push(produced.deal);
//!     std::ops::ControlFlow::Continue(())
//! })?;
//! assert_eq!((outcome.produced, deals.len()), (100, 100));
//! let TableData::Average { moments, .. } = &outcome.tables[0].data else { panic!() };
//! assert!((moments.mean().unwrap() - 3.25).abs() < 0.5);
//! # Ok::<(), croupier_session::Error>(())
//! ```
//!
//! A [`Job`] is a request, a [`Session`] is a job whose script has been compiled and whose settings have been merged, a
//! [`Run`] is a session that is dealing, and a [`Partial`] is the result of a part of a run that was split between
//! threads, processes or machines.
//!
//! # Precedence of settings
//!
//! Settings that the caller requests override those of the script, which override the defaults of the dialect (see
//! [`RunSettings`]). Nothing else affects them: no file, no environment, and no clock unless it is requested.

mod clusters;
mod collect;
mod error;
mod evaluate;
mod execution;
mod explain;
mod hand_types;
mod imports;
pub mod interval;
mod job;
mod level;
mod library;
mod outcome;
mod partial;
mod precision;
mod question;
mod resumable;
mod run;
mod session;
mod settings;
mod spec;
mod strata;
mod supply;
mod table;
mod text;
pub mod tournament;

pub use clusters::{ClusterSums, Clustered, Clusters};
pub use collect::{Collected, KeptDeal};
pub use engine::{
    AuctionSource, AverageSums, Calls, DealBidder, Ended, Frequency, Frequency2, NoDeals,
    ProducedDeal, Progress, SamplerUse, Scale, SeriesDeal, Sink, SolverCalls, SourceError,
    TrickCounts,
};
pub use error::{Conflict, Error, LevelError, PartError, SupplyError};
pub use execution::{ExecutionOptions, ProgressFunction};
pub use explain::{Clause, ClauseTrial, DealExplanation, Dealing, Explanation, NamedValue};
pub use hand_types::{HandType, HandTypes};
pub use imports::{BundledImports, FolderImports, NoImports};
pub use job::Job;
pub use level::{ComponentShare, Mixed};
pub use outcome::{ColumnName, Origin, Outcome};
pub use partial::{Part, Partial};
pub use precision::{PreciseAverage, PrecisionResult};
pub use question::{ConditionTester, ScriptProbability};
pub use resumable::{PartState, ResumablePart};
pub use run::Run;
pub use script::plan::Mode;
pub use script::{Diagnostic, FileLoader, LoadError, Loaded, Loader};
pub use session::Session;
pub use settings::{DealLimits, RunSettings, Seed};
pub use shuffle::{Key, Swap};
pub use spec::{DefaultSettings, ImportedText, JobScript, JobSpec, MixedScript, ScriptText};
pub use statistics::precision::{ParsePrecisionError, Precision, PrecisionUnit};
pub use strata::Strata;
pub use supply::{GivenDeals, LibraryBytes, LibraryData, Notice, Supply, SupplySpec};
pub use table::{Table, TableData};
pub use usermetrics::UserMetrics;
