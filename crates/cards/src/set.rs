//! Sets of cards and holdings in a suit, as bit masks.

use core::ops::{
    BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not, Sub, SubAssign,
};

use crate::{Card, Rank, Suit};

/// A set of cards: bit `13 * suit + rank`, clubs and deuces lowest.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CardSet(pub u64);

/// The cards held in one suit: bit = rank, deuce lowest.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Holding(pub u16);

impl CardSet {
    /// The empty set.
    pub const EMPTY: CardSet = CardSet(0);
    /// All 52 cards.
    pub const FULL: CardSet = CardSet((1 << 52) - 1);

    /// Creates the set of one card.
    #[must_use]
    pub const fn of(card: Card) -> CardSet {
        CardSet(1 << card.index())
    }

    /// Returns all cards of a suit.
    #[must_use]
    pub const fn of_suit(suit: Suit) -> CardSet {
        CardSet((Holding::FULL.0 as u64) << (13 * suit as u32))
    }

    /// Creates the set with these holdings, clubs first.
    #[must_use]
    pub const fn from_holdings(holdings: [Holding; 4]) -> CardSet {
        CardSet(
            holdings[0].0 as u64
                | (holdings[1].0 as u64) << 13
                | (holdings[2].0 as u64) << 26
                | (holdings[3].0 as u64) << 39,
        )
    }

    /// Returns the number of cards.
    #[must_use]
    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Returns whether the set is empty.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Returns whether the card is in the set.
    #[must_use]
    pub const fn contains(self, card: Card) -> bool {
        self.0 >> card.index() & 1 != 0
    }

    /// Returns whether all cards of `other` are in this set.
    #[must_use]
    pub const fn contains_all(self, other: CardSet) -> bool {
        other.0 & !self.0 == 0
    }

    /// Returns whether the two sets have no card in common.
    #[must_use]
    pub const fn is_disjoint(self, other: CardSet) -> bool {
        self.0 & other.0 == 0
    }

    /// Adds a card.
    pub const fn insert(&mut self, card: Card) {
        self.0 |= 1 << card.index();
    }

    /// Removes a card.
    pub const fn remove(&mut self, card: Card) {
        self.0 &= !(1 << card.index());
    }

    /// Returns the cards held in a suit.
    #[must_use]
    pub const fn holding(self, suit: Suit) -> Holding {
        Holding((self.0 >> (13 * suit as u32)) as u16 & Holding::FULL.0)
    }

    /// Returns the cards, spade ace first, club deuce last.
    #[must_use]
    pub const fn iter(self) -> Cards {
        Cards(self.0 & CardSet::FULL.0)
    }

    /// Returns the number of cards in each suit, spades first.
    #[must_use]
    pub const fn lengths(self) -> [u8; 4] {
        [
            self.holding(Suit::Spades).len() as u8,
            self.holding(Suit::Hearts).len() as u8,
            self.holding(Suit::Diamonds).len() as u8,
            self.holding(Suit::Clubs).len() as u8,
        ]
    }
}

impl Holding {
    /// A void.
    pub const EMPTY: Holding = Holding(0);
    /// All thirteen cards.
    pub const FULL: Holding = Holding(0x1fff);

    /// Returns the number of cards.
    #[must_use]
    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Returns whether the holding is a void.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Returns whether the rank is held.
    #[must_use]
    pub const fn contains(self, rank: Rank) -> bool {
        self.0 >> rank.index() & 1 != 0
    }

    /// Adds a rank.
    pub const fn insert(&mut self, rank: Rank) {
        self.0 |= 1 << rank.index();
    }

    /// Returns the ranks, ace first.
    #[must_use]
    pub const fn iter(self) -> Ranks {
        Ranks(self.0 & Holding::FULL.0)
    }

    /// Returns the cards with these ranks in `suit`.
    #[must_use]
    pub const fn in_suit(self, suit: Suit) -> CardSet {
        CardSet((self.0 as u64) << (13 * suit as u32))
    }
}

/// The cards of a [`CardSet`], spade ace first.
#[derive(Clone, Debug)]
pub struct Cards(u64);

impl Iterator for Cards {
    type Item = Card;

    fn next(&mut self) -> Option<Card> {
        let index = self.0.checked_ilog2()?;
        self.0 ^= 1 << index;
        Card::from_index(index as usize)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let n = self.0.count_ones() as usize;
        (n, Some(n))
    }
}

impl ExactSizeIterator for Cards {}

/// The ranks of a [`Holding`], ace first.
#[derive(Clone, Debug)]
pub struct Ranks(u16);

impl Iterator for Ranks {
    type Item = Rank;

    fn next(&mut self) -> Option<Rank> {
        let index = self.0.checked_ilog2()?;
        self.0 ^= 1 << index;
        Rank::from_index(index as usize)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let n = self.0.count_ones() as usize;
        (n, Some(n))
    }
}

impl ExactSizeIterator for Ranks {}

impl IntoIterator for CardSet {
    type Item = Card;
    type IntoIter = Cards;
    fn into_iter(self) -> Cards {
        self.iter()
    }
}

impl IntoIterator for Holding {
    type Item = Rank;
    type IntoIter = Ranks;
    fn into_iter(self) -> Ranks {
        self.iter()
    }
}

impl FromIterator<Card> for CardSet {
    fn from_iter<I: IntoIterator<Item = Card>>(cards: I) -> CardSet {
        cards
            .into_iter()
            .fold(CardSet::EMPTY, |set, card| set | CardSet::of(card))
    }
}

impl FromIterator<Rank> for Holding {
    fn from_iter<I: IntoIterator<Item = Rank>>(ranks: I) -> Holding {
        ranks.into_iter().fold(Holding::EMPTY, |holding, rank| {
            Holding(holding.0 | 1 << rank.index())
        })
    }
}

macro_rules! set_operators {
    ($set:ident) => {
        impl BitOr for $set {
            type Output = $set;
            fn bitor(self, other: $set) -> $set {
                $set(self.0 | other.0)
            }
        }
        impl BitAnd for $set {
            type Output = $set;
            fn bitand(self, other: $set) -> $set {
                $set(self.0 & other.0)
            }
        }
        impl BitXor for $set {
            type Output = $set;
            fn bitxor(self, other: $set) -> $set {
                $set(self.0 ^ other.0)
            }
        }
        impl Sub for $set {
            type Output = $set;
            fn sub(self, other: $set) -> $set {
                $set(self.0 & !other.0)
            }
        }
        impl Not for $set {
            type Output = $set;
            fn not(self) -> $set {
                $set(!self.0 & $set::FULL.0)
            }
        }
        impl BitOrAssign for $set {
            fn bitor_assign(&mut self, other: $set) {
                self.0 |= other.0;
            }
        }
        impl BitAndAssign for $set {
            fn bitand_assign(&mut self, other: $set) {
                self.0 &= other.0;
            }
        }
        impl BitXorAssign for $set {
            fn bitxor_assign(&mut self, other: $set) {
                self.0 ^= other.0;
            }
        }
        impl SubAssign for $set {
            fn sub_assign(&mut self, other: $set) {
                self.0 &= !other.0;
            }
        }
    };
}

set_operators!(CardSet);
set_operators!(Holding);
