//! Thirty-two lanes, one group, in 256-bit registers.
//!
//! A step of the stream fills two registers, with each sixteen-bit element already at the position of its deal.

use std::arch::x86_64::{
    _mm256_mulhi_epu16 as high_product, _mm256_mullo_epi16 as low_product, _mm256_or_si256 as or,
    _mm256_packus_epi16 as pack, _mm256_unpackhi_epi8 as unpack_second,
    _mm256_unpacklo_epi8 as unpack_first, _mm256_xor_si256 as xor, *,
};

use super::Placing;
use super::wide::{CONSTANTS, Constants, Draws, NEVER, wide};
use crate::block::Group;
use crate::draws::{BOUNDS, REJECT_BELOW};
use crate::lanes::{LANES, Lanes};

pub(super) type V = __m256i;

/// Groups in a batch.
pub(super) const GROUPS: usize = 1;

/// Computes groups. Callers have checked that the processor has AVX2.
pub(super) fn make(
    lanes: &mut Lanes,
    placing: &Placing,
    groups: &mut [Group],
    rejected: &mut [u32],
) {
    assert!(cpu::CpuPath::Avx2.is_available());
    // SAFETY: the processor has AVX2, as just checked.
    unsafe {
        if placing.any_fixed {
            make_batches::<true>(lanes, placing, groups, rejected);
        } else {
            make_batches::<false>(lanes, placing, groups, rejected);
        }
    }
}

/// Fills `steps` with the words of consecutive steps.
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
pub(super) fn load<T>(from: &[T]) -> __m256i {
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
pub(super) struct Stream(pub(super) [[__m256i; 4]; 2]);

impl Stream {
    #[inline]
    #[target_feature(enable = "avx2")]
    pub(super) fn load(lanes: &Lanes) -> Self {
        let [a, b, c, d] = &lanes.state;
        Stream([
            [load(&a[..4]), load(&b[..4]), load(&c[..4]), load(&d[..4])],
            [load(&a[4..]), load(&b[4..]), load(&c[4..]), load(&d[4..])],
        ])
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    pub(super) fn store(&self, lanes: &mut Lanes) {
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

/// Advances four xoshiro256++ generators by one step.
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

/// Does nothing: no words are read ahead, because a step fills exactly two registers.
#[inline]
#[target_feature(enable = "avx2")]
fn ahead(_: &mut Stream) {}

#[inline]
#[target_feature(enable = "avx2")]
fn word(stream: &mut Stream, (): &(), _: usize) -> [V; 2] {
    stream.step()
}

/// Rejection flags: a nonzero element rejects its lane.
pub(super) type Rejected = [V; 2];

#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn none_rejected() -> Rejected {
    [bytes(0); 2]
}

#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn reject(rejected: &mut Rejected, remainders: [V; 2], limit: V) {
    for (rejected, remainder) in rejected.iter_mut().zip(remainders) {
        *rejected = or(*rejected, _mm256_subs_epu16(limit, remainder));
    }
}

#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn rejected_lanes([first, second]: Rejected) -> [u32; 2] {
    // A signed pack keeps nonzero elements nonzero (0xffff becomes -1).
    let packed = _mm256_packs_epi16(first, second);
    let in_order = _mm256_permute4x64_epi64::<0b11_01_10_00>(packed);
    let good = _mm256_cmpeq_epi8(in_order, bytes(0));
    [!_mm256_movemask_epi8(good) as u32, 0]
}

#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn bytes(byte: u8) -> V {
    _mm256_set1_epi8(byte as i8)
}

#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn words(word: u16) -> V {
    _mm256_set1_epi16(word as i16)
}

#[inline]
#[target_feature(enable = "avx2")]
fn place_card(number: V, _: usize, _: &Constants, threshold: &mut V, bits: &mut V) {
    // -1 in lanes whose number is below the threshold.
    let below = _mm256_cmpgt_epi8(*threshold, number);
    *threshold = _mm256_add_epi8(*threshold, below);
    *bits = _mm256_sub_epi8(_mm256_add_epi8(*bits, *bits), below);
}

#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn store_holdings(
    holdings: V,
    half: usize,
    suit: usize,
    seat: usize,
    batch: &mut [Group],
) {
    store(&mut batch[0].planes[suit][seat][16 * half..], holdings);
}

wide!("avx2");
