//! Moving the values of chosen lanes together: the survivors of a condition.
//!
//! One instruction for 32 lanes with AVX-512 VBMI2, one table look-up and one byte shuffle for eight lanes with AVX2, a
//! loop elsewhere. All give the same bytes.

use shuffle::Path;

/// Lanes that belong to one word of the selection.
pub(super) const LANES: usize = 32;

/// Room that must be left behind the last value that is written.
pub(super) const SLACK: usize = LANES;

/// How values are moved; a value of this type is the proof that the processor can.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Squeeze(Way);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    #[cfg(target_arch = "x86_64")]
    Compress,
    #[cfg(target_arch = "x86_64")]
    Shuffle,
    Loop,
}

impl Squeeze {
    /// The quickest way on this path.
    pub(super) fn on(path: Path) -> Squeeze {
        #[cfg(target_arch = "x86_64")]
        {
            let compress = path == Path::Avx512
                && std::is_x86_feature_detected!("avx512f")
                && std::is_x86_feature_detected!("avx512bw")
                && std::is_x86_feature_detected!("avx512vbmi2");
            if compress {
                return Squeeze(Way::Compress);
            }
            if matches!(path, Path::Avx512 | Path::Avx2) && std::is_x86_feature_detected!("ssse3") {
                return Squeeze(Way::Shuffle);
            }
        }
        let _ = path;
        Squeeze(Way::Loop)
    }

    /// Writes the chosen ones of 32 values to the front of `out`, in order, and gives their number. What stands behind
    /// them in the first 32 places of `out` is lost.
    #[inline]
    pub(super) fn put(self, values: &[u16; LANES], chosen: u32, out: &mut [u16; LANES]) -> usize {
        match self.0 {
            // SAFETY: this way exists only where the processor has AVX-512 F, BW and VBMI2.
            #[cfg(target_arch = "x86_64")]
            Way::Compress => unsafe { x86::compress(values, chosen, out) },
            // SAFETY: this way exists only where the processor has SSSE3.
            #[cfg(target_arch = "x86_64")]
            Way::Shuffle => unsafe { x86::shuffle(values, chosen, out) },
            Way::Loop => one_by_one(values, chosen, out),
        }
        chosen.count_ones() as usize
    }
}

fn one_by_one(values: &[u16; LANES], mut chosen: u32, out: &mut [u16; LANES]) {
    let mut count = 0;
    while chosen != 0 {
        out[count] = values[chosen.trailing_zeros() as usize];
        count += 1;
        chosen &= chosen - 1;
    }
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use std::arch::x86_64::*;

    use super::LANES;

    #[target_feature(enable = "avx512f,avx512bw,avx512vbmi2")]
    pub(super) fn compress(values: &[u16; LANES], chosen: u32, out: &mut [u16; LANES]) {
        // SAFETY: both arrays are 64 bytes long, and unaligned access is allowed.
        unsafe {
            let loaded = _mm512_loadu_si512(values.as_ptr().cast());
            let squeezed = _mm512_maskz_compress_epi16(chosen, loaded);
            _mm512_storeu_si512(out.as_mut_ptr().cast(), squeezed);
        }
    }

    /// For each choice of eight lanes, the bytes to take.
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

    #[target_feature(enable = "ssse3")]
    pub(super) fn shuffle(values: &[u16; LANES], chosen: u32, out: &mut [u16; LANES]) {
        let mut count = 0;
        for part in 0..4 {
            let byte = (chosen >> (8 * part)) as u8;
            // SAFETY: the values have four parts of 16 bytes; at most `8 * part` values are written before this part,
            // so its 16 bytes end within the 64 of `out`.
            unsafe {
                let loaded = _mm_loadu_si128(values.as_ptr().add(8 * part).cast());
                let order = _mm_loadu_si128(ORDERS[usize::from(byte)].as_ptr().cast());
                let squeezed = _mm_shuffle_epi8(loaded, order);
                _mm_storeu_si128(out.as_mut_ptr().add(count).cast(), squeezed);
            }
            count += byte.count_ones() as usize;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn squeezed(path: Path, values: &[u16; LANES], chosen: u32) -> Vec<u16> {
        let mut out = [0xffff; LANES];
        let count = Squeeze::on(path).put(values, chosen, &mut out);
        out[..count].to_vec()
    }

    proptest::proptest! {
        #[test]
        fn every_path_moves_the_same_values(values: [u16; LANES], chosen: u32) {
            let wanted = squeezed(Path::OneLane, &values, chosen);
            proptest::prop_assert_eq!(wanted.len(), chosen.count_ones() as usize);
            for path in Path::ALL.into_iter().filter(|path| path.is_available()) {
                proptest::prop_assert_eq!(&squeezed(path, &values, chosen), &wanted);
            }
        }
    }

    #[test]
    fn all_and_none() {
        let values = std::array::from_fn(|lane| lane as u16);
        for path in Path::ALL.into_iter().filter(|path| path.is_available()) {
            assert_eq!(squeezed(path, &values, u32::MAX), values);
            assert!(squeezed(path, &values, 0).is_empty());
        }
    }
}
