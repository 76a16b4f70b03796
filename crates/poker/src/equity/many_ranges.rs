//! Three and more narrow ranges: all boards, with every hand ranked once per board.
//!
//! On a board the hands of all players but the one with most hands are combined one by one. The hands of the last
//! player are bits, sorted by rank: those that share no card with the others are one `and` for each hand of the
//! others, and those that are worse than the best of the others, equal to it or better are counts of bits in three
//! parts of the row.

use std::collections::{BTreeMap, BTreeSet};

use cards::CardSet;

use super::boards::Board;
use super::sorted_hands::{SortedHands, place, strength};
use crate::Rules;

/// The largest number of different weights in the range of the last player.
const MAX_LAYERS: usize = 4;

/// A hand of one of the players that are combined one by one.
struct Held {
    cards: CardSet,
    strength: u32,
    weight: u64,
    /// The number of the last player's hands that are worse, and that are not better.
    worse: usize,
    up_to_equal: usize,
    /// Where the bits of the last player's hands start that share a card with it.
    conflicts: usize,
}

/// The hands of three and more ranges. Each thread has one.
pub(super) struct ManyRanges {
    /// The players in the order of their numbers of hands.
    players: Vec<usize>,
    /// The weight of every hand for each of these players; zero for hands that a player does not have.
    weights: Vec<Vec<u64>>,
    all_hands: Vec<CardSet>,
    hands: SortedHands,
    /// The different weights of the last player.
    layers: Vec<u64>,
    board: BoardHands,
}

/// The hands on a board.
#[derive(Default)]
struct BoardHands {
    /// The live hands of all players but the last.
    held: Vec<Vec<Held>>,
    /// Number of 64-bit words in a row of the last player's hands.
    words: usize,
    /// A row for every hand of the others: the last player's hands that share a card with it.
    conflicts: Vec<u64>,
    /// A row for every weight of the last player: the hands with this weight.
    layers: Vec<u64>,
    /// A row for every number of players who hold cards: the last player's hands that are left.
    left: Vec<u64>,
}

/// The players who hold cards so far.
#[derive(Clone, Copy)]
struct Combination {
    used: CardSet,
    weight: u64,
    best: u32,
    /// The players with the best hand.
    winners: usize,
    worse: usize,
    up_to_equal: usize,
}

/// Returns the product of the sizes of all ranges but the largest, the size of the largest, and the number of its different
/// weights.
fn shape(ranges: &[Vec<(CardSet, u64)>]) -> (f64, usize, usize) {
    let Some(last) = ranges.iter().max_by_key(|range| range.len()) else {
        return (1.0, 0, 0);
    };
    let weights: BTreeSet<u64> = last.iter().map(|&(_, weight)| weight).collect();
    let all: f64 = ranges.iter().map(|range| range.len() as f64).product();
    let others = all / last.len().max(1) as f64;
    (others, last.len(), weights.len())
}

/// Returns the estimated nanoseconds for each board; infinite for too many different weights.
pub(super) fn nanoseconds(ranges: &[Vec<(CardSet, u64)>]) -> f64 {
    let (others, last, layers) = shape(ranges);
    if layers > MAX_LAYERS {
        return f64::INFINITY;
    }
    let hands: usize = ranges.iter().map(Vec::len).sum();
    let words = last.div_ceil(64) * layers;
    2_000.0 + 60.0 * hands as f64 + others * (4.0 + 8.0 * words as f64)
}

impl ManyRanges {
    /// Returns whether the counts of a board fit into their integers.
    pub(super) fn fits(sums: &[u128]) -> bool {
        let product = sums
            .iter()
            .try_fold(1u128, |product, &sum| product.checked_mul(sum));
        product.is_some_and(|product| product < 1 << 63)
    }

    /// Prepares ranges of two-card hands with integer weights.
    pub(super) fn new(rules: Rules, ranges: &[Vec<(CardSet, u64)>]) -> ManyRanges {
        let mut places = BTreeMap::new();
        for (hand, _) in ranges.iter().flatten() {
            places.insert(*hand, 0);
        }
        for (number, place) in places.values_mut().enumerate() {
            *place = number;
        }
        let mut players: Vec<usize> = (0..ranges.len()).collect();
        players.sort_by_key(|&player| ranges[player].len());
        let weights: Vec<Vec<u64>> = players
            .iter()
            .map(|&player| {
                let mut weights = vec![0; places.len()];
                for (hand, weight) in &ranges[player] {
                    weights[places[hand]] = *weight;
                }
                weights
            })
            .collect();
        let last = weights.last().into_iter().flatten();
        let layers: BTreeSet<u64> = last.copied().filter(|&weight| weight > 0).collect();
        let all_hands: Vec<CardSet> = places.keys().copied().collect();
        ManyRanges {
            players,
            weights,
            hands: SortedHands::new(rules, all_hands.clone()),
            all_hands,
            layers: layers.into_iter().collect(),
            board: BoardHands::default(),
        }
    }

