//! The postflop solver compared with plain code, and properties of every solution.

use croupier_poker_solver::postflop::{
    LockedNode, PostflopGoals, PostflopSolver, SolverOptions, Spot, SpotError, StoragePrecision,
};
use poker::{Range, parse_cards};
use proptest::prelude::*;

use crate::naive;

fn spot(board: &str, oop: &str, ip: &str) -> Spot {
    Spot::new(
        parse_cards(board).unwrap(),
        [oop.parse().unwrap(), ip.parse().unwrap()],
        100.0,
        200.0,
    )
}

fn options(precision: StoragePrecision, threads: usize) -> SolverOptions {
    SolverOptions {
        precision: Some(precision),
        threads,
        ..SolverOptions::default()
    }
}

fn after(spot: &Spot, options: SolverOptions, iterations: u32) -> PostflopSolver {
    let mut solver = PostflopSolver::new(spot.clone(), options).unwrap();
    (0..iterations).for_each(|_| solver.step());
    solver
}

fn bytes(solver: &PostflopSolver) -> Vec<u8> {
    let mut bytes = Vec::new();
    solver.save(&mut bytes).unwrap();
    bytes
}

fn assert_near(found: f64, wanted: f64, within: f64) {
    assert!(
        (found - wanted).abs() <= within,
        "{found} instead of {wanted}"
    );
}

const OOP: &str = "TT+,AQs+,KQs,QJs:0.5,JTs,98s,AKo";
const IP: &str = "QQ-99,AJs+,KTs+,QTs+,T9s:0.25,AQo";

#[test]
fn plain_best_responses_agree_on_a_river() {
    let solver = after(
        &spot("QsJh2h8d3c", OOP, IP),
        options(StoragePrecision::Single, 1),
        60,
    );
    let found = solver.exploitability();
    assert!(found > 0.0 && found < 1.0, "{found}");
    assert_near(found, naive::exploitability(&solver), 1e-6);
    assert_near(solver.expected_values()[0], naive::value(&solver), 1e-6);
}

/// The plain code visits all 48 rivers, the solver only those that are not equivalent. Rounding breaks the symmetry of
/// equivalent hands a little.
#[test]
fn plain_best_responses_agree_on_turns_with_and_without_symmetry() {
    for board in ["Ts9s4d4c", "Kh7h2h5h", "As8d8c3h"] {
        let spot = spot(board, "AA,KK,TT,AKs,JTs", "QQ,99,AQs,T9s")
            .with_sizes("75%", "a")
            .unwrap();
        for (precision, within) in [
            (StoragePrecision::Double, 1e-9),
            (StoragePrecision::Single, 1e-4),
            (StoragePrecision::Compact, 1e-3),
        ] {
            let solver = after(&spot, options(precision, 1), 25);
            assert_near(
                solver.exploitability(),
                naive::exploitability(&solver),
                within,
            );
            assert_near(solver.expected_values()[0], naive::value(&solver), within);
        }
    }
}

#[test]
fn plain_best_responses_agree_on_a_flop() {
    let spot = spot("Ts9s4s", "AsAh,KdKc,JhJd", "QsQh,AhKh")
        .with_sizes("a", "none")
        .unwrap();
    let solver = after(&spot, options(StoragePrecision::Compact, 2), 6);
    assert_near(
        solver.exploitability(),
        naive::exploitability(&solver),
        1e-3,
    );
}

#[test]
fn threads_do_not_change_a_byte() {
    let spot = spot("Ts9s4d4c", OOP, IP).with_sizes("75%,a", "a").unwrap();
    for precision in [StoragePrecision::Single, StoragePrecision::Compact] {
        let one = after(&spot, options(precision, 1), 8);
        let three = after(&spot, options(precision, 3), 8);
        assert!(bytes(&one) == bytes(&three));
        assert_eq!(one.exploitability(), three.exploitability());
    }
}

#[test]
fn resumed_games_end_with_the_bytes_of_uninterrupted_ones() {
    let mut spot = spot("Ts9s4d4c", OOP, IP)
        .with_sizes("75%,a", "2.5x")
        .unwrap();
    let lock = LockedNode::parse("check => bet 75: QQ; check: AQo,JJ", &spot.setting()).unwrap();
    spot.locks.push(lock);
    for precision in [
        StoragePrecision::Double,
        StoragePrecision::Single,
        StoragePrecision::Compact,
    ] {
        let whole = after(&spot, options(precision, 1), 9);
        let saved = bytes(&after(&spot, options(precision, 1), 4));
        let mut resumed = PostflopSolver::load(&saved[..], SolverOptions::default()).unwrap();
        assert!(bytes(&resumed) == saved, "loading changes nothing");
        (0..5).for_each(|_| resumed.step());
        assert!(bytes(&resumed) == bytes(&whole), "{precision:?}");
    }
}

