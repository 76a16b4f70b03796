//! Product tables, used by the batch kernels.
//!
//! Adding up the four suits bit by bit gives three planes: `ones` (ranks held an odd number of times), `twos` (ranks
//! held two or three times) and `fours`. Without four of a kind, every `ones` mask of `n - 2k` bits can occur with
//! every `twos` mask of `k` bits, so they are column and row of a table: `rank = values[column[ones] + row[twos]]`, two
//! small lookups and a large one. A flush is another column, in the row of `twos = 0`.

use crate::reference::{Numbering, score_of_counts};

/// First flush column, after the longest row without pairs: C(13, 7) = C(13, 6).
const FLUSH_COLUMN: usize = 1716;
/// Number of flush columns: one for every set of five ranks.
const FLUSH_COLUMNS: usize = 1287;
/// Start of the flush half of the column table.
pub const FLUSH_INDEX: usize = 4096;

/// The three tables for hands of one size.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Product {
    /// 4,096 columns by `ones >> 1` (the parity of the number of cards restores the lowest bit),
    /// then 8,192 columns by the ranks of the suit that makes a flush.
    pub columns: Vec<u16>,
    /// 8,192 row starts by `twos`.
    pub rows: Vec<u16>,
    /// The ranks, padded so that the sum of any row and column is in bounds.
    pub values: Vec<u16>,
}

impl Product {
    /// Makes the tables for hands of `cards` cards; `flush` has the rank of a suit with five or more cards.
    #[must_use]
    pub fn new(numbering: &Numbering, cards: u32, flush: &[u16]) -> Product {
        let mut columns = vec![0u16; FLUSH_INDEX + 8192];
        let mut class_size = [0u16; 14];
        let odd = cards % 2;
        for ones in (0..8192usize).filter(|ones| ones.count_ones() % 2 == odd) {
            let class = &mut class_size[ones.count_ones() as usize];
            // Masks with more bits than a hand has cards never occur; column 0 keeps them in bounds.
            if ones.count_ones() <= cards {
                columns[ones >> 1] = *class;
            }
            *class += 1;
        }
        let mut values = vec![u16::MAX; FLUSH_COLUMN + FLUSH_COLUMNS];
        Self::add_flushes(&mut columns, &mut values, flush);
        let mut rows = vec![0u16; 8192];
        for pairs in 0..=cards / 2 {
            for twos in (0..8192usize).filter(|twos| twos.count_ones() == pairs) {
                let start = if twos == 0 { 0 } else { values.len() };
                rows[twos] = start as u16;
                let singles = cards - 2 * pairs;
                for ones in (0..8192usize).filter(|ones| ones.count_ones() == singles) {
                    let counts =
                        std::array::from_fn(|r| (ones >> r & 1) as u8 + 2 * (twos >> r & 1) as u8);
                    let rank = numbering.rank(score_of_counts(numbering.rules(), &counts, &[0; 4]));
                    let slot = start + usize::from(columns[ones >> 1]);
                    if slot >= values.len() {
                        values.resize(slot + 1, u16::MAX);
                    }
                    values[slot] = rank.0;
                }
            }
        }
        let last_row = rows.iter().copied().max().unwrap_or(0);
        values.resize(
            values.len().max(usize::from(last_row) + FLUSH_COLUMN),
            u16::MAX,
        );
        Product {
            columns,
            rows,
            values,
        }
    }

    fn add_flushes(columns: &mut [u16], values: &mut [u16], flush: &[u16]) {
        let mut classes: Vec<u16> = flush
            .iter()
            .copied()
            .filter(|&rank| rank != u16::MAX)
            .collect();
        classes.sort_unstable();
        classes.dedup();
        for (class, &rank) in classes.iter().enumerate() {
            values[FLUSH_COLUMN + class] = rank;
        }
        for (suited, rank) in flush.iter().enumerate() {
            if let Ok(class) = classes.binary_search(rank) {
                columns[FLUSH_INDEX + suited] = (FLUSH_COLUMN + class) as u16;
            }
        }
    }
}
