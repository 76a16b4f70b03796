//! Statistics of the end-of-run actions: exact integers that can be merged in any order.

mod counts;
mod moments;
mod scale;
mod wide;

pub use counts::{Frequency, Frequency2, TrickCounts};
pub use moments::AverageSums;
pub use scale::Scale;

use script::plan::{Action, Counted};
use serde::{Deserialize, Serialize};

/// The statistics of one action.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Tally {
    /// `average`
    Average(AverageSums),
    /// `frequency` and `bktfreq`, one dimension
    Frequency(Frequency),
    /// `frequency` and `bktfreq`, two dimensions
    Frequency2(Frequency2),
    /// `evalcontract`
    Tricks(TrickCounts),
}

impl Tally {
    /// Creates an empty tally for an action that collects; `None` for the others.
    #[must_use]
    pub fn for_action(action: &Action) -> Option<Tally> {
        Some(match action.counted()? {
            Counted::Average { .. } => Tally::Average(AverageSums::default()),
            Counted::Frequency { rows, columns, .. } => match columns {
                None => Tally::Frequency(Frequency::new(Scale::of(rows))),
                Some(columns) => {
                    Tally::Frequency2(Frequency2::new(Scale::of(rows), Scale::of(columns)))
                }
            },
            Counted::EvalContract { .. } => Tally::Tricks(TrickCounts::default()),
        })
    }

    /// Returns the number of counters.
    #[must_use]
    pub fn cells(&self) -> u128 {
        match self {
            Tally::Average(_) => 1,
            Tally::Frequency(table) => table.scale.cells() as u128,
            Tally::Frequency2(table) => table.rows.cells() as u128 * table.columns.cells() as u128,
            Tally::Tricks(counts) => counts.0.len() as u128,
        }
    }

    /// Returns whether the tally has the kind and the axes of `other`, so that the two can be merged.
    #[must_use]
    pub fn is_like(&self, other: &Tally) -> bool {
        match (self, other) {
            (Tally::Average(_), Tally::Average(_)) | (Tally::Tricks(_), Tally::Tricks(_)) => true,
            (Tally::Frequency(mine), Tally::Frequency(theirs)) => mine.scale == theirs.scale,
            (Tally::Frequency2(mine), Tally::Frequency2(theirs)) => {
                (mine.rows, mine.columns) == (theirs.rows, theirs.columns)
            }
            _ => false,
        }
    }

    /// Returns whether `deals` deals, each of which adds one value, can have led to this tally. Tallies are read from
    /// untrusted files, and counters must not overflow.
    #[must_use]
    pub fn is_of(&self, deals: u64) -> bool {
        let counted = match self {
            Tally::Average(average) => return average.is_of(deals),
            Tally::Frequency(table) => table.checked_total(),
            Tally::Frequency2(table) => table.checked_total(),
            Tally::Tricks(counts) => counts
                .0
                .iter()
                .try_fold(0u64, |sum, &it| sum.checked_add(it)),
        };
        counted == Some(deals)
    }

    /// Adds the values of one deal: one value, or row and column.
    #[inline]
    pub fn add(&mut self, values: &[i32]) {
        match (self, values) {
            (Tally::Average(average), &[value, ..]) => average.add(value),
            (Tally::Frequency(table), &[value, ..]) => table.add(value),
            (Tally::Frequency2(table), &[row, column, ..]) => table.add(row, column),
            (Tally::Tricks(counts), &[tricks, ..]) => counts.add(tricks),
            // These arms are never reached, because every action supplies as many values as its tally takes.
            (_, &[]) | (Tally::Frequency2(_), &[_]) => {}
        }
    }

