//! The intervals of real studies hold the truth as often as they say.
//!
//! Four hundred studies of some hundred solved deals each would take hours. So each problem gets a pool of solved deals,
//! which plays the part of all deals there are: its averages are the truth, and every study draws its deals from the
//! pool, with replacement, those that it solves and those that it only looks at. Everything else is as in
//! `croupier lead` and `croupier compare`.

mod common;

use common::{Problem, Question, leads, problems};
use solver::Solver;
use solver::study::Estimate;
use studies::{ContractSample, LeadSample, Precision, Stopping, Unit};

/// Deals in the pool.
const POOL: usize = 600;
/// Deals that a study looks at.
const LOOKED_AT: usize = 2_000;
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

/// A study of these deals that ends at the precision: its numbers in the unit, and how many deals were solved.
fn study(
    problem: &Problem,
    deals: &[cards::Deal],
    tricks: &[&[u8]],
    precision: Option<Precision>,
    unit: Unit,
) -> (Vec<Estimate>, usize) {
    let mut stopping = precision.map(Stopping::at);
    match &problem.question {
        Question::Lead(declared, hand) => {
            let vulnerable = problem.vulnerability.includes(declared.declarer.side());
            let mut sample = LeadSample::new(*hand, *declared, vulnerable, deals);
            for tricks in tricks {
                sample.add(&leads(*hand, tricks));
                let enough = |stopping: &mut Stopping| {
                    stopping.enough(sample.solved(), |precision| sample.reached(precision))
                };
                if stopping.as_mut().is_some_and(enough) {
                    break;
                }
            }
            let kept = match unit {
                Unit::Tricks => 0,
                Unit::Percent => 1,
                Unit::Points => 2,
                Unit::Imps => 3,
            };
            let numbers = 0..sample.leads().len();
            let known = numbers.map(|lead| sample.estimates(lead)[kept].0);
            (known.collect(), sample.solved())
        }
        Question::Contracts(contracts) => {
            let mut sample = ContractSample::new(contracts.clone(), problem.vulnerability, deals);
            for tricks in tricks {
                sample.add(tricks);
                let enough = |stopping: &mut Stopping| {
                    stopping.enough(sample.solved(), |precision| sample.reached(precision))
                };
                if stopping.as_mut().is_some_and(enough) {
                    break;
                }
            }
            let known = sample.estimates(unit).into_iter().map(|(both, _)| both);
            (known.collect(), sample.solved())
        }
    }
}

/// How many of the intervals of all studies hold the truth, of how many, and the mean number of solved deals.
fn coverage(problem: &Problem, precision: &str) -> (u32, u32, f64) {
    let precision: Precision = precision.parse().expect("a precision");
    let deals = problem.deals(7, POOL);
    let mut solver = Solver::new();
    let pool: Vec<Vec<u8>> = deals
        .iter()
        .map(|deal| problem.solve(&mut solver, deal))
        .collect();
    // The plain averages of the whole pool: a study that solves everything and looks no further.
    let all: Vec<&[u8]> = pool.iter().map(Vec::as_slice).collect();
    let (truth, solved) = study(problem, &deals, &all, None, precision.unit);
    assert_eq!(solved, POOL);
    let (mut held, mut intervals, mut total) = (0, 0, 0);
    for number in 0..STUDIES {
        let mut random = Random(number << 32 | 15);
        let drawn: Vec<usize> = (0..LOOKED_AT).map(|_| random.below(POOL)).collect();
        let looked: Vec<_> = drawn.iter().map(|&i| deals[i]).collect();
        let tricks: Vec<&[u8]> = drawn.iter().map(|&i| pool[i].as_slice()).collect();
        let (known, solved) = study(problem, &looked, &tricks, Some(precision), precision.unit);
        assert!(
            solved < LOOKED_AT,
            "the precision is too fine for this test"
        );
        total += solved;
        for (estimate, truth) in known.iter().zip(&truth) {
            intervals += 1;
            held += u32::from(estimate.low <= truth.value && truth.value <= estimate.high);
        }
    }
    (held, intervals, total as f64 / STUDIES as f64)
}

/// About five minutes of computing.
#[test]
#[ignore = "400 studies of four problems"]
fn long_intervals_of_400_studies_hold_the_truth_95_times_in_100() {
    let problems = problems();
    for (name, precision) in [
        ("1N-3N, sequence", "0.08 tricks"),
        ("1S-3S-4S", "0.3 imps"),
        ("5-3 fit: 3N or 4S", "3.5%"),
        ("4S or 6S", "0.9 imps"),
    ] {
        let problem = problems
            .iter()
            .find(|problem| problem.name == name)
            .expect(name);
        let (held, intervals, solved) = coverage(problem, precision);
        let share = 100.0 * f64::from(held) / f64::from(intervals);
        println!(
            "{name}, {precision}: {share:.1} % of {intervals} intervals, {solved:.0} solves a study"
        );
        assert!((93.0..=97.0).contains(&share), "{name}: {share:.1} %");
    }
}
