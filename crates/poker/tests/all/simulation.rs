//! Simulated equity: within its error, reproducible, and ended by the stop rule.

use crate::common::{SHORT_DECKS, counts, query};
use croupier_poker::{Equity, EquityError, EquityMethod, EquityOptions, Game, Query, StopRule};

fn simulate(query: &Query, seed: u64, threads: usize, samples: u64) -> Equity {
    let stop = StopRule {
        samples,
        standard_error: 0.0,
    };
    let options = EquityOptions {
        method: EquityMethod::MonteCarlo,
        threads,
        seed,
        stop,
    };
    query.solve(&options).unwrap()
}

/// The simulation finds the exact equity, within five standard errors, by every method of drawing: known hands, ranges
/// with weights, random hands, mixtures, and ranges that often share cards.
#[test]
fn simulation_agrees_with_exact_counts() {
    for (game, ranges, board, dead) in [
        (Game::Holdem, "AhAs|KdKc", "", ""),
        (Game::Holdem, "QQ+:0.5,AKs|22+,A2s+", "Ts9s2d", "3c"),
        (Game::Holdem, "AA:0.3,KK|AKs:0.6|QQ", "", ""),
        (Game::Holdem, "AhAd|KsQs|random", "JhTs2d", ""),
        (Game::Holdem, "AK|AK|AK|AK", "2c3d4h", ""),
        (Game::Holdem, "AsKs|QhQd|JcTc|9s9d|8h7h|Ac5d", "", ""),
        (SHORT_DECKS[0], "AA|T9s", "Jh", ""),
        (SHORT_DECKS[1], "AA|random", "JhTh9c", ""),
        (Game::Omaha, "AsAhKsKh|9c8c7d6d", "Tc5h2s", ""),
        (Game::Omaha, "AsAhKsKh|random", "Tc5h2s3d", ""),
        (Game::Omaha5, "AsAhKsKhQd|9c8c7d6d5h", "Tc5s2s", ""),
        (Game::Omaha6, "AsAhKsKhQdJd|9c8c7d6d5h4h", "Tc5s2s", ""),
        // Too many pairs to list together, and weights too fine to list each hand as often as its weight.
        (Game::Holdem, "50%|60%", "Ts9s2d", ""),
        (
            Game::Holdem,
            "50%:0.123457,22+:0.7|60%:0.9,A2s+:0.333333",
            "Ts9s2d",
            "3c",
        ),
    ] {
        let query = query(game, ranges, board, dead);
        let exact = query
            .solve(&EquityOptions {
                method: EquityMethod::Exact,
                ..EquityOptions::default()
            })
            .unwrap();
        let simulated = simulate(&query, 1, 2, 300_000);
        assert_eq!(simulated.deals(), 300_000);
        for (exact, simulated) in exact.players().iter().zip(simulated.players()) {
            let error = simulated.standard_error.unwrap();
            assert!(exact.standard_error.is_none());
            assert!(error < 0.002);
            let off = (exact.equity - simulated.equity).abs();
            assert!(
                off <= 5.0 * error + 1e-12,
                "{ranges} {board}: {off} {error}"
            );
            let (low, high) = simulated.confidence_interval().unwrap();
            assert!(low <= simulated.equity && simulated.equity <= high);
        }
    }
}

#[test]
fn simulations_repeat_with_the_seed_on_any_number_of_threads() {
    for ranges in ["AhAs|KdKc", "QQ+,AKs|22+:0.5|random", "AK|AK|AK|AK"] {
        let query = query(Game::Holdem, ranges, "", "");
        let first = counts(&simulate(&query, 42, 1, 700_000));
        for threads in [1, 2, 5] {
            assert_eq!(counts(&simulate(&query, 42, threads, 700_000)), first);
        }
        assert_ne!(counts(&simulate(&query, 43, 1, 700_000)), first);
    }
}

/// The simulation ends at the first check after the error is small enough.
#[test]
fn simulation_stops_when_the_error_is_small_enough() {
    let query = query(Game::Holdem, "AKs|22+|random", "", "");
    let stop = StopRule {
        samples: 50_000_000,
        standard_error: 0.0006,
    };
    let options = EquityOptions {
        method: EquityMethod::MonteCarlo,
        stop,
        ..EquityOptions::default()
    };
    let found = query.solve(&options).unwrap();
    assert_eq!(found.deals(), 1_048_576);
    assert!(
        found
            .players()
            .iter()
            .all(|p| p.standard_error.unwrap() <= 0.0006)
    );
}

