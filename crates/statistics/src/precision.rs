//! The precision at which a study or a run stops.

use std::fmt;
use std::str::FromStr;

/// The quantity that a precision is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PrecisionUnit {
    /// Share of the deals on which a contract makes or a lead beats it, in percent.
    Percent,
    /// Tricks.
    Tricks,
    /// International match points.
    Imps,
    /// Points of the score.
    Points,
}

/// Half the width of the 95 % interval at which a study or a run stops: `0.5%`, `0.05 tricks`, `0.2 imps`, `5 points`.
///
/// ```
/// use croupier_statistics::precision::{Precision, PrecisionUnit};
///
/// let precision: Precision = "0.05 tricks".parse().unwrap();
/// assert_eq!((precision.unit, precision.half_width), (PrecisionUnit::Tricks, 0.05));
/// assert_eq!(precision.to_string(), "0.05 tricks");
/// assert!("0.05 tables".parse::<Precision>().is_err());
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Precision {
    /// Quantity whose interval is measured.
    pub unit: PrecisionUnit,
    /// Half the width of the interval, in `unit`.
    pub half_width: f64,
}

/// The error of a text that is not a [`Precision`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ParsePrecisionError;

impl fmt::Display for ParsePrecisionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(
            "a precision is a positive number with a unit: 0.5%, 0.05 tricks, 0.2 imps or 5 points",
        )
    }
}

impl std::error::Error for ParsePrecisionError {}

impl FromStr for Precision {
    type Err = ParsePrecisionError;

    fn from_str(text: &str) -> Result<Precision, ParsePrecisionError> {
        let text = text.trim().to_ascii_lowercase();
        let end = text
            .find(|c: char| !c.is_ascii_digit() && c != '.')
            .ok_or(ParsePrecisionError)?;
        let half_width: f64 = text[..end].parse().map_err(|_| ParsePrecisionError)?;
        let unit = match text[end..].trim() {
            "%" | "percent" => PrecisionUnit::Percent,
            "trick" | "tricks" => PrecisionUnit::Tricks,
            "imp" | "imps" => PrecisionUnit::Imps,
            "point" | "points" => PrecisionUnit::Points,
            _ => return Err(ParsePrecisionError),
        };
        if half_width <= 0.0 {
            return Err(ParsePrecisionError);
        }
        Ok(Precision { unit, half_width })
    }
}

impl fmt::Display for Precision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let unit = match self.unit {
            PrecisionUnit::Percent => "%",
            PrecisionUnit::Tricks => " tricks",
            PrecisionUnit::Imps => " imps",
            PrecisionUnit::Points => " points",
        };
        write!(f, "{}{unit}", self.half_width)
    }
}

/// Smallest number of solved deals at which a study stops. Intervals of fewer deals are too often too narrow by chance,
/// and a study that stopped at such a moment would report a wrong interval.
pub const MIN_SOLVED: usize = 200;

/// The rule that stops a study at a precision.
///
/// The rule inspects the interval after 200 solved deals and then after every further tenth. It stops the study when two
/// inspections in a row found the interval narrow enough. An inspection after each deal, or a stop at the first success,
/// would stop at a lucky moment too often; this rule keeps the coverage of the interval (tested in studies and session).
#[derive(Clone, Copy, Debug)]
pub struct StoppingRule {
    precision: Precision,
    was_narrow: bool,
}

impl StoppingRule {
    /// Creates the rule for `precision`.
    #[must_use]
    pub fn new(precision: Precision) -> StoppingRule {
        StoppingRule {
            precision,
            was_narrow: false,
        }
    }

    /// Returns whether the study stops after `solved` deals. Calls `is_narrow`, which computes the intervals, only when an
    /// inspection is due.
    pub fn stops(&mut self, solved: usize, is_narrow: impl FnOnce(Precision) -> bool) -> bool {
        if !is_inspected(solved) {
            return false;
        }
        let before = std::mem::replace(&mut self.was_narrow, is_narrow(self.precision));
        before && self.was_narrow
    }
}

/// Returns whether the interval is inspected after `solved` deals.
fn is_inspected(solved: usize) -> bool {
    let mut next = MIN_SOLVED;
    while next < solved {
        next += next.div_ceil(10);
    }
    next == solved
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_interval_is_inspected_after_every_further_tenth_of_the_deals() {
        let inspected: Vec<usize> = (0..400).filter(|&solved| is_inspected(solved)).collect();
        assert_eq!(inspected, [200, 220, 242, 267, 294, 324, 357, 393]);
    }
}
