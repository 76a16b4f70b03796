//! `croupier.poker.push` and `croupier.poker.icm`: push or fold before the flop, and the value of stacks in prizes.

use croupier::poker::grid::GridCell;
use croupier::poker_solver::push::icm::prizes;
use croupier::poker_solver::push::{Payoffs, PushGame, PushGoals, PushSolution, solve};
use pyo3::prelude::*;

use crate::arguments::value_error;
use crate::waiting::{Events, Link, wait};

/// Largest number of stacks whose prizes are computed.
const MOST_STACKS: usize = 16;

/// The name of a seat, its expected chips or prizes, and what it could gain by playing differently.
type SeatRow = (&'static str, f64, f64);

/// The seat that decides, the seat that has pushed, and the frequency of each kind of hand.
type StrategyRow = (&'static str, Option<&'static str>, Vec<(String, f64)>);

/// Seats, strategies, iterations, and whether the tolerance was reached.
type PushAnswer = (Vec<SeatRow>, Vec<StrategyRow>, u32, bool);

/// Computes strategies for players who go all-in or fold.
#[pyfunction]
#[pyo3(signature = (stacks, blinds, ante, payouts, tolerance, iterations, progress=None))]
#[expect(clippy::too_many_arguments, reason = "they are arguments in Python")]
pub fn poker_push(
    py: Python<'_>,
    stacks: Vec<f64>,
    blinds: (f64, f64),
    ante: f64,
    payouts: Option<Vec<f64>>,
    tolerance: Option<f64>,
    iterations: u32,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<PushAnswer> {
    let game = PushGame {
        stacks,
        blinds: [blinds.0, blinds.1],
        ante,
        payoffs: payouts.map_or(Payoffs::Chips, Payoffs::Prizes),
    };
    game.check().map_err(value_error)?;
    let tolerance = tolerance.unwrap_or(game.default_tolerance());
    if !(tolerance > 0.0 && tolerance < 1.0) {
        return Err(value_error(format!(
            "tolerance must be a share between 0 and 1, not {tolerance}"
        )));
    }
    let goals = PushGoals {
        tolerance: tolerance * game.unit(),
        iterations,
    };
    let (link, shared) = {
        let link = Link::default();
        (link.clone(), link)
    };
    let work = move |_: &Events<(), _>| {
        let found = solve(&game, &goals, |iteration, _| {
            shared.set_done(iteration.into());
            !shared.is_cancelled()
        });
        found.map(|solution| answer(&game, &solution))
    };
    wait(py, &link, progress, work, |()| Ok(()))?.map_err(value_error)
}

fn answer(game: &PushGame, solution: &PushSolution) -> PushAnswer {
    let unit = game.unit();
    let seat = |seat: usize| {
        let (value, gain) = (solution.values[seat], solution.gains[seat] / unit);
        (game.seat_name(seat), value, gain)
    };
    let strategies = solution.strategies.iter().map(|strategy| {
        let pusher = strategy.decision.pusher.map(|seat| game.seat_name(seat));
        let kinds = GridCell::all().map(GridCell::name);
        let hands = kinds.zip(strategy.frequencies).collect();
        (game.seat_name(strategy.decision.seat), pusher, hands)
    });
    (
        (0..game.stacks.len()).map(seat).collect(),
        strategies.collect(),
        solution.iterations,
        solution.converged,
    )
}

/// Returns the expected prize of each stack by the independent chip model.
#[pyfunction]
pub fn poker_icm(stacks: Vec<f64>, payouts: Vec<f64>) -> PyResult<Vec<f64>> {
    let is_number = |number: &f64| number.is_finite() && *number >= 0.0;
    if stacks.is_empty() || stacks.len() > MOST_STACKS {
        let number = stacks.len();
        return Err(value_error(format!(
            "stacks are 1 to {MOST_STACKS} numbers, not {number}"
        )));
    }
    if !stacks.iter().all(is_number) || stacks.iter().all(|&stack| stack == 0.0) {
        return Err(value_error("stacks are numbers from 0 up, not all 0"));
    }
    if !payouts.iter().all(is_number) {
        return Err(value_error("payouts are numbers from 0 up"));
    }
    Ok(prizes(&stacks, &payouts))
}
