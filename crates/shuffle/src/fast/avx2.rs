//! Thirty-two lanes in 256-bit registers.
//!
//! A step of the stream is two registers, and each of their sixteen-bit elements is already in the place
//! of its deal. Packing two registers of draws to bytes and interleaving bytes to words later undo
//! each other, so lanes stay in order without a permutation.

use std::arch::x86_64::*;

use super::Placing;
use crate::block::{GROUP_DEALS, Group};
use crate::draws::{BOUNDS, REJECT_BELOW, WORDS};
use crate::lanes::{LANES, Lanes};

/// The draws of a group by bound n. Row 0 stands for fixed cards: a number no threshold exceeds.
#[repr(align(64))]
struct Draws([[u8; GROUP_DEALS]; 53]);

/// Higher than any threshold.
const NEVER: u8 = 127;

/// Every bound and rejection limit sixteen times over, ready to be loaded.
///
/// The compiler would rather broadcast a single copy, which costs a shuffle each time; so it is not
/// shown that the entries are all the same (see `make_groups`).
#[repr(align(64))]
struct Constants {
    bound: [[u16; 16]; 53],
    reject_below: [[u16; 16]; WORDS],
}

static CONSTANTS: Constants = {
    let mut constants = Constants {
        bound: [[0; 16]; 53],
        reject_below: [[0; 16]; WORDS],
    };
    let mut n = 0;
    while n < 53 {
        constants.bound[n] = [n as u16; 16];
        n += 1;
    }
    let mut g = 0;
    while g < WORDS {
        constants.reject_below[g] = [REJECT_BELOW[g]; 16];
        g += 1;
    }
    constants
};

/// Makes groups; callers have checked that the machine has AVX2.
pub(super) fn make(
    lanes: &mut Lanes,
    placing: &Placing,
    groups: &mut [Group],
    rejected: &mut [u32],
) {
    assert!(cpu::Path::Avx2.is_available());
    // SAFETY: the processor has AVX2, as just checked.
    unsafe {
        if placing.any_fixed {
            make_groups::<true>(lanes, placing, groups, rejected);
        } else {
            make_groups::<false>(lanes, placing, groups, rejected);
        }
    }
}

#[target_feature(enable = "avx2")]
fn make_groups<const PREDEAL: bool>(
    lanes: &mut Lanes,
    placing: &Placing,
    groups: &mut [Group],
    rejected: &mut [u32],
) {
    let mut draws = Draws([[0; GROUP_DEALS]; 53]);
    draws.0[0] = [NEVER; GROUP_DEALS];
    let constants = std::hint::black_box(&CONSTANTS);
    let mut stream = Stream::load(lanes);
    for (group, rejected) in groups.iter_mut().zip(rejected) {
        *rejected = draw_numbers(&mut stream, constants, &mut draws);
        place::<PREDEAL>(placing, &draws, group);
    }
    stream.store(lanes);
}

/// The words of as many steps as there is room for.
#[target_feature(enable = "avx2")]
pub(crate) fn fill(lanes: &mut Lanes, steps: &mut [[u64; LANES]]) {
    let mut stream = Stream::load(lanes);
    for words in steps {
        let [low, high] = stream.step();
        store(&mut words[..4], low);
        store(&mut words[4..], high);
    }
    stream.store(lanes);
}

#[inline]
#[target_feature(enable = "avx2")]
fn load<T>(from: &[T]) -> __m256i {
    assert!(size_of_val(from) >= 32);
    // SAFETY: 32 bytes are readable there; the load needs no alignment.
    unsafe { _mm256_loadu_si256(from.as_ptr().cast()) }
}

#[inline]
#[target_feature(enable = "avx2")]
fn store<T>(to: &mut [T], value: __m256i) {
    assert!(size_of_val(to) >= 32);
    // SAFETY: 32 bytes are writable there, any bits are valid integers; the store needs no alignment.
    unsafe { _mm256_storeu_si256(to.as_mut_ptr().cast(), value) }
}

/// The eight generators: four state words of lanes 0-3 and of lanes 4-7.
struct Stream([[__m256i; 4]; 2]);

