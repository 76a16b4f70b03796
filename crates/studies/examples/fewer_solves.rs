//! How many solves a study needs for the same interval, with and without the help of deals that are not solved.
//!
//!     cargo run --release -p croupier-studies --example fewer_solves -- solve 0 1500 > pool.txt
//!     cargo run --release -p croupier-studies --example fewer_solves -- table pool.txt 50000 500
//!
//! The first solves so many deals of each of twenty problems. The second looks at 50,000 more deals of each, chooses at most
//! 500 of the solved ones as a study would for the unit, and
//! prints for every unit the ratio of the solves: those that the plain mean needs to those that
//! the study needs for an interval of the same width, which is the ratio of their variances. For a problem with several
//! leads it is that of the widest interval, because that one decides when a study ends.

#[path = "../tests/common/mod.rs"]
mod common;

use std::ops::ControlFlow;

use common::Question;
use engine::parallel;
use solver::Solver;
use solver::study::Estimate;
use studies::Unit;

const SEED: i64 = 1;
const UNITS: [Unit; 4] = [Unit::Tricks, Unit::Percent, Unit::Points, Unit::Imps];

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["solve", first, count] => solve(number(first), number(count)),
        ["table", pool, looked_at, most] => table(
            &std::fs::read_to_string(pool).expect("a pool"),
            number(looked_at),
            number(most),
        ),
        _ => {
            eprintln!("usage: fewer_solves solve FIRST COUNT | table POOL LOOKED_AT MOST");
            std::process::exit(2);
        }
    }
}

fn number(text: &str) -> usize {
    text.parse().expect("a number")
}

/// Prints so many solved deals of every problem, by turns.
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

/// Of both intervals the ratio of the variances; of several numbers that of the widest.
fn ratio(known: &[(Estimate, Estimate)]) -> f64 {
    let widest = |which: fn(&(Estimate, Estimate)) -> Estimate| {
        known
            .iter()
            .map(|both| which(both).margin())
            .fold(0.0, f64::max)
    };
    (widest(|both| both.1) / widest(|both| both.0)).powi(2)
}

fn table(pool: &str, looked_at: usize, most: usize) {
    let pool = common::read_pool(pool);
    let mut all: [[Vec<f64>; 4]; 2] = Default::default();
    println!(
        "{:26} {:>14} {:>14} {:>14} {:>14}",
        "problem", "tricks (solved)", "%", "points", "imps"
    );
    for (number, problem) in common::problems().iter().enumerate() {
        let Some(solved) = pool.get(&number) else {
            continue;
        };
        // Which deals come out depends on how many are asked for, so the others are of another seed.
        let mut deals: Vec<_> = solved.iter().map(|(deal, _)| *deal).collect();
        deals.extend(problem.deals(SEED + 1, looked_at));
        let kind = usize::from(matches!(problem.question, Question::Contracts(_)));
        print!("{:26}", problem.name);
        for (unit, all) in UNITS.into_iter().zip(&mut all[kind]) {
            let tricks = |place: usize| solved[place].1.as_slice();
            let (known, solved) = problem.study(&deals, solved.len(), unit, most, tricks);
            let ratio = ratio(&known);
            print!(" {ratio:>7.2} ({solved:>4})");
            all.push(ratio);
        }
        println!();
    }
    for (name, mut all) in ["median of the leads", "median of the contracts"]
        .into_iter()
        .zip(all)
    {
        print!("{name:26}");
        for ratios in &mut all {
            ratios.sort_by(f64::total_cmp);
            let middle = |i: usize| ratios.get(i).copied().unwrap_or(f64::NAN);
            let (low, high) = (ratios.len().saturating_sub(1) / 2, ratios.len() / 2);
            print!(" {:>7.2}       ", (middle(low) + middle(high)) / 2.0);
        }
        println!();
    }
}
