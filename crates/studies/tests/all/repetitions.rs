//! The 95 % intervals of real studies contain the true value in 93 to 97 % of the studies.
//!
//! Four hundred studies of some hundred solved deals each would take hours. Therefore each problem has a pool of solved
//! deals in a file. The means of the pool are the true values. Every study draws its deals from the pool, with
//! replacement, both candidates and controls. Everything else is as in `croupier lead` and `croupier compare`.

use crate::common::{Problem, SearchCache, problems, read_pool};
use croupier_studies::{Precision, PrecisionUnit};

/// Number of candidates of a study, and of all its deals.
const CANDIDATES: usize = 6_000;
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

/// Returns the number of intervals that contain the true value, the number of intervals, and the mean number of solved
/// deals.
fn coverage(
    problem: &Problem,
    pool: &[(cards::Deal, Vec<u8>)],
    precision: Precision,
    reported: PrecisionUnit,
) -> (u32, u32, f64) {
    let units = (precision.unit, reported);
    let all: Vec<cards::Deal> = pool.iter().map(|(deal, _)| *deal).collect();
    let same = |place: usize| place;
    let mut cache = SearchCache::new(&same);
    for (place, (_, tricks)) in pool.iter().enumerate() {
        cache.insert(place, tricks.clone());
    }
    // All deals are solved and there are no others: the means of the whole pool.
    let (truth, solved) = problem.study(&all, all.len(), units, (all.len(), None), &mut cache);
    assert_eq!(solved, pool.len());
    let (mut held, mut intervals, mut total) = (0, 0, 0);
    for number in 0..STUDIES {
        let mut random = Random(number << 32 | 15);
        let drawn: Vec<usize> = (0..DEALS).map(|_| random.below(pool.len())).collect();
        let deals: Vec<_> = drawn.iter().map(|&i| all[i]).collect();
        let key = |place: usize| drawn[place];
        let stop = (CANDIDATES, Some(precision));
        let mut here = cache.with_key(&key);
        let (found, solved) = problem.study(&deals, CANDIDATES, units, stop, &mut here);
        cache = here.with_key(&same);
        assert!(
            solved < CANDIDATES / 12,
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

fn intervals_hold_the_truth(name: &str, half_width: f64, unit: PrecisionUnit) {
    intervals_reported_hold_the_truth(name, half_width, unit, unit);
}

/// Checks the estimates in the unit `reported` of studies with a precision in `unit`.
fn intervals_reported_hold_the_truth(
    name: &str,
    half_width: f64,
    unit: PrecisionUnit,
    reported: PrecisionUnit,
) {
    let problems = problems();
    let number = problems.iter().position(|problem| problem.name == name);
    let number = number.expect("a problem");
    let pool = &read_pool(include_str!("../data/pool.txt"))[&number];
    let precision = Precision { unit, half_width };
    let (held, intervals, solved) = coverage(&problems[number], pool, precision, reported);
    let share = 100.0 * f64::from(held) / f64::from(intervals);
    println!(
        "{name}, {precision}, {reported:?}: {share:.1} % of {intervals} intervals, {solved:.0} solves"
    );
    assert!((93.0..=97.0).contains(&share), "{name}: {share:.1} %");
}

#[test]
#[ignore = "400 studies"]
fn long_intervals_of_400_lead_studies_in_tricks_contain_the_true_value() {
    intervals_hold_the_truth("1N-3N, sequence", 0.1, PrecisionUnit::Tricks);
}

#[test]
#[ignore = "400 studies"]
fn long_intervals_of_400_lead_studies_in_percent_contain_the_true_value() {
    intervals_hold_the_truth("1H-2H-4H", 2.5, PrecisionUnit::Percent);
}

#[test]
#[ignore = "400 studies"]
fn long_intervals_of_400_comparisons_in_percent_contain_the_true_value() {
    intervals_hold_the_truth("5-3 fit: 3N or 4S", 3.0, PrecisionUnit::Percent);
}

#[test]
#[ignore = "400 studies"]
fn long_intervals_of_400_comparisons_in_imps_contain_the_true_value() {
    intervals_hold_the_truth("4S or 6S", 0.4, PrecisionUnit::Imps);
}

#[test]
#[ignore = "400 studies"]
fn long_tricks_of_400_lead_studies_in_percent_contain_the_true_value() {
    intervals_reported_hold_the_truth(
        "1H-2H-4H",
        2.5,
        PrecisionUnit::Percent,
        PrecisionUnit::Tricks,
    );
}

#[test]
#[ignore = "400 studies"]
fn long_points_of_400_comparisons_in_percent_contain_the_true_value() {
    intervals_reported_hold_the_truth(
        "5-3 fit: 3N or 4S",
        3.0,
        PrecisionUnit::Percent,
        PrecisionUnit::Points,
    );
}
