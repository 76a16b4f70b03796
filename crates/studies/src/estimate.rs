//! Estimates with 95 % confidence intervals, and the exact sums that they are computed from.

use statistics::normal;

/// A sample value with its 95 % confidence interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// Value in the sample; not a number if the sample is empty.
    pub value: f64,
    /// Lower end of the interval.
    pub low: f64,
    /// Upper end of the interval.
    pub high: f64,
}

impl Estimate {
    /// Returns `value` with the interval of a normal distribution whose variance is `variance`.
    #[must_use]
    pub fn normal(value: f64, variance: f64) -> Estimate {
        let half = normal::WIDTH_OF_95 * variance.sqrt();
        Estimate {
            value,
            low: value - half,
            high: value + half,
        }
    }

    /// Returns half the width of the interval.
    #[must_use]
    pub fn margin(&self) -> f64 {
        (self.high - self.low) / 2.0
    }

    /// Returns the estimate with value and interval multiplied by `factor`.
    #[must_use]
    pub fn scaled(self, factor: f64) -> Estimate {
        let [value, low, high] = [self.value, self.low, self.high].map(|x| x * factor);
        Estimate { value, low, high }
    }

    /// Returns the estimate of a proportion with value and interval limited to 0 to 1.
    #[must_use]
    pub(crate) fn within_one(self) -> Estimate {
        let [value, low, high] = [self.value, self.low, self.high].map(|x| x.clamp(0.0, 1.0));
        Estimate { value, low, high }
    }

    /// Returns the proportion `successes / trials` with Wilson's interval, which stays between 0 and 1 and keeps a
    /// positive width when every trial or no trial succeeded.
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

/// Count, sum and sum of squares of integers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Moments {
    count: u64,
    sum: i64,
    squares: u64,
}

impl Moments {
    /// Adds one number.
    pub fn add(&mut self, number: i32) {
        self.count += 1;
        self.sum += i64::from(number);
        self.squares += u64::from(number.unsigned_abs()).pow(2);
    }

    /// Adds the numbers of `other`.
    pub fn merge(&mut self, other: &Moments) {
        self.count += other.count;
        self.sum += other.sum;
        self.squares += other.squares;
    }

    /// Returns the count of the numbers.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.count
    }

    /// Returns the mean with the interval of the normal distribution. The interval of a single number is not a number.
    ///
    /// ```
    /// let mut moments = studies::Moments::default();
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
        Estimate::normal(value, variance / n)
    }
}

/// Returns the matchpoints of one score against another in halves: 2 for a better, 1 for an equal, 0 for a worse one.
pub(crate) fn half_matchpoints(ours: i32, theirs: i32) -> i32 {
    1 + (ours > theirs) as i32 - (ours < theirs) as i32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wilsons_interval_stays_between_zero_and_one() {
        // (p + z²/2n ± z √(p(1-p)/n + z²/4n²)) / (1 + z²/n) for 15 of 50, by hand.
        let estimate = Estimate::proportion(15, 50);
        assert!((estimate.low - 0.1910).abs() < 5e-4, "{estimate:?}");
        assert!((estimate.high - 0.4375).abs() < 5e-4, "{estimate:?}");
        let certain = Estimate::proportion(10, 10);
        assert!((certain.high - 1.0).abs() < 1e-12 && certain.high <= 1.0);
        assert!(certain.low < 0.75);
    }

    #[test]
    fn merged_moments_equal_the_moments_of_all_numbers() {
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
