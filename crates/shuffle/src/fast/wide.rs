//! The common code of all wide registers: draws the numbers of a batch of groups, then places its cards.
//!
//! [`wide!`] generates the functions for one kind of register. They must be compiled as separate functions with the
//! features of those registers. As a generic function over a trait they would be inlined into each other, run out of
//! registers and lose a fifteenth of their speed. The calling module defines the width of a register and these
//! operations:
//!
//! - `V`, the contents of a register; `Stream`, the eight generators with `load` and `store`;
//! - `GROUPS`, the groups in a batch: one or two;
//! - `ahead(stream)`, the words that must be read before those of a batch, and `word(stream, ahead, g)`, word `g` of
//!   the batch: two registers of sixteen-bit elements, each at the position of its deal;
//! - `Rejected` with `none_rejected()`, `reject(rejected, remainders, limit)` for lanes whose remainder is below the
//!   limit, and `rejected_lanes(rejected)`, the lanes of each group (bit = lane);
//! - `load(constant)`, `bytes(byte)` and `words(word)`, which fill a register with equal elements; `high_product`,
//!   `low_product`, `pack`, `unpack_first`, `unpack_second`, `xor`, `or`;
//! - `place_card(number, i, constants, threshold, bits)`: in lanes whose number is below the threshold, lowers the
//!   threshold by one and adds bit `i` to the bits (called with decreasing `i`);
//! - `store_holdings(holdings, half, suit, seat, batch)`: a register of holdings that belong to the first (`half` 0) or
//!   second register of words.
//!
//! Each draw uses sixteen bits of the stream, in two registers for the lanes of a batch. Packing the two registers of
//! draws to bytes and later interleaving bytes to words cancel each other, so lanes stay in order without a
//! permutation.

use crate::draws::{REJECT_BELOW, WORDS};

/// A constant, repeated to fill the widest register.
pub(super) type Repeated = [u16; 32];

/// Every bound and rejection limit, and the bit of each rank of a run of eight, ready to be loaded.
///
/// From a single copy the compiler would broadcast, which costs a shuffle each time, and it would replace masked
/// additions by longer sequences. So the values are hidden from it (see `make_batches`).
#[repr(align(64))]
pub(super) struct Constants {
    /// By rank: its bit in both bytes of a word.
    pub(super) bit: [Repeated; 8],
    pub(super) bound: [Repeated; 53],
    pub(super) reject_below: [Repeated; WORDS],
}

pub(super) static CONSTANTS: Constants = {
    let mut constants = Constants {
        bit: [[0; 32]; 8],
        bound: [[0; 32]; 53],
        reject_below: [[0; 32]; WORDS],
    };
    let mut i = 0;
    while i < 8 {
        constants.bit[i] = [0x0101 << i; 32];
        i += 1;
    }
    let mut n = 0;
    while n < 53 {
        constants.bound[n] = [n as u16; 32];
        n += 1;
    }
    let mut g = 0;
    while g < WORDS {
        constants.reject_below[g] = [REJECT_BELOW[g]; 32];
        g += 1;
    }
    constants
};

/// The draws of a batch by bound n, in the order that packing produces. Row 0 belongs to fixed cards: its number is
/// above every threshold. Row 1 belongs to the last card, whose number is always 0.
pub(super) type Draws<V> = [V; 53];

/// A number above every threshold.
pub(super) const NEVER: u8 = 127;

