//! Placeholders for WebAssembly modules in builds without the feature `modules`.

use std::path::Path;

use crate::{Evaluator, MetricRequest, MetricResults, ProgramLimits, UserMetricError};

/// A module. No value of this type exists in this build.
#[derive(Debug)]
pub enum Module {}

/// An instance of a module. No value of this type exists in this build.
#[derive(Debug)]
pub enum ModuleInstance {}

impl Module {
    /// Returns an error: this build cannot run modules.
    ///
    /// # Errors
    /// Always.
    pub fn open(path: &Path, _limits: ProgramLimits) -> Result<Module, UserMetricError> {
        Err(UserMetricError::CannotOpen {
            path: path.display().to_string(),
            reason: "WebAssembly modules are not part of this build (feature `modules`)".into(),
        })
    }

    /// Creates an instance.
    ///
    /// # Errors
    /// Never; no module exists in this build.
    pub fn instance(&self) -> Result<ModuleInstance, UserMetricError> {
        match *self {}
    }
}

impl Evaluator for ModuleInstance {
    fn evaluate(&mut self, _request: &MetricRequest<'_>) -> Result<MetricResults, UserMetricError> {
        match *self {}
    }
}
