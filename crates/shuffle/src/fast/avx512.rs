//! Sixty-four lanes, two groups at a time, in 512-bit registers.
//!
//! The groups keep their words: the first group's sixteen steps come before the second's. What differs
//! from [`avx2`](super::avx2) is the width, rotations and three-way exclusive-ors in one instruction, and
//! comparisons that yield mask registers.

use std::arch::x86_64::*;

use super::Placing;
use super::avx2;
use crate::block::{GROUP_DEALS, Group};
use crate::draws::{BOUNDS, REJECT_BELOW, WORDS};
use crate::lanes::Lanes;

/// Lanes of two groups.
const PAIR_DEALS: usize = 2 * GROUP_DEALS;

/// The draws of two groups by bound n, in the order in which packing leaves them. Row 0 stands for fixed
/// cards: a number no threshold exceeds.
#[repr(align(64))]
struct Draws([[u8; PAIR_DEALS]; 53]);

/// Higher than any threshold.
const NEVER: u8 = 127;

/// Every bound and rejection limit as often as a register holds it, and the bit of each rank of a run of
/// eight. Hidden from the compiler as in [`avx2`](super::avx2): if it knew the values it would replace
/// masked additions by longer and slower sequences.
#[repr(align(64))]
struct Constants {
    bit: [[u8; 64]; 8],
    bound: [[u16; 32]; 53],
    reject_below: [[u16; 32]; WORDS],
}

