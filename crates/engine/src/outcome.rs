//! Input and output of a run: options, the sink of produced deals, the report, errors.

use std::fmt;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use cards::{Deal, Seat, TrickTable, Vulnerability};
use script::plan::{NodeId, Span};
use serde::{Deserialize, Serialize};
use shuffle::ShufflePath;
use usermetrics::UserMetrics;

use crate::auctions::DealAuctions;
use crate::source::SourceError;
use crate::tally::Tally;

/// A time limit of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TimeLimit {
    /// Stop after this time.
    Always(Duration),
    /// Stop after this time if nothing was produced by then (the rule of v1).
    IfNothingProduced(Duration),
}

/// Options of a run.
#[derive(Clone)]
pub struct Options<'a> {
    /// Maximum number of deals to generate.
    pub generate: u64,
    /// Number of accepted deals after which the run ends.
    pub produce: u64,
    /// Progress of earlier parts of the same run: deals with smaller numbers are left out, and both limits count from
    /// the beginning of the whole run.
    pub from: Progress,
    /// Worker threads; 0 means one for each core. Never changes the results.
    pub threads: usize,
    /// Blocks of 1024 deals per unit of work; 0 lets the engine choose. Never changes the results.
    pub batch: usize,
    /// The time limit.
    pub time_limit: Option<TimeLimit>,
    /// A flag that another thread sets to stop the run soon, with the statistics so far.
    pub cancel: Option<&'a Arc<AtomicBool>>,
    /// A function that receives the progress from time to time, on the thread that called [`run`](crate::run).
    pub progress: Option<&'a (dyn Fn(Progress) + Send + Sync)>,
    /// Vulnerability for `par` without an argument.
    pub par_vulnerability: Vulnerability,
    /// The opener, for `opc`.
    pub opener: Seat,
    /// Source of the values of `usereval`; `None` means the built-in metrics.
    pub user_metrics: Option<&'a UserMetrics>,
    /// Source of the auctions of deals, for `bids` and similar functions.
    pub auctions: Option<DealAuctions<'a>>,
    /// Processor path for columns. Never changes the results.
    pub path: ShufflePath,
    /// Whether every produced deal gets its twenty double-dummy results, even if no action needs them.
    pub solve: bool,
    /// Megabytes of memory for the double-dummy solver of each thread. Never changes the results.
    pub solver_memory: u32,
}

impl Default for Options<'_> {
    fn default() -> Self {
        Options {
            generate: 10_000_000,
            produce: u64::MAX,
            from: Progress::default(),
            threads: 0,
            batch: 0,
            time_limit: None,
            cancel: None,
            progress: None,
            par_vulnerability: Vulnerability::None,
            opener: Seat::West,
            user_metrics: None,
            auctions: None,
            path: ShufflePath::fastest(),
            solve: false,
            solver_memory: solver::DEFAULT_MEMORY,
        }
    }
}

/// A deal that satisfied the condition, with the values that the per-deal actions need.
#[derive(Clone, Copy, Debug)]
pub struct ProducedDeal<'a> {
    /// Number of the deal among the generated deals, from 0.
    pub index: u64,
    /// Number of the deal among the produced deals, from 1.
    pub ordinal: u64,
    /// The cards.
    pub deal: Deal,
    /// All double-dummy results, if an action or [`Options::solve`] needs them or the source supplied them.
    pub tricks: Option<TrickTable>,
    /// Values of all actions, one after the other.
    pub(crate) values: &'a [i32],
    /// Where the values of each action begin in `values`, and the end of the last.
    pub(crate) starts: &'a [usize],
}

impl<'a> ProducedDeal<'a> {
    /// Creates a produced deal outside a run. `values` holds the values of all actions, one after the other. `starts`
    /// holds where the values of each action begin, and the end of the last.
    #[must_use]
    pub fn new(
        (index, ordinal): (u64, u64),
        deal: Deal,
        tricks: Option<TrickTable>,
        values: &'a [i32],
        starts: &'a [usize],
    ) -> Self {
        ProducedDeal {
            index,
            ordinal,
            deal,
            tricks,
            values,
            starts,
        }
    }

