//! Solves the catalogue and measures the time: `cargo run --release --example table [every] [file]`.
//!
//! Solves every `every`-th combination (1 by default: all 159,093) for all numbers of tricks and the average, in one
//! thread, and prints the processor time by number of missing cards. With a file, and if all are solved, writes the table
//! of the book, `data/chances.bin`.

use std::fs;
use std::time::Instant;

use croupier_suits::{Combination, SuitSolver, VacantPlaces, WeightedCombination, book, catalogue};

/// Returns the processor time of this thread in milliseconds if the system reports it, else the time since `start`.
fn milliseconds(start: Instant) -> f64 {
    let spent = fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanoseconds = spent.and_then(|text| text.split(' ').next()?.parse::<f64>().ok());
    nanoseconds.map_or(start.elapsed().as_secs_f64() * 1e3, |time| time / 1e6)
}

/// Prints a row for the combinations with `missing` missing cards.
fn report(missing: usize, mut times: Vec<(f64, Combination)>) -> f64 {
    times.sort_by(|one, other| one.0.total_cmp(&other.0));
    let at = |share: f64| times[((times.len() - 1) as f64 * share) as usize].0;
    let sum: f64 = times.iter().map(|(time, _)| time).sum();
    println!(
        "{missing:7}  {:6}  {:7.3}  {:6.2}  {:7.2}  {:6.2}  {}",
        times.len(),
        sum / times.len() as f64,
        at(0.99),
        at(0.999),
        at(1.0),
        times[times.len() - 1].1
    );
    sum
}

fn main() {
    let start = Instant::now();
    let mut arguments = std::env::args().skip(1);
    let every: usize = arguments.next().map_or(1, |text| text.parse().unwrap());
    let file = arguments.next();
    let chosen: Vec<Combination> = catalogue().into_iter().step_by(every).collect();
    let mut solutions = Vec::new();
    let mut everything = 0.0;
    println!("missing  number  mean_ms  p99_ms  p999_ms  max_ms  hardest");
    for of_kind in chosen.chunk_by(|one, other| one.missing().len() == other.missing().len()) {
        let mut times = Vec::new();
        for &combination in of_kind {
            let before = milliseconds(start);
            let problem = WeightedCombination::new(combination, VacantPlaces::default()).unwrap();
            solutions.push(SuitSolver::new(problem).solve());
            times.push((milliseconds(start) - before, combination));
        }
        everything += report(of_kind[0].missing().len(), times);
    }
    println!("{:.1} seconds in all", everything / 1e3);
    if let (Some(file), 1) = (file, every) {
        fs::write(file, book::encode(&solutions).unwrap()).unwrap();
    }
}
