//! Errors of requests.

use croupier::session::Error;
use serde::{Deserialize, Serialize};

use crate::check::{self, Diagnostic};

/// Class of an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "kebab-case")]
pub enum RequestErrorKind {
    /// The request is invalid.
    Request,
    /// The script has errors; they are in `diagnostics`.
    Script,
    /// The request exceeds a limit.
    Limit,
    /// The work failed.
    Run,
    /// The server is busy.
    Busy,
}

/// Error of a request.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct RequestError {
    /// Class of the error.
    pub kind: RequestErrorKind,
    /// Message: what is wrong, and what would be right.
    pub message: String,
    /// Messages about a script.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub diagnostics: Vec<Diagnostic>,
}

impl RequestError {
    fn new(kind: RequestErrorKind, message: impl Into<String>) -> RequestError {
        RequestError {
            kind,
            message: message.into(),
            diagnostics: Vec::new(),
        }
    }

    /// Creates an error for an invalid request.
    pub fn request(message: impl Into<String>) -> RequestError {
        RequestError::new(RequestErrorKind::Request, message)
    }

    /// Creates an error for a request that exceeds a limit.
    pub fn limit(message: impl Into<String>) -> RequestError {
        RequestError::new(RequestErrorKind::Limit, message)
    }

    /// Creates an error for work that failed.
    pub fn run(message: impl Into<String>) -> RequestError {
        RequestError::new(RequestErrorKind::Run, message)
    }

    /// Creates an error of a busy server.
    pub fn busy(message: impl Into<String>) -> RequestError {
        RequestError::new(RequestErrorKind::Busy, message)
    }

    /// Creates an error for cancelled work.
    pub fn cancelled() -> RequestError {
        RequestError::limit("stopped before the answer was found")
    }

    /// Converts an error of a session.
    #[must_use]
    pub fn of_session(script: &str, error: Error) -> RequestError {
        match error {
            Error::Script(list) => {
                let list = list.iter().map(|it| check::diagnostic(script, it));
                RequestError::script(list.collect())
            }
            Error::Conflict(_) | Error::Level(_) => RequestError::request(error.to_string()),
            other => RequestError::run(other.to_string()),
        }
    }

    /// Creates an error for a script with these messages.
    pub fn script(diagnostics: Vec<Diagnostic>) -> RequestError {
        let first = diagnostics
            .first()
            .map_or("the script has errors", |first| first.message.as_str());
        RequestError {
            diagnostics: diagnostics.clone(),
            ..RequestError::new(RequestErrorKind::Script, first)
        }
    }
}

impl std::fmt::Display for RequestError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for RequestError {}
