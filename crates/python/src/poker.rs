//! `croupier.poker`: evaluation of arrays of hands, and equity.

use croupier::cards::CardSet;
use croupier::poker::equity::{EquityMethod, EquityOptions, Query, StopRule};
use croupier::poker::{Game, HandRank, Range, parse_cards};
use numpy::{IntoPyArray, PyArray1, PyReadonlyArray1};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::arguments::{type_error, value_error};
use crate::columns::need_numpy;
use crate::waiting::{Events, Link, wait};

/// Ranks hands of five, six or seven cards, given as masks: 0 for a royal flush to 7461 for the worst hand.
#[pyfunction]
pub fn poker_evaluate<'py>(hands: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyArray1<u16>>> {
    let py = hands.py();
    need_numpy(py)?;
    let array = hands.extract::<PyReadonlyArray1<'py, u64>>();
    let array = array.map_err(|_| type_error("a text or an array uint64[n] of masks", hands))?;
    let hands: Vec<CardSet> = array.as_array().iter().map(|&mask| CardSet(mask)).collect();
    let ranks = py.detach(|| evaluate(&hands)).map_err(value_error)?;
    Ok(ranks
        .into_iter()
        .map(|rank| rank.0)
        .collect::<Vec<u16>>()
        .into_pyarray(py))
}

fn evaluate(hands: &[CardSet]) -> Result<Vec<HandRank>, String> {
    let size = hands.first().map_or(7, |hand| hand.len());
    let odd = hands
        .iter()
        .position(|hand| hand.len() != size || hand.0 > CardSet::FULL.0);
    let mut ranks = vec![HandRank(0); hands.len()];
    match (odd, size) {
        (None, 7) => croupier::poker::evaluate7_batch(hands, &mut ranks),
        (None, 6) => croupier::poker::evaluate6_batch(hands, &mut ranks),
        (None, 5) => croupier::poker::evaluate5_batch(hands, &mut ranks),
        // Hands of different sizes are evaluated one by one.
        _ => {
            for (place, (hand, rank)) in hands.iter().zip(&mut ranks).enumerate() {
                let known = Some(*hand)
                    .filter(|hand| hand.0 <= CardSet::FULL.0)
                    .and_then(croupier::poker::evaluate);
                *rank = known.ok_or_else(|| {
                    format!(
                        "hand {place} ({:#x}) is not a mask of five, six or seven cards",
                        hand.0
                    )
                })?;
            }
        }
    }
    Ok(ranks)
}

/// Ranks one hand, given as text. Returns its rank, category and description.
#[pyfunction]
pub fn poker_ranks(text: &str) -> PyResult<(u16, String, String)> {
    let cards = parse_cards(text).map_err(|error| value_error(format!("{text:?}: {error}")))?;
    let rank = croupier::poker::evaluate(cards).ok_or_else(|| {
        value_error(format!(
            "{text:?} has {} cards; five, six or seven are ranked",
            cards.len()
        ))
    })?;
    Ok((rank.0, format!("{:?}", rank.category()), rank.describe()))
}

/// Computes each player's equity: exactly if that takes a few seconds at most, else by simulation.
#[pyfunction]
#[pyo3(signature = (players, board, dead, game, method, seed, samples, standard_error, threads))]
#[expect(
    clippy::too_many_arguments,
    reason = "called by croupier.poker.equity with every setting by name"
)]
pub fn poker_equity<'py>(
    py: Python<'py>,
    players: Vec<String>,
    board: &str,
    dead: &str,
    game: &str,
    method: &str,
    seed: u64,
    samples: u64,
    standard_error: f64,
    threads: usize,
) -> PyResult<Bound<'py, PyDict>> {
    let game: Game = game.parse().map_err(value_error)?;
    let ranges: Result<Vec<Range>, PyErr> = players
        .iter()
        .map(|text| {
            Range::parse(text, game).map_err(|error| value_error(format!("{text:?}: {error}")))
        })
        .collect();
    let cards =
        |text: &str| parse_cards(text).map_err(|error| value_error(format!("{text:?}: {error}")));
    let query = Query {
        board: cards(board)?,
        dead: cards(dead)?,
        ..Query::new(game, ranges?)
    };
    let method = match method {
        "auto" => EquityMethod::Auto,
        "exact" => EquityMethod::Exact,
        "simulate" => EquityMethod::MonteCarlo,
        other => {
            return Err(value_error(format!(
                "{other:?} is not a method: auto, exact or simulate"
            )));
        }
    };
    let usual = EquityOptions::default();
    let options = EquityOptions {
        method,
        seed,
        threads: if threads == 0 { usual.threads } else { threads },
        stop: StopRule {
            samples,
            standard_error,
        },
    };
    let link = Link::default();
    let answer = wait(
        py,
        &link,
        None,
        move |_: &Events<(), _>| query.solve(&options),
        |()| Ok(()),
    )?;
    let equity = answer.map_err(value_error)?;
    let result = PyDict::new(py);
    result.set_item("exact", equity.is_exact())?;
    result.set_item("deals", equity.deals().to_f64())?;
    let mut rows = Vec::new();
    for player in equity.players() {
        let row = PyDict::new(py);
        row.set_item("range", &player.range)?;
        row.set_item("equity", player.equity)?;
        row.set_item("win", player.win_share)?;
        row.set_item("tie", player.tie_share)?;
        row.set_item("standard_error", player.standard_error)?;
        row.set_item("interval", player.confidence_interval())?;
        row.set_item("win_interval", player.intervals.map(|it| it.win))?;
        row.set_item("tie_interval", player.intervals.map(|it| it.tie))?;
        rows.push(row);
    }
    result.set_item("players", rows)?;
    Ok(result)
}
