//! The chi-square test: how surprising counts are, given exact probabilities.

/// Cells expected to hold fewer than this are pooled, so that the distribution is close to chi-square.
const POOL_BELOW: f64 = 10.0;

/// A statistic and the probability of one at least as large (or, for `p` near 1, as small) by chance.
#[derive(Clone, Debug)]
pub struct Verdict {
    pub what: String,
    pub statistic: f64,
    pub degrees: f64,
    pub p: f64,
}

impl std::fmt::Display for Verdict {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "{}: {:.2} with {} degrees of freedom, p = {:.2e}",
            self.what, self.statistic, self.degrees, self.p
        )
    }
}

/// Compares counts with probabilities that sum to one.
pub fn test(what: impl Into<String>, counts: &[u64], probabilities: &[f64]) -> Verdict {
    assert_eq!(counts.len(), probabilities.len());
    let what = what.into();
    let total = counts.iter().sum::<u64>() as f64;
    let sum: f64 = probabilities.iter().sum();
    assert!(
        (sum - 1.0).abs() < 1e-9,
        "{what}: probabilities sum to {sum}"
    );
    let (mut statistic, mut cells) = (0.0, 0.0);
    let mut pooled = (0.0, 0.0);
    for (&count, &probability) in counts.iter().zip(probabilities) {
        let expected = probability * total;
        if expected < POOL_BELOW {
            assert!(
                probability > 0.0 || count == 0,
                "{what}: something impossible happened"
            );
            pooled = (pooled.0 + count as f64, pooled.1 + expected);
        } else {
            statistic += (count as f64 - expected).powi(2) / expected;
            cells += 1.0;
        }
    }
    if pooled.1 >= POOL_BELOW {
        statistic += (pooled.0 - pooled.1).powi(2) / pooled.1;
        cells += 1.0;
    }
    from_statistic(what, statistic, cells - 1.0)
}

/// A statistic that is chi-square with so many degrees of freedom.
pub fn from_statistic(what: impl Into<String>, statistic: f64, degrees: f64) -> Verdict {
    let p = upper_gamma(degrees / 2.0, statistic / 2.0);
    Verdict {
        what: what.into(),
        statistic,
        degrees,
        p,
    }
}

/// The largest of many standard normal values: Bonferroni's bound on its probability.
pub fn from_largest_z(what: impl Into<String>, z: f64, among: usize) -> Verdict {
    let p = (among as f64 * upper_gamma(0.5, z * z / 2.0)).min(1.0);
    Verdict {
        what: what.into(),
        statistic: z,
        degrees: among as f64,
        p,
    }
}

/// ln Gamma by Stirling's series, after moving the argument up to where it is accurate.
fn ln_gamma(mut x: f64) -> f64 {
    let mut shift = 0.0;
    while x < 15.0 {
        shift -= x.ln();
        x += 1.0;
    }
    let inverse = 1.0 / (x * x);
    let series =
        (1.0 / 12.0 - inverse * (1.0 / 360.0 - inverse * (1.0 / 1260.0 - inverse / 1680.0))) / x;
    shift + (x - 0.5) * x.ln() - x + 0.918_938_533_204_672_7 + series
}

/// The regularised upper incomplete gamma function Q(a, x).
fn upper_gamma(a: f64, x: f64) -> f64 {
    if x <= 0.0 {
        return 1.0;
    }
    let front = (a * x.ln() - x - ln_gamma(a)).exp();
    if x < a + 1.0 {
        let (mut term, mut sum, mut n) = (1.0 / a, 1.0 / a, a);
        while term > sum * 1e-16 {
            n += 1.0;
            term *= x / n;
            sum += term;
        }
        1.0 - front * sum
    } else {
        // Lentz's method for the continued fraction.
        let (mut b, mut c, mut d) = (x + 1.0 - a, 1e300, 1.0 / (x + 1.0 - a));
        let mut h = d;
        for i in 1..100_000 {
            let an = -f64::from(i) * (f64::from(i) - a);
            b += 2.0;
            d = 1.0 / (an * d + b);
            c = b + an / c;
            h *= d * c;
            if (d * c - 1.0).abs() < 1e-15 {
                break;
            }
        }
        front * h
    }
}

#[test]
fn tail_probabilities_are_those_of_the_tables() {
    for (degrees, statistic, p) in [
        (1.0, 3.841_458_820_694, 0.05),
        (10.0, 23.209_251_158_954, 0.01),
        (51.0, 68.669_293_927, 0.05),
        (532.0, 586.763_640, 0.05),
    ] {
        let found = from_statistic("table", statistic, degrees).p;
        assert!(
            (found - p).abs() < 2e-4,
            "{degrees} degrees: {found} instead of {p}"
        );
    }
    assert!((from_statistic("far", 60.0, 1.0).p / 9.5e-15 - 1.0).abs() < 0.02);
}
