//! Cards that are fixed to a seat before the others are dealt.

use std::fmt;
use std::str::FromStr;

use cards::{BySeat, Card, CardSet, Rank, Seat, Suit};

/// Cards fixed to seats: at most thirteen for each seat, no card twice.
///
/// The order in which cards were added is kept, because the legacy generators put them into the slots of the pack in
/// that order, and their swapping moves slots.
///
/// ```
/// use cards::Seat;
/// use croupier_shuffle::Predeal;
///
/// let predeal: Predeal = "north SAKQ,H2 south DAKQJT98765432".parse()?;
/// assert_eq!(predeal.hand(Seat::South).len(), 13);
/// assert_eq!(predeal.free_cards().len(), 35);
/// assert!("north SA south SA".parse::<Predeal>().is_err());
/// # Ok::<(), croupier_shuffle::PredealError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Predeal {
    hands: BySeat<CardSet>,
    order: Vec<(Seat, Card)>,
}

impl Predeal {
    /// A predeal without cards.
    pub const NONE: Predeal = Predeal {
        hands: BySeat([CardSet::EMPTY; 4]),
        order: Vec::new(),
    };

    /// Creates a predeal of the cards of each seat, North first.
    pub fn new(hands: BySeat<CardSet>) -> Result<Self, PredealError> {
        let named = hands.into_iter();
        Predeal::in_order(named.flat_map(|(seat, hand)| hand.iter().map(move |card| (seat, card))))
    }

    /// Fixes cards in the given order.
    pub fn in_order(cards: impl IntoIterator<Item = (Seat, Card)>) -> Result<Self, PredealError> {
        let mut predeal = Predeal::NONE;
        for (seat, card) in cards {
            predeal.add(seat, card)?;
        }
        Ok(predeal)
    }

    /// Fixes one more card.
    pub fn add(&mut self, seat: Seat, card: Card) -> Result<(), PredealError> {
        if self.fixed_cards().contains(card) {
            return Err(PredealError::Twice(card));
        }
        let hand = &mut self.hands[seat];
        if hand.len() == 13 {
            return Err(PredealError::TooMany(seat));
        }
        hand.insert(card);
        self.order.push((seat, card));
        Ok(())
    }

    /// Returns the cards fixed to a seat.
    #[must_use]
    pub fn hand(&self, seat: Seat) -> CardSet {
        self.hands[seat]
    }

    /// Returns the cards fixed to each seat.
    #[must_use]
    pub fn hands(&self) -> BySeat<CardSet> {
        self.hands
    }

    /// Returns seats and cards in the order in which they were added.
    #[must_use]
    pub fn order(&self) -> &[(Seat, Card)] {
        &self.order
    }

    /// Returns all fixed cards.
    #[must_use]
    pub fn fixed_cards(&self) -> CardSet {
        let hands = self.hands.values();
        hands.fold(CardSet::EMPTY, |all, &hand| all | hand)
    }

    /// Returns all cards that are still to be dealt.
    #[must_use]
    pub fn free_cards(&self) -> CardSet {
        !self.fixed_cards()
    }

    /// Returns how many cards each seat still receives.
    #[must_use]
    pub fn free_places(&self) -> BySeat<usize> {
        self.hands.map(|hand| 13 - hand.len())
    }

    /// Returns whether no card is fixed.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.order.is_empty()
    }
}

/// Reads the notation of the language without its keyword: `north SAKQ,H2 south DA`.
impl FromStr for Predeal {
    type Err = PredealError;

    fn from_str(text: &str) -> Result<Self, PredealError> {
        let mut predeal = Predeal::NONE;
        let mut seat = None;
        for word in text.split([' ', ',']).filter(|word| !word.is_empty()) {
            if let Some(named) = Seat::ALL
                .into_iter()
                .find(|seat| seat.name().eq_ignore_ascii_case(word))
            {
                seat = Some(named);
                continue;
            }
            let wrong = || PredealError::Unreadable(word.to_owned());
            let mut letters = word.chars();
            let suit = letters
                .next()
                .and_then(Suit::from_letter)
                .ok_or_else(wrong)?;
            for letter in letters {
                let rank = Rank::from_letter(letter).ok_or_else(wrong)?;
                predeal.add(seat.ok_or_else(wrong)?, Card::new(suit, rank))?;
            }
        }
        Ok(predeal)
    }
}

/// The reason why cards cannot be fixed.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum PredealError {
    /// The card is already fixed.
    Twice(Card),
    /// A fourteenth card for one seat.
    TooMany(Seat),
    /// A word that is neither a seat nor a holding, or a holding before any seat.
    Unreadable(String),
}

impl fmt::Display for PredealError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PredealError::Twice(card) => write!(
                f,
                "card {card} is predealt twice; a card can be given only once"
            ),
            PredealError::TooMany(seat) => {
                write!(
                    f,
                    "more than 13 cards are predealt to {}; a hand holds 13",
                    seat.name()
                )
            }
            PredealError::Unreadable(word) => {
                write!(
                    f,
                    "predeal: cannot read {word:?}; expected a seat and holdings such as north SAKQ,H2"
                )
            }
        }
    }
}

impl std::error::Error for PredealError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fourteenth_card_is_refused() {
        let text = "west SAKQJT98765432,HA";
        assert_eq!(
            text.parse::<Predeal>(),
            Err(PredealError::TooMany(Seat::West))
        );
    }

    #[test]
    fn cards_without_a_seat_or_with_an_unknown_rank_are_refused() {
        for text in ["SA", "north SX", "north 7", "nort SA"] {
            assert!(
                matches!(text.parse::<Predeal>(), Err(PredealError::Unreadable(_))),
                "{text}"
            );
        }
    }

    #[test]
    fn the_order_of_naming_is_kept() {
        let predeal: Predeal = "west HK,SQ north C52".parse().unwrap();
        let named: Vec<String> = predeal
            .order()
            .iter()
            .map(|(seat, card)| format!("{}{card}", seat.letter()))
            .collect();
        assert_eq!(named.len(), 4);
        assert!(named[0].starts_with('W') && named[2].starts_with('N'));
        assert_eq!(
            Predeal::new(predeal.hands()).map(|p| p.hands()),
            Ok(predeal.hands())
        );
    }
}
