//! Student's distribution: how far the mean of a small sample may be off.

use std::f64::consts::{FRAC_2_PI, FRAC_PI_2};

/// Returns the number of standard errors on either side of a mean that contain the true mean with probability `level`,
/// if the spread was estimated with `freedom` degrees of freedom (one less than there were values).
///
/// ```
/// // Of three values, not 1.96 standard errors but more than twice as many.
/// assert!((croupier_statistics::student::width(0.95, 2) - 4.3027).abs() < 1e-4);
/// ```
#[must_use]
pub fn width(level: f64, freedom: u64) -> f64 {
    /// The sum has half as many terms as there are degrees of freedom. Beyond this number the width is extrapolated
    /// from two exact ones.
    const MOST: u64 = 2000;
    if freedom > MOST {
        // The width is nearly linear in 1/freedom, which is 0 for the normal distribution.
        let [near, far] = [MOST / 2, MOST].map(|nu| (1.0 / nu as f64, width(level, nu)));
        let slope = (near.1 - far.1) / (near.0 - far.0);
        return far.1 + slope * (1.0 / freedom as f64 - far.0);
    }
    // The probability grows with the angle, so halving finds it.
    let (mut low, mut high) = (0.0, FRAC_PI_2);
    for _ in 0..60 {
        let middle = f64::midpoint(low, high);
        if within(freedom, middle) < level {
            low = middle;
        } else {
            high = middle;
        }
    }
    low.tan() * (freedom as f64).sqrt()
}

/// Returns the probability of ±t, where t = sqrt(freedom) tan(angle): a finite sum for a whole number of degrees of
/// freedom (Abramowitz and Stegun, 26.7.3 and 26.7.4).
fn within(freedom: u64, angle: f64) -> f64 {
    let (sin, cos) = angle.sin_cos();
    let odd = freedom % 2 == 1;
    let mut term = if odd { cos } else { 1.0 };
    let (mut sum, mut k) = (0.0, if odd { 2 } else { 1 });
    while k < freedom {
        sum += term;
        term *= k as f64 / (k + 1) as f64 * cos * cos;
        k += 2;
    }
    match odd {
        true => FRAC_2_PI * (angle + sin * sum),
        false => sin * sum,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::normal;

    /// The two-sided columns of every printed table.
    #[test]
    fn widths_are_those_of_the_tables() {
        let table = [
            (0.95, 1, 12.7062),
            (0.95, 2, 4.3027),
            (0.95, 3, 3.1824),
            (0.95, 4, 2.7764),
            (0.95, 9, 2.2622),
            (0.95, 30, 2.0423),
            (0.95, 120, 1.9799),
            (0.95, 1000, 1.9623),
            (0.99, 5, 4.0321),
            (0.99, 10, 3.1693),
            (0.5, 1, 1.0),
        ];
        for (level, freedom, expected) in table {
            let found = width(level, freedom);
            assert!((found - expected).abs() < 6e-5, "{freedom}: {found}");
        }
    }

    #[test]
    fn large_samples_are_normal() {
        for freedom in [2001, 10_000, 1 << 40] {
            let more = width(0.95, freedom) - normal::WIDTH_OF_95;
            // The first term of the expansion: (z^3 + z) / (4 freedom).
            assert!(
                (more - 2.3723 / freedom as f64).abs() < 2e-6,
                "{freedom}: {more}"
            );
        }
    }
}
