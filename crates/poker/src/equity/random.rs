//! The random stream of the simulation: xoshiro256++, seeded per block.

/// A random stream. Streams with different seeds or blocks are independent for all purposes here.
pub(super) struct Random {
    state: [u64; 4],
}

impl Random {
    /// The stream of one block of deals.
    pub(super) fn for_block(seed: u64, block: u64) -> Random {
        let mut mix = seed ^ block.wrapping_mul(0xD134_2543_DE82_EF95).rotate_left(32);
        let state = std::array::from_fn(|_| {
            mix = mix.wrapping_add(0x9E37_79B9_7F4A_7C15);
            let x = (mix ^ mix >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
            let x = (x ^ x >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
            x ^ x >> 31
        });
        Random { state }
    }

    #[inline]
    pub(super) fn word(&mut self) -> u64 {
        let [a, b, c, d] = &mut self.state;
        let word = a.wrapping_add(*d).rotate_left(23).wrapping_add(*a);
        let shifted = *b << 17;
        *c ^= *a;
        *d ^= *b;
        *b ^= *c;
        *a ^= *d;
        *c ^= shifted;
        *d = d.rotate_left(45);
        word
    }

    /// A number below `bound`; the deviation from uniform is below `bound / 2^64`.
    #[inline]
    pub(super) fn below(&mut self, bound: u64) -> u64 {
        ((u128::from(self.word()) * u128::from(bound)) >> 64) as u64
    }
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
    pub(super) fn draw(&self, random: &mut Random) -> usize {
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
