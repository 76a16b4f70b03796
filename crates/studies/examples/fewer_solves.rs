//! Measures how many solves a study needs for the same interval, with and without deals that are not solved.
//!
//!     cargo run --release -p croupier-studies --example fewer_solves -- table 50000 500
//!
//! solves 500 deals of each of twenty problems, selected as in a study for each unit, with 50,000 more deals as controls.
//! It prints for every unit the number of solves that the simple mean needs, divided by the number that the study needs for
//! an interval of the same width: the ratio of the variances. For a problem with several leads it is the ratio of the
//! widest intervals, because these decide when a study stops. The second number is the ratio of the work in positions,
//! including the short searches.
//!
//!     cargo run --release -p croupier-studies --example fewer_solves -- solve 0 520 > pool.txt
//!
//! solves deals of each problem for the tests.

#[path = "../tests/common/mod.rs"]
mod common;

use std::ops::ControlFlow;

use common::{Problem, Question, SearchCache};
use croupier_studies::{Estimate, PrecisionUnit};
use engine::parallel;
use solver::Solver;

const SEED: i64 = 1;
/// Number of candidates for each solved deal.
const CANDIDATES_PER_SOLVE: usize = 14;
const UNITS: [PrecisionUnit; 4] = [
    PrecisionUnit::Tricks,
    PrecisionUnit::Percent,
    PrecisionUnit::Points,
    PrecisionUnit::Imps,
];

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["solve", first, count] => solve(number(first), number(count)),
        ["table", looked_at, most] => table(number(looked_at), number(most)),
        _ => {
            eprintln!("usage: fewer_solves solve FIRST COUNT | table LOOKED_AT MOST");
            std::process::exit(2);
        }
    }
}

fn number(text: &str) -> usize {
    text.parse().expect("a number")
}

/// Prints `count` solved deals of every problem, in turn, from the deal `first` on.
fn solve(first: usize, count: usize) {
    let problems = common::problems();
    let deals: Vec<_> = problems
        .iter()
        .map(|problem| problem.deals(SEED, first + count))
        .collect();
    let tasks = (first..first + count).flat_map(|i| (0..problems.len()).map(move |p| (p, i)));
    let end: ControlFlow<()> = parallel::ordered_map(
        0,
        tasks,
        Solver::new,
        |solver: &mut Solver, (p, i)| {
            let deal = &deals[p][i];
            common::pool_line(p, deal, &problems[p].solve(solver, deal))
        },
        |line| {
            println!("{line}");
            ControlFlow::Continue(())
        },
    );
    assert!(end.is_continue());
}

/// Returns the ratio of the variances of the widest intervals.
fn ratio(known: &[(Estimate, Estimate)]) -> f64 {
    let widest = |which: fn(&(Estimate, Estimate)) -> Estimate| {
        known
            .iter()
            .map(|both| which(both).margin())
            .fold(0.0, f64::max)
    };
    (widest(|both| both.1) / widest(|both| both.0)).powi(2)
}

/// Returns the ratios of each unit, in solves and in work.
fn row(problem: &Problem, looked_at: usize, most: usize) -> [(f64, f64); 4] {
    let candidates = CANDIDATES_PER_SOLVE * most;
    let deals = problem.deals(SEED, candidates + looked_at);
    let mut cache = SearchCache::new(&|place| place);
    // Mean cost of a solve without selection: the study of tricks, the first unit, does not select.
    let mut usual = 0.0;
    UNITS.map(|unit| {
        let (found, solved) =
            problem.study(&deals, candidates, (unit, unit), (most, None), &mut cache);
        let [searches, solves] = cache.positions.map(|positions| positions as f64);
        if unit == PrecisionUnit::Tricks {
            usual = solves / solved as f64;
        }
        let ratio = ratio(&found);
        (ratio, ratio * solved as f64 * usual / (searches + solves))
    })
}

fn table(looked_at: usize, most: usize) {
    let mut all: [[(Vec<f64>, Vec<f64>); 4]; 2] = Default::default();
    println!(
        "{:26} {:>14} {:>14} {:>14} {:>14}",
        "problem", "tricks", "%", "points", "imps"
    );
    let problems = common::problems();
    let end: ControlFlow<()> = parallel::ordered_map(
        0,
        problems.iter(),
        || (),
        |(), problem| (problem, row(problem, looked_at, most)),
        |(problem, row)| {
            let kind = usize::from(matches!(problem.question, Question::Contracts(_)));
            print!("{:26}", problem.name);
            for ((ratio, work), all) in row.into_iter().zip(&mut all[kind]) {
                print!(" {ratio:>7.2} ({work:>4.2})");
                all.0.push(ratio);
                all.1.push(work);
            }
            println!();
            ControlFlow::Continue(())
        },
    );
    assert!(end.is_continue());
    for (name, all) in ["median of the leads", "median of the contracts"]
        .into_iter()
        .zip(all)
    {
        print!("{name:26}");
        for (ratios, works) in all {
            print!(" {:>7.2} ({:>4.2})", median(ratios), median(works));
        }
        println!();
    }
}

fn median(mut all: Vec<f64>) -> f64 {
    all.sort_by(f64::total_cmp);
    let middle = |i: usize| all.get(i).copied().unwrap_or(f64::NAN);
    (middle(all.len().saturating_sub(1) / 2) + middle(all.len() / 2)) / 2.0
}
