//! Thirty-two lanes, one group, in 256-bit registers with the instructions of AVX-512.
//!
//! Processors that execute 512-bit operations as two halves gain nothing from the width, and comparisons that yield
//! masks are slow on them. They do gain from rotations and three-way operations in one instruction. Everything else is
//! as in [`avx2`](super::avx2).

use std::arch::x86_64::{
    _mm256_mulhi_epu16 as high_product, _mm256_mullo_epi16 as low_product, _mm256_or_si256 as or,
    _mm256_packus_epi16 as pack, _mm256_unpackhi_epi8 as unpack_second,
    _mm256_unpacklo_epi8 as unpack_first, _mm256_xor_si256 as xor, *,
};

use super::Placing;
use super::avx2::{
    self, GROUPS, Rejected, V, bytes, load, none_rejected, reject, rejected_lanes, store_holdings,
    words,
};
use super::wide::{CONSTANTS, Constants, Draws, NEVER, wide};
use crate::block::Group;
use crate::draws::{BOUNDS, REJECT_BELOW};
use crate::lanes::Lanes;

/// Computes groups. Callers have checked that the processor has AVX-512.
pub(super) fn make(
    lanes: &mut Lanes,
    placing: &Placing,
    groups: &mut [Group],
    rejected: &mut [u32],
) {
    assert!(cpu::works_in_halves());
    // SAFETY: the processor has AVX2 and AVX-512 F and VL, as just checked.
    unsafe {
        if placing.any_fixed {
            make_batches::<true>(lanes, placing, groups, rejected);
        } else {
            make_batches::<false>(lanes, placing, groups, rejected);
        }
    }
}

/// The eight generators, four in a register.
struct Stream(avx2::Stream);

impl Stream {
    #[inline]
    #[target_feature(enable = "avx2,avx512f,avx512vl")]
    fn load(lanes: &Lanes) -> Self {
        Stream(avx2::Stream::load(lanes))
    }

    #[inline]
    #[target_feature(enable = "avx2,avx512f,avx512vl")]
    fn store(&self, lanes: &mut Lanes) {
        self.0.store(lanes);
    }
}

/// Advances four xoshiro256++ generators by one step.
#[inline]
#[target_feature(enable = "avx2,avx512f,avx512vl")]
fn advance(s: &mut [V; 4]) -> V {
    const XOR3: i32 = 0x96;
    let [s0, s1, s2, s3] = *s;
    let word = _mm256_add_epi64(_mm256_rol_epi64::<23>(_mm256_add_epi64(s0, s3)), s0);
    s[0] = _mm256_ternarylogic_epi64::<XOR3>(s0, s1, s3);
    s[1] = _mm256_ternarylogic_epi64::<XOR3>(s0, s1, s2);
    s[2] = _mm256_ternarylogic_epi64::<XOR3>(s0, s2, _mm256_slli_epi64::<17>(s1));
    s[3] = _mm256_rol_epi64::<45>(_mm256_xor_si256(s1, s3));
    word
}

/// Does nothing: no words are read ahead, because a step fills exactly two registers.
#[inline]
#[target_feature(enable = "avx2,avx512f,avx512vl")]
fn ahead(_: &mut Stream) {}

#[inline]
#[target_feature(enable = "avx2,avx512f,avx512vl")]
fn word(Stream(avx2::Stream(stream)): &mut Stream, (): &(), _: usize) -> [V; 2] {
    let [first, second] = stream;
    [advance(first), advance(second)]
}

#[inline]
#[target_feature(enable = "avx2,avx512f,avx512vl")]
fn place_card(number: V, i: usize, constants: &Constants, threshold: &mut V, bits: &mut V) {
    /// Ternary logic: the first operand, or the second where the third is set.
    const OR_AND: i32 = 0xf8;
    // -1 in lanes whose number is below the threshold.
    let below = _mm256_cmpgt_epi8(*threshold, number);
    *threshold = _mm256_add_epi8(*threshold, below);
    *bits = _mm256_ternarylogic_epi64::<OR_AND>(*bits, below, load(&constants.bit[i]));
}

wide!("avx2,avx512f,avx512vl");

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fast::{avx512, one_lane};
    use crate::{Key, Predeal, Stream as Use};

    /// Tests both variants on every processor with AVX-512, although each processor uses only one of them.
    #[test]
    fn whole_and_halved_registers_make_the_same_groups() {
        type Make = fn(&mut Lanes, &Placing, &mut [Group], &mut [u32]);
        let mut makes: Vec<Make> = vec![one_lane::make];
        if cpu::CpuPath::Avx512.is_available() {
            makes.push(avx512::make);
        }
        if cpu::works_in_halves() {
            makes.push(make);
        }
        for (seed, predeal) in
            (0..40).zip(["", "north SAKQ,H2 south DA", "west C5432"].iter().cycle())
        {
            let placing = Placing::new(&predeal.parse::<Predeal>().unwrap());
            let made: Vec<_> = makes
                .iter()
                .map(|make| {
                    let mut lanes = Lanes::seeded(&Key::from_seed(seed), Use::Deals, seed);
                    let (mut groups, mut rejected) = (vec![Group::EMPTY; 5], [0; 5]);
                    make(&mut lanes, &placing, &mut groups, &mut rejected);
                    let planes: Vec<_> = groups.iter().map(|group| group.planes).collect();
                    (planes, rejected, lanes.state)
                })
                .collect();
            assert!(
                made.windows(2).all(|pair| pair[0] == pair[1]),
                "seed {seed}"
            );
        }
    }
}
