//! Deuce to seven (triple draw and single draw): five own cards, the lowest hand of the usual ranking wins. Aces are
//! high, straights and flushes count against the hand, and A-5-4-3-2 is not a straight, so 7-5-4-3-2 is the best hand.

use std::fmt;

use cards::CardSet;

use super::Worth;
use crate::rank::RANK_LETTERS;
use crate::reference::SUIT_MASK;
use crate::{HandRank, evaluate5};

/// The value of a deuce-to-seven hand; smaller is better.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DeuceToSevenRank(u32);

/// The ranks of A-5-4-3-2, a straight in other games and an ace-high hand here.
const WHEEL: u64 = 0x100F;
/// The rank of the worst high hand.
const LAST: u32 = 7461;
/// A-6-4-3-2, the next worse hand without a pair.
const ACE_SIX: HandRank = HandRank(6677);
/// A-6-4-3-2 in one suit.
const ACE_SIX_SUITED: HandRank = HandRank(814);

/// Returns the value of exactly five cards.
///
/// ```
/// let best = croupier_poker::evaluate_deuce_to_seven(croupier_poker::parse_cards("7c5d4h3s2c").unwrap());
/// let wheel = croupier_poker::evaluate_deuce_to_seven(croupier_poker::parse_cards("Ac5d4h3s2c").unwrap());
/// assert!(best < wheel);
/// assert_eq!(wheel.to_string(), "A-5-4-3-2 low");
/// ```
#[must_use]
pub fn evaluate_deuce_to_seven(cards: CardSet) -> DeuceToSevenRank {
    let any = cards.0 | cards.0 >> 13 | cards.0 >> 26 | cards.0 >> 39;
    if any & SUIT_MASK == WHEEL && cards.len() == 5 {
        let suited = (0..4).any(|suit| cards.0 >> (13 * suit) & SUIT_MASK == WHEEL);
        let next = if suited { ACE_SIX_SUITED } else { ACE_SIX };
        // The odd numbers are free: this one is between A-6-4-3-2 and the worst king.
        return DeuceToSevenRank(2 * (LAST - u32::from(next.0)) - 1);
    }
    DeuceToSevenRank(2 * (LAST - u32::from(evaluate5(cards).0)))
}

impl DeuceToSevenRank {
    /// Returns the rank of the hand in the usual ranking; none for A-5-4-3-2.
    fn high(self) -> Option<HandRank> {
        self.0
            .is_multiple_of(2)
            .then(|| HandRank((LAST - self.0 / 2) as u16))
    }

    /// Returns whether the hand is a high card: no pair, straight or flush.
    #[must_use]
    pub fn is_no_pair(self) -> bool {
        // 6185 is A-K-Q-J-9, the best hand without a pair.
        self.0 <= 2 * (LAST - 6185)
    }

    /// Returns the value as a number, as in [`Worth::main`](super::Worth::main).
    #[must_use]
    pub const fn number(self) -> u32 {
        self.0
    }
}

impl fmt::Display for DeuceToSevenRank {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.high() {
            None if self.is_no_pair() => f.write_str("A-5-4-3-2 low"),
            None => f.write_str("flush, ace-five"),
            Some(rank) if self.is_no_pair() => {
                let class = &crate::reference::numbering(crate::Rules::Standard).classes()
                    [usize::from(rank.0)];
                let letters = class
                    .ranks
                    .iter()
                    .map(|&rank| RANK_LETTERS[usize::from(rank)] as char);
                let names: Vec<String> = letters.map(String::from).collect();
                write!(f, "{} low", names.join("-"))
            }
            Some(rank) => f.write_str(&rank.describe()),
        }
    }
}

pub(super) fn worth(own: CardSet) -> Worth {
    Worth::whole(evaluate_deuce_to_seven(own).0)
}

pub(super) fn describe(own: CardSet) -> String {
    evaluate_deuce_to_seven(own).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse_cards;

    #[test]
    fn the_wheel_lies_between_the_best_ace_and_the_worst_king() {
        let of = |text: &str| evaluate_deuce_to_seven(parse_cards(text).unwrap());
        assert_eq!(evaluate5(parse_cards("Ac6d4h3s2c").unwrap()), ACE_SIX);
        assert_eq!(
            evaluate5(parse_cards("Ac6c4c3c2c").unwrap()),
            ACE_SIX_SUITED
        );
        assert!(of("KcQdJhTs8c") < of("Ac5d4h3s2c"));
        assert!(of("Ac5d4h3s2c") < of("Ac6d4h3s2c"));
        assert!(of("KcQcJcTc8c") < of("Ac5c4c3c2c"));
        assert!(of("Ac5c4c3c2c") < of("Ac6c4c3c2c"));
        assert!(of("Ac5d4h3s2c").is_no_pair() && !of("Ac5c4c3c2c").is_no_pair());
    }
}
