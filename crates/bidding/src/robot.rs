//! The interface of bidding robots.

use std::fmt;

use cards::{Hand, Seat, Vulnerability};
use formats::Call;

use crate::{Auction, AuctionError, Meaning};

/// A position in which a robot has to call.
#[derive(Clone, Copy, Debug)]
pub struct CallPosition<'a> {
    /// The hand of the seat whose turn it is.
    pub hand: Hand,
    /// The calls so far. The auction is not over.
    pub auction: &'a Auction,
    /// Vulnerability of the board.
    pub vulnerability: Vulnerability,
}

impl CallPosition<'_> {
    /// Returns the seat whose turn it is.
    #[must_use]
    pub fn seat(&self) -> Seat {
        self.auction.seat(self.auction.calls().len())
    }
}

/// The requested detail of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Detail {
    /// Only the call.
    Call,
    /// The call and its explanation.
    Explained,
}

/// An answer of a robot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The call.
    pub call: Call,
    /// Meaning of the call. Robots may omit it, and do so if it is not requested.
    pub explanation: Option<CallExplanation>,
}

/// The meaning of a call.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CallExplanation {
    /// The meaning in words, for opponents; empty if there are none.
    pub text: String,
    /// Whether the call is conventional, so that opponents are alerted.
    pub is_alerted: bool,
    /// The hands that the caller's calls up to this one show, if the robot reports them.
    pub meaning: Option<Meaning>,
}

/// A robot of one partnership on one thread.
///
/// Answers depend only on the question, so the boards can be in any order.
pub trait Robot {
    /// Returns the call of the seat whose turn it is.
    ///
    /// # Errors
    /// If the robot cannot answer.
    fn answer(&mut self, question: &CallPosition<'_>, detail: Detail)
    -> Result<Answer, RobotError>;
}

/// A bidding system, which creates robots: one for each partnership and thread.
pub trait BiddingSystem: Send + Sync {
    /// Returns the name of the system, for tables and files.
    fn name(&self) -> &str;

    /// Creates a robot that plays the system.
    ///
    /// # Errors
    /// If it cannot be started.
    fn robot(&self) -> Result<Box<dyn Robot + '_>, RobotError>;
}

impl<T: BiddingSystem + ?Sized> BiddingSystem for &T {
    fn name(&self) -> &str {
        (**self).name()
    }

    fn robot(&self) -> Result<Box<dyn Robot + '_>, RobotError> {
        (**self).robot()
    }
}

/// The reason why a robot gave no legal call.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum RobotError {
    /// The program cannot be started.
    Start {
        /// The command.
        command: String,
        /// The message of the operating system.
        reason: String,
    },
    /// The program did not answer in time.
    TimedOut {
        /// The command.
        command: String,
        /// The time limit in seconds.
        seconds: f64,
    },
    /// The program has ended.
    Ended {
        /// The command.
        command: String,
        /// How the program ended, and the last line of its messages.
        how: String,
    },
    /// The program's line is not an answer.
    InvalidAnswer {
        /// The command.
        command: String,
        /// The beginning of the line.
        line: String,
        /// Reason why the line is not an answer.
        reason: String,
    },
    /// The program reports an error.
    Reported {
        /// The command.
        command: String,
        /// The message.
        message: String,
    },
    /// The call is not legal.
    Illegal {
        /// The name of the system.
        system: String,
        /// The auction before the call.
        auction: String,
        /// The call and its error.
        error: AuctionError,
    },
}

impl fmt::Display for RobotError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RobotError::Start { command, reason } => {
                write!(f, "robot `{command}` cannot be started: {reason}")
            }
            RobotError::TimedOut { command, seconds } => {
                write!(
                    f,
                    "robot `{command}` did not answer within {seconds} seconds"
                )
            }
            RobotError::Ended { command, how } => {
                write!(f, "robot `{command}` ended instead of answering: {how}")
            }
            RobotError::InvalidAnswer {
                command,
                line,
                reason,
            } => write!(
                f,
                "robot `{command}` answered {line:?}: {reason}; expected a line such as {{\"call\":\"1N\"}}"
            ),
            RobotError::Reported { command, message } => {
                write!(f, "robot `{command}` reports: {message}")
            }
            RobotError::Illegal {
                system,
                auction,
                error,
            } => match auction.as_str() {
                "" => write!(f, "{system} made an illegal call: {error}"),
                auction => write!(f, "{system} made an illegal call after {auction}: {error}"),
            },
        }
    }
}

impl std::error::Error for RobotError {}
