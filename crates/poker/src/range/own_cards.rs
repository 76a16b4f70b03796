//! The items of a range in the games without a board: the known cards of a hand, all or some.

use cards::{Card, CardSet};

use super::{Item, RangeError, RangeProblem};
use crate::Game;
use crate::notation::{rank_from_letter, suit_from_letter};

/// Returns the one hand of an item: at most as many cards as the game has.
pub(super) fn hands(item: &Item, game: Game) -> Result<Vec<CardSet>, RangeError> {
    let mut hand = CardSet::EMPTY;
    for pair in item.letters.chunks(2) {
        let (letter, position) = pair[0];
        let rank = rank_from_letter(letter)
            .ok_or(RangeError::new(position, RangeProblem::Rank(letter)))?;
        let &(letter, place) = pair
            .get(1)
            .ok_or(RangeError::new(position + 1, RangeProblem::Incomplete))?;
        let suit =
            suit_from_letter(letter).ok_or(RangeError::new(place, RangeProblem::Suit(letter)))?;
        let card = Card::new(suit, rank);
        if hand.contains(card) {
            return Err(RangeError::new(position, RangeProblem::SameCard));
        }
        if hand.len() == game.hole_cards() {
            let rest = item.letters[2 * hand.len()..].iter();
            let rest = rest.map(|&(letter, _)| letter).collect();
            return Err(RangeError::new(position, RangeProblem::Suffix(rest)));
        }
        hand.insert(card);
    }
    Ok(vec![hand])
}
