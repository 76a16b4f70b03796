//! Confidence intervals of shares and means that keep their coverage in small samples and for rare events.
//!
//! ```
//! use croupier_statistics::interval;
//!
//! // An event that did not occur in ten deals may well have a probability of a fifth.
//! let (low, high) = interval::share(0.0, 10.0, 0.95);
//! assert!(low == 0.0 && (high - 0.2589).abs() < 1e-4);
//! ```

use crate::{beta, gamma, normal, student};

/// Number of successes and of failures from which the normal approximation of the binomial distribution is used. The
/// limits then differ from the exact ones by less than a hundredth of the width of the interval.
const MANY: f64 = 500.0;

/// Number of trials from which the Poisson distribution is used for rare events. The relative error of a limit is then
/// below [`MANY`] / `MANY_TRIALS`, and the beta function would lose digits.
const MANY_TRIALS: f64 = 1e7;

/// Halvings of an interval of length 1 until the limits of a double are reached.
const HALVINGS: usize = 64;

/// Returns the mid-P interval of a binomial share: `successes` of `trials`, at confidence `level`.
///
/// It is Clopper and Pearson's interval with the observed outcome counted half in each tail: coverage is close to
/// `level` on average, and the width is never zero. Both numbers may be fractions, for samples whose effective size is
/// not a whole number. Without trials the share can be anything.
#[must_use]
pub fn share(successes: f64, trials: f64, level: f64) -> (f64, f64) {
    if trials <= 0.0 {
        return (0.0, 1.0);
    }
    let successes = successes.clamp(0.0, trials);
    let failures = trials - successes;
    if successes > failures {
        let (low, high) = share(failures, trials, level);
        return (1.0 - high, 1.0 - low);
    }
    if successes > MANY {
        return wilson(successes / trials, trials, normal::width(level));
    }
    let tail = (1.0 - level) / 2.0;
    let low = match successes == 0.0 {
        true => 0.0,
        false => find_share(0.0, successes / trials, |p| {
            at_least(successes, trials, p) < tail
        }),
    };
    let high = find_share(successes / trials, 1.0, |p| {
        at_least(successes, trials, p) < 1.0 - tail
    });
    (low, high)
}

/// Returns the interval of a share that is only shown because it was seen at least once, such as a row of a table.
///
/// The lower limit comes from the binomial distribution without the outcome 0. With [`share`], a rare event that is
/// seen once would hardly ever be inside its interval.
#[must_use]
pub fn seen_share(successes: f64, trials: f64, level: f64) -> (f64, f64) {
    let (low, high) = share(successes, trials, level);
    if successes <= 1.0 {
        return (0.0, high);
    }
    if successes > MANY {
        return (low, high);
    }
    let tail = (1.0 - level) / 2.0;
    let low = find_share(0.0, successes / trials, |p| {
        let seen = -(trials * (-p).ln_1p()).exp_m1();
        at_least(successes, trials, p) < tail * seen
    });
    (low, high)
}

/// Returns Wilson's interval of a share `p` of `n` trials, `width` standard errors to each side.
fn wilson(p: f64, n: f64, width: f64) -> (f64, f64) {
    let square = width * width;
    let scale = 1.0 / (1.0 + square / n);
    let centre = (p + square / (2.0 * n)) * scale;
    let half = width * (p * (1.0 - p) / n + square / (4.0 * n * n)).sqrt() * scale;
    ((centre - half).max(0.0), (centre + half).min(1.0))
}

/// Returns the share between `low` and `high` up to which `is_too_small` holds.
fn find_share(mut low: f64, mut high: f64, is_too_small: impl Fn(f64) -> bool) -> f64 {
    for _ in 0..HALVINGS {
        let middle = f64::midpoint(low, high);
        if is_too_small(middle) {
            low = middle;
        } else {
            high = middle;
        }
    }
    f64::midpoint(low, high)
}

/// Returns P(X > x) + P(X = x) / 2 for a binomial X with `trials` trials of probability `p`, continued to fractions.
fn at_least(x: f64, trials: f64, p: f64) -> f64 {
    let (with, without) = if trials >= MANY_TRIALS {
        let expected = trials * p;
        (
            1.0 - gamma::upper(x, expected),
            1.0 - gamma::upper(x + 1.0, expected),
        )
    } else {
        (
            beta::regularised(x, trials - x + 1.0, p),
            beta::regularised(x + 1.0, trials - x, p),
        )
    };
    f64::midpoint(with, without)
}

