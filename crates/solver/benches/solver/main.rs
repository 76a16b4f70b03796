//! CPU time of the solver, of its portable path, of the crate `pons-dds` and of Debian's libdds on the same deals.
//!
//! `cargo bench -p croupier-solver [-- DEALS [TASK...]]`, where TASK is `table`, `count`, `target`, `leads`, `worst`,
//! `threads` or `ours` (our own table only, for profiling). All solvers get every deal, and they take turns to be
//! first, so that a busy machine slows all of them alike. The figures are milliseconds of CPU time. The time of a
//! target depends on few deals, so targets use the same deals and nine times as many others.

#[path = "../../tests/common/mod.rs"]
mod common;
#[path = "../../tests/oracle/mod.rs"]
mod oracle;
#[path = "../../tests/peer/mod.rs"]
mod peer;

use std::hint::black_box;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use cards::{Deal, Seat, Strain};
use common::RandomDeals;
use cpu_time::{ProcessTime, ThreadTime};
use croupier_solver::{DEFAULT_MEMORY, Solver, Team};
use oracle::Oracle;
use peer::Libdds;

const TASKS: [&str; 7] = [
    "table", "count", "target", "leads", "worst", "threads", "ours",
];

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let deals = arguments.iter().find_map(|argument| argument.parse().ok());
    let number = deals.unwrap_or(200);
    let deals: Vec<Deal> = RandomDeals(5).take(number).collect();
    let named: Vec<&str> = TASKS
        .into_iter()
        .filter(|task| arguments.iter().any(|argument| argument == task))
        .collect();
    let wanted = |task: &str| {
        named.contains(&task) || named.is_empty() && !["worst", "ours"].contains(&task)
    };
    println!("{} random deals, ms of CPU time a deal", deals.len());
    if wanted("ours") {
        let mut solver = Solver::new();
        let [ours] = time_in_turns(&deals, [&mut |deal| cpu_time_of(|| solver.table(deal))]);
        println!("full table {:.2}", mean(&ours));
    }
    if named == ["threads"] || named == ["ours"] {
        return if wanted("threads") {
            threads(&deals)
        };
    }
    let mut contest = Comparison {
        ours: Solver::new(),
        portable: Solver::portable(DEFAULT_MEMORY),
        oracle: Oracle::new(),
        libdds: Libdds::start("libdds-bench"),
        deals,
    };
    if wanted("table") {
        contest.tables();
    }
    for strain in [Strain::Notrump, Strain::Hearts] {
        if wanted("count") {
            contest.count(strain);
        }
    }
    for (strain, tricks) in [
        (Strain::Hearts, 10),
        (Strain::Notrump, 9),
        (Strain::Hearts, 8),
    ] {
        if wanted("target") {
            contest.target(number, strain, tricks);
        }
    }
    for strain in [Strain::Notrump, Strain::Hearts] {
        if wanted("leads") {
            contest.leads(strain);
        }
    }
    if wanted("threads") {
        threads(&contest.deals);
    }
    if wanted("worst") {
        contest.worst();
    }
}

/// The solvers to compare.
struct Comparison {
    ours: Solver,
    portable: Solver,
    oracle: Oracle,
    libdds: Libdds,
    deals: Vec<Deal>,
}

/// Runs one solver on a deal and returns the time.
type TimedRun<'a> = dyn FnMut(&Deal) -> Duration + 'a;

/// Returns the milliseconds of each solver on each deal. The last deal is also solved once before, without measuring.
fn time_in_turns<const N: usize>(deals: &[Deal], mut runs: [&mut TimedRun; N]) -> [Vec<f64>; N] {
    let mut times = [(); N].map(|()| Vec::new());
    for turn in &mut runs {
        turn(&deals[deals.len() - 1]);
    }
    for (i, deal) in deals.iter().enumerate() {
        for k in 0..N {
            let contestant = (i + k) % N;
            let time = runs[contestant](deal);
            times[contestant].push(time.as_secs_f64() * 1e3);
        }
    }
    times
}

fn mean(times: &[f64]) -> f64 {
    times.iter().sum::<f64>() / times.len() as f64
}

fn cpu_time_of<T>(work: impl FnOnce() -> T) -> Duration {
    let start = ThreadTime::now();
    black_box(work());
    start.elapsed()
}

fn report(what: &str, times: &[Vec<f64>; 4]) {
    let [ours, portable, oracle, libdds] = times.each_ref().map(|times| mean(times));
    println!(
        "{what:<28} {ours:7.2}   portable {portable:7.2}   pons-dds {oracle:7.2} ({:4.2}x, portable {:4.2}x)   libdds {libdds:7.2} ({:4.2}x)",
        oracle / ours,
        oracle / portable,
        libdds / ours,
    );
}

impl Comparison {
    fn tables(&mut self) {
        let times = time_in_turns(
            &self.deals,
            [
                &mut |deal| cpu_time_of(|| self.ours.table(deal)),
                &mut |deal| cpu_time_of(|| self.portable.table(deal)),
                &mut |deal| cpu_time_of(|| self.oracle.table(deal)),
                &mut |deal| {
                    self.libdds.table(deal);
                    self.libdds.time()
                },
            ],
        );
        report("full table", &times);
    }

    fn count(&mut self, strain: Strain) {
        let south = Seat::South;
        let times = time_in_turns(
            &self.deals,
            [
                &mut |deal| cpu_time_of(|| self.ours.tricks(deal, south, strain)),
                &mut |deal| cpu_time_of(|| self.portable.tricks(deal, south, strain)),
                &mut |deal| cpu_time_of(|| self.oracle.tricks(deal, south, strain)),
                &mut |deal| {
                    self.libdds.tricks(deal, south, strain);
                    self.libdds.time()
                },
            ],
        );
        report(&format!("tricks(south, {})", strain.name()), &times);
    }