/// A query that cannot be counted in reasonable time is simulated, even with nine players.
#[test]
fn nine_random_players_have_a_ninth_each() {
    let query = query(Game::Holdem, &["random"; 9].join("|"), "", "");
    let stop = StopRule {
        samples: 1_000_000,
        standard_error: 0.001,
    };
    let found = query
        .solve(&EquityOptions {
            stop,
            ..EquityOptions::default()
        })
        .unwrap();
    assert!(!found.is_exact());
    for player in found.players() {
        assert!((player.equity - 1.0 / 9.0).abs() < 5.0 * player.standard_error.unwrap());
    }
    let sum: f64 = found.players().iter().map(|player| player.equity).sum();
    assert!((sum - 1.0).abs() < 1e-12);
}

/// The weights of ten players may need more digits than exact counts have. They are then simulated.
#[test]
fn weights_too_fine_for_exact_counts_are_simulated() {
    let ranges = [
        "AsAh:0.999999,KsKh:0.5",
        "QsQh:0.333333,JsJh",
        "TsTh:0.123457,9s9h",
    ];
    let more = [
        "8s8h:0.1,7s7h:0.000001",
        "6s6h:0.000003,5s5h",
        "4s4h:0.000007,3s3h",
    ];
    let most = ["AdAc:0.000001,KdKc", "QdQc:0.000001,JdJc"];
    let text = [&ranges[..], &more, &most].concat().join("|");
    let query = query(Game::Holdem, &text, "", "");
    let stop = StopRule {
        samples: 20_000,
        standard_error: 0.0,
    };
    let found = query
        .solve(&EquityOptions {
            stop,
            ..EquityOptions::default()
        })
        .unwrap();
    assert!(!found.is_exact());
    let exact = query.solve(&EquityOptions {
        method: EquityMethod::Exact,
        ..EquityOptions::default()
    });
    assert!(matches!(exact, Err(EquityError::TooLarge)));
}

/// Returns how many of `seeds` simulations of `samples` deals have the exact equity inside the interval of the first
/// player.
fn covered(ranges: &str, board: &str, samples: u64, seeds: u64) -> u64 {
    let query = query(Game::Holdem, ranges, board, "");
    let options = EquityOptions {
        method: EquityMethod::Exact,
        ..EquityOptions::default()
    };
    let exact = query.solve(&options).unwrap().players()[0].equity;
    let holds = |&seed: &u64| {
        let player = simulate(&query, seed, 1, samples).players()[0].clone();
        let (low, high) = player.confidence_interval().unwrap();
        low <= exact && exact <= high
    };
    (1..=seeds).filter(holds).count() as u64
}

/// Rare wins, ties and three players: the intervals of small simulations contain the exact equity as often as they
/// should.
#[test]
fn intervals_of_small_simulations_are_covered() {
    for (ranges, board) in [
        ("AhAs|KdKc", ""),
        ("AhKs|AdKc", ""),
        ("2c2d|AhAs", "Ad7h7c"),
        ("AhAd|KsQs|JcTc", "JhTs2d"),
    ] {
        let held = covered(ranges, board, 1000, 200);
        assert!(held >= 179, "{ranges} on {board}: {held} of 200");
    }
}

#[test]
#[ignore = "minutes"]
fn long_intervals_of_simulations_are_covered_at_every_size() {
    for (ranges, board) in [
        ("AhAs|KdKc", ""),
        ("AhKs|AdKc", ""),
        ("2c2d|AhAs", "Ad7h7c"),
        ("AhAd|KsQs|JcTc", "JhTs2d"),
        ("AhAs|KdKc|QsQd", ""),
    ] {
        for samples in [5, 10, 20, 50, 200, 1000] {
            let held = covered(ranges, board, samples, 1000);
            println!("{ranges} on {board}, {samples} deals: {held} of 1000");
            // 93 %, less three standard errors of this experiment.
            assert!(
                held >= 910,
                "{ranges} on {board}, {samples} deals: {held} of 1000"
            );
        }
    }
}
