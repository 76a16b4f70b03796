//! Solves push-or-fold games by repeated updates of each player's regrets.

use super::match_ups::{HANDS, KINDS, MatchUps, OTHERS};
use super::model::{Decision, PushGame, PushGameError, PushStrategy};
use super::response::gains;

type ByKind = [f64; KINDS];

/// The goals of a run. It stops when one is reached.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PushGoals {
    /// The largest remaining gain of a player, in units of the payoffs.
    pub tolerance: f64,
    /// Maximum number of iterations.
    pub iterations: u32,
}

/// Strategies of all players.
#[derive(Clone, Debug, PartialEq)]
pub struct PushSolution {
    /// Every decision's strategy, in the order of [`Decision::all`].
    pub strategies: Vec<PushStrategy>,
    /// The expected chips or prizes of every player.
    pub values: Vec<f64>,
    /// The chips or prizes that every player could gain by playing differently.
    pub gains: Vec<f64>,
    /// Iterations done.
    pub iterations: u32,
    /// Whether all gains are within the tolerance.
    pub converged: bool,
}

impl PushSolution {
    /// Returns the largest gain of a player.
    #[must_use]
    pub fn largest_gain(&self) -> f64 {
        self.gains.iter().copied().fold(0.0, f64::max)
    }

    /// Returns the strategy of a decision.
    #[must_use]
    pub fn strategy(&self, decision: Decision) -> Option<&PushStrategy> {
        self.strategies
            .iter()
            .find(|strategy| strategy.decision == decision)
    }
}

impl PushStrategy {
    /// Returns the share of all 1326 hands that push or call.
    #[must_use]
    pub fn share(&self) -> f64 {
        let hands = &MatchUps::table().hands;
        hands
            .iter()
            .zip(&self.frequencies)
            .map(|(hands, frequency)| hands * frequency)
            .sum::<f64>()
            / HANDS
    }
}

/// The values of all outcomes of a hand, by seat.
struct Worth {
    folds: Vec<Vec<f64>>,
    /// By pusher and caller: the pusher wins, ties, loses.
    showdowns: Vec<Vec<[Vec<f64>; 3]>>,
}

/// Regrets and averages of one decision.
struct RegretTable {
    /// Sums of the gains of acting and of folding, never negative after an update.
    regrets: [ByKind; 2],
    current: ByKind,
    sum: ByKind,
    weight: f64,
}

impl RegretTable {
    fn new() -> RegretTable {
        RegretTable {
            regrets: [[0.0; KINDS]; 2],
            current: [0.5; KINDS],
            sum: [0.0; KINDS],
            weight: 0.0,
        }
    }

    /// Updates with the values of acting minus those of folding; `weight` is that of the new strategy in the average.
    fn update(&mut self, advantage: &ByKind, weight: f64) {
        for (kind, &gain) in advantage.iter().enumerate() {
            let act = self.current[kind];
            let regrets = [gain * (1.0 - act), -gain * act];
            let mut positive = [0.0; 2];
            for choice in 0..2 {
                let regret = &mut self.regrets[choice][kind];
                *regret = (*regret + regrets[choice]).max(0.0);
                positive[choice] = (*regret + regrets[choice]).max(0.0);
            }
            let sum = positive[0] + positive[1];
            self.current[kind] = if sum > 0.0 {
                positive[0] / sum
            } else {
                f64::from(gain > 0.0)
            };
            self.sum[kind] += weight * self.current[kind];
        }
        self.weight += weight;
    }

    fn average(&self) -> ByKind {
        self.sum.map(|sum| {
            if self.weight > 0.0 {
                sum / self.weight
            } else {
                0.5
            }
        })
    }
}

/// Iterations between two computations of the gains.
const CHECK_EVERY: u32 = 50;

