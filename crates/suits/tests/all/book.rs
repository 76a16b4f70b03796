//! The embedded table compared with the solver.

use croupier_suits::book::{Book, encode};
use croupier_suits::{
    CATALOGUE_SIZE, Combination, SuitSolution, SuitSolver, VacantPlaces, WeightedCombination,
    catalogue,
};

fn solve(combination: Combination) -> SuitSolution {
    SuitSolver::new(WeightedCombination::new(combination, VacantPlaces::default()).unwrap()).solve()
}

/// The number of combinations by missing cards, up to the exchange of the hands.
#[test]
fn the_catalogue_has_every_combination_once() {
    let mut numbers = [0; 13];
    for combination in catalogue() {
        numbers[combination.missing().len()] += 1;
    }
    let expected = [
        7, 231, 2184, 9752, 24310, 37854, 38760, 27192, 13167, 4455, 1012, 156, 13,
    ];
    assert_eq!(numbers, expected);
    // The word without any card of declarer's is not a combination.
    assert_eq!(numbers.iter().sum::<usize>(), CATALOGUE_SIZE);
}

#[test]
fn the_shipped_table_has_the_chances_that_the_solver_finds() {
    let book = Book::shipped();
    let entries = book.entries();
    assert_eq!(entries.len(), CATALOGUE_SIZE);
    for entry in entries.iter().step_by(321) {
        assert_eq!(
            entry.solution,
            solve(entry.combination),
            "{}",
            entry.combination
        );
    }
    let exchanged = Combination::parse("5432", "AQT98").unwrap();
    assert_eq!(book.solution(exchanged), Some(&solve(exchanged)));
}

#[test]
fn the_shipped_table_is_small_and_encodes_to_itself() {
    let book = Book::shipped();
    let solutions: Vec<SuitSolution> = book
        .entries()
        .iter()
        .map(|it| it.solution.clone())
        .collect();
    let table = encode(&solutions).unwrap();
    assert_eq!(table, include_bytes!("../../data/chances.bin"));
    assert!(table.len() < 1_600_000, "{}", table.len());
}

#[test]
#[ignore = "takes about five minutes"]
fn long_the_shipped_table_is_what_the_solver_finds_for_every_combination() {
    for entry in Book::shipped().entries() {
        assert_eq!(
            entry.solution,
            solve(entry.combination),
            "{}",
            entry.combination
        );
    }
}
