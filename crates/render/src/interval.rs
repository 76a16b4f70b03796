//! Intervals that hold the truth 95 times in 100, also for small samples.

use session::{ClusterSums, Moments};
use statistics::{normal, student};

/// The confidence of all intervals.
const CONFIDENCE: f64 = 0.95;

/// The interval of a mean, or nothing where the sample says nothing: below two values.
///
/// Deals that were made from one another by exchanging hands come with the sums over their `clusters`: those alone are
/// independent, so below two of them there is no interval either.
#[must_use]
pub fn of_mean(moments: &Moments, clusters: Option<ClusterSums>) -> Option<(f64, f64)> {
    let mean = moments.mean()?;
    let (variance, independent) = match clusters {
        Some(sums) => (sums.variance_of_mean()?, sums.clusters),
        None => (moments.variance()? / moments.count as f64, moments.count),
    };
    if independent < 2 {
        return None;
    }
    let margin = student::width(CONFIDENCE, independent - 1) * variance.sqrt();
    Some((mean - margin, mean + margin))
}

/// Wilson's interval of a share: it stays between 0 and 1 and does not shrink to nothing when everything or nothing
/// was counted. Nothing for an empty sample; `clusters` as in [`of_mean`].
#[must_use]
pub fn of_share(count: u64, total: u64, clusters: Option<ClusterSums>) -> Option<(f64, f64)> {
    if total == 0 {
        return None;
    }
    let p = count as f64 / total as f64;
    let (n, width) = match clusters {
        Some(sums) => (
            independent_deals(p, &sums),
            student::width(CONFIDENCE, sums.clusters.saturating_sub(1).max(1)),
        ),
        None => (total as f64, normal::WIDTH_OF_95),
    };
    let w2 = width * width;
    let scale = 1.0 / (1.0 + w2 / n);
    let centre = (p + w2 / (2.0 * n)) * scale;
    let half = width * (p * (1.0 - p) / n + w2 / (4.0 * n * n)).sqrt() * scale;
    Some(((centre - half).max(0.0), (centre + half).min(1.0)))
}

/// How many independent deals would tell a share as well as these clusters do: no more than there are deals, however well
/// the deals of a cluster make up for one another. Clusters that do not differ tell as much as a deal each.
fn independent_deals(share: f64, sums: &ClusterSums) -> f64 {
    match sums.variance_of_mean() {
        Some(variance) if variance > 0.0 => {
            (share * (1.0 - share) / variance).clamp(1.0, sums.deals.max(1) as f64)
        }
        _ => sums.clusters.max(1) as f64,
    }
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
        assert_eq!(of_mean(&moments(&[]), None), None);
        assert_eq!(of_mean(&moments(&[9]), None), None);
        // Six exchanged deals are one observation.
        let one = ClusterSums {
            clusters: 1,
            deals: 6,
            sizes: 36,
            ..ClusterSums::default()
        };
        assert_eq!(of_mean(&moments(&[9, 8, 7, 6, 5, 4]), Some(one)), None);
        let (low, high) = of_mean(&moments(&[8, 10]), None).unwrap();
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
                let (low, high) = of_mean(&moments(&values), None).unwrap();
                low <= 60_000.0 && 60_000.0 <= high
            });
            let share = held.count() as f64 / f64::from(SAMPLES);
            assert!((share - 0.95).abs() < 0.006, "{size} values: {share}");
        }
    }

    #[test]
    fn shares_keep_within_their_limits() {
        assert_eq!(of_share(0, 0, None), None);
        let (low, high) = of_share(0, 10, None).unwrap();
        assert!(low == 0.0 && (high - 0.2775).abs() < 1e-3);
        // Ten clusters of six say no more than ten deals about what never happened.
        let ten = ClusterSums {
            clusters: 10,
            deals: 60,
            sizes: 360,
            ..ClusterSums::default()
        };
        let (_, wide) = of_share(0, 60, Some(ten)).unwrap();
        assert!(wide > high && wide < 0.35, "{wide}");
    }

    /// How often intervals from so many deals of six arrangements hold the true mean and the true share.
    fn coverage(condition: &str, deals: u64, runs: i64) -> [f64; 3] {
        use session::{Clustered, Clusters, Job, NoDeals, Swap, TableData};
        let script = format!(
            "condition {condition}
             action average hcp(north), average spades(east), frequency (hcp(north) / 10, 1, 1)"
        );
        let run = |seed: i64, deals: u64| {
            let job = Job::new(script.as_str()).seed(seed).produce(deals);
            let session = job.swap(Swap::Three).threads(1).prepare().unwrap();
            let mut run = session.start().unwrap();
            let (plan, mut nothing) = (run.plan(), NoDeals);
            let mut sink = Clustered::new(&mut nothing, &plan, 6);
            let mut outcome = run.finish(&mut sink).unwrap();
            sink.finish(&mut outcome.tables);
            outcome.tables
        };
        let moments = |data: &TableData| match data {
            TableData::Average { moments, .. } => *moments,
            _ => unreachable!(),
        };
        let counts = |data: &TableData| match data {
            TableData::Frequency { counts, .. } => (counts.count(0), counts.total()),
            _ => unreachable!(),
        };
        let truth = run(0, 600_000);
        let share = counts(&truth[2].data);
        let truth = [
            moments(&truth[0].data).mean().unwrap(),
            moments(&truth[1].data).mean().unwrap(),
            share.0 as f64 / share.1 as f64,
        ];
        let mut held = [0.0; 3];
        for seed in 1..=runs {
            let tables = run(seed, deals);
            let sums = |table: usize| tables[table].clusters.as_ref();
            let mean = |table: usize| {
                of_mean(
                    &moments(&tables[table].data),
                    sums(table).and_then(Clusters::values),
                )
            };
            let (count, total) = counts(&tables[2].data);
            let share = of_share(count, total, sums(2).and_then(|it| it.cell(1)));
            for (held, (interval, truth)) in held
                .iter_mut()
                .zip([mean(0), mean(1), share].into_iter().zip(truth))
            {
                let (low, high) = interval.unwrap();
                *held += f64::from(low <= truth && truth <= high) / runs as f64;
            }
        }
        held
    }

    /// North's hand is the same in all six arrangements: taken for independent deals its points would be held 57 times in
    /// 100. With a condition that rejects some arrangements the clusters differ in size.
    #[test]
    fn exchanged_deals_are_covered() {
        for condition in ["1", "hcp(east) >= 9"] {
            for held in coverage(condition, 120, 600) {
                assert!((0.925..=0.98).contains(&held), "{condition}: {held}");
            }
        }
    }
}
