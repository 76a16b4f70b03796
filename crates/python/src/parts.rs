//! Parts of a run: `Job.part` computes one on any machine, `Partial.merged` merges them, `Partial.outcome` gives the
//! result of the run.

use pyo3::prelude::*;

use crate::arguments::value_error;
use crate::job::{Job, names};
use crate::kept::{Collector, Kept};
use crate::outcome::Outcome;
use crate::script::raise;
use crate::waiting::{Events, Link, wait};

/// The result of some parts of a run. Parts of a job can be merged in any order and grouping; all parts together give
/// exactly the result of the whole run.
#[pyclass(module = "croupier", frozen)]
pub struct Partial(pub croupier::session::Partial);

#[pymethods]
impl Partial {
    /// Reads the text of a file of `dealer --shard --partial`, or of `to_json`.
    #[staticmethod]
    fn from_json(text: &str) -> PyResult<Partial> {
        let parsed = serde_json::from_str(text).map(Partial);
        parsed.map_err(|error| value_error(format!("not a part of a run: {error}")))
    }

    /// Returns the parts as text, for a file.
    fn to_json(&self) -> PyResult<String> {
        serde_json::to_string(&self.0).map_err(value_error)
    }

    /// Ranges of deal numbers, each with the number of deals produced.
    #[getter]
    fn ranges(&self) -> Vec<(u64, u64, u64)> {
        self.0
            .parts
            .iter()
            .map(|part| (part.first, part.last, part.produced))
            .collect()
    }

    /// Whether an expression failed on a deal of these parts.
    #[getter]
    fn fails(&self) -> bool {
        self.0.parts.iter().any(|part| part.ended.is_none())
    }

    /// Identifier that all parts of one run share.
    #[getter]
    fn fingerprint(&self) -> String {
        self.0.fingerprint.clone()
    }

    /// The job of the whole run.
    #[getter]
    fn job(&self) -> Job {
        Job {
            spec: self.0.job.clone(),
            threads: 0,
            given: None,
        }
    }

    /// Merges parts.
    #[staticmethod]
    fn merged(parts: Vec<Bound<'_, Partial>>) -> PyResult<Partial> {
        let parts = parts.iter().map(|part| part.get().0.clone());
        croupier::session::Partial::merge_all(parts)
            .map(Partial)
            .map_err(value_error)
    }

    /// Returns the result of the whole run. Parts after the last required deal may be missing, others may not.
    #[pyo3(signature = (threads=0))]
    fn outcome(&self, py: Python<'_>, threads: usize) -> PyResult<(Outcome, Option<Kept>)> {
        let link = Link::default();
        let partial = self.0.clone();
        let keep = partial.keeps_deals;
        let job = croupier::session::Job::from_spec(partial.job.clone());
        let session = crate::auctions::with_robots(job)
            .threads(threads)
            .prepare()
            .map_err(|error| raise(py, &error))?;
        let names = names(session.plan());
        let mut collector = Collector::new(names.len(), session.plan().actions.len(), keep, &link);
        let execution = session.execution().clone();
        let work = move |_: &Events<(), _>| {
            let outcome = partial.outcome_with(execution, &mut collector);
            (outcome, collector)
        };
        let (outcome, collector) = wait(py, &link, None, work, |()| Ok(()))?;
        let outcome = outcome.map_err(|error| raise(py, &error))?;
        let rows = collector.finish()?;
        let kept = keep.then(|| Kept::new(rows, names, &[])).transpose()?;
        Ok((Outcome(outcome), kept))
    }

    fn __repr__(&self) -> String {
        let deals: u64 = self.0.parts.iter().map(|part| part.last - part.first).sum();
        format!(
            "<croupier.Partial: {} parts, {deals} deals>",
            self.0.parts.len()
        )
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, (String,))> {
        Ok((
            slf.get_type().getattr("from_json")?,
            (slf.get().to_json()?,),
        ))
    }
}
