//! The sums behind an average: mean, variance and standard error.

use serde::{Deserialize, Serialize};

/// The sums behind `average`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct AverageSums {
    /// Number of values.
    pub count: u64,
    /// Exact sum of the values. The low 32 bits are the wrapped sum of v1.
    #[serde(with = "super::wide")]
    pub sum: i128,
    /// Exact sum of the squares of the values.
    #[serde(with = "super::wide")]
    pub squares: u128,
    /// Sum of the squares of the values, where each square wraps to 32 bits as in DealerV2.
    pub wrapped_squares: i64,
}

impl AverageSums {
    /// Adds one value.
    #[inline]
    pub fn add(&mut self, value: i32) {
        self.count += 1;
        self.sum += i128::from(value);
        let square = i64::from(value) * i64::from(value);
        self.squares += square as u128;
        // With 2^32 values beyond 2^15 this sum may wrap too; it affects only DealerV2's own figure.
        self.wrapped_squares = self.wrapped_squares.wrapping_add(i64::from(square as i32));
    }

    /// Returns the sums of values that occur a number of times each.
    #[must_use]
    pub fn of_counts(values: impl IntoIterator<Item = (i32, u64)>) -> AverageSums {
        let mut moments = AverageSums::default();
        for (value, times) in values {
            let (value, square) = (i128::from(value), i64::from(value) * i64::from(value));
            moments.count += times;
            moments.sum += value * i128::from(times);
            moments.squares += square as u128 * u128::from(times);
            let wrapped = i64::from(square as i32).wrapping_mul(times as i64);
            moments.wrapped_squares = moments.wrapped_squares.wrapping_add(wrapped);
        }
        moments
    }

    /// Adds the sums of `other`.
    pub fn merge(&mut self, other: &AverageSums) {
        // No run reaches these limits, but a file may hold any number.
        self.count = self.count.saturating_add(other.count);
        self.sum = self.sum.saturating_add(other.sum);
        self.squares = self.squares.saturating_add(other.squares);
        self.wrapped_squares = self.wrapped_squares.wrapping_add(other.wrapped_squares);
    }

    /// Returns whether the sums are possible for exactly `values` values of 32 bits.
    pub(super) fn is_of(&self, values: u64) -> bool {
        let count = u128::from(self.count);
        self.count == values
            && self.sum.unsigned_abs() <= count << 31
            && self.squares <= count << 62
    }

    /// Returns the sum divided by the count; `None` without values.
    #[must_use]
    pub fn mean(&self) -> Option<f64> {
        (self.count > 0).then(|| self.sum as f64 / self.count as f64)
    }

    /// Returns the sample variance (divisor `count - 1`) from exact sums; 0 for a single value, `None` without values.
    #[must_use]
    pub fn variance(&self) -> Option<f64> {
        match self.count {
            0 => None,
            1 => Some(0.0),
            n => {
                let (squares, rest) = self.about_the_mean()?;
                let (n_wide, n) = (u128::from(n), n as f64);
                let exact = n_wide
                    .checked_mul(squares)
                    .and_then(|a| a.checked_sub(rest * rest));
                let numerator = exact.map_or_else(
                    || squares as f64 * n - rest as f64 * rest as f64,
                    |numerator| numerator as f64,
                );
                Some(numerator / n / (n - 1.0))
            }
        }
    }

    /// Returns the sum of the squared distances from the mean rounded down, and the rest of the sum after rounding. The
    /// large squares of values that are close together cancel here, in integers.
    fn about_the_mean(&self) -> Option<(u128, u128)> {
        let n = i128::from(self.count);
        let (floor, rest) = (self.sum.div_euclid(n), self.sum.rem_euclid(n));
        // sum (x - f)^2 = squares - 2 f sum + n f^2 = squares - f (sum + rest)
        let moved = floor.checked_mul(self.sum.checked_add(rest)?)?;
        let squares = i128::try_from(self.squares).ok()?.checked_sub(moved)?;
        Some((u128::try_from(squares).ok()?, rest.unsigned_abs()))
    }

    /// Returns the standard deviation of the values: the root of the variance.
    #[must_use]
    pub fn deviation(&self) -> Option<f64> {
        self.variance().map(f64::sqrt)
    }

    /// Returns the standard error of the mean.
    #[must_use]
    pub fn error(&self) -> Option<f64> {
        Some((self.variance()? / self.count as f64).sqrt())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(values: impl IntoIterator<Item = i32>) -> AverageSums {
        let mut moments = AverageSums::default();
        values.into_iter().for_each(|value| moments.add(value));
        moments
    }

    #[test]
    fn values_far_from_zero_have_the_variance_of_those_near_it() {
        let near = of((0..1000).map(|i| i % 17));
        for shift in [1_600_000_000, -2_000_000_000] {
            let far = of((0..1000).map(|i| shift + i % 17));
            assert_eq!(far.variance(), near.variance());
        }
    }

    #[test]
    fn extreme_values_keep_nine_digits() {
        // Two values four billion apart, each 2^40 times: as large as a run can get.
        let times = 1u64 << 40;
        let moments = AverageSums {
            count: 2 * times,
            sum: -i128::from(times),
            squares: u128::from(times) * ((1u128 << 62) + ((1u128 << 31) - 1).pow(2)),
            wrapped_squares: 0,
        };
        let half = (f64::from(i32::MAX) - f64::from(i32::MIN)) / 2.0;
        assert!((moments.deviation().unwrap() / half - 1.0).abs() < 1e-9);
    }

    #[test]
    fn counted_values_have_the_sums_of_single_ones() {
        let counts = [(3, 2), (-70_000, 3), (0, 1)];
        let singly = counts
            .map(|(value, times)| vec![value; times as usize])
            .concat();
        assert_eq!(AverageSums::of_counts(counts), of(singly));
    }

    #[test]
    fn sums_survive_a_file_whatever_their_size() {
        for moments in [of([3, -4]), of([i32::MIN; 40])] {
            let text = serde_json::to_string(&moments).unwrap();
            assert_eq!(serde_json::from_str::<AverageSums>(&text).unwrap(), moments);
        }
        assert!(
            serde_json::to_string(&of([3, -4]))
                .unwrap()
                .contains(r#""sum":-1,"squares":25"#)
        );
    }
}
