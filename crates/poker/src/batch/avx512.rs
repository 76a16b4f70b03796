//! 32 hands a step with AVX-512.

use std::arch::x86_64::*;

use cards::CardSet;

use super::look_up::look_up;
use crate::HandRank;
use crate::tables::Products;

/// Hands between the two phases; a multiple of 32.
const CHUNK: usize = 64;

const _: () = assert!(size_of::<CardSet>() == 8, "a card set is its mask");

/// Evaluates as many whole chunks as there are and says how many hands that was. `quads` ranks
/// the hands with four of a kind.
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,avx512bitalg")]
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
        for step in 0..CHUNK / 32 {
            let hands = &hands[32 * step..][..32];
            let places = &mut places[32 * step..][..32];
            with_quads |= u64::from(indices(hands, places)) << (32 * step);
        }
        // SAFETY: phase 1 writes columns below 4096 + 8192 and rows below 8192.
        unsafe { look_up::<32, CHUNK>(&places, ranks, products) };
        while with_quads != 0 {
            let hand = with_quads.trailing_zeros() as usize;
            ranks[hand] = quads(hands[hand]);
            with_quads &= with_quads - 1;
        }
    }
    whole
}

/// Phase 1 for 32 hands: writes the table indices and tells which hands have four of a kind.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,avx512bitalg")]
fn indices(hands: &[CardSet], places: &mut [u32]) -> u32 {
    debug_assert!(hands.len() == 32 && places.len() == 32);
    let masks = hands.as_ptr().cast::<__m512i>();
    // SAFETY: 32 card sets are four registers; unaligned loads need no more.
    let x = unsafe {
        [
            _mm512_loadu_si512(masks),
            _mm512_loadu_si512(masks.add(1)),
            _mm512_loadu_si512(masks.add(2)),
            _mm512_loadu_si512(masks.add(3)),
        ]
    };
    let clubs = suit::<0>(&x);
    let diamonds = suit::<13>(&x);
    let hearts = suit::<26>(&x);
    let spades = suit::<39>(&x);

    const XOR3: i32 = 0b1001_0110;
    const MAJORITY: i32 = 0b1110_1000;
    // A full adder for three suits, then the fourth.
    let three_odd = _mm512_ternarylogic_epi64::<XOR3>(clubs, diamonds, hearts);
    let three_two = _mm512_ternarylogic_epi64::<MAJORITY>(clubs, diamonds, hearts);
    let ones = _mm512_xor_si512(three_odd, spades);
    // twos = three_two ^ (three_odd & spades); fours = three_two & three_odd & spades.
    let twos = _mm512_ternarylogic_epi64::<0b0111_1000>(three_two, three_odd, spades);
    let fours = _mm512_ternarylogic_epi64::<0b1000_0000>(three_two, three_odd, spades);

    let four = _mm512_set1_epi16(4);
    let five = |suit| _mm512_cmpgt_epi16_mask(_mm512_popcnt_epi16(suit), four);
    let flush_column = _mm512_set1_epi16(4096);
    let mut column = _mm512_srli_epi16::<1>(ones);
    let mut flush = 0;
    for suit in [clubs, diamonds, hearts, spades] {
        let flush_here = five(suit);
        column = _mm512_mask_add_epi16(column, flush_here, suit, flush_column);
        flush |= flush_here;
    }
    let row = _mm512_maskz_mov_epi16(!flush, twos);
    let out = places.as_mut_ptr().cast::<__m512i>();
    // SAFETY: 32 places are two registers; unaligned stores need no more.
    unsafe {
        _mm512_storeu_si512(out, _mm512_unpacklo_epi16(column, row));
        _mm512_storeu_si512(out.add(1), _mm512_unpackhi_epi16(column, row));
    }
    if _mm512_test_epi64_mask(fours, fours) == 0 {
        return 0;
    }
    hands_with_quads(hands)
}

/// The suit that starts at bit `FIRST` of all 32 hands: word `i` of a 64-bit lane is from `x[i]`.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,avx512bitalg")]
fn suit<const FIRST: i64>(x: &[__m512i; 4]) -> __m512i {
    // Bytes of a word are the eight bits from FIRST on and the eight after those.
    let from =
        _mm512_set1_epi64(FIRST * 0x0001_0001_0001_0001 + (FIRST + 8) * 0x0100_0100_0100_0100);
    let words = _mm512_multishift_epi64_epi8(from, x[0]);
    let words = _mm512_mask_multishift_epi64_epi8(words, 0x0C0C_0C0C_0C0C_0C0C, from, x[1]);
    let words = _mm512_mask_multishift_epi64_epi8(words, 0x3030_3030_3030_3030, from, x[2]);
    let words = _mm512_mask_multishift_epi64_epi8(words, 0xC0C0_C0C0_C0C0_C0C0, from, x[3]);
    _mm512_and_si512(words, _mm512_set1_epi16(0x1FFF))
}

/// Which of the hands have four of a kind; seldom asked.
#[cold]
fn hands_with_quads(hands: &[CardSet]) -> u32 {
    hands.iter().enumerate().fold(0, |found, (i, hand)| {
        let pairs = hand.0 & hand.0 >> 26;
        found | u32::from(pairs & pairs >> 13 & 0x1FFF != 0) << i
    })
}
