//! The items of an Omaha range, with four, five or six hole cards.

use cards::{Card, CardSet, Suit};

use super::{Item, RangeError, RangeProblem};
use crate::Game;
use crate::notation::{rank_from_letter, suit_from_letter};

/// The distribution of the cards over the suits.
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
            // Two suits, or one, with two or more cards that can make a flush.
            Pattern::DoubleSuited => lengths[2] >= 2 && lengths[1] <= 1,
            Pattern::SingleSuited => lengths[3] == 2 && lengths[2] <= 1,
            Pattern::Rainbow => lengths[3] <= 1,
        }
    }
}

/// Returns the hands of an item: as many cards as the game has, or as many ranks and a suit pattern.
pub(super) fn hands(item: &Item, game: Game) -> Result<Vec<CardSet>, RangeError> {
    let second = item.letters.get(1).map(|&(letter, _)| letter);
    let is_cards =
        second.is_some_and(|c| rank_from_letter(c).is_none() && suit_from_letter(c).is_some());
    if is_cards {
        all_cards(item, game.hole_cards()).map(|hand| vec![hand])
    } else {
        all_ranks(item, game)
    }
}

fn all_cards(item: &Item, size: usize) -> Result<CardSet, RangeError> {
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
        if hand.len() == size {
            let rest = item.letters[2 * size..]
                .iter()
                .map(|&(letter, _)| letter)
                .collect();
            return Err(RangeError::new(position, RangeProblem::Suffix(rest)));
        }
        hand.insert(card);
    }
    if hand.len() < size {
        return Err(item.error(RangeProblem::Incomplete));
    }
    Ok(hand)
}

fn all_ranks(item: &Item, game: Game) -> Result<Vec<CardSet>, RangeError> {
    let mut wanted = [0u32; 13];
    let size = game.hole_cards();
    let ranks = item.letters.get(..size);
    for &(letter, position) in ranks.ok_or(item.error(RangeProblem::Incomplete))? {
        match rank_from_letter(letter) {
            Some(rank) => wanted[rank.index()] += 1,
            None if letter == 'x' || letter == '*' => {}
            None => return Err(RangeError::new(position, RangeProblem::Rank(letter))),
        }
    }
    let suffix: String = item.letters[size..]
        .iter()
        .map(|&(letter, _)| letter)
        .collect();
    let pattern = match suffix.as_str() {
        "" => Pattern::Any,
        "ds" => Pattern::DoubleSuited,
        "ss" => Pattern::SingleSuited,
        "r" => Pattern::Rainbow,
        _ => {
            let position = item.letters[size].1;
            return Err(RangeError::new(position, RangeProblem::Suffix(suffix)));
        }
    };
    let hands = with_ranks(&wanted, pattern, game);
    if hands.is_empty() {
        return Err(item.error(RangeProblem::Impossible));
    }
    Ok(hands)
}

/// Returns all hands with at least the given number of cards of every rank.
fn with_ranks(wanted: &[u32; 13], pattern: Pattern, game: Game) -> Vec<CardSet> {
    let ace_of_each = Suit::ALL.map(|suit| 1u64 << (13 * suit as usize));
    let rank_masks: [u64; 13] =
        std::array::from_fn(|rank| ace_of_each.iter().fold(0, |mask, bit| mask | bit << rank));
    let fits = |hand: CardSet| {
        let enough = |rank: usize| (hand.0 & rank_masks[rank]).count_ones() >= wanted[rank];
        (0..13).all(enough) && pattern.fits(hand)
    };
    let mut hands = Vec::new();
    super::for_each_hand(game.deck(), game.hole_cards(), &mut |hand| {
        if fits(hand) {
            hands.push(hand);
        }
    });
    hands
}
