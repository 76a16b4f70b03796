//! `croupier.scenarios` and `croupier.scenario`: the bundled scripts for practice.

use croupier::scenarios::{Bundle, SCENARIOS, by_name};
use croupier::session::Job;
use pyo3::prelude::*;

use crate::arguments::value_error;
use crate::script::Script;

/// Name, title, group, description and probability of a scenario.
type ScenarioRow = (&'static str, &'static str, &'static str, String, f64);

/// Returns the bundled scenarios.
#[pyfunction]
pub fn scenario_list() -> Vec<ScenarioRow> {
    let row = |it: &croupier::scenarios::Scenario| {
        (
            it.name,
            it.title(),
            it.group,
            it.description(),
            it.probability,
        )
    };
    SCENARIOS.iter().map(row).collect()
}

/// Returns the script of a bundled scenario.
#[pyfunction]
pub fn scenario_script(py: Python<'_>, name: &str) -> PyResult<Script> {
    let scenario = by_name(name).ok_or_else(|| {
        value_error(format!(
            "there is no scenario {name:?}; croupier.scenarios() lists them"
        ))
    })?;
    let job = Job::new(scenario.script)
        .name(scenario.file_name())
        .imports(Bundle);
    Script::read(py, job, scenario.script.to_owned(), None)
}
