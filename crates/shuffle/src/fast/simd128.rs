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

/// The numbers of eight lanes by bound n, sixteen bits each. Row 0 belongs to fixed cards: its number is above every
/// threshold. Row 1 belongs to the last card, whose number is always 0.
type Numbers = [v128; 53];

/// A number above every threshold.
const NEVER: u16 = 127;

/// Every bound in all elements of a register.
static BOUND: [[u16; 8]; 53] = {
    let mut bound = [[0; 8]; 53];
    let mut n = 0;
    while n < 53 {
        bound[n] = [n as u16; 8];
        n += 1;
    }
    bound
};

pub(super) fn make(
    lanes: &mut Lanes,
    placing: &Placing,
    groups: &mut [Group],
    rejected: &mut [u32],
) {
    if placing.any_fixed {
        make_groups::<true>(lanes, placing, groups, rejected);
    } else {
        make_groups::<false>(lanes, placing, groups, rejected);
    }
}

fn make_groups<const PREDEAL: bool>(
    lanes: &mut Lanes,
    placing: &Placing,
    groups: &mut [Group],
    rejected: &mut [u32],
) {
    let mut draws: [Numbers; PARTS] = [[u16x8_splat(0); 53]; PARTS];
    for numbers in &mut draws {
        numbers[0] = u16x8_splat(NEVER);
    }
    // Constants that the compiler knows take three instructions at each use, loads take one.
    let bounds = std::hint::black_box(&BOUND);
    let mut stream = Stream::load(lanes);
    for (group, rejected) in groups.iter_mut().zip(rejected) {
        let mut bad = [u16x8_splat(0); PARTS];
        for (part, bad) in bad.iter_mut().enumerate() {
            *bad = draw_part(&mut stream.0[part], bounds, &mut draws[part]);
        }
        *rejected = rejected_lanes(bad);
        let [one, two, three, four] = &draws;
        place_half::<PREDEAL>(placing, [one, two], group, 0);
        place_half::<PREDEAL>(placing, [three, four], group, 16);
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
}

/// Advances two generators, xoshiro256++, by one step.
#[inline(always)]
fn step(s: &mut [v128; 4]) -> v128 {
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
}

/// Draws all numbers of eight lanes. Returns a nonzero element for each rejected lane.
///
/// One part at a time fits the sixteen registers of x86-64; with all parts at once half of the instructions would move
/// values to memory and back.
#[inline(never)]
fn draw_part(state: &mut [v128; 4], bounds: &[[u16; 8]; 53], numbers: &mut Numbers) -> v128 {
    macro_rules! draw_words {
        ($bad:ident: $($g:literal)*) => {
            $(draw_word::<$g>(step(state), bounds, numbers, &mut $bad);)*
        };
    }
    let mut bad = u16x8_splat(0);
    draw_words!(bad: 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15);
    bad
}

/// Computes the draws of word number `G`: a chain of high and low halves of products.
#[inline(always)]
fn draw_word<const G: usize>(
    word: v128,
    bounds: &[[u16; 8]; 53],
    numbers: &mut Numbers,
    bad: &mut v128,
) {
    let byte = u16x8_splat(0xff);
    let mut high = u16x8_shr(word, 8);
    let mut low = v128_and(word, byte);
    for &n in BOUNDS[G] {
        let n = usize::from(n);
        // SAFETY: the row has the sixteen bytes that are read; the load needs no alignment.
        let bound = unsafe { v128_load(bounds[n].as_ptr().cast()) };
        let product = i16x8_mul(low, bound);
        // The product of the word, without its last byte.
        let upper = i16x8_add(i16x8_mul(high, bound), u16x8_shr(product, 8));
        numbers[n] = u16x8_shr(upper, 8);
        high = v128_and(upper, byte);
        low = v128_and(product, byte);
    }
    if REJECT_BELOW[G] > 0 {
        let rest = v128_or(u16x8_shl(high, 8), low);
        *bad = v128_or(*bad, u16x8_sub_sat(u16x8_splat(REJECT_BELOW[G]), rest));
    }
}

/// Returns the rejected lanes of a group (bit = lane).
fn rejected_lanes(bad: [v128; PARTS]) -> u32 {
    // A signed pack keeps nonzero elements nonzero.
    let lanes = |one, two| {
        let packed = i8x16_narrow_i16x8(one, two);
        u32::from(i8x16_bitmask(i8x16_ne(packed, i8x16_splat(0))))
    };
    lanes(bad[0], bad[1]) | lanes(bad[2], bad[3]) << 16
}

/// Places all cards of sixteen lanes, from lane `first` of the group on.
#[inline(never)]
fn place_half<const PREDEAL: bool>(
    placing: &Placing,
    numbers: [&Numbers; 2],
    group: &mut Group,
    first: usize,
) {
    let [n, e, s] = if PREDEAL {
        placing.thresholds
    } else {
        [13, 26, 39]
    };
    let mut thresholds = [u8x16_splat(n), u8x16_splat(e), u8x16_splat(s)];
    for suit in (0..4).rev() {
        // Bits of N; of N or E; of N, E or S.
        let high = place_run::<PREDEAL, 5>(placing, numbers, 13 * suit + 8, &mut thresholds);
        let low = place_run::<PREDEAL, 8>(placing, numbers, 13 * suit, &mut thresholds);
        let free = u16x8_splat(if PREDEAL { placing.free[suit] } else { 0x1fff });
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
            for (seat, mut holdings) in seats.into_iter().enumerate() {
                if PREDEAL {
                    holdings = v128_or(holdings, u16x8_splat(placing.fixed[suit][seat]));
                }
                let from = first + 8 * quarter;
                let to = &mut group.planes[suit][seat][from..from + 8];
                // SAFETY: the slice has eight elements of two bytes; the store needs no alignment.
                unsafe { v128_store(to.as_mut_ptr().cast(), holdings) };
            }
        }
    }
}

/// Places `CARDS` cards of a suit, downwards to card `lowest`; one bit per card and threshold.
#[inline(always)]
fn place_run<const PREDEAL: bool, const CARDS: usize>(
    placing: &Placing,
    numbers: [&Numbers; 2],
    lowest: usize,
    thresholds: &mut [v128; 3],
) -> [v128; 3] {
    let mut bits = [i8x16_splat(0); 3];
    for card in (lowest..lowest + CARDS).rev() {
        let bound = if PREDEAL {
            usize::from(placing.bound[card])
        } else {
            card + 1
        };
        let number = u8x16_narrow_i16x8(numbers[0][bound], numbers[1][bound]);
        for (threshold, bits) in thresholds.iter_mut().zip(&mut bits) {
            // -1 in lanes whose number is below the threshold.
            let below = i8x16_lt(number, *threshold);
            *threshold = i8x16_add(*threshold, below);
            // At most eight bits are in a byte, so the shift of words carries none to the next byte. Processors have no
            // shift of bytes.
            *bits = i8x16_sub(i16x8_shl(*bits, 1), below);
        }
    }
    bits
}
