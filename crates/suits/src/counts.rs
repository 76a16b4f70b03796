//! Small counts packed into one word.

/// Up to 16 counts of at most 15 each, four bits a count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Counts(pub(crate) u64);

impl Counts {
    #[inline]
    pub(crate) fn get(self, place: u8) -> u8 {
        (self.0 >> (4 * place) & 15) as u8
    }

    #[inline]
    pub(crate) fn has(self, place: u8) -> bool {
        self.get(place) > 0
    }

    #[inline]
    pub(crate) fn plus(self, place: u8, number: u8) -> Counts {
        Counts(self.0 + (u64::from(number) << (4 * place)))
    }

    #[inline]
    pub(crate) fn minus_one(self, place: u8) -> Counts {
        Counts(self.0 - (1 << (4 * place)))
    }

    /// Returns the sum of all counts, at most 13.
    #[inline]
    pub(crate) fn total(self) -> u8 {
        const PAIRS: u64 = 0x0f0f_0f0f_0f0f_0f0f;
        const ONES: u64 = 0x0101_0101_0101_0101;
        let pairs = (self.0 & PAIRS) + (self.0 >> 4 & PAIRS);
        (pairs.wrapping_mul(ONES) >> 56) as u8
    }

    /// Moves the count at `place + 1` to `place`.
    #[inline]
    pub(crate) fn pull_up(self, place: u8) -> Counts {
        let number = u64::from(self.get(place + 1));
        Counts(self.0 + (number << (4 * place)) - (number << (4 * (place + 1))))
    }

    /// Returns the places with a positive count as a bit mask.
    #[inline]
    pub(crate) fn places(self) -> u16 {
        let mut places = 0;
        let mut rest = self.0;
        while rest != 0 {
            let place = rest.trailing_zeros() / 4;
            places |= 1 << place;
            rest &= !(15 << (4 * place));
        }
        places
    }
}
