//! One value for each seat or each suit, indexed by [`Seat`] or [`Suit`] instead of by a bare number.

use core::array;
use core::ops::{Add, Index, IndexMut};

use crate::{Seat, Suit};

/// Methods and traits that both types have in common.
macro_rules! four_values {
    ($name:ident, $key:ident, $word:literal) => {
        impl<T> $name<T> {
            #[doc = concat!("The value that `of` gives for every ", $word, ".")]
            #[inline]
            pub fn from_fn(of: impl FnMut($key) -> T) -> Self {
                $name($key::ALL.map(of))
            }

            /// Applies `change` to each of the four values.
            #[inline]
            pub fn map<U>(self, change: impl FnMut(T) -> U) -> $name<U> {
                $name(self.0.map(change))
            }

            #[doc = concat!("References to the four values, by ", $word, ".")]
            #[inline]
            pub fn each_ref(&self) -> $name<&T> {
                $name(self.0.each_ref())
            }

            #[doc = concat!("The values with the ", $word, " each belongs to.")]
            #[inline]
            pub fn iter(&self) -> impl DoubleEndedIterator<Item = ($key, &T)> + ExactSizeIterator {
                $key::ALL.into_iter().zip(&self.0)
            }

            #[doc = concat!("The values to be changed, with the ", $word, " each belongs to.")]
            #[inline]
            pub fn iter_mut(
                &mut self,
            ) -> impl DoubleEndedIterator<Item = ($key, &mut T)> + ExactSizeIterator {
                $key::ALL.into_iter().zip(&mut self.0)
            }

            /// Returns the values without their keys.
            #[inline]
            pub fn values(&self) -> core::slice::Iter<'_, T> {
                self.0.iter()
            }

            /// Returns the values without their keys, for changing.
            #[inline]
            pub fn values_mut(&mut self) -> core::slice::IterMut<'_, T> {
                self.0.iter_mut()
            }
        }

        impl<T: Copy + Add<Output = T>> $name<T> {
            /// Returns the sum of the four values.
            #[inline]
            pub fn total(&self) -> T {
                let [a, b, c, d] = self.0;
                (a + b) + (c + d)
            }
        }

        impl<T> Index<$key> for $name<T> {
            type Output = T;

            #[inline]
            fn index(&self, key: $key) -> &T {
                &self.0[key as usize]
            }
        }

        impl<T> IndexMut<$key> for $name<T> {
            #[inline]
            fn index_mut(&mut self, key: $key) -> &mut T {
                &mut self.0[key as usize]
            }
        }

        impl<T> From<[T; 4]> for $name<T> {
            #[inline]
            fn from(values: [T; 4]) -> Self {
                $name(values)
            }
        }

        impl<T> IntoIterator for $name<T> {
            type Item = ($key, T);
            type IntoIter = core::iter::Zip<array::IntoIter<$key, 4>, array::IntoIter<T, 4>>;

            #[inline]
            fn into_iter(self) -> Self::IntoIter {
                $key::ALL.into_iter().zip(self.0)
            }
        }

        impl<'a, T> IntoIterator for &'a $name<T> {
            type Item = ($key, &'a T);
            type IntoIter = core::iter::Zip<array::IntoIter<$key, 4>, core::slice::Iter<'a, T>>;

            #[inline]
            fn into_iter(self) -> Self::IntoIter {
                $key::ALL.into_iter().zip(&self.0)
            }
        }
    };
}

/// Four values, one for each seat, stored North, East, South, West.
///
/// ```
/// use croupier_cards::{BySeat, Seat};
///
/// let mut tricks = BySeat([9, 4, 9, 4]);
/// tricks[Seat::West] -= 1;
/// assert_eq!(tricks.total(), 25);
/// assert_eq!(tricks.iter().find(|(_, tricks)| **tricks == 3), Some((Seat::West, &3)));
/// assert_eq!(BySeat::from_fn(Seat::letter), BySeat(['N', 'E', 'S', 'W']));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct BySeat<T>(pub [T; 4]);

/// Four values, one for each suit, stored clubs first.
///
/// ```
/// use croupier_cards::{BySuit, Suit, notation};
///
/// let hand = notation::hand("AKJ.KQJ.A9873.Q9")?;
/// let lengths = BySuit::from_fn(|suit| hand.holding(suit).len());
/// assert_eq!(lengths[Suit::Diamonds], 5);
/// assert_eq!(lengths.total(), 13);
/// # Ok::<(), croupier_cards::NotationError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct BySuit<T>(pub [T; 4]);

four_values!(BySeat, Seat, "seat");
four_values!(BySuit, Suit, "suit");
