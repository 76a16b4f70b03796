//! Measures how many sampled layouts have the result of an earlier one because they differ only in cards that do not
//! decide: `cargo run --release -p croupier-solver --example equal_layouts [LAYOUTS]`.
//!
//! A study that knows equal layouts can leave out their searches. Each layout still counts once: layouts are drawn with
//! equal chances, so a weight by the number of equal layouts would count large classes twice.

#[path = "../tests/common/mod.rs"]
mod common;

use cards::{Card, CardSet, Seat, Strain};
use common::RandomDeals;
use croupier_solver::{DecidingCards, Position, SeatSet, Solver};

fn main() {
    let number = std::env::args()
        .nth(1)
        .map_or(1_000, |number| number.parse().expect("a number of layouts"));
    println!("tricks  known hands  layouts  equal to an earlier one  equal layouts (median)");
    for (tricks, known) in [(13, 1), (13, 2), (10, 2), (8, 2), (6, 2), (5, 2), (4, 2)] {
        let mut random = RandomDeals(60 + tricks as u64);
        let (mut equal, mut sizes) = (0, Vec::new());
        const PROBLEMS: usize = 5;
        for _ in 0..PROBLEMS {
            let position = problem(tricks, &mut random);
            let seats = [position.to_play(), position.to_play().next()];
            let known: SeatSet = seats[..known].iter().copied().collect();
            let mut solver = Solver::new();
            let mut solved: Vec<(Position, DecidingCards)> = Vec::new();
            for _ in 0..number {
                let layout = layout(&position, known, &mut random);
                if solved
                    .iter()
                    .any(|(other, deciding)| is_equal(other, deciding, &layout))
                {
                    equal += 1;
                    continue;
                }
                let deciding = solver.deciding_cards(&layout);
                sizes.push(deciding.layouts(&layout, known));
                solved.push((layout, deciding));
            }
        }
        sizes.sort_unstable();
        let share = 100.0 * f64::from(equal) / (number * PROBLEMS) as f64;
        let median = sizes[sizes.len() / 2];
        let hands = if known == 1 { "1" } else { "2" };
        println!("{tricks:6}  {hands:>11}  {number:7}  {share:21.1} %  {median}");
    }
}

/// Returns whether a layout differs from a solved one only in cards that do not decide.
fn is_equal(solved: &Position, deciding: &DecidingCards, layout: &Position) -> bool {
    solved.hands().iter().zip(layout.hands()).all(|(a, b)| {
        let lengths = |hand: CardSet| cards::Suit::ALL.map(|suit| hand.holding(suit).len());
        *a & deciding.cards == b & deciding.cards && lengths(*a) == lengths(b)
    })
}

/// Returns a random deal after optimal play.
fn problem(tricks: usize, random: &mut RandomDeals) -> Position {
    let deal = random.next().expect("a deal");
    let declarer = Seat::from_index(random.below(4) as usize);
    let strain = Strain::from_index(random.below(5) as usize);
    let mut position = Position::opening(&deal, declarer, strain);
    let mut solver = Solver::new();
    while position.tricks_left() > tricks || !position.trick().is_empty() {
        let best = solver.choices(&position).best_cards();
        let place = random.below(best.len() as u64) as usize;
        let card = best.iter().nth(place).expect("a card");
        position.play(card).expect("a legal card");
    }
    position
}

/// Deals the cards of the hidden hands again.
fn layout(position: &Position, known: SeatSet, random: &mut RandomDeals) -> Position {
    let mut hands = position.hands();
    let hidden: Vec<usize> = (0..4)
        .filter(|&seat| !known.contains(Seat::from_index(seat)))
        .collect();
    let mut pool: Vec<Card> = hidden.iter().flat_map(|&seat| hands[seat].iter()).collect();
    for seat in hidden {
        let number = hands[seat].len();
        let mut draw = || pool.swap_remove(random.below(pool.len() as u64) as usize);
        hands[seat] = (0..number).fold(CardSet::EMPTY, |hand, _| hand | CardSet::of(draw()));
    }
    Position::new(hands, position.strain(), position.leader(), &[]).expect("a position")
}
