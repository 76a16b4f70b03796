//! 8 hands a step with NEON.

use std::arch::aarch64::*;

use cards::CardSet;

use super::look_up::look_up;
use crate::HandRank;
use crate::tables::Products;

/// Hands between the two phases; a multiple of 8.
const CHUNK: usize = 64;

const _: () = assert!(size_of::<CardSet>() == 8, "a card set is its mask");

/// Evaluates as many whole chunks as there are and says how many hands that was. `quads` ranks
/// the hands with four of a kind.
#[target_feature(enable = "neon")]
pub(super) fn evaluate(
    hands: &[CardSet],
    ranks: &mut [HandRank],
    products: &Products,
    quads: impl Fn(CardSet) -> HandRank,
) -> usize {
    let mut places = [0u32; CHUNK];
    let whole = hands.len() / CHUNK * CHUNK;
    let (chunks, _) = hands.as_chunks::<CHUNK>();
    let (rank_chunks, _) = ranks.as_chunks_mut::<CHUNK>();
    for (hands, ranks) in chunks.iter().zip(rank_chunks) {
        let mut with_quads = 0u64;
        for step in 0..CHUNK / 8 {
            let hands = &hands[8 * step..][..8];
            let places = &mut places[8 * step..][..8];
            with_quads |= u64::from(indices(hands, places)) << (8 * step);
        }
        // SAFETY: phase 1 writes columns below 4096 + 8192 and rows below 8192.
        unsafe { look_up::<8, CHUNK>(&places, ranks, products) };
        while with_quads != 0 {
            let hand = with_quads.trailing_zeros() as usize;
            ranks[hand] = quads(hands[hand]);
            with_quads &= with_quads - 1;
        }
    }
    whole
}

/// Phase 1 for 8 hands: writes the table indices and tells which hands have four of a kind.
#[inline]
#[target_feature(enable = "neon")]
fn indices(hands: &[CardSet], places: &mut [u32]) -> u8 {
    debug_assert!(hands.len() == 8 && places.len() == 8);
    let masks = hands.as_ptr().cast::<u64>();
    // SAFETY: 8 card sets are four registers of two.
    let [x0, x1, x2, x3] = unsafe {
        [
            vld1q_u64(masks),
            vld1q_u64(masks.add(2)),
            vld1q_u64(masks.add(4)),
            vld1q_u64(masks.add(6)),
        ]
    };
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

    let minor_odd = veorq_u16(clubs, diamonds);
    let minor_both = vandq_u16(clubs, diamonds);
    let major_odd = veorq_u16(hearts, spades);
    let major_both = vandq_u16(hearts, spades);
    let ones = veorq_u16(minor_odd, major_odd);
    let twos = vorrq_u16(
        veorq_u16(minor_both, major_both),
        vandq_u16(minor_odd, major_odd),
    );
    let fours = vandq_u16(minor_both, major_both);

    let flush = vorrq_u16(
        vorrq_u16(if_five(clubs), if_five(diamonds)),
        vorrq_u16(if_five(hearts), if_five(spades)),
    );
    let no_flush = vceqzq_u16(flush);
    let flush_column = vaddq_u16(flush, vdupq_n_u16(4096));
    let column = vbslq_u16(no_flush, vshrq_n_u16::<1>(ones), flush_column);
    let row = vandq_u16(twos, no_flush);
    let out = places.as_mut_ptr().cast::<u16>();
    // SAFETY: 8 places are two registers of eight halves.
    unsafe {
        vst1q_u16(out, vzip1q_u16(column, row));
        vst1q_u16(out.add(8), vzip2q_u16(column, row));
    }
    if vmaxvq_u16(fours) == 0 {
        return 0;
    }
    hands_with_quads(hands)
}

/// Word `i` of every 64-bit lane from `wi`, cut to the thirteen bits of a suit.
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

/// Which of the hands have four of a kind; seldom asked.
#[cold]
fn hands_with_quads(hands: &[CardSet]) -> u8 {
    hands.iter().enumerate().fold(0, |found, (i, hand)| {
        let pairs = hand.0 & hand.0 >> 26;
        found | u8::from(pairs & pairs >> 13 & 0x1FFF != 0) << i
    })
}

/// The suit where it has five or more cards, else nothing.
#[inline]
#[target_feature(enable = "neon")]
fn if_five(suit: uint16x8_t) -> uint16x8_t {
    let count = vpaddlq_u8(vcntq_u8(vreinterpretq_u8_u16(suit)));
    vandq_u16(suit, vcgtq_u16(count, vdupq_n_u16(4)))
}
