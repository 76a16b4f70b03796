//! What the end-of-run actions collect: exact integers that can be merged in any order.

use std::collections::BTreeMap;

use script::plan::{Action, Axis};

/// The sums behind `average`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Average {
    /// How many values.
    pub count: u64,
    /// Their exact sum. Its low 32 bits are the wrapped sum of v1.
    pub sum: i128,
    /// The exact sum of their squares.
    pub squares: u128,
    /// The sum of their squares when each square wraps to 32 bits, as DealerV2 computes it.
    pub wrapped_squares: i64,
}

impl Average {
    /// Adds one value.
    #[inline]
    pub fn add(&mut self, value: i32) {
        self.count += 1;
        self.sum += i128::from(value);
        let square = i64::from(value) * i64::from(value);
        self.squares += square as u128;
        self.wrapped_squares += i64::from(square as i32);
    }

    /// Adds everything another one has collected.
    pub fn merge(&mut self, other: &Average) {
        self.count += other.count;
        self.sum += other.sum;
        self.squares += other.squares;
        self.wrapped_squares += other.wrapped_squares;
    }

    /// Sum divided by count; nothing without values.
    #[must_use]
    pub fn mean(&self) -> Option<f64> {
        (self.count > 0).then(|| self.sum as f64 / self.count as f64)
    }

    /// The sample variance (divisor `count - 1`), from exact sums; 0 for a single value, nothing without values.
    #[must_use]
    pub fn variance(&self) -> Option<f64> {
        match self.count {
            0 => None,
            1 => Some(0.0),
            n => {
                // n * squares - sum^2 loses nothing to cancellation in integers; only absurdly large sums need
                // floating point.
                let n_wide = u128::from(n);
                let exact = n_wide
                    .checked_mul(self.squares)
                    .zip(self.sum.unsigned_abs().checked_pow(2))
                    .and_then(|(a, b)| a.checked_sub(b));
                let n = n as f64;
                Some(match exact {
                    Some(numerator) => numerator as f64 / n / (n - 1.0),
                    None => {
                        let mean = self.sum as f64 / n;
                        ((self.squares as f64 - mean * self.sum as f64) / (n - 1.0)).max(0.0)
                    }
                })
            }
        }
    }
}

/// The buckets of one axis of a frequency table: equal widths from `low` up, and everything beyond on either side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scale {
    /// Smallest value of the first bucket.
    pub low: i32,
    /// Width of a bucket, at least 1.
    pub size: i32,
    /// How many buckets.
    pub buckets: usize,
}

impl Scale {
    /// The scale of an action's axis. A `frequency` axis has size 1 and one bucket a value; otherwise the last
    /// bucket is the one that `high` falls into, at its full width.
    #[must_use]
    pub fn of(axis: &Axis) -> Scale {
        let size = axis.size.max(1);
        let span = i64::from(axis.high) - i64::from(axis.low);
        let buckets = if span < 0 {
            0
        } else {
            1 + span / i64::from(size)
        };
        Scale {
            low: axis.low,
            size,
            buckets: buckets as usize,
        }
    }

    /// The cell of a value: 0 is below the first bucket, `buckets + 1` above the last.
    #[inline]
    #[must_use]
    pub fn cell(&self, value: i32) -> usize {
        if value < self.low {
            return 0;
        }
        let offset = (i64::from(value) - i64::from(self.low)) as u64;
        let bucket = if self.size == 1 {
            offset
        } else {
            offset / self.size as u64
        };
        (bucket.min(self.buckets as u64) + 1) as usize
    }

    /// Cells including the two outside.
    #[must_use]
    pub fn cells(&self) -> usize {
        self.buckets + 2
    }

    /// The smallest value of a bucket (0-based), by which tables name it.
    #[must_use]
    pub fn name(&self, bucket: usize) -> i64 {
        i64::from(self.low) + bucket as i64 * i64::from(self.size)
    }
}

/// Counters by cell number. Tables of a reasonable size are plain arrays; an axis of billions of values keeps
/// only the cells that occur.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Cells {
    Dense(Vec<u64>),
    Sparse(BTreeMap<u64, u64>),
}

impl Cells {
    /// 8 MiB of counters.
    const DENSE_LIMIT: u128 = 1 << 20;