#[test]
fn damaged_files_are_refused() {
    let saved = bytes(&after(
        &spot("QsJh2h8d3c", "AA,KK", "QQ,JJ"),
        SolverOptions::default(),
        2,
    ));
    let load = |bytes: &[u8]| {
        PostflopSolver::load(bytes, SolverOptions::default())
            .map(|_| ())
            .map_err(|error| error.to_string())
    };
    assert_eq!(load(&saved), Ok(()));
    for length in [0, 10, 40, saved.len() / 2, saved.len() - 1] {
        assert!(load(&saved[..length]).is_err());
    }
    for place in 0..saved.len() {
        let mut damaged = saved.clone();
        damaged[place] ^= 4;
        assert!(load(&damaged).is_err(), "byte {place}");
    }
}

#[test]
fn full_ranges_on_a_river_reach_a_thousandth_of_the_pot() {
    let spot = Spot::new(
        parse_cards("KhTd7c4s2h").unwrap(),
        ["random".parse().unwrap(), "random".parse().unwrap()],
        100.0,
        300.0,
    );
    let mut solver = PostflopSolver::new(spot, SolverOptions::default()).unwrap();
    let outcome = solver.run(&PostflopGoals::default(), |_| true);
    assert!(
        outcome.reached && outcome.exploitability <= 0.1 && outcome.iterations < 1000,
        "{outcome:?}"
    );
    let values = solver.expected_values();
    assert_near(values[0] + values[1], 100.0, 1e-9);
    let report = solver.report("").unwrap();
    assert_eq!(report.hands.len(), 47 * 46 / 2);
    assert_near(report.expected_values[0], values[0], 1e-6);
    assert_near(report.frequencies.iter().sum::<f64>(), 1.0, 1e-9);
    assert_near(report.probability, 1.0, 1e-9);
}

#[test]
fn compact_storage_solves_turns_to_a_small_exploitability() {
    let spot = spot("Ts9s4d4c", OOP, IP).with_sizes("75%", "a").unwrap();
    let mut solver = PostflopSolver::new(spot, options(StoragePrecision::Compact, 2)).unwrap();
    let outcome = solver.run(
        &PostflopGoals {
            exploitability: 0.002,
            iterations: 500,
            check_every: 10,
        },
        |_| true,
    );
    assert!(outcome.reached, "{outcome:?}");
}

#[test]
fn locked_hands_play_as_given_and_the_opponent_takes_advantage() {
    let free = after(
        &spot("2c2d2h2s3c", "AsAh,QsQh", "KsKh")
            .with_sizes("a", "none")
            .unwrap(),
        options(StoragePrecision::Double, 1),
        3000,
    );
    let mut spot = free.spot().clone();
    // Always bluffing is a mistake: kings call and gain.
    spot.locks
        .push(LockedNode::parse("=> all-in: QsQh", &spot.setting()).unwrap());
    let locked = after(&spot, options(StoragePrecision::Double, 1), 3000);
    let queens = locked
        .report("")
        .unwrap()
        .hands
        .into_iter()
        .find(|hand| hand.hand == parse_cards("QsQh").unwrap())
        .unwrap();
    assert_eq!(queens.strategy, [0.0, 1.0]);
    let kings = locked.report("all-in").unwrap();
    assert!(kings.frequencies[1] > 0.99);
    assert!(locked.expected_values()[0] < free.expected_values()[0] - 1.0);
    let wrong = LockedNode::parse("=> all-in: QsQh:0.5", &spot.setting()).unwrap();
    let refused = PostflopSolver::new(
        Spot {
            locks: vec![wrong],
            ..spot
        },
        SolverOptions::default(),
    );
    assert!(matches!(refused, Err(SpotError::Frequencies(..))));
}

#[test]
fn memory_is_bounded_before_it_is_used() {
    let flop = Spot::new(
        parse_cards("Ts9s4d").unwrap(),
        ["random".parse().unwrap(), "random".parse().unwrap()],
        100.0,
        1000.0,
    );
    let needed = PostflopSolver::estimate(&flop, &SolverOptions::default()).unwrap();
    assert_eq!(needed.precision, StoragePrecision::Compact);
    let refused = PostflopSolver::new(
        flop,
        SolverOptions {
            memory: 1 << 30,
            ..SolverOptions::default()
        },
    );
    assert_eq!(
        refused.err(),
        Some(SpotError::Memory(needed.bytes, 1 << 30))
    );
}