/// Generates `make_batches` for the registers of the calling module.
macro_rules! wide {
    ($features:literal) => {
        wide!($features, 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15);
    };
    ($features:literal, $($g:literal)*) => {
        /// Computes groups in whole batches.
        #[target_feature(enable = $features)]
        fn make_batches<const PREDEAL: bool>(
            lanes: &mut Lanes,
            placing: &Placing,
            groups: &mut [Group],
            rejected: &mut [u32],
        ) {
            let mut draws = [bytes(0); 53];
            draws[0] = bytes(NEVER);
            let constants = std::hint::black_box(&CONSTANTS);
            let mut stream = Stream::load(lanes);
            for (batch, rejected) in groups
                .chunks_exact_mut(GROUPS)
                .zip(rejected.chunks_exact_mut(GROUPS))
            {
                let rejected_lanes = draw_numbers(&mut stream, constants, &mut draws);
                rejected.copy_from_slice(&rejected_lanes[..GROUPS]);
                place::<PREDEAL>(placing, constants, &draws, batch);
            }
            stream.store(lanes);
        }

        /// Draws all numbers of a batch. Returns the rejected lanes of each group.
        #[inline]
        #[target_feature(enable = $features)]
        fn draw_numbers(
            stream: &mut Stream,
            constants: &Constants,
            draws: &mut Draws<V>,
        ) -> [u32; 2] {
            let ahead = ahead(stream);
            let mut rejected = none_rejected();
            $(draw_word::<$g>(word(stream, &ahead, $g), constants, draws, &mut rejected);)*
            rejected_lanes(rejected)
        }

        /// Computes the draws of word number `G`: a chain of high and low halves of products.
        #[inline]
        #[target_feature(enable = $features)]
        fn draw_word<const G: usize>(
            words: [V; 2],
            constants: &Constants,
            draws: &mut Draws<V>,
            rejected: &mut Rejected,
        ) {
            let [mut first, mut second] = words;
            for &n in BOUNDS[G] {
                let bound = load(&constants.bound[usize::from(n)]);
                draws[usize::from(n)] =
                    pack(high_product(first, bound), high_product(second, bound));
                first = low_product(first, bound);
                second = low_product(second, bound);
            }
            if REJECT_BELOW[G] > 0 {
                reject(rejected, [first, second], load(&constants.reject_below[G]));
            }
        }

        /// Places all cards of a batch.
        #[inline]
        #[target_feature(enable = $features)]
        fn place<const PREDEAL: bool>(
            placing: &Placing,
            constants: &Constants,
            draws: &Draws<V>,
            batch: &mut [Group],
        ) {
            let [n, e, s] = if PREDEAL {
                placing.thresholds
            } else {
                [13, 26, 39]
            };
            let mut thresholds = [bytes(n), bytes(e), bytes(s)];
            for suit in (0..4).rev() {
                let high = place_run::<PREDEAL, 5>(
                    placing,
                    constants,
                    draws,
                    13 * suit + 8,
                    &mut thresholds,
                );
                let low =
                    place_run::<PREDEAL, 8>(placing, constants, draws, 13 * suit, &mut thresholds);
                for half in 0..2 {
                    let join = |k: usize| {
                        if half == 0 {
                            unpack_first(low[k], high[k])
                        } else {
                            unpack_second(low[k], high[k])
                        }
                    };
                    let (one, two, three) = (join(0), join(1), join(2));
                    let all = words(if PREDEAL { placing.free[suit] } else { 0x1fff });
                    let holdings = [one, xor(two, one), xor(three, two), xor(all, three)];
                    for (seat, mut holding) in holdings.into_iter().enumerate() {
                        if PREDEAL {
                            holding = or(holding, words(placing.fixed[suit][seat]));
                        }
                        store_holdings(holding, half, suit, seat, batch);
                    }
                }
            }
        }

        /// Places `CARDS` cards of a suit, downwards to card `lowest`; one bit per card and threshold. The
        /// thresholds are the cumulative free places of N; N and E; N, E and S.
        #[inline]
        #[target_feature(enable = $features)]
        fn place_run<const PREDEAL: bool, const CARDS: usize>(
            placing: &Placing,
            constants: &Constants,
            draws: &Draws<V>,
            lowest: usize,
            thresholds: &mut [V; 3],
        ) -> [V; 3] {
            let mut bits = [bytes(0); 3];
            for i in (0..CARDS).rev() {
                let card = lowest + i;
                let bound = if PREDEAL {
                    usize::from(placing.bound[card])
                } else {
                    card + 1
                };
                let number = draws[bound];
                for (threshold, bits) in thresholds.iter_mut().zip(&mut bits) {
                    place_card(number, i, constants, threshold, bits);
                }
            }
            bits
        }
    };
}

pub(super) use wide;
