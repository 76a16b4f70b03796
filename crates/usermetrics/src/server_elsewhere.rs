//! Placeholders for evaluation servers on systems other than Linux.

use std::path::Path;

use crate::{Evaluator, MetricRequest, MetricResults, ProgramLimits, UserMetricError};

/// An evaluation server. No value of this type exists on this system.
#[derive(Debug)]
pub enum Server {}

impl Server {
    /// Returns an error: servers need Linux.
    ///
    /// # Errors
    /// Always.
    pub fn start(path: &Path, _limits: ProgramLimits) -> Result<Server, UserMetricError> {
        Err(UserMetricError::CannotOpen {
            path: path.display().to_string(),
            reason: "evaluation servers run on Linux only; a WebAssembly module runs everywhere"
                .into(),
        })
    }

    /// Returns the file of the server's messages. Never called: no server exists on this system.
    pub fn log(&self) -> Option<&Path> {
        match *self {}
    }
}

impl Evaluator for Server {
    fn evaluate(&mut self, _request: &MetricRequest<'_>) -> Result<MetricResults, UserMetricError> {
        match *self {}
    }
}
