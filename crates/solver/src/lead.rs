//! What the opening leads are worth.

use cards::{Card, CardSet};

/// An opening lead and the cards that do just as well because they touch it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lead {
    /// The highest card of the sequence.
    pub card: Card,
    /// The lower cards of the same sequence.
    pub equals: CardSet,
    /// Tricks for the defence.
    pub tricks: u8,
}

impl Lead {
    /// The card and its equals.
    #[must_use]
    pub fn cards(&self) -> CardSet {
        CardSet::of(self.card) | self.equals
    }
}

/// All opening leads of a hand, best first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Leads {
    leads: Vec<Lead>,
}

impl Leads {
    pub(crate) fn new(leads: Vec<Lead>) -> Self {
        Leads { leads }
    }

    /// The distinct leads, best for the defence first.
    #[must_use]
    pub fn distinct(&self) -> &[Lead] {
        &self.leads
    }

    /// Every card of the leader with the defence's tricks after it, spade ace first.
    #[must_use]
    pub fn by_card(&self) -> Vec<(Card, u8)> {
        let all = self
            .leads
            .iter()
            .fold(CardSet::EMPTY, |cards, lead| cards | lead.cards());
        all.iter()
            .filter_map(|card| Some((card, self.tricks(card)?)))
            .collect()
    }

    /// Tricks for the defence after this lead, if the leader holds the card.
    #[must_use]
    pub fn tricks(&self, card: Card) -> Option<u8> {
        self.leads
            .iter()
            .find(|lead| lead.cards().contains(card))
            .map(|lead| lead.tricks)
    }

    /// Tricks for the defence after the best lead.
    #[must_use]
    pub fn best(&self) -> u8 {
        self.leads.iter().map(|lead| lead.tricks).max().unwrap_or(0)
    }
}
