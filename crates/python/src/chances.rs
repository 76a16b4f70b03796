//! `croupier.probability`: exact counts, and trials of conditions that cannot be counted.

use std::sync::Arc;

use pyo3::prelude::*;

use crate::arguments::{SeatArgument, value_error};
use crate::hand::HandArgument;
use crate::script::{DealError, Script, raise};
use crate::waiting::{Events, Link, wait};

/// Number of deals that satisfy the counted part of the condition, and number of all deals. If a part cannot be
/// counted: number of tried deals that satisfy it, and number of deals tried.
type Found = (u128, u128, Option<(u64, u64)>);

/// Counts the condition of a script exactly. Parts that cannot be counted are tried on `samples` deals.
#[pyfunction]
#[pyo3(signature = (script, samples, seed, predeal=None))]
pub fn count(
    py: Python<'_>,
    script: &Bound<'_, Script>,
    samples: u64,
    seed: i64,
    predeal: Option<Vec<(SeatArgument, HandArgument)>>,
) -> PyResult<Found> {
    let link = Link::default();
    let job = croupier::session::Job::from_spec(script.get().spec.clone());
    let mut job = crate::auctions::with_robots(job)
        .seed(seed)
        .cancel(Arc::clone(&link.cancel));
    for (seat, cards) in predeal.into_iter().flatten() {
        job = job.predeal(seat.0, cards.0.suit_holdings().to_string());
    }
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
