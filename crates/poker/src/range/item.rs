//! One item of a range: hands, their weight and a filter.

use std::collections::HashMap;

use cards::CardSet;

use super::error::{RangeError, RangeProblem};
use super::weight::{Weight, take_weight};
use super::words::Word;
use super::{RangeContext, all_hands, filter, holdem, omaha, own_cards, percent};
use crate::Game;

/// One item of a range: its characters with their positions in the text, its filter and its weight.
pub(super) struct Item {
    pub(super) letters: Vec<(char, usize)>,
    /// The characters as given, without conversion of tens, to look up a name.
    written: String,
    position: usize,
    weight: Weight,
    /// Whether the item has a weight.
    weighted: bool,
    pub(super) excluded: bool,
    filter: Option<(String, usize)>,
    /// The items between braces, which replace the letters.
    group: Option<Vec<Item>>,
}

/// The parts of an item, before its weight is read.
#[derive(Default)]
pub(super) struct ItemText {
    pub(super) letters: Vec<(char, usize)>,
    pub(super) filter: Option<(String, usize)>,
    pub(super) group: Option<Vec<Item>>,
}

impl ItemText {
    pub(super) fn is_empty(&self) -> bool {
        self.letters.is_empty() && self.filter.is_none() && self.group.is_none()
    }
}

impl Item {
    /// Reads an item that starts at `position`. `outer` is the weight of the brackets around it.
    pub(super) fn read(
        text: ItemText,
        position: usize,
        outer: Option<Weight>,
    ) -> Result<Item, RangeError> {
        let mut letters = text.letters;
        let position = letters.first().map_or(position, |&(_, place)| place);
        let excluded = letters.first().is_some_and(|&(letter, _)| letter == '!');
        letters.drain(..usize::from(excluded));
        let own = take_weight(&mut letters)?;
        if letters.is_empty() && text.filter.is_none() && text.group.is_none() {
            return Err(RangeError::new(position, RangeProblem::Empty));
        }
        if text.group.is_some()
            && let Some(&(letter, place)) = letters.first()
        {
            let problem = RangeProblem::Suffix(letter.to_string());
            return Err(RangeError::new(place, problem));
        }
        let weight = match (own, outer) {
            (Some(own), Some(outer)) => Some(own.times(outer)),
            (own, outer) => own.or(outer),
        };
        Ok(Item {
            written: letters.iter().map(|&(letter, _)| letter).collect(),
            letters: with_tens(letters),
            position,
            weight: weight.unwrap_or(Weight::ONE),
            weighted: weight.is_some(),
            excluded,
            filter: text.filter,
            group: text.group,
        })
    }

    pub(super) fn text(&self) -> String {
        self.letters.iter().map(|&(letter, _)| letter).collect()
    }

    /// Returns whether the item means every hand.
    fn names_everything(&self) -> bool {
        self.group.is_none() && matches!(self.text().as_str(), "" | "random" | "any" | "*" | "xx")
    }

    /// Returns whether the item is every hand of the game with a weight of one and no filter.
    pub(super) fn is_everything(&self, setting: &RangeContext) -> bool {
        let plain = !self.excluded && self.filter.is_none() && self.weight == Weight::ONE;
        plain && self.names_everything() && setting.names.entry(&self.written).is_none()
    }

    /// Returns the hands of the item with their weights.
    pub(super) fn hands(
        &self,
        setting: &RangeContext,
    ) -> Result<Vec<(CardSet, Weight)>, RangeError> {
        let game = setting.game;
        let text = self.text();
        let name = self.written.strip_prefix('@').unwrap_or(&self.written);
        let plain = |hands: Vec<CardSet>| hands.into_iter().map(|h| (h, self.weight)).collect();
        let scale = |w: Weight| {
            if self.weighted {
                w.times(self.weight)
            } else {
                w
            }
        };
        let mut hands: Vec<(CardSet, Weight)> = if let Some(items) = &self.group {
            let inside = combine(items, setting)?.into_iter();
            inside.map(|(hand, weight)| (hand, scale(weight))).collect()
        } else if let Some(range) = setting.names.entry(name) {
            let range = range.map_err(|problem| self.error(problem.clone()))?;
            let named = range.hands().iter();
            named.map(|&(hand, weight)| (hand, scale(weight))).collect()
        } else if text.starts_with('@') {
            return Err(self.error(RangeProblem::Name(
                name.to_string(),
                setting.names.near(name),
            )));
        } else if self.names_everything() {
            all_hands(game, self.weight)
        } else if text.contains('%') {
            plain(percent::hands(self, game)?)
        } else if let Some(word) = Word::find(&text, game) {
            plain(word.hands())
        } else if game.has_two_hole_cards() {
            plain(holdem::hands(self, setting.names)?)
        } else if game.deals_own_cards() {
            plain(own_cards::hands(self, game)?)
        } else {
            plain(omaha::hands(self, game)?)
        };
        if let Some((words, position)) = &self.filter {
            let filter = filter::Filter::read(words, *position, setting)?;
            let in_play =
                |hand: CardSet| game.deck().contains_all(hand) && hand.is_disjoint(setting.board);
            hands.retain(|&(hand, _)| in_play(hand) && filter.fits(hand));
        }
        hands.retain(|&(hand, _)| game.deck().contains_all(hand));
        if hands.is_empty() {
            return Err(self.error(self.nothing()));
        }
        Ok(hands)
    }

