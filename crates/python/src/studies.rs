//! Questions over many deals: opening leads and contracts.

use std::ops::ControlFlow;

use cards::{Deal, Vulnerability};
use engine::parallel;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use solver::study::{ContractStudy, Declared, Estimate, LeadStudy, SetStudy};
use solver::{DealCache, Solver};

use crate::arguments::{VulnerabilityArgument, value_error};
use crate::contract::{Contract, ContractArgument};
use crate::deals::DealsArgument;
use crate::hand::{Hand, HandArgument, whole};
use crate::waiting::{Events, Link, wait};

/// Value and 95 % interval of an estimate.
type Triple = (f64, f64, f64);

fn triple(estimate: Estimate) -> Triple {
    (estimate.value, estimate.low, estimate.high)
}

/// Asks about every deal on several threads and hands the answers over in order, until cancelled.
fn for_each<T: Send>(
    deals: &[Deal],
    threads: usize,
    link: &Link,
    ask: impl Fn(&mut Solver, &Deal) -> T + Sync,
    mut take: impl FnMut(T),
) {
    let mut done = 0;
    let ask = |solver: &mut Solver, deal: &Deal| (!link.is_cancelled()).then(|| ask(solver, deal));
    let _ = parallel::ordered_map(threads, deals, Solver::new, ask, |answer| {
        let Some(answer) = answer else {
            return ControlFlow::Break(());
        };
        take(answer);
        done += 1;
        link.set_done(done);
        ControlFlow::Continue(())
    });
}

/// What every lead of a hand is worth against a contract on these layouts.
#[pyfunction]
#[pyo3(signature = (deals, contract, vulnerable, sets_only, threads, progress=None))]
pub fn study_leads<'py>(
    py: Python<'py>,
    deals: DealsArgument,
    contract: ContractArgument,
    vulnerable: VulnerabilityArgument,
    sets_only: bool,
    threads: usize,
    progress: Option<&Bound<'py, PyAny>>,
) -> PyResult<Vec<Bound<'py, PyDict>>> {
    let Declared { contract, declarer } = contract.0.declared();
    let leader = declarer.next();
    let Some(first) = deals.deals.first() else {
        return Err(value_error("there are no layouts to study"));
    };
    let hand = first.hand(leader);
    if deals.deals.iter().any(|deal| deal.hand(leader) != hand) {
        return Err(value_error(format!(
            "{leader}, who leads, does not hold the same cards in all layouts"
        )));
    }
    let link = Link::default();
    let shared = link.clone();
    if sets_only {
        let work = move |_: &Events<(), _>| {
            let mut study = SetStudy::new(hand);
            let enough = 14 - contract.tricks_needed();
            let ask = |solver: &mut Solver, deal: &Deal| {
                solver.leads_taking(deal, declarer, contract.strain, enough)
            };
            for_each(&deals.deals, threads, &shared, ask, |beating| {
                study.add(beating)
            });
            study
        };
        let study = wait(py, &link, progress, work, |()| Ok(()))?;
        let row = |(cards, sets): (cards::CardSet, Estimate)| {
            let row = PyDict::new(py);
            row.set_item("cards", Hand(cards))?;
            row.set_item("sets", triple(sets))?;
            Ok(row)
        };
        return study.results().into_iter().map(row).collect();
    }
    let is_vulnerable = vulnerable.0.includes(declarer.side());
    let work = move |_: &Events<(), _>| {
        let mut study = LeadStudy::new(hand, contract, is_vulnerable);
        let ask = |solver: &mut Solver, deal: &Deal| solver.leads(deal, declarer, contract.strain);
        for_each(&deals.deals, threads, &shared, ask, |leads| {
            study.add(&leads)
        });
        study
    };
    let study = wait(py, &link, progress, work, |()| Ok(()))?;
    let mut rows = Vec::new();
    for result in study.results() {
        let row = PyDict::new(py);
        row.set_item("cards", Hand(result.cards))?;
        row.set_item("tricks", triple(result.tricks))?;
        row.set_item("sets", triple(result.sets))?;
        row.set_item("score", triple(result.score))?;
        row.set_item("imps", triple(result.imps))?;
        row.set_item("matchpoints", triple(result.matchpoints))?;
        rows.push(row);
    }
    Ok(rows)
}

/// What several contracts are worth on the same deals.
#[pyfunction]
#[pyo3(signature = (deals, contracts, vulnerable, threads, progress=None))]
pub fn study_contracts<'py>(
    py: Python<'py>,
    deals: DealsArgument,
    contracts: Vec<ContractArgument>,
    vulnerable: VulnerabilityArgument,
    threads: usize,
    progress: Option<&Bound<'py, PyAny>>,
) -> PyResult<Vec<Bound<'py, PyDict>>> {
    let declared: Vec<Declared> = contracts
        .iter()
        .map(|contract| contract.0.declared())
        .collect();
    let vulnerability: Vulnerability = vulnerable.0;
    let link = Link::default();
    let shared = link.clone();
    let work = move |_: &Events<(), _>| {
        let mut study = ContractStudy::new(declared, vulnerability);
        let asked = study.clone();
        let ask =
            |solver: &mut Solver, deal: &Deal| asked.solve(solver, deal, &mut DealCache::new());
        for_each(&deals.deals, threads, &shared, ask, |tricks| {
            study.add(&tricks)
        });
        study
    };
    let study = wait(py, &link, progress, work, |()| Ok(()))?;
    let mut rows = Vec::new();
    for result in study.results() {
        let row = PyDict::new(py);
        let Declared { contract, declarer } = result.declared;
        row.set_item(
            "contract",
            Contract {
                contract,
                declarer: Some(declarer),
            },
        )?;
        row.set_item("tricks", triple(result.tricks))?;
        row.set_item("made", triple(result.made))?;
        row.set_item("score", triple(result.score))?;
        row.set_item(
            "imps",
            result.imps.into_iter().map(triple).collect::<Vec<_>>(),
        )?;
        row.set_item(
            "matchpoints",
            result
                .matchpoints
                .into_iter()
                .map(triple)
                .collect::<Vec<_>>(),
        )?;
        rows.push(row);
    }
    Ok(rows)
}

/// A whole hand in the suit notation of predeals, for the leader.
#[pyfunction]
pub fn whole_hand(hand: HandArgument) -> PyResult<Hand> {
    whole(hand.0).map(Hand)
}
