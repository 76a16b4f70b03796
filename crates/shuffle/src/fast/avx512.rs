//! Sixty-four lanes, two groups at a time, in 512-bit registers.
//!
//! The order of the words is unchanged: the first group's sixteen steps come before the second's. The differences from
//! [`avx2`](super::avx2) are the width, rotations and three-way exclusive-ors in one instruction, and comparisons that
//! yield mask registers.

use std::arch::x86_64::{
    _mm512_mulhi_epu16 as high_product, _mm512_mullo_epi16 as low_product, _mm512_or_si512 as or,
    _mm512_packus_epi16 as pack, _mm512_unpackhi_epi8 as unpack_second,
    _mm512_unpacklo_epi8 as unpack_first, _mm512_xor_si512 as xor, *,
};

use super::Placing;
use super::avx2;
use super::wide::{CONSTANTS, Constants, Draws, NEVER, wide};
use crate::block::Group;
use crate::draws::{BOUNDS, REJECT_BELOW, WORDS};
use crate::lanes::Lanes;

type V = __m512i;

/// Groups in a batch.
const GROUPS: usize = 2;

/// Computes groups in pairs, and a last single one with half the width.
pub(super) fn make(
    lanes: &mut Lanes,
    placing: &Placing,
    groups: &mut [Group],
    rejected: &mut [u32],
) {
    assert!(cpu::CpuPath::Avx512.is_available());
    let pairs = groups.len() / 2 * 2;
    let (paired, single) = groups.split_at_mut(pairs);
    let (paired_rejected, single_rejected) = rejected.split_at_mut(pairs);
    if !paired.is_empty() {
        // SAFETY: the processor has AVX-512 F and BW, as just checked.
        unsafe {
            if placing.any_fixed {
                make_batches::<true>(lanes, placing, paired, paired_rejected);
            } else {
                make_batches::<false>(lanes, placing, paired, paired_rejected);
            }
        }
    }
    if !single.is_empty() {
        avx2::make(lanes, placing, single, single_rejected);
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

/// The eight generators: their four state words.
struct Stream([V; 4]);

impl Stream {
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw")]
    fn load(lanes: &Lanes) -> Self {
        let [a, b, c, d] = &lanes.state;
        Stream([load(a), load(b), load(c), load(d)])
    }

    #[inline]
    #[target_feature(enable = "avx512f,avx512bw")]
    fn store(&self, lanes: &mut Lanes) {
        for (words, row) in lanes.state.iter_mut().zip(self.0) {
            store(words, row);
        }
    }
}

/// Advances all eight xoshiro256++ generators by one step.
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

/// The words of the first group of the batch.
type Ahead = [V; WORDS];

#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn ahead(stream: &mut Stream) -> Ahead {
    let mut words = [bytes(0); WORDS];
    for word in &mut words {
        *word = advance(&mut stream.0);
    }
    words
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn word(stream: &mut Stream, ahead: &Ahead, g: usize) -> [V; 2] {
    [ahead[g], advance(&mut stream.0)]
}

/// The lanes that are not rejected.
type Rejected = [__mmask32; 2];

#[inline]
fn none_rejected() -> Rejected {
    [__mmask32::MAX; 2]
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn reject(accepted: &mut Rejected, remainders: [V; 2], limit: V) {
    for (accepted, remainder) in accepted.iter_mut().zip(remainders) {
        *accepted = _mm512_mask_cmpge_epu16_mask(*accepted, remainder, limit);
    }
}

#[inline]
fn rejected_lanes(accepted: Rejected) -> [u32; 2] {
    accepted.map(|accepted| !accepted)
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn bytes(byte: u8) -> V {
    _mm512_set1_epi8(byte as i8)
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn words(word: u16) -> V {
    _mm512_set1_epi16(word as i16)
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn place_card(number: V, i: usize, constants: &Constants, threshold: &mut V, bits: &mut V) {
    let (one, bit) = (load(&constants.bit[0]), load(&constants.bit[i]));
    let below = _mm512_cmpgt_epi8_mask(*threshold, number);
    *threshold = _mm512_mask_sub_epi8(*threshold, below, *threshold, one);
    *bits = _mm512_mask_add_epi8(*bits, below, *bits, bit);
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn store_holdings(holdings: V, half: usize, suit: usize, seat: usize, batch: &mut [Group]) {
    store(&mut batch[half].planes[suit][seat], holdings);
}

wide!("avx512f,avx512bw");
