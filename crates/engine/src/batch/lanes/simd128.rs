//! Lanes in two 128-bit registers of WebAssembly.

use std::arch::wasm32::*;

use super::{Lanes, WIDTH};

/// Lanes in the registers that a module with SIMD instructions always has.
#[derive(Clone, Copy, Debug)]
pub struct Simd128;

impl Simd128 {
    #[inline(always)]
    fn zip(a: [v128; 2], b: [v128; 2], f: impl Fn(v128, v128) -> v128) -> [v128; 2] {
        [f(a[0], b[0]), f(a[1], b[1])]
    }
}

impl Lanes for Simd128 {
    type V = [v128; 2];

    #[inline(always)]
    fn splat(self, value: u16) -> Self::V {
        [u16x8_splat(value); 2]
    }
    #[inline(always)]
    fn load(self, values: &[u16; WIDTH]) -> Self::V {
        let from = values.as_ptr().cast::<v128>();
        // SAFETY: the array has the 32 bytes that are read; the load needs no alignment.
        unsafe { [v128_load(from), v128_load(from.add(1))] }
    }
    #[inline(always)]
    fn store(self, values: Self::V, out: &mut [i16; WIDTH]) {
        let to = out.as_mut_ptr().cast::<v128>();
        // SAFETY: the array has the 32 bytes that are written; the store needs no alignment.
        unsafe {
            v128_store(to, values[0]);
            v128_store(to.add(1), values[1]);
        }
    }
    #[inline(always)]
    fn load_signed(self, values: &[i16; WIDTH]) -> Self::V {
        let from = values.as_ptr().cast::<v128>();
        // SAFETY: the array has the 32 bytes that are read; the load needs no alignment.
        unsafe { [v128_load(from), v128_load(from.add(1))] }
    }
    #[inline(always)]
    fn bits(self, [a, b]: [Self::V; 2]) -> u32 {
        let pack = |v: Self::V| u32::from(i8x16_bitmask(i8x16_narrow_i16x8(v[0], v[1])));
        pack(b) << 16 | pack(a)
    }
    #[inline(always)]
    fn spread(self, bits: u16) -> Self::V {
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
    fn add(self, a: Self::V, b: Self::V) -> Self::V {
        Simd128::zip(a, b, |a, b| i16x8_add(a, b))
    }
    #[inline(always)]
    fn sub(self, a: Self::V, b: Self::V) -> Self::V {
        Simd128::zip(a, b, |a, b| i16x8_sub(a, b))
    }
    #[inline(always)]
    fn mul(self, a: Self::V, b: Self::V) -> Self::V {
        Simd128::zip(a, b, |a, b| i16x8_mul(a, b))
    }
    #[inline(always)]
    fn and(self, a: Self::V, b: Self::V) -> Self::V {
        Simd128::zip(a, b, |a, b| v128_and(a, b))
    }
    #[inline(always)]
    fn or(self, a: Self::V, b: Self::V) -> Self::V {
        Simd128::zip(a, b, |a, b| v128_or(a, b))
    }
    #[inline(always)]
    fn greater(self, a: Self::V, b: Self::V) -> Self::V {
        Simd128::zip(a, b, |a, b| i16x8_gt(a, b))
    }
    #[inline(always)]
    fn equal(self, a: Self::V, b: Self::V) -> Self::V {
        Simd128::zip(a, b, |a, b| i16x8_eq(a, b))
    }
    #[inline(always)]
    fn down<const N: i32>(self, a: Self::V) -> Self::V {
        a.map(|half| u16x8_shr(half, N as u32))
    }
    #[inline(always)]
    fn up<const N: i32>(self, a: Self::V) -> Self::V {
        a.map(|half| i16x8_shl(half, N as u32))
    }
}
