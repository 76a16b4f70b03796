//! Games with known solutions.

use croupier_poker_solver::postflop::{
    PostflopGoals, PostflopSolver, SolverOptions, Spot, StoragePrecision,
};
use poker::parse_cards;

use crate::naive;

/// Quads on the board: the higher pair has the better kicker.
const BOARD: &str = "2c2d2h2s3c";

fn solve(oop: &str, ip: &str, pot: f64, stack: f64, bets: &[&str], raises: &str) -> PostflopSolver {
    let board = parse_cards(BOARD).unwrap();
    let mut spot = Spot::new(
        board,
        [oop.parse().unwrap(), ip.parse().unwrap()],
        pot,
        stack,
    );
    spot.all_in_threshold = 0.0;
    for bets in bets {
        spot.bets.set(bets, false).unwrap();
    }
    spot.raises.set(raises, true).unwrap();
    let mut solver = PostflopSolver::new(
        spot,
        SolverOptions {
            precision: Some(StoragePrecision::Double),
            ..SolverOptions::default()
        },
    )
    .unwrap();
    let stop = PostflopGoals {
        exploitability: 5e-7,
        iterations: 300_000,
        check_every: 1000,
    };
    let outcome = solver.run(&stop, |_| true);
    assert!(outcome.exploitability <= 1e-6 * pot, "{outcome:?}");
    assert!(naive::exploitability(&solver) <= 1e-6 * pot);
    solver
}

fn assert_near(found: f64, wanted: f64, within: f64) {
    assert!(
        (found - wanted).abs() <= within,
        "{found} instead of {wanted}"
    );
}

/// Returns the probability of an action for a hand.
fn chance(solver: &PostflopSolver, path: &str, hand: &str, action: &str) -> f64 {
    let report = solver.report(path).unwrap();
    let number = report
        .actions
        .iter()
        .position(|a| a.to_string() == action)
        .unwrap();
    let hand = parse_cards(hand).unwrap();
    report
        .hands
        .iter()
        .find(|h| h.hand == hand)
        .unwrap()
        .strategy[number]
}

/// A player has the best or the worst hand with equal probability. He bets `size` times the pot with the best hand and
/// with the share size / (1 + size) of the worst; the opponent calls with the share 1 / (1 + size). Value: the pot half
/// of the time, and size / (1 + size) times the pot more, half of the time.
#[test]
fn polar_range_bets_and_bluffs_in_proportion() {
    for size in [0.25, 0.5, 1.0, 2.0] {
        let solver = solve(
            "AsAh,QsQh",
            "KsKh",
            100.0,
            100.0 * size,
            &["oop: a", "ip: none"],
            "none",
        );
        let share = size / (1.0 + size);
        assert_near(solver.expected_values()[0] / 100.0, 0.5 + 0.5 * share, 1e-6);
        assert_near(chance(&solver, "", "AsAh", "all-in"), 1.0, 1e-3);
        assert_near(chance(&solver, "", "QsQh", "all-in"), share, 1e-2);
        assert_near(
            chance(&solver, "all-in", "KsKh", "call"),
            1.0 / (1.0 + size),
            1e-2,
        );
    }
}

/// The AKQ half-street game (Chen and Ankenman, The Mathematics of Poker, chapter 14): three cards, one each; the first
/// player checks, the second bets 1 into a pot of `pot` or checks. Queens bluff and kings call so that the opponent is
/// indifferent: with a pot of P bets, bluffs are 1 / (P + 1) of the aces, and calls make the value of bluffing zero.
#[test]
fn half_street_akq_game() {
    let hands = "AsAh,KsKh,QsQh";
    for pot in [2.0, 3.0, 4.0] {
        let solver = solve(hands, hands, pot, 1.0, &["oop: none", "ip: a"], "none");
        // Six deals; the value of the second player beyond half of the pot, per deal, by indifference. The first player
        // calls kings with probability c; the second bluffs queens with probability b. A bluff with a queen meets an
        // ace (loses 1) or a king (wins the pot or loses 1): -1 + P (1 - c) - c = 0, so c = (P - 1) / (P + 1). For a
        // king's call against b bluffs: (P + 1) b = 1.
        let (call, bluff) = ((pot - 1.0) / (pot + 1.0), 1.0 / (pot + 1.0));
        let half = pot / 2.0;
        // Values for the second player of the six deals (second player's hand first).
        let ace_king = half + call;
        let ace_queen = half;
        let king_ace = -half;
        let king_queen = half;
        let queen_ace = -half - bluff;
        let queen_king = bluff * (half * (1.0 - call) - (half + 1.0) * call) - (1.0 - bluff) * half;
        let value = (ace_king + ace_queen + king_ace + king_queen + queen_ace + queen_king) / 6.0;
        let found = solver.expected_values();
        assert_near(found[1] - half, value, 1e-6 * pot);
        assert_near(found[0] + found[1], pot, 1e-9);
        assert_near(chance(&solver, "check", "QsQh", "all-in"), bluff, 2e-2);
        assert_near(chance(&solver, "check, all-in", "KsKh", "call"), call, 2e-2);
        assert_near(chance(&solver, "check, all-in", "AsAh", "call"), 1.0, 1e-3);
        assert_near(naive::value(&solver), found[0], 1e-9);
    }
}

/// The full game, in which both may bet and the first may check-call. With a pot of two bets the first player cannot
/// gain by betting first: the value is that of the half-street game, or better.
#[test]
fn full_street_akq_game_agrees_with_plain_best_responses() {
    let hands = "AsAh,KsKh,QsQh";
    let half_street = solve(hands, hands, 2.0, 1.0, &["oop: none", "ip: a"], "none");
    let full = solve(hands, hands, 2.0, 1.0, &["a"], "none");
    assert!(full.expected_values()[0] >= half_street.expected_values()[0] - 2e-6);
    assert_near(naive::value(&full), full.expected_values()[0], 1e-9);
}

/// Hands of equal strength only share the pot, although an all-in bet is possible and folding is free.
#[test]
fn equal_hands_share_the_pot() {
    let solver = solve("AsKs", "AdKd", 10.0, 30.0, &["50%,a"], "a");
    assert_near(solver.expected_values()[0], 5.0, 1e-5);
}
