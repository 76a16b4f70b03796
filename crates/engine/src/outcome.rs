//! What a run is told and what it gives back: options, the sink of produced deals, the report, errors.

use std::fmt;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use cards::{Deal, Seat, TrickTable, Vulnerability};
use script::plan::{NodeId, Span};
use serde::{Deserialize, Serialize};
use shuffle::Path;
use usermetrics::UserMetrics;

use crate::tally::Tally;

/// When a run may be cut short by the clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TimeLimit {
    /// Stop after this time.
    Always(Duration),
    /// Stop after this time if nothing was produced by then (the rule of v1).
    IfNothingProduced(Duration),
}

/// How to run a plan.
#[derive(Clone)]
pub struct Options<'a> {
    /// At most so many deals are looked at.
    pub generate: u64,
    /// The run ends with this many accepted deals.
    pub produce: u64,
    /// What earlier parts of the same run have done: deals with smaller numbers are left out, and both limits
    /// count from the beginning of the whole run.
    pub from: Progress,
    /// Worker threads; 0 means one for each core. Never changes the results.
    pub threads: usize,
    /// Blocks of 1024 deals a worker takes at a time; 0 lets the engine choose. Never changes the results.
    pub batch: usize,
    /// Stop by the clock.
    pub time_limit: Option<TimeLimit>,
    /// Stop soon after this becomes true, with the statistics so far.
    pub cancel: Option<&'a Arc<AtomicBool>>,
    /// Vulnerability of `par` without one.
    pub vulnerability: Vulnerability,
    /// Who opens, for `opc`.
    pub opener: Seat,
    /// Where `usereval` gets its values from; nothing means the built-in metrics.
    pub user_metrics: Option<&'a UserMetrics>,
    /// How columns are computed. Never changes the results.
    pub path: Path,
    /// Give every produced deal its twenty double-dummy results, also if no action asks for them.
    pub solve: bool,
    /// Megabytes that each thread's double-dummy solver may use. Never changes the results.
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
            vulnerability: Vulnerability::None,
            opener: Seat::West,
            user_metrics: None,
            path: Path::fastest(),
            solve: false,
            solver_memory: solver::DEFAULT_MEMORY,
        }
    }
}

/// A deal that satisfied the condition, with what the per-deal actions want to know about it.
#[derive(Clone, Copy, Debug)]
pub struct ProducedDeal<'a> {
    /// Its number among the deals looked at, from 0.
    pub index: u64,
    /// Its number among the produced deals, from 1.
    pub ordinal: u64,
    /// The cards.
    pub deal: Deal,
    /// All double-dummy results, if an action (or [`Options::solve`]) asks for them or the source stored them.
    pub tricks: Option<TrickTable>,
    /// Values of all actions, one after the other.
    pub(crate) values: &'a [i32],
    /// Where in `values` each action's begin; one entry more than actions.
    pub(crate) starts: &'a [usize],
}

impl<'a> ProducedDeal<'a> {
    /// A produced deal from elsewhere: `values` holds the values of all actions, one after the other, and `starts`
    /// says where each action's begin; it has one entry more than there are actions.
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

    /// The values of all actions, one after the other.
    #[must_use]
    pub fn all_values(&self) -> &'a [i32] {
        self.values
    }

    /// The values of the expressions of one action, in the order in which it names them. Empty for actions
    /// without expressions.
    #[must_use]
    pub fn values(&self, action: usize) -> &[i32] {
        match self.starts.get(action..action + 2) {
            Some(&[start, end]) => self.values.get(start..end).unwrap_or_default(),
            _ => &[],
        }
    }
}

/// How far a run has come.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// Deals looked at.
    pub generated: u64,
    /// Deals accepted.
    pub produced: u64,
}

/// Where the produced deals go: called in deal order, on the thread that called [`run`](crate::run).
pub trait Sink {
    /// Whether [`Sink::on_deal`] wants to be called at all. Runs that only collect are faster without.
    fn wants_deals(&self) -> bool {
        true
    }