    /// Returns the values of all actions, one after the other.
    #[must_use]
    pub fn all_values(&self) -> &'a [i32] {
        self.values
    }

    /// Returns the values of the expressions of one action, in the order in which it names them. Empty for actions
    /// without expressions.
    #[must_use]
    pub fn values(&self, action: usize) -> &[i32] {
        match self.starts.get(action..action + 2) {
            Some(&[start, end]) => self.values.get(start..end).unwrap_or_default(),
            _ => &[],
        }
    }
}

/// Progress of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// Deals generated.
    pub generated: u64,
    /// Deals accepted.
    pub produced: u64,
}

/// A receiver of produced deals: called in deal order, on the thread that called [`run`](crate::run).
pub trait Sink {
    /// Returns whether [`Sink::on_deal`] is called for each deal. Runs that only collect statistics are faster without
    /// these calls.
    fn needs_deals(&self) -> bool {
        true
    }

    /// Receives one produced deal. `Break` ends the run after this deal.
    fn on_deal(&mut self, deal: &ProducedDeal<'_>) -> ControlFlow<()>;

    /// Receives the progress from time to time.
    fn on_progress(&mut self, progress: Progress) {
        let _ = progress;
    }

    /// Returns a formatter and a sink of its texts, for a sink that only formats deals as text. It is called before the
    /// first deal. The thread that finds a deal formats it; the texts go to [`Sink::on_text`] of the returned sink in
    /// deal order, and [`Sink::on_deal`] is not called. Some kinds of runs cannot do this and call [`Sink::on_deal`]
    /// all the same.
    fn parallel_formatter(&mut self) -> Option<(&dyn ParallelFormatter, &mut dyn Sink)> {
        None
    }

    /// Receives the text of the next deals, one buffer per output of the formatter. The buffers may be taken. `Break`
    /// ends the run.
    fn on_text(&mut self, texts: &mut [Vec<u8>]) -> ControlFlow<()> {
        let _ = texts;
        ControlFlow::Continue(())
    }
}

/// Formats produced deals as text, on any thread and in any order.
pub trait ParallelFormatter: Sync {
    /// Returns the number of outputs that the text of a deal goes to.
    fn places(&self) -> usize;

    /// Appends the text of a deal to the buffer of each output.
    fn write(&self, texts: &mut [Vec<u8>], deal: &ProducedDeal<'_>);
}

/// A sink for runs that only collect statistics.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoDeals;

impl Sink for NoDeals {
    fn needs_deals(&self) -> bool {
        false
    }

    fn on_deal(&mut self, _: &ProducedDeal<'_>) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}

impl<F: FnMut(&ProducedDeal<'_>) -> ControlFlow<()>> Sink for F {
    fn on_deal(&mut self, deal: &ProducedDeal<'_>) -> ControlFlow<()> {
        self(deal)
    }
}

/// The reason why a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Ended {
    /// Enough deals were produced.
    Produced,
    /// The generate limit was reached.
    Generated,
    /// The source had no more deals.
    Exhausted,
    /// The sink stopped the run.
    Stopped,
    /// The cancel flag was set.
    Cancelled,
    /// The time limit was reached.
    TimedOut,
}

/// The result of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// Deals generated: up to and including the last one that affected the result, as if they were evaluated one by
    /// one.
    pub generated: u64,
    /// Deals accepted.
    pub produced: u64,
    /// The tallies of the actions, in the order of the plan's action list; `None` for printing actions.
    pub tallies: Vec<Option<Tally>>,
    /// Reason why the run ended.
    pub ended: Ended,
    /// Call counts of the expensive functions.
    pub calls: SolverCalls,
}

/// Call count of an expensive function, and how many of the calls were not answered from a cache.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Calls {
    /// Number of calls.
    pub made: u64,
    /// Number of calls that had to compute the value.
    pub computed: u64,
}

impl Calls {
    /// Counts a call; `known` is whether its value was cached.
    pub(crate) fn note(&mut self, known: bool) {
        self.made += 1;
        self.computed += u64::from(!known);
    }
}

impl std::ops::AddAssign for Calls {
    fn add_assign(&mut self, other: Calls) {
        self.made += other.made;
        self.computed += other.computed;
    }
}

/// Call counts of the expensive functions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SolverCalls {
    /// Double-dummy tricks.
    pub tricks: Calls,
    /// Par.
    pub par: u64,
    /// `opc`.
    pub opc: Calls,
    /// `usereval` and `metric`.
    pub user: Calls,
    /// Auctions.
    #[serde(default)]
    pub auctions: Calls,
}