    /// Adds the counts of another tally of the same action.
    pub fn merge(&mut self, other: &Tally) {
        match (self, other) {
            (Tally::Average(mine), Tally::Average(theirs)) => mine.merge(theirs),
            (Tally::Frequency(mine), Tally::Frequency(theirs)) => mine.merge(theirs),
            (Tally::Frequency2(mine), Tally::Frequency2(theirs)) => mine.merge(theirs),
            (Tally::Tricks(mine), Tally::Tricks(theirs)) => mine.merge(theirs),
            // Tallies of different kinds are not merged.
            (
                Tally::Average(_) | Tally::Frequency(_) | Tally::Frequency2(_) | Tally::Tricks(_),
                _,
            ) => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use script::plan::Axis;

    fn scale(low: i32, high: i32, size: i32) -> Scale {
        Scale::of(&Axis {
            value: script::plan::NodeId(0),
            low,
            high,
            size,
        })
    }

    #[test]
    fn all_buckets_are_as_wide_as_their_size() {
        let s = scale(10, 25, 10);
        assert_eq!(s.buckets, 2);
        assert_eq!(
            [9, 10, 19, 20, 29, 30].map(|v| s.cell(v)),
            [0, 1, 1, 2, 2, 3]
        );
        assert_eq!(s.name(1), 20);
        assert_eq!(scale(5, 4, 1).buckets, 0);
        assert_eq!([4, 5].map(|v| scale(5, 4, 1).cell(v)), [0, 1]);
    }

    #[test]
    fn an_axis_of_four_billion_values_keeps_only_what_occurs() {
        let mut table = Frequency::new(scale(i32::MIN, i32::MAX, 1));
        table.add(i32::MAX);
        table.add(i32::MIN);
        table.add(0);
        assert_eq!(table.total(), 3);
        assert_eq!(table.count(u32::MAX as usize), 1);
        assert_eq!((table.below(), table.above()), (0, 0));
    }

    #[test]
    fn squares_wrap_as_in_dealerv2_and_are_exact_besides() {
        let mut average = AverageSums::default();
        average.add(46341);
        assert_eq!(average.squares, 2_147_488_281);
        assert_eq!(average.wrapped_squares, -2_147_479_015);
    }

    proptest! {
        #[test]
        fn merging_parts_is_counting_the_whole(
            values in prop::collection::vec(any::<i32>(), 0..80),
            cut in 0usize..80,
            low in -50i32..50,
            width in 0i32..90,
            size in 1i32..9,
        ) {
            let cut = cut.min(values.len());
            let axis = scale(low, low + width, size);
            let mut empty = [
                Tally::Average(AverageSums::default()),
                Tally::Frequency(Frequency::new(axis)),
                Tally::Frequency2(Frequency2::new(axis, axis)),
                Tally::Tricks(TrickCounts::default()),
            ];
            for whole in &mut empty {
                let (mut first, mut second) = (whole.clone(), whole.clone());
                for (i, &v) in values.iter().enumerate() {
                    let pair = [v % 100, v / 7 % 100];
                    whole.add(&pair);
                    if i < cut { first.add(&pair) } else { second.add(&pair) }
                }
                first.merge(&second);
                prop_assert_eq!(&first, &*whole);
            }
        }

        #[test]
        fn counting_many_is_counting_each(
            values in prop::collection::vec(-60i16..60, 0..300),
            low in -70i32..70,
            width in -1i32..300,
            size in 1i32..3,
        ) {
            let (mut many, mut each) = (Frequency::new(scale(low, low + width, size)), Frequency::new(scale(low, low + width, size)));
            many.add_all(&values);
            values.iter().for_each(|&v| each.add(i32::from(v)));
            prop_assert_eq!(many, each);
        }

        #[test]
        fn a_tally_survives_a_file(
            values in prop::collection::vec(any::<i32>(), 0..80),
            low in -50i32..50,
            width in 0i32..90,
        ) {
            let axis = scale(low, low + width, 1);
            let all = scale(i32::MIN, i32::MAX, 1);
            for mut tally in [
                Tally::Average(AverageSums::default()),
                Tally::Frequency(Frequency::new(axis)),
                Tally::Frequency(Frequency::new(all)),
                Tally::Frequency2(Frequency2::new(axis, axis)),
                Tally::Tricks(TrickCounts::default()),
            ] {
                values.iter().for_each(|&v| tally.add(&[v, v / 7 % 100]));
                let text = serde_json::to_string(&tally).unwrap();
                prop_assert_eq!(serde_json::from_str::<Tally>(&text).unwrap(), tally);
            }
        }

        #[test]
        fn variance_is_that_of_the_definition(values in prop::collection::vec(-1000i32..1000, 2..50)) {
            let mut average = AverageSums::default();
            values.iter().for_each(|&v| average.add(v));
            let n = values.len() as f64;
            let mean = values.iter().map(|&v| f64::from(v)).sum::<f64>() / n;
            let variance = values.iter().map(|&v| (f64::from(v) - mean).powi(2)).sum::<f64>() / (n - 1.0);
            prop_assert!((average.mean().unwrap() - mean).abs() < 1e-9);
            prop_assert!((average.variance().unwrap() - variance).abs() < 1e-6);
        }
    }

    #[test]
    fn counts_that_do_not_fit_their_axis_are_refused() {
        let good = serde_json::to_string(&Frequency::new(scale(0, 3, 1))).unwrap();
        assert!(serde_json::from_str::<Frequency>(&good).is_ok());
        for (from, to) in [
            (r#""buckets":4"#, r#""buckets":5"#),
            (r#""size":1"#, r#""size":0"#),
        ] {
            let bad = good.replace(from, to);
            assert_ne!(bad, good);
            assert!(serde_json::from_str::<Frequency>(&bad).is_err(), "{bad}");
        }
    }
}
