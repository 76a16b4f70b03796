//! Exact fractions.

use std::cmp::Ordering;
use std::fmt;

/// An exact fraction in lowest terms.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Fraction {
    numerator: i128,
    denominator: u128,
}

fn greatest_common_divisor(mut a: u128, mut b: u128) -> u128 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

impl Fraction {
    /// The number 1.
    pub const ONE: Fraction = Fraction {
        numerator: 1,
        denominator: 1,
    };
    /// The number 0.
    pub const ZERO: Fraction = Fraction {
        numerator: 0,
        denominator: 1,
    };

    /// Creates a fraction and reduces it; `None` if the denominator is 0.
    #[must_use]
    pub fn new(numerator: i128, denominator: u128) -> Option<Fraction> {
        if denominator == 0 {
            return None;
        }
        let divisor = greatest_common_divisor(numerator.unsigned_abs(), denominator);
        Some(Fraction {
            numerator: numerator / divisor as i128,
            denominator: denominator / divisor,
        })
    }

    /// Creates the fraction `part / whole`; `whole` is not 0.
    pub(crate) fn share(part: u128, whole: u128) -> Fraction {
        Fraction::new(part as i128, whole).unwrap_or(Fraction::ZERO)
    }

    /// Returns the numerator.
    #[must_use]
    pub fn numerator(self) -> i128 {
        self.numerator
    }

    /// Returns the denominator, which is positive.
    #[must_use]
    pub fn denominator(self) -> u128 {
        self.denominator
    }

    /// Returns the nearest floating-point number.
    #[must_use]
    pub fn value(self) -> f64 {
        self.numerator as f64 / self.denominator as f64
    }

    /// Returns the value in percent.
    #[must_use]
    pub fn percent(self) -> f64 {
        100.0 * self.value()
    }

    /// Returns the sum with a whole number.
    #[must_use]
    pub fn plus_whole(self, number: i64) -> Fraction {
        Fraction {
            numerator: self.numerator + i128::from(number) * self.denominator as i128,
            denominator: self.denominator,
        }
    }
}

impl PartialOrd for Fraction {
    fn partial_cmp(&self, other: &Fraction) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Fraction {
    /// Compares exactly, by continued fractions, so that no product overflows.
    fn cmp(&self, other: &Fraction) -> Ordering {
        let (mut a, mut b) = (*self, *other);
        loop {
            let whole = |it: Fraction| it.numerator.div_euclid(it.denominator as i128);
            let rest = |it: Fraction| it.numerator.rem_euclid(it.denominator as i128) as u128;
            let order = whole(a).cmp(&whole(b));
            let (rest_a, rest_b) = (rest(a), rest(b));
            if order != Ordering::Equal || rest_a == 0 || rest_b == 0 {
                return order.then(rest_a.cmp(&rest_b));
            }
            let upside_down = |rest: u128, it: Fraction| Fraction {
                numerator: it.denominator as i128,
                denominator: rest,
            };
            // The order of the reciprocals is the reverse.
            (a, b) = (upside_down(rest_b, b), upside_down(rest_a, a));
        }
    }
}

impl fmt::Display for Fraction {
    /// Formats as `3/4`, or `2` for a whole number.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.denominator {
            1 => f.pad(&self.numerator.to_string()),
            denominator => f.pad(&format!("{}/{denominator}", self.numerator)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fractions_are_reduced_and_compared_exactly() {
        let fraction = |n, d| Fraction::new(n, d).unwrap();
        assert_eq!(fraction(6, 8), fraction(3, 4));
        assert_eq!(fraction(6, 8).to_string(), "3/4");
        assert_eq!(fraction(8, 4).to_string(), "2");
        assert!(fraction(-1, 3) < fraction(-1, 4));
        assert!(fraction(1, 3) > fraction(333_333_333, 1_000_000_000));
        assert!(fraction(2, 3) < fraction(666_666_667, 1_000_000_000));
        assert_eq!(fraction(-7, 2).cmp(&fraction(-7, 2)), Ordering::Equal);
        assert_eq!(fraction(1, 2).plus_whole(3), fraction(7, 2));
        assert_eq!(Fraction::new(1, 0), None);
    }
}
