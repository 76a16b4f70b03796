//! A single card.

use crate::{Rank, Suit};

/// One of the 52 cards; its index is `13 * suit + rank`, so ♣2 is 0 and ♠A is 51.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Card(u8);

impl Card {
    /// How many cards there are.
    pub const COUNT: usize = 52;

    /// The card of this suit and rank.
    ///
    /// ```
    /// use cards::{Card, Rank, Suit};
    /// assert_eq!(Card::new(Suit::Spades, Rank::ACE).index(), 51);
    /// ```
    #[must_use]
    pub const fn new(suit: Suit, rank: Rank) -> Card {
        Card(13 * suit as u8 + rank.index() as u8)
    }

    /// The card with this index, if it is at most 51.
    #[must_use]
    pub const fn from_index(index: usize) -> Option<Card> {
        if index < Card::COUNT {
            Some(Card(index as u8))
        } else {
            None
        }
    }

    /// 0 for ♣2 to 51 for ♠A.
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The suit of the card.
    #[must_use]
    pub const fn suit(self) -> Suit {
        Suit::from_index(self.0 as usize / 13)
    }

    /// The rank of the card.
    #[must_use]
    pub const fn rank(self) -> Rank {
        Rank::ALL[self.0 as usize % 13]
    }
}
