//! Exchanges of suits.

use cards::CardSet;

/// The bits of one suit.
const SUIT_MASK: u64 = 0x1FFF;

/// An exchange of suits: the new suit of each suit, clubs first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct SuitExchange([u8; 4]);

impl SuitExchange {
    pub const IDENTITY: SuitExchange = SuitExchange([0, 1, 2, 3]);

    /// Returns all 24 exchanges, the identity first.
    pub fn all() -> Vec<SuitExchange> {
        let mut all = Vec::with_capacity(24);
        for code in 0..256u16 {
            let suits = [code >> 6 & 3, code >> 4 & 3, code >> 2 & 3, code & 3];
            if suits.iter().fold(0, |seen, suit| seen | 1 << suit) == 0b1111 {
                all.push(SuitExchange(suits.map(|suit| suit as u8)));
            }
        }
        all
    }

    pub fn apply(self, cards: CardSet) -> CardSet {
        let mut image = 0;
        for (from, to) in self.0.into_iter().enumerate() {
            image |= (cards.0 >> (13 * from) & SUIT_MASK) << (13 * to);
        }
        CardSet(image)
    }

    /// Returns the inverse exchange.
    pub fn inverse(self) -> SuitExchange {
        let mut suits = [0; 4];
        for (from, to) in self.0.into_iter().enumerate() {
            suits[usize::from(to)] = from as u8;
        }
        SuitExchange(suits)
    }

    /// Returns this exchange after `first`.
    pub fn after(self, first: SuitExchange) -> SuitExchange {
        SuitExchange(first.0.map(|suit| self.0[usize::from(suit)]))
    }
}
