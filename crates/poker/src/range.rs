//! Ranges: the hands a player may hold, each with a weight.
//!
//! ```
//! use poker::{Game, Range};
//! let range = Range::parse("QQ+, AJs+, 76s:0.5", Game::Holdem)?;
//! assert_eq!(range.len(), 18 + 12 + 4);
//! assert_eq!(range.total_weight(), 18.0 + 12.0 + 2.0);
//! # Ok::<(), poker::RangeError>(())
//! ```

mod error;
mod holdem;
mod omaha;
mod weight;

use std::collections::HashMap;
use std::fmt;
use std::str::FromStr;

use cards::CardSet;

pub use error::{RangeError, RangeProblem};
pub use weight::Weight;

use crate::Game;
use crate::notation::format_cards;

/// Hands with weights, no hand twice and no weight zero.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Range {
    text: String,
    hands: Vec<(CardSet, Weight)>,
}

impl Range {
    /// Reads a range of the game. The notation, with items separated by commas and spaces and
    /// case of no importance:
    ///
    /// | item | means |
    /// |---|---|
    /// | `AhKd` | one hand |
    /// | `QQ`, `AK`, `AKs`, `AKo` | a pair, both cards of any suit, suited, offsuit |
    /// | `QQ+` | this pair and all higher |
    /// | `ATs+` | the lower card rises to just below the higher: ATs AJs AQs AKs |
    /// | `76s+` | connectors rise together: 76s 87s ... AKs |
    /// | `99-66`, `A5s-A2s`, `JTs-76s` | pairs, kickers or equal gaps between the two |
    /// | `random`, `any`, `*` | every hand |
    /// | `item:0.5` | any of these with a weight; the last one named counts, 0 removes |
    ///
    /// Omaha hands have four cards (`AsAhKdQd`) or four ranks with `x` for any card (`AAxx`),
    /// the latter with an optional suit pattern: `ds` double suited, `ss` single suited, `r`
    /// rainbow.
    ///
    /// # Errors
    /// Says what is wrong at which character.
    pub fn parse(text: &str, game: Game) -> Result<Range, RangeError> {
        let mut weights: HashMap<CardSet, Weight> = HashMap::new();
        for item in Item::split(text)? {
            let hands = match game {
                _ if item.is_everything() => all_hands(game),
                Game::Omaha => omaha::hands(&item)?,
                Game::Holdem | Game::ShortDeck { .. } => holdem::hands(&item)?,
            };
            let mut some_in_play = false;
            for hand in hands
                .into_iter()
                .filter(|&hand| game.deck().contains_all(hand))
            {
                weights.insert(hand, item.weight);
                some_in_play = true;
            }
            if !some_in_play {
                return Err(item.error(RangeProblem::NotInDeck));
            }
        }
        let mut hands: Vec<_> = weights
            .into_iter()
            .filter(|(_, weight)| !weight.is_zero())
            .collect();
        hands.sort_unstable();
        let text = text.chars().filter(|c| !c.is_whitespace()).collect();
        Ok(Range { text, hands })
    }

    /// The range of one hand.
    #[must_use]
    pub fn of_hand(hand: CardSet) -> Range {
        Range {
            text: format_cards(hand),
            hands: vec![(hand, Weight::ONE)],
        }
    }

    /// Every hand of the game.
    #[must_use]
    pub fn random(game: Game) -> Range {
        let mut hands: Vec<_> = all_hands(game)
            .into_iter()
            .map(|h| (h, Weight::ONE))
            .collect();
        hands.sort_unstable();
        Range {
            text: "random".to_string(),
            hands,
        }
    }

    /// The hands and their weights, in the order of their masks.
    #[must_use]
    pub fn hands(&self) -> &[(CardSet, Weight)] {
        &self.hands
    }

    /// How many hands.
    #[must_use]
    pub fn len(&self) -> usize {
        self.hands.len()
    }

    /// Whether no hand is left (weights of zero can remove all).
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.hands.is_empty()
    }

    /// The sum of the weights.
    #[must_use]
    pub fn total_weight(&self) -> f64 {
        let total: u64 = self
            .hands
            .iter()
            .map(|(_, weight)| weight.millionths())
            .sum();
        total as f64 / Weight::ONE.millionths() as f64
    }
}

impl fmt::Display for Range {
    /// The range as it was written, without spaces.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.text)
    }
}

impl FromStr for Range {
    type Err = RangeError;

    /// A range of hold'em.
    fn from_str(text: &str) -> Result<Range, RangeError> {
        Range::parse(text, Game::Holdem)
    }
}

/// Every hand that the deck of the game has.
fn all_hands(game: Game) -> Vec<CardSet> {
    fn extend(hand: CardSet, from: CardSet, left: usize, hands: &mut Vec<CardSet>) {
        if left == 0 {
            hands.push(hand);
            return;
        }
        let mut later = from;
        for card in from {
            later.remove(card);
            extend(hand | CardSet::of(card), later, left - 1, hands);
        }
    }
    let mut hands = Vec::new();
    extend(CardSet::EMPTY, game.deck(), game.hole_cards(), &mut hands);
    hands
}

/// One item of a range: its letters with their positions in the text, and its weight.
struct Item {
    letters: Vec<(char, usize)>,
    position: usize,
    weight: Weight,
}

impl Item {
    /// Splits a range at the commas and reads the weights.
    fn split(text: &str) -> Result<Vec<Item>, RangeError> {
        let mut items = Vec::new();
        let mut start = 1;
        for part in text.split(',') {
            items.push(Item::read(part, start)?);
            start += part.chars().count() + 1;
        }
        Ok(items)
    }

    fn read(part: &str, start: usize) -> Result<Item, RangeError> {
        let mut letters: Vec<(char, usize)> = part
            .chars()
            .zip(start..)
            .filter(|(letter, _)| !letter.is_whitespace())
            .map(|(letter, position)| (letter.to_ascii_lowercase(), position))
            .collect();
        let position = letters.first().map_or(start, |&(_, position)| position);
        let mut weight = Weight::ONE;
        if let Some(colon) = letters.iter().position(|&(letter, _)| letter == ':') {
            let digits: String = letters[colon + 1..]
                .iter()
                .map(|&(letter, _)| letter)
                .collect();
            let place = letters[colon].1 + 1;
            weight = digits
                .parse()
                .map_err(|problem| RangeError::new(place, problem))?;
            letters.truncate(colon);
        }
        if letters.is_empty() {
            return Err(RangeError::new(position, RangeProblem::Empty));
        }
        Ok(Item {
            letters,
            position,
            weight,
        })
    }

    fn is_everything(&self) -> bool {
        let text: String = self.letters.iter().map(|&(letter, _)| letter).collect();
        matches!(text.as_str(), "random" | "any" | "*")
    }

    /// An error about the item as a whole.
    fn error(&self, problem: RangeProblem) -> RangeError {
        RangeError::new(self.position, problem)
    }
}
