//! The axis of a table.

use script::plan::Axis;
use serde::{Deserialize, Serialize};

/// The buckets of one axis of a frequency table: equal widths from `low` up, and one cell for everything beyond on
/// either side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Scale {
    /// Smallest value of the first bucket.
    pub low: i32,
    /// Width of a bucket, at least 1.
    pub size: i32,
    /// Number of buckets.
    pub buckets: usize,
}

impl Scale {
    /// Returns the scale of an action's axis. A `frequency` axis has size 1 and one bucket per value; otherwise the
    /// last bucket is the one that contains `high`, at its full width.
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

    /// Returns whether some axis of a script has this scale.
    pub(super) fn is_valid(&self) -> bool {
        self.size >= 1 && self.buckets as u64 <= 1 << 32
    }

    /// Returns the cell of a value: 0 is below the first bucket, `buckets + 1` above the last.
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

    /// Returns the number of cells, including the two outside.
    #[must_use]
    pub fn cells(&self) -> usize {
        self.buckets + 2
    }

    /// Returns the smallest value of a bucket (0-based), which labels it in tables.
    #[must_use]
    pub fn name(&self, bucket: usize) -> i64 {
        i64::from(self.low) + bucket as i64 * i64::from(self.size)
    }
}
