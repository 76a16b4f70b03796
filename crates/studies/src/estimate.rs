//! Estimates with 95 % confidence intervals, and the exact sums that they are computed from.

use statistics::interval::{self, SampleMean};

/// The confidence of all intervals of this crate.
pub(crate) const CONFIDENCE: f64 = 0.95;

/// A sample value with its 95 % confidence interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// Value in the sample; not a number if the sample is empty.
    pub value: f64,
    /// Lower end of the interval; not a number if the sample determines no interval.
    pub low: f64,
    /// Upper end of the interval; not a number if the sample determines no interval.
    pub high: f64,
}

impl Estimate {
    /// Returns a mean with [its interval](SampleMean::interval). A mean that can have one value only has no width; other
    /// means of a single observation have no interval.
    #[must_use]
    pub fn mean(sample: SampleMean) -> Estimate {
        let (least, most) = sample.range;
        let interval = match least == most && sample.observations > 0 {
            true => Some((least, most)),
            false => sample.interval(CONFIDENCE),
        };
        let (low, high) = interval.unwrap_or((f64::NAN, f64::NAN));
        Estimate {
            value: sample.mean,
            low,
            high,
        }
    }

    /// Returns both ends of the interval, if there is one.
    #[must_use]
    pub fn interval(&self) -> Option<(f64, f64)> {
        (self.low.is_finite() && self.high.is_finite()).then_some((self.low, self.high))
    }

    /// Returns the decimals to print: `digits`, or as many as the interval supports.
    ///
    /// ```
    /// let share = croupier_studies::Estimate::proportion(15, 50).scaled(100.0);
    /// assert_eq!((share.decimals(None), share.decimals(Some(3))), (0, 3));
    /// ```
    #[must_use]
    pub fn decimals(&self, digits: Option<usize>) -> usize {
        digits.unwrap_or_else(|| interval::decimals(self.low, self.high))
    }