/// Returns the number of decimals that an interval from `low` to `high` supports: two digits of its width are shown.
///
/// ```
/// use croupier_statistics::interval::decimals;
///
/// assert_eq!(decimals(9.81, 10.23), 2);
/// assert_eq!(decimals(4.0, 17.0), 0);
/// ```
#[must_use]
pub fn decimals(low: f64, high: f64) -> usize {
    /// Digits of a double that are worth printing.
    const MOST: f64 = 12.0;
    let width = high - low;
    if width > 0.0 && width.is_finite() {
        (1.0 - width.log10().floor()).clamp(0.0, MOST) as usize
    } else {
        0
    }
}

/// Returns the interval of a mean, widened for an event that adds `jump` to the value when it happens.
///
/// A sample in which a rare event did not happen does not show the variance that the event causes. `share` is the share of
/// the event in the sample and `limits` its interval: with the event as frequent as either limit, the mean would be
/// `mean + (limit - share) * jump`. The result holds both of these means.
///
/// ```
/// use croupier_statistics::interval::{allowing_for_event, share};
///
/// // Five contracts went down one: a game that makes once in ten times scores more on average.
/// let (low, high) = allowing_for_event((-50.0, -50.0), -50.0, 0.0, share(0.0, 5.0, 0.95), 450.0);
/// assert!(low == -50.0 && high > 0.9 * -50.0 + 0.1 * 400.0);
/// ```
#[must_use]
pub fn allowing_for_event(
    (low, high): (f64, f64),
    mean: f64,
    share: f64,
    limits: (f64, f64),
    jump: f64,
) -> (f64, f64) {
    let means = [limits.0, limits.1].map(|limit| mean + (limit - share) * jump);
    let [first, second] = means;
    (low.min(first).min(second), high.max(first).max(second))
}

/// A sample mean and how well it is known.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SampleMean {
    /// The mean of the sample.
    pub mean: f64,
    /// The estimated variance of [`mean`](Self::mean).
    pub variance: f64,
    /// Number of independent observations behind it: deals, or clusters of deals.
    pub observations: u64,
    /// Smallest and largest value that an observation can have.
    pub range: (f64, f64),
}

impl SampleMean {
    /// Returns an interval that holds the true mean with probability `level`, or nothing below two observations.
    ///
    /// Each limit is Student's limit of the sample with one observation more on that side: two standard deviations
    /// from the mean and at least 1, but within the range. So samples of few distinct values, whose spread is often
    /// underestimated, get wider intervals; in large samples the change vanishes. Where all values are equal, the
    /// probability of another value is bounded instead. The width is zero only if the range has one value.
    #[must_use]
    pub fn interval(&self, level: f64) -> Option<(f64, f64)> {
        if self.observations < 2 {
            return None;
        }
        let (least, most) = self.range;
        if self.variance <= 0.0 {
            let n = self.observations as f64;
            let (_, other) = share(0.0, n, level);
            return Some((
                self.mean - other * (self.mean - least),
                self.mean + other * (most - self.mean),
            ));
        }
        let low = self.limit(-1.0, level).clamp(least, self.mean);
        let high = self.limit(1.0, level).clamp(self.mean, most);
        Some((low, high))
    }

