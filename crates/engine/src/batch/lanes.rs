//! Operations on sixteen 16-bit lanes, with AVX2, with the SIMD instructions of WebAssembly, or in plain arrays.
//!
//! A value of type [`cpu::Avx2`] proves that the processor has AVX2. Features are generic over [`Lanes`] and inlined
//! into a function compiled for AVX2.

#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
mod simd128;

/// The lanes that every machine with the instruction set of this build has.
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
pub const BASE: simd128::Simd128 = simd128::Simd128;
/// The lanes that every machine with the instruction set of this build has.
#[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
pub const BASE: Plain = Plain;

/// Lanes in a vector.
pub const WIDTH: usize = 16;

/// Arithmetic on sixteen lanes.
pub trait Lanes: Copy {
    /// A vector of sixteen values.
    type V: Copy;

    /// Sets every lane to `value`.
    fn splat(self, value: u16) -> Self::V;
    /// Loads sixteen values.
    fn load(self, values: &[u16; WIDTH]) -> Self::V;
    /// Stores sixteen values.
    fn store(self, values: Self::V, out: &mut [i16; WIDTH]);
    /// Loads sixteen signed values.
    fn load_signed(self, values: &[i16; WIDTH]) -> Self::V;
    /// Packs thirty-two lanes, each all ones or all zeros, to one bit each, the first lane lowest.
    fn bits(self, values: [Self::V; 2]) -> u32;
    /// Sets a lane to all ones if its bit is set, else to zero.
    fn spread(self, bits: u16) -> Self::V;
    /// Adds, wrapping.
    fn add(self, a: Self::V, b: Self::V) -> Self::V;
    /// Subtracts, wrapping.
    fn sub(self, a: Self::V, b: Self::V) -> Self::V;
    /// Returns the low half of the product.
    fn mul(self, a: Self::V, b: Self::V) -> Self::V;
    /// Returns the bitwise and.
    fn and(self, a: Self::V, b: Self::V) -> Self::V;
    /// Returns the bitwise or.
    fn or(self, a: Self::V, b: Self::V) -> Self::V;
    /// Returns all ones where `a > b` as signed numbers, else zero.
    fn greater(self, a: Self::V, b: Self::V) -> Self::V;
    /// Returns all ones where `a == b`, else zero.
    fn equal(self, a: Self::V, b: Self::V) -> Self::V;
    /// Shifts right by `N` bits.
    fn down<const N: i32>(self, a: Self::V) -> Self::V;
    /// Shifts left by `N` bits.
    fn up<const N: i32>(self, a: Self::V) -> Self::V;
}

/// Lanes in plain arrays, for any machine.
#[cfg_attr(
    all(target_arch = "wasm32", target_feature = "simd128"),
    allow(dead_code)
)]
#[derive(Clone, Copy, Debug)]
pub struct Plain;

impl Plain {
    #[inline(always)]
    fn zip(a: [u16; WIDTH], b: [u16; WIDTH], f: impl Fn(u16, u16) -> u16) -> [u16; WIDTH] {
        std::array::from_fn(|lane| f(a[lane], b[lane]))
    }
}

impl Lanes for Plain {
    type V = [u16; WIDTH];