impl std::ops::AddAssign for SolverCalls {
    fn add_assign(&mut self, other: SolverCalls) {
        self.tricks += other.tricks;
        self.par += other.par;
        self.opc += other.opc;
        self.user += other.user;
        self.auctions += other.auctions;
    }
}

/// An error while a deal was evaluated.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum EvaluationError {
    /// Division or remainder by zero (E801).
    DivisionByZero(NodeId),
    /// -2147483648 divided by -1 (E802).
    DivisionOverflow(NodeId),
    /// A user evaluation returned no value.
    User(String),
    /// A robot bid no auction.
    Auction(String),
    /// No robots are given that bid the deals.
    NoRobots,
    /// The time limit was reached or the cancel flag was set before the value was computed.
    Interrupted,
}

impl EvaluationError {
    /// Returns the code of the error in the language's list, if it has one.
    #[must_use]
    pub fn code(&self) -> Option<&'static str> {
        match self {
            EvaluationError::DivisionByZero(_) => Some("E801"),
            EvaluationError::DivisionOverflow(_) => Some("E802"),
            EvaluationError::User(_)
            | EvaluationError::Auction(_)
            | EvaluationError::NoRobots
            | EvaluationError::Interrupted => None,
        }
    }

    /// Returns the node that failed.
    #[must_use]
    pub fn node(&self) -> Option<NodeId> {
        match self {
            EvaluationError::DivisionByZero(node) | EvaluationError::DivisionOverflow(node) => {
                Some(*node)
            }
            EvaluationError::User(_)
            | EvaluationError::Auction(_)
            | EvaluationError::NoRobots
            | EvaluationError::Interrupted => None,
        }
    }
}

impl fmt::Display for EvaluationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            EvaluationError::DivisionByZero(_) => f.write_str("division by zero"),
            EvaluationError::DivisionOverflow(_) => {
                f.write_str("the quotient of -2147483648 and -1 does not fit 32 bits")
            }
            EvaluationError::User(text) | EvaluationError::Auction(text) => f.write_str(text),
            EvaluationError::NoRobots => f.write_str("there are no robots that bid the deal"),
            EvaluationError::Interrupted => f.write_str("interrupted"),
        }
    }
}

impl std::error::Error for EvaluationError {}

/// An error that ended a run.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum RunError {
    /// An expression failed on a deal.
    Evaluation {
        /// The error.
        error: EvaluationError,
        /// Number of the deal, from 1.
        deal: u64,
        /// Cards of the deal.
        cards: Deal,
        /// The place in the script, if the error belongs to one.
        span: Option<Span>,
    },
    /// The source of deals failed.
    Source(SourceError),
}

impl fmt::Display for RunError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RunError::Evaluation {
                error, deal, cards, ..
            } => {
                if let Some(code) = error.code() {
                    write!(f, "error[{code}]: ")?;
                }
                write!(f, "{error} in deal {deal} ({cards})")
            }
            RunError::Source(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for RunError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            RunError::Evaluation { error, .. } => Some(error),
            RunError::Source(error) => Some(error),
        }
    }
}