#[test]
fn spots_and_paths_that_make_no_sense_are_reported() {
    let solver = |spot: Spot| {
        PostflopSolver::new(spot, SolverOptions::default())
            .map(|_| ())
            .unwrap_err()
            .to_string()
    };
    assert!(solver(spot("QsJh", OOP, IP)).contains("2 cards"));
    assert!(
        solver(Spot {
            pot: 0.0,
            ..spot("QsJh2h", "AA", "KK")
        })
        .contains("pot")
    );
    let deep = Spot {
        raise_limit: 101,
        ..spot("QsJh2h", "AA", "KK")
    };
    assert!(solver(deep).contains("at most 100"));
    let tiny = spot("QsJh2h8d3c", "AA", "KK")
        .with_sizes("0.000001", "0.000002,1.1x,a")
        .unwrap();
    assert!(
        solver(Spot {
            stack: 1e9,
            raise_limit: 100,
            ..tiny
        })
        .contains("too large")
    );
    let many = vec!["50%"; 17].join(",");
    assert!(spot("QsJh2h", "AA", "KK").with_sizes(&many, "a").is_err());
    assert!(solver(spot("AsAhAd", "AA", "KK")).contains("no hand"));
    assert!(solver(spot("QsJh2h", "AsAh", "AsAh")).contains("share a card"));
    let solver = after(&spot("Ts9s4d4c", "AA", "KK"), SolverOptions::default(), 1);
    assert!(
        solver
            .report("jump")
            .unwrap_err()
            .to_string()
            .contains("use check, bet 50")
    );
    assert!(
        solver
            .report("check, check")
            .unwrap_err()
            .to_string()
            .contains("next card")
    );
    assert!(
        solver
            .report("check, check, Ts")
            .unwrap_err()
            .to_string()
            .contains("not possible")
    );
    assert!(solver.report("check, check, 2c, check").is_ok());
    assert!(
        solver
            .report("bet 50, fold")
            .unwrap_err()
            .to_string()
            .contains("over")
    );
}

/// Exchanges the suits of a hand: clubs become diamonds, diamonds hearts, hearts clubs.
fn turned(text: &str) -> String {
    text.chars()
        .map(|letter| match letter {
            'c' => 'd',
            'd' => 'h',
            'h' => 'c',
            other => other,
        })
        .collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 12, failure_persistence: None, ..ProptestConfig::default() })]

    /// Ranges of random hands on random boards: values add up to the pot, do not depend on the suits, and agree with
    /// plain code.
    #[test]
    fn random_games_are_zero_sum_and_blind_to_suits(cards in prop::sample::subsequence((0..52usize).collect::<Vec<_>>(), 21).prop_shuffle(), river in any::<bool>()) {
        let name = |&card: &usize| format!("{}{}", &"23456789TJQKA"[card % 13..=card % 13], &"cdhs"[card / 13..=card / 13]);
        let names: Vec<String> = cards.iter().map(name).collect();
        let board = names[..if river { 5 } else { 4 }].concat();
        let hand = |place: usize| names[5 + 2 * place..7 + 2 * place].concat();
        let oop: Vec<String> = (0..5).map(hand).collect();
        let ip: Vec<String> = (3..8).map(hand).collect();
        let solve = |board: &str, oop: &str, ip: &str| {
            let spot = Spot::new(parse_cards(board).unwrap(), [oop.parse::<Range>().unwrap(), ip.parse::<Range>().unwrap()], 10.0, 25.0).with_sizes("50%,a", "a").unwrap();
            after(&spot, options(StoragePrecision::Double, 1), 150)
        };
        let solver = solve(&board, &oop.join(","), &ip.join(","));
        let values = solver.expected_values();
        let found = solver.exploitability();
        prop_assert!((values[0] + values[1] - 10.0).abs() < 1e-9);
        prop_assert!((values[0] - naive::value(&solver)).abs() < 1e-9);
        prop_assert!((found - naive::exploitability(&solver)).abs() < 1e-9);
        // Rounding may lead to other strategies, but both have values this near to the value of the game.
        let other = solve(&turned(&board), &turned(&oop.join(",")), &turned(&ip.join(",")));
        let apart = (values[0] - other.expected_values()[0]).abs();
        prop_assert!(apart <= 2.0 * (found + other.exploitability()));
        prop_assert!(found < 0.1, "{found}");
    }
}
