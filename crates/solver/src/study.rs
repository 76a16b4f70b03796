//! Studies of many deals: what each opening lead and each contract is worth, and how sure that is.
//!
//! Sums are exact integers, so studies of parts of the deals can be merged in any order.

mod contracts;
mod leads;

use statistics::normal;

pub use contracts::{ContractResult, ContractStudy, Declared};
pub use leads::{LeadResult, LeadStudy, SetStudy, sequences};

/// A value found by sampling and the interval in which the true one lies with 95 % confidence.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// The value in the sample; not a number if the sample is empty.
    pub value: f64,
    /// Lower end of the interval.
    pub low: f64,
    /// Upper end of the interval.
    pub high: f64,
}

impl Estimate {
    /// Half the width of the interval.
    #[must_use]
    pub fn margin(&self) -> f64 {
        (self.high - self.low) / 2.0
    }

    /// The estimate in other units.
    #[must_use]
    pub fn scaled(self, factor: f64) -> Estimate {
        let [value, low, high] = [self.value, self.low, self.high].map(|x| x * factor);
        Estimate { value, low, high }
    }

    /// A proportion, with Wilson's interval: it stays between 0 and 1 and does not shrink to
    /// nothing when everything or nothing succeeded.
    #[must_use]
    pub fn proportion(successes: u64, trials: u64) -> Estimate {
        let (n, z) = (trials as f64, normal::WIDTH_OF_95);
        let p = successes as f64 / n;
        let scale = 1.0 / (1.0 + z * z / n);
        let centre = (p + z * z / (2.0 * n)) * scale;
        let half = z * (p * (1.0 - p) / n + z * z / (4.0 * n * n)).sqrt() * scale;
        Estimate {
            value: p,
            low: (centre - half).max(0.0),
            high: (centre + half).min(1.0),
        }
    }
}

/// Number, sum and sum of squares of whole numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Moments {
    count: u64,
    sum: i64,
    squares: u64,
}

impl Moments {
    /// Adds a number.
    pub fn add(&mut self, number: i32) {
        self.count += 1;
        self.sum += i64::from(number);
        self.squares += u64::from(number.unsigned_abs()).pow(2);
    }

    /// Adds what another one collected.
    pub fn merge(&mut self, other: &Moments) {
        self.count += other.count;
        self.sum += other.sum;
        self.squares += other.squares;
    }

    /// How many numbers there were.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.count
    }

    /// The mean, with the interval of the normal distribution; one number says nothing about it, so its ends are not numbers.
    ///
    /// ```
    /// let mut moments = solver::study::Moments::default();
    /// for tricks in [8, 9, 9, 10] {
    ///     moments.add(tricks);
    /// }
    /// let mean = moments.mean();
    /// assert_eq!(mean.value, 9.0);
    /// assert!((mean.margin() - 0.8).abs() < 0.001);
    /// ```
    #[must_use]
    pub fn mean(&self) -> Estimate {
        let n = self.count as f64;
        let value = self.sum as f64 / n;
        // n times the sum of squared deviations, exactly.
        let spread = i128::from(self.squares) * i128::from(self.count)
            - i128::from(self.sum) * i128::from(self.sum);
        let variance = match self.count {
            1 => f64::NAN,
            _ => spread as f64 / n / (n - 1.0),
        };
        let half = normal::WIDTH_OF_95 * (variance / n).sqrt();
        Estimate {
            value,
            low: value - half,
            high: value + half,
        }
    }
}

/// Matchpoints in halves: 2 for more, 1 for the same, 0 for less.
fn half_matchpoints(ours: i32, theirs: i32) -> i32 {
    1 + (ours > theirs) as i32 - (ours < theirs) as i32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wilsons_interval_stays_between_nothing_and_everything() {
        // (p + z²/2n ± z √(p(1-p)/n + z²/4n²)) / (1 + z²/n) for 15 of 50, by hand.
        let estimate = Estimate::proportion(15, 50);
        assert!((estimate.low - 0.1910).abs() < 5e-4, "{estimate:?}");
        assert!((estimate.high - 0.4375).abs() < 5e-4, "{estimate:?}");
        let certain = Estimate::proportion(10, 10);
        assert!((certain.high - 1.0).abs() < 1e-12 && certain.high <= 1.0);
        assert!(certain.low < 0.75);
    }

    #[test]
    fn merged_moments_are_the_moments_of_all() {
        let numbers = [-620, 140, 50, 0, 1100, -100];
        let (mut all, mut left, mut right) =
            (Moments::default(), Moments::default(), Moments::default());
        for (i, &number) in numbers.iter().enumerate() {
            all.add(number);
            if i < 2 { &mut left } else { &mut right }.add(number);
        }
        left.merge(&right);
        assert_eq!(left, all);
        assert_eq!(all.count(), 6);
        assert!((all.mean().value - 95.0).abs() < 1e-12);
    }
}
