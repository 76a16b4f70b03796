//! Tricks after each card that a hand can play.

use cards::{Card, CardSet, Seat};

/// A card that can be played, with the touching cards of the same hand, which are worth as much.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Choice {
    /// The highest card of the sequence.
    pub card: Card,
    /// The lower cards of the same sequence.
    pub equals: CardSet,
    /// Tricks that the side playing the card takes from here on, the current trick included.
    pub tricks: u8,
}

impl Choice {
    /// Returns the card and its equals.
    #[must_use]
    pub fn cards(&self) -> CardSet {
        CardSet::of(self.card) | self.equals
    }
}

/// All cards that can be played, best first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Choices {
    choices: Vec<Choice>,
}

impl Choices {
    /// Sorts the choices: the most tricks first, then the highest suit and card.
    pub(crate) fn new(mut choices: Vec<Choice>) -> Self {
        choices.sort_by_key(|choice| std::cmp::Reverse((choice.tricks, choice.card.index())));
        Choices { choices }
    }

    /// Returns the distinct choices, best first.
    #[must_use]
    pub fn distinct(&self) -> &[Choice] {
        &self.choices
    }

    /// Returns the tricks after this card, or `None` if it cannot be played.
    #[must_use]
    pub fn tricks(&self, card: Card) -> Option<u8> {
        self.choices
            .iter()
            .find(|choice| choice.cards().contains(card))
            .map(|choice| choice.tricks)
    }

    /// Returns the tricks after the best card; 0 if no card is left.
    #[must_use]
    pub fn best(&self) -> u8 {
        self.choices.first().map_or(0, |choice| choice.tricks)
    }

    /// Returns all cards after which the side takes its maximum of tricks.
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
pub struct OptimalPlay {
    /// The seat that plays the card.
    pub seat: Seat,
    /// The card played.
    pub card: Card,
    /// All cards that are as good, this one included.
    pub alternatives: CardSet,
    /// Tricks of North-South from here on, the current trick included.
    pub north_south: u8,
}