    /// Returns the reason why the item has no hand.
    fn nothing(&self) -> RangeProblem {
        match &self.filter {
            Some((words, _)) => RangeProblem::NothingFits(words.clone()),
            None => RangeProblem::NotInDeck,
        }
    }

    /// Makes an error about the whole item.
    pub(super) fn error(&self, problem: RangeProblem) -> RangeError {
        RangeError::new(self.position, problem)
    }
}

/// Applies the items from left to right and returns each hand with its last weight, which may be zero.
pub(super) fn combine(
    items: &[Item],
    setting: &RangeContext,
) -> Result<HashMap<CardSet, Weight>, RangeError> {
    let mut weights: HashMap<CardSet, Weight> = HashMap::new();
    for (place, item) in items.iter().enumerate() {
        let hands = item.hands(setting)?;
        if item.excluded && place == 0 {
            weights.extend(all_hands(setting.game, Weight::ONE));
        }
        for (hand, weight) in hands {
            if item.excluded {
                weights.remove(&hand);
            } else {
                weights.insert(hand, weight);
            }
        }
    }
    Ok(weights)
}

/// Replaces `10` by `t`, except in percentages and names.
fn with_tens(letters: Vec<(char, usize)>) -> Vec<(char, usize)> {
    if letters
        .iter()
        .any(|&(letter, _)| matches!(letter, '%' | '@'))
    {
        return letters;
    }
    let mut written = Vec::with_capacity(letters.len());
    let mut rest = letters.into_iter().peekable();
    while let Some((letter, position)) = rest.next() {
        if letter == '1' && rest.next_if(|&(next, _)| next == '0').is_some() {
            written.push(('t', position));
        } else {
            written.push((letter, position));
        }
    }
    written
}

/// Returns whether the game has cards like these: all pairs of a rank and a suit, or none.
pub(super) fn count_cards(letters: &[(char, usize)]) -> Option<usize> {
    let letters = with_tens(letters.to_vec());
    let is_card = |pair: &[(char, usize)]| match *pair {
        [(rank, _), (suit, _)] => {
            crate::notation::rank_from_letter(rank).is_some()
                && crate::notation::suit_from_letter(suit).is_some()
        }
        _ => false,
    };
    let cards = letters.chunks(2);
    (!letters.is_empty() && cards.clone().all(is_card)).then_some(cards.len())
}

/// Returns whether the letters after a space belong to the item before it: `A♠ K♦`, `AAxx ds`, `99 - 66`, `top 15%`.
pub(super) fn continues(before: &[(char, usize)], next: &[(char, usize)], game: Game) -> bool {
    let text = |letters: &[(char, usize)]| letters.iter().map(|&(l, _)| l).collect::<String>();
    let before: &[_] = match before {
        [('!', _), rest @ ..] => rest,
        all => all,
    };
    let (Some(&(last, _)), Some(&(first, _))) = (before.last(), next.first()) else {
        // Nothing but an exclamation mark, or nothing after the space.
        return true;
    };
    if matches!(first, '-' | ':' | '+' | '%' | '(') || matches!(last, '-' | ':' | '@' | '(') {
        return true;
    }
    let is_number = |letters: &[(char, usize)]| {
        let mut inside = letters.iter();
        !letters.is_empty() && inside.all(|&(l, _)| l.is_ascii_digit() || matches!(l, '.' | '%'))
    };
    if first == '@' {
        return is_number(&next[1..]);
    }
    if let (Some(held), Some(more)) = (count_cards(before), count_cards(next)) {
        return held + more <= game.hole_cards();
    }
    let up_to = |ends: &[char]| {
        let end = next.iter().position(|(letter, _)| ends.contains(letter));
        text(&next[..end.unwrap_or(next.len())])
    };
    let suits = up_to(&[':', '@', '(', '+', '-']);
    if matches!(suits.as_str(), "s" | "o" | "r" | "ds" | "ss") {
        return true;
    }
    let is_rank = |letter: char| crate::notation::rank_from_letter(letter).is_some();
    let split_ranks = before.len() == 1 && is_rank(last) && is_rank(first);
    let words = text(before) + &up_to(&[':', '@', '(']);
    split_ranks
        || matches!(text(before).as_str(), "top" | "sc" | "topsc")
        || Word::find(&words, game).is_some()
}
