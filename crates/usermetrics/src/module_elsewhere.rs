//! WebAssembly modules in a build that cannot run them.

use std::path::Path;

use crate::{Evaluator, Limits, Request, Results, UserMetricError};

/// A module; this build runs none.
#[derive(Debug)]
pub enum Module {}

/// An instance of a module; there are none.
#[derive(Debug)]
pub enum ModuleInstance {}

impl Module {
    /// Says that modules are not part of this build.
    ///
    /// # Errors
    /// Always.
    pub fn open(path: &Path, _limits: Limits) -> Result<Module, UserMetricError> {
        Err(UserMetricError::CannotOpen {
            path: path.display().to_string(),
            reason: "WebAssembly modules are not part of this build (feature `modules`)".into(),
        })
    }

    /// An instance of it.
    ///
    /// # Errors
    /// None: there is no module.
    pub fn instance(&self) -> Result<ModuleInstance, UserMetricError> {
        match *self {}
    }
}

impl Evaluator for ModuleInstance {
    fn evaluate(&mut self, _request: &Request<'_>) -> Result<Results, UserMetricError> {
        match *self {}
    }
}
