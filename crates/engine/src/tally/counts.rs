//! Counts of values, of pairs of values and of tricks.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::scale::Scale;

/// Counters by cell number. Tables of a moderate size are plain arrays; a table with billions of cells stores only the
/// cells that occur.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Cells {
    Dense(Vec<u64>),
    Sparse(#[serde(with = "pairs")] BTreeMap<u64, u64>),
}

impl Cells {
    /// Maximum number of cells of an array: 8 MiB of counters.
    const DENSE_LIMIT: u128 = 1 << 20;

    fn new(cells: u128) -> Cells {
        if cells <= Cells::DENSE_LIMIT {
            Cells::Dense(vec![0; cells as usize])
        } else {
            Cells::Sparse(BTreeMap::new())
        }
    }

    /// Returns whether the counters are those of a table with `cells` cells.
    fn fit(&self, cells: u128) -> bool {
        match self {
            Cells::Dense(counts) => cells <= Cells::DENSE_LIMIT && counts.len() as u128 == cells,
            Cells::Sparse(counts) => {
                let last = counts.last_key_value();
                cells > Cells::DENSE_LIMIT && last.is_none_or(|(&cell, _)| u128::from(cell) < cells)
            }
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

    fn checked_total(&self) -> Option<u64> {
        let add = |sum: u64, &count: &u64| sum.checked_add(count);
        match self {
            Cells::Dense(counts) => counts.iter().try_fold(0, add),
            Cells::Sparse(counts) => counts.values().try_fold(0, add),
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
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "StoredFrequency")]
pub struct Frequency {
    /// Axis of the table.
    pub scale: Scale,
    cells: Cells,
}

impl Frequency {
    /// Creates an empty table.
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
        /// Maximum size of a table that is counted in four copies side by side, so that a value need not wait for the
        /// count of an equal one just before it.
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

    /// Returns the count of a cell: 0 is below the first bucket, `buckets + 1` above the last.
    #[must_use]
    pub fn cell(&self, cell: usize) -> u64 {
        self.cells.get(cell as u64)
    }

    /// Returns the number of values below the first bucket.
    #[must_use]
    pub fn below(&self) -> u64 {
        self.cells.get(0)
    }

    /// Returns the number of values above the last bucket.
    #[must_use]
    pub fn above(&self) -> u64 {
        self.cells.get(self.scale.buckets as u64 + 1)
    }

    /// Returns the number of values in a bucket (0-based).
    #[must_use]
    pub fn count(&self, bucket: usize) -> u64 {
        self.cells.get(bucket as u64 + 1)
    }

    /// Returns the number of all values.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.cells.total()
    }

    /// Returns the number of all values, or `None` if it overflows.
    pub(super) fn checked_total(&self) -> Option<u64> {
        self.cells.checked_total()
    }

    /// Adds the counts of another table of the same scale.
    pub fn merge(&mut self, other: &Frequency) {
        self.cells.merge(&other.cells);
    }
}

/// The counts behind `frequency` and `bktfreq` with two expressions.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "StoredFrequency2")]
pub struct Frequency2 {
    /// Axis of the first expression.
    pub rows: Scale,
    /// Axis of the second expression.
    pub columns: Scale,
    cells: Cells,
}

impl Frequency2 {
    /// Creates an empty table.
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

    /// Returns the count of a cell; in both directions 0 is "below" and `buckets + 1` is "above".
    #[must_use]
    pub fn cell(&self, row: usize, column: usize) -> u64 {
        self.cells.get(self.position(row, column))
    }

    /// Returns the number of all pairs.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.cells.total()
    }

    /// Returns the number of all pairs, or `None` if it overflows.
    pub(super) fn checked_total(&self) -> Option<u64> {
        self.cells.checked_total()
    }

    /// Adds the counts of another table of the same scales.
    pub fn merge(&mut self, other: &Frequency2) {
        self.cells.merge(&other.cells);
    }
}

/// How often declarer took 0, 1, ... 13 tricks: the statistics of `evalcontract`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TrickCounts(pub [u64; 14]);

impl TrickCounts {
    /// Counts one deal.
    pub fn add(&mut self, tricks: i32) {
        self.0[tricks.clamp(0, 13) as usize] += 1;
    }

    /// Returns the number of all deals.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.0.iter().sum()
    }

    /// Adds the counts of `other`.
    pub fn merge(&mut self, other: &TrickCounts) {
        for (mine, theirs) in self.0.iter_mut().zip(other.0) {
            *mine += theirs;
        }
    }
}

/// Serialises a map as a list of pairs, because not every format allows numbers as keys.
mod pairs {
    use std::collections::BTreeMap;

    use serde::{Deserialize, Deserializer, Serializer};

    pub fn serialize<S: Serializer>(map: &BTreeMap<u64, u64>, to: S) -> Result<S::Ok, S::Error> {
        to.collect_seq(map)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<BTreeMap<u64, u64>, D::Error> {
        Ok(Vec::<(u64, u64)>::deserialize(from)?.into_iter().collect())
    }
}

/// A table read from a file, before its counters are checked against its axes.
#[derive(Deserialize)]
struct StoredFrequency {
    scale: Scale,
    cells: Cells,
}

impl TryFrom<StoredFrequency> for Frequency {
    type Error = &'static str;

    fn try_from(stored: StoredFrequency) -> Result<Self, Self::Error> {
        let StoredFrequency { scale, cells } = stored;
        if scale.is_valid() && cells.fit(scale.cells() as u128) {
            Ok(Frequency { scale, cells })
        } else {
            Err("the counts of a table do not fit its axis")
        }
    }
}

/// A table of two dimensions read from a file, before the check.
#[derive(Deserialize)]
struct StoredFrequency2 {
    rows: Scale,
    columns: Scale,
    cells: Cells,
}

impl TryFrom<StoredFrequency2> for Frequency2 {
    type Error = &'static str;

    fn try_from(stored: StoredFrequency2) -> Result<Self, Self::Error> {
        let StoredFrequency2 {
            rows,
            columns,
            cells,
        } = stored;
        let valid = rows.is_valid() && columns.is_valid();
        if valid && cells.fit(rows.cells() as u128 * columns.cells() as u128) {
            Ok(Frequency2 {
                rows,
                columns,
                cells,
            })
        } else {
            Err("the counts of a table do not fit its axes")
        }
    }
}
