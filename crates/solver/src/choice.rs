//! What the cards of a hand are worth.

use cards::{Card, CardSet, Seat};

/// A card that may be played and those that do just as well because they touch it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Choice {
    /// The highest card of the sequence.
    pub card: Card,
    /// The lower cards of the same sequence.
    pub equals: CardSet,
    /// Tricks from here on for the side that plays the card, the trick on the table included.
    pub tricks: u8,
}

impl Choice {
    /// The card and its equals.
    #[must_use]
    pub fn cards(&self) -> CardSet {
        CardSet::of(self.card) | self.equals
    }
}

/// All cards that may be played, best first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choices {
    choices: Vec<Choice>,
}

impl Choices {
    /// Sorts the choices: the most tricks first, then the highest suit and card.
    pub(crate) fn new(mut choices: Vec<Choice>) -> Self {
        choices.sort_by_key(|choice| std::cmp::Reverse((choice.tricks, choice.card.index())));
        Choices { choices }
    }

    /// The distinct choices, best first.
    #[must_use]
    pub fn distinct(&self) -> &[Choice] {
        &self.choices
    }

    /// Tricks after this card, if it may be played.
    #[must_use]
    pub fn tricks(&self, card: Card) -> Option<u8> {
        self.choices
            .iter()
            .find(|choice| choice.cards().contains(card))
            .map(|choice| choice.tricks)
    }

    /// Tricks after the best card; 0 if there is no card left.
    #[must_use]
    pub fn best(&self) -> u8 {
        self.choices.first().map_or(0, |choice| choice.tricks)
    }

    /// All cards after which the side gets as many tricks as it can.
    #[must_use]
    pub fn best_cards(&self) -> CardSet {
        let best = self.best();
        self.choices
            .iter()
            .filter(|choice| choice.tricks == best)
            .fold(CardSet::EMPTY, |cards, choice| cards | choice.cards())
    }
}

/// A card of an optimal line of play.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// Who plays.
    pub seat: Seat,
    /// The card.
    pub card: Card,
    /// All cards that would have done as well, this one included.
    pub alternatives: CardSet,
    /// Tricks of North-South from here on, the trick on the table included.
    pub north_south: u8,
}
