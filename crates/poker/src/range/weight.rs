//! Weights as exact decimals.

use std::fmt;
use std::str::FromStr;

use super::RangeProblem;

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
