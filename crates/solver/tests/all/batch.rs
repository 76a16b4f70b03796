//! Batches give the results of single searches, in order, whatever they share.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use crate::common::RandomDeals;
use crate::common::positions::{RandomPositions, text};
use cards::{Card, CardSet, Deal};
use croupier_solver::{Position, Solver, SolverBatch};

/// Deals the cards of two hands again: those of the two seats after the one that plays next.
fn related(position: &Position, random: &mut RandomDeals) -> Option<Position> {
    let mut hands = position.hands();
    let hidden = [1, 2].map(|step| position.to_play().clockwise(step).index());
    let mut pool: Vec<Card> = hidden.iter().flat_map(|&seat| hands[seat].iter()).collect();
    for seat in hidden {
        let number = hands[seat].len();
        let mut draw = || pool.swap_remove(random.below(pool.len() as u64) as usize);
        hands[seat] = (0..number).fold(CardSet::EMPTY, |hand, _| hand | CardSet::of(draw()));
    }
    let (strain, leader) = (position.strain(), position.leader());
    Position::new(hands, strain, leader, position.trick()).ok()
}

#[test]
fn a_batch_of_related_positions_equals_single_searches() {
    let mut random = RandomDeals(80);
    let mut positions = Vec::new();
    for position in RandomPositions(RandomDeals(81)).take(120) {
        positions.extend((0..10).filter_map(|_| related(&position, &mut random)));
        positions.push(position);
    }
    let values: Vec<u8> = positions
        .iter()
        .map(|position| Solver::new().north_south(position))
        .collect();
    let choices: Vec<_> = positions
        .iter()
        .map(|position| Solver::new().choices(position))
        .collect();
    for threads in [1, 3] {
        let mut batch = SolverBatch::with_memory(threads, 8);
        for (position, (found, value)) in positions
            .iter()
            .zip(batch.north_south(&positions).into_iter().zip(&values))
        {
            assert_eq!(found, *value, "{}", text(position));
        }
        assert_eq!(batch.choices(&positions), choices);
    }
}

#[test]
fn tables_of_more_deals_than_threads_are_in_order() {
    let deals: Vec<Deal> = RandomDeals(82).take(7).collect();
    let mut solver = Solver::new();
    let expected: Vec<_> = deals.iter().map(|deal| solver.table(deal)).collect();
    assert_eq!(SolverBatch::new(3).tables(&deals), expected);
    assert!(SolverBatch::new(0).tables(&[]).is_empty());
}

#[test]
fn a_cancelled_batch_returns_nothing_and_later_calls_work() {
    let deals: Vec<Deal> = RandomDeals(83).take(2).collect();
    let mut batch = SolverBatch::new(2);
    let stop = Arc::new(AtomicBool::new(true));
    assert!(
        batch
            .with_cancellation(&stop, |batch| batch.tables(&deals))
            .is_none()
    );
    assert_eq!(batch.tables(&deals)[1], Solver::new().table(&deals[1]));
}

#[test]
fn optimal_cards_of_a_play_are_those_of_each_position() {
    let mut solver = Solver::new();
    for (i, deal) in RandomDeals(84).take(3).enumerate() {
        let start = Position::opening(&deal, cards::Seat::from_index(i), cards::Strain::ALL[i]);
        let mut now = start.clone();
        let (mut played, mut expected) = (Vec::new(), Vec::new());
        while now.tricks_left() > 0 {
            expected.push(Solver::new().choices(&now).best_cards());
            let card = now.legal().iter().last().expect("a legal card");
            played.push(card);
            now.play(card).expect("a legal card");
        }
        assert_eq!(solver.optimal_cards(&start, &played), Ok(expected));
        played.swap(0, 1);
        assert!(solver.optimal_cards(&start, &played).is_err());
    }
}
