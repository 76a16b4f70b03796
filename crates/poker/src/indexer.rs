//! Numbers for hands that differ only by an exchange of suits.
//!
//! An exchange of suits changes no result, so tables need one entry for each class of equivalent deals. A
//! [`HandIndexer`] numbers the classes from 0 without gaps. A deal comes in rounds, such as two hole cards, three cards
//! of the flop, the turn and the river; the order of cards within a round does not matter.
//!
//! Method (K. Waugh, *A fast and optimal hand isomorphism algorithm*, 2013): the ranks that each round has in one suit
//! have a number within all such sets of ranks. Suits with equally many cards in every round form a multiset of these
//! numbers, which has a number in the combinatorial number system; an exchange of suits does not change it.
//!
//! ```
//! use croupier_poker::{HandIndexer, parse_cards};
//! let flops = HandIndexer::new(&[2, 3])?;
//! assert_eq!(flops.classes(), 1_286_792);
//! let deal = |hand, board| Ok::<_, croupier_poker::CardsError>([parse_cards(hand)?, parse_cards(board)?]);
//! let index = flops.index(&deal("AhKh", "QhJc2d")?)?;
//! assert_eq!(index, flops.index(&deal("AcKc", "QcJs2h")?)?);
//! assert_ne!(index, flops.index(&deal("AcKc", "QsJc2h")?)?);
//! let representative = flops.representative(index).unwrap();
//! assert_eq!(flops.index(&representative)?, index);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::collections::BTreeSet;
use std::fmt;

use cards::CardSet;

use crate::notation::format_cards;
use crate::reference::SUIT_MASK;

/// Largest number of cards of a deal.
const MAX_CARDS: usize = 13;
/// Number of ranks of a suit.
const RANKS: u32 = 13;

/// Numbers the classes of deals that differ only by an exchange of suits.
#[derive(Clone, Debug)]
pub struct HandIndexer {
    rounds: Vec<usize>,
    /// The distributions of cards over suits, sorted by their keys.
    shapes: Vec<Shape>,
    classes: u64,
}

/// The number of cards of each round in one suit: four bits a round, the first round in the highest bits.
type SuitShape = u64;

/// The distribution of a deal over the suits, the largest suit shape first.
#[derive(Clone, Debug)]
struct Shape {
    suits: [SuitShape; 4],
    /// The number of the first class with this distribution.
    start: u64,
}

impl Shape {
    /// Returns the suits in groups of equal shapes: the shape and the number of suits.
    fn groups(&self) -> impl Iterator<Item = (SuitShape, u64)> {
        let groups = self.suits.chunk_by(|a, b| a == b);
        groups.map(|group| (group[0], group.len() as u64))
    }

    /// Returns the number of classes; `None` if it does not fit.
    fn classes(&self, rounds: usize) -> Option<u64> {
        self.groups().try_fold(1u64, |product, (shape, suits)| {
            let sets = rank_sets(shape, rounds);
            product.checked_mul(multisets(sets, suits)?)
        })
    }
}

/// Returns the number of cards that a round has in a suit.
fn count(shape: SuitShape, round: usize, rounds: usize) -> u32 {
    (shape >> (4 * (rounds - 1 - round)) & 0xF) as u32
}

/// Returns the binomial coefficient; `None` if it does not fit.
fn choose(from: u64, number: u64) -> Option<u64> {
    if number > from {
        return Some(0);
    }
    let product = (0..number).try_fold(1u128, |product, step| {
        // The product of `step + 1` consecutive numbers is divisible.
        Some(product.checked_mul((from - step).into())? / u128::from(step + 1))
    });
    product?.try_into().ok()
}

/// Returns the number of multisets of `size` numbers below `kinds`; `None` if it does not fit.
fn multisets(kinds: u64, size: u64) -> Option<u64> {
    choose(kinds + size - 1, size)
}

/// Returns the number of ways to take the ranks of each round in one suit.
fn rank_sets(shape: SuitShape, rounds: usize) -> u64 {
    let mut left = RANKS;
    (0..rounds).fold(1, |product, round| {
        let taken = count(shape, round, rounds);
        let ways = choose(left.into(), taken.into()).unwrap_or(0);
        left -= taken;
        product * ways
    })
}

/// Returns the number of a set of ranks among the sets of its size that avoid the `used` ranks.
fn rank_set_index(ranks: u32, used: u32) -> u64 {
    let mut index = 0;
    let mut rest = ranks;
    let mut size = 0;
    while rest != 0 {
        let rank = rest.trailing_zeros();
        rest &= rest - 1;
        let below = (1u32 << rank) - 1;
        size += 1;
        let place = rank - (used & below).count_ones();
        index += choose(place.into(), size).unwrap_or(0);
    }
    index
}

