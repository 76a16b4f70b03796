//! Bit deposit: places a set of positions onto given cards, with one instruction if the processor has it.

use std::sync::LazyLock;

/// Moves bit i of a source to the i-th set bit of a mask.
pub(crate) trait Deposit: Copy {
    /// Deposits `source` into the 52-bit `mask`.
    fn deposit(self, source: u64, mask: u64) -> u64;
}

/// The implementation with tables, for any processor.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Portable(&'static [[u8; 128]; 128]);

static TABLE: LazyLock<Box<[[u8; 128]; 128]>> = LazyLock::new(deposit_table);

impl Portable {
    pub(crate) fn new() -> Portable {
        Portable(&TABLE)
    }
}

impl Deposit for Portable {
    #[inline(always)]
    fn deposit(self, mut source: u64, mask: u64) -> u64 {
        let mut result = 0;
        let mut shift = 0;
        while source != 0 && shift < 52 {
            // Thirteen bits as seven and six, so that no table entry spans two suits.
            for width in [7, 6] {
                let part = (mask >> shift) as usize & ((1 << width) - 1);
                result |= u64::from(self.0[part][source as usize & 127]) << shift;
                source >>= part.count_ones();
                shift += width;
            }
        }
        result
    }
}

/// The implementation with the PDEP instruction. A value exists only if the processor has it.
#[cfg(target_arch = "x86_64")]
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pdep(());

#[cfg(target_arch = "x86_64")]
impl Pdep {
    /// Returns a value if the instruction exists and is fast.
    pub(crate) fn find() -> Option<Pdep> {
        use shuffle::draw_pool::BitSelection;
        (BitSelection::fastest() == BitSelection::Pdep).then_some(Pdep(()))
    }
}

#[cfg(target_arch = "x86_64")]
impl Deposit for Pdep {
    #[inline(always)]
    fn deposit(self, source: u64, mask: u64) -> u64 {
        // SAFETY: `find` returns a value only if the processor has BMI2.
        unsafe { std::arch::x86_64::_pdep_u64(source, mask) }
    }
}

fn deposit_table() -> Box<[[u8; 128]; 128]> {
    let mut table = Box::new([[0; 128]; 128]);
    for (mask, row) in table.iter_mut().enumerate() {
        for (source, cell) in row.iter_mut().enumerate() {
            let places = (0..7).filter(|place| mask >> place & 1 == 1);
            *cell = places
                .enumerate()
                .filter(|(bit, _)| source >> bit & 1 == 1)
                .map(|(_, place)| 1 << place)
                .sum();
        }
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    fn slow_deposit(source: u64, mask: u64) -> u64 {
        (0..52)
            .filter(|place| mask >> place & 1 == 1)
            .enumerate()
            .filter(|(bit, _)| source >> bit & 1 == 1)
            .map(|(_, place)| 1 << place)
            .sum()
    }

    proptest::proptest! {
        #[test]
        fn bits_are_laid_onto_the_mask(source: u64, mask in 0u64..1 << 52) {
            let wanted = slow_deposit(source, mask);
            proptest::prop_assert_eq!(Portable::new().deposit(source, mask), wanted);
            #[cfg(target_arch = "x86_64")]
            if let Some(pdep) = Pdep::find() {
                proptest::prop_assert_eq!(pdep.deposit(source, mask), wanted);
            }
        }
    }
}
