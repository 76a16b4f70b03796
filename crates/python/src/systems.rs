//! Bidding systems that Python names, and `croupier.check_system`.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use croupier::bidding::check::{self, CheckOptions};
use croupier::bidding::{
    BiddingSystem, BuiltInSystem, ExternalRobot, SYSTEM_NAMES, ScriptSystem, SystemRules,
};
use croupier::script::ScriptSource;
use pyo3::prelude::*;

use crate::arguments::{VulnerabilityArgument, type_error, value_error};
use crate::files::with_name;
use crate::script::{raise, script_error};
use crate::waiting::{Events, Link, wait};

/// Prefix of a system's name that is followed by the command of a robot.
const ROBOT: &str = "robot:";

/// A system that Python names: a built-in one, a file of rules, or the command of a robot.
pub enum ChosenSystem {
    BuiltIn(&'static BuiltInSystem),
    Rules(Box<ScriptSystem>),
    Robot(ExternalRobot),
}

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

/// Reads a file of rules.
fn read_rules(py: Python<'_>, path: &Path) -> PyResult<ScriptSystem> {
    let text = std::fs::read(path).map_err(|error| with_name(error, path))?;
    let source = ScriptSource::new(path.to_string_lossy(), text);
    ScriptSystem::parse(&source)
        .map_err(|errors| script_error(py, &errors).unwrap_or_else(|error| error))
}

impl SystemArgument {
    /// Opens the system; a robot has `seconds` for each call.
    pub fn open(&self, py: Python<'_>, seconds: f64) -> PyResult<ChosenSystem> {
        let name = match self {
            SystemArgument::File(path) => {
                return Ok(ChosenSystem::Rules(read_rules(py, path)?.into()));
            }
            SystemArgument::Name(name) => name,
        };
        if let Some(command) = name.strip_prefix(ROBOT) {
            let limit = Duration::try_from_secs_f64(seconds).map_err(value_error)?;
            let robot = ExternalRobot::new(command, limit).map_err(value_error)?;
            return Ok(ChosenSystem::Robot(robot));
        }
        let system = BuiltInSystem::by_name(name);
        system.map(ChosenSystem::BuiltIn).ok_or_else(|| {
            let path = Path::new(name);
            let is_file = path.extension().is_some() || path.is_file();
            let hint = match is_file {
                true => format!("; to read a file of rules, give its path: Path({name:?})"),
                false => String::new(),
            };
            value_error(format!(
                "there is no system {name:?}; the systems are {}{hint}",
                SYSTEM_NAMES.join(", ")
            ))
        })
    }
}

impl ChosenSystem {
    pub fn system(&self) -> &dyn BiddingSystem {
        match self {
            ChosenSystem::BuiltIn(system) => *system,
            ChosenSystem::Rules(system) => system.as_ref(),
            ChosenSystem::Robot(robot) => robot,
        }
    }

    /// Returns the rules of the system. A robot has none that can be read.
    pub fn rules(&self) -> PyResult<SystemRules<'_>> {
        match self {
            ChosenSystem::BuiltIn(system) => Ok(SystemRules::BuiltIn(system)),
            ChosenSystem::Rules(system) => Ok(SystemRules::Script(system)),
            ChosenSystem::Robot(_) => Err(value_error(format!(
                "the rules of a robot are not known; the systems are {} and files of rules",
                SYSTEM_NAMES.join(", ")
            ))),
        }
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
    let system = read_rules(py, &path)?;
    let other = other.map(|path| read_rules(py, &path)).transpose()?;
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