    /// Returns value, lower and upper end as text with [`decimals`](Self::decimals); the ends are empty without an
    /// interval.
    #[must_use]
    pub fn texts(&self, digits: Option<usize>) -> [String; 3] {
        let decimals = self.decimals(digits);
        [self.value, self.low, self.high].map(|number| match number.is_nan() {
            true => String::new(),
            false => fixed(number, decimals),
        })
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

    /// Returns the estimate with `difference` added to value and interval.
    #[must_use]
    pub fn shifted(self, difference: f64) -> Estimate {
        let [value, low, high] = [self.value, self.low, self.high].map(|x| x + difference);
        Estimate { value, low, high }
    }

    /// Returns the estimate of a proportion with value and interval limited to 0 to 1.
    #[must_use]
    pub(crate) fn within_one(self) -> Estimate {
        let [value, low, high] = [self.value, self.low, self.high].map(|x| x.clamp(0.0, 1.0));
        Estimate { value, low, high }
    }

    /// Returns the estimate with an interval that [allows for](interval::allowing_for_event) an `event` which changes the
    /// value by `jump`. The interval stays within `range`.
    #[must_use]
    pub(crate) fn allowing_for(self, event: Estimate, jump: i32, range: (f64, f64)) -> Estimate {
        let (Some(own), Some(limits)) = (self.interval(), event.interval()) else {
            return self;
        };
        let (value, jump) = (self.value, f64::from(jump));
        let (low, high) = interval::allowing_for_event(own, value, event.value, limits, jump);
        Estimate {
            value,
            low: low.max(range.0.min(own.0)),
            high: high.min(range.1.max(own.1)),
        }
    }

    /// Returns [`allowing_for`](Self::allowing_for) if the event, or its absence, is so rare that about four cases or fewer
    /// were seen; the variance of the sample shows events that are more frequent.
    #[must_use]
    pub(crate) fn allowing_for_rare(
        self,
        event: Estimate,
        jump: i32,
        range: (f64, f64),
    ) -> Estimate {
        match event.value.min(1.0 - event.value) < event.margin() {
            true => self.allowing_for(event, jump, range),
            false => self,
        }
    }

    /// Returns the proportion `successes / trials` with the [interval of a share](interval::share), which stays between
    /// 0 and 1 and keeps a positive width when every trial or no trial succeeded.
    #[must_use]
    pub fn proportion(successes: u64, trials: u64) -> Estimate {
        let (successes, trials) = (successes as f64, trials as f64);
        let (low, high) = interval::share(successes, trials, CONFIDENCE);
        Estimate {
            value: successes / trials,
            low,
            high,
        }
    }

    /// Returns the proportion `successes / trials` of an outcome that may be listed only because it was seen.
    pub(crate) fn seen_proportion(successes: f64, trials: f64) -> Estimate {
        let (low, high) = interval::seen_share(successes, trials, CONFIDENCE);
        Estimate {
            value: successes / trials,
            low,
            high,
        }
    }
}

/// Returns a number with `decimals` decimals. A number that rounds to zero has no sign.
fn fixed(number: f64, decimals: usize) -> String {
    let text = format!("{number:.decimals$}");
    match text.strip_prefix('-') {
        Some(digits) if digits.bytes().all(|byte| matches!(byte, b'0' | b'.')) => digits.to_owned(),
        _ => text,
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

    /// Returns the mean of numbers between `range.0` and `range.1`. A single number has no interval, unless it is the only
    /// possible one.
    ///
    /// ```
    /// let mut moments = croupier_studies::Moments::default();
    /// for tricks in [8, 9, 9, 10] {
    ///     moments.add(tricks);
    /// }
    /// let mean = moments.mean((0.0, 13.0));
    /// assert_eq!(mean.value, 9.0);
    /// assert!(mean.low < 7.5 && mean.high > 10.5);
    /// ```
    #[must_use]
    pub fn mean(&self, range: (f64, f64)) -> Estimate {
        self.scaled_mean(1.0, range)
    }

    /// Returns the mean of the numbers multiplied by `factor`; the products are between `range.0` and `range.1`.
    #[must_use]
    pub fn scaled_mean(&self, factor: f64, range: (f64, f64)) -> Estimate {
        let n = self.count as f64;
        // n times the sum of squared deviations, exactly.
        let spread = i128::from(self.squares) * i128::from(self.count)
            - i128::from(self.sum) * i128::from(self.sum);
        Estimate::mean(SampleMean {
            mean: factor * self.sum as f64 / n,
            variance: factor * factor * spread as f64 / n / (n - 1.0) / n,
            observations: self.count,
            range,
        })
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
    fn proportions_stay_between_zero_and_one_and_keep_a_width() {
        let estimate = Estimate::proportion(15, 50);
        assert_eq!(
            (estimate.low, estimate.high),
            interval::share(15.0, 50.0, CONFIDENCE)
        );
        assert!(estimate.low > 0.18 && estimate.high < 0.44, "{estimate:?}");
        let certain = Estimate::proportion(10, 10);
        assert!(certain.high == 1.0 && certain.low < 0.75);
    }

    #[test]
    fn equal_numbers_have_a_width_unless_no_other_number_is_possible() {
        let mut moments = Moments::default();
        moments.add(9);
        assert_eq!(moments.mean((0.0, 13.0)).interval(), None);
        assert_eq!(moments.mean((9.0, 9.0)).interval(), Some((9.0, 9.0)));
        moments.add(9);
        let mean = moments.mean((0.0, 13.0));
        assert!(mean.low < 3.0 && mean.high > 11.0, "{mean:?}");
    }

    #[test]
    fn texts_have_the_digits_that_the_interval_supports() {
        let estimate = Estimate {
            value: -0.0123,
            low: -0.25,
            high: 0.21,
        };
        assert_eq!(estimate.texts(None), ["-0.01", "-0.25", "0.21"]);
        assert_eq!(estimate.texts(Some(1)), ["0.0", "-0.2", "0.2"]);
        let single = Estimate {
            low: f64::NAN,
            high: f64::NAN,
            ..estimate
        };
        assert_eq!(single.texts(None), ["0", "", ""]);
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
        assert!((all.mean((-7600.0, 7600.0)).value - 95.0).abs() < 1e-12);
    }
}
