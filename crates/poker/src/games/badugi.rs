//! Badugi: four own cards; only cards that differ in rank and in suit count. More of them beat fewer, lower ones beat
//! higher, and the ace is low: A-2-3-4 of four suits is the best hand.

use std::fmt;

use cards::CardSet;

use super::Worth;
use super::lows::{ranks_ace_low, spelled};

/// The value of a badugi hand; smaller is better.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BadugiRank(u32);

impl BadugiRank {
    /// Returns how many cards count: 1 to 4.
    #[must_use]
    pub const fn cards(self) -> u32 {
        4 - (self.0 >> 13)
    }

    /// Returns the value as a number, as in [`Worth::main`](super::Worth::main).
    #[must_use]
    pub const fn number(self) -> u32 {
        self.0
    }
}

impl fmt::Display for BadugiRank {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ranks = spelled((self.0 & 0x1FFF) as u16);
        match self.cards() {
            4 => write!(f, "{ranks} badugi"),
            1 => write!(f, "{ranks}, one card"),
            count => write!(f, "{ranks}, {count} cards"),
        }
    }
}

/// Returns the value of four cards: the best choice of cards that differ in rank and suit.
///
/// ```
/// let badugi = croupier_poker::evaluate_badugi(croupier_poker::parse_cards("Kc9d5hAs").unwrap());
/// let three = croupier_poker::evaluate_badugi(croupier_poker::parse_cards("3c2dAhAs").unwrap());
/// assert!(badugi < three);
/// assert_eq!(three.to_string(), "3-2-A, 3 cards");
/// ```
#[must_use]
pub fn evaluate_badugi(cards: CardSet) -> BadugiRank {
    fn choose(left: CardSet, chosen: CardSet, suits: u8, best: &mut u32) {
        let ranks = ranks_ace_low(chosen);
        let count = chosen.len() as u32;
        if count > 0 {
            *best = ((4 - count) << 13 | u32::from(ranks)).min(*best);
        }
        let mut later = left;
        for card in left {
            later.remove(card);
            let one = CardSet::of(card);
            let suit = 1u8 << card.suit().index();
            if suits & suit == 0 && ranks & ranks_ace_low(one) == 0 {
                choose(later, chosen | one, suits | suit, best);
            }
        }
    }
    let mut best = u32::MAX;
    choose(cards, CardSet::EMPTY, 0, &mut best);
    BadugiRank(best)
}

pub(super) fn worth(own: CardSet) -> Worth {
    Worth::whole(evaluate_badugi(own).0)
}

pub(super) fn describe(own: CardSet) -> String {
    evaluate_badugi(own).to_string()
}