    fn target(&mut self, number: usize, strain: Strain, tricks: u8) {
        let south = Seat::South;
        let deals: Vec<Deal> = RandomDeals(5).take(10 * number).collect();
        let times = time_in_turns(
            &deals,
            [
                &mut |deal| cpu_time_of(|| self.ours.at_least(deal, south, strain, tricks)),
                &mut |deal| cpu_time_of(|| self.portable.at_least(deal, south, strain, tricks)),
                &mut |deal| cpu_time_of(|| self.oracle.at_least(deal, south, strain, tricks)),
                &mut |deal| {
                    self.libdds.at_least(deal, south, strain, tricks);
                    self.libdds.time()
                },
            ],
        );
        let what = format!("tricks(south, {}) >= {tricks}", strain.name());
        report(
            &what,
            &times.each_ref().map(|times| times[..number].to_vec()),
        );
        report(&format!("  {} deals", deals.len()), &times);
    }

    fn leads(&mut self, strain: Strain) {
        let south = Seat::South;
        let times = time_in_turns(
            &self.deals,
            [
                &mut |deal| cpu_time_of(|| self.ours.leads(deal, south, strain)),
                &mut |deal| cpu_time_of(|| self.portable.leads(deal, south, strain)),
                &mut |deal| cpu_time_of(|| self.oracle.leads(deal, south, strain)),
                &mut |deal| {
                    self.libdds.leads(deal, south, strain);
                    self.libdds.time()
                },
            ],
        );
        report(&format!("all leads, {}", strain.name()), &times);
    }

    /// Measures the slowest deals: prints the longest time of this solver and of the others.
    fn worst(&mut self) {
        let [ours, oracle] = time_in_turns(
            &self.deals,
            [
                &mut |deal| cpu_time_of(|| self.ours.table(deal)),
                &mut |deal| cpu_time_of(|| self.oracle.table(deal)),
            ],
        );
        for (name, times) in [("ours", &ours), ("pons-dds", &oracle)] {
            let worst = (0..times.len())
                .max_by(|&a, &b| times[a].total_cmp(&times[b]))
                .unwrap_or(0);
            println!(
                "slowest table of {name}: deal {worst}, ours {:.1}, pons-dds {:.1}",
                ours[worst], oracle[worst]
            );
        }
        let slower = ours
            .iter()
            .zip(&oracle)
            .filter(|(ours, theirs)| ours > theirs)
            .count();
        println!(
            "means {:.2} and {:.2} ({:.2}x); ours slower on {slower} deals",
            mean(&ours),
            mean(&oracle),
            mean(&oracle) / mean(&ours)
        );
    }
}

/// Measures the time for a table with one and with two threads, in turns: with the deals divided among threads, and
/// with each deal divided.
fn threads(deals: &[Deal]) {
    let mut solvers = [Solver::new(), Solver::new()];
    in_turns("a batch of full tables", deals.len(), |threads| {
        let next = &AtomicUsize::new(0);
        let place = || next.fetch_add(1, Ordering::Relaxed);
        // The work is divided by strain, as in `croupier solve`.
        let strains = Strain::ALL.len();
        busiest(&mut solvers[..threads], |solver| {
            loop {
                let place = place();
                let Some(deal) = deals.get(place / strains) else {
                    break;
                };
                black_box(solver.strain(deal, Strain::ALL[place % strains]));
            }
        })
    });
    let mut alone = Solver::new();
    let mut team = Team::new(2);
    in_turns("one full table at a time", deals.len(), |threads| {
        let each = deals.iter().map(|deal| match threads {
            1 => cpu_time_of(|| alone.table(deal)),
            _ => {
                // This thread is one of the two.
                let all = ProcessTime::now();
                let mine = cpu_time_of(|| team.table(deal));
                mine.max(all.elapsed().saturating_sub(mine))
            }
        });
        each.sum()
    });
    let share = alone.positions_searched() as f64 / team.positions_searched() as f64;
    println!(
        "positions: both threads together would be {:.2} times as fast",
        2.0 * share
    );
}

/// Runs `work` on a thread for each solver, and returns the CPU time of the busiest thread.
fn busiest(solvers: &mut [Solver], work: impl Fn(&mut Solver) + Sync) -> Duration {
    let work = &work;
    std::thread::scope(|scope| {
        let start = |solver| scope.spawn(move || cpu_time_of(|| work(solver)));
        let threads: Vec<_> = solvers.iter_mut().map(start).collect();
        let times = threads.into_iter().map(|thread| thread.join());
        times.map(|time| time.expect("a solver")).max()
    })
    .unwrap_or_default()
}

/// Prints milliseconds for each deal with one thread and with two, twice each: elapsed time, and CPU time of the busier
/// thread, which shows how well the work is divided even on a loaded machine.
fn in_turns(what: &str, deals: usize, mut work: impl FnMut(usize) -> Duration) {
    let mut total = [[Duration::ZERO; 2]; 2];
    for round in 0..4 {
        let threads = 1 + round % 2;
        let start = Instant::now();
        let busiest = work(threads);
        total[0][threads - 1] += start.elapsed();
        total[1][threads - 1] += busiest;
    }
    for (measure, times) in ["wall clock", "busier thread"].iter().zip(total) {
        let [one, two] = times.map(|time| time.as_secs_f64() * 500.0 / deals as f64);
        println!(
            "{what}, {measure}: one thread {one:.2}, two {two:.2} ({:.2}x)",
            one / two
        );
    }
}
