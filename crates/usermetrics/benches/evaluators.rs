//! Microseconds per evaluation: built in, by a WebAssembly module, by a server process.
//! `cargo bench -p croupier-usermetrics` (the server is compiled with `cc`).

use std::path::Path;
use std::process::Command;
use std::time::Instant;

use cards::{Deal, Side};
use usermetrics::{Limits, Request, UserMetrics};

const ROUNDS: usize = 15;

fn measure(name: &str, metrics: &UserMetrics, calls: usize) {
    let deal: Deal = "N:AQ963.K.KJ752.84 2.QT984.AQT.AKJ5 KT74.AJ65.8.Q732 J85.732.9643.T96"
        .parse()
        .expect("a deal");
    let mut evaluator = metrics.evaluator().expect("an evaluator");
    let mut times: Vec<f64> = (0..ROUNDS)
        .map(|_| {
            let start = Instant::now();
            for call in 0..calls {
                let side = Side::ALL[call % 2];
                evaluator
                    .evaluate(&Request::new(23, &deal, side))
                    .expect("an answer");
            }
            start.elapsed().as_secs_f64() * 1e6 / calls as f64
        })
        .collect();
    times.sort_by(f64::total_cmp);
    println!("{name:<10} {:>8.2} us per evaluation", times[ROUNDS / 2]);
}

/// The server of the tests, compiled and named so that it behaves.
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
    measure("built in", &UserMetrics::built_in(), 100_000);
    let module = UserMetrics::open(example, Limits::default()).expect("the example");
    measure("module", &module, 5_000);
    if cfg!(target_os = "linux") {
        let server = UserMetrics::open(server(), Limits::default()).expect("the server");
        measure("server", &server, 2_000);
    }
}
