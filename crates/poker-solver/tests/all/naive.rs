//! Plain code that evaluates a solver's strategies: rules of betting, all pairs of hands and all cards, one by one. It
//! reads the strategies through [`PostflopSolver::report`] and shares no other code with the solver.

use std::collections::BTreeMap;

use cards::CardSet;
use croupier_poker_solver::postflop::{BettingAction, PostflopSolver};
use poker::{card_text, evaluate7};

/// Hands with numbers: weights or values.
pub type ByHand = BTreeMap<CardSet, f64>;

/// The strategy of the player whose values are computed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Play {
    Average,
    Best,
}

/// The state of the betting.
#[derive(Clone)]
struct State {
    path: Vec<String>,
    board: CardSet,
    paid: [f64; 2],
    /// Chips that both had paid when the street began.
    before: f64,
    player: usize,
    /// Whether no player has acted on the street.
    fresh: bool,
}

pub struct ReferenceEvaluator<'a> {
    pub solver: &'a PostflopSolver,
    pub player: usize,
    pub play: Play,
}

fn live(range: &poker::Range, board: CardSet) -> ByHand {
    let hands = range
        .hands()
        .iter()
        .filter(|(hand, _)| hand.is_disjoint(board));
    hands
        .map(|&(hand, weight)| (hand, weight.millionths() as f64 / 1e6))
        .collect()
}

impl ReferenceEvaluator<'_> {
    /// Returns the player's mean gain beyond half of the pot.
    pub fn gain(&self) -> f64 {
        let spot = self.solver.spot();
        let ranges = [0, 1].map(|player| live(&spot.ranges[player], spot.board));
        let state = State {
            path: Vec::new(),
            board: spot.board,
            paid: [0.0; 2],
            before: 0.0,
            player: 0,
            fresh: true,
        };
        let (own, other) = (&ranges[self.player], &ranges[1 - self.player]);
        let values = self.values(&state, own, other);
        let (mut sum, mut all) = (0.0, 0.0);
        for (hand, weight) in own {
            sum += weight * values[hand];
            all += weight
                * other
                    .iter()
                    .filter(|(o, _)| o.is_disjoint(*hand))
                    .map(|(_, w)| w)
                    .sum::<f64>();
        }
        sum / all
    }

    fn values(&self, state: &State, own: &ByHand, other: &ByHand) -> ByHand {
        let spot = self.solver.spot();
        if state.paid[0] == state.paid[1] && (spot.stack - state.paid[0]).abs() < 1e-9 {
            return self.street_over(state, own, other);
        }
        let report = self
            .solver
            .report(&state.path.join(", "))
            .expect("a decision");
        assert_eq!(report.player, state.player);
        assert_eq!(report.board, state.board);
        assert!((report.pot - spot.pot - state.paid[0] - state.paid[1]).abs() < 1e-5);
        let strategies: BTreeMap<CardSet, &Vec<f64>> = report
            .hands
            .iter()
            .map(|hand| (hand.hand, &hand.strategy))
            .collect();
        let mut values: ByHand = own.keys().map(|&hand| (hand, 0.0)).collect();
        let best = self.play == Play::Best && state.player == self.player;
        if best {
            values
                .values_mut()
                .for_each(|value| *value = f64::NEG_INFINITY);
        }
        for (number, &action) in report.actions.iter().enumerate() {
            if state.player == self.player {
                let earned = self.after(state, action, own, other);
                for (hand, value) in &mut values {
                    if best {
                        *value = value.max(earned[hand]);
                    } else if let Some(strategy) = strategies.get(hand) {
                        *value += strategy[number] * earned[hand];
                    }
                }
            } else {
                // Hands that the report omits meet no hand of the opponent.
                let chance = |hand: &CardSet| {
                    strategies
                        .get(hand)
                        .map_or(0.0, |strategy| strategy[number])
                };
                let reach: ByHand = other
                    .iter()
                    .map(|(hand, weight)| (*hand, weight * chance(hand)))
                    .collect();
                let earned = self.after(state, action, own, &reach);
                for (hand, value) in &mut values {
                    *value += earned[hand];
                }
            }
        }
        values
    }

    fn after(&self, state: &State, action: BettingAction, own: &ByHand, other: &ByHand) -> ByHand {
        let (me, opponent) = (state.player, 1 - state.player);
        let mut next = state.clone();
        next.path.push(action.to_string());
        next.player = opponent;
        next.fresh = false;
        match action {
            BettingAction::Fold => {
                let lost = self.solver.spot().pot / 2.0 + state.paid[me];
                let sign = if me == self.player { -1.0 } else { 1.0 };
                let meets = |hand: &CardSet| {
                    other
                        .iter()
                        .filter(|(o, _)| o.is_disjoint(*hand))
                        .map(|(_, w)| w)
                        .sum::<f64>()
                };
                own.keys()
                    .map(|hand| (*hand, sign * lost * meets(hand)))
                    .collect()
            }
            BettingAction::Check if state.fresh => self.values(&next, own, other),
            BettingAction::Check => self.street_over(&next, own, other),
            BettingAction::Call => {
                next.paid[me] = next.paid[opponent];
                self.street_over(&next, own, other)
            }
            BettingAction::Bet(to) | BettingAction::Raise(to) | BettingAction::AllIn(to) => {
                next.paid[me] = next.before + to;
                assert!(next.paid[me] <= self.solver.spot().stack + 1e-6);
                assert!(next.paid[me] > next.paid[opponent]);
                self.values(&next, own, other)
            }
        }
    }

    fn street_over(&self, state: &State, own: &ByHand, other: &ByHand) -> ByHand {
        let mut values: ByHand = own.keys().map(|&hand| (hand, 0.0)).collect();
        if state.board.len() == 5 {
            let amount = self.solver.spot().pot / 2.0 + state.paid[0];
            let rank = |hand: CardSet| evaluate7(hand | state.board).0;
            for (&hand, value) in values
                .iter_mut()
                .filter(|(hand, _)| hand.is_disjoint(state.board))
            {
                for (&opponent, weight) in other
                    .iter()
                    .filter(|(o, _)| o.is_disjoint(hand | state.board))
                {
                    *value += amount
                        * weight
                        * f64::from(
                            i32::from(rank(opponent) > rank(hand))
                                - i32::from(rank(opponent) < rank(hand)),
                        );
                }
            }
            return values;
        }
        for card in CardSet::FULL - state.board {
            let set = CardSet::of(card);
            let mut next = state.clone();
            next.path.push(card_text(card));
            next.board = state.board | set;
            next.before = state.paid[0];
            (next.player, next.fresh) = (0, true);
            let without = |hands: &ByHand| {
                hands
                    .iter()
                    .filter(|(hand, _)| hand.is_disjoint(set))
                    .map(|(h, w)| (*h, *w))
                    .collect::<ByHand>()
            };
            let earned = self.values(&next, &without(own), &without(other));
            for (hand, earned) in earned {
                *values.get_mut(&hand).expect("a hand") += earned / (48 - state.board.len()) as f64;
            }
        }
        values
    }
}

/// Returns half of the chips that best responses win together.
pub fn exploitability(solver: &PostflopSolver) -> f64 {
    let gain = |player| {
        ReferenceEvaluator {
            solver,
            player,
            play: Play::Best,
        }
        .gain()
    };
    (gain(0) + gain(1)) / 2.0
}

/// Returns the first player's expected chips.
pub fn value(solver: &PostflopSolver) -> f64 {
    solver.spot().pot / 2.0
        + ReferenceEvaluator {
            solver,
            player: 0,
            play: Play::Average,
        }
        .gain()
}