/// Finds strategies from which no player gains much by deviating.
///
/// # Errors
/// Reports an invalid table.
///
/// ```
/// use croupier_poker_solver::push::{Payoffs, PushGoals, PushGame, solve};
/// let table = PushGame { stacks: vec![10.0, 10.0], blinds: [0.5, 1.0], ante: 0.0, payoffs: Payoffs::Chips };
/// let solution = solve(&table, &PushGoals { tolerance: 1e-4, iterations: 100_000 }, |_, _| true)?;
/// assert!(solution.converged);
/// let [push, call] = &solution.strategies[..] else { panic!() };
/// assert_eq!(format!("{:.0} {:.0}", 100.0 * push.share(), 100.0 * call.share()), "58 37");
/// # Ok::<(), croupier_poker_solver::push::PushGameError>(())
/// ```
///
/// `keep_going` is called with the number of iterations and the largest gain after every check; false ends the search.
pub fn solve(
    table: &PushGame,
    stop: &PushGoals,
    mut keep_going: impl FnMut(u32, f64) -> bool,
) -> Result<PushSolution, PushGameError> {
    table.check()?;
    let worth = Worth::new(table);
    let decisions = Decision::all(table.stacks.len());
    let mut learners: Vec<RegretTable> = decisions.iter().map(|_| RegretTable::new()).collect();
    let mut play = Play::new(table.stacks.len(), &worth, decisions.len());
    let mut iteration = 0;
    loop {
        let ended = iteration >= stop.iterations;
        if ended || iteration > 0 && iteration % CHECK_EVERY == 0 {
            let averages: Vec<ByKind> = learners.iter().map(RegretTable::average).collect();
            let solution = judge(table, &decisions, &averages, iteration, stop);
            if solution.converged || ended || !keep_going(iteration, solution.largest_gain()) {
                return Ok(solution);
            }
        }
        iteration += 1;
        // Players are updated in turn, so that each answers the newest strategies of the others.
        for seat in 0..table.stacks.len() {
            for place in (0..decisions.len()).filter(|&place| decisions[place].seat == seat) {
                let advantage = play.advantage(decisions[place]);
                learners[place].update(&advantage, f64::from(iteration) * f64::from(iteration));
                play.set(place, &learners[place].current);
            }
        }
    }
}

fn judge(
    table: &PushGame,
    decisions: &[Decision],
    averages: &[ByKind],
    iterations: u32,
    stop: &PushGoals,
) -> PushSolution {
    let strategies: Vec<PushStrategy> = decisions
        .iter()
        .zip(averages)
        .map(|(&decision, &frequencies)| PushStrategy {
            decision,
            frequencies,
        })
        .collect();
    let (values, gains) = gains(table, &strategies);
    let converged = gains.iter().all(|&gain| gain <= stop.tolerance);
    PushSolution {
        strategies,
        values,
        gains,
        iterations,
        converged,
    }
}

impl Worth {
    fn new(table: &PushGame) -> Worth {
        let seats = table.stacks.len();
        let showdown = |pusher: usize, caller: usize| {
            [1.0, 0.5, 0.0].map(|share| table.worth(&table.after_showdown(pusher, caller, share)))
        };
        Worth {
            folds: (0..seats)
                .map(|winner| table.worth(&table.after_folds(winner)))
                .collect(),
            showdowns: (0..seats)
                .map(|pusher| {
                    // Calls by the pusher or before the push do not exist; these entries keep the indices simple.
                    (0..seats)
                        .map(|caller| {
                            if caller > pusher {
                                showdown(pusher, caller)
                            } else {
                                Default::default()
                            }
                        })
                        .collect()
                })
                .collect(),
        }
    }
}

/// A strategy of calling, for every hand of the pusher: pairs that call, that the pusher wins and that tie.
struct Answers {
    called: ByKind,
    won: ByKind,
    tied: ByKind,
}

/// All strategies of an iteration.
struct Play<'a> {
    seats: usize,
    worth: &'a Worth,
    current: Vec<ByKind>,
    answers: Vec<Answers>,
}

