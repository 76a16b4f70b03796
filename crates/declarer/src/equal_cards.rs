//! Cards of one hand that are worth the same.

use cards::{Card, CardSet};

/// Returns the groups of equal cards in `playable`: cards of one suit with no card of `others` between them. The highest
/// suit and card come first.
///
/// ```
/// let cards = |text| cards::notation::holdings(text).unwrap();
/// // The ten is gone, so that the jack and the nine are equal.
/// let groups = croupier_declarer::equal_cards(cards("KJ9..."), cards("AQ8..."));
/// assert_eq!(groups, [cards("K..."), cards("J9...")]);
/// ```
#[must_use]
pub fn equal_cards(playable: CardSet, others: CardSet) -> Vec<CardSet> {
    let mut groups: Vec<CardSet> = Vec::new();
    let mut last: Option<Card> = None;
    for card in playable.iter() {
        let is_equal = last.is_some_and(|last| {
            last.suit() == card.suit()
                && (card.index() + 1..last.index())
                    .filter_map(Card::from_index)
                    .all(|between| !others.contains(between))
        });
        match groups.last_mut() {
            Some(group) if is_equal => group.insert(card),
            _ => groups.push(CardSet::of(card)),
        }
        last = Some(card);
    }
    groups
}

/// Returns the lowest card of a group of equal cards.
pub(crate) fn lowest(cards: CardSet) -> Card {
    cards
        .iter()
        .min_by_key(|card| (card.rank(), card.suit()))
        .expect("a group has at least one card")
}
