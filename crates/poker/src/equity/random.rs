//! The random words of the simulation, and choices by weight.

use shuffle::{BlockWords, Key, Stream, Words};

/// The words of one block of deals: the shared generator, a stream of its own.
pub(super) fn words(seed: u64, block: u64) -> BlockWords {
    BlockWords::new(Stream::Poker, &Key::from_seed(seed), block)
}

/// Draws an index in proportion to integer weights (the alias method, without rounding).
pub(super) struct Choice {
    /// Column by column: up to which share the column stands for itself, and for whom beyond.
    columns: Vec<(u128, u32)>,
    /// What a column holds: the sum of the weights.
    full: u128,
    uniform: bool,
}

impl Choice {
    /// Prepares the weights, of which one at least must not be zero.
    pub(super) fn new(weights: &[u128]) -> Choice {
        let count = weights.len() as u128;
        let full: u128 = weights.iter().sum();
        let mut columns: Vec<(u128, u32)> = weights
            .iter()
            .enumerate()
            .map(|(i, w)| (w * count, i as u32))
            .collect();
        let uniform = weights.windows(2).all(|pair| pair[0] == pair[1]);
        let mut small: Vec<usize> = (0..columns.len())
            .filter(|&i| columns[i].0 < full)
            .collect();
        let mut large: Vec<usize> = (0..columns.len())
            .filter(|&i| columns[i].0 > full)
            .collect();
        while let (Some(&poor), Some(&rich)) = (small.last(), large.last()) {
            small.pop();
            columns[poor].1 = rich as u32;
            columns[rich].0 -= full - columns[poor].0;
            if columns[rich].0 <= full {
                large.pop();
                if columns[rich].0 < full {
                    small.push(rich);
                }
            }
        }
        Choice {
            columns,
            full,
            uniform,
        }
    }

    /// An index.
    #[inline]
    pub(super) fn draw(&self, random: &mut impl Words) -> usize {
        let column = random.below(self.columns.len() as u64) as usize;
        if self.uniform {
            return column;
        }
        let (share, other) = self.columns[column];
        // Weights are below 2^64 in sum (checked by the caller), so one word decides.
        if u128::from(random.below(self.full as u64)) < share {
            column
        } else {
            other as usize
        }
    }
}
