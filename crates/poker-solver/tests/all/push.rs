//! Push-or-fold equilibria, checked by separate code.

use croupier_poker_solver::push::{
    Decision, KINDS, Payoffs, PushGame, PushGoals, PushSolution, gains, icm, solve,
};
use poker::grid::GridCell;
use poker::{EquityOptions, Game, Query, Range};

fn heads_up(stack: f64, ante: f64) -> PushGame {
    PushGame {
        stacks: vec![stack; 2],
        blinds: [0.5, 1.0],
        ante,
        payoffs: Payoffs::Chips,
    }
}

fn solved(table: &PushGame, tolerance: f64) -> PushSolution {
    let solution = solve(
        table,
        &PushGoals {
            tolerance,
            iterations: 200_000,
        },
        |_, _| true,
    )
    .unwrap();
    assert!(
        solution.converged,
        "{} after {}",
        solution.largest_gain(),
        solution.iterations
    );
    solution
}

/// Returns the equities and numbers of deals of all pairs of kinds, by separate queries.
fn equities() -> (Vec<Vec<f64>>, Vec<Vec<f64>>) {
    let ranges: Vec<Range> = GridCell::all()
        .map(|cell| cell.name().parse().unwrap())
        .collect();
    let (mut deals, mut shares) = (vec![vec![0.0; KINDS]; KINDS], vec![vec![0.0; KINDS]; KINDS]);
    for first in 0..KINDS {
        for second in 0..=first {
            let query = Query::new(
                Game::Holdem,
                vec![ranges[first].clone(), ranges[second].clone()],
            );
            let answer = query
                .solve(&EquityOptions {
                    threads: 1,
                    ..EquityOptions::default()
                })
                .unwrap();
            let pairs = answer.deals().to_string().parse::<f64>().unwrap() / 1_712_304.0;
            let equity = answer.players()[0].equity;
            (deals[first][second], deals[second][first]) = (pairs, pairs);
            (shares[first][second], shares[second][first]) =
                (pairs * equity, pairs * (1.0 - equity));
        }
    }
    (deals, shares)
}

/// A second implementation of the game of two players with equal stacks: the small blind pushes or loses half a blind,
/// the big blind calls for the whole stack or loses one.
#[test]
fn two_players_cannot_gain_a_millionth_of_a_big_blind() {
    let (deals, shares) = equities();
    for (stack, ante) in [
        (2.0, 0.0),
        (5.0, 0.0),
        (10.0, 0.0),
        (15.0, 0.1),
        (20.0, 0.0),
    ] {
        let solution = solved(&heads_up(stack, ante), 2e-7);
        let [push, call] = &solution.strategies[..] else {
            panic!("two decisions")
        };
        let (push, call) = (&push.frequencies, &call.frequencies);
        let all = 1326.0 * 1225.0;
        let (mut push_gain, mut call_gain) = (0.0, 0.0);
        let mut value = 0.0;
        for first in 0..KINDS {
            let dealt: f64 = deals[first].iter().sum();
            let (mut pushed, mut played) = (0.0, 0.0);
            for second in 0..KINDS {
                let pot = 2.0 * stack;
                let called = shares[first][second] * pot - deals[first][second] * stack;
                // The pusher wins the other's blind and ante.
                let stolen = deals[first][second] * (1.0 + ante);
                pushed += call[second] * called + (1.0 - call[second]) * stolen;
            }
            let folded = -dealt * (0.5 + ante);
            played += push[first] * pushed + (1.0 - push[first]) * folded;
            push_gain += pushed.max(folded) - played;
            value += played;
        }
        for second in 0..KINDS {
            let (mut called, mut folded) = (0.0, 0.0);
            for first in 0..KINDS {
                called += push[first]
                    * (shares[second][first] * 2.0 * stack - deals[first][second] * stack);
                folded -= push[first] * deals[first][second] * (1.0 + ante);
            }
            call_gain +=
                called.max(folded) - (call[second] * called + (1.0 - call[second]) * folded);
        }
        assert!(
            push_gain / all <= 1e-6 && call_gain / all <= 1e-6,
            "{stack}: {} {}",
            push_gain / all,
            call_gain / all
        );
        assert!(
            (value / all - (solution.values[0] - stack)).abs() < 1e-9,
            "{stack}"
        );
        assert!((solution.values[0] + solution.values[1] - 2.0 * stack).abs() < 1e-9);
    }
}

#[test]
fn deeper_stacks_push_and_call_less() {
    let shares = |stack: f64| {
        let solution = solved(&heads_up(stack, 0.0), 1e-5);
        [
            solution.strategies[0].share(),
            solution.strategies[1].share(),
        ]
    };
    let (short, middle, deep) = (shares(3.0), shares(8.0), shares(15.0));
    assert!(
        short[0] > middle[0] && middle[0] > deep[0],
        "{short:?} {middle:?} {deep:?}"
    );
    assert!(
        short[1] > middle[1] && middle[1] > deep[1],
        "{short:?} {middle:?} {deep:?}"
    );
}

