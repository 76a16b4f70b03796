//! The random words of the simulation, and random choices by weight.

use shuffle::{BlockWords, Key, RandomWords, Stream};

/// Returns the random words of one block of deals: a separate stream of the shared generator.
pub(super) fn words(seed: u64, block: u64) -> BlockWords {
    BlockWords::new(Stream::Poker, &Key::from_seed(seed), block)
}

/// Draws an index in proportion to integer weights (the alias method, without rounding).
pub(super) struct WeightedChoice {
    /// For each column: the share below which it returns its own index, and the other index beyond that.
    columns: Vec<(u128, u32)>,
    /// The size of a column: the sum of the weights.
    full: u128,
    uniform: bool,
}

impl WeightedChoice {
    /// Prepares the weights, of which at least one must not be zero.
    pub(super) fn new(weights: &[u128]) -> WeightedChoice {
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
        WeightedChoice {
            columns,
            full,
            uniform,
        }
    }

    /// Draws an index.
    #[inline]
    pub(super) fn draw(&self, random: &mut impl RandomWords) -> usize {
        let column = random.below(self.columns.len() as u64) as usize;
        if self.uniform {
            return column;
        }
        let (share, other) = self.columns[column];
        // The sum of the weights is below 2^64 (checked by the caller), so one word decides.
        if u128::from(random.below(self.full as u64)) < share {
            column
        } else {
            other as usize
        }
    }
}
