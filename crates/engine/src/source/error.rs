//! Errors of sources of deals.

use std::error::Error;
use std::fmt;
use std::sync::Arc;

/// An error of a source of deals, which ends the run at its place.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum SourceError {
    /// Deals could not be made.
    Failed(Arc<dyn Error + Send + Sync>),
    /// A file or pipe could not be read.
    Unreadable {
        /// Name of the file in messages.
        name: String,
        /// Cause of the error.
        error: Arc<dyn Error + Send + Sync>,
    },
    /// The input is not a deal, for the given reason.
    NotADeal(String),
}

impl SourceError {
    /// Creates the error of deals that could not be made.
    pub fn failed(error: impl Error + Send + Sync + 'static) -> SourceError {
        SourceError::Failed(Arc::new(error))
    }

    /// Creates the error of a file or pipe that could not be read; `name` is its name in messages.
    pub fn unreadable(
        name: impl Into<String>,
        error: impl Error + Send + Sync + 'static,
    ) -> SourceError {
        SourceError::Unreadable {
            name: name.into(),
            error: Arc::new(error),
        }
    }
}

impl fmt::Display for SourceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SourceError::Failed(error) => error.fmt(f),
            SourceError::Unreadable { name, error } => write!(f, "{name}: {error}"),
            SourceError::NotADeal(reason) => f.write_str(reason),
        }
    }
}

impl Error for SourceError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            SourceError::Failed(error) | SourceError::Unreadable { error, .. } => Some(&**error),
            SourceError::NotADeal(_) => None,
        }
    }
}

/// Errors are equal if their messages are: causes of any type cannot be compared.
impl PartialEq for SourceError {
    fn eq(&self, other: &SourceError) -> bool {
        self.to_string() == other.to_string()
    }
}

impl Eq for SourceError {}