#[test]
fn unequal_stacks_of_two_players_play_as_the_smaller() {
    let mut table = heads_up(10.0, 0.0);
    let equal = solved(&table, 1e-6);
    table.stacks = vec![10.0, 37.0];
    let unequal = solved(&table, 1e-6);
    assert!((equal.values[0] - unequal.values[0]).abs() < 3e-6);
}

/// Enumerates every order of finishing.
fn prizes_by_permutations(stacks: &[f64], payouts: &[f64]) -> Vec<f64> {
    fn go(
        stacks: &[f64],
        payouts: &[f64],
        left: &[usize],
        place: usize,
        chance: f64,
        found: &mut [f64],
    ) {
        let rest: f64 = left.iter().map(|&player| stacks[player]).sum();
        for &player in left {
            let next = if rest > 0.0 {
                chance * stacks[player] / rest
            } else {
                chance / left.len() as f64
            };
            if next == 0.0 {
                continue;
            }
            found[player] += next * payouts.get(place).copied().unwrap_or(0.0);
            let others: Vec<usize> = left
                .iter()
                .copied()
                .filter(|&other| other != player)
                .collect();
            go(stacks, payouts, &others, place + 1, next, found);
        }
    }
    let mut found = vec![0.0; stacks.len()];
    let all: Vec<usize> = (0..stacks.len()).collect();
    go(stacks, payouts, &all, 0, 1.0, &mut found);
    found
}

#[test]
fn prizes_agree_with_all_orders_of_finishing() {
    for (stacks, payouts) in [
        (vec![10.0, 8.0, 15.0], vec![50.0, 30.0, 20.0]),
        (vec![10.0, 0.0, 15.0], vec![50.0, 30.0, 20.0]),
        (vec![1.0, 2.0, 3.0, 4.0, 5.0, 6.0], vec![65.0, 35.0]),
        (vec![5.0, 0.0, 0.0, 7.0], vec![4.0, 3.0, 2.0, 1.0]),
    ] {
        let found = icm::prizes(&stacks, &payouts);
        for (a, b) in found.iter().zip(prizes_by_permutations(&stacks, &payouts)) {
            assert!((a - b).abs() < 1e-12, "{stacks:?}");
        }
    }
}

/// A second implementation of the game of three players with prizes: every deviation of a single kind of hand at every
/// decision is tried, and none gains more than the reported gain.
#[test]
fn single_deviations_of_three_players_gain_no_more_than_is_reported() {
    let table = PushGame {
        stacks: vec![10.0, 8.0, 15.0],
        blinds: [0.5, 1.0],
        ante: 0.1,
        payoffs: Payoffs::Prizes(vec![50.0, 30.0, 20.0]),
    };
    let solution = solved(&table, 1e-3);
    assert_eq!(solution.strategies.len(), 2 + 3);
    assert!((solution.values.iter().sum::<f64>() - 100.0).abs() < 1e-9);
    for (place, strategy) in solution.strategies.iter().enumerate() {
        let seat = strategy.decision.seat;
        for kind in (0..KINDS).step_by(7) {
            let mut changed = solution.strategies.clone();
            let frequency = &mut changed[place].frequencies[kind];
            *frequency = if *frequency > 0.5 { 0.0 } else { 1.0 };
            let gain = gains(&table, &changed).0[seat] - solution.values[seat];
            assert!(
                gain <= solution.gains[seat] + 1e-9,
                "{:?} {kind}: {gain}",
                strategy.decision
            );
        }
    }
}

#[test]
fn nine_players_with_prizes_converge() {
    let table = PushGame {
        stacks: vec![12.0, 9.0, 20.0, 6.0, 15.0, 10.0, 8.0, 11.0, 14.0],
        blinds: [0.5, 1.0],
        ante: 0.1,
        payoffs: Payoffs::Prizes(vec![50.0, 30.0, 20.0]),
    };
    let solution = solved(&table, 0.01);
    assert_eq!(solution.strategies.len(), 8 + 36);
    let share = |seat| {
        solution
            .strategy(Decision { seat, pusher: None })
            .unwrap()
            .share()
    };
    assert!(
        share(7) > share(0),
        "the small blind pushes more hands than the first player"
    );
}

#[test]
fn tables_that_make_no_sense_are_reported() {
    let table = |stacks: &[f64], blinds: [f64; 2]| PushGame {
        stacks: stacks.to_vec(),
        blinds,
        ante: 0.0,
        payoffs: Payoffs::Chips,
    };
    let stop = PushGoals {
        tolerance: 1e-3,
        iterations: 10,
    };
    let message = |table: &PushGame| solve(table, &stop, |_, _| true).unwrap_err().to_string();
    assert!(message(&table(&[10.0], [0.5, 1.0])).contains("1 stacks"));
    assert!(message(&table(&[10.0, 1.0], [0.5, 1.0])).contains("stack 2"));
    assert!(message(&table(&[10.0, f64::NAN], [0.5, 1.0])).contains("stack 2"));
    assert!(message(&table(&[10.0, 10.0], [2.0, 1.0])).contains("big blind"));
    let mut paid = table(&[10.0, 10.0], [0.5, 1.0]);
    paid.payoffs = Payoffs::Prizes(vec![]);
    assert!(message(&paid).contains("payouts"));
}
