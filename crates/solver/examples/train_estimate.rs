//! Fits the weights of `croupier_solver::estimate` to solved deals.
//!
//!     cargo run --release -p croupier-solver --example train_estimate -- solve 10000 20000 > more.txt
//!     cargo run --release -p croupier-solver --example train_estimate -- fit crates/solver/tests/data/oracle-tables.txt > weights.rs
//!     mv weights.rs crates/solver/src/estimate/weights.rs
//!
//! The first command solves random deals (seed 1501, as in the tests) and writes a line for each: its number and its
//! twenty results. You need it only for more deals than the tests have; then give `fit` both files.
//!
//! The second command trains the network on the mean of the two declarers' results, by stochastic gradient descent
//! (Adam) with a falling rate, and rounds the weights. Every fifth deal is kept out of the training. The command prints
//! the error of the rounded weights on both parts to standard error. The weights in the repository come from this
//! command with the 2,568 tables that the file had then. It takes 20 seconds.

#[path = "../tests/common/mod.rs"]
mod common;

use std::fmt::Write;

use cards::{Deal, Seat, Side, Strain};
use common::{RandomDeals, TABLES_SEED, digits};
use croupier_solver::Solver;
use croupier_solver::estimate::{
    self, CONSTANT_INPUT, FIRST_WIDTH, HAND_ORDERS, INPUTS, Network, SECOND_WIDTH, UNIT,
};

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["solve", first, count] => solve(
            first.parse().expect("a number"),
            count.parse().expect("a number of deals"),
        ),
        ["fit", ref files @ ..] if !files.is_empty() => {
            let solved = files.iter().flat_map(|path| read(path));
            let (unseen, tables) = solved.partition::<Vec<_>, _>(|solved| solved.number % 5 == 0);
            fit(&tables, &unseen);
        }
        _ => {
            eprintln!("usage: train_estimate solve FIRST COUNT | fit TABLES...");
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

/// A deal and its results.
struct Solved {
    number: usize,
    deal: Deal,
    digits: String,
}

impl Solved {
    /// Returns the mean tricks of the two declarers of a side.
    fn tricks(&self, side: Side, strain: Strain) -> f32 {
        let of = |seat: Seat| {
            let digit = self.digits.as_bytes()[5 * seat.index() + strain.index()];
            char::from(digit).to_digit(16).expect("tricks") as f32
        };
        let [a, b] = side.seats();
        (of(a) + of(b)) / 2.0
    }
}

fn read(path: &str) -> Vec<Solved> {
    let text = std::fs::read_to_string(path).expect("a file of tables");
    let mut lines: Vec<(usize, &str)> = text
        .lines()
        .filter_map(|line| line.split_once(' '))
        .map(|(number, digits)| (number.parse().expect("a number"), digits))
        .collect();
    lines.sort_unstable();
    lines.dedup();
    let mut lines = lines.into_iter().peekable();
    let mut solved = Vec::new();
    for (number, deal) in RandomDeals(TABLES_SEED).enumerate() {
        if lines.peek().is_none() {
            break;
        }
        if let Some((_, digits)) = lines.next_if(|line| line.0 == number) {
            solved.push(Solved {
                number,
                deal,
                digits: digits.to_owned(),
            });
        }
    }
    solved
}

fn fit(tables: &[Solved], unseen: &[Solved]) {
    println!("//! Weights of the networks, written by `examples/train_estimate.rs`.\n");
    println!("use super::network::Network;\n");
    let suits: Vec<Strain> = Strain::ALL
        .into_iter()
        .filter(|strain| strain.suit().is_some())
        .collect();
    for (name, strains, epochs, decay) in [
        ("SUIT", &suits[..], 120, 1e-5),
        ("NOTRUMP", &[Strain::Notrump][..], 240, 1e-4),
    ] {
        let network = train(tables, strains, epochs, decay).rounded(name == "SUIT");
        for (what, deals) in [("trained on", tables), ("unseen", unseen)] {
            let (error, spread) = errors(&network, deals, strains);
            eprintln!(
                "{name}: {} deals {what}: error {error:.3}, spread {spread:.3}",
                deals.len()
            );
        }
        println!("{}", source(name, &network));
    }
}

/// Returns the standard error of the network, and that of a constant estimate (the mean).
fn errors(network: &Network, deals: &[Solved], strains: &[Strain]) -> (f64, f64) {
    let (mut n, mut sum, mut squares, mut wrong) = (0.0, 0.0, 0.0, 0.0);
    for solved in deals {
        let holdings = estimate::holdings(&solved.deal);
        for side in [Side::NorthSouth, Side::EastWest] {
            for &strain in strains {
                let tricks = f64::from(solved.tricks(side, strain));
                let guess = f64::from(network.hundredths(&holdings, side, strain)) / 100.0;
                n += 1.0;
                sum += tricks;
                squares += tricks * tricks;
                wrong += (guess - tricks).powi(2);
            }
        }
    }
    let spread = squares / n - (sum / n) * (sum / n);
    ((wrong / n).sqrt(), spread.sqrt())
}

/// Rows of a first layer: the inputs and the constants.
const ROWS: usize = INPUTS + 1;
/// Start of each group of weights in the list of all weights.
const SIDES: usize = ROWS * FIRST_WIDTH;
const TO_SECOND: usize = 2 * ROWS * FIRST_WIDTH;
const CONSTANTS: usize = TO_SECOND + 2 * FIRST_WIDTH * SECOND_WIDTH;
const LAST: usize = CONSTANTS + SECOND_WIDTH;
const DIRECT: usize = LAST + SECOND_WIDTH;
const START: usize = DIRECT + 2 * FIRST_WIDTH;
const ALL: usize = START + 1;

/// A network during training.
struct Learner {
    weights: Vec<f32>,
    slope: Vec<f32>,
    mean: Vec<f32>,
    square: Vec<f32>,
    steps: i32,
}

/// A training sample: the inputs of the suits, trumps first, and the tricks.
struct Sample {
    suits: [[f32; ROWS]; 4],
    trumps: bool,
    tricks: f32,
}

fn sample(solved: &Solved, side: Side, strain: Strain, turn: usize) -> Sample {
    let holdings = estimate::holdings(&solved.deal);
    let mut suits = estimate::of_suits(&holdings, side, turn).map(|inputs| {
        let mut row = [f32::from(CONSTANT_INPUT); ROWS];
        for (place, input) in row.iter_mut().zip(inputs) {
            *place = f32::from(input);
        }
        row
    });
    if let Some(trumps) = strain.suit() {
        suits.swap(0, trumps.index());
    }
    Sample {
        suits,
        trumps: strain.suit().is_some(),
        tricks: solved.tricks(side, strain),
    }
}

fn train(tables: &[Solved], strains: &[Strain], epochs: usize, decay: f32) -> Learner {
    const BATCH: usize = 256;
    const RATE: f32 = 3e-3;
    let sides = [Side::NorthSouth, Side::EastWest];
    let mut order: Vec<(usize, Side, Strain, usize)> = Vec::new();
    for i in 0..tables.len() {
        for side in sides {
            for &strain in strains {
                order.extend((0..HAND_ORDERS).map(|turn| (i, side, strain, turn)));
            }
        }
    }
    let mut random = RandomDeals(1504);
    let mut learner = Learner::new(&mut random);
    let steps = (epochs * order.len() / BATCH) as f32;
    for _ in 0..epochs {
        for i in (1..order.len()).rev() {
            order.swap(i, random.below(i as u64 + 1) as usize);
        }
        for batch in order.chunks_exact(BATCH) {
            for &(i, side, strain, turn) in batch {
                learner.learn(&sample(&tables[i], side, strain, turn));
            }
            let left = 1.0 - learner.steps as f32 / steps;
            learner.step(RATE * left.max(0.0), BATCH as f32, decay);
        }
    }
    learner
}

impl Learner {
    fn new(random: &mut RandomDeals) -> Learner {
        let mut weights = vec![0.0; ALL];
        for (i, weight) in weights.iter_mut().enumerate() {
            let size = match i {
                0..TO_SECOND => 0.15,
                TO_SECOND..CONSTANTS => 0.1,
                LAST..DIRECT => 0.2,
                _ => 0.0,
            };
            *weight = size * (random.below(2001) as f32 / 1000.0 - 1.0);
        }
        weights[START] = 6.0;
        Learner {
            weights,
            slope: vec![0.0; ALL],
            mean: vec![0.0; ALL],
            square: vec![0.0; ALL],
            steps: 0,
        }
    }

    /// Adds the gradient of the squared error of one sample.
    fn learn(&mut self, sample: &Sample) {
        let weights = &self.weights;
        let mut values = [[0.0; FIRST_WIDTH]; 4];
        let mut seen = [0.0; 2 * FIRST_WIDTH];
        let layer = |suit: usize| if sample.trumps && suit == 0 { 0 } else { SIDES };
        let half = |suit: usize| {
            if sample.trumps && suit == 0 {
                0
            } else {
                FIRST_WIDTH
            }
        };
        for suit in 0..4 {
            let value = &mut values[suit];
            let rows = weights[layer(suit)..].chunks_exact(FIRST_WIDTH);
            for (&input, row) in sample.suits[suit].iter().zip(rows) {
                if input != 0.0 {
                    value.iter_mut().zip(row).for_each(|(v, w)| *v += input * w);
                }
            }
            for (sum, v) in seen[half(suit)..].iter_mut().zip(value) {
                *sum += v.max(0.0);
            }
        }
        let mut second: [f32; SECOND_WIDTH] =
            weights[CONSTANTS..LAST].try_into().expect("its width");
        let mut tricks = weights[START];
        for (i, &s) in seen.iter().enumerate() {
            tricks += s * weights[DIRECT + i];
            let row = &weights[TO_SECOND + i * SECOND_WIDTH..][..SECOND_WIDTH];
            second.iter_mut().zip(row).for_each(|(v, w)| *v += s * w);
        }
        for (v, w) in second.iter().zip(&weights[LAST..]) {
            tricks += v.max(0.0) * w;
        }
        // Back propagation.
        let slope = &mut self.slope;
        let error = 2.0 * (tricks - sample.tricks);
        slope[START] += error;
        let mut back = [0.0; SECOND_WIDTH];
        for k in 0..SECOND_WIDTH {
            slope[LAST + k] += error * second[k].max(0.0);
            if second[k] > 0.0 {
                back[k] = error * weights[LAST + k];
                slope[CONSTANTS + k] += back[k];
            }
        }
        let mut down = [0.0; 2 * FIRST_WIDTH];
        for (i, &s) in seen.iter().enumerate() {
            slope[DIRECT + i] += error * s;
            let from = TO_SECOND + i * SECOND_WIDTH;
            let row = &weights[from..][..SECOND_WIDTH];
            down[i] = error * weights[DIRECT + i]
                + row.iter().zip(&back).map(|(w, b)| w * b).sum::<f32>();
            let row = &mut slope[from..][..SECOND_WIDTH];
            row.iter_mut().zip(&back).for_each(|(g, b)| *g += s * b);
        }
        for suit in 0..4 {
            let mut of: [f32; FIRST_WIDTH] = down[half(suit)..][..FIRST_WIDTH]
                .try_into()
                .expect("its width");
            for (b, &v) in of.iter_mut().zip(&values[suit]) {
                if v <= 0.0 {
                    *b = 0.0;
                }
            }
            let rows = slope[layer(suit)..].chunks_exact_mut(FIRST_WIDTH);
            for (&input, row) in sample.suits[suit].iter().zip(rows) {
                if input != 0.0 {
                    row.iter_mut().zip(&of).for_each(|(g, b)| *g += input * b);
                }
            }
        }
    }

    /// Makes one step of Adam against the gradient. Weights stay in the range of a byte.
    fn step(&mut self, rate: f32, batch: f32, decay: f32) {
        self.steps += 1;
        let [short, long] = [0.9f32, 0.999].map(|keep| 1.0 - keep.powi(self.steps));
        let most = 127.0 / UNIT as f32;
        for i in 0..ALL {
            let slope = self.slope[i] / batch + decay * self.weights[i];
            self.slope[i] = 0.0;
            self.mean[i] = 0.9 * self.mean[i] + 0.1 * slope;
            self.square[i] = 0.999 * self.square[i] + 0.001 * slope * slope;
            let step = self.mean[i] / short / ((self.square[i] / long).sqrt() + 1e-8);
            self.weights[i] -= rate * step;
            if !(CONSTANTS..LAST).contains(&i) && i != START {
                self.weights[i] = self.weights[i].clamp(-most, most);
            }
        }
    }

    /// Returns the network with integer weights. In notrump the weights for trumps are zero.
    fn rounded(&self, trumps: bool) -> Network {
        let of_trumps = [
            0..SIDES,
            TO_SECOND..TO_SECOND + FIRST_WIDTH * SECOND_WIDTH,
            DIRECT..DIRECT + FIRST_WIDTH,
        ];
        let byte = |i: usize| match !trumps && of_trumps.iter().any(|range| range.contains(&i)) {
            true => 0,
            false => (self.weights[i] * UNIT as f32).round() as i8,
        };
        let fine = |i: usize| (self.weights[i] * (UNIT * UNIT) as f32).round() as i32;
        let layer = |from: usize| {
            std::array::from_fn(|row| std::array::from_fn(|i| byte(from + row * FIRST_WIDTH + i)))
        };
        Network {
            trumps: layer(0),
            sides: layer(SIDES),
            second: std::array::from_fn(|row| {
                std::array::from_fn(|i| byte(TO_SECOND + row * SECOND_WIDTH + i))
            }),
            constants: std::array::from_fn(|i| fine(CONSTANTS + i)),
            last: std::array::from_fn(|i| byte(LAST + i)),
            direct: std::array::from_fn(|i| byte(DIRECT + i)),
            start: fine(START),
        }
    }
}

/// Returns the network as Rust source.
fn source(name: &str, network: &Network) -> String {
    let list = |row: &[i8]| {
        let numbers: Vec<String> = row.iter().map(i8::to_string).collect();
        format!("[{}]", numbers.join(", "))
    };
    let mut text = format!("#[rustfmt::skip]\npub(super) static {name}: Network = Network {{\n");
    let mut rows = |field: &str, rows: Vec<String>| {
        writeln!(
            text,
            "    {field}: [\n        {},\n    ],",
            rows.join(",\n        ")
        )
        .expect("text");
    };
    let layer = |layer: &[[i8; FIRST_WIDTH]]| layer.iter().map(|row| list(row)).collect();
    rows("trumps", layer(&network.trumps));
    rows("sides", layer(&network.sides));
    rows(
        "second",
        network.second.iter().map(|row| list(row)).collect(),
    );
    writeln!(text, "    constants: {:?},", network.constants).expect("text");
    writeln!(text, "    last: {},", list(&network.last)).expect("text");
    writeln!(text, "    direct: {},", list(&network.direct)).expect("text");
    write!(text, "    start: {},\n}};", network.start).expect("text");
    text
}
