//! `croupier.solve` and `croupier.par`.

use std::ops::ControlFlow;
use std::time::Instant;

use croupier::cards::{Deal, Seat, Strain};
use croupier::engine::parallel;
use croupier::solver::Solver;
use pyo3::prelude::*;

use crate::arguments::{SeatArgument, StrainArgument, VulnerabilityArgument, value_error, word};
use crate::deal::DealArgument;
use crate::deals::DealsArgument;
use crate::tricks::{Par, Solutions, Tricks, WRITTEN};
use crate::waiting::{Events, Link, wait};

/// Strains and declarers to solve.
#[derive(Clone)]
struct Wanted {
    declarers: Vec<Seat>,
    strains: Vec<Strain>,
}

impl Wanted {
    fn pairs(&self) -> Vec<(Seat, Strain)> {
        let with = |&seat: &Seat| self.strains.iter().map(move |&strain| (seat, strain));
        self.declarers.iter().flat_map(with).collect()
    }

    fn solve(&self, solver: &mut Solver, deal: &Deal) -> Tricks {
        let mut tricks = Tricks::default();
        for &strain in &self.strains {
            // Four declarers share one search and cost about as much as two single ones.
            if self.declarers.len() > 2 {
                let all = solver.strain(deal, strain);
                for &seat in &self.declarers {
                    tricks.0[seat.index()][strain.index()] = Some(all[seat.index()]);
                }
            } else {
                for &seat in &self.declarers {
                    tricks.0[seat.index()][strain.index()] =
                        Some(solver.tricks(deal, seat, strain));
                }
            }
        }
        tricks
    }
}

/// Parses one or several names of members of a list and returns them in the order of the list.
fn chosen<'py, A, T: Copy + PartialEq>(
    given: Option<&Bound<'py, PyAny>>,
    all: &[T],
    inner: fn(A) -> T,
) -> PyResult<Vec<T>>
where
    A: for<'a> FromPyObject<'a, 'py, Error = PyErr>,
{
    let Some(given) = given else {
        return Ok(all.to_vec());
    };
    let named: Vec<T> = match given.extract::<A>() {
        Ok(one) => vec![inner(one)],
        // A text, or a member of an enumeration such as `Side`.
        Err(error) => match word(given, "") {
            // "NS" is not the name of a seat, but names two seats.
            Ok(word) => {
                let letters = word
                    .chars()
                    .map(|c| c.to_string().into_pyobject(given.py())?.extract::<A>());
                letters
                    .collect::<PyResult<Vec<A>>>()
                    .map_err(|_| error)?
                    .into_iter()
                    .map(inner)
                    .collect()
            }
            Err(_) => given
                .try_iter()
                .map_err(|_| error)?
                .map(|item| item?.extract::<A>().map(inner))
                .collect::<PyResult<_>>()?,
        },
    };
    if named.is_empty() {
        return Err(value_error(
            "nothing to solve: name at least one strain and declarer",
        ));
    }
    Ok(all
        .iter()
        .copied()
        .filter(|it| named.contains(it))
        .collect())
}

/// Solves deals on several threads. Ends early when cancelled, or after `seconds`.
fn solve_all(
    deals: &[Deal],
    wanted: &Wanted,
    threads: usize,
    seconds: Option<f64>,
    link: &Link,
) -> Vec<Tricks> {
    let mut solved = Vec::with_capacity(deals.len());
    let ask = |solver: &mut Solver, deal: &Deal| {
        let solved = solver.with_cancellation(&link.cancel, |solver| wanted.solve(solver, deal));
        solved.unwrap_or_default()
    };
    let started = Instant::now();
    let _ = parallel::ordered_map(threads, deals, Solver::new, ask, |tricks| {
        solved.push(tricks);
        link.set_done(solved.len() as u64);
        let is_late = seconds.is_some_and(|seconds| started.elapsed().as_secs_f64() >= seconds);
        match is_late || link.is_cancelled() {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    });
    solved
}

/// Computes the double-dummy tricks of a deal (a `Tricks`) or of many (`Solutions`) for the given strains and
/// declarers, on all cores. With `seconds` only the first deals may be solved; `poll` is called at intervals.
#[pyfunction]
#[pyo3(signature = (deals, *, strains=None, declarers=None, threads=0, progress=None, seconds=None, poll=None))]
#[expect(clippy::too_many_arguments, reason = "they are arguments in Python")]
pub fn solve<'py>(
    py: Python<'py>,
    deals: DealsArgument,
    strains: Option<&Bound<'py, PyAny>>,
    declarers: Option<&Bound<'py, PyAny>>,
    threads: usize,
    progress: Option<&Bound<'py, PyAny>>,
    seconds: Option<f64>,
    poll: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    let wanted = Wanted {
        declarers: chosen::<SeatArgument, _>(declarers, &Seat::ALL, |seat| seat.0)?,
        strains: chosen::<StrainArgument, _>(strains, &WRITTEN, |strain| strain.0)?,
    };
    let asked = wanted.pairs();
    let single = deals.single;
    let link = Link::polling(poll);
    let shared = link.clone();
    let work = move |_: &Events<(), _>| solve_all(&deals.deals, &wanted, threads, seconds, &shared);
    let tricks = wait(py, &link, progress, work, |()| Ok(()))?;
    match (single, tricks.first()) {
        (true, Some(&tricks)) => Ok(tricks.into_pyobject(py)?.into_any()),
        _ => Ok(Solutions { tricks, asked }.into_pyobject(py)?.into_any()),
    }
}

/// Computes the par of a deal, or of known double-dummy results.
#[pyfunction]
#[pyo3(signature = (deal, vulnerable=VulnerabilityArgument(croupier::cards::Vulnerability::None)))]
pub fn par(
    py: Python<'_>,
    deal: &Bound<'_, PyAny>,
    vulnerable: VulnerabilityArgument,
) -> PyResult<Par> {
    let table = if let Ok(tricks) = deal.cast::<Tricks>() {
        let whole = tricks.get().table();
        whole.ok_or_else(|| value_error("par needs the tricks of all declarers in all strains"))?
    } else {
        let DealArgument(deal) = deal.extract()?;
        let link = Link::default();
        wait(
            py,
            &link,
            None,
            move |_: &Events<(), _>| Solver::new().table(&deal),
            |()| Ok(()),
        )?
    };
    Ok(Par(croupier::solver::par(&table, vulnerable.0)))
}
