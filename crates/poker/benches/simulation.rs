//! Simulated equity: million deals per second of one thread, compared with another program if one is given.
//!
//! `cargo bench -p croupier-poker --bench simulation -- --peer PROGRAM`, pinned to a core for steady figures. The peer
//! is called with a number of deals, the board and the ranges, and prints the number of deals and the nanoseconds of
//! processor time they took. Both run in turn, and the medians count. `--only TEXT` selects queries whose ranges
//! contain the text, `CROUPIER_CPU=avx2` (or another path) selects the processor path.

use std::hint::black_box;
use std::process::Command;

use cpu_time::ThreadTime;
use croupier_poker::{EquityMethod, EquityOptions, Game, Query, Range, StopRule, parse_cards};

/// Deals of one run, and number of runs.
const DEALS: u64 = 1 << 23;
const TURNS: usize = 7;

/// Ranges and board of each query. Other programs can read these ranges.
const QUERIES: [(&str, &str); 11] = [
    ("AhAs|KdKc", ""),
    ("QQ+,AK|22+,A2s+,KTs+,QJs,AJo+", ""),
    ("random|random", ""),
    ("QQ+,AKs|22+,A2s+", "Kh7d2c"),
    ("JhTh|AcAd", "9h8h2s"),
    ("AA|random", ""),
    ("AhAs|KdKc|QhQs", ""),
    ("QQ+|AKs|JTs", ""),
    ("AhAs|KdKc|QhQs|JcTc|9s8s|2c2d", ""),
    ("22+|A2s+|KTs+|QJs|AJo+|T9s", ""),
    ("random|random|random|random|random|random", ""),
];

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    // `cargo test --benches` runs this too, with few deals.
    let is_benchmark = arguments.iter().any(|argument| argument == "--bench");
    let (deals, turns) = if is_benchmark { (DEALS, TURNS) } else { (1, 1) };
    let value = |name| arguments.iter().skip_while(move |a| *a != name).nth(1);
    let (peer, only) = (value("--peer"), value("--only"));
    if let Ok(name) = std::env::var(cpu::VARIABLE) {
        let path: cpu::CpuPath = name.parse().expect("the name of a path");
        path.choose().expect("a path that this processor has");
    }
    println!(
        "{:44} {:8} {:>9} {:>9} {:>7}",
        "ranges", "board", "croupier", "peer", "ratio"
    );
    for (ranges, board) in QUERIES {
        if only.is_some_and(|only| !ranges.contains(only.as_str())) {
            continue;
        }
        let (mut ours, mut theirs) = (Vec::new(), Vec::new());
        for _ in 0..turns {
            ours.push(simulate(ranges, board, deals));
            theirs.extend(peer.map(|program| run_peer(program, ranges, board, deals)));
        }
        let [ours, theirs] = [ours, theirs].map(median);
        let or_dash = |value: Option<f64>| value.map_or("-".to_string(), |v| format!("{v:.1}"));
        let ratio = ours.zip(theirs).map(|(ours, theirs)| ours / theirs);
        println!(
            "{ranges:44} {board:8} {:>9} {:>9} {:>7}",
            or_dash(ours),
            or_dash(theirs),
            or_dash(ratio)
        );
    }
}

fn median(mut values: Vec<f64>) -> Option<f64> {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied()
}

/// Returns our million deals per second.
fn simulate(ranges: &str, board: &str, deals: u64) -> f64 {
    let range = |text| Range::parse(text, Game::Holdem).expect("a good range");
    let query = Query {
        board: parse_cards(board).expect("good cards"),
        ..Query::new(Game::Holdem, ranges.split('|').map(range).collect())
    };
    let options = EquityOptions {
        method: EquityMethod::MonteCarlo,
        threads: 1,
        seed: 1,
        stop: StopRule {
            samples: deals,
            standard_error: 0.0,
        },
    };
    let start = ThreadTime::now();
    black_box(black_box(&query).solve(&options).expect("an answer"));
    deals as f64 / start.elapsed().as_secs_f64() / 1e6
}

/// Returns the other program's million deals per second.
fn run_peer(program: &str, ranges: &str, board: &str, deals: u64) -> f64 {
    let output = Command::new(program)
        .args([&deals.to_string(), board])
        .args(ranges.split('|'))
        .output()
        .expect("the peer runs");
    let text = String::from_utf8_lossy(&output.stdout);
    let numbers: Vec<f64> = text
        .split_whitespace()
        .filter_map(|n| n.parse().ok())
        .collect();
    match numbers[..] {
        [deals, nanoseconds, ..] => deals / nanoseconds * 1e3,
        _ => panic!("{program} printed {text:?}, not deals and nanoseconds"),
    }
}
