//! `croupier.solve` and `croupier.par`.

use std::ops::ControlFlow;

use croupier::cards::{Deal, Seat, Strain};
use croupier::engine::parallel;
use croupier::solver::Solver;
use pyo3::prelude::*;

use crate::arguments::{SeatArgument, StrainArgument, VulnerabilityArgument, value_error};
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
        Err(error) => match given.extract::<String>() {
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

/// Solves deals on several threads. Ends early when cancelled.
fn solve_all(deals: &[Deal], wanted: &Wanted, threads: usize, link: &Link) -> Vec<Tricks> {
    let mut solved = Vec::with_capacity(deals.len());
    let ask = |solver: &mut Solver, deal: &Deal| match link.is_cancelled() {
        true => Tricks::default(),
        false => wanted.solve(solver, deal),
    };
    let _ = parallel::ordered_map(threads, deals, Solver::new, ask, |tricks| {
        solved.push(tricks);
        link.set_done(solved.len() as u64);
        match link.is_cancelled() {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    });
    solved
}

/// Computes the double-dummy tricks of a deal (a `Tricks`) or of many (`Solutions`) for the given strains and
/// declarers, on all cores.
#[pyfunction]
#[pyo3(signature = (deals, *, strains=None, declarers=None, threads=0, progress=None))]
pub fn solve<'py>(
    py: Python<'py>,
    deals: DealsArgument,
    strains: Option<&Bound<'py, PyAny>>,
    declarers: Option<&Bound<'py, PyAny>>,
    threads: usize,
    progress: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    let wanted = Wanted {
        declarers: chosen::<SeatArgument, _>(declarers, &Seat::ALL, |seat| seat.0)?,
        strains: chosen::<StrainArgument, _>(strains, &WRITTEN, |strain| strain.0)?,
    };
    let asked = wanted.pairs();
    let single = deals.single;
    let link = Link::default();
    let shared = link.clone();
    let work = move |_: &Events<(), _>| solve_all(&deals.deals, &wanted, threads, &shared);
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
