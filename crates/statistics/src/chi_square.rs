//! The chi-square distribution.

use crate::gamma;

/// Returns the probability that chi-square with `degrees` degrees of freedom is at least `statistic`.
#[must_use]
pub fn upper_tail(statistic: f64, degrees: f64) -> f64 {
    gamma::upper(degrees / 2.0, statistic / 2.0)
}

/// Returns the sum of (observed - expected)^2 / expected.
#[must_use]
pub fn of(observed: impl IntoIterator<Item = (u64, f64)>) -> f64 {
    observed
        .into_iter()
        .map(|(count, expected)| (count as f64 - expected).powi(2) / expected)
        .sum()
}

/// Returns the statistic of counts that should be equal.
#[must_use]
pub fn of_equal(counts: &[u64]) -> f64 {
    let expected = counts.iter().sum::<u64>() as f64 / counts.len() as f64;
    of(counts.iter().map(|&count| (count, expected)))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Points of the standard tables.
    #[test]
    fn tail_probabilities_are_those_of_the_tables() {
        for (degrees, statistic, p) in [
            (1.0, 3.841_458_820_694, 0.05),
            (10.0, 23.209_251_158_954, 0.01),
            (51.0, 68.669_293_927, 0.05),
            (532.0, 586.763_640, 0.05),
        ] {
            let found = upper_tail(statistic, degrees);
            assert!((found - p).abs() < 2e-4, "{degrees}: {found}, not {p}");
        }
        assert!((upper_tail(60.0, 1.0) / 9.5e-15 - 1.0).abs() < 0.02);
        assert_eq!(upper_tail(0.0, 5.0), 1.0);
        assert_eq!(upper_tail(7.0, 0.0), 1.0);
        assert!(upper_tail(1e4, 3.0) < 1e-300);
    }

    #[test]
    fn equal_counts_have_no_surprise() {
        assert_eq!(of_equal(&[7, 7, 7]), 0.0);
        assert_eq!(of_equal(&[10, 20]), 10.0 / 3.0);
    }
}
