//! `croupier.suit`: chances and lines of play for one suit.

use croupier::cards::Seat;
use croupier::suits::{
    Combination, Entries, FirstMove, Fraction, SuitGoal, SuitSolver, VacantPlaces,
    WeightedCombination, rank_name,
};
use pyo3::prelude::*;

use crate::arguments::{SeatArgument, value_error};
use crate::waiting::{Events, Link, wait};

/// Numerator and denominator.
type Ratio = (i128, u128);

fn ratio(fraction: Fraction) -> Ratio {
    (fraction.numerator(), fraction.denominator())
}

/// First play and its value.
type MoveRow = (String, Ratio);

/// Goal in words, value, line in words, and other first plays.
type GoalRow = (String, Ratio, String, Vec<MoveRow>);

/// Chances of one trick and more, the average, and a row for each goal.
type Answer = (Vec<Ratio>, Ratio, Vec<GoalRow>);

/// Returns a first play in words.
fn first_play(play: &FirstMove) -> String {
    let third = play
        .third
        .map_or(String::new(), |rank| format!(" to the {}", rank_name(rank)));
    let hand = match play.leader {
        Seat::North => "North",
        _ => "South",
    };
    format!("the {} from {hand}{third}", rank_name(play.lead))
}

fn solve(problem: WeightedCombination, goals: Vec<(String, SuitGoal)>) -> Result<Answer, String> {
    let mut solver = SuitSolver::new(problem);
    let solution = solver.solve();
    let mut rows = Vec::new();
    for (name, goal) in goals {
        let line = solver.line(&goal).map_err(|error| error.to_string())?;
        let moves = solver
            .first_moves(&goal)
            .map_err(|error| error.to_string())?;
        let moves = moves.iter().map(|it| (first_play(it), ratio(it.value)));
        rows.push((
            name,
            ratio(line.value()),
            line.outline().to_string(),
            moves.collect(),
        ));
    }
    let chances = solution.chances.iter().copied().map(ratio).collect();
    Ok((chances, ratio(solution.average), rows))
}

/// Solves a suit combination. Without goals: each number of tricks that is in doubt, and the average.
#[pyfunction]
#[pyo3(signature = (north, south, need=None, payoff=None, vacant=(13, 13), entries=None))]
pub fn solve_suit(
    py: Python<'_>,
    north: &str,
    south: &str,
    need: Option<usize>,
    payoff: Option<Vec<i32>>,
    vacant: (u8, u8),
    entries: Option<(SeatArgument, u8)>,
) -> PyResult<Answer> {
    let combination = Combination::parse(north, south).map_err(value_error)?;
    let vacant = VacantPlaces {
        west: vacant.0,
        east: vacant.1,
    };
    let mut problem = WeightedCombination::new(combination, vacant).map_err(value_error)?;
    if let Some((hand, number)) = entries {
        let entries = Entries {
            hand: hand.0,
            number,
        };
        problem = problem.with_entries(entries).map_err(value_error)?;
    }
    if need.is_some_and(|need| need < 1 || need > combination.tricks()) {
        return Err(value_error(format!(
            "need must be from 1 to {}",
            combination.tricks()
        )));
    }
    let link = Link::default();
    let work = move |_: &Events<(), _>| {
        let goals = match (need, payoff) {
            (Some(need), _) => vec![(format!("{need} tricks"), SuitGoal::AtLeast(need))],
            (None, Some(payoff)) => vec![("payoff".to_owned(), SuitGoal::Payoff(payoff))],
            (None, None) => {
                let solution = SuitSolver::new(problem.clone()).solve();
                let in_doubt = (1..=combination.tricks()).filter(|&tricks| {
                    let chance = solution.chance(tricks);
                    chance != Fraction::ONE && chance != Fraction::ZERO
                });
                let mut goals: Vec<(String, SuitGoal)> = in_doubt
                    .map(|tricks| (format!("{tricks} tricks"), SuitGoal::AtLeast(tricks)))
                    .collect();
                goals.push(("average".to_owned(), SuitGoal::Average));
                goals
            }
        };
        solve(problem, goals)
    };
    wait(py, &link, None, work, |()| Ok(()))?.map_err(value_error)
}
