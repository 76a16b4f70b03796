//! Evaluation servers where their protocol, which is one of Linux, does not exist.

use std::path::Path;

use crate::{Evaluator, Limits, Request, Results, UserMetricError};

/// An evaluation server; there are none on this system.
#[derive(Debug)]
pub enum Server {}

impl Server {
    /// Says that servers need Linux.
    ///
    /// # Errors
    /// Always.
    pub fn start(path: &Path, _limits: Limits) -> Result<Server, UserMetricError> {
        Err(UserMetricError::CannotOpen {
            path: path.display().to_string(),
            reason: "evaluation servers run on Linux only; a WebAssembly module runs everywhere"
                .into(),
        })
    }

    /// There is none.
    pub fn log(&self) -> Option<&Path> {
        match *self {}
    }
}

impl Evaluator for Server {
    fn evaluate(&mut self, _request: &Request<'_>) -> Result<Results, UserMetricError> {
        match *self {}
    }
}