    /// One produced deal. `Break` ends the run after this deal.
    fn on_deal(&mut self, deal: &ProducedDeal<'_>) -> ControlFlow<()>;

    /// Called now and then.
    fn on_progress(&mut self, progress: Progress) {
        let _ = progress;
    }

    /// For a sink that makes nothing of the deals but text: who writes, on whatever thread found the deal, and who
    /// takes the texts, in deal order. It is asked before the first deal; then the texts go to [`Sink::on_text`] of
    /// the second one, and [`Sink::on_deal`] is not called. Not every kind of run can do so: some hand over deals
    /// all the same.
    fn scribe(&mut self) -> Option<(&dyn Scribe, &mut dyn Sink)> {
        None
    }

    /// What the scribe wrote of the next stretch of deals, a text for each of its places. The buffers may be taken.
    /// `Break` ends the run.
    fn on_text(&mut self, texts: &mut [Vec<u8>]) -> ControlFlow<()> {
        let _ = texts;
        ControlFlow::Continue(())
    }
}

/// Makes text of produced deals, on any thread and in any order.
pub trait Scribe: Sync {
    /// How many places the text of a deal goes to.
    fn places(&self) -> usize;

    /// Appends the text of a deal, to each place its own.
    fn write(&self, texts: &mut [Vec<u8>], deal: &ProducedDeal<'_>);
}

/// A sink for runs that only collect.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoDeals;

impl Sink for NoDeals {
    fn wants_deals(&self) -> bool {
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

/// Why a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Ended {
    /// Enough deals were produced.
    Produced,
    /// The generate limit was reached.
    Generated,
    /// The source had no more deals.
    Exhausted,
    /// The sink wanted no more.
    Stopped,
    /// The cancel flag was set.
    Cancelled,
    /// The time was up.
    TimedOut,
}

/// The result of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// Deals looked at: up to and including the last one that mattered, exactly as if done one by one.
    pub generated: u64,
    /// Deals accepted.
    pub produced: u64,
    /// What the actions collected, in the order of the plan's action list; nothing for printing actions.
    pub tallies: Vec<Option<Tally>>,
    /// Why it ended.
    pub ended: Ended,
    /// How often the expensive functions were asked.
    pub calls: SolverCalls,
}

/// How often something expensive was asked for, and how often it had to be worked out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Calls {
    /// Questions.
    pub asked: u64,
    /// Questions whose answer was not known already.
    pub worked: u64,
}

impl Calls {
    /// Notes a question, and whether its answer was known.
    pub(crate) fn note(&mut self, known: bool) {
        self.asked += 1;
        self.worked += u64::from(!known);
    }
}

impl std::ops::AddAssign for Calls {
    fn add_assign(&mut self, other: Calls) {
        self.asked += other.asked;
        self.worked += other.worked;
    }
}

/// How often the expensive functions were asked and how often they had to work.
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
}

impl std::ops::AddAssign for SolverCalls {
    fn add_assign(&mut self, other: SolverCalls) {
        self.tricks += other.tricks;
        self.par += other.par;
        self.opc += other.opc;
        self.user += other.user;
    }
}

/// What went wrong while a deal was evaluated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EvaluationError {
    /// Division or remainder by zero (E801).
    DivisionByZero(NodeId),
    /// -2147483648 divided by -1 (E802).
    DivisionOverflow(NodeId),
    /// A user evaluation gave no value.
    User(String),
    /// The time was up or the cancel flag was set before the value was known.
    Interrupted,
}

impl EvaluationError {
    /// The class of the error in the language's list, if it has one.
    #[must_use]
    pub fn code(&self) -> Option<&'static str> {
        match self {
            EvaluationError::DivisionByZero(_) => Some("E801"),
            EvaluationError::DivisionOverflow(_) => Some("E802"),
            EvaluationError::User(_) | EvaluationError::Interrupted => None,
        }
    }

    /// The node at which it happened.
    #[must_use]
    pub fn node(&self) -> Option<NodeId> {
        match self {
            EvaluationError::DivisionByZero(node) | EvaluationError::DivisionOverflow(node) => {
                Some(*node)
            }
            EvaluationError::User(_) | EvaluationError::Interrupted => None,
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
            EvaluationError::User(text) => f.write_str(text),
            EvaluationError::Interrupted => f.write_str("interrupted"),
        }
    }
}

impl std::error::Error for EvaluationError {}

/// Why a run could not be finished.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RunError {
    /// An expression failed on a deal.
    Evaluation {
        /// What happened.
        error: EvaluationError,
        /// Number of the deal, from 1.
        deal: u64,
        /// Its cards.
        cards: Deal,
        /// Where in the script, if it is about one place there.
        span: Option<Span>,
    },
    /// The source of deals failed.
    Source(String),
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
            RunError::Source(text) => f.write_str(text),
        }
    }
}

impl std::error::Error for RunError {}