impl Stream {
    #[inline]
    #[target_feature(enable = "avx2")]
    fn load(lanes: &Lanes) -> Self {
        let [a, b, c, d] = &lanes.state;
        Stream([
            [load(&a[..4]), load(&b[..4]), load(&c[..4]), load(&d[..4])],
            [load(&a[4..]), load(&b[4..]), load(&c[4..]), load(&d[4..])],
        ])
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    fn store(&self, lanes: &mut Lanes) {
        for (k, row) in lanes.state.iter_mut().enumerate() {
            store(&mut row[..4], self.0[0][k]);
            store(&mut row[4..], self.0[1][k]);
        }
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    fn step(&mut self) -> [__m256i; 2] {
        [advance(&mut self.0[0]), advance(&mut self.0[1])]
    }
}

/// One step of four xoshiro256++ generators.
#[inline]
#[target_feature(enable = "avx2")]
fn advance(s: &mut [__m256i; 4]) -> __m256i {
    let sum = _mm256_add_epi64(s[0], s[3]);
    let turned = _mm256_or_si256(_mm256_slli_epi64::<23>(sum), _mm256_srli_epi64::<41>(sum));
    let word = _mm256_add_epi64(turned, s[0]);
    let shifted = _mm256_slli_epi64::<17>(s[1]);
    s[2] = _mm256_xor_si256(s[2], s[0]);
    s[3] = _mm256_xor_si256(s[3], s[1]);
    s[1] = _mm256_xor_si256(s[1], s[2]);
    s[0] = _mm256_xor_si256(s[0], s[3]);
    s[2] = _mm256_xor_si256(s[2], shifted);
    s[3] = _mm256_or_si256(_mm256_slli_epi64::<45>(s[3]), _mm256_srli_epi64::<19>(s[3]));
    word
}

/// Draws all numbers of 32 lanes and tells which lanes are rejected.
#[inline]
#[target_feature(enable = "avx2")]
fn draw_numbers(stream: &mut Stream, constants: &Constants, draws: &mut Draws) -> u32 {
    let mut bad = [_mm256_setzero_si256(); 2];
    macro_rules! words {
        ($($g:literal)*) => { $( draw_word::<$g>(stream.step(), constants, draws, &mut bad); )* };
    }
    words!(0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15);
    // An element that is not zero is a rejection; a signed pack keeps it so (0xffff becomes -1).
    let packed = _mm256_packs_epi16(bad[0], bad[1]);
    let in_order = _mm256_permute4x64_epi64::<0b11_01_10_00>(packed);
    let good = _mm256_cmpeq_epi8(in_order, _mm256_setzero_si256());
    !_mm256_movemask_epi8(good) as u32
}

/// The draws of word number `G`: a chain of high and low halves of products.
#[inline]
#[target_feature(enable = "avx2")]
fn draw_word<const G: usize>(
    words: [__m256i; 2],
    constants: &Constants,
    draws: &mut Draws,
    bad: &mut [__m256i; 2],
) {
    let [mut first, mut second] = words;
    for &n in BOUNDS[G] {
        let bound = load(&constants.bound[usize::from(n)]);
        let numbers = _mm256_packus_epi16(
            _mm256_mulhi_epu16(first, bound),
            _mm256_mulhi_epu16(second, bound),
        );
        store(&mut draws.0[usize::from(n)], numbers);
        first = _mm256_mullo_epi16(first, bound);
        second = _mm256_mullo_epi16(second, bound);
    }
    if REJECT_BELOW[G] > 0 {
        let limit = load(&constants.reject_below[G]);
        bad[0] = _mm256_or_si256(bad[0], _mm256_subs_epu16(limit, first));
        bad[1] = _mm256_or_si256(bad[1], _mm256_subs_epu16(limit, second));
    }
}

/// Cumulative free places of N; N and E; N, E and S.
type Thresholds = [__m256i; 3];

/// Places all cards of 32 lanes.
#[inline]
#[target_feature(enable = "avx2")]
fn place<const PREDEAL: bool>(placing: &Placing, draws: &Draws, group: &mut Group) {
    let mut thresholds: Thresholds = if PREDEAL {
        placing
            .thresholds
            .map(|places| _mm256_set1_epi8(places as i8))
    } else {
        [
            _mm256_set1_epi8(13),
            _mm256_set1_epi8(26),
            _mm256_set1_epi8(39),
        ]
    };
    for suit in (0..4).rev() {
        let high = place_run::<PREDEAL, 5>(placing, draws, 13 * suit + 8, &mut thresholds);
        let low = place_run::<PREDEAL, 8>(placing, draws, 13 * suit, &mut thresholds);
        for half in 0..2 {
            let join = |k: usize| {
                if half == 0 {
                    _mm256_unpacklo_epi8(low[k], high[k])
                } else {
                    _mm256_unpackhi_epi8(low[k], high[k])
                }
            };
            let (one, two, three) = (join(0), join(1), join(2));
            let free = if PREDEAL { placing.free[suit] } else { 0x1fff };
            let all = _mm256_set1_epi16(free as i16);
            let holdings = [
                one,
                _mm256_xor_si256(two, one),
                _mm256_xor_si256(three, two),
                _mm256_xor_si256(all, three),
            ];
            for (seat, mut holding) in holdings.into_iter().enumerate() {
                if PREDEAL {
                    let fixed = _mm256_set1_epi16(placing.fixed[suit][seat] as i16);
                    holding = _mm256_or_si256(holding, fixed);
                }
                store(&mut group.planes[suit][seat][16 * half..], holding);
            }
        }
    }
}

/// Places `CARDS` cards of a suit, downwards to card `lowest`; one bit per card and threshold.
#[inline]
#[target_feature(enable = "avx2")]
fn place_run<const PREDEAL: bool, const CARDS: usize>(
    placing: &Placing,
    draws: &Draws,
    lowest: usize,
    thresholds: &mut Thresholds,
) -> [__m256i; 3] {
    let mut bits = [_mm256_setzero_si256(); 3];
    for i in (0..CARDS).rev() {
        let card = lowest + i;
        let bound = if PREDEAL {
            usize::from(placing.bound[card])
        } else {
            card + 1
        };
        let number = load(&draws.0[bound]);
        for (threshold, bits) in thresholds.iter_mut().zip(&mut bits) {
            // -1 where the number is below the threshold.
            let below = _mm256_cmpgt_epi8(*threshold, number);
            *threshold = _mm256_add_epi8(*threshold, below);
            *bits = _mm256_sub_epi8(_mm256_add_epi8(*bits, *bits), below);
        }
    }
    bits
}
