//! Tricks after each opening lead.

use cards::{Card, CardSet};

use crate::choice::{Choice, Choices};

/// An opening lead, its equal cards, and the tricks of the defence after it.
pub type SolvedLead = Choice;

/// All opening leads of a hand, best first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Leads {
    choices: Choices,
}

impl From<Choices> for Leads {
    fn from(choices: Choices) -> Leads {
        Leads { choices }
    }
}

impl Leads {
    /// Creates the leads from each card of the leader and the defence's tricks after it.
    pub fn of(cards: impl IntoIterator<Item = (Card, u8)>) -> Leads {
        let choice = |(card, tricks)| Choice {
            card,
            equals: CardSet::EMPTY,
            tricks,
        };
        Choices::new(cards.into_iter().map(choice).collect()).into()
    }

    /// Returns the distinct leads, best for the defence first.
    #[must_use]
    pub fn distinct(&self) -> &[SolvedLead] {
        self.choices.distinct()
    }

    /// Returns every card of the leader with the defence's tricks after it, spade ace first.
    #[must_use]
    pub fn by_card(&self) -> Vec<(Card, u8)> {
        let all = self
            .distinct()
            .iter()
            .fold(CardSet::EMPTY, |cards, lead| cards | lead.cards());
        all.iter()
            .filter_map(|card| Some((card, self.tricks(card)?)))
            .collect()
    }

    /// Returns the defence's tricks after this lead, or `None` if the leader does not hold the card.
    #[must_use]
    pub fn tricks(&self, card: Card) -> Option<u8> {
        self.choices.tricks(card)
    }

    /// Returns the defence's tricks after the best lead.
    #[must_use]
    pub fn best(&self) -> u8 {
        self.choices.best()
    }
}