    #[inline(always)]
    fn splat(self, value: u16) -> Self::V {
        [value; WIDTH]
    }
    #[inline(always)]
    fn load(self, values: &[u16; WIDTH]) -> Self::V {
        *values
    }
    #[inline(always)]
    fn store(self, values: Self::V, out: &mut [i16; WIDTH]) {
        *out = values.map(|value| value as i16);
    }
    #[inline(always)]
    fn load_signed(self, values: &[i16; WIDTH]) -> Self::V {
        values.map(|value| value as u16)
    }
    #[inline(always)]
    fn bits(self, values: [Self::V; 2]) -> u32 {
        super::truth::word(|lane| (values[lane / WIDTH][lane % WIDTH] & 1) as u8)
    }
    #[inline(always)]
    fn spread(self, bits: u16) -> Self::V {
        std::array::from_fn(|lane| (bits >> lane & 1).wrapping_neg())
    }
    #[inline(always)]
    fn add(self, a: Self::V, b: Self::V) -> Self::V {
        Plain::zip(a, b, u16::wrapping_add)
    }
    #[inline(always)]
    fn sub(self, a: Self::V, b: Self::V) -> Self::V {
        Plain::zip(a, b, u16::wrapping_sub)
    }
    #[inline(always)]
    fn mul(self, a: Self::V, b: Self::V) -> Self::V {
        Plain::zip(a, b, u16::wrapping_mul)
    }
    #[inline(always)]
    fn and(self, a: Self::V, b: Self::V) -> Self::V {
        Plain::zip(a, b, |a, b| a & b)
    }
    #[inline(always)]
    fn or(self, a: Self::V, b: Self::V) -> Self::V {
        Plain::zip(a, b, |a, b| a | b)
    }
    #[inline(always)]
    fn greater(self, a: Self::V, b: Self::V) -> Self::V {
        Plain::zip(a, b, |a, b| u16::from(a as i16 > b as i16).wrapping_neg())
    }
    #[inline(always)]
    fn equal(self, a: Self::V, b: Self::V) -> Self::V {
        Plain::zip(a, b, |a, b| u16::from(a == b).wrapping_neg())
    }
    #[inline(always)]
    fn down<const N: i32>(self, a: Self::V) -> Self::V {
        a.map(|value| value >> N)
    }
    #[inline(always)]
    fn up<const N: i32>(self, a: Self::V) -> Self::V {
        a.map(|value| value << N)
    }
}

/// Returns the proof that the processor has AVX2, if the path may use it.
#[cfg(target_arch = "x86_64")]
pub fn avx2_on(path: shuffle::ShufflePath) -> Option<cpu::Avx2> {
    use shuffle::ShufflePath;
    matches!(path, ShufflePath::Avx512 | ShufflePath::Avx2)
        .then(cpu::Avx2::detect)
        .flatten()
}

#[cfg(target_arch = "x86_64")]
mod avx2 {
    use std::arch::x86_64::*;

    use cpu::Avx2;

    use super::{Lanes, WIDTH};

    // SAFETY of every block below: a value of type `Avx2` proves that the processor has AVX2, and each method has such
    // a value as `self`.
    impl Lanes for Avx2 {
        type V = __m256i;

