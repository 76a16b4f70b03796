//! Thirty-two lanes in 128-bit registers of WebAssembly.
//!
//! WebAssembly has no instruction for the high half of a product of sixteen-bit numbers, and widening products are slow. So
//! a word is kept as its two bytes: the product of a byte and a bound (at most 52) fits sixteen bits.

use std::arch::wasm32::*;

use super::Placing;
use crate::block::Group;
use crate::draws::{BOUNDS, REJECT_BELOW};
use crate::lanes::{LANES, Lanes};

/// Registers of a step of the stream: eight words of sixteen bits in each.
const PARTS: usize = 4;

/// The numbers of lanes 0 to 15 and of lanes 16 to 31 by bound n. Row 0 belongs to fixed cards: its number is above every
/// threshold.
type Draws = [[v128; 2]; 53];

/// A number above every threshold.
const NEVER: u8 = 127;

pub(super) fn make(
    lanes: &mut Lanes,
    placing: &Placing,
    groups: &mut [Group],
    rejected: &mut [u32],
) {
    let mut draws: Draws = [[u8x16_splat(0); 2]; 53];
    draws[0] = [u8x16_splat(NEVER); 2];
    let mut stream = Stream::load(lanes);
    for (group, rejected) in groups.iter_mut().zip(rejected) {
        *rejected = draw_numbers(&mut stream, &mut draws);
        place_half::<0>(placing, &draws, group);
        place_half::<1>(placing, &draws, group);
    }
    stream.store(lanes);
}

/// The eight generators: for each pair of lanes its four state words.
struct Stream([[v128; 4]; PARTS]);

impl Stream {
    fn load(lanes: &Lanes) -> Stream {
        let state = &lanes.state;
        Stream(std::array::from_fn(|pair| {
            std::array::from_fn(|k| u64x2(state[k][2 * pair], state[k][2 * pair + 1]))
        }))
    }

    fn store(&self, lanes: &mut Lanes) {
        for lane in (0..LANES).step_by(2) {
            for (k, row) in lanes.state.iter_mut().enumerate() {
                let pair = self.0[lane / 2][k];
                row[lane] = u64x2_extract_lane::<0>(pair);
                row[lane + 1] = u64x2_extract_lane::<1>(pair);
            }
        }
    }

    /// Advances the generators, xoshiro256++, by one step.
    #[inline(always)]
    fn step(&mut self) -> [v128; PARTS] {
        self.0.each_mut().map(|s| {
            let sum = i64x2_add(s[0], s[3]);
            let turned = v128_or(i64x2_shl(sum, 23), u64x2_shr(sum, 41));
            let word = i64x2_add(turned, s[0]);
            let shifted = i64x2_shl(s[1], 17);
            s[2] = v128_xor(s[2], s[0]);
            s[3] = v128_xor(s[3], s[1]);
            s[1] = v128_xor(s[1], s[2]);
            s[0] = v128_xor(s[0], s[3]);
            s[2] = v128_xor(s[2], shifted);
            s[3] = v128_or(i64x2_shl(s[3], 45), u64x2_shr(s[3], 19));
            word
        })
    }
}

/// Draws all numbers of 32 lanes. Returns the rejected lanes.
#[inline(never)]
fn draw_numbers(stream: &mut Stream, draws: &mut Draws) -> u32 {
    macro_rules! draw_words {
        ($bad:ident: $($g:literal)*) => {
            $(draw_word::<$g>(stream.step(), draws, &mut $bad);)*
        };
    }
    let mut bad = [u16x8_splat(0); PARTS];
    draw_words!(bad: 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15);
    // A signed pack keeps nonzero elements nonzero.
    let lanes = |one, two| {
        let packed = i8x16_narrow_i16x8(one, two);
        u32::from(i8x16_bitmask(i8x16_ne(packed, i8x16_splat(0))))
    };
    lanes(bad[0], bad[1]) | lanes(bad[2], bad[3]) << 16
}

