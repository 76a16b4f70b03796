//! Exact equity of three and more ranges on a board: milliseconds of one thread, compared with another program if one
//! is given.
//!
//! `cargo bench -p croupier-poker --bench multiway -- --peer PROGRAM`. The peer is called with the board and the ranges,
//! counts all deals, and prints their number and the nanoseconds of processor time it took. Both run in turn, and the
//! medians count. Numbers of deals are compared. `--only TEXT` selects the queries whose ranges contain the text.

use std::hint::black_box;
use std::process::Command;
use std::time::{Duration, Instant};

use cpu_time::ThreadTime;
use croupier_poker::{EquityMethod, EquityOptions, Game, Query, Range, parse_cards};

/// Number of runs, and the shortest time of one.
const TURNS: usize = 5;
const AT_LEAST: Duration = Duration::from_millis(200);

/// Ranges and board of each query. Other programs can read these ranges.
const QUERIES: [(&str, &str); 8] = [
    (
        "22+,A2s+,KTs+,ATo+|22+,A2s+,K9s+,QTs+,KTo+|22+,A5s+,76s,AJo+",
        "Ts9s2d5h7c",
    ),
    (
        "22+,A2s+,KTs+,ATo+|22+,A2s+,K9s+,QTs+,KTo+|22+,A5s+,76s,AJo+",
        "Ts9s2d5h",
    ),
    ("random|random|random", "Ts9s2d5h7c"),
    ("99+,AJs+,AKo|TT+,AQs+,KQs|88+,ATs+,QJs", "Ts9s2d5h7c"),
    ("99+,AJs+,AKo|TT+,AQs+,KQs|88+,ATs+,QJs", "Ts9s2d5h"),
    ("99+,AJs+,AKo|TT+,AQs+,KQs|88+,ATs+,QJs", "Ts9s2d"),
    ("QQ+|AK|JTs,T9s|22,55", "Ts9s2d5h"),
    ("99+,AQs+|TT+,KQs|88+,ATs+|77,66,55,QJs", "Ts9s2d5h"),
];

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    // `cargo test --benches` runs this too, once.
    let is_benchmark = arguments.iter().any(|argument| argument == "--bench");
    let (turns, at_least) = if is_benchmark {
        (TURNS, AT_LEAST)
    } else {
        (1, Duration::ZERO)
    };
    let value = |name| arguments.iter().skip_while(move |a| *a != name).nth(1);
    let (peer, only) = (value("--peer"), value("--only"));
    println!(
        "{:62} {:10} {:>14} {:>9} {:>9} {:>7}",
        "ranges", "board", "deals", "ms", "peer ms", "ratio"
    );
    for (ranges, board) in QUERIES {
        if only.is_some_and(|only| !ranges.contains(only.as_str())) {
            continue;
        }
        let (mut ours, mut theirs) = (Vec::new(), Vec::new());
        let mut deals = 0.0;
        for _ in 0..turns {
            let (own, time) = count(ranges, board, at_least);
            ours.push(time);
            deals = own;
            if let Some(peer) = peer {
                let (others, time) = run_peer(peer, ranges, board);
                assert_eq!(own, others, "{ranges} on {board}: another number of deals");
                theirs.push(time);
            }
        }
        let [ours, theirs] = [ours, theirs].map(median);
        let or_dash = |value: Option<f64>| value.map_or("-".to_string(), |v| format!("{v:.3}"));
        let ratio = ours.zip(theirs).map(|(ours, theirs)| theirs / ours);
        println!(
            "{ranges:62} {board:10} {deals:>14} {:>9} {:>9} {:>7}",
            or_dash(ours),
            or_dash(theirs),
            ratio.map_or("-".to_string(), |ratio| format!("{ratio:.1}"))
        );
    }
}

fn median(mut values: Vec<f64>) -> Option<f64> {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied()
}

/// Returns the number of deals and our milliseconds. Processor time has a resolution of milliseconds, so short questions
/// are counted several times.
fn count(ranges: &str, board: &str, time: Duration) -> (f64, f64) {
    let range = |text| Range::parse(text, Game::Holdem).expect("a good range");
    let query = Query {
        board: parse_cards(board).expect("good cards"),
        ..Query::new(Game::Holdem, ranges.split('|').map(range).collect())
    };
    let options = EquityOptions {
        method: EquityMethod::Exact,
        threads: 1,
        ..EquityOptions::default()
    };
    let (clock, began) = (ThreadTime::now(), Instant::now());
    let (mut deals, mut passes) = (0.0, 0);
    while passes == 0 || began.elapsed() < time {
        let found = black_box(black_box(&query).solve(&options).expect("an answer"));
        deals = found.deals().to_f64();
        passes += 1;
    }
    (
        deals,
        clock.elapsed().as_secs_f64() * 1e3 / f64::from(passes),
    )
}

/// Returns the other program's number of deals and milliseconds.
fn run_peer(program: &str, ranges: &str, board: &str) -> (f64, f64) {
    let output = Command::new(program)
        .arg(board)
        .args(ranges.split('|'))
        .output()
        .expect("the peer runs");
    let text = String::from_utf8_lossy(&output.stdout);
    let numbers: Vec<f64> = text
        .split_whitespace()
        .filter_map(|n| n.parse().ok())
        .collect();
    match numbers[..] {
        [deals, nanoseconds, ..] => (deals, nanoseconds / 1e6),
        _ => panic!("{program} printed {text:?}, not deals and nanoseconds"),
    }
}