    /// Adds the outcomes of all combinations of hands on a board to `wins` (by winner set).
    pub(super) fn add(&mut self, board: Board, wins: &mut [u128]) {
        self.prepare(board.cards);
        let mut totals = vec![0u64; wins.len()];
        let nobody = Combination {
            used: CardSet::EMPTY,
            weight: 1,
            best: 0,
            winners: 0,
            worse: 0,
            up_to_equal: 0,
        };
        let BoardHands {
            held,
            words,
            conflicts,
            layers,
            left,
        } = &mut self.board;
        let search = Search {
            held,
            words: *words,
            conflicts,
            layers,
            weights: &self.layers,
            players: &self.players,
        };
        search.extend(0, nobody, left, &mut totals);
        for (sum, total) in wins.iter_mut().zip(totals) {
            *sum += u128::from(total) * u128::from(board.copies);
        }
    }

    /// Fills the rows of a board.
    fn prepare(&mut self, board: CardSet) {
        let order = self.hands.on_board(board);
        let Some((last, others)) = self.weights.split_last() else {
            return;
        };
        let own: Vec<u32> = order
            .iter()
            .copied()
            .filter(|&key| last[place(key)] > 0)
            .collect();
        let words = own.len().div_ceil(64).max(1);
        let row = |fits: &dyn Fn(u32) -> bool| {
            let mut row = vec![0u64; words];
            for (bit, &key) in own.iter().enumerate() {
                row[bit / 64] |= u64::from(fits(key)) << (bit % 64);
            }
            row
        };
        let all_hands = &self.all_hands;
        let by_card: Vec<Vec<u64>> = (0..52)
            .map(|card| row(&|key| all_hands[place(key)].0 >> card & 1 == 1))
            .collect();
        let board = &mut self.board;
        board.words = words;
        board.conflicts.clear();
        board.layers.clear();
        for &weight in &self.layers {
            board.layers.extend(row(&|key| last[place(key)] == weight));
        }
        board.left = vec![0; words * (others.len() + 1)];
        board.left[..words].copy_from_slice(&row(&|_| true));
        board.held.clear();
        for weights in others {
            let mut held = Vec::new();
            for &key in order.iter().filter(|&&key| weights[place(key)] > 0) {
                let cards = all_hands[place(key)];
                let conflicts = board.conflicts.len();
                board.conflicts.extend((0..words).map(|word| {
                    let bits = cards
                        .iter()
                        .map(|card| CardSet::of(card).0.trailing_zeros());
                    bits.fold(0, |bits, card| bits | by_card[card as usize][word])
                }));
                held.push(Held {
                    cards,
                    strength: strength(key),
                    weight: weights[place(key)],
                    worse: own.partition_point(|&other| strength(other) < strength(key)),
                    up_to_equal: own.partition_point(|&other| strength(other) <= strength(key)),
                    conflicts,
                });
            }
            board.held.push(held);
        }
    }
}

/// The combinations of the other players' hands on a board.
struct Search<'a> {
    held: &'a [Vec<Held>],
    words: usize,
    conflicts: &'a [u64],
    layers: &'a [u64],
    weights: &'a [u64],
    players: &'a [usize],
}

impl Search<'_> {
    /// Adds all combinations that start with the hands so far. `left` has the row of these hands, and room for the next.
    fn extend(&self, number: usize, so_far: Combination, left: &mut [u64], totals: &mut [u64]) {
        let Some(hands) = self.held.get(number) else {
            return self.count(so_far, left, totals);
        };
        let winner = 1 << self.players[number];
        for hand in hands {
            if !hand.cards.is_disjoint(so_far.used) {
                continue;
            }
            let (own, next) = left.split_at_mut(self.words);
            let conflicts = &self.conflicts[hand.conflicts..][..self.words];
            let mut any = 0;
            for ((next, own), conflicts) in next.iter_mut().zip(own).zip(conflicts) {
                *next = *own & !conflicts;
                any |= *next;
            }
            if any == 0 {
                continue;
            }
            let (used, weight) = (so_far.used | hand.cards, so_far.weight * hand.weight);
            let combination = if hand.strength > so_far.best {
                Combination {
                    used,
                    weight,
                    best: hand.strength,
                    winners: winner,
                    worse: hand.worse,
                    up_to_equal: hand.up_to_equal,
                }
            } else {
                let ties = hand.strength == so_far.best;
                Combination {
                    used,
                    weight,
                    winners: so_far.winners | if ties { winner } else { 0 },
                    ..so_far
                }
            };
            self.extend(number + 1, combination, next, totals);
        }
    }

    /// Adds the hands of the last player that are left.
    fn count(&self, others: Combination, left: &[u64], totals: &mut [u64]) {
        let last = 1 << self.players[self.held.len()];
        for (layer, weight) in self.layers.chunks(self.words).zip(self.weights) {
            let (mut worse, mut up_to_equal, mut all) = (0, 0, 0);
            for (word, (left, layer)) in left.iter().zip(layer).enumerate() {
                let hands = left & layer;
                all += hands.count_ones();
                worse += (hands & first_bits(others.worse, word)).count_ones();
                up_to_equal += (hands & first_bits(others.up_to_equal, word)).count_ones();
            }
            let weight = weight * others.weight;
            totals[others.winners] += weight * u64::from(worse);
            totals[others.winners | last] += weight * u64::from(up_to_equal - worse);
            totals[last] += weight * u64::from(all - up_to_equal);
        }
    }
}

/// Returns the bits of a word that are among the first `count` bits of its row.
fn first_bits(count: usize, word: usize) -> u64 {
    match count.saturating_sub(64 * word) {
        bits @ 0..64 => (1 << bits) - 1,
        _ => u64::MAX,
    }
}
