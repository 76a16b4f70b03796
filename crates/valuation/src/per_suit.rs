//! One value for each suit, indexed by [`Suit`] instead of by a bare number.

use std::ops::{Add, Index, IndexMut};

use cards::Suit;

/// Four values, one a suit, stored clubs first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PerSuit<T>(pub [T; 4]);

impl<T: Copy> PerSuit<T> {
    /// The value that `of` gives for every suit.
    pub fn from_fn(mut of: impl FnMut(Suit) -> T) -> Self {
        PerSuit(std::array::from_fn(|suit| of(Suit::ALL[suit])))
    }

    /// The four values with `change` applied to each.
    pub fn map<U>(self, change: impl FnMut(T) -> U) -> PerSuit<U> {
        PerSuit(self.0.map(change))
    }
}

impl<T: Copy + Default + Add<Output = T>> PerSuit<T> {
    /// The sum over the suits.
    pub fn total(&self) -> T {
        self.0.iter().fold(T::default(), |sum, &value| sum + value)
    }
}

impl<T> Index<Suit> for PerSuit<T> {
    type Output = T;

    fn index(&self, suit: Suit) -> &T {
        &self.0[suit as usize]
    }
}

impl<T> IndexMut<Suit> for PerSuit<T> {
    fn index_mut(&mut self, suit: Suit) -> &mut T {
        &mut self.0[suit as usize]
    }
}
