//! 16 hands a step with AVX2.

use std::arch::x86_64::*;

use cards::CardSet;

use super::look_up::look_up;
use crate::HandRank;
use crate::tables::Products;

/// Hands between the two phases; a multiple of 16. Their indices fill four cache lines.
const CHUNK: usize = 64;

const _: () = assert!(size_of::<CardSet>() == 8, "a card set is its mask");

/// Evaluates as many whole chunks as there are and says how many hands that was. `quads` ranks
/// the hands with four of a kind.
#[target_feature(enable = "avx2")]
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
        for step in 0..CHUNK / 16 {
            let hands = &hands[16 * step..][..16];
            let places = &mut places[16 * step..][..16];
            with_quads |= u64::from(indices(hands, places)) << (16 * step);
        }
        // SAFETY: phase 1 writes columns below 4096 + 8192 and rows below 8192.
        unsafe { look_up::<16, CHUNK>(&places, ranks, products) };
        while with_quads != 0 {
            let hand = with_quads.trailing_zeros() as usize;
            ranks[hand] = quads(hands[hand]);
            with_quads &= with_quads - 1;
        }
    }
    whole
}

/// Phase 1 for 16 hands: writes the table indices and tells which hands have four of a kind.
#[inline]
#[target_feature(enable = "avx2")]
fn indices(hands: &[CardSet], places: &mut [u32]) -> u16 {
    debug_assert!(hands.len() == 16 && places.len() == 16);
    let masks = hands.as_ptr().cast::<__m256i>();
    // SAFETY: 16 card sets are four registers; unaligned loads need no more.
    let x = unsafe {
        [
            _mm256_loadu_si256(masks),
            _mm256_loadu_si256(masks.add(1)),
            _mm256_loadu_si256(masks.add(2)),
            _mm256_loadu_si256(masks.add(3)),
        ]
    };
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

    let minor_odd = _mm256_xor_si256(clubs, diamonds);
    let minor_both = _mm256_and_si256(clubs, diamonds);
    let major_odd = _mm256_xor_si256(hearts, spades);
    let major_both = _mm256_and_si256(hearts, spades);
    let ones = _mm256_xor_si256(minor_odd, major_odd);
    let twos = _mm256_or_si256(
        _mm256_xor_si256(minor_both, major_both),
        _mm256_and_si256(minor_odd, major_odd),
    );
    let fours = _mm256_and_si256(minor_both, major_both);

    let flush = _mm256_or_si256(
        _mm256_or_si256(if_five(clubs), if_five(diamonds)),
        _mm256_or_si256(if_five(hearts), if_five(spades)),
    );
    let zero = _mm256_setzero_si256();
    let no_flush = _mm256_cmpeq_epi16(flush, zero);
    let flush_column = _mm256_add_epi16(flush, _mm256_set1_epi16(4096));
    let column = _mm256_blendv_epi8(flush_column, _mm256_srli_epi16::<1>(ones), no_flush);
    let row = _mm256_and_si256(twos, no_flush);
    let out = places.as_mut_ptr().cast::<__m256i>();
    // SAFETY: 16 places are two registers; unaligned stores need no more.
    unsafe {
        _mm256_storeu_si256(out, _mm256_unpacklo_epi16(column, row));
        _mm256_storeu_si256(out.add(1), _mm256_unpackhi_epi16(column, row));
    }
    if _mm256_testz_si256(fours, fours) != 0 {
        return 0;
    }
    hands_with_quads(hands)
}

/// Which of the hands have four of a kind; seldom asked.
#[cold]
fn hands_with_quads(hands: &[CardSet]) -> u16 {
    hands.iter().enumerate().fold(0, |found, (i, hand)| {
        let pairs = hand.0 & hand.0 >> 26;
        found | u16::from(pairs & pairs >> 13 & 0x1FFF != 0) << i
    })
}

/// The suit where it has five or more cards, else nothing.
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
