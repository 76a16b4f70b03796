//! Writes a range in short notation, and as a list of hands.

use std::collections::{BTreeMap, HashMap};

use cards::{Card, CardSet, Rank, Suit};

use super::{Range, Weight};
use crate::notation::format_cards;
use crate::rank::RANK_LETTERS;

/// The weights of a kind's hands: one for all, none, or several.
#[derive(Clone, Copy, PartialEq, Eq)]
enum KindWeight {
    None,
    All(Weight),
    Mixed,
}

/// Ranks that follow one another, as indices.
struct Run {
    low: usize,
    high: usize,
}

/// Returns the runs of ranks below `end` for which `belongs` holds, highest first.
fn runs(end: usize, belongs: impl Fn(usize) -> bool) -> Vec<Run> {
    let mut found: Vec<Run> = Vec::new();
    for rank in (0..end).rev().filter(|&rank| belongs(rank)) {
        match found.last_mut() {
            Some(run) if run.low == rank + 1 => run.low = rank,
            _ => found.push(Run {
                low: rank,
                high: rank,
            }),
        }
    }
    found
}

fn letter(rank: usize) -> char {
    RANK_LETTERS[rank] as char
}

/// Returns the hands of two ranks; with equal ranks the pair.
fn kind_hands(high: usize, low: usize, suited: bool) -> Vec<CardSet> {
    let card = |suit: Suit, rank: usize| {
        Rank::from_index(rank).map_or(CardSet::EMPTY, |rank| CardSet::of(Card::new(suit, rank)))
    };
    let mut hands = Vec::new();
    for first in Suit::ALL {
        for second in Suit::ALL {
            let belongs = match high == low {
                true => first > second,
                false => (first == second) == suited,
            };
            if belongs {
                hands.push(card(first, high) | card(second, low));
            }
        }
    }
    hands
}

impl Range {
    /// Returns the hands in short notation: the kinds of hold'em hands with one weight as `QQ+`, `ATs+`, `A5s-A2s`,
    /// others by their cards. [`Range::parse`] reads the same hands from it.
    ///
    /// ```
    /// use croupier_poker::{Game, Range};
    /// let range = Range::parse("AA KK QQ AKs AQs AhJh 76s:50% 75s@50", Game::Holdem)?;
    /// assert_eq!(range.condensed(), "QQ+,AQs+,AhJh,75s+:0.5");
    /// # Ok::<(), croupier_poker::RangeError>(())
    /// ```
    #[must_use]
    pub fn condensed(&self) -> String {
        if self.hands().iter().any(|(hand, _)| hand.len() != 2) {
            return self.expanded();
        }
        let weights: HashMap<CardSet, Weight> = self.hands().iter().copied().collect();
        let weight_of = |high: usize, low: usize, suited: bool| {
            let hands = kind_hands(high, low, suited);
            let mut found = hands.iter().map(|hand| weights.get(hand).copied());
            let first = found.next().flatten();
            match (first, found.all(|other| other == first)) {
                (Some(weight), true) => KindWeight::All(weight),
                (None, true) => KindWeight::None,
                _ => KindWeight::Mixed,
            }
        };
        // The items of each weight, the largest weight first.
        let mut items: BTreeMap<std::cmp::Reverse<Weight>, Vec<String>> = BTreeMap::new();
        let mut all: Vec<Weight> = weights.values().copied().collect();
        all.sort_unstable();
        all.dedup();
        if let ([weight], 1326) = (&all[..], weights.len()) {
            return with_weight("random".to_string(), *weight);
        }
        for weight in all {
            let list = items.entry(std::cmp::Reverse(weight)).or_default();
            let is = |kind: KindWeight| kind == KindWeight::All(weight);
            for run in runs(13, |rank| is(weight_of(rank, rank, false))) {
                let (low, high) = (letter(run.low), letter(run.high));
                list.push(match run.high {
                    _ if run.low == run.high => format!("{low}{low}"),
                    12 => format!("{low}{low}+"),
                    _ => format!("{high}{high}-{low}{low}"),
                });
            }
            for high in (1..13).rev() {
                let row = |suited: bool| runs(high, |low| is(weight_of(high, low, suited)));
                let mut push = |runs: Vec<Run>, suits: &str| {
                    for run in runs {
                        let top = letter(high);
                        let (first, last) = (letter(run.high), letter(run.low));
                        list.push(if run.high == run.low {
                            format!("{top}{last}{suits}")
                        } else if run.high == high - 1 {
                            format!("{top}{last}{suits}+")
                        } else {
                            format!("{top}{first}{suits}-{top}{last}{suits}")
                        });
                    }
                };
                let same = (0..high)
                    .all(|low| is(weight_of(high, low, true)) == is(weight_of(high, low, false)));
                if same {
                    push(row(true), "");
                } else {
                    push(row(true), "s");
                    push(row(false), "o");
                }
            }
            for &(hand, own) in self.hands().iter().rev() {
                let cards: Vec<Card> = hand.iter().collect();
                let ranks = [cards[0], cards[1]].map(|card| card.rank().index());
                let (high, low) = (ranks[0].max(ranks[1]), ranks[0].min(ranks[1]));
                let suited = cards[0].suit() == cards[1].suit();
                if own == weight && weight_of(high, low, suited) == KindWeight::Mixed {
                    list.push(format_cards(hand));
                }
            }
        }
        let texts = items.into_iter().flat_map(|(weight, items)| {
            items
                .into_iter()
                .map(move |item| with_weight(item, weight.0))
        });
        texts.collect::<Vec<_>>().join(",")
    }

    /// Returns the hands one by one: `AsAh,AsAd:0.5`. [`Range::parse`] reads the same hands from it.
    #[must_use]
    pub fn expanded(&self) -> String {
        let hands = self.hands().iter().rev();
        let texts = hands.map(|&(hand, weight)| with_weight(format_cards(hand), weight));
        texts.collect::<Vec<_>>().join(",")
    }
}

fn with_weight(item: String, weight: Weight) -> String {
    match weight == Weight::ONE {
        true => item,
        false => format!("{item}:{weight}"),
    }
}
