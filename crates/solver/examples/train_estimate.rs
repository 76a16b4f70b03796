//! Makes the weights of `solver::estimate` from solved deals.
//!
//!     cargo run --release -p croupier-solver --example train_estimate -- solve 4000 > tables.txt
//!     cargo run --release -p croupier-solver --example train_estimate -- fit tables.txt > crates/solver/src/estimate/weights.rs
//!
//! The first solves random deals (seed 1501, as in the tests; a line a deal: its number and its twenty results), the
//! second fits the features to the mean of the two declarers' results by least squares, on four deals of five, and tells
//! on standard error how far off the fit is on the fifth.

#[path = "../tests/common/mod.rs"]
mod common;

use cards::{Deal, Seat, Side, Strain, Suit};
use common::{RandomDeals, TABLES_SEED, digits};
use solver::{Solver, estimate};

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["solve", count] => solve(0, count.parse().expect("a number of deals")),
        ["solve", first, count] => solve(
            first.parse().expect("a number"),
            count.parse().expect("a number of deals"),
        ),
        ["fit", path] => fit(&std::fs::read_to_string(path).expect("a file of tables")),
        _ => {
            eprintln!("usage: train_estimate solve [FIRST] COUNT | fit FILE");
            std::process::exit(2);
        }
    }
}

fn solve(first: usize, count: usize) {
    let mut solver = Solver::new();
    for (i, deal) in RandomDeals(TABLES_SEED).enumerate().skip(first).take(count) {
        let table = solver.table(&deal);
        let row = |seat: Seat| Strain::ALL.map(|strain| table.tricks(seat, strain));
        println!("{i} {}", digits(Seat::ALL.into_iter().flat_map(row)));
    }
}

fn fit(text: &str) {
    let mut lines: Vec<(usize, &str)> = text
        .lines()
        .filter_map(|line| line.split_once(' '))
        .map(|(number, digits)| (number.parse().expect("a number"), digits))
        .collect();
    lines.sort_unstable();
    lines.dedup();
    let last = lines.last().map_or(0, |line| line.0);
    let deals: Vec<Deal> = RandomDeals(TABLES_SEED).take(last + 1).collect();
    let (mut suits, mut notrumps) = (Vec::new(), Vec::new());
    for (number, digits) in lines {
        let deal = &deals[number];
        let tricks = |seat: Seat, strain: Strain| {
            let digit = digits.as_bytes()[5 * seat.index() + strain.index()];
            f64::from(char::from(digit).to_digit(16).expect("tricks"))
        };
        for side in [Side::NorthSouth, Side::EastWest] {
            let [a, b] = side.seats();
            let result = |strain: Strain| (tricks(a, strain) + tricks(b, strain)) / 2.0;
            for suit in Suit::ALL {
                let features = estimate::suit_features(deal, side, suit);
                suits.push((number, features.map(f64::from), result(suit.into())));
            }
            let features = estimate::notrump_features(deal, side);
            notrumps.push((number, features.map(f64::from), result(Strain::Notrump)));
        }
    }
    println!("//! Weights in thousandths of a trick, written by `examples/train_estimate.rs`.\n");
    println!("use super::{{NOTRUMP_FEATURES, SUIT_FEATURES}};\n");
    weights("SUIT", &suits);
    println!();
    weights("NOTRUMP", &notrumps);
}

/// The number of the deal, the features, and the tricks.
type Sample<const N: usize> = (usize, [f64; N], f64);

fn weights<const N: usize>(name: &str, samples: &[Sample<N>]) {
    let (training, test): (Vec<&Sample<N>>, Vec<&Sample<N>>) =
        samples.iter().partition(|sample| sample.0 % 5 != 0);
    for (what, part) in [("training", training.clone()), ("test", test)] {
        let weights = least_squares(&training);
        let guess = |x: &[f64; N]| x.iter().zip(&weights).map(|(x, w)| x * w).sum::<f64>();
        let square = |of: &dyn Fn(&Sample<N>) -> f64| {
            part.iter().map(|sample| of(sample).powi(2)).sum::<f64>() / part.len() as f64
        };
        let mean = part.iter().map(|sample| sample.2).sum::<f64>() / part.len() as f64;
        let error = square(&|sample| guess(&sample.1).clamp(0.0, 13.0) - sample.2).sqrt();
        let spread = square(&|sample| sample.2 - mean).sqrt();
        eprintln!(
            "{name} {what}: {} samples, spread {spread:.3}, error {error:.3}",
            part.len()
        );
    }
    let weights = least_squares(&samples.iter().collect::<Vec<_>>());
    let whole: Vec<String> = weights
        .iter()
        .map(|w| format!("{}", (w * 1000.0).round()))
        .collect();
    println!("#[rustfmt::skip]");
    println!("pub(super) const {name}: [i32; {name}_FEATURES] = [");
    for line in whole.chunks(12) {
        println!("    {},", line.join(", "));
    }
    println!("];");
}

/// The normal equations with a little ridge, solved by elimination.
fn least_squares<const N: usize>(samples: &[&Sample<N>]) -> [f64; N] {
    let mut matrix = vec![[0.0; N]; N];
    let mut right = [0.0; N];
    for (_, x, y) in samples {
        for i in 0..N {
            right[i] += x[i] * y;
            for j in 0..N {
                matrix[i][j] += x[i] * x[j];
            }
        }
    }
    for (i, row) in matrix.iter_mut().enumerate() {
        row[i] += 1.0;
    }
    for i in 0..N {
        let pivot = (i..N)
            .max_by(|&a, &b| matrix[a][i].abs().total_cmp(&matrix[b][i].abs()))
            .unwrap_or(i);
        matrix.swap(i, pivot);
        right.swap(i, pivot);
        for k in i + 1..N {
            let factor = matrix[k][i] / matrix[i][i];
            let above = matrix[i];
            matrix[k]
                .iter_mut()
                .zip(above)
                .for_each(|(x, a)| *x -= factor * a);
            right[k] -= factor * right[i];
        }
    }
    let mut solution = [0.0; N];
    for i in (0..N).rev() {
        let known: f64 = (i + 1..N).map(|j| matrix[i][j] * solution[j]).sum();
        solution[i] = (right[i] - known) / matrix[i][i];
    }
    solution
}
