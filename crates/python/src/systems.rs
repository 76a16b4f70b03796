//! Bidding systems that Python names, and `croupier.check_system`.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use croupier::bidding::check::{self, CheckOptions};
use croupier::bidding::{
    OpenRules, OpenSystems, SYSTEM_NAMES, SystemError, SystemName, read_system,
};
use pyo3::prelude::*;

use crate::arguments::{VulnerabilityArgument, type_error, value_error};
use crate::files::with_name;
use crate::script::{raise, script_error};
use crate::waiting::{Events, Link, wait};

/// Name of a system: a text, or a path of a file of rules.
pub enum SystemArgument {
    Name(String),
    File(PathBuf),
}

impl<'a, 'py> FromPyObject<'a, 'py> for SystemArgument {
    type Error = PyErr;

    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        if let Ok(name) = object.extract::<String>() {
            return Ok(SystemArgument::Name(name));
        }
        let path = object.extract::<PathBuf>();
        path.map(SystemArgument::File)
            .map_err(|_| type_error("the name of a system or a path", &object))
    }
}

impl SystemArgument {
    /// Returns the name of the system. A text names no file, so that a misspelt name is an error.
    pub fn name(&self) -> PyResult<SystemName> {
        let name = match self {
            SystemArgument::File(path) => return Ok(SystemName::File(path.clone())),
            SystemArgument::Name(name) => name,
        };
        let hint = match SystemName::parse(name) {
            Ok(SystemName::File(_)) => {
                format!("; to read a file of rules, give its path: Path({name:?})")
            }
            Ok(system) => return Ok(system),
            Err(_) => String::new(),
        };
        Err(value_error(format!(
            "there is no system {name:?}; the systems are {}{hint}",
            SYSTEM_NAMES.join(", ")
        )))
    }

    /// Returns the rules of the system. A robot has none that can be read.
    pub fn rules(&self, py: Python<'_>) -> PyResult<OpenRules> {
        self.name()?
            .rules()
            .map_err(|error| raise_system(py, error))
    }
}

/// Opens the systems of North-South and East-West; a robot has `seconds` for each call.
pub fn open_systems(
    py: Python<'_>,
    [north_south, east_west]: [&SystemArgument; 2],
    seconds: f64,
) -> PyResult<OpenSystems> {
    let limit = Duration::try_from_secs_f64(seconds).map_err(value_error)?;
    let names = [&north_south.name()?, &east_west.name()?];
    OpenSystems::new(names, limit).map_err(|error| raise_system(py, error))
}

/// Returns the exception of a system that cannot be used.
fn raise_system(py: Python<'_>, error: SystemError) -> PyErr {
    match error {
        SystemError::Read { path, error } => with_name(error, &path),
        SystemError::Script { errors, .. } => {
            script_error(py, &errors).unwrap_or_else(|error| error)
        }
        error => value_error(error),
    }
}

/// Checks a system, or compares it with another version. Returns the report as JSON, as text, and as a page.
#[pyfunction]
#[pyo3(signature = (path, other, vulnerable, deals, seed, count_seconds, examples, points, threads, progress=None))]
#[expect(clippy::too_many_arguments, reason = "they are arguments in Python")]
pub fn check_system(
    py: Python<'_>,
    path: PathBuf,
    other: Option<PathBuf>,
    vulnerable: VulnerabilityArgument,
    deals: u64,
    seed: i64,
    count_seconds: f64,
    examples: usize,
    points: usize,
    threads: usize,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<(String, String, Option<String>)> {
    let read = |path: PathBuf| read_system(&path).map_err(|error| raise_system(py, error));
    let system = read(path)?;
    let other = other.map(read).transpose()?;
    let link = Link::default();
    let options = CheckOptions {
        vulnerability: vulnerable.0,
        deals,
        seed,
        count_seconds,
        examples,
        points,
        threads,
        cancel: Arc::clone(&link.cancel),
    };
    let shared = link.clone();
    let work = move |_: &Events<(), _>| {
        let done = |number: usize, _: &str| shared.set_done(number as u64 + 1);
        match other {
            None => {
                let report = check::check(&system, &options, done)?;
                Ok((report.json(), report.text(), Some(report.html())))
            }
            Some(other) => {
                let report = check::differences([&system, &other], &options, done)?;
                Ok((report.json(), report.text(), None))
            }
        }
    };
    let found = wait(py, &link, progress, work, |()| Ok(()))?;
    found.map_err(|error| raise(py, &error))
}
