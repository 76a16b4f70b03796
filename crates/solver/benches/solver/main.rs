//! CPU time of the solver, of the library below it and of Debian's libdds on the same deals.
//!
//! `cargo bench -p croupier-solver [-- DEALS]`. Every deal is given to all contestants, each time
//! another one first, so that a busy machine disturbs them alike. The figures are means in
//! milliseconds of CPU time.

mod by_targets;
#[path = "../../tests/common/mod.rs"]
mod common;
#[path = "../../tests/peer/mod.rs"]
mod peer;

use std::hint::black_box;
use std::time::{Duration, Instant};

use cards::{Deal, Seat, Strain};
use common::RandomDeals;
use contract_bridge::{self as bridge, FullDeal};
use cpu_time::ThreadTime;
use peer::Libdds;
use pons_dds::{Board, CurrentTrick, Objective, Target, TrickCount};
use solver::Solver;

/// The declarer of all single questions.
const SOUTH: Seat = Seat::South;

fn main() {
    let deals = std::env::args()
        .skip(1)
        .find_map(|argument| argument.parse().ok());
    let deals: Vec<Deal> = RandomDeals(5).take(deals.unwrap_or(20)).collect();
    println!("{} random deals, ms of CPU time a deal", deals.len());
    let mut contest = Contest {
        ours: Solver::new(),
        raw: pons_dds::Solver::new(bridge::Strain::Notrump),
        libdds: Libdds::start("libdds-bench"),
        deals,
    };
    contest.tables();
    for strain in [Strain::Notrump, Strain::Hearts] {
        contest.count(strain);
    }
    for (strain, tricks) in [
        (Strain::Hearts, 10),
        (Strain::Notrump, 9),
        (Strain::Hearts, 8),
    ] {
        contest.target(strain, tricks);
    }
    for strain in [Strain::Notrump, Strain::Hearts] {
        contest.leads(strain);
    }
    threads(&contest.deals);
}

/// The solver, the raw library and libdds over the same deals.
struct Contest {
    ours: Solver,
    raw: pons_dds::Solver,
    libdds: Libdds,
    deals: Vec<Deal>,
}

/// One contestant's turn with a deal: how long it took.
type Turn<'a> = dyn FnMut(&Deal) -> Duration + 'a;

/// Milliseconds a deal of each contestant. The last deal is also played once before, unmeasured.
fn race<const N: usize>(deals: &[Deal], mut contestants: [&mut Turn; N]) -> [f64; N] {
    let mut total = [Duration::ZERO; N];
    for turn in &mut contestants {
        turn(&deals[deals.len() - 1]);
    }
    for (i, deal) in deals.iter().enumerate() {
        for k in 0..N {
            let contestant = (i + k) % N;
            total[contestant] += contestants[contestant](deal);
        }
    }
    total.map(|time| time.as_secs_f64() * 1e3 / deals.len() as f64)
}

fn clock<T>(work: impl FnOnce() -> T) -> Duration {
    let start = ThreadTime::now();
    black_box(work());
    start.elapsed()
}

fn report(what: &str, ours: f64, raw: f64, libdds: f64) {
    let (to_raw, to_libdds) = (ours / raw, ours / libdds);
    println!(
        "{what:<28} {ours:7.2}   library {raw:7.2} ({to_raw:4.2}x)   libdds {libdds:7.2} ({to_libdds:4.2}x)"
    );
}

impl Contest {
    fn tables(&mut self) {
        let [ours, raw, libdds] = race(
            &self.deals,
            [
                &mut |deal| clock(|| self.ours.table(deal)),
                &mut |deal| clock(|| pons_dds::solve_deal_on(&mut self.raw, raw_deal(deal))),
                &mut |deal| {
                    self.libdds.table(deal);
                    self.libdds.time()
                },
            ],
        );
        report("full table", ours, raw, libdds);
    }

    fn count(&mut self, strain: Strain) {
        let mut other = Solver::new();
        let mut row = Solver::new();
        let [ours, raw, libdds, by_targets, all] = race(
            &self.deals,
            [
                &mut |deal| clock(|| self.ours.tricks(deal, SOUTH, strain)),
                &mut |deal| ask(&mut self.raw, deal, strain, Target::Any(None)),
                &mut |deal| {
                    self.libdds.tricks(deal, SOUTH, strain);
                    self.libdds.time()
                },
                &mut |deal| clock(|| by_targets::count(&mut other, deal, SOUTH, strain)),
                &mut |deal| clock(|| row.strain(deal, strain)),
            ],
        );
        report(
            &format!("tricks(south, {})", strain.name()),
            ours,
            raw,
            libdds,
        );
        let gain = ours / by_targets;
        println!("  counted by targets {by_targets:.2} (gain {gain:.2}x), all declarers {all:.2}");
    }

    fn target(&mut self, strain: Strain, tricks: u8) {
        let mut counter = Solver::new();
        let defence = Target::Any(Some(TrickCount::new(14 - tricks)));
        let [ours, raw, libdds, count] = race(
            &self.deals,
            [
                &mut |deal| clock(|| self.ours.at_least(deal, SOUTH, strain, tricks)),
                &mut |deal| ask(&mut self.raw, deal, strain, defence),
                &mut |deal| {
                    self.libdds.at_least(deal, SOUTH, strain, tricks);
                    self.libdds.time()
                },
                &mut |deal| clock(|| counter.tricks(deal, SOUTH, strain)),
            ],
        );
        let what = format!("tricks(south, {}) >= {tricks}", strain.name());
        report(&what, ours, raw, libdds);
        println!("  {:.1} times cheaper than counting", count / ours);
    }

    fn leads(&mut self, strain: Strain) {
        let [ours, raw, libdds] = race(
            &self.deals,
            [
                &mut |deal| clock(|| self.ours.leads(deal, SOUTH, strain)),
                &mut |deal| ask(&mut self.raw, deal, strain, Target::Legal),
                &mut |deal| {
                    self.libdds.leads(deal, SOUTH, strain);
                    self.libdds.time()
                },
            ],
        );
        report(&format!("all leads, {}", strain.name()), ours, raw, libdds);
    }
}

/// The raw library's answer about South's contract.
fn ask(raw: &mut pons_dds::Solver, deal: &Deal, strain: Strain, target: Target) -> Duration {
    let leader = bridge::Seat::ALL[SOUTH.next().index()];
    let trick = CurrentTrick::new(bridge::Strain::ASC[strain.index()], leader);
    let board = Board::try_new(raw_deal(deal).into(), trick).expect("a complete deal");
    clock(|| raw.solve_board(&Objective { board, target }))
}

fn raw_deal(deal: &Deal) -> FullDeal {
    deal.to_string().parse().expect("the library reads PBN")
}

/// Wall-clock time a table with one and with two threads.
fn threads(deals: &[Deal]) {
    for threads in [1, 2] {
        let start = Instant::now();
        std::thread::scope(|scope| {
            for first in 0..threads {
                scope.spawn(move || {
                    let mut solver = Solver::new();
                    for deal in deals.iter().skip(first).step_by(threads) {
                        black_box(solver.table(deal));
                    }
                });
            }
        });
        let ms = start.elapsed().as_secs_f64() * 1e3 / deals.len() as f64;
        println!("full table, {threads} thread(s): {ms:7.2} ms of wall-clock time a deal");
    }
}
