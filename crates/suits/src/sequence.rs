//! Two suits, one played after the other.

use crate::combination::Combination;
use crate::engine::{Levels, TricksByWorld};
use crate::fraction::Fraction;
use crate::line::SuitLine;
use crate::problem::{CombinationWeightError, VacantPlaces, WeightedCombination};
use crate::solver::SuitSolver;

/// The best way to play two suits for a total number of tricks.
#[derive(Clone, Debug)]
pub struct Sequence {
    /// The combination that is played first.
    pub first: Combination,
    /// The combination that is played second.
    pub second: Combination,
    /// The best line in the first suit; its value is the chance to take the tricks from both suits.
    pub line: SuitLine,
}

/// Returns the best line in `first` to take at least `need` tricks from `first` and then `second`.
///
/// The suits share the vacant places. When declarer starts the second suit he knows how many cards of the first each
/// defender held; he plays the second for the number of tricks that is still missing.
///
/// # Errors
/// If the defenders have no room for the missing cards of both suits.
pub fn in_sequence(
    first: Combination,
    second: Combination,
    vacant: VacantPlaces,
    need: usize,
) -> Result<Sequence, CombinationWeightError> {
    let problem = WeightedCombination::new(first, vacant)?;
    let missing = first.missing().len() as u8;
    let missing_both = missing + second.missing().len() as u8;
    let places = vacant.west + vacant.east;
    if places < missing_both {
        return Err(CombinationWeightError::TooFewPlaces {
            places,
            missing: missing_both,
        });
    }
    // The weight of West's number of cards in the first suit times the chance in the second is an integer over the same
    // total, because the places for the second suit are those that the first leaves.
    let mut chances: Vec<Option<Vec<Fraction>>> = Vec::new();
    for west in 0..=missing {
        let left = vacant
            .west
            .checked_sub(west)
            .zip(vacant.east.checked_sub(missing - west));
        chances.push(match left {
            None => None,
            Some((west, east)) => {
                let mut solver = SuitSolver::new(WeightedCombination::new(
                    second,
                    VacantPlaces { west, east },
                )?);
                let chance = |tricks: usize| solver.chance(need.saturating_sub(tricks));
                Some((0..=first.tricks()).map(chance).collect())
            }
        });
    }
    let weight = |world: usize, tricks: usize| -> u128 {
        let west = (0..problem.classes.len()).map(|class| problem.classes.west_holds(world, class));
        let west: u8 = west.sum();
        let Some(chances) = &chances[usize::from(west)] else {
            return 0;
        };
        let chance = chances[tricks];
        problem.weights[world] * chance.numerator() as u128 / chance.denominator()
    };
    let tricks = first.tricks();
    let worlds = problem.weights.len();
    let base: u128 = (0..worlds).map(|world| weight(world, 0)).sum();
    let weights: Vec<Vec<u128>> = (1..=tricks)
        .map(|t| {
            let gain = |world| weight(world, t) - weight(world, t - 1);
            (0..worlds).map(gain).collect()
        })
        .collect();
    let total = problem.total;
    let mut solver = SuitSolver::new(problem);
    let levels = Levels { need: 1, weights };
    let (value, tricks_by_world): (u128, TricksByWorld) = solver.best_of_levels(&levels, None);
    Ok(Sequence {
        first,
        second,
        line: solver.line_of(Fraction::share(base + value, total), tricks_by_world),
    })
}

/// Returns the better of both orders for at least `need` tricks from two suits; the order given if both are equal.
///
/// # Errors
/// If the defenders have no room for the missing cards of both suits.
pub fn two_suits(
    one: Combination,
    other: Combination,
    vacant: VacantPlaces,
    need: usize,
) -> Result<Sequence, CombinationWeightError> {
    let forwards = in_sequence(one, other, vacant, need)?;
    let backwards = in_sequence(other, one, vacant, need)?;
    match backwards.line.value() > forwards.line.value() {
        true => Ok(backwards),
        false => Ok(forwards),
    }
}