impl Play<'_> {
    fn new(seats: usize, worth: &Worth, decisions: usize) -> Play<'_> {
        let mut play = Play {
            seats,
            worth,
            current: Vec::new(),
            answers: Vec::new(),
        };
        for place in 0..decisions {
            play.current.push([0.0; KINDS]);
            play.answers.push(Answers {
                called: [0.0; KINDS],
                won: [0.0; KINDS],
                tied: [0.0; KINDS],
            });
            play.set(place, &[0.5; KINDS]);
        }
        play
    }

    /// Changes the strategy of a decision.
    fn set(&mut self, place: usize, strategy: &ByKind) {
        self.current[place] = *strategy;
        if place < self.seats - 1 {
            return;
        }
        let table = MatchUps::table();
        let dot = |row: &ByKind| {
            row.iter()
                .zip(strategy)
                .map(|(number, call)| number * call)
                .sum()
        };
        let answers = &mut self.answers[place];
        for kind in 0..KINDS {
            answers.called[kind] = dot(&table.pairs[kind]);
            answers.won[kind] = dot(&table.wins[kind]);
            answers.tied[kind] = dot(&table.ties[kind]);
        }
    }

    /// Returns the index of a decision in [`Decision::all`].
    fn place(&self, seat: usize, pusher: Option<usize>) -> usize {
        match pusher {
            None => seat,
            Some(pusher) => {
                let before: usize = (0..pusher).map(|earlier| self.seats - 1 - earlier).sum();
                self.seats - 1 + before + seat - pusher - 1
            }
        }
    }

    fn strategy(&self, seat: usize, pusher: Option<usize>) -> &ByKind {
        &self.current[self.place(seat, pusher)]
    }

    fn answers(&self, pusher: usize, caller: usize) -> &Answers {
        &self.answers[self.place(caller, Some(pusher))]
    }

    /// Returns the value of acting minus that of folding to the seat that decides, times the probability of this
    /// decision.
    fn advantage(&self, decision: Decision) -> ByKind {
        match decision.pusher {
            None => self.push_advantage(decision.seat),
            Some(pusher) => self.call_advantage(pusher, decision.seat),
        }
    }

    fn push_advantage(&self, seat: usize) -> ByKind {
        let table = MatchUps::table();
        let reach: f64 = (0..seat)
            .map(|earlier| 1.0 - self.push_share(earlier))
            .product();
        let pushed = self.after_push(seat, seat + 1, seat);
        let folded = self.unopened(seat + 1, seat);
        std::array::from_fn(|kind| reach * table.hands[kind] / HANDS * (pushed[kind] - folded))
    }

    fn push_share(&self, seat: usize) -> f64 {
        let hands = &MatchUps::table().hands;
        let strategy = self.strategy(seat, None);
        hands
            .iter()
            .zip(strategy)
            .map(|(hands, push)| hands * push)
            .sum::<f64>()
            / HANDS
    }

    /// Returns the value for `player` if all players before `seat` have folded.
    fn unopened(&self, seat: usize, player: usize) -> f64 {
        if seat == self.seats - 1 {
            return self.worth.folds[seat][player];
        }
        let hands = &MatchUps::table().hands;
        let strategy = self.strategy(seat, None);
        let pushed = self.after_push(seat, seat + 1, player);
        let later = self.unopened(seat + 1, player);
        let value = |kind: usize| strategy[kind] * pushed[kind] + (1.0 - strategy[kind]) * later;
        (0..KINDS)
            .map(|kind| hands[kind] / HANDS * value(kind))
            .sum()
    }

    /// Returns the value for `player` of every hand of the pusher, if no player before `seat` has called.
    fn after_push(&self, pusher: usize, seat: usize, player: usize) -> ByKind {
        let table = MatchUps::table();
        let mut values = [self.worth.folds[pusher][player]; KINDS];
        for caller in (seat..self.seats).rev() {
            let answers = self.answers(pusher, caller);
            let [win, tie, lose] = &self.worth.showdowns[pusher][caller];
            let [win, tie, lose] = [win[player], tie[player], lose[player]];
            for (kind, value) in values.iter_mut().enumerate() {
                let (called, won, tied) =
                    (answers.called[kind], answers.won[kind], answers.tied[kind]);
                let all = table.hands[kind] * OTHERS;
                let showdown = won * win + tied * tie + (called - won - tied) * lose;
                *value = (showdown + (all - called) * *value) / all;
            }
        }
        values
    }

    fn call_advantage(&self, pusher: usize, seat: usize) -> ByKind {
        let table = MatchUps::table();
        let reach: f64 = (0..pusher)
            .map(|earlier| 1.0 - self.push_share(earlier))
            .product();
        let folded = self.after_push(pusher, seat + 1, seat);
        let [win, tie, lose] = &self.worth.showdowns[pusher][seat];
        let [win, tie, lose] = [win[seat], tie[seat], lose[seat]];
        let mut advantage = [0.0; KINDS];
        for (kind, &push) in self.strategy(pusher, None).iter().enumerate() {
            // The probability that this hand pushes and that the players between the pusher and the seat fold.
            let all = table.hands[kind] * OTHERS;
            let mut weight = push * reach / (HANDS * OTHERS);
            for between in pusher + 1..seat {
                weight *= 1.0 - self.answers(pusher, between).called[kind] / all;
            }
            if weight == 0.0 {
                continue;
            }
            for (other, sum) in advantage.iter_mut().enumerate() {
                let (pairs, wins, ties) = (
                    table.pairs[kind][other],
                    table.wins[kind][other],
                    table.ties[kind][other],
                );
                let called = wins * win + ties * tie + (pairs - wins - ties) * lose;
                *sum += weight * (called - pairs * folded[kind]);
            }
        }
        advantage
    }
}
