//! Weights as exact decimals.

use std::fmt;
use std::str::FromStr;

use super::{RangeError, RangeProblem};

/// How often a hand is played, in millionths. It is exact, so that sums over deals are exact.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Weight(u64);

impl Weight {
    /// The default weight.
    pub const ONE: Weight = Weight(1_000_000);
    /// The largest weight.
    pub const LARGEST: Weight = Weight(1_000_000 * 1_000_000);

    /// Returns the weight in millionths.
    #[must_use]
    pub const fn millionths(self) -> u64 {
        self.0
    }

    /// Returns the product with another weight, rounded to a millionth and limited to the largest.
    #[must_use]
    pub fn times(self, other: Weight) -> Weight {
        let product = u128::from(self.0) * u128::from(other.0) + 500_000;
        Weight((product / 1_000_000).min(Weight::LARGEST.0.into()) as u64)
    }

    /// Returns whether the hand is never played.
    #[must_use]
    pub const fn is_zero(self) -> bool {
        self.0 == 0
    }
}

impl FromStr for Weight {
    type Err = RangeProblem;

    fn from_str(text: &str) -> Result<Weight, RangeProblem> {
        let wrong = || RangeProblem::Weight(text.to_string());
        let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
        let is_digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
        if (whole.is_empty() && fraction.is_empty()) || !is_digits(whole) || !is_digits(fraction) {
            return Err(wrong());
        }
        let fraction = fraction.trim_end_matches('0');
        if fraction.len() > 6 {
            return Err(RangeProblem::Precision(text.to_string()));
        }
        let whole: u64 = if whole.is_empty() {
            0
        } else {
            whole.parse().map_err(|_| wrong())?
        };
        let millionths: u64 = format!("{fraction:0<6}").parse().map_err(|_| wrong())?;
        let weight = whole
            .checked_mul(1_000_000)
            .and_then(|w| w.checked_add(millionths));
        weight
            .map(Weight)
            .filter(|&weight| weight <= Weight::LARGEST)
            .ok_or_else(wrong)
    }
}

impl fmt::Display for Weight {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (whole, fraction) = (self.0 / 1_000_000, self.0 % 1_000_000);
        if fraction == 0 {
            return write!(f, "{whole}");
        }
        let digits = format!("{fraction:06}");
        write!(f, "{whole}.{}", digits.trim_end_matches('0'))
    }
}

/// Meaning of a number without a percent sign.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Unit {
    /// A share from 0 to 1: `:0.5`.
    Share,
    /// Percent, from 0 to 100: `@50`, `[50]`.
    Percent,
}

/// Reads a weight from 0 to 1, written as a share or in percent.
fn weight_from(text: &str, unit: Unit) -> Result<Weight, RangeProblem> {
    let number = text.strip_suffix('%').unwrap_or(text);
    let value: Weight = number
        .parse()
        .map_err(|problem: RangeProblem| match problem {
            RangeProblem::Weight(_) => RangeProblem::Weight(text.to_string()),
            other => other,
        })?;
    let is_percent = number.len() < text.len();
    if !is_percent && unit == Unit::Share {
        return match value > Weight::ONE {
            true => Err(RangeProblem::WeightUnit(text.to_string())),
            false => Ok(value),
        };
    }
    if !is_percent && !value.is_zero() && value <= Weight::ONE {
        return Err(RangeProblem::WeightUnit(text.to_string()));
    }
    if value > Weight(100 * Weight::ONE.0) {
        return Err(RangeProblem::WeightOverAll(text.to_string()));
    }
    if !value.0.is_multiple_of(100) {
        return Err(RangeProblem::Precision(text.to_string()));
    }
    Ok(Weight(value.0 / 100))
}

/// Reads the content of brackets as a weight, such as `50` or `12.5%`; `None` if it does not begin like a number.
pub(super) fn weight_in_brackets(text: &str) -> Option<Result<Weight, RangeProblem>> {
    let text = text.trim();
    let is_number = text.starts_with(|c: char| c.is_ascii_digit() || c == '.');
    is_number.then(|| weight_from(text, Unit::Percent))
}

/// Removes the weight from an item: `AKs:0.5`, `AKs:50%`, `AKs@50`, `AKs(50%)` or `50%AKs`.
pub(super) fn take_weight(letters: &mut Vec<(char, usize)>) -> Result<Option<Weight>, RangeError> {
    let find = |wanted: char| letters.iter().position(|&(letter, _)| letter == wanted);
    let read = |letters: &[(char, usize)], end: usize, unit: Unit| {
        let digits: String = letters.iter().map(|&(letter, _)| letter).collect();
        let place = letters.first().map_or(end, |&(_, position)| position);
        weight_from(&digits, unit).map_err(|problem| RangeError::new(place, problem))
    };
    let end = letters.last().map_or(1, |&(_, position)| position + 1);
    if let Some(colon) = find(':') {
        let weight = read(&letters[colon + 1..], end, Unit::Share)?;
        letters.truncate(colon);
        return Ok(Some(weight));
    }
    if let (Some(open), Some(&(')', close))) = (find('('), letters.last()) {
        let weight = read(&letters[open + 1..letters.len() - 1], close, Unit::Share)?;
        letters.truncate(open);
        return Ok(Some(weight));
    }
    let is_digit = |letter: char| letter.is_ascii_digit() || letter == '.';
    // At the start of an item, `@` begins the name of a range.
    let at = find('@').filter(|&at| letters.get(at + 1).is_some_and(|&(l, _)| is_digit(l)));
    if let Some(at) = at.filter(|&at| at > 0) {
        let weight = read(&letters[at + 1..], end, Unit::Percent)?;
        letters.truncate(at);
        return Ok(Some(weight));
    }
    let digits = letters.iter().take_while(|&&(letter, _)| is_digit(letter));
    let digits = digits.count();
    if digits > 0
        && let [('%', _), (after, _), ..] = letters[digits..]
        && after != '-'
    {
        let weight = read(&letters[..=digits], end, Unit::Percent)?;
        letters.drain(..=digits);
        return Ok(Some(weight));
    }
    Ok(None)
}
