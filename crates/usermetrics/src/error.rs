//! Errors of user-defined metrics.

use std::fmt;
use std::time::Duration;

use valuation::metrics::MetricError;

/// An error of a user's metric. Every message names the program or module.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum UserMetricError {
    /// No built-in metric has this tag.
    Metric(MetricError),
    /// The tag is negative. Negative tags are reserved: they stop a server.
    NegativeTag(i32),
    /// The file could not be read or run.
    CannotOpen {
        /// The file.
        path: String,
        /// The reason.
        reason: String,
    },
    /// The file is not a WebAssembly module with the right interface.
    BadModule {
        /// The file.
        path: String,
        /// The reason.
        reason: String,
    },
    /// The module stopped with a trap.
    Trapped {
        /// The module.
        path: String,
        /// Name of the trap.
        reason: String,
    },
    /// The module executed more steps than its limit.
    OutOfFuel {
        /// The module.
        path: String,
        /// The limit.
        steps: u64,
    },
    /// The evaluation took longer than its limit.
    TimeOut {
        /// The program or module.
        path: String,
        /// The limit.
        limit: Duration,
    },
    /// The module has no metric with this tag.
    Refused {
        /// The module.
        path: String,
        /// The tag.
        tag: i32,
        /// The returned value, which is not a valid number of results.
        code: i32,
    },
    /// The server ended before it answered.
    Ended {
        /// The program.
        path: String,
        /// Exit status or signal of the program.
        status: String,
    },
    /// The server broke the protocol.
    BadReply {
        /// The program.
        path: String,
        /// A description of the violation.
        reason: String,
    },
}

impl fmt::Display for UserMetricError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            UserMetricError::Metric(error) => error.fmt(f),
            UserMetricError::NegativeTag(tag) => {
                write!(
                    f,
                    "the tag {tag} would stop an evaluation server; tags start at 0"
                )
            }
            UserMetricError::CannotOpen { path, reason } => write!(f, "{path}: {reason}"),
            UserMetricError::BadModule { path, reason } => {
                write!(f, "{path}: not a metric module: {reason}")
            }
            UserMetricError::Trapped { path, reason } => {
                write!(f, "{path}: the module stopped: {reason}")
            }
            UserMetricError::OutOfFuel { path, steps } => {
                write!(
                    f,
                    "{path}: the module made more than {steps} steps in one evaluation"
                )
            }
            UserMetricError::TimeOut { path, limit } => {
                write!(
                    f,
                    "{path}: no answer within {} seconds",
                    limit.as_secs_f64()
                )
            }
            UserMetricError::Refused { path, tag, code } => {
                write!(
                    f,
                    "{path}: the module does not know the tag {tag} (it returned {code}), and no built-in metric has it"
                )
            }
            UserMetricError::Ended { path, status } => {
                write!(
                    f,
                    "{path}: the evaluation server ended before it answered ({status})"
                )
            }
            UserMetricError::BadReply { path, reason } => {
                write!(
                    f,
                    "{path}: the evaluation server broke the protocol: {reason}"
                )
            }
        }
    }
}

impl std::error::Error for UserMetricError {}
