//! Matchpoints: lines are compared by which takes more tricks, not by how many more.

use std::cmp::Ordering;
use std::error::Error;
use std::fmt;

use crate::engine::TricksByWorld;
use crate::fraction::Fraction;
use crate::line::SuitLine;
use crate::solver::SuitSolver;

/// The line for matchpoints.
#[derive(Clone, Debug)]
pub struct Matchpoints {
    /// The line with the best worst margin. Its value is the average number of tricks.
    pub line: SuitLine,
    /// The worst margin of the line against any other: the chance to take more tricks minus the chance to take fewer.
    /// It is 0 or more if no line beats it.
    pub worst_margin: Fraction,
    /// The margin against the line with the best average.
    pub margin_over_best_average: Fraction,
    /// The number of lines that were compared.
    pub lines: usize,
}

/// The combination has too many lines to compare.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooManyLines {
    /// The number of lines that can be compared.
    pub most: usize,
}

impl fmt::Display for TooManyLines {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "this combination has more than {} different lines, too many to compare at matchpoints",
            self.most
        )
    }
}

impl Error for TooManyLines {}

impl SuitSolver {
    /// Returns the best average of all lines of the whole front, to test the search that does not build it.
    #[doc(hidden)]
    pub fn best_average_of_front(&mut self, most: usize) -> Option<Fraction> {
        let lines = self.all_lines(most)?;
        let weights = &self.problem().weights;
        let average = |tricks_by_world: &TricksByWorld| -> u128 {
            let tricks = tricks_by_world.iter().zip(weights);
            tricks
                .map(|(&tricks, weight)| u128::from(tricks) * weight)
                .sum()
        };
        let best = lines.iter().map(average).max()?;
        Some(Fraction::share(best, self.problem().total))
    }

    /// Returns the best line at matchpoints: the one with the best worst margin against another. A line that takes
    /// fewer tricks than another in some layout and more in none is not compared.
    ///
    /// # Errors
    /// If there are more than `most` lines.
    pub fn matchpoints(&mut self, most: usize) -> Result<Matchpoints, TooManyLines> {
        let lines = self
            .all_lines(most)
            .filter(|lines| lines.len() <= most)
            .ok_or(TooManyLines { most })?;
        let weights = self.problem().weights.clone();
        let total = self.problem().total;
        let average = |tricks_by_world: &TricksByWorld| -> u128 {
            let tricks = tricks_by_world.iter().zip(&weights);
            tricks
                .map(|(&tricks, weight)| u128::from(tricks) * weight)
                .sum()
        };
        let margin = |one: &TricksByWorld, other: &TricksByWorld| -> i128 {
            let pairs = one.iter().zip(other).zip(&weights);
            pairs
                .map(|((one, other), &weight)| match one.cmp(other) {
                    Ordering::Less => -(weight as i128),
                    Ordering::Equal => 0,
                    Ordering::Greater => weight as i128,
                })
                .sum()
        };
        let worst_margin = |one: &TricksByWorld| {
            let margins = lines.iter().map(|other| margin(one, other));
            margins.min().unwrap_or(0)
        };
        // The better average decides between equal margins.
        let ranked = lines.iter().map(|tricks_by_world| {
            (
                worst_margin(tricks_by_world),
                average(tricks_by_world),
                tricks_by_world,
            )
        });
        let best = ranked.max_by_key(|&(worst, average, _)| (worst, average));
        let best_average = lines
            .iter()
            .max_by_key(|tricks_by_world| average(tricks_by_world));
        let (Some((worst, tricks, tricks_by_world)), Some(best_average)) = (best, best_average)
        else {
            return Err(TooManyLines { most });
        };
        let fraction = |margin: i128| Fraction::new(margin, total).unwrap_or(Fraction::ZERO);
        Ok(Matchpoints {
            worst_margin: fraction(worst),
            margin_over_best_average: fraction(margin(tricks_by_world, best_average)),
            lines: lines.len(),
            line: self.line_of(Fraction::share(tricks, total), tricks_by_world.clone()),
        })
    }
}
