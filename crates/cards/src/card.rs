//! A single card.

use crate::{Rank, Suit};

/// One of the 52 cards; its index is `13 * suit + rank`, so ♣2 is 0 and ♠A is 51.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Card(u8);

impl Card {
    /// Number of cards.
    pub const COUNT: usize = 52;

    /// Returns the card of this suit and rank.
    ///
    /// ```
    /// use croupier_cards::{Card, Rank, Suit};
    /// assert_eq!(Card::new(Suit::Spades, Rank::ACE).index(), 51);
    /// ```
    #[must_use]
    pub const fn new(suit: Suit, rank: Rank) -> Card {
        Card(13 * suit as u8 + rank.index() as u8)
    }

    /// Returns the card with this index, or `None` if it is above 51.
    #[must_use]
    pub const fn from_index(index: usize) -> Option<Card> {
        if index < Card::COUNT {
            Some(Card(index as u8))
        } else {
            None
        }
    }

    /// Returns the index: 0 for ♣2 to 51 for ♠A.
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// Returns the suit.
    #[must_use]
    pub const fn suit(self) -> Suit {
        Suit::from_index(self.0 as usize / 13)
    }

    /// Returns the rank.
    #[must_use]
    pub const fn rank(self) -> Rank {
        Rank::ALL[self.0 as usize % 13]
    }
}
