//! Sets of worlds as bit masks.

use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign};

/// A set of worlds: bit `i` stands for the world with index `i`. `W` words of 64 bits each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct WorldSet<const W: usize>(pub(crate) [u64; W]);

impl<const W: usize> WorldSet<W> {
    pub(crate) const EMPTY: Self = WorldSet([0; W]);

    /// Returns the set of all worlds below `number` for which `test` holds.
    pub(crate) fn collect(number: usize, test: impl Fn(usize) -> bool) -> Self {
        let mut set = Self::EMPTY;
        for world in (0..number).filter(|&world| test(world)) {
            set.insert(world);
        }
        set
    }

    pub(crate) fn insert(&mut self, world: usize) {
        self.0[world / 64] |= 1 << (world % 64);
    }

    pub(crate) fn contains(&self, world: usize) -> bool {
        self.0[world / 64] >> (world % 64) & 1 == 1
    }

    #[inline]
    pub(crate) fn is_empty(&self) -> bool {
        self.0.iter().all(|&word| word == 0)
    }

    #[inline]
    pub(crate) fn len(&self) -> u32 {
        self.0.iter().map(|word| word.count_ones()).sum()
    }

    #[inline]
    pub(crate) fn is_subset(&self, other: &Self) -> bool {
        (0..W).all(|i| self.0[i] & !other.0[i] == 0)
    }

    /// Returns the worlds of this set that are not in `other`.
    #[inline]
    pub(crate) fn without(mut self, other: &Self) -> Self {
        for i in 0..W {
            self.0[i] &= !other.0[i];
        }
        self
    }

    /// Returns the set with `steps` subtracted from every index.
    #[inline]
    pub(crate) fn shifted_down(&self, steps: usize) -> Self {
        if W == 1 {
            let mut shifted = [0; W];
            shifted[0] = self.0[0].checked_shr(steps as u32).unwrap_or(0);
            return WorldSet(shifted);
        }
        let (words, bits) = (steps / 64, steps % 64);
        let mut shifted = [0; W];
        for (i, word) in shifted.iter_mut().enumerate().take(W.saturating_sub(words)) {
            *word = self.0[i + words] >> bits;
            if bits > 0 && i + words + 1 < W {
                *word |= self.0[i + words + 1] << (64 - bits);
            }
        }
        WorldSet(shifted)
    }

    /// Returns the set with `steps` added to every index.
    #[inline]
    pub(crate) fn shifted_up(&self, steps: usize) -> Self {
        if W == 1 {
            let mut shifted = [0; W];
            shifted[0] = self.0[0].checked_shl(steps as u32).unwrap_or(0);
            return WorldSet(shifted);
        }
        let (words, bits) = (steps / 64, steps % 64);
        let mut shifted = [0; W];
        for (i, word) in shifted.iter_mut().enumerate().skip(words) {
            *word = self.0[i - words] << bits;
            if bits > 0 && i > words {
                *word |= self.0[i - words - 1] >> (64 - bits);
            }
        }
        WorldSet(shifted)
    }

    /// Calls `visit` with the index of every world of the set, in increasing order.
    #[inline]
    pub(crate) fn for_each(&self, mut visit: impl FnMut(usize)) {
        for (place, &word) in self.0.iter().enumerate() {
            let mut rest = word;
            while rest != 0 {
                visit(place * 64 + rest.trailing_zeros() as usize);
                rest &= rest - 1;
            }
        }
    }
}

impl<const W: usize> BitAnd for WorldSet<W> {
    type Output = Self;

    #[inline]
    fn bitand(mut self, other: Self) -> Self {
        self &= other;
        self
    }
}

impl<const W: usize> BitAndAssign for WorldSet<W> {
    #[inline]
    fn bitand_assign(&mut self, other: Self) {
        for i in 0..W {
            self.0[i] &= other.0[i];
        }
    }
}

impl<const W: usize> BitOr for WorldSet<W> {
    type Output = Self;

    #[inline]
    fn bitor(mut self, other: Self) -> Self {
        self |= other;
        self
    }
}

impl<const W: usize> BitOrAssign for WorldSet<W> {
    #[inline]
    fn bitor_assign(&mut self, other: Self) {
        for i in 0..W {
            self.0[i] |= other.0[i];
        }
    }
}
