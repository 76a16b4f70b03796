//! Exact equity and simulation: the time of every match-up of the test vectors, on one thread.
//!
//! `cargo bench -p croupier-poker --bench equity`

use std::hint::black_box;
use std::time::{Duration, Instant};

use cpu_time::ThreadTime;

use croupier_poker::{EquityMethod, EquityOptions, Game, Query, Range, StopRule, parse_cards};

/// Omaha hands on the flop Tc5h2s.
const OMAHA: [(&str, Game, [&str; 2]); 4] = [
    ("om4", Game::Omaha, ["AsAhKsKh", "9c8c7d6d"]),
    ("om5", Game::Omaha5, ["AsAhKsKhQd", "9c8c7d6d4s"]),
    ("om6", Game::Omaha6, ["AsAhKsKhQdJd", "9c8c7d6d4s3h"]),
    ("om8", Game::OmahaHiLo, ["AsAhKsKh", "9c8c7d6d"]),
];

fn main() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/equity.csv");
    let text = std::fs::read_to_string(path).expect("the vectors are part of the crate");
    println!(
        "{:4}  {:24} {:>14}  {:>10}  {:>10}  {:>10}",
        "id", "algorithm", "deals", "first ms", "median ms", "best ms"
    );
    for line in text.lines().skip(1) {
        let (id, query) = read(line);
        exact(&id, &query);
    }
    for (id, game, hands) in OMAHA {
        let range = |text: &&str| Range::parse(text, game).expect("a good range");
        let query = Query {
            board: parse_cards("Tc5h2s").expect("good cards"),
            ..Query::new(game, hands.iter().map(range).collect())
        };
        exact(id, &query);
    }
    println!("\n{:4}  {:>16}", "id", "million deals/s");
    for line in text.lines().skip(1) {
        let (id, query) = read(line);
        if ["hu01", "rr02", "rr07", "bd01", "mw01", "mw05"].contains(&id.as_str()) {
            simulated(&id, &query);
        }
    }
}

fn read(line: &str) -> (String, Query) {
    let mut fields = vec![String::new()];
    let mut quoted = false;
    for letter in line.chars() {
        match letter {
            '"' => quoted = !quoted,
            ',' if !quoted => fields.push(String::new()),
            _ => fields.last_mut().expect("never empty").push(letter),
        }
    }
    let range = |text| Range::parse(text, Game::Holdem).expect("a good range");
    let cards = |text: &String| parse_cards(text).expect("good cards");
    let players = fields[2].split('|').map(range).collect();
    let query = Query {
        game: Game::Holdem,
        players,
        board: cards(&fields[3]),
        dead: cards(&fields[4]),
        folded: Vec::new(),
    };
    (fields.swap_remove(0), query)
}

fn exact(id: &str, query: &Query) {
    let options = EquityOptions {
        method: EquityMethod::Exact,
        threads: 1,
        ..EquityOptions::default()
    };
    let mut times: Vec<Duration> = Vec::new();
    let began = Instant::now();
    let mut answer = None;
    while times.len() < 3 || (times.len() < 101 && began.elapsed() < Duration::from_millis(300)) {
        let start = ThreadTime::now();
        answer = black_box(black_box(query).solve(&options).ok());
        times.push(start.elapsed());
        if times[0] > Duration::from_secs(1) {
            break;
        }
    }
    let first = times[0];
    times.sort_unstable();
    let answer = answer.expect("a good question");
    println!(
        "{id:4}  {:24} {:>14}  {:>10.3}  {:>10.3}  {:>10.3}",
        answer.algorithm().to_string(),
        answer.deals().to_string(),
        first.as_secs_f64() * 1e3,
        times[times.len() / 2].as_secs_f64() * 1e3,
        times[0].as_secs_f64() * 1e3
    );
}

fn simulated(id: &str, query: &Query) {
    const DEALS: u64 = 1 << 21;
    let stop = StopRule {
        samples: DEALS,
        standard_error: 0.0,
    };
    let options = EquityOptions {
        method: EquityMethod::MonteCarlo,
        threads: 1,
        stop,
        ..EquityOptions::default()
    };
    let mut rates: Vec<f64> = (0..5)
        .map(|_| {
            let start = ThreadTime::now();
            black_box(black_box(query).solve(&options).ok());
            DEALS as f64 / start.elapsed().as_secs_f64() / 1e6
        })
        .collect();
    rates.sort_by(f64::total_cmp);
    println!("{id:4}  {:>16.1}", rates[2]);
}
