//! Evaluates 8 hands at a time with NEON.

use std::arch::aarch64::*;

use cards::CardSet;
use cpu::Neon;

use super::wide::{self, Registers};
use crate::HandRank;
use crate::tables::Products;

/// Evaluates whole chunks: see [`wide::evaluate`].
#[target_feature(enable = "neon")]
pub(super) fn evaluate(
    proof: Neon,
    hands: &[CardSet],
    ranks: &mut [HandRank],
    products: &Products,
    quads: impl Fn(CardSet) -> HandRank,
) -> usize {
    wide::evaluate::<8, Neon>(proof, hands, ranks, products, quads)
}

// SAFETY of every block below: a value of `Neon` exists only if the processor has these instructions, and each method
// takes one as `self`.
impl Registers<8> for Neon {
    type V = uint16x8_t;

    #[inline(always)]
    fn load(self, hands: &[CardSet; 8]) -> [uint16x8_t; 4] {
        let masks = hands.as_ptr().cast::<u16>();
        // SAFETY: `self` proves that the processor has these instructions; 8 card sets are four registers of eight halves.
        unsafe {
            [
                vld1q_u16(masks),
                vld1q_u16(masks.add(8)),
                vld1q_u16(masks.add(16)),
                vld1q_u16(masks.add(24)),
            ]
        }
    }
    #[inline(always)]
    fn suits(self, hands: [uint16x8_t; 4]) -> [uint16x8_t; 4] {
        // SAFETY: `self` proves that the processor has these instructions.
        unsafe { suits(hands) }
    }
    #[inline(always)]
    fn and(self, a: uint16x8_t, b: uint16x8_t) -> uint16x8_t {
        // SAFETY: `self` proves that the processor has these instructions.
        unsafe { vandq_u16(a, b) }
    }
    #[inline(always)]
    fn or(self, a: uint16x8_t, b: uint16x8_t) -> uint16x8_t {
        // SAFETY: `self` proves that the processor has these instructions.
        unsafe { vorrq_u16(a, b) }
    }
    #[inline(always)]
    fn xor(self, a: uint16x8_t, b: uint16x8_t) -> uint16x8_t {
        // SAFETY: `self` proves that the processor has these instructions.
        unsafe { veorq_u16(a, b) }
    }
    #[inline(always)]
    fn columns_and_rows(
        self,
        suits: [uint16x8_t; 4],
        ones: uint16x8_t,
        twos: uint16x8_t,
    ) -> [uint16x8_t; 2] {
        // SAFETY: `self` proves that the processor has these instructions.
        unsafe { columns_and_rows(suits, ones, twos) }
    }
    #[inline(always)]
    fn store(self, columns: uint16x8_t, rows: uint16x8_t, places: &mut [u32; 8]) {
        let out = places.as_mut_ptr().cast::<u16>();
        // SAFETY: `self` proves that the processor has these instructions; 8 places are two registers of eight halves.
        unsafe {
            vst1q_u16(out, vzip1q_u16(columns, rows));
            vst1q_u16(out.add(8), vzip2q_u16(columns, rows));
        }
    }
    #[inline(always)]
    fn any(self, a: uint16x8_t) -> bool {
        // SAFETY: `self` proves that the processor has these instructions.
        unsafe { vmaxvq_u16(a) != 0 }
    }
}

/// Returns the four suits of 8 hands.
#[inline]
#[target_feature(enable = "neon")]
fn suits(hands: [uint16x8_t; 4]) -> [uint16x8_t; 4] {
    let [x0, x1, x2, x3] = hands.map(|register| vreinterpretq_u64_u16(register));
    let clubs = merge(
        x0,
        vshlq_n_u64::<16>(x1),
        vshlq_n_u64::<32>(x2),
        vshlq_n_u64::<48>(x3),
    );
    let diamonds = merge(
        vshrq_n_u64::<13>(x0),
        vshlq_n_u64::<3>(x1),
        vshlq_n_u64::<19>(x2),
        vshlq_n_u64::<35>(x3),
    );
    let hearts = merge(
        vshrq_n_u64::<26>(x0),
        vshrq_n_u64::<10>(x1),
        vshlq_n_u64::<6>(x2),
        vshlq_n_u64::<22>(x3),
    );
    let spades = merge(
        vshrq_n_u64::<39>(x0),
        vshrq_n_u64::<23>(x1),
        vshrq_n_u64::<7>(x2),
        vshlq_n_u64::<9>(x3),
    );
    [clubs, diamonds, hearts, spades]
}

/// Returns the table indices of 8 hands.
#[inline]
#[target_feature(enable = "neon")]
fn columns_and_rows(
    [clubs, diamonds, hearts, spades]: [uint16x8_t; 4],
    ones: uint16x8_t,
    twos: uint16x8_t,
) -> [uint16x8_t; 2] {
    let flush = vorrq_u16(
        vorrq_u16(if_five(clubs), if_five(diamonds)),
        vorrq_u16(if_five(hearts), if_five(spades)),
    );
    let no_flush = vceqzq_u16(flush);
    let flush_column = vaddq_u16(flush, vdupq_n_u16(4096));
    let column = vbslq_u16(no_flush, vshrq_n_u16::<1>(ones), flush_column);
    [column, vandq_u16(twos, no_flush)]
}

/// Joins word `i` of every 64-bit lane of `wi`, masked to the thirteen bits of a suit.
#[inline]
#[target_feature(enable = "neon")]
fn merge(w0: uint64x2_t, w1: uint64x2_t, w2: uint64x2_t, w3: uint64x2_t) -> uint16x8_t {
    let odd_words = vdupq_n_u64(0xFFFF_0000_FFFF_0000);
    let high_words = vdupq_n_u64(0xFFFF_FFFF_0000_0000);
    let low = vbslq_u64(odd_words, w1, w0);
    let high = vbslq_u64(odd_words, w3, w2);
    let words = vreinterpretq_u16_u64(vbslq_u64(high_words, high, low));
    vandq_u16(words, vdupq_n_u16(0x1FFF))
}

/// Returns the suit if it has five or more cards, else 0.
#[inline]
#[target_feature(enable = "neon")]
fn if_five(suit: uint16x8_t) -> uint16x8_t {
    let count = vpaddlq_u8(vcntq_u8(vreinterpretq_u8_u16(suit)));
    vandq_u16(suit, vcgtq_u16(count, vdupq_n_u16(4)))
}
