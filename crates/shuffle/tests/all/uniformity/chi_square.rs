//! The chi-square test: the probability of counts, given exact probabilities.

/// Cells with a smaller expected count are pooled, so that the distribution is close to chi-square.
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

/// Returns the verdict for a chi-square statistic with `degrees` degrees of freedom.
pub fn from_statistic(what: impl Into<String>, statistic: f64, degrees: f64) -> Verdict {
    let p = statistics::chi_square::upper_tail(statistic, degrees);
    Verdict {
        what: what.into(),
        statistic,
        degrees,
        p,
    }
}

/// Returns the verdict for the largest of many standard normal values, with Bonferroni's bound.
pub fn from_largest_z(what: impl Into<String>, z: f64, among: usize) -> Verdict {
    let p = (among as f64 * statistics::normal::two_tails(z)).min(1.0);
    Verdict {
        what: what.into(),
        statistic: z,
        degrees: among as f64,
        p,
    }
}
