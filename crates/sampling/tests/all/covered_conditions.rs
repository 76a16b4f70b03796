//! Conditions that must be covered are covered by every sampler, however small its budget.

use cards::{Deal, Seat, Suit};
use croupier_sampling::{Budget, Formula, Problem, Sampler, SuitFunction};
use shuffle::Key;

/// Returns a problem in which South has three clubs and the other three hands have conditions on points.
fn problem(insists: bool) -> Problem {
    let mut problem = Problem::new();
    let length = problem.length(Seat::South, Suit::Clubs);
    let clubs = Formula::between(length, 3, 3);
    match insists {
        true => problem.require_covered(clubs),
        false => problem.require(clubs),
    };
    for (seat, low) in [(Seat::North, 20), (Seat::East, 10), (Seat::West, 2)] {
        let points = problem.points(seat, SuitFunction::hcp());
        problem.require(Formula::between(points, low, 40));
    }
    problem
}

/// Returns the sampler, if there is one, for budgets from 0.1 ms to 0.8 s.
fn samplers(problem: &Problem) -> Vec<Option<Sampler>> {
    let budget = |step: i32| {
        let nanoseconds = 1e5 * 2f64.powi(step);
        Budget {
            nanoseconds,
            search: nanoseconds,
            bytes: 64e6,
        }
    };
    (0..14)
        .map(|step| Sampler::new(problem, budget(step)).ok())
        .collect()
}

#[test]
fn a_sampler_covers_the_required_condition_or_does_not_exist() {
    let all = samplers(&problem(true));
    assert!(all.iter().any(Option::is_none) && all.iter().any(Option::is_some));
    for sampler in all.iter().flatten() {
        assert!(sampler.covered()[0]);
        let mut deals = Vec::new();
        sampler.block(&Key::from_seed(1), 0, &mut deals);
        let clubs = |deal: &Deal| deal.hand(Seat::South).holding(Suit::Clubs).len();
        assert!(deals.iter().all(|deal| clubs(deal) == 3));
    }
}

/// Shows that the test above would detect a length that is left out.
#[test]
fn a_small_budget_leaves_out_conditions_that_need_not_be_covered() {
    let all = samplers(&problem(false));
    assert!(all.iter().flatten().any(|sampler| !sampler.covered()[0]));
}
