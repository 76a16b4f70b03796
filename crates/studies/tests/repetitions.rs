//! The intervals of real studies hold the truth as often as they say.
//!
//! Four hundred studies of some hundred solved deals each would take hours. So each problem has a pool of solved deals, in
//! a file, which plays the part of all deals there are: its averages are the truth, and every study draws its deals from
//! the pool, with replacement, those that it chooses from and those that it only looks at. Everything else is as in
//! `croupier lead` and `croupier compare`.

mod common;

use common::{Known, Problem, problems, read_pool};
use studies::{Precision, Unit};

/// Deals that a study chooses from, and all that it has.
const STREAM: usize = 6_000;
const DEALS: usize = 12_000;
const STUDIES: u64 = 400;

struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((u128::from(z ^ (z >> 31)) * n as u128) >> 64) as usize
    }
}

/// How many of the intervals of all studies hold the truth, of how many, and the mean number of solved deals.
fn coverage(
    problem: &Problem,
    pool: &[(cards::Deal, Vec<u8>)],
    precision: Precision,
    told: Unit,
) -> (u32, u32, f64) {
    let units = (precision.unit, told);
    let all: Vec<cards::Deal> = pool.iter().map(|(deal, _)| *deal).collect();
    let same = |place: usize| place;
    let mut known = Known::new(&same);
    for (place, (_, tricks)) in pool.iter().enumerate() {
        known.learn(place, tricks.clone());
    }
    // Everything solved, nothing looked at besides: the plain averages of the whole pool.
    let (truth, solved) = problem.study(&all, all.len(), units, (all.len(), None), &mut known);
    assert_eq!(solved, pool.len());
    let (mut held, mut intervals, mut total) = (0, 0, 0);
    for number in 0..STUDIES {
        let mut random = Random(number << 32 | 15);
        let drawn: Vec<usize> = (0..DEALS).map(|_| random.below(pool.len())).collect();
        let deals: Vec<_> = drawn.iter().map(|&i| all[i]).collect();
        let key = |place: usize| drawn[place];
        let wish = (STREAM, Some(precision));
        let mut here = known.with(&key);
        let (found, solved) = problem.study(&deals, STREAM, units, wish, &mut here);
        known = here.with(&same);
        assert!(
            solved < STREAM / 12,
            "the precision is too fine for this test"
        );
        total += solved;
        for ((estimate, _), (truth, _)) in found.iter().zip(&truth) {
            intervals += 1;
            held += u32::from(estimate.low <= truth.value && truth.value <= estimate.high);
        }
    }
    (held, intervals, total as f64 / STUDIES as f64)
}

fn intervals_hold_the_truth(name: &str, half_width: f64, unit: Unit) {
    intervals_told_hold_the_truth(name, half_width, unit, unit);
}

/// The same for the numbers of a unit that the wish is not about.
fn intervals_told_hold_the_truth(name: &str, half_width: f64, unit: Unit, told: Unit) {
    let problems = problems();
    let number = problems.iter().position(|problem| problem.name == name);
    let number = number.expect("a problem");
    let pool = &read_pool(include_str!("data/pool.txt"))[&number];
    let precision = Precision { unit, half_width };
    let (held, intervals, solved) = coverage(&problems[number], pool, precision, told);
    let share = 100.0 * f64::from(held) / f64::from(intervals);
    println!(
        "{name}, {precision}, {told:?}: {share:.1} % of {intervals} intervals, {solved:.0} solves"
    );
    assert!((93.0..=97.0).contains(&share), "{name}: {share:.1} %");
}

#[test]
#[ignore = "400 studies"]
fn long_intervals_of_400_lead_studies_in_tricks_hold_the_truth() {
    intervals_hold_the_truth("1N-3N, sequence", 0.1, Unit::Tricks);
}

#[test]
#[ignore = "400 studies"]
fn long_intervals_of_400_lead_studies_in_percent_hold_the_truth() {
    intervals_hold_the_truth("1H-2H-4H", 2.5, Unit::Percent);
}

#[test]
#[ignore = "400 studies"]
fn long_intervals_of_400_comparisons_in_percent_hold_the_truth() {
    intervals_hold_the_truth("5-3 fit: 3N or 4S", 3.0, Unit::Percent);
}

#[test]
#[ignore = "400 studies"]
fn long_intervals_of_400_comparisons_in_imps_hold_the_truth() {
    intervals_hold_the_truth("4S or 6S", 0.4, Unit::Imps);
}

#[test]
#[ignore = "400 studies"]
fn long_tricks_of_400_lead_studies_in_percent_hold_the_truth() {
    intervals_told_hold_the_truth("1H-2H-4H", 2.5, Unit::Percent, Unit::Tricks);
}

#[test]
#[ignore = "400 studies"]
fn long_points_of_400_comparisons_in_percent_hold_the_truth() {
    intervals_told_hold_the_truth("5-3 fit: 3N or 4S", 3.0, Unit::Percent, Unit::Points);
}
