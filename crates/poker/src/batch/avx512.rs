//! Evaluates 32 hands at a time with AVX-512.

use std::arch::x86_64::*;

use cards::CardSet;
use cpu::Avx512;

use super::wide::{self, Registers};
use crate::HandRank;
use crate::tables::Products;

/// Evaluates whole chunks: see [`wide::evaluate`].
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,avx512bitalg")]
pub(super) fn evaluate(
    proof: Avx512,
    hands: &[CardSet],
    ranks: &mut [HandRank],
    products: &Products,
    quads: impl Fn(CardSet) -> HandRank,
) -> usize {
    wide::evaluate::<32, Avx512>(proof, hands, ranks, products, quads)
}

// SAFETY of every block below: a value of `Avx512` exists only if the processor has these instructions, and each method
// takes one as `self`.
impl Registers<32> for Avx512 {
    type V = __m512i;

    #[inline(always)]
    fn load(self, hands: &[CardSet; 32]) -> [__m512i; 4] {
        let masks = hands.as_ptr().cast::<__m512i>();
        // SAFETY: `self` proves that the processor has these instructions; 32 card sets are four registers, and unaligned loads need no more.
        unsafe {
            [
                _mm512_loadu_si512(masks),
                _mm512_loadu_si512(masks.add(1)),
                _mm512_loadu_si512(masks.add(2)),
                _mm512_loadu_si512(masks.add(3)),
            ]
        }
    }
    #[inline(always)]
    fn suits(self, x: [__m512i; 4]) -> [__m512i; 4] {
        // SAFETY: `self` proves that the processor has these instructions.
        unsafe {
            [
                suit::<0>(&x),
                suit::<13>(&x),
                suit::<26>(&x),
                suit::<39>(&x),
            ]
        }
    }
    #[inline(always)]
    fn and(self, a: __m512i, b: __m512i) -> __m512i {
        // SAFETY: `self` proves that the processor has these instructions.
        unsafe { _mm512_and_si512(a, b) }
    }
    #[inline(always)]
    fn or(self, a: __m512i, b: __m512i) -> __m512i {
        // SAFETY: `self` proves that the processor has these instructions.
        unsafe { _mm512_or_si512(a, b) }
    }
    #[inline(always)]
    fn xor(self, a: __m512i, b: __m512i) -> __m512i {
        // SAFETY: `self` proves that the processor has these instructions.
        unsafe { _mm512_xor_si512(a, b) }
    }
    #[inline(always)]
    fn columns_and_rows(self, suits: [__m512i; 4], ones: __m512i, twos: __m512i) -> [__m512i; 2] {
        // SAFETY: `self` proves that the processor has these instructions.
        unsafe { columns_and_rows(suits, ones, twos) }
    }
    #[inline(always)]
    fn store(self, columns: __m512i, rows: __m512i, places: &mut [u32; 32]) {
        let out = places.as_mut_ptr().cast::<__m512i>();
        // SAFETY: `self` proves that the processor has these instructions; 32 places are two registers, and unaligned stores need no more.
        unsafe {
            _mm512_storeu_si512(out, _mm512_unpacklo_epi16(columns, rows));
            _mm512_storeu_si512(out.add(1), _mm512_unpackhi_epi16(columns, rows));
        }
    }
    #[inline(always)]
    fn any(self, a: __m512i) -> bool {
        // SAFETY: `self` proves that the processor has these instructions.
        unsafe { _mm512_test_epi64_mask(a, a) != 0 }
    }

    /// Adds three suits with a full adder, then the fourth, with three-operand instructions.
    #[inline(always)]
    fn count(self, [clubs, diamonds, hearts, spades]: [__m512i; 4]) -> [__m512i; 3] {
        const XOR3: i32 = 0b1001_0110;
        const MAJORITY: i32 = 0b1110_1000;
        // SAFETY: `self` proves that the processor has these instructions.
        unsafe {
            let three_odd = _mm512_ternarylogic_epi64::<XOR3>(clubs, diamonds, hearts);
            let three_two = _mm512_ternarylogic_epi64::<MAJORITY>(clubs, diamonds, hearts);
            let ones = _mm512_xor_si512(three_odd, spades);
            // twos = three_two ^ (three_odd & spades); fours = three_two & three_odd & spades.
            let twos = _mm512_ternarylogic_epi64::<0b0111_1000>(three_two, three_odd, spades);
            let fours = _mm512_ternarylogic_epi64::<0b1000_0000>(three_two, three_odd, spades);
            [ones, twos, fours]
        }
    }
}

/// Returns the table indices of 32 hands.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,avx512bitalg")]
fn columns_and_rows(suits: [__m512i; 4], ones: __m512i, twos: __m512i) -> [__m512i; 2] {
    let four = _mm512_set1_epi16(4);
    let five = |suit| _mm512_cmpgt_epi16_mask(_mm512_popcnt_epi16(suit), four);
    let flush_column = _mm512_set1_epi16(4096);
    let mut column = _mm512_srli_epi16::<1>(ones);
    let mut flush = 0;
    for suit in suits {
        let flush_here = five(suit);
        column = _mm512_mask_add_epi16(column, flush_here, suit, flush_column);
        flush |= flush_here;
    }
    [column, _mm512_maskz_mov_epi16(!flush, twos)]
}

/// Returns the suit that starts at bit `FIRST` of all 32 hands: word `i` of a 64-bit lane is from `x[i]`.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,avx512bitalg")]
fn suit<const FIRST: i64>(x: &[__m512i; 4]) -> __m512i {
    // The bytes of a word are the eight bits from FIRST on and the next eight.
    let from =
        _mm512_set1_epi64(FIRST * 0x0001_0001_0001_0001 + (FIRST + 8) * 0x0100_0100_0100_0100);
    let words = _mm512_multishift_epi64_epi8(from, x[0]);
    let words = _mm512_mask_multishift_epi64_epi8(words, 0x0C0C_0C0C_0C0C_0C0C, from, x[1]);
    let words = _mm512_mask_multishift_epi64_epi8(words, 0x3030_3030_3030_3030, from, x[2]);
    let words = _mm512_mask_multishift_epi64_epi8(words, 0xC0C0_C0C0_C0C0_C0C0, from, x[3]);
    _mm512_and_si512(words, _mm512_set1_epi16(0x1FFF))
}
