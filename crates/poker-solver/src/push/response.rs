//! Best responses: the possible gain of each player, by enumerating every hand of every pusher and every order of
//! answers.
//!
//! This checks the iteration and shares only the match-ups and the payoffs with it.

use super::match_ups::{HANDS, KINDS, MatchUps, OTHERS};
use super::model::{Decision, PushGame, PushStrategy};

/// Sums over all ways to reach a decision with a kind of hand: the values of acting and of folding to its player.
#[derive(Clone, Copy, Default)]
struct Choice {
    act: f64,
    fold: f64,
}

/// The call of one player after a push with one hand: its probability, and its value to all players times that
/// probability.
struct Call {
    chance: f64,
    worth: Vec<f64>,
}

/// Returns every player's value, and every player's gain with the best response to the others' strategies. Decisions
/// without a strategy fold.
#[must_use]
pub fn gains(table: &PushGame, strategies: &[PushStrategy]) -> (Vec<f64>, Vec<f64>) {
    let seats = table.stacks.len();
    let frequency = |seat: usize, pusher: Option<usize>, kind: usize| {
        let decision = Decision { seat, pusher };
        let found = strategies
            .iter()
            .find(|strategy| strategy.decision == decision);
        found.map_or(0.0, |strategy| strategy.frequencies[kind])
    };
    let match_ups = MatchUps::table();
    let mut values = vec![0.0; seats];
    let mut gains = vec![0.0; seats];
    // For each seat the probability that all players before it fold, and its choices then.
    let mut opened: Vec<(f64, Vec<Choice>)> = Vec::new();
    let mut reach = 1.0;
    // The value to all players of pushes from a seat on, given that it reaches that seat.
    let mut later: Vec<(f64, Vec<f64>)> = Vec::new();
    for pusher in 0..seats - 1 {
        let mut pushed_share = 0.0;
        let mut pushed_worth = vec![0.0; seats];
        let mut choices = vec![Choice::default(); KINDS];
        let mut answers = vec![vec![Choice::default(); KINDS]; seats];
        for (kind, choice) in choices.iter_mut().enumerate() {
            let share = match_ups.hands[kind] / HANDS;
            let push = frequency(pusher, None, kind);
            let calls = calls(table, pusher, kind, |caller, other| {
                frequency(caller, Some(pusher), other)
            });
            let outcome = outcomes(table, pusher, &calls, pusher + 1);
            choice.act = share * outcome[pusher];
            pushed_share += share * push;
            for (sum, worth) in pushed_worth.iter_mut().zip(&outcome) {
                *sum += share * push * worth;
            }
            if push == 0.0 {
                continue;
            }
            let mut folded = share * push;
            for (caller, call) in (pusher + 1..seats).zip(&calls) {
                let fold_worth = outcomes(table, pusher, &calls, caller + 1)[caller];
                let [win, tie, lose] = showdown(table, pusher, caller).map(|worth| worth[caller]);
                for (other, answer) in answers[caller].iter_mut().enumerate() {
                    let pairs = match_ups.pairs[kind][other];
                    let (wins, ties) = (match_ups.wins[kind][other], match_ups.ties[kind][other]);
                    let scale = folded / (match_ups.hands[kind] * OTHERS);
                    answer.act += scale * (wins * win + ties * tie + (pairs - wins - ties) * lose);
                    answer.fold += scale * pairs * fold_worth;
                }
                folded *= 1.0 - call.chance;
            }
        }
        for (caller, answers) in answers.iter().enumerate() {
            for (kind, answer) in answers.iter().enumerate() {
                let played = frequency(caller, Some(pusher), kind);
                let value = played * answer.act + (1.0 - played) * answer.fold;
                gains[caller] += reach * (answer.act.max(answer.fold) - value);
            }
        }
        opened.push((reach, choices));
        later.push((pushed_share, pushed_worth));
        reach *= 1.0 - pushed_share;
    }
    // From the big blind backwards: the value if all players before a seat fold.
    let mut unopened = table.worth(&table.after_folds(seats - 1));
    for seat in (0..seats - 1).rev() {
        let (reach, choices) = &opened[seat];
        let (share, worth) = &later[seat];
        for (kind, choice) in choices.iter().enumerate() {
            let fold = match_ups.hands[kind] / HANDS * unopened[seat];
            let played = frequency(seat, None, kind);
            let value = played * choice.act + (1.0 - played) * fold;
            gains[seat] += reach * (choice.act.max(fold) - value);
        }
        for (value, worth) in unopened.iter_mut().zip(worth) {
            *value = worth + (1.0 - share) * *value;
        }
    }
    values.copy_from_slice(&unopened);
    (values, gains)
}

/// Returns the value of a showdown to all players if the pusher wins, ties and loses.
fn showdown(table: &PushGame, pusher: usize, caller: usize) -> [Vec<f64>; 3] {
    [1.0, 0.5, 0.0].map(|share| table.worth(&table.after_showdown(pusher, caller, share)))
}

/// Returns the calls of all players behind a pusher with one kind of hand.
fn calls(
    table: &PushGame,
    pusher: usize,
    kind: usize,
    frequency: impl Fn(usize, usize) -> f64,
) -> Vec<Call> {
    let match_ups = MatchUps::table();
    let all = match_ups.hands[kind] * OTHERS;
    let call = |caller: usize| {
        let [win, tie, lose] = showdown(table, pusher, caller);
        let mut found = Call {
            chance: 0.0,
            worth: vec![0.0; table.stacks.len()],
        };
        let (mut wins, mut ties) = (0.0, 0.0);
        for other in 0..KINDS {
            let calls = frequency(caller, other);
            found.chance += calls * match_ups.pairs[kind][other] / all;
            wins += calls * match_ups.wins[kind][other] / all;
            ties += calls * match_ups.ties[kind][other] / all;
        }
        let losses = found.chance - wins - ties;
        for (seat, worth) in found.worth.iter_mut().enumerate() {
            *worth = wins * win[seat] + ties * tie[seat] + losses * lose[seat];
        }
        found
    };
    (pusher + 1..table.stacks.len()).map(call).collect()
}

/// Returns the value of a push to all players if the players from `first` on answer and those before have folded.
fn outcomes(table: &PushGame, pusher: usize, calls: &[Call], first: usize) -> Vec<f64> {
    let mut worth = vec![0.0; table.stacks.len()];
    let mut folded = 1.0;
    for call in &calls[first - pusher - 1..] {
        worth
            .iter_mut()
            .zip(&call.worth)
            .for_each(|(sum, part)| *sum += folded * part);
        folded *= 1.0 - call.chance;
    }
    let stolen = table.worth(&table.after_folds(pusher));
    worth
        .iter_mut()
        .zip(stolen)
        .for_each(|(sum, part)| *sum += folded * part);
    worth
}
