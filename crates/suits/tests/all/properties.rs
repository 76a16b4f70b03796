//! Properties of the solver: reductions change nothing, and chances are in order.

use crate::common::Random;
use cards::{Holding, Seat};
use croupier_suits::{
    Combination, CombinationWeightError, Entries, Fraction, PayoffError, SuitGoal, SuitSolution,
    SuitSolver, VacantPlaces, WeightedCombination, in_sequence, two_suits,
};

fn solve(problem: WeightedCombination) -> SuitSolution {
    SuitSolver::new(problem).solve()
}

fn problem(text: &str) -> WeightedCombination {
    WeightedCombination::new(text.parse().unwrap(), VacantPlaces::default()).unwrap()
}

/// Returns a random combination with `missing` cards missing, and random vacant places.
fn random_case(random: &mut Random, missing: usize) -> (Combination, VacantPlaces) {
    let north = random.below(14 - missing);
    let combination = random.combination(north, 13 - missing - north);
    let vacant = VacantPlaces {
        west: 13 - random.below(5) as u8,
        east: 13 - random.below(5) as u8,
    };
    (combination, vacant)
}

#[test]
fn merging_equal_cards_changes_nothing() {
    let mut random = Random(10);
    for round in 0..60 {
        let (combination, vacant) = random_case(&mut random, 1 + round % 5);
        let merged = WeightedCombination::new(combination, vacant).unwrap();
        let unmerged = WeightedCombination::unmerged(combination, vacant).unwrap();
        assert_eq!(solve(merged), solve(unmerged), "{combination} {vacant:?}");
    }
}

#[test]
fn leaving_out_cards_of_third_hand_with_the_same_effect_changes_nothing() {
    let mut random = Random(11);
    for round in 0..40 {
        let (combination, vacant) = random_case(&mut random, 1 + round % 5);
        let problem = WeightedCombination::new(combination, vacant).unwrap();
        let full = SuitSolver::without_reduction(problem.clone()).solve();
        assert_eq!(solve(problem), full, "{combination} {vacant:?}");
    }
}

/// The bound must never exceed the true loss, or the best line would be cut off.
#[test]
fn the_bound_from_fractional_weights_changes_nothing() {
    let mut random = Random(16);
    for round in 0..30 {
        let (combination, vacant) = random_case(&mut random, 3 + round % 5);
        let problem = WeightedCombination::new(combination, vacant).unwrap();
        let priced = SuitSolver::with_priced_bound(problem.clone()).solve();
        assert_eq!(solve(problem), priced, "{combination} {vacant:?}");
    }
}

#[test]
fn exchanging_the_hands_changes_nothing() {
    let mut random = Random(12);
    for round in 0..60 {
        let (combination, vacant) = random_case(&mut random, 2 + round % 7);
        let exchanged = VacantPlaces {
            west: vacant.east,
            east: vacant.west,
        };
        let one = WeightedCombination::new(combination, vacant).unwrap();
        let other = WeightedCombination::new(combination.swapped(), exchanged).unwrap();
        assert_eq!(solve(one), solve(other), "{combination} {vacant:?}");
    }
}

#[test]
fn more_tricks_are_less_likely_and_the_average_is_at_most_the_sum_of_the_chances() {
    let mut random = Random(13);
    for round in 0..60 {
        let (combination, vacant) = random_case(&mut random, 2 + round % 8);
        let solution = solve(WeightedCombination::new(combination, vacant).unwrap());
        assert!(
            solution.chances.is_sorted_by(|one, other| one >= other),
            "{combination}"
        );
        let sum: f64 = solution.chances.iter().map(|chance| chance.value()).sum();
        assert!(solution.average.value() <= sum + 1e-12, "{combination}");
    }
}

/// The line with the best worst margin is chosen from the whole front, so the front must hold the best average too.
#[test]
fn the_whole_front_holds_the_best_average() {
    let mut random = Random(14);
    let mut compared = 0;
    for round in 0..60 {
        let (combination, vacant) = random_case(&mut random, 2 + round % 5);
        let mut solver = SuitSolver::new(WeightedCombination::new(combination, vacant).unwrap());
        if let Some(best) = solver.best_average_of_front(2000) {
            assert_eq!(best, solver.solve().average, "{combination} {vacant:?}");
            compared += 1;
        }
    }
    assert!(compared > 40, "{compared}");
}

#[test]
fn the_best_first_move_has_the_best_value() {
    let mut random = Random(15);
    for round in 0..40 {
        let (combination, vacant) = random_case(&mut random, 2 + round % 6);
        let mut solver = SuitSolver::new(WeightedCombination::new(combination, vacant).unwrap());
        for goal in (1..=combination.tricks())
            .map(SuitGoal::AtLeast)
            .chain([SuitGoal::Average])
        {
            let moves = solver.first_moves(&goal).unwrap();
            let best = solver.value(&goal).unwrap();
            assert_eq!(moves[0].value, best, "{combination} {goal:?}");
        }
    }
}

#[test]
fn a_payoff_of_one_at_the_goal_is_its_chance() {
    for text in ["AQT98/5432", "KJ97/53", "AT42/953"] {
        let mut solver = SuitSolver::new(problem(text));
        for need in 1..=solver.problem().combination().tricks() {
            let payoffs = (0..=13).map(|tricks| (tricks >= need).into()).collect();
            let value = solver.value(&SuitGoal::Payoff(payoffs)).unwrap();
            assert_eq!(value, solver.chance(need), "{text} {need}");
        }
    }
}