    /// Returns the limit on one side: `sign` is 1 for the upper one, -1 for the lower one.
    fn limit(&self, sign: f64, level: f64) -> f64 {
        let n = self.observations as f64;
        let spread = self.variance * n;
        let (least, most) = self.range;
        let further = (self.mean + sign * (2.0 * spread.sqrt()).max(1.0)).clamp(least, most);
        let distance = further - self.mean;
        let mean = self.mean + distance / (n + 1.0);
        // Sum of squares of n + 1 values: the old one and the part of the new value.
        let squares = (n - 1.0) * spread + distance * distance * n / (n + 1.0);
        let error = (squares / n / (n + 1.0)).sqrt();
        mean + sign * student::width(level, self.observations) * error
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the binomial probabilities of 0 to `n` successes.
    fn binomial(n: u32, p: f64) -> Vec<f64> {
        let mut probability = (1.0 - p).powi(n as i32);
        let mut all = vec![probability];
        for k in 0..n {
            probability *= f64::from(n - k) / f64::from(k + 1) * p / (1.0 - p);
            all.push(probability);
        }
        all
    }

    /// Returns the coverage of the interval: the probability of the outcomes, from `first` successes on, whose
    /// intervals contain `p`.
    fn coverage(interval: fn(f64, f64, f64) -> (f64, f64), n: u32, p: f64, first: usize) -> f64 {
        let probabilities = binomial(n, p);
        let mut covered = 0.0;
        for (successes, probability) in probabilities.iter().enumerate().skip(first) {
            let (low, high) = interval(successes as f64, f64::from(n), 0.95);
            if low <= p && p <= high {
                covered += probability;
            }
        }
        covered / probabilities[first..].iter().sum::<f64>()
    }

    #[test]
    fn shares_are_covered_at_every_size_and_probability() {
        for n in [5, 10, 20, 50, 200, 1000] {
            for p in [0.5, 0.1, 0.01, 0.001] {
                let found = coverage(share, n, p, 0);
                assert!(found > 0.93, "{n} trials of {p}: {found}");
                let seen = coverage(seen_share, n, p, 1);
                assert!(seen > 0.93, "{n} trials of {p}, seen: {seen}");
            }
        }
    }

    /// The figures were computed with SciPy's `betainc` and a root finder.
    #[test]
    fn limits_are_those_of_an_independent_computation() {
        let reference = [
            (1.0, 10.0, 0.005001475282, 0.403476155738),
            (3.0, 20.0, 0.039619784329, 0.356107360314),
            (2.5, 7.5, 0.077846322585, 0.698266578954),
            (17.0, 1000.0, 0.010265572548, 0.026532153551),
            (199.0, 200.0, 0.975591927205, 0.999749899761),
        ];
        for (successes, trials, low, high) in reference {
            let (found_low, found_high) = share(successes, trials, 0.95);
            assert!(
                (found_low - low).abs() < 1e-9 && (found_high - high).abs() < 1e-9,
                "{successes} of {trials}: {found_low} {found_high}"
            );
        }
    }

    #[test]
    fn methods_agree_where_one_takes_over_from_the_other() {
        // Normal against beta.
        let (low, high) = wilson(0.05, 10_000.0, normal::width(0.95));
        let width = high - low;
        let exact = share(500.0, 10_000.0, 0.95);
        assert!((low - exact.0).abs().max((high - exact.1).abs()) < 1e-2 * width);
        // Poisson against beta.
        let (beta, poisson) = (share(3.0, 9_999_999.0, 0.95), share(3.0, 1e7, 0.95));
        assert!((beta.0 / poisson.0 - 1.0).abs() < 1e-5 && (beta.1 / poisson.1 - 1.0).abs() < 1e-5);
        // Very many trials.
        let (low, high) = share(2.0, 1e15, 0.95);
        assert!(low > 0.3e-15 && high < 7e-15, "{low} {high}");
    }

    #[test]
    fn certain_and_impossible_events_have_one_sided_intervals() {
        assert_eq!(share(0.0, 0.0, 0.95), (0.0, 1.0));
        let (low, high) = share(10.0, 10.0, 0.95);
        assert!(high == 1.0 && (low - (1.0 - 0.2589)).abs() < 1e-4);
        assert_eq!(seen_share(1.0, 10.0, 0.95).0, 0.0);
    }

    #[test]
    fn equal_values_do_not_make_a_sure_mean() {
        let sample = SampleMean {
            mean: 1.0,
            variance: 0.0,
            observations: 5,
            range: (0.0, 4.0),
        };
        let (low, high) = sample.interval(0.95).unwrap();
        assert!(low < 0.6 && high > 2.3, "{low} {high}");
        let constant = SampleMean {
            range: (1.0, 1.0),
            ..sample
        };
        assert_eq!(constant.interval(0.95), Some((1.0, 1.0)));
        let one = SampleMean {
            observations: 1,
            ..sample
        };
        assert_eq!(one.interval(0.95), None);
    }

    #[test]
    fn large_samples_have_students_interval() {
        let sample = SampleMean {
            mean: 10.0,
            variance: 1e-4,
            observations: 160_000,
            range: (0.0, 37.0),
        };
        let (low, high) = sample.interval(0.95).unwrap();
        let student = student::width(0.95, 159_999) * 1e-2;
        assert!((high - 10.0 - student).abs() < 2e-4 && (10.0 - low - student).abs() < 2e-4);
    }
}
