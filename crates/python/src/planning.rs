//! `croupier.plan`, and the playouts of `croupier.compare`: declarer play without sight of the defenders' cards.

use std::sync::Arc;

use croupier::declarer::{
    DeclarerAnswer, DeclarerOptions, LayoutError, LayoutSource, PlayPlanError, PlayQuestion,
    PlayoutOptions, Playouts, ScriptLayouts, UniformLayouts, answer, play_out_deals,
};
use croupier::session::Job;
use pyo3::prelude::*;

use crate::arguments::value_error;
use crate::card::CardArgument;
use crate::contract::ContractArgument;
use crate::deals::DealsArgument;
use crate::hand::{Hand, HandArgument, whole};
use crate::script::{DealError, Script, raise};
use crate::studies::{Triple, execute, triple};
use crate::waiting::{Events, Link, wait};

/// Cards, chance of the contract, its chance double dummy and tricks of a play.
type PlayRow = (Hand, Triple, f64, f64);
/// The plays, the number of worlds, the depth, and whether the search went to the last card.
type PlanRow = (Vec<PlayRow>, usize, usize, bool);
/// Number of layouts, share on which the contract was made, share on which it makes double dummy.
type ValueRow = (u64, Triple, Triple);

/// Source of layouts with the deals of a script, or of all deals.
fn layouts(job: Option<Job>, seed: u64, link: &Link) -> Result<Box<dyn LayoutSource>, LayoutError> {
    Ok(match job {
        None => Box::new(UniformLayouts::new(seed)),
        Some(job) => Box::new(ScriptLayouts::new(
            job.cancel(Arc::clone(&link.cancel)),
            seed,
        )?),
    })
}

fn job_of(script: Option<&Bound<'_, Script>>) -> Option<Job> {
    script.map(|script| crate::auctions::with_robots(Job::from_spec(script.get().spec.clone())))
}

fn plan_error(py: Python<'_>, error: &PlayPlanError) -> PyErr {
    match error {
        PlayPlanError::Layouts(LayoutError::Script(error)) => raise(py, error),
        PlayPlanError::Layouts(error) => DealError::new_err(error.to_string()),
        PlayPlanError::NotDeclarersTurn => value_error(
            "a defender plays the next card: give it with lead= or played=, or ask what the contract is worth with \
             playouts=100",
        ),
        error => value_error(error),
    }
}

fn value_row(playouts: &Playouts) -> ValueRow {
    (
        playouts.deals,
        triple(playouts.share()),
        triple(playouts.double_dummy_share()),
    )
}

/// Ranks the cards that declarer can play next, and plays the hand on `playouts` layouts.
#[pyfunction]
#[pyo3(signature = (contract, declarer, dummy, played, script, depth, worlds, playouts, seed, threads, progress=None))]
#[expect(clippy::too_many_arguments, reason = "they are arguments in Python")]
pub fn plan_play(
    py: Python<'_>,
    contract: ContractArgument,
    declarer: HandArgument,
    dummy: HandArgument,
    played: Vec<CardArgument>,
    script: Option<&Bound<'_, Script>>,
    depth: Option<usize>,
    worlds: Option<usize>,
    playouts: Option<usize>,
    seed: u64,
    threads: usize,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<(Option<PlanRow>, Option<ValueRow>)> {
    let (declarer, dummy) = (whole(declarer.0)?, whole(dummy.0)?);
    let question = PlayQuestion::new(contract.0.declared()?, declarer, dummy);
    let mut question = question.map_err(value_error)?;
    for card in played {
        question.play(card.0).map_err(value_error)?;
    }
    let options = DeclarerOptions {
        depth,
        worlds,
        playouts,
    };
    let checked = options.check(&question);
    checked.map_err(|error| plan_error(py, &error))?;
    let link = Link::default();
    let (shared, job) = (link.clone(), job_of(script));
    let work = move |_: &Events<(), _>| -> Result<DeclarerAnswer, PlayPlanError> {
        let source = layouts(job, seed, &shared).map_err(PlayPlanError::Layouts)?;
        execute(&shared, threads, |execution| {
            answer(&question, source.as_ref(), &options, execution)
        })
    };
    let found = wait(py, &link, progress, work, |()| Ok(()))?;
    let DeclarerAnswer { plan, value } = found.map_err(|error| plan_error(py, &error))?;
    let plan = plan.map(|plan| {
        let row = |play: &croupier::declarer::RankedPlay| {
            let double_dummy = play.by_depth.first().copied().unwrap_or(f64::NAN);
            (
                Hand(play.cards),
                triple(play.made),
                double_dummy,
                play.tricks,
            )
        };
        let rows = plan.plays.iter().map(row).collect();
        (rows, plan.worlds, plan.depth, plan.is_exact)
    });
    Ok((plan, value.as_ref().map(value_row)))
}

/// Plays a contract on deals. Declarer sees two hands and expects deals of the script.
#[pyfunction]
#[pyo3(signature = (contract, deals, script, seed, threads, progress=None))]
pub fn play_contract(
    py: Python<'_>,
    contract: ContractArgument,
    deals: DealsArgument,
    script: Option<&Bound<'_, Script>>,
    seed: u64,
    threads: usize,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<ValueRow> {
    let declared = contract.0.declared()?;
    let link = Link::default();
    let (shared, job) = (link.clone(), job_of(script));
    let work = move |_: &Events<(), _>| -> Result<Playouts, PlayPlanError> {
        let source = layouts(job, seed, &shared).map_err(PlayPlanError::Layouts)?;
        let options = PlayoutOptions::default();
        execute(&shared, threads, |execution| {
            play_out_deals(declared, &deals.deals, source.as_ref(), &options, execution)
        })
    };
    let played = wait(py, &link, progress, work, |()| Ok(()))?;
    let played = played.map_err(|error| plan_error(py, &error))?;
    Ok(value_row(&played))
}
