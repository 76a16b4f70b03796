//! Eight xoshiro256++ generators side by side: the random words of the fast stream.

use crate::chacha;
use crate::{Key, Stream};

/// Number of generators; one step of all of them is 64 bytes.
pub(crate) const LANES: usize = 8;

/// The generators. State word `k` of lane `l` is `state[k][l]`, so that one step is a few operations on rows.
#[derive(Clone, Debug)]
pub(crate) struct Lanes {
    pub(crate) state: [[u64; LANES]; 4],
}

impl Lanes {
    /// Creates the generators of block `block`: state word k of lane l is keystream word `32*block + 4*l + k`.
    pub(crate) fn seeded(key: &Key, stream: Stream, block: u64) -> Self {
        let seeds = chacha::four_blocks(
            key.bytes(),
            stream.rounds(),
            stream as u64,
            block.wrapping_mul(4),
        );
        let seed = |number: usize| seeds[number / 8][number % 8];
        Lanes {
            state: std::array::from_fn(|k| std::array::from_fn(|lane| seed(4 * lane + k))),
        }
    }

    /// Fills `steps` with the words of consecutive steps.
    pub(crate) fn fill(&mut self, steps: &mut [[u64; LANES]]) {
        #[cfg(target_arch = "x86_64")]
        if matches!(
            cpu::CpuPath::best(),
            cpu::CpuPath::Avx2 | cpu::CpuPath::Avx512
        ) {
            // SAFETY: the best path is one that the processor has, and both have AVX2.
            return unsafe { crate::fast::avx2::fill(self, steps) };
        }
        self.fill_with(steps);
    }

    fn fill_with(&mut self, steps: &mut [[u64; LANES]]) {
        for words in steps {
            *words = self.step();
        }
    }

    /// Advances every lane once and returns their words, lane 0 first.
    #[inline(always)]
    pub(crate) fn step(&mut self) -> [u64; LANES] {
        let [s0, s1, s2, s3] = &mut self.state;
        let mut words = [0; LANES];
        for l in 0..LANES {
            words[l] = s0[l]
                .wrapping_add(s3[l])
                .rotate_left(23)
                .wrapping_add(s0[l]);
            let shifted = s1[l] << 17;
            s2[l] ^= s0[l];
            s3[l] ^= s1[l];
            s1[l] ^= s2[l];
            s0[l] ^= s3[l];
            s2[l] ^= shifted;
            s3[l] = s3[l].rotate_left(45);
        }
        words
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Lane states and first words of seed 1, block 0, from the description of the generator.
    #[test]
    fn seed_one_starts_as_published() {
        let mut lanes = Lanes::seeded(&Key::from_seed(1), Stream::Deals, 0);
        let lane = |l: usize| lanes.state.map(|row| row[l]);
        assert_eq!(
            lane(0),
            [
                0x1a8125d48c6fea14,
                0xd167e651ac499192,
                0xa35d1d16a09a4bb5,
                0x53d7c3fca9d282dd
            ]
        );
        assert_eq!(
            lane(7),
            [
                0xf73a52d5c9a5411d,
                0x58d8c39c2b5e3342,
                0x197b29f4bc3ffcdb,
                0x5cc693884ca13241
            ]
        );
        assert_eq!(
            lanes.step(),
            [
                0x031c470b05271688,
                0x46140db331b5970a,
                0xe14c753d694b7444,
                0x27c44ab7ca1b00b1,
                0x7a75752cd18760b5,
                0xbfdc3c4fc91c512d,
                0xb7665a86e8913c3c,
                0x2645760f78cf4190
            ]
        );
        assert_eq!(lanes.step()[..2], [0xfff855c6917246d3, 0xa1728fdc1823c035]);
    }

    #[test]
    fn many_steps_are_single_steps_on_every_path() {
        let mut single = Lanes::seeded(&Key::from_seed(7), Stream::Poker, 5);
        let (mut plain, mut best) = (single.clone(), single.clone());
        let mut steps = [[[0; LANES]; 37]; 2];
        plain.fill_with(&mut steps[0]);
        best.fill(&mut steps[1]);
        for (a, b) in steps[0].iter().zip(&steps[1]) {
            let expected = single.step();
            assert!(*a == expected && *b == expected);
        }
        assert!(plain.state == single.state && best.state == single.state);
    }
}
