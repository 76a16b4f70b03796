//! `croupier.probability`: exact counts, and trials of what cannot be counted.

use std::sync::Arc;

use pyo3::prelude::*;

use crate::arguments::value_error;
use crate::script::{DealError, Script, raise};
use crate::waiting::{Events, Link, wait};

/// How many deals satisfy what can be counted, of how many; and, if something was left out, of the deals tried how
/// many satisfy that too.
type Found = (u128, u128, Option<(u64, u64)>);

/// Counts out the condition of a script; what cannot be counted is tried on `samples` deals.
#[pyfunction]
pub fn count(
    py: Python<'_>,
    script: &Bound<'_, Script>,
    samples: u64,
    seed: i64,
) -> PyResult<Found> {
    let link = Link::default();
    let job = croupier::session::Job::from_spec(script.get().spec.clone())
        .seed(seed)
        .cancel(Arc::clone(&link.cancel));
    let session = py
        .detach(|| job.prepare())
        .map_err(|error| raise(py, &error))?;
    if samples == 0 {
        return Err(value_error("at least one deal must be tried"));
    }
    let work = move |_: &Events<(), _>| {
        let found = session.probability(samples);
        found.map_err(|error| error.to_string())
    };
    let answer = wait(py, &link, None, work, |()| Ok(()))?;
    let chances = answer.map_err(DealError::new_err)?;
    let trial = chances.trial.map(|trial| (trial.passed, trial.tried));
    Ok((chances.bound.hits(), chances.bound.out_of(), trial))
}
