//! Evaluates 16 hands at a time with AVX2.

use std::arch::x86_64::*;

use cards::CardSet;
use cpu::Avx2;

use super::wide::{self, Registers};
use crate::HandRank;
use crate::tables::Products;

/// Evaluates whole chunks: see [`wide::evaluate`].
#[target_feature(enable = "avx2")]
pub(super) fn evaluate(
    proof: Avx2,
    hands: &[CardSet],
    ranks: &mut [HandRank],
    products: &Products,
    quads: impl Fn(CardSet) -> HandRank,
) -> usize {
    wide::evaluate::<16, Avx2>(proof, hands, ranks, products, quads)
}

// SAFETY of every block below: a value of `Avx2` exists only if the processor has these instructions, and each method
// takes one as `self`.
impl Registers<16> for Avx2 {
    type V = __m256i;

    #[inline(always)]
    fn load(self, hands: &[CardSet; 16]) -> [__m256i; 4] {
        let masks = hands.as_ptr().cast::<__m256i>();
        // SAFETY: `self` proves that the processor has these instructions; 16 card sets are four registers, and unaligned loads need no more.
        unsafe {
            [
                _mm256_loadu_si256(masks),
                _mm256_loadu_si256(masks.add(1)),
                _mm256_loadu_si256(masks.add(2)),
                _mm256_loadu_si256(masks.add(3)),
            ]
        }
    }
    #[inline(always)]
    fn suits(self, hands: [__m256i; 4]) -> [__m256i; 4] {
        // SAFETY: `self` proves that the processor has these instructions.
        unsafe { suits(hands) }
    }
    #[inline(always)]
    fn and(self, a: __m256i, b: __m256i) -> __m256i {
        // SAFETY: `self` proves that the processor has these instructions.
        unsafe { _mm256_and_si256(a, b) }
    }
    #[inline(always)]
    fn or(self, a: __m256i, b: __m256i) -> __m256i {
        // SAFETY: `self` proves that the processor has these instructions.
        unsafe { _mm256_or_si256(a, b) }
    }
    #[inline(always)]
    fn xor(self, a: __m256i, b: __m256i) -> __m256i {
        // SAFETY: `self` proves that the processor has these instructions.
        unsafe { _mm256_xor_si256(a, b) }
    }
    #[inline(always)]
    fn columns_and_rows(self, suits: [__m256i; 4], ones: __m256i, twos: __m256i) -> [__m256i; 2] {
        // SAFETY: `self` proves that the processor has these instructions.
        unsafe { columns_and_rows(suits, ones, twos) }
    }
    #[inline(always)]
    fn store(self, columns: __m256i, rows: __m256i, places: &mut [u32; 16]) {
        let out = places.as_mut_ptr().cast::<__m256i>();
        // SAFETY: `self` proves that the processor has these instructions; 16 places are two registers, and unaligned stores need no more.
        unsafe {
            _mm256_storeu_si256(out, _mm256_unpacklo_epi16(columns, rows));
            _mm256_storeu_si256(out.add(1), _mm256_unpackhi_epi16(columns, rows));
        }
    }
    #[inline(always)]
    fn any(self, a: __m256i) -> bool {
        // SAFETY: `self` proves that the processor has these instructions.
        unsafe { _mm256_testz_si256(a, a) == 0 }
    }
}

/// Returns the four suits of 16 hands.
#[inline]
#[target_feature(enable = "avx2")]
fn suits(x: [__m256i; 4]) -> [__m256i; 4] {
    let ranks_of_suit = _mm256_set1_epi16(0x1FFF);
    let merge = |w0, w1, w2, w3| {
        let low = _mm256_blend_epi16::<0b0010_0010>(w0, w1);
        let high = _mm256_blend_epi16::<0b1000_1000>(w2, w3);
        _mm256_and_si256(_mm256_blend_epi16::<0b1100_1100>(low, high), ranks_of_suit)
    };
    let left = |value, count| _mm256_sll_epi64(value, _mm_cvtsi32_si128(count));
    let right = |value, count| _mm256_srl_epi64(value, _mm_cvtsi32_si128(count));
    let clubs = merge(x[0], left(x[1], 16), left(x[2], 32), left(x[3], 48));
    let diamonds = merge(
        right(x[0], 13),
        left(x[1], 3),
        left(x[2], 19),
        left(x[3], 35),
    );
    let hearts = merge(
        right(x[0], 26),
        right(x[1], 10),
        left(x[2], 6),
        left(x[3], 22),
    );
    let spades = merge(
        right(x[0], 39),
        right(x[1], 23),
        right(x[2], 7),
        left(x[3], 9),
    );
    [clubs, diamonds, hearts, spades]
}

/// Returns the table indices of 16 hands.
#[inline]
#[target_feature(enable = "avx2")]
fn columns_and_rows(
    [clubs, diamonds, hearts, spades]: [__m256i; 4],
    ones: __m256i,
    twos: __m256i,
) -> [__m256i; 2] {
    let flush = _mm256_or_si256(
        _mm256_or_si256(if_five(clubs), if_five(diamonds)),
        _mm256_or_si256(if_five(hearts), if_five(spades)),
    );
    let no_flush = _mm256_cmpeq_epi16(flush, _mm256_setzero_si256());
    let flush_column = _mm256_add_epi16(flush, _mm256_set1_epi16(4096));
    let column = _mm256_blendv_epi8(flush_column, _mm256_srli_epi16::<1>(ones), no_flush);
    [column, _mm256_and_si256(twos, no_flush)]
}

/// Returns the suit if it has five or more cards, else 0.
#[inline]
#[target_feature(enable = "avx2")]
fn if_five(suit: __m256i) -> __m256i {
    let nibble_counts = _mm256_broadcastsi128_si256(_mm_setr_epi8(
        0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4,
    ));
    let nibble = _mm256_set1_epi8(0x0F);
    let low = _mm256_shuffle_epi8(nibble_counts, _mm256_and_si256(suit, nibble));
    let high = _mm256_and_si256(_mm256_srli_epi16::<4>(suit), nibble);
    let bytes = _mm256_add_epi8(low, _mm256_shuffle_epi8(nibble_counts, high));
    let count = _mm256_maddubs_epi16(bytes, _mm256_set1_epi8(1));
    _mm256_and_si256(suit, _mm256_cmpgt_epi16(count, _mm256_set1_epi16(4)))
}
