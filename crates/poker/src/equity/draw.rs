//! Drawing a deal from few random words, exactly uniform.
//!
//! Several numbers below bounds n1, n2, ... come out of one word x as the digits of floor(x N / 2^64) in mixed radix,
//! where N = n1 n2 ...: multiply by the bound, take the high half as the digit, go on with the low half. All digits
//! together are exactly uniform if words whose last low half is below 2^64 mod N are thrown away (Lemire's test for
//! the product). Cards are drawn as the k-th of those left, one PDEP instruction where that is fast.

use shuffle::strike::{self, Method};

/// Finds the k-th set bit; a value is the proof that its way may be used.
pub(super) trait Pick: Copy {
    /// The k-th set bit of `bits`, lowest first, alone.
    fn nth(self, bits: u64, k: u64) -> u64;
}

/// Plain code, on any machine.
#[derive(Clone, Copy)]
pub(super) struct Plain;

impl Pick for Plain {
    #[inline(always)]
    fn nth(self, bits: u64, k: u64) -> u64 {
        strike::nth(bits, k as u32, Method::Portable)
    }
}

#[cfg(target_arch = "x86_64")]
pub(super) use pdep::Pdep;

#[cfg(target_arch = "x86_64")]
mod pdep {
    use super::Pick;

    /// The PDEP instruction.
    #[derive(Clone, Copy)]
    pub(in super::super) struct Pdep(());

    impl Pdep {
        /// The proof that the processor has PDEP, and has it fast.
        pub(in super::super) fn new() -> Option<Pdep> {
            cpu::pdep_is_fast().then_some(Pdep(()))
        }
    }

    impl Pick for Pdep {
        #[inline(always)]
        fn nth(self, bits: u64, k: u64) -> u64 {
            // SAFETY: a value of `Pdep` is only made where the processor has BMI2.
            unsafe { std::arch::x86_64::_pdep_u64(1 << (k & 63), bits) }
        }
    }
}

/// Numbers below bounds, one after the other out of one word.
#[derive(Clone, Copy)]
pub(super) struct Digits(u64);

impl Digits {
    #[inline(always)]
    pub(super) fn of(word: u64) -> Digits {
        Digits(word)
    }

    /// The next number below `bound`.
    #[inline(always)]
    pub(super) fn below(&mut self, bound: u64) -> u64 {
        let product = u128::from(self.0) * u128::from(bound);
        self.0 = product as u64;
        (product >> 64) as u64
    }

    /// Whether the word counts, `product` being that of all bounds that were asked for.
    #[inline(always)]
    pub(super) fn accepted(self, product: u64) -> bool {
        self.0 >= product || self.0 >= product.wrapping_neg() % product
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All words of a small machine would be too many here; instead every digit sequence is found for a bound whose
    /// product divides 2^64 into equal parts, and the surplus is refused for one that does not.
    #[test]
    fn digits_of_a_word_are_those_of_the_product() {
        let mut digits = Digits::of(u64::MAX);
        assert_eq!([digits.below(4), digits.below(8)], [3, 7]);
        assert!(digits.accepted(32));
        // 2^64 mod 3 = 1: the word 0 is one too many, the word 1 is not.
        let refused = |word: u64| {
            let mut digits = Digits::of(word);
            digits.below(3);
            !digits.accepted(3)
        };
        assert!(refused(0) && !refused(1) && !refused(u64::MAX));
    }

    #[test]
    #[cfg(target_arch = "x86_64")]
    fn the_instruction_and_plain_code_pick_the_same_card() {
        if let Some(pdep) = Pdep::new() {
            let bits = 0x000F_8421_1248_F00F;
            for k in 0..64 {
                assert_eq!(pdep.nth(bits, k), Plain.nth(bits, k), "{k}");
            }
        }
    }
}
