//! The normal distribution.

use crate::gamma;

/// Number of standard errors on either side of an interval that contains the true value in 95 of 100 samples.
pub const WIDTH_OF_95: f64 = 1.959_963_984_540_054;

/// Returns the probability that a standard normal value is at least `z` away from zero, on either side.
#[must_use]
pub fn two_tails(z: f64) -> f64 {
    gamma::upper(0.5, z * z / 2.0)
}

/// Returns how many standard errors on either side hold a normal value with probability `level`.
#[must_use]
pub fn width(level: f64) -> f64 {
    // Beyond 40 standard errors a double cannot tell the tail from zero.
    let (mut low, mut high) = (0.0, 40.0);
    for _ in 0..64 {
        let middle = f64::midpoint(low, high);
        if two_tails(middle) > 1.0 - level {
            low = middle;
        } else {
            high = middle;
        }
    }
    low
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_in_twenty_lies_outside_the_interval_of_95() {
        assert!((two_tails(WIDTH_OF_95) - 0.05).abs() < 1e-12);
        assert!((two_tails(-3.0) - 0.002_699_796).abs() < 1e-8);
        assert_eq!(two_tails(0.0), 1.0);
        assert!((width(0.95) - WIDTH_OF_95).abs() < 1e-12);
    }
}