/// Returns the set of `size` ranks with a number. This is the inverse of [`rank_set_index`].
fn rank_set(mut index: u64, size: u32, used: u32) -> u32 {
    let free: Vec<u32> = (0..RANKS).filter(|rank| used >> rank & 1 == 0).collect();
    let mut ranks = 0;
    for number in (1..=u64::from(size)).rev() {
        let place = largest_place(index, number, free.len() as u64);
        index -= choose(place, number).unwrap_or(0);
        ranks |= 1 << free[place as usize];
    }
    ranks
}

/// Returns the largest place below `end` whose binomial coefficient is at most `index`.
fn largest_place(index: u64, number: u64, end: u64) -> u64 {
    let (mut low, mut high) = (number - 1, end);
    while high - low > 1 {
        let middle = low + (high - low) / 2;
        match choose(middle, number) {
            Some(below) if below <= index => low = middle,
            _ => high = middle,
        }
    }
    low
}

impl HandIndexer {
    /// Creates an indexer for deals with these numbers of cards in each round: `[2, 3, 1, 1]` for hold'em to the
    /// river, `[3]` for flops, `[2, 2]` for two hands.
    ///
    /// # Errors
    /// If there is no round, a round without cards, or more than 13 cards.
    pub fn new(rounds: &[usize]) -> Result<HandIndexer, IndexerError> {
        let fits = |total: usize, &cards: &usize| {
            (cards > 0 && cards <= MAX_CARDS && total + cards <= MAX_CARDS).then_some(total + cards)
        };
        let total = rounds.iter().try_fold(0, fits);
        if rounds.is_empty() || total.is_none() {
            return Err(IndexerError::Rounds(rounds.to_vec()));
        }
        let mut found = BTreeSet::from([[0; 4]]);
        for &cards in rounds {
            let mut next = BTreeSet::new();
            for suits in found {
                extend(suits.map(|shape| shape << 4), 0, cards as u64, &mut next);
            }
            found = next;
        }
        let mut shapes: Vec<Shape> = found
            .into_iter()
            .map(|suits| Shape { suits, start: 0 })
            .collect();
        let mut classes = 0u64;
        for shape in &mut shapes {
            shape.start = classes;
            let own = shape.classes(rounds.len());
            classes = own
                .and_then(|own| classes.checked_add(own))
                .ok_or_else(|| IndexerError::Rounds(rounds.to_vec()))?;
        }
        Ok(HandIndexer {
            rounds: rounds.to_vec(),
            shapes,
            classes,
        })
    }

    /// Returns the number of classes. The numbers of deals are below it.
    #[must_use]
    pub fn classes(&self) -> u64 {
        self.classes
    }

    /// Returns the number of the class of a deal: a set of cards for each round.
    ///
    /// # Errors
    /// If the rounds have other numbers of cards than the indexer, or share a card.
    pub fn index(&self, deal: &[CardSet]) -> Result<u64, IndexerError> {
        let mut all = CardSet::EMPTY;
        let sizes = deal.iter().map(|cards| cards.len());
        if !sizes.eq(self.rounds.iter().copied()) {
            return Err(IndexerError::Cards {
                wanted: self.rounds.clone(),
                found: deal.iter().map(|cards| cards.len()).collect(),
            });
        }
        for &cards in deal {
            let twice = all & cards;
            if !twice.is_empty() {
                return Err(IndexerError::Twice(twice));
            }
            all |= cards;
        }
        let mut suits: [(SuitShape, u64); 4] =
            std::array::from_fn(|suit| suit_number(deal, suit as u32));
        // The largest shape first, and equal shapes by their numbers, so that suits have no names.
        suits.sort_unstable_by(|a, b| b.cmp(a));
        let shape = self
            .shapes
            .binary_search_by_key(&suits.map(|(shape, _)| shape), |shape| shape.suits)
            .expect("every distribution of the cards is listed");
        let shape = &self.shapes[shape];
        let mut index = 0;
        for group in suits.chunk_by(|a, b| a.0 == b.0) {
            let size = group.len() as u64;
            let sets = rank_sets(group[0].0, self.rounds.len());
            let within: u64 = (0..size)
                .map(|place| {
                    let number = group[place as usize].1;
                    choose(number + size - 1 - place, size - place).unwrap_or(0)
                })
                .sum();
            index = index * multisets(sets, size).unwrap_or(0) + within;
        }
        Ok(shape.start + index)
    }

