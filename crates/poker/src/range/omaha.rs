//! The items of an Omaha range.

use cards::{Card, CardSet, Suit};

use super::{Item, RangeError, RangeProblem};
use crate::notation::{rank_from_letter, suit_from_letter};

/// How the four cards fall into suits.
#[derive(Clone, Copy)]
enum Pattern {
    Any,
    DoubleSuited,
    SingleSuited,
    Rainbow,
}

impl Pattern {
    fn fits(self, hand: CardSet) -> bool {
        let mut lengths = hand.lengths();
        lengths.sort_unstable();
        match self {
            Pattern::Any => true,
            Pattern::DoubleSuited => lengths == [0, 0, 2, 2],
            Pattern::SingleSuited => lengths == [0, 1, 1, 2],
            Pattern::Rainbow => lengths == [1, 1, 1, 1],
        }
    }
}

/// The hands that an item names: four cards, or four ranks and a suit pattern.
pub(super) fn hands(item: &Item) -> Result<Vec<CardSet>, RangeError> {
    let second = item.letters.get(1).map(|&(letter, _)| letter);
    let is_cards =
        second.is_some_and(|c| rank_from_letter(c).is_none() && suit_from_letter(c).is_some());
    if is_cards {
        four_cards(item).map(|hand| vec![hand])
    } else {
        four_ranks(item)
    }
}

fn four_cards(item: &Item) -> Result<CardSet, RangeError> {
    let mut hand = CardSet::EMPTY;
    for pair in item.letters.chunks(2) {
        let (letter, position) = pair[0];
        let rank = rank_from_letter(letter);
        let rank = rank.ok_or(RangeError::new(position, RangeProblem::Rank(letter)))?;
        let &(letter, place) = pair
            .get(1)
            .ok_or(RangeError::new(position + 1, RangeProblem::Incomplete))?;
        let suit = suit_from_letter(letter);
        let suit = suit.ok_or(RangeError::new(place, RangeProblem::Suit(letter)))?;
        let card = Card::new(suit, rank);
        if hand.contains(card) {
            return Err(RangeError::new(position, RangeProblem::SameCard));
        }
        if hand.len() == 4 {
            let rest = item.letters[8..]
                .iter()
                .map(|&(letter, _)| letter)
                .collect();
            return Err(RangeError::new(position, RangeProblem::Suffix(rest)));
        }
        hand.insert(card);
    }
    if hand.len() < 4 {
        return Err(item.error(RangeProblem::Incomplete));
    }
    Ok(hand)
}

fn four_ranks(item: &Item) -> Result<Vec<CardSet>, RangeError> {
    let mut wanted = [0u32; 13];
    for place in 0..4 {
        let &(letter, position) = item
            .letters
            .get(place)
            .ok_or(item.error(RangeProblem::Incomplete))?;
        match rank_from_letter(letter) {
            Some(rank) => wanted[rank.index()] += 1,
            None if letter == 'x' || letter == '*' => {}
            None => return Err(RangeError::new(position, RangeProblem::Rank(letter))),
        }
    }
    let suffix: String = item.letters[4..]
        .iter()
        .map(|&(letter, _)| letter)
        .collect();
    let pattern = match suffix.as_str() {
        "" => Pattern::Any,
        "ds" => Pattern::DoubleSuited,
        "ss" => Pattern::SingleSuited,
        "r" => Pattern::Rainbow,
        _ => {
            let position = item.letters[4].1;
            return Err(RangeError::new(position, RangeProblem::Suffix(suffix)));
        }
    };
    let hands = with_ranks(&wanted, pattern);
    if hands.is_empty() {
        return Err(item.error(RangeProblem::Impossible));
    }
    Ok(hands)
}

/// All four-card hands with at least the wanted number of cards of every rank.
fn with_ranks(wanted: &[u32; 13], pattern: Pattern) -> Vec<CardSet> {
    let ace_of_each = Suit::ALL.map(|suit| 1u64 << (13 * suit as usize));
    let rank_masks: [u64; 13] =
        std::array::from_fn(|rank| ace_of_each.iter().fold(0, |mask, bit| mask | bit << rank));
    let fits = |hand: CardSet| {
        let enough = |rank: usize| (hand.0 & rank_masks[rank]).count_ones() >= wanted[rank];
        (0..13).all(enough) && pattern.fits(hand)
    };
    super::all_hands(crate::Game::Omaha)
        .into_iter()
        .filter(|&hand| fits(hand))
        .collect()
}