    fn new(cells: u128) -> Cells {
        if cells <= Cells::DENSE_LIMIT {
            Cells::Dense(vec![0; cells as usize])
        } else {
            Cells::Sparse(BTreeMap::new())
        }
    }

    #[inline]
    fn add(&mut self, cell: u64, count: u64) {
        match self {
            Cells::Dense(counts) => counts[cell as usize] += count,
            Cells::Sparse(counts) => *counts.entry(cell).or_insert(0) += count,
        }
    }

    fn get(&self, cell: u64) -> u64 {
        match self {
            Cells::Dense(counts) => counts[cell as usize],
            Cells::Sparse(counts) => counts.get(&cell).copied().unwrap_or(0),
        }
    }

    fn merge(&mut self, other: &Cells) {
        match other {
            Cells::Dense(counts) => {
                for (cell, &count) in counts.iter().enumerate().filter(|&(_, &c)| c > 0) {
                    self.add(cell as u64, count);
                }
            }
            Cells::Sparse(counts) => {
                for (&cell, &count) in counts {
                    self.add(cell, count);
                }
            }
        }
    }

    fn total(&self) -> u64 {
        match self {
            Cells::Dense(counts) => counts.iter().sum(),
            Cells::Sparse(counts) => counts.values().sum(),
        }
    }
}

/// The counts behind `frequency` and `bktfreq` with one expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frequency {
    /// Its axis.
    pub scale: Scale,
    cells: Cells,
}

impl Frequency {
    /// An empty table.
    #[must_use]
    pub fn new(scale: Scale) -> Self {
        Frequency {
            scale,
            cells: Cells::new(scale.cells() as u128),
        }
    }

    /// Counts one value.
    #[inline]
    pub fn add(&mut self, value: i32) {
        self.cells.add(self.scale.cell(value) as u64, 1);
    }

    /// Counts many values.
    pub fn add_all(&mut self, values: &[i16]) {
        /// A table that fits here is counted in four small ones side by side, so that a value does not have to
        /// wait for the count of an equal one just before it.
        const SMALL: usize = 256;
        match &mut self.cells {
            Cells::Dense(counts) if self.scale.size == 1 && counts.len() <= SMALL => {
                let mut small = [[0u32; SMALL]; 4];
                let (low, last) = (i64::from(self.scale.low) - 1, counts.len() as i64 - 1);
                for four in values.chunks(4) {
                    for (small, &value) in small.iter_mut().zip(four) {
                        let cell = (i64::from(value) - low).clamp(0, last);
                        small[cell as usize % SMALL] += 1;
                    }
                }
                for (cell, count) in counts.iter_mut().enumerate() {
                    *count += small
                        .iter()
                        .map(|small| u64::from(small[cell]))
                        .sum::<u64>();
                }
            }
            _ => values.iter().for_each(|&value| self.add(i32::from(value))),
        }
    }

    /// Values below the first bucket.
    #[must_use]
    pub fn below(&self) -> u64 {
        self.cells.get(0)
    }

    /// Values above the last bucket.
    #[must_use]
    pub fn above(&self) -> u64 {
        self.cells.get(self.scale.buckets as u64 + 1)
    }

    /// Values in a bucket (0-based).
    #[must_use]
    pub fn count(&self, bucket: usize) -> u64 {
        self.cells.get(bucket as u64 + 1)
    }

    /// All values.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.cells.total()
    }

    /// Adds everything another table of the same scale has counted.
    pub fn merge(&mut self, other: &Frequency) {
        self.cells.merge(&other.cells);
    }
}

/// The counts behind `frequency` and `bktfreq` with two expressions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frequency2 {
    /// First expression.
    pub rows: Scale,
    /// Second expression.
    pub columns: Scale,
    cells: Cells,
}

impl Frequency2 {
    /// An empty table.
    #[must_use]
    pub fn new(rows: Scale, columns: Scale) -> Self {
        let cells = rows.cells() as u128 * columns.cells() as u128;
        Frequency2 {
            rows,
            columns,
            cells: Cells::new(cells),
        }
    }

    /// Counts one pair of values.
    #[inline]
    pub fn add(&mut self, row: i32, column: i32) {
        let cell = self.position(self.rows.cell(row), self.columns.cell(column));
        self.cells.add(cell, 1);
    }