/// Computes the draws of word number `G`: a chain of high and low halves of products.
#[inline(always)]
fn draw_word<const G: usize>(words: [v128; PARTS], draws: &mut Draws, bad: &mut [v128; PARTS]) {
    let byte = u16x8_splat(0xff);
    let mut high = words.map(|word| u16x8_shr(word, 8));
    let mut low = words.map(|word| v128_and(word, byte));
    for &n in BOUNDS[G] {
        let bound = u16x8_splat(n);
        let mut numbers = [bound; PARTS];
        for part in 0..PARTS {
            let product = i16x8_mul(low[part], bound);
            // The product of the word, without its last byte.
            let upper = i16x8_add(i16x8_mul(high[part], bound), u16x8_shr(product, 8));
            numbers[part] = u16x8_shr(upper, 8);
            high[part] = v128_and(upper, byte);
            low[part] = v128_and(product, byte);
        }
        draws[usize::from(n)] = [
            u8x16_narrow_i16x8(numbers[0], numbers[1]),
            u8x16_narrow_i16x8(numbers[2], numbers[3]),
        ];
    }
    if REJECT_BELOW[G] > 0 {
        let limit = u16x8_splat(REJECT_BELOW[G]);
        for part in 0..PARTS {
            let rest = v128_or(u16x8_shl(high[part], 8), low[part]);
            bad[part] = v128_or(bad[part], u16x8_sub_sat(limit, rest));
        }
    }
}

/// Places all cards of sixteen lanes: the first or second half of the group.
#[inline(never)]
fn place_half<const HALF: usize>(placing: &Placing, draws: &Draws, group: &mut Group) {
    let mut thresholds = placing.thresholds.map(|places| u8x16_splat(places));
    for suit in (0..4).rev() {
        // Bits of N; of N or E; of N, E or S.
        let high = place_run::<HALF, 5>(placing, draws, 13 * suit + 8, &mut thresholds);
        let low = place_run::<HALF, 8>(placing, draws, 13 * suit, &mut thresholds);
        let free = u16x8_splat(placing.free[suit]);
        for quarter in 0..2 {
            let join = |k: usize| match quarter {
                0 => i8x16_shuffle::<0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23>(
                    low[k], high[k],
                ),
                _ => i8x16_shuffle::<8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31>(
                    low[k], high[k],
                ),
            };
            let (one, two, three) = (join(0), join(1), join(2));
            let seats = [
                one,
                v128_xor(two, one),
                v128_xor(three, two),
                v128_xor(free, three),
            ];
            for (seat, holdings) in seats.into_iter().enumerate() {
                let fixed = u16x8_splat(placing.fixed[suit][seat]);
                let first = 16 * HALF + 8 * quarter;
                let to = &mut group.planes[suit][seat][first..first + 8];
                // SAFETY: the slice has eight elements of two bytes; the store needs no alignment.
                unsafe { v128_store(to.as_mut_ptr().cast(), v128_or(holdings, fixed)) };
            }
        }
    }
}

/// Places `CARDS` cards of a suit, downwards to card `lowest`; one bit per card and threshold.
#[inline(always)]
fn place_run<const HALF: usize, const CARDS: usize>(
    placing: &Placing,
    draws: &Draws,
    lowest: usize,
    thresholds: &mut [v128; 3],
) -> [v128; 3] {
    let mut bits = [i8x16_splat(0); 3];
    for card in (lowest..lowest + CARDS).rev() {
        let number = draws[usize::from(placing.bound[card])][HALF];
        for (threshold, bits) in thresholds.iter_mut().zip(&mut bits) {
            // -1 in lanes whose number is below the threshold.
            let below = i8x16_lt(number, *threshold);
            *threshold = i8x16_add(*threshold, below);
            *bits = i8x16_sub(i8x16_add(*bits, *bits), below);
        }
    }
    bits
}
