//! Exact counts for each combination of known hands of all players.

use super::Query;
use super::fixed::{Prefix, Spot};
use super::omaha_count::OmahaSpot;
use super::symmetry::SuitPermutation;
use super::threads::sum_in_parallel;
use super::tuples::{Ranges, Tuple, classes, for_each_tuple};
use crate::Game;
use crate::rows::Rows;

/// Maximum number of combinations of hands that are grouped into classes of equal suits. More would need too much
/// memory and are counted one by one.
pub(super) const MAX_TUPLES: f64 = 4e6;

/// Returns the counts by winner set over all combinations of hands.
pub(super) fn hand_by_hand(
    query: &Query,
    ranges: &Ranges,
    symmetries: &[SuitPermutation],
    threads: usize,
) -> Vec<u128> {
    let tuples: f64 = ranges.iter().map(|range| range.len() as f64).product();
    let sets = 1 << query.players.len();
    let cards = ranges.len() * query.game.hole_cards();
    if tuples > MAX_TUPLES {
        let largest = (0..ranges.len())
            .max_by_key(|&player| ranges[player].len())
            .unwrap_or(0);
        return sum_in_parallel(threads, ranges[largest].len(), sets, || {
            let mut counter = Counter::new(query);
            move |item: usize, sums: &mut [u128]| {
                for_each_tuple(ranges, largest, item, &mut |hands, weight| {
                    for part in 0..counter.parts(cards) {
                        counter.add(hands, weight, part, sums);
                    }
                });
            }
        });
    }
    let classes = classes(ranges, symmetries);
    let parts = Counter::new(query).parts(cards);
    // A count is fast, so threads do not pay off for a few of them.
    let few = query.game.has_two_hole_cards() && classes.len() < 16;
    let threads = if few { 1 } else { threads };
    sum_in_parallel(threads, classes.len() * parts, sets, || {
        let mut counter = Counter::new(query);
        let classes = &classes;
        move |item: usize, sums: &mut [u128]| {
            let (hands, weight) = &classes[item / parts];
            counter.add(hands, *weight, item % parts, sums);
        }
    })
}

/// Counts the boards of known hands.
struct Counter<'a> {
    query: &'a Query,
    rows: &'static Rows,
    wins: Vec<u64>,
    prefixes: Vec<Prefix>,
}

impl Counter<'_> {
    fn new(query: &Query) -> Counter<'_> {
        Counter {
            query,
            rows: Rows::of(query.game.rules()),
            wins: vec![0; 1 << query.players.len()],
            prefixes: Vec::new(),
        }
    }

    /// Returns the number of parts into which the boards of one combination of hands are divided. Omaha boards are
    /// enumerated one by one, which is slow enough to share among threads. `cards` is the number of cards in hands.
    fn parts(&self, cards: usize) -> usize {
        match self.query.game {
            Game::Omaha | Game::Omaha5 | Game::Omaha6 => {
                OmahaSpot::parts(self.query.board, self.query.left().len() - cards)
            }
            _ => 1,
        }
    }

    /// Adds one part of the boards, times a weight, to the sums.
    fn add(&mut self, hands: &Tuple, weight: u128, part: usize, sums: &mut [u128]) {
        let Query { game, board, .. } = *self.query;
        let left = hands
            .iter()
            .fold(self.query.left(), |left, &hand| left - hand);
        let hands = &hands[..self.query.players.len()];
        if !game.has_two_hole_cards() {
            OmahaSpot::new(hands, board, left).count(part, &mut self.wins);
        } else {
            let spot = Spot {
                rows: self.rows,
                hands,
                board,
                left,
            };
            spot.count(&mut self.prefixes, &mut self.wins);
        }
        for (sum, wins) in sums.iter_mut().zip(&mut self.wins) {
            *sum += u128::from(*wins) * weight;
            *wins = 0;
        }
    }
}
