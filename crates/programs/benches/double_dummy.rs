//! Compares the cost of double-dummy functions in a script with direct calls of the solver on the same deals.
//!
//! `cargo bench -p croupier-programs --bench double_dummy [-- SHARE]`; a share of 10 uses a tenth of the deals. Runs on
//! one thread and prints milliseconds of CPU time per deal.

use std::hint::black_box;
use std::ops::ControlFlow;

use cpu_time::ProcessTime;
use croupier::cards::{Deal, Seat, Strain, Vulnerability};
use croupier::engine::{FastSource, Options, ProducedDeal, RunDeals};
use croupier::script::{CompileOptions, ScriptSource};
use croupier::shuffle::{FastDealer, Key, Predeal};
use croupier::solver::{Solver, par};

fn main() {
    let share: u64 = std::env::args()
        .skip(1)
        .find_map(|argument| argument.parse().ok())
        .unwrap_or(10);
    let mut solver = Solver::new();
    let _ = solver.table(&deals(1)[0]);

    let n = 1000 / share;
    compare(
        "average dds(south,notrump)",
        "action average dds(south,notrump)",
        n,
        |deal| {
            black_box(solver.tricks(deal, Seat::South, Strain::Notrump));
        },
    );
    compare(
        "average par(NS)",
        "action average par(NS)",
        200 / share,
        |deal| {
            black_box(par(&solver.table(deal), Vulnerability::None));
        },
    );
    let n = 500 / share;
    let count = |deal: &Deal| {
        black_box(solver.tricks(deal, Seat::South, Strain::Hearts));
    };
    compare(
        "condition dds(south,hearts)>=10",
        "condition dds(south,hearts)>=10 action",
        n,
        count,
    );
    compare(
        "  the same through a count",
        "condition dds(south,hearts)*2>=20 action",
        n,
        |deal| {
            black_box(solver.tricks(deal, Seat::South, Strain::Hearts));
        },
    );
}

/// Returns the first `n` deals of the run.
fn deals(n: u64) -> Vec<Deal> {
    let dealer = FastDealer::new(Key::from_seed(1), &Predeal::NONE);
    (0..n).map(|index| dealer.deal(index)).collect()
}

/// Measures a script over `n` deals and the direct calls over the same deals.
fn compare(what: &str, script: &str, n: u64, mut direct: impl FnMut(&Deal)) {
    let start = ProcessTime::now();
    deals(n).iter().for_each(&mut direct);
    let direct = start.elapsed().as_secs_f64() * 1e3 / n as f64;

    let source = ScriptSource::new("bench", script);
    let (plan, _) = croupier::script::compile(&source, &CompileOptions::default())
        .expect("the script compiles");
    let dealer = FastSource::new(FastDealer::new(Key::from_seed(1), &Predeal::NONE));
    let options = Options {
        generate: n,
        threads: 1,
        ..Options::default()
    };
    let mut ignore = |_: &ProducedDeal<'_>| ControlFlow::Continue(());
    let start = ProcessTime::now();
    croupier::engine::run(&plan, RunDeals::Blocks(&dealer), &options, &mut ignore)
        .expect("the run succeeds");
    let ours = start.elapsed().as_secs_f64() * 1e3 / n as f64;
    println!(
        "{what:<34} {ours:7.2} ms   solver directly {direct:7.2} ms   ratio {:.2}",
        ours / direct
    );
}
