//! Intervals that hold the truth 95 times in 100, also for small samples.

use session::Moments;
use statistics::{normal, student};

/// The confidence of all intervals.
const CONFIDENCE: f64 = 0.95;

/// The interval of a mean, or nothing where the sample says nothing: below two values.
///
/// Deals that were made from one another by exchanging hands come in clusters of `cluster`. Within a cluster they
/// may resemble each other as much as copies do, so the sample is taken for no more than its number of clusters.
#[must_use]
pub fn of_mean(moments: &Moments, cluster: u64) -> Option<(f64, f64)> {
    let (mean, variance) = (moments.mean()?, moments.variance()?);
    let independent = moments.count / cluster.max(1);
    if independent < 2 {
        return None;
    }
    let margin =
        student::width(CONFIDENCE, independent - 1) * (variance / independent as f64).sqrt();
    Some((mean - margin, mean + margin))
}

/// Wilson's interval of a share: it stays between 0 and 1 and does not shrink to nothing when everything or nothing
/// was counted. Nothing for an empty sample; `cluster` as in [`of_mean`].
#[must_use]
pub fn of_share(count: u64, total: u64, cluster: u64) -> Option<(f64, f64)> {
    if total == 0 {
        return None;
    }
    let n = (total as f64 / cluster.max(1) as f64).max(1.0);
    let p = count as f64 / total as f64;
    let z = normal::WIDTH_OF_95;
    let z2 = z * z;
    let scale = 1.0 / (1.0 + z2 / n);
    let centre = (p + z2 / (2.0 * n)) * scale;
    let half = z * (p * (1.0 - p) / n + z2 / (4.0 * n * n)).sqrt() * scale;
    Some(((centre - half).max(0.0), (centre + half).min(1.0)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moments(values: &[i32]) -> Moments {
        let mut moments = Moments::default();
        values.iter().for_each(|&value| moments.add(value));
        moments
    }

    #[test]
    fn one_value_says_nothing_about_the_spread() {
        assert_eq!(of_mean(&moments(&[]), 1), None);
        assert_eq!(of_mean(&moments(&[9]), 1), None);
        // Six exchanged deals are one observation.
        assert_eq!(of_mean(&moments(&[9, 8, 7, 6, 5, 4]), 6), None);
        let (low, high) = of_mean(&moments(&[8, 10]), 1).unwrap();
        assert!((low - (9.0 - 12.7062)).abs() < 1e-3 && (high - (9.0 + 12.7062)).abs() < 1e-3);
    }

    /// Nearly normal values (sums of twelve): the intervals of small samples hold the true mean as often as they
    /// claim. With 1.96 standard errors two values would hold it 70 times in 100.
    #[test]
    fn small_samples_are_covered() {
        let mut state = 1u64;
        let mut value = || -> i32 {
            (0..12)
                .map(|_| {
                    state = state
                        .wrapping_mul(6_364_136_223_846_793_005)
                        .wrapping_add(1_442_695_040_888_963_407);
                    (state >> 33) as i32 % 10_001
                })
                .sum()
        };
        for size in [2, 3, 5, 10] {
            const SAMPLES: u32 = 20_000;
            let held = (0..SAMPLES).filter(|_| {
                let values: Vec<i32> = (0..size).map(|_| value()).collect();
                let (low, high) = of_mean(&moments(&values), 1).unwrap();
                low <= 60_000.0 && 60_000.0 <= high
            });
            let share = held.count() as f64 / f64::from(SAMPLES);
            assert!((share - 0.95).abs() < 0.006, "{size} values: {share}");
        }
    }

    #[test]
    fn shares_keep_within_their_limits() {
        assert_eq!(of_share(0, 0, 1), None);
        let (low, high) = of_share(0, 10, 1).unwrap();
        assert!(low == 0.0 && (high - 0.2775).abs() < 1e-3);
        let (_, wide) = of_share(0, 60, 6).unwrap();
        assert!((wide - high).abs() < 1e-12);
    }
}