#[test]
fn payoffs_that_decrease_are_refused() {
    let mut solver = SuitSolver::new(problem("AQ/32"));
    let error = solver.value(&SuitGoal::Payoff(vec![0, 2, 1])).unwrap_err();
    assert_eq!(error, PayoffError::Decreases(2));
    let error = solver.line(&SuitGoal::Payoff(Vec::new())).unwrap_err();
    assert_eq!(error, PayoffError::Empty);
}

/// A priori weights given one by one equal the weights of the vacant places; a larger scale needs 128 bits.
#[test]
fn given_weights_of_all_layouts_agree_with_vacant_places() {
    let combination: Combination = "K432/AT765".parse().unwrap();
    let missing = combination.missing();
    for scale in [1, 1 << 70] {
        let choose = |n: u128, k: u128| (0..k).fold(1u128, |all, i| all * (n - i) / (i + 1));
        let layouts: Vec<(Holding, u128)> = (0..1u16 << 13)
            .filter(|west| west & !missing.0 == 0)
            .map(|west| {
                (
                    Holding(west),
                    scale * choose(22, 13 - u128::from(west.count_ones())),
                )
            })
            .collect();
        let given = solve(WeightedCombination::with_layouts(combination, &layouts).unwrap());
        assert_eq!(given, solve(problem("K432/AT765")), "{scale}");
        // The example of the specification: layouts with the queen and not the jack in West have double weight.
        let doubled: Vec<(Holding, u128)> = layouts
            .iter()
            .map(|&(west, weight)| match west.0 >> 9 & 3 {
                2 => (west, 2 * weight),
                _ => (west, weight),
            })
            .collect();
        let given = solve(WeightedCombination::with_layouts(combination, &doubled).unwrap());
        assert_eq!(format!("{:.2}", given.chance(5).percent()), "52.48");
    }
}

#[test]
fn problems_without_layouts_are_refused() {
    let combination: Combination = "AQ/32".parse().unwrap();
    let vacant = VacantPlaces { west: 4, east: 4 };
    let error = WeightedCombination::new(combination, vacant).unwrap_err();
    assert_eq!(
        error,
        CombinationWeightError::TooFewPlaces {
            places: 8,
            missing: 9
        }
    );
    let vacant = VacantPlaces { west: 14, east: 4 };
    assert_eq!(
        WeightedCombination::new(combination, vacant).unwrap_err(),
        CombinationWeightError::TooManyPlaces(14)
    );
    assert_eq!(
        WeightedCombination::with_layouts(combination, &[]).unwrap_err(),
        CombinationWeightError::NoLayout
    );
    let ace: Holding = Holding(1 << 12);
    assert!(matches!(
        WeightedCombination::with_layouts(combination, &[(ace, 1)]),
        Err(CombinationWeightError::NotADefendersCard(_))
    ));
    let entries = Entries {
        hand: Seat::West,
        number: 1,
    };
    assert!(problem("AQ/32").with_entries(entries).is_err());
}

#[test]
fn many_entries_are_as_good_as_unlimited_ones_and_none_are_worse() {
    for text in ["AQT98/5432", "AQJ/432", "KJT9/432"] {
        let unlimited = solve(problem(text));
        let with = |number: u8| {
            let entries = Entries {
                hand: Seat::South,
                number,
            };
            solve(problem(text).with_entries(entries).unwrap())
        };
        assert_eq!(with(13), unlimited, "{text}");
        assert!(with(0).average < with(1).average, "{text}");
        assert!(with(1).average <= unlimited.average, "{text}");
    }
}

/// SuitPlay's help: the margin of the matchpoint line over the line with the best average is 3.6522 %.
#[test]
fn matchpoint_margins_are_those_of_suitplay() {
    let matchpoints = SuitSolver::new(problem("AQT98/5432"))
        .matchpoints(3000)
        .unwrap();
    assert!(matchpoints.worst_margin >= Fraction::ZERO);
    let margin = matchpoints.margin_over_best_average.percent();
    assert_eq!(format!("{margin:.4}"), "3.6522");
    let without_unbeaten = SuitSolver::new(problem("AJ98/K32"))
        .matchpoints(3000)
        .unwrap();
    assert!(without_unbeaten.worst_margin < Fraction::ZERO);
    assert!(
        SuitSolver::new(problem("AQ86/T42"))
            .matchpoints(100)
            .is_err()
    );
}

/// A finesse for the queen in one suit and for the king in the other: about three of four deals have a winning one.
#[test]
fn two_suits_in_sequence_need_one_of_two_finesses() {
    let one: Combination = "AQ/32".parse().unwrap();
    let sequence = two_suits(one, one, VacantPlaces::default(), 3).unwrap();
    // The kings are independent except for the vacant places, so the chance is exactly 1 - P(both with East).
    let both_with_east = 12.0 / 25.0 * 0.5;
    assert!((sequence.line.value().value() - (1.0 - both_with_east)).abs() < 1e-12);
    let all = in_sequence(one, one, VacantPlaces::default(), 4).unwrap();
    assert!((all.line.value().value() - both_with_east).abs() < 1e-12);
    let none = in_sequence(one, one, VacantPlaces::default(), 2).unwrap();
    assert_eq!(none.line.value(), Fraction::ONE);
    let crowded = VacantPlaces { west: 9, east: 8 };
    assert!(in_sequence(one, one, crowded, 2).is_err());
}
