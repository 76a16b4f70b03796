//! Chances compared with recorded vectors and published values.

use croupier_suits::{Combination, SuitSolver, VacantPlaces, WeightedCombination};

fn solver(fields: &[&str]) -> SuitSolver {
    let combination = Combination::parse(fields[0], fields[1]).unwrap();
    let vacant = VacantPlaces {
        west: fields[2].parse().unwrap(),
        east: fields[3].parse().unwrap(),
    };
    SuitSolver::new(WeightedCombination::new(combination, vacant).unwrap())
}

/// `vectors.csv`: values of a prototype that two brute-force programs and SuitPlay confirm; `more_vectors.csv`: further
/// values of that prototype, for 260 random combinations.
#[test]
fn every_vector_is_met_to_nine_digits() {
    let files = [
        include_str!("../data/vectors.csv"),
        include_str!("../data/more_vectors.csv"),
    ];
    let lines = files.into_iter().flat_map(|text| text.lines().skip(1));
    let rows: Vec<Vec<&str>> = lines.map(|line| line.split(',').collect()).collect();
    assert_eq!(rows.len(), 2371 + 1157);
    for rows in rows.chunk_by(|one, other| one[..4] == other[..4]) {
        let solution = solver(&rows[0]).solve();
        for row in rows {
            let tricks: usize = row[4].parse().unwrap();
            let (chance, average): (f64, f64) = (row[5].parse().unwrap(), row[6].parse().unwrap());
            assert!(
                (solution.chance(tricks).value() - chance).abs() < 1e-9,
                "{row:?} {solution:?}"
            );
            assert!(
                (solution.average.value() - average).abs() < 1e-9,
                "{row:?} {solution:?}"
            );
        }
    }
}

/// `literature.csv`: published values with their sources, at the precision at which they are printed.
#[test]
fn published_values_are_met_at_their_precision() {
    let text = include_str!("../data/literature.csv");
    let mut compared = 0;
    for line in text.lines().skip(1) {
        let fields: Vec<&str> = line.splitn(9, ',').collect();
        let [goal, published] = [fields[4], fields[5]];
        let mut solver = solver(&fields);
        let value = match goal {
            "E" => solver.solve().average.value(),
            tricks => solver.chance(tricks.parse().unwrap()).percent(),
        };
        let decimals = published
            .split_once('.')
            .map_or(0, |(_, digits)| digits.len());
        let half_a_unit = 0.5 * 10f64.powi(-(decimals as i32));
        let difference = (value - published.parse::<f64>().unwrap()).abs();
        assert!(difference <= half_a_unit * 1.000_001, "{line}: {value}");
        compared += 1;
    }
    assert_eq!(compared, 61);
}