        #[inline(always)]
        fn splat(self, value: u16) -> __m256i {
            // SAFETY: `self` proves that the processor has these instructions.
            unsafe { _mm256_set1_epi16(value as i16) }
        }
        #[inline(always)]
        fn load(self, values: &[u16; WIDTH]) -> __m256i {
            // SAFETY: `self` proves that the processor has these instructions; the array has the 32 bytes that are read.
            unsafe { _mm256_loadu_si256(values.as_ptr().cast()) }
        }
        #[inline(always)]
        fn store(self, values: __m256i, out: &mut [i16; WIDTH]) {
            // SAFETY: `self` proves that the processor has these instructions; the array has the 32 bytes that are written.
            unsafe { _mm256_storeu_si256(out.as_mut_ptr().cast(), values) }
        }
        #[inline(always)]
        fn load_signed(self, values: &[i16; WIDTH]) -> __m256i {
            // SAFETY: `self` proves that the processor has these instructions; the array has the 32 bytes that are read.
            unsafe { _mm256_loadu_si256(values.as_ptr().cast()) }
        }
        #[inline(always)]
        fn bits(self, [a, b]: [__m256i; 2]) -> u32 {
            // SAFETY: `self` proves that the processor has these instructions.
            unsafe {
                // Packing works within 128-bit halves; the permutation restores the order of the quarters.
                let bytes = _mm256_permute4x64_epi64::<0b11_01_10_00>(_mm256_packs_epi16(a, b));
                _mm256_movemask_epi8(bytes) as u32
            }
        }
        #[inline(always)]
        fn spread(self, bits: u16) -> __m256i {
            const BIT: [u16; WIDTH] = {
                let mut bit = [0; WIDTH];
                let mut lane = 0;
                while lane < WIDTH {
                    bit[lane] = 1 << lane;
                    lane += 1;
                }
                bit
            };
            let own = self.load(&BIT);
            self.equal(self.and(self.splat(bits), own), own)
        }
        #[inline(always)]
        fn add(self, a: __m256i, b: __m256i) -> __m256i {
            // SAFETY: `self` proves that the processor has these instructions.
            unsafe { _mm256_add_epi16(a, b) }
        }
        #[inline(always)]
        fn sub(self, a: __m256i, b: __m256i) -> __m256i {
            // SAFETY: `self` proves that the processor has these instructions.
            unsafe { _mm256_sub_epi16(a, b) }
        }
        #[inline(always)]
        fn mul(self, a: __m256i, b: __m256i) -> __m256i {
            // SAFETY: `self` proves that the processor has these instructions.
            unsafe { _mm256_mullo_epi16(a, b) }
        }
        #[inline(always)]
        fn and(self, a: __m256i, b: __m256i) -> __m256i {
            // SAFETY: `self` proves that the processor has these instructions.
            unsafe { _mm256_and_si256(a, b) }
        }
        #[inline(always)]
        fn or(self, a: __m256i, b: __m256i) -> __m256i {
            // SAFETY: `self` proves that the processor has these instructions.
            unsafe { _mm256_or_si256(a, b) }
        }
        #[inline(always)]
        fn greater(self, a: __m256i, b: __m256i) -> __m256i {
            // SAFETY: `self` proves that the processor has these instructions.
            unsafe { _mm256_cmpgt_epi16(a, b) }
        }
        #[inline(always)]
        fn equal(self, a: __m256i, b: __m256i) -> __m256i {
            // SAFETY: `self` proves that the processor has these instructions.
            unsafe { _mm256_cmpeq_epi16(a, b) }
        }
        #[inline(always)]
        fn down<const N: i32>(self, a: __m256i) -> __m256i {
            // SAFETY: `self` proves that the processor has these instructions.
            unsafe { _mm256_srli_epi16::<N>(a) }
        }
        #[inline(always)]
        fn up<const N: i32>(self, a: __m256i) -> __m256i {
            // SAFETY: `self` proves that the processor has these instructions.
            unsafe { _mm256_slli_epi16::<N>(a) }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Applies every operation to two vectors.
    fn all<L: Lanes>(lanes: L, a: &[u16; WIDTH], b: &[u16; WIDTH]) -> (Vec<[i16; WIDTH]>, u32) {
        let bits = a[0];
        let signed = lanes.load_signed(&a.map(|value| value as i16));
        let (a, b) = (lanes.load(a), lanes.load(b));
        let results = [
            lanes.add(a, b),
            lanes.sub(a, b),
            lanes.mul(a, b),
            lanes.and(a, b),
            lanes.or(a, b),
            lanes.greater(a, b),
            lanes.down::<9>(a),
            lanes.up::<3>(b),
            lanes.splat(0xfedc),
            signed,
            lanes.equal(a, b),
            lanes.equal(lanes.down::<12>(a), lanes.down::<12>(b)),
            lanes.spread(bits),
        ];
        let stored = results.map(|result| {
            let mut out = [0; WIDTH];
            lanes.store(result, &mut out);
            out
        });
        let masks = [lanes.greater(a, b), lanes.spread(bits)];
        (stored.to_vec(), lanes.bits(masks))
    }

    #[test]
    #[cfg(target_arch = "x86_64")]
    fn the_fastest_path_uses_avx2_if_available() {
        let fastest = avx2_on(shuffle::ShufflePath::fastest()).is_some();
        assert_eq!(fastest, cpu::CpuPath::Avx2.is_available());
        assert!(avx2_on(shuffle::ShufflePath::Portable).is_none());
    }

    #[test]
    fn packing_bits_inverts_spreading_them() {
        for bits in [0, 1, 0x8000, 0x1234, 0xfedc, u16::MAX] {
            let masks = [Plain.spread(bits), Plain.spread(!bits)];
            assert_eq!(Plain.bits(masks), u32::from(!bits) << 16 | u32::from(bits));
        }
    }

    proptest! {
        #[test]
        #[cfg(target_arch = "x86_64")]
        fn registers_and_arrays_agree(a: [u16; WIDTH], b: [u16; WIDTH]) {
            if let Some(avx2) = avx2_on(shuffle::ShufflePath::Avx2) {
                prop_assert_eq!(all(avx2, &a, &b), all(Plain, &a, &b));
            }
        }
    }
}
