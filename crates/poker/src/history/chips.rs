//! Amounts of chips.

use std::fmt;
use std::iter::Sum;
use std::ops::{Add, AddAssign, Sub};

/// An amount of chips with up to six decimals, held as an integer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Chips(i64);

/// Units of a chip.
const UNITS: f64 = 1e6;
/// The largest amount that a file may give.
const MOST: f64 = 1e12;

impl Chips {
    /// No chips.
    pub const ZERO: Chips = Chips(0);

    /// Returns the amount nearest to a number; `None` if it is negative, larger than 10^12 or not a number.
    #[must_use]
    pub fn from_f64(amount: f64) -> Option<Chips> {
        (0.0..=MOST)
            .contains(&amount)
            .then(|| Chips((amount * UNITS).round() as i64))
    }

    /// Returns the amount as floating point.
    #[must_use]
    pub fn to_f64(self) -> f64 {
        self.0 as f64 / UNITS
    }
}

impl Add for Chips {
    type Output = Chips;

    fn add(self, other: Chips) -> Chips {
        Chips(self.0.saturating_add(other.0))
    }
}

impl AddAssign for Chips {
    fn add_assign(&mut self, other: Chips) {
        *self = *self + other;
    }
}

impl Sub for Chips {
    type Output = Chips;

    /// Subtracts; the result is never negative.
    fn sub(self, other: Chips) -> Chips {
        Chips(self.0.saturating_sub(other.0).max(0))
    }
}

impl Sum for Chips {
    fn sum<I: Iterator<Item = Chips>>(amounts: I) -> Chips {
        amounts.fold(Chips::ZERO, Add::add)
    }
}

impl fmt::Display for Chips {
    /// Prints the amount without needless zeros: `12`, `0.25`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (whole, rest) = (self.0 / 1_000_000, self.0 % 1_000_000);
        if rest == 0 {
            return f.pad(&whole.to_string());
        }
        let text = format!("{whole}.{rest:06}");
        f.pad(text.trim_end_matches('0'))
    }
}
