//! What can go wrong with a question.

use croupier::session::Error;
use serde::{Deserialize, Serialize};

use crate::check::{self, Diagnostic};

/// Whose fault it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "kebab-case")]
pub enum ProblemKind {
    /// The question makes no sense.
    Request,
    /// The script has errors; they are in `diagnostics`.
    Script,
    /// The question asks for more than is allowed here.
    Limit,
    /// The work could not be done.
    Run,
    /// The server has too much to do just now.
    Busy,
}

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Problem {
    /// Whose fault it is.
    pub kind: ProblemKind,
    /// What is wrong, and what would be right.
    pub message: String,
    /// The messages about a script.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub diagnostics: Vec<Diagnostic>,
}

impl Problem {
    fn new(kind: ProblemKind, message: impl Into<String>) -> Problem {
        Problem {
            kind,
            message: message.into(),
            diagnostics: Vec::new(),
        }
    }

    /// The question makes no sense.
    pub fn request(message: impl Into<String>) -> Problem {
        Problem::new(ProblemKind::Request, message)
    }

    /// The question is too big.
    pub fn limit(message: impl Into<String>) -> Problem {
        Problem::new(ProblemKind::Limit, message)
    }

    /// The work failed.
    pub fn run(message: impl Into<String>) -> Problem {
        Problem::new(ProblemKind::Run, message)
    }

    /// Too much is going on.
    pub fn busy(message: impl Into<String>) -> Problem {
        Problem::new(ProblemKind::Busy, message)
    }

    /// Nobody waits for the answer any more.
    pub fn cancelled() -> Problem {
        Problem::limit("stopped before the answer was found")
    }

    /// An error of a session as the page shows it.
    #[must_use]
    pub fn of_session(script: &str, error: Error) -> Problem {
        match error {
            Error::Script(list) => {
                let list = list.iter().map(|it| check::diagnostic(script, it));
                Problem::script(list.collect())
            }
            Error::Conflict(_) | Error::Level(_) => Problem::request(error.to_string()),
            other => Problem::run(other.to_string()),
        }
    }

    /// The script has these errors.
    pub fn script(diagnostics: Vec<Diagnostic>) -> Problem {
        let first = diagnostics
            .first()
            .map_or("the script has errors", |first| first.message.as_str());
        Problem {
            diagnostics: diagnostics.clone(),
            ..Problem::new(ProblemKind::Script, first)
        }
    }
}

impl std::fmt::Display for Problem {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Problem {}
