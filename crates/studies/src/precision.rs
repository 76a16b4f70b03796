//! How narrow an interval is wished.

use std::fmt;
use std::str::FromStr;

/// What is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// How often a contract makes or a lead beats it, in percent.
    Percent,
    /// Tricks.
    Tricks,
    /// International match points.
    Imps,
    /// Points of the score.
    Points,
}

/// Half the width of the 95 % interval that is wished for: `0.5%`, `0.05 tricks`, `0.2 imps`, `5 points`.
///
/// ```
/// use studies::{Precision, Unit};
///
/// let precision: Precision = "0.05 tricks".parse().unwrap();
/// assert_eq!((precision.unit, precision.half_width), (Unit::Tricks, 0.05));
/// assert_eq!(precision.to_string(), "0.05 tricks");
/// assert!("0.05 tables".parse::<Precision>().is_err());
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Precision {
    /// Of what.
    pub unit: Unit,
    /// In that unit.
    pub half_width: f64,
}

/// The text is no precision.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoPrecision;

impl fmt::Display for NoPrecision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(
            "a precision is a positive number with a unit: 0.5%, 0.05 tricks, 0.2 imps or 5 points",
        )
    }
}

impl std::error::Error for NoPrecision {}

impl FromStr for Precision {
    type Err = NoPrecision;

    fn from_str(text: &str) -> Result<Precision, NoPrecision> {
        let text = text.trim().to_ascii_lowercase();
        let end = text
            .find(|c: char| !c.is_ascii_digit() && c != '.')
            .ok_or(NoPrecision)?;
        let half_width: f64 = text[..end].parse().map_err(|_| NoPrecision)?;
        let unit = match text[end..].trim() {
            "%" | "percent" => Unit::Percent,
            "trick" | "tricks" => Unit::Tricks,
            "imp" | "imps" => Unit::Imps,
            "point" | "points" => Unit::Points,
            _ => return Err(NoPrecision),
        };
        if half_width <= 0.0 {
            return Err(NoPrecision);
        }
        Ok(Precision { unit, half_width })
    }
}

impl fmt::Display for Precision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let unit = match self.unit {
            Unit::Percent => "%",
            Unit::Tricks => " tricks",
            Unit::Imps => " imps",
            Unit::Points => " points",
        };
        write!(f, "{}{unit}", self.half_width)
    }
}

/// No study stops with fewer solved deals: an interval found from less is too often too narrow by chance, and stopping
/// just then would make it wrong.
pub(crate) const FEWEST: usize = 200;

/// Tells a study when it has solved enough.
///
/// It looks at the interval at the first possible moment and then at every tenth more deals, and stops when the interval
/// was narrow enough twice in a row. Looking after each deal, or stopping at the first success, would stop at a lucky
/// moment too often; this keeps the coverage of the interval (tested).
#[derive(Clone, Copy, Debug)]
pub struct Stopping {
    precision: Precision,
    narrow: bool,
}

impl Stopping {
    /// Stops at this precision.
    #[must_use]
    pub fn at(precision: Precision) -> Stopping {
        Stopping {
            precision,
            narrow: false,
        }
    }

    /// Whether so many solved deals are enough; asks only when it looks whether the precision is reached.
    pub fn enough(&mut self, solved: usize, reached: impl FnOnce(Precision) -> bool) -> bool {
        if !looks(solved) {
            return false;
        }
        let before = std::mem::replace(&mut self.narrow, reached(self.precision));
        before && self.narrow
    }
}

/// Whether to look at the interval after so many deals.
fn looks(solved: usize) -> bool {
    let mut next = FEWEST;
    while next < solved {
        next += next.div_ceil(10);
    }
    next == solved
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_study_looks_at_its_interval_now_and_then_only() {
        let looked: Vec<usize> = (0..400).filter(|&solved| looks(solved)).collect();
        assert_eq!(looked, [200, 220, 242, 267, 294, 324, 357, 393]);
    }
}
