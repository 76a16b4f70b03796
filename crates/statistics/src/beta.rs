//! The regularised incomplete beta function.

use crate::gamma::ln_gamma;

/// Returns I_x(a, b): the probability that a beta variable with parameters `a` and `b` is at most `x`.
///
/// A continued fraction (Lentz), on the side of the mean where it converges quickly.
pub(crate) fn regularised(a: f64, b: f64, x: f64) -> f64 {
    if a <= 0.0 {
        return 1.0;
    }
    if b <= 0.0 || x <= 0.0 {
        return 0.0;
    }
    if x >= 1.0 {
        return 1.0;
    }
    let front = ln_gamma(a + b) - ln_gamma(a) - ln_gamma(b) + a * x.ln() + b * (-x).ln_1p();
    if x < (a + 1.0) / (a + b + 2.0) {
        front.exp() * fraction(a, b, x) / a
    } else {
        1.0 - front.exp() * fraction(b, a, 1.0 - x) / b
    }
}

/// Returns the continued fraction of the incomplete beta function (Abramowitz and Stegun, 26.5.8).
fn fraction(a: f64, b: f64, x: f64) -> f64 {
    const TINY: f64 = 1e-300;
    /// The number of steps grows with the root of the parameters; this is enough for 10^9.
    const MOST_STEPS: u32 = 100_000;
    let not_zero = |value: f64| if value.abs() < TINY { TINY } else { value };
    let mut c = 1.0;
    let mut d = 1.0 / not_zero(1.0 - (a + b) * x / (a + 1.0));
    let mut result = d;
    for step in 1..MOST_STEPS {
        let m = f64::from(step);
        let even = m * (b - m) * x / ((a + 2.0 * m - 1.0) * (a + 2.0 * m));
        let odd = -(a + m) * (a + b + m) * x / ((a + 2.0 * m) * (a + 2.0 * m + 1.0));
        let mut change = 1.0;
        for coefficient in [even, odd] {
            d = 1.0 / not_zero(1.0 + coefficient * d);
            c = not_zero(1.0 + coefficient / c);
            change = c * d;
            result *= change;
        }
        if (change - 1.0).abs() < 1e-15 {
            break;
        }
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    /// I_x(a, b) is a binomial tail for whole numbers.
    #[test]
    fn values_are_binomial_tails() {
        // P(X >= 1) of ten trials of 0.1, P(X >= 3) of five trials of one half.
        assert!((regularised(1.0, 10.0, 0.1) - (1.0 - 0.9f64.powi(10))).abs() < 1e-12);
        assert!((regularised(3.0, 3.0, 0.5) - 0.5).abs() < 1e-12);
        assert!((regularised(2.0, 4.0, 0.5) - 26.0 / 32.0).abs() < 1e-12);
        assert_eq!(regularised(2.0, 4.0, 0.0), 0.0);
        assert_eq!(regularised(2.0, 4.0, 1.0), 1.0);
    }

    #[test]
    fn the_two_sides_add_up_to_one() {
        for (a, b, x) in [(0.5, 7.5, 0.03), (300.0, 800.0, 0.27), (5e5, 5e5, 0.5001)] {
            let sum = regularised(a, b, x) + regularised(b, a, 1.0 - x);
            assert!((sum - 1.0).abs() < 1e-9, "{a} {b} {x}: {sum}");
        }
    }
}