static CONSTANTS: Constants = {
    let mut constants = Constants {
        bit: [[0; 64]; 8],
        bound: [[0; 32]; 53],
        reject_below: [[0; 32]; WORDS],
    };
    let mut i = 0;
    while i < 8 {
        constants.bit[i] = [1 << i; 64];
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

/// Makes groups in pairs, a last single one with half the width.
pub(super) fn make(
    lanes: &mut Lanes,
    placing: &Placing,
    groups: &mut [Group],
    rejected: &mut [u32],
) {
    assert!(cpu::Path::Avx512.is_available());
    let pairs = groups.len() / 2 * 2;
    let (paired, single) = groups.split_at_mut(pairs);
    let (paired_rejected, single_rejected) = rejected.split_at_mut(pairs);
    if !paired.is_empty() {
        // SAFETY: the processor has AVX-512 F and BW, as just checked.
        unsafe {
            if placing.any_fixed {
                make_pairs::<true>(lanes, placing, paired, paired_rejected);
            } else {
                make_pairs::<false>(lanes, placing, paired, paired_rejected);
            }
        }
    }
    if !single.is_empty() {
        avx2::make(lanes, placing, single, single_rejected);
    }
}

#[target_feature(enable = "avx512f,avx512bw")]
fn make_pairs<const PREDEAL: bool>(
    lanes: &mut Lanes,
    placing: &Placing,
    groups: &mut [Group],
    rejected: &mut [u32],
) {
    let mut draws = Draws([[0; PAIR_DEALS]; 53]);
    draws.0[0] = [NEVER; PAIR_DEALS];
    let constants = std::hint::black_box(&CONSTANTS);
    let mut state = [
        load(&lanes.state[0]),
        load(&lanes.state[1]),
        load(&lanes.state[2]),
        load(&lanes.state[3]),
    ];
    for (pair, rejected) in groups.chunks_exact_mut(2).zip(rejected.chunks_exact_mut(2)) {
        let accepted = draw_numbers(&mut state, constants, &mut draws);
        for (rejected, accepted) in rejected.iter_mut().zip(accepted) {
            *rejected = !accepted;
        }
        place::<PREDEAL>(placing, constants, &draws, pair);
    }
    for (words, row) in lanes.state.iter_mut().zip(state) {
        store(words, row);
    }
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn load<T>(from: &[T]) -> __m512i {
    assert!(size_of_val(from) >= 64);
    // SAFETY: 64 bytes are readable there; the load needs no alignment.
    unsafe { _mm512_loadu_si512(from.as_ptr().cast()) }
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn store<T>(to: &mut [T], value: __m512i) {
    assert!(size_of_val(to) >= 64);
    // SAFETY: 64 bytes are writable there, any bits are valid integers; the store needs no alignment.
    unsafe { _mm512_storeu_si512(to.as_mut_ptr().cast(), value) }
}

/// One step of all eight xoshiro256++ generators.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn advance(s: &mut [__m512i; 4]) -> __m512i {
    const XOR3: i32 = 0x96;
    let [s0, s1, s2, s3] = *s;
    let word = _mm512_add_epi64(_mm512_rol_epi64::<23>(_mm512_add_epi64(s0, s3)), s0);
    s[0] = _mm512_ternarylogic_epi64::<XOR3>(s0, s1, s3);
    s[1] = _mm512_ternarylogic_epi64::<XOR3>(s0, s1, s2);
    s[2] = _mm512_ternarylogic_epi64::<XOR3>(s0, s2, _mm512_slli_epi64::<17>(s1));
    s[3] = _mm512_rol_epi64::<45>(_mm512_xor_si512(s1, s3));
    word
}

/// Draws all numbers of 64 lanes and tells which lanes of both groups are accepted.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn draw_numbers(
    state: &mut [__m512i; 4],
    constants: &Constants,
    draws: &mut Draws,
) -> [__mmask32; 2] {
    let mut first_words = [_mm512_setzero_si512(); WORDS];
    for word in &mut first_words {
        *word = advance(state);
    }
    let mut accepted = [__mmask32::MAX; 2];
    macro_rules! words {
        ($($g:literal)*) => { $(
            draw_word::<$g>([first_words[$g], advance(state)], constants, draws, &mut accepted);
        )* };
    }
    words!(0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15);
    accepted
}

/// The draws of word number `G` of both groups: a chain of high and low halves of products.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn draw_word<const G: usize>(
    words: [__m512i; 2],
    constants: &Constants,
    draws: &mut Draws,
    accepted: &mut [__mmask32; 2],
) {
    let [mut first, mut second] = words;
    for &n in BOUNDS[G] {
        let bound = load(&constants.bound[usize::from(n)]);
        let numbers = _mm512_packus_epi16(
            _mm512_mulhi_epu16(first, bound),
            _mm512_mulhi_epu16(second, bound),
        );
        store(&mut draws.0[usize::from(n)], numbers);
        first = _mm512_mullo_epi16(first, bound);
        second = _mm512_mullo_epi16(second, bound);
    }
    if REJECT_BELOW[G] > 0 {
        let limit = load(&constants.reject_below[G]);
        accepted[0] = _mm512_mask_cmpge_epu16_mask(accepted[0], first, limit);
        accepted[1] = _mm512_mask_cmpge_epu16_mask(accepted[1], second, limit);
    }
}

/// Cumulative free places of N; N and E; N, E and S.
type Thresholds = [__m512i; 3];

/// Places all cards of two groups.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn place<const PREDEAL: bool>(
    placing: &Placing,
    constants: &Constants,
    draws: &Draws,
    pair: &mut [Group],
) {
    let mut thresholds: Thresholds = if PREDEAL {
        placing
            .thresholds
            .map(|places| _mm512_set1_epi8(places as i8))
    } else {
        [
            _mm512_set1_epi8(13),
            _mm512_set1_epi8(26),
            _mm512_set1_epi8(39),
        ]
    };
    for suit in (0..4).rev() {
        let high =
            place_run::<PREDEAL, 5>(placing, constants, draws, 13 * suit + 8, &mut thresholds);
        let low = place_run::<PREDEAL, 8>(placing, constants, draws, 13 * suit, &mut thresholds);
        for (half, group) in pair.iter_mut().enumerate() {
            // Packing put eight numbers of the first group before eight of the second; this undoes it.
            let join = |k: usize| {
                if half == 0 {
                    _mm512_unpacklo_epi8(low[k], high[k])
                } else {
                    _mm512_unpackhi_epi8(low[k], high[k])
                }
            };
            let (one, two, three) = (join(0), join(1), join(2));
            let free = if PREDEAL { placing.free[suit] } else { 0x1fff };
            let all = _mm512_set1_epi16(free as i16);
            let holdings = [
                one,
                _mm512_xor_si512(two, one),
                _mm512_xor_si512(three, two),
                _mm512_xor_si512(all, three),
            ];
            for (seat, mut holding) in holdings.into_iter().enumerate() {
                if PREDEAL {
                    let fixed = _mm512_set1_epi16(placing.fixed[suit][seat] as i16);
                    holding = _mm512_or_si512(holding, fixed);
                }
                store(&mut group.planes[suit][seat], holding);
            }
        }
    }
}

/// Places `CARDS` cards of a suit, downwards to card `lowest`; one bit per card and threshold.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn place_run<const PREDEAL: bool, const CARDS: usize>(
    placing: &Placing,
    constants: &Constants,
    draws: &Draws,
    lowest: usize,
    thresholds: &mut Thresholds,
) -> [__m512i; 3] {
    let one = load(&constants.bit[0]);
    let mut bits = [_mm512_setzero_si512(); 3];
    for i in (0..CARDS).rev() {
        let card = lowest + i;
        let bound = if PREDEAL {
            usize::from(placing.bound[card])
        } else {
            card + 1
        };
        let number = load(&draws.0[bound]);
        let bit = load(&constants.bit[i]);
        for (threshold, bits) in thresholds.iter_mut().zip(&mut bits) {
            let below = _mm512_cmpgt_epi8_mask(*threshold, number);
            *threshold = _mm512_mask_sub_epi8(*threshold, below, *threshold, one);
            *bits = _mm512_mask_add_epi8(*bits, below, *bits, bit);
        }
    }
    bits
}
