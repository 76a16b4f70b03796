//! Finds the row that contains a number, with a guide table of starting points.

use crate::tables::pairs::Row;

/// A guide table: for each interval of `2^shift` numbers, the row of its first number.
#[derive(Debug)]
pub(crate) struct Guide {
    rows: Vec<u32>,
    shift: u32,
}

/// Largest size of the table, as a power of two.
const LARGEST: u32 = 20;

impl Guide {
    pub(crate) fn new(rows: &[Row]) -> Guide {
        let total = rows.last().map_or(0, |row| row.end);
        let wanted = (2 * rows.len().max(1)).ilog2().clamp(1, LARGEST);
        let shift = (u128::BITS - total.leading_zeros()).saturating_sub(wanted);
        let mut row = 0;
        let stretches = (total >> shift) + 1;
        let first = |stretch: u128| {
            while row + 1 < rows.len() && rows[row].end <= stretch << shift {
                row += 1;
            }
            row as u32
        };
        Guide {
            rows: (0..stretches).map(first).collect(),
            shift,
        }
    }

    /// Returns the row that contains a number, and the sum of the weights before that row.
    #[inline(always)]
    pub(crate) fn find<'r>(&self, rows: &'r [Row], number: u128) -> (&'r Row, u128) {
        let mut place = self.rows[(number >> self.shift) as usize] as usize;
        // The distance is unpredictable, so two steps are made without a branch; more are rarely needed.
        for _ in 0..2 {
            place += usize::from(rows[place].end <= number);
        }
        while rows[place].end <= number {
            place += 1;
        }
        let before = match place {
            0 => 0,
            _ => rows[place - 1].end,
        };
        (&rows[place], before)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(ends: impl IntoIterator<Item = u128>) -> Vec<Row> {
        let rows = ends.into_iter().map(|end| Row {
            end,
            pair: 0,
            x: 0,
            ways: 0,
            completions: 0,
        });
        rows.collect()
    }

    /// Compares with a search from the first row on.
    fn compare(rows: &[Row], number: u128) {
        let slow = rows.iter().position(|row| number < row.end).unwrap();
        let (row, before) = Guide::new(rows).find(rows, number);
        assert!(std::ptr::eq(row, &rows[slow]), "{number} of {rows:?}");
        let expected = rows[..slow].last().map_or(0, |row| row.end);
        assert_eq!(before, expected);
    }

    proptest::proptest! {
        #[test]
        fn the_row_is_the_first_that_ends_beyond_the_number(
            weights in proptest::collection::vec((1u64.., 0u32..100), 1..80),
            part: u64,
        ) {
            let mut end = 0u128;
            let rows = rows(weights.iter().map(|&(weight, shift)| {
                // Weights of all sizes, up to sums above 64 bits.
                end += (u128::from(weight) << 40 >> shift).max(1);
                end
            }));
            let total = rows.last().unwrap().end;
            compare(&rows, total / (1 << 64) * u128::from(part) + total % (1 << 64) / 2);
            for row in &rows {
                compare(&rows, row.end - 1);
                if row.end < total {
                    compare(&rows, row.end);
                }
            }
        }
    }

    #[test]
    fn rows_are_found_in_small_tables_and_next_to_a_dominant_row() {
        compare(&rows([1]), 0);
        for number in 0..100 {
            compare(&rows((1..=100u64).map(u128::from)), number);
        }
        // One row has nearly all numbers, many rows have one each.
        let many = rows((1..=100u64).chain(1_000_000..1_000_100).map(u128::from));
        for number in [0, 50, 99, 100, 999_999, 1_000_000, 1_000_098] {
            compare(&many, number);
        }
    }
}
