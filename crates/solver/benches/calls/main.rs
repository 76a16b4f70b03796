//! CPU time of calls of programs that bid and play: our batches, our single searches, and libdds called in the same way.
//!
//! `cargo bench -p croupier-solver --bench calls [-- FILE [CALLS]]` replays the first CALLS calls of a recording with an
//! object in each line, such as benchmarks/testdata/dds-camrose-1-32.jsonl of github.com/dds-bridge/dds, and compares all
//! answers. Without a file it replays the calls of `tests/data/recorded-calls.txt` and generated ones: layouts of two or
//! three hidden hands, before the opening lead and later in the play.

#[path = "../../tests/calls/mod.rs"]
mod calls;
#[path = "../../tests/common/mod.rs"]
mod common;
#[path = "../../tests/peer/mod.rs"]
mod peer;

use std::time::Duration;

use calls::{Answers, RecordedCall};
use cards::{Card, CardSet, Seat, Strain};
use common::RandomDeals;
use cpu_time::ThreadTime;
use croupier_solver::{Position, Solver, SolverBatch};
use peer::Libdds;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let mut arguments = arguments.iter().filter(|argument| *argument != "--bench");
    let mut libdds = Libdds::start("libdds-calls");
    if let Some(path) = arguments.next() {
        let text = std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{path}: {error}"));
        let number = arguments.next().map_or(usize::MAX, |number| {
            number.parse().expect("a number of calls")
        });
        let mut calls = calls::read_recording(&text);
        calls.truncate(number);
        replay("recording", &calls, &mut libdds);
        return;
    }
    let text = include_str!("../../tests/data/recorded-calls.txt");
    replay("recorded calls", &calls::read_compact(text), &mut libdds);
    for (tricks, known, number) in [
        (13, 1, 3),
        (13, 2, 3),
        (11, 2, 12),
        (9, 2, 24),
        (7, 2, 24),
        (5, 2, 24),
    ] {
        let mut random = RandomDeals(90 + tricks as u64);
        let calls: Vec<RecordedCall> = (0..number)
            .map(|_| generated(tricks, known, 50, &mut random))
            .collect();
        replay(
            &format!("{tricks} tricks left, {known} known"),
            &calls,
            &mut libdds,
        );
    }
}

/// Replays calls and prints the CPU time of each way, in milliseconds a call.
fn replay(name: &str, calls: &[RecordedCall], libdds: &mut Libdds) {
    let mut times = [Duration::ZERO; 3];
    let (mut solver, mut batch) = (Solver::new(), SolverBatch::new(1));
    let mut positions = 0;
    for (number, call) in calls.iter().enumerate() {
        positions += call.positions.len();
        let is_best = matches!(call.answers, Answers::Best(_));
        for turn in 0..3 {
            match (number + turn) % 3 {
                0 => {
                    let start = ThreadTime::now();
                    for position in &call.positions {
                        if is_best {
                            let _ = solver.north_south(position);
                        } else {
                            let _ = solver.choices(position);
                        }
                    }
                    times[0] += start.elapsed();
                }
                1 => {
                    let start = ThreadTime::now();
                    if is_best {
                        let _ = batch.north_south(&call.positions);
                    } else {
                        let _ = batch.choices(&call.positions);
                    }
                    times[1] += start.elapsed();
                }
                _ => {
                    for position in &call.positions {
                        libdds.position(position, is_best);
                        times[2] += libdds.time();
                    }
                }
            }
        }
        let choices = batch.choices(&call.positions);
        if let Some(place) = call.difference(&choices) {
            panic!("call {number}, position {place}: our answer differs");
        }
    }
    let ms = times.map(|time| time.as_secs_f64() * 1e3 / calls.len() as f64);
    println!(
        "{name:<26} {:4} calls {positions:6} positions   single {:8.2} ms   batch {:8.2} ms ({:4.2}x)   libdds {:8.2} ms ({:4.2}x of batch)",
        calls.len(),
        ms[0],
        ms[1],
        ms[0] / ms[1],
        ms[2],
        ms[2] / ms[1],
    );
}

/// Generates a call: `number` layouts of the hidden hands after optimal play, with the answers of a new solver. Half of
/// the calls before the lead ask for the best card only, as programs do that bid.
fn generated(tricks: usize, known: usize, number: usize, random: &mut RandomDeals) -> RecordedCall {
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
    let seats = [position.to_play(), position.to_play().next()];
    let positions: Vec<Position> = (0..number)
        .map(|_| layout(&position, &seats[..known], random))
        .collect();
    let best: Vec<u8> = positions
        .iter()
        .map(|it| solver.choices(it).best())
        .collect();
    let answers = match tricks {
        13 if known == 1 => Answers::Best(best),
        _ => Answers::Cards(Vec::new()),
    };
    RecordedCall { positions, answers }
}

/// Deals the cards of the hidden hands again.
fn layout(position: &Position, known: &[Seat], random: &mut RandomDeals) -> Position {
    let mut hands = position.hands();
    let hidden: Vec<usize> = (0..4)
        .filter(|&seat| !known.contains(&Seat::from_index(seat)))
        .collect();
    let mut pool: Vec<Card> = hidden.iter().flat_map(|&seat| hands[seat].iter()).collect();
    for seat in hidden {
        let number = hands[seat].len();
        let mut draw = || pool.swap_remove(random.below(pool.len() as u64) as usize);
        hands[seat] = (0..number).fold(CardSet::EMPTY, |hand, _| hand | CardSet::of(draw()));
    }
    Position::new(hands, position.strain(), position.leader(), &[]).expect("a position")
}
