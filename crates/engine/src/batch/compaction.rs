//! Compaction: moves the values of selected lanes together.
//!
//! It takes one instruction for 32 lanes with AVX-512 VBMI2, one table look-up and one byte shuffle for eight lanes
//! with AVX2, and a loop elsewhere. All methods write the same bytes.

use shuffle::ShufflePath;

/// Lanes per word of the selection.
pub(super) const LANES: usize = 32;

/// Number of values after the last written one that `out` must have room for.
pub(super) const SLACK: usize = LANES;

/// Compacts values. A value of this type proves that the processor supports its method.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Compactor(CompactionMethod);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum CompactionMethod {
    #[cfg(target_arch = "x86_64")]
    Compress,
    #[cfg(target_arch = "x86_64")]
    Shuffle,
    Loop,
}

impl Compactor {
    /// Returns the fastest compactor of the path.
    pub(super) fn on(path: ShufflePath) -> Compactor {
        #[cfg(target_arch = "x86_64")]
        {
            if path == ShufflePath::Avx512 && cpu::has_compress() {
                return Compactor(CompactionMethod::Compress);
            }
            if matches!(path, ShufflePath::Avx512 | ShufflePath::Avx2) && cpu::has_byte_shuffle() {
                return Compactor(CompactionMethod::Shuffle);
            }
        }
        let _ = path;
        Compactor(CompactionMethod::Loop)
    }

    /// Returns whether the method is faster than moving the lanes one by one, for `chosen` selected lanes in `words`
    /// words.
    pub(super) fn pays(self, chosen: usize, words: usize) -> bool {
        let least: usize = match self.0 {
            #[cfg(target_arch = "x86_64")]
            CompactionMethod::Compress => 4,
            #[cfg(target_arch = "x86_64")]
            CompactionMethod::Shuffle => 8,
            CompactionMethod::Loop => usize::MAX,
        };
        chosen >= words.saturating_mul(least)
    }

    /// Writes the selected values of groups of 32 to `out`, in order, and returns their number. `out` must have room
    /// for [`SLACK`] more values, which are overwritten.
    pub(super) fn put<'a>(
        self,
        words: impl Iterator<Item = (&'a [u16; LANES], u32)>,
        out: &mut [u16],
    ) -> usize {
        match self.0 {
            // SAFETY: this method exists only if the processor has AVX-512 F, BW and VBMI2.
            #[cfg(target_arch = "x86_64")]
            CompactionMethod::Compress => unsafe { x86::compress(words, out) },
            // SAFETY: this method exists only if the processor has SSSE3 and POPCNT.
            #[cfg(target_arch = "x86_64")]
            CompactionMethod::Shuffle => unsafe { x86::shuffle(words, out) },
            CompactionMethod::Loop => one_by_one(words, out),
        }
    }
}

fn one_by_one<'a>(words: impl Iterator<Item = (&'a [u16; LANES], u32)>, out: &mut [u16]) -> usize {
    let mut count = 0;
    for (values, mut chosen) in words {
        while chosen != 0 {
            out[count] = values[chosen.trailing_zeros() as usize];
            count += 1;
            chosen &= chosen - 1;
        }
    }
    count
}

/// Returns the 32 values from `at` on.
#[cfg(target_arch = "x86_64")]
#[inline]
fn vector(list: &mut [u16], at: usize) -> &mut [u16; LANES] {
    match list[at..].first_chunk_mut() {
        Some(places) => places,
        // The caller left room after the last value.
        None => unreachable!("no room for a vector at {at}"),
    }
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use std::arch::x86_64::*;

    use super::{LANES, vector};

    #[target_feature(enable = "avx512f,avx512bw,avx512vbmi2,popcnt")]
    pub(super) fn compress<'a>(
        words: impl Iterator<Item = (&'a [u16; LANES], u32)>,
        out: &mut [u16],
    ) -> usize {
        let mut count = 0;
        for (values, chosen) in words {
            let places = vector(out, count);
            // SAFETY: both arrays are 64 bytes long, and unaligned access is allowed.
            unsafe {
                let loaded = _mm512_loadu_si512(values.as_ptr().cast());
                let squeezed = _mm512_maskz_compress_epi16(chosen, loaded);
                _mm512_storeu_si512(places.as_mut_ptr().cast(), squeezed);
            }
            count += chosen.count_ones() as usize;
        }
        count
    }

    /// For each selection of eight lanes, the bytes to take.
    static ORDERS: [[u8; 16]; 256] = orders();

    const fn orders() -> [[u8; 16]; 256] {
        let mut table = [[0x80; 16]; 256];
        let mut chosen = 0;
        while chosen < 256 {
            let (mut lane, mut count) = (0, 0);
            while lane < 8 {
                if chosen >> lane & 1 == 1 {
                    table[chosen][2 * count] = 2 * lane as u8;
                    table[chosen][2 * count + 1] = 2 * lane as u8 + 1;
                    count += 1;
                }
                lane += 1;
            }
            chosen += 1;
        }
        table
    }

    #[target_feature(enable = "ssse3,popcnt")]
    pub(super) fn shuffle<'a>(
        words: impl Iterator<Item = (&'a [u16; LANES], u32)>,
        out: &mut [u16],
    ) -> usize {
        let mut count = 0;
        for (values, chosen) in words {
            let places = vector(out, count);
            let mut placed = 0;
            for part in 0..4 {
                let byte = (chosen >> (8 * part)) as u8;
                // SAFETY: the values have four parts of 16 bytes; at most `8 * part` values are written before this
                // part, so its 16 bytes end within the 64 of `places`.
                unsafe {
                    let loaded = _mm_loadu_si128(values.as_ptr().add(8 * part).cast());
                    let order = _mm_loadu_si128(ORDERS[usize::from(byte)].as_ptr().cast());
                    let squeezed = _mm_shuffle_epi8(loaded, order);
                    _mm_storeu_si128(places.as_mut_ptr().add(placed).cast(), squeezed);
                }
                placed += byte.count_ones() as usize;
            }
            count += placed;
        }
        count
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn squeezed(path: ShufflePath, words: &[([u16; LANES], u32)]) -> Vec<u16> {
        let mut out = vec![0xffff; (words.len() + 1) * LANES];
        let words = words.iter().map(|(values, chosen)| (values, *chosen));
        let count = Compactor::on(path).put(words, &mut out);
        out[..count].to_vec()
    }

    proptest::proptest! {
        #[test]
        fn every_path_moves_the_same_values(words in proptest::collection::vec(proptest::prelude::any::<([u16; LANES], u32)>(), 0..9)) {
            let wanted = squeezed(ShufflePath::OneLane, &words);
            let chosen: u32 = words.iter().map(|(_, chosen)| chosen.count_ones()).sum();
            proptest::prop_assert_eq!(wanted.len(), chosen as usize);
            for path in ShufflePath::ALL.into_iter().filter(|path| path.is_available()) {
                proptest::prop_assert_eq!(&squeezed(path, &words), &wanted);
            }
        }
    }

    #[test]
    fn all_selected_values_and_none_are_moved() {
        let values: [u16; LANES] = std::array::from_fn(|lane| lane as u16);
        for path in ShufflePath::ALL
            .into_iter()
            .filter(|path| path.is_available())
        {
            assert_eq!(squeezed(path, &[(values, u32::MAX)]), values);
            assert!(squeezed(path, &[(values, 0)]).is_empty());
        }
    }
}
