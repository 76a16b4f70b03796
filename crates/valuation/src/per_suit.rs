//! One value for each suit, indexed by [`Suit`] instead of by a bare number.

use std::ops::{Add, Index, IndexMut};

use cards::Suit;

/// Four values, one a suit, stored clubs first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PerSuit<T>(pub [T; 4]);

impl<T: Copy> PerSuit<T> {
    /// The value that `of` gives for every suit.
    #[inline]
    pub fn from_fn(mut of: impl FnMut(Suit) -> T) -> Self {
        let [clubs, diamonds, hearts, spades] = Suit::ALL;
        PerSuit([of(clubs), of(diamonds), of(hearts), of(spades)])
    }

    /// The four values with `change` applied to each.
    #[inline]
    pub fn map<U>(self, mut change: impl FnMut(T) -> U) -> PerSuit<U> {
        let [clubs, diamonds, hearts, spades] = self.0;
        PerSuit([
            change(clubs),
            change(diamonds),
            change(hearts),
            change(spades),
        ])
    }
}

impl<T: Copy + Add<Output = T>> PerSuit<T> {
    /// The sum over the suits.
    #[inline]
    pub fn total(&self) -> T {
        let [clubs, diamonds, hearts, spades] = self.0;
        (clubs + diamonds) + (hearts + spades)
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