    #[inline]
    fn position(&self, row: usize, column: usize) -> u64 {
        row as u64 * self.columns.cells() as u64 + column as u64
    }

    /// The count of a cell; in both directions 0 is "below" and `buckets + 1` is "above".
    #[must_use]
    pub fn cell(&self, row: usize, column: usize) -> u64 {
        self.cells.get(self.position(row, column))
    }

    /// All pairs.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.cells.total()
    }

    /// Adds everything another table of the same scales has counted.
    pub fn merge(&mut self, other: &Frequency2) {
        self.cells.merge(&other.cells);
    }
}

/// How often declarer took 0, 1, ... 13 tricks: all that `evalcontract` needs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TrickCounts(pub [u64; 14]);

impl TrickCounts {
    /// Counts one deal.
    pub fn add(&mut self, tricks: i32) {
        self.0[tricks.clamp(0, 13) as usize] += 1;
    }

    /// All deals.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.0.iter().sum()
    }

    /// Adds everything another one has counted.
    pub fn merge(&mut self, other: &TrickCounts) {
        for (mine, theirs) in self.0.iter_mut().zip(other.0) {
            *mine += theirs;
        }
    }
}

/// What one action of the list has collected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Tally {
    /// `average`
    Average(Average),
    /// `frequency` and `bktfreq`, one dimension
    Frequency(Frequency),
    /// `frequency` and `bktfreq`, two dimensions
    Frequency2(Frequency2),
    /// `evalcontract`
    Tricks(TrickCounts),
}

impl Tally {
    /// An empty tally for an action that collects; nothing for the others.
    #[must_use]
    pub fn for_action(action: &Action) -> Option<Tally> {
        Some(match action {
            Action::Average { .. } => Tally::Average(Average::default()),
            Action::Frequency { axis, .. } | Action::BucketFrequency { axis, .. } => {
                Tally::Frequency(Frequency::new(Scale::of(axis)))
            }
            Action::Frequency2 { rows, columns, .. }
            | Action::BucketFrequency2 { rows, columns, .. } => {
                Tally::Frequency2(Frequency2::new(Scale::of(rows), Scale::of(columns)))
            }
            Action::EvalContract { .. } => Tally::Tricks(TrickCounts::default()),
            _ => return None,
        })
    }

    /// Adds the values of one deal: one value, or row and column.
    #[inline]
    pub fn add(&mut self, values: &[i32]) {
        match (self, values) {
            (Tally::Average(average), &[value, ..]) => average.add(value),
            (Tally::Frequency(table), &[value, ..]) => table.add(value),
            (Tally::Frequency2(table), &[row, column, ..]) => table.add(row, column),
            (Tally::Tricks(counts), &[tricks, ..]) => counts.add(tricks),
            _ => {}
        }
    }

    /// Adds everything another tally of the same action has collected.
    pub fn merge(&mut self, other: &Tally) {
        match (self, other) {
            (Tally::Average(mine), Tally::Average(theirs)) => mine.merge(theirs),
            (Tally::Frequency(mine), Tally::Frequency(theirs)) => mine.merge(theirs),
            (Tally::Frequency2(mine), Tally::Frequency2(theirs)) => mine.merge(theirs),
            (Tally::Tricks(mine), Tally::Tricks(theirs)) => mine.merge(theirs),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn scale(low: i32, high: i32, size: i32) -> Scale {
        Scale::of(&Axis {
            value: script::plan::NodeId(0),
            low,
            high,
            size,
        })
    }

    #[test]
    fn buckets_are_as_wide_as_their_size_also_the_last() {
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
        let mut average = Average::default();
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
                Tally::Average(Average::default()),
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
        fn variance_is_that_of_the_definition(values in prop::collection::vec(-1000i32..1000, 2..50)) {
            let mut average = Average::default();
            values.iter().for_each(|&v| average.add(v));
            let n = values.len() as f64;
            let mean = values.iter().map(|&v| f64::from(v)).sum::<f64>() / n;
            let variance = values.iter().map(|&v| (f64::from(v) - mean).powi(2)).sum::<f64>() / (n - 1.0);
            prop_assert!((average.mean().unwrap() - mean).abs() < 1e-9);
            prop_assert!((average.variance().unwrap() - variance).abs() < 1e-6);
        }
    }
}
