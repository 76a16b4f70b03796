//! Measures the time of one evaluation by a built-in metric, a WebAssembly module and a server process.
//!
//! Run it with `cargo bench -p croupier-usermetrics`; the server is compiled with `cc`. Times are processor time, or
//! wall time for the server, which is another process.

use std::path::Path;
use std::process::Command;
use std::time::Instant;

use cards::{CardSet, Deal, Side};
use croupier_usermetrics::{MetricRequest, ProgramLimits, UserMetrics};

const ROUNDS: usize = 9;
/// Number of times that a round goes through its deals. The system counts processor time in ticks of several
/// milliseconds, so a round must be long.
const TIMES: usize = 20;

/// Returns `count` different deals. With a single deal, branch prediction would make a metric look faster than it is.
fn deals(count: usize) -> Vec<Deal> {
    let mut state = 0x2545_f491_4f6c_dd1du64;
    let mut pack: Vec<u8> = (0..52).collect();
    let mut next = || {
        for card in (1..52).rev() {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            pack.swap(card, (state >> 33) as usize % (card + 1));
        }
        let mut hands = [CardSet(0); 4];
        for (place, &card) in pack.iter().enumerate() {
            hands[place / 13].0 |= 1 << card;
        }
        Deal::new(hands).expect("a shuffled pack")
    };
    (0..count).map(|_| next()).collect()
}

/// Returns the nanoseconds that this thread has run. Time of other programs on the core is not counted.
fn cpu_time() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    text.split(' ').next()?.parse().ok()
}

/// Prints the median time of an evaluation: processor time if `alone`, wall time if another process takes part.
fn measure(name: &str, metrics: &UserMetrics, calls: usize, alone: bool) {
    let deals = deals(calls);
    let times = if alone { TIMES } else { 1 };
    let mut evaluator = metrics.evaluator().expect("an evaluator");
    let mut times: Vec<f64> = (0..ROUNDS)
        .map(|_| {
            let (start, cpu) = (Instant::now(), cpu_time());
            let all = (0..times).flat_map(|_| deals.iter().enumerate());
            for (call, deal) in all {
                let side = Side::ALL[call % 2];
                evaluator
                    .evaluate(&MetricRequest::new(23, deal, side))
                    .expect("an answer");
            }
            let nanoseconds = match (alone, cpu, cpu_time()) {
                (true, Some(before), Some(now)) => (now - before) as f64,
                _ => start.elapsed().as_nanos() as f64,
            };
            nanoseconds / 1e3 / (times * calls) as f64
        })
        .collect();
    times.sort_by(f64::total_cmp);
    println!("{name:<10} {:>8.3} us per evaluation", times[ROUNDS / 2]);
}

/// Compiles the server of the tests under the name that makes it follow the protocol.
fn server() -> std::path::PathBuf {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/server.c");
    let program = Path::new(env!("CARGO_TARGET_TMPDIR")).join("good");
    let compiled = Command::new("cc")
        .args(["-O2", "-pthread", "-o"])
        .args([&program, &source])
        .status()
        .expect("a C compiler named cc");
    assert!(compiled.success());
    program
}

fn main() {
    let example = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/metrics/bumwrap.wat");
    measure("built in", &UserMetrics::built_in(), 20_000, true);
    let module = UserMetrics::open(example, ProgramLimits::default()).expect("the example");
    measure("module", &module, 20_000, true);
    if cfg!(target_os = "linux") {
        let server = UserMetrics::open(server(), ProgramLimits::default()).expect("the server");
        measure("server", &server, 2_000, false);
    }
}