    /// Returns a deal of the class, a set of cards for each round; `None` if there is no such class.
    #[must_use]
    pub fn representative(&self, index: u64) -> Option<Vec<CardSet>> {
        let suits = self.suit_numbers(index)?;
        let mut deal = vec![CardSet::EMPTY; self.rounds.len()];
        for (suit, &(shape, mut number)) in suits.iter().enumerate() {
            let mut used = 0;
            for (round, cards) in deal.iter_mut().enumerate() {
                let size = count(shape, round, self.rounds.len());
                let free = RANKS - used_ranks(used);
                let ways = choose(free.into(), size.into()).unwrap_or(1);
                let ranks = rank_set(number % ways, size, used);
                number /= ways;
                used |= ranks;
                cards.0 |= u64::from(ranks) << (13 * suit);
            }
        }
        Some(deal)
    }

    /// Returns the number of deals in the class: 1 to 24; `None` if there is no such class.
    ///
    /// ```
    /// let hands = croupier_poker::HandIndexer::new(&[2])?;
    /// let deals: Vec<u64> = (0..hands.classes()).filter_map(|class| hands.deals(class)).collect();
    /// assert_eq!(deals.iter().sum::<u64>(), 1326);
    /// # Ok::<(), croupier_poker::IndexerError>(())
    /// ```
    #[must_use]
    pub fn deals(&self, index: u64) -> Option<u64> {
        let suits = self.suit_numbers(index)?;
        let same = suits.chunk_by(|a, b| a == b);
        let orders = |group: &[(SuitShape, u64)]| (1..=group.len() as u64).product::<u64>();
        Some(24 / same.map(orders).product::<u64>())
    }

    /// Returns the shape and number of each suit of a class, equal suits next to each other.
    fn suit_numbers(&self, index: u64) -> Option<[(SuitShape, u64); 4]> {
        if index >= self.classes {
            return None;
        }
        let after = self.shapes.partition_point(|shape| shape.start <= index);
        let shape = &self.shapes[after - 1];
        let groups: Vec<(SuitShape, u64)> = shape.groups().collect();
        let mut suits = [(0, 0); 4];
        let mut rest = index - shape.start;
        let mut end = 4;
        for &(suit_shape, size) in groups.iter().rev() {
            let sets = rank_sets(suit_shape, self.rounds.len());
            let ways = multisets(sets, size)?;
            let mut within = rest % ways;
            rest /= ways;
            let start = end - size as usize;
            for place in 0..size {
                let left = size - place;
                let number = largest_place(within, left, sets + left - 1);
                within -= choose(number, left)?;
                suits[start + place as usize] = (suit_shape, number - (left - 1));
            }
            end = start;
        }
        Some(suits)
    }
}

/// Returns the shape of a suit and the number of its ranks among all with this shape.
fn suit_number(deal: &[CardSet], suit: u32) -> (SuitShape, u64) {
    let (mut shape, mut number, mut used, mut factor) = (0, 0, 0u32, 1);
    for cards in deal {
        let ranks = (cards.0 >> (13 * suit) & SUIT_MASK) as u32;
        let free = RANKS - used_ranks(used);
        shape = shape << 4 | u64::from(ranks.count_ones());
        number += factor * rank_set_index(ranks, used);
        factor *= choose(free.into(), ranks.count_ones().into()).unwrap_or(1);
        used |= ranks;
    }
    (shape, number)
}

fn used_ranks(used: u32) -> u32 {
    used.count_ones()
}

/// Adds all ways to distribute the cards of a round from `suit` on, sorted.
fn extend(suits: [SuitShape; 4], suit: usize, cards: u64, found: &mut BTreeSet<[SuitShape; 4]>) {
    if suit == 4 {
        if cards == 0 {
            let mut sorted = suits;
            sorted.sort_unstable_by(|a, b| b.cmp(a));
            found.insert(sorted);
        }
        return;
    }
    for own in 0..=cards {
        let mut next = suits;
        next[suit] |= own;
        extend(next, suit + 1, cards - own, found);
    }
}

/// A deal or a list of rounds that cannot be numbered.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum IndexerError {
    /// No rounds, a round without cards, or too many cards.
    Rounds(Vec<usize>),
    /// Rounds with other numbers of cards than the indexer.
    Cards {
        /// The numbers of the indexer.
        wanted: Vec<usize>,
        /// The numbers of the deal.
        found: Vec<usize>,
    },
    /// Cards in two rounds.
    Twice(CardSet),
}

impl fmt::Display for IndexerError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            IndexerError::Rounds(rounds) => write!(
                f,
                "rounds of {rounds:?} cards cannot be numbered; give one or more rounds with at least one card each, at most {MAX_CARDS} cards in all, as in [2, 3, 1, 1]"
            ),
            IndexerError::Cards { wanted, found } => write!(
                f,
                "the deal has rounds of {found:?} cards; this indexer numbers rounds of {wanted:?}"
            ),
            IndexerError::Twice(cards) => {
                write!(f, "{} is in two rounds of the deal", format_cards(*cards))
            }
        }
    }
}

impl std::error::Error for IndexerError {}
