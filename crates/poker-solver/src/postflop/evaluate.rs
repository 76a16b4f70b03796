//! Values of the average strategies, in double precision: the gains of hands with them and with best responses.

use super::deals::{Board, Next};
use super::game::Game;
use super::storage::Storage;
use super::tree::{Decision, Extent, Node};

/// The strategy of the player whose values are computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Play {
    /// The average strategy.
    Average,
    /// The best response to the opponent's average strategy.
    Best,
}

/// A traversal of the game tree that computes the value of each hand.
pub(super) struct Evaluation<'a> {
    pub game: &'a Game,
    pub storage: &'a Storage,
    pub player: usize,
    pub play: Play,
    pub threads: usize,
}

/// Reads the average strategy of a decision: by action, then by hand.
pub(super) fn average_strategy(
    game: &Game,
    storage: &Storage,
    node: usize,
    board: &Board,
    start: Extent,
) -> Vec<f64> {
    let Node::Decision(decision) = &game.tree.nodes[node] else {
        return Vec::new();
    };
    let hands = game.deals.sizes(board)[decision.player];
    let actions = decision.actions.len();
    let mut strategy = vec![0.0; hands * actions];
    storage.load_sums(start, &mut strategy);
    for hand in 0..hands {
        let total: f64 = (0..actions)
            .map(|action| strategy[action * hands + hand])
            .sum();
        for action in 0..actions {
            let chance = &mut strategy[action * hands + hand];
            *chance = if total > 0.0 {
                *chance / total
            } else {
                1.0 / actions as f64
            };
        }
    }
    if let Some(lock) = game.lock(node, board) {
        lock.apply(&mut strategy, hands.max(1));
    }
    strategy
}

impl Evaluation<'_> {
    /// Returns the gain of each hand of the player from a node on, against hands with the weights `reach`.
    pub fn values(&self, node: usize, board: &Board, start: Extent, reach: &[f64]) -> Vec<f64> {
        let game = self.game;
        let sizes = game.deals.sizes(board);
        let mut values = vec![0.0; sizes[self.player]];
        if sizes.contains(&0) {
            return values;
        }
        match &game.tree.nodes[node] {
            Node::Decision(decision) => {
                self.decide(node, decision, board, start, reach, &mut values)
            }
            &Node::Chance { child } => self.chance(child, board, start, reach, &mut values),
            &Node::Fold { winner, amount } => {
                let amount = if winner == self.player {
                    amount
                } else {
                    -amount
                };
                game.meet(self.player, board, reach, amount, &mut values);
            }
            &Node::Showdown { amount } => {
                if let Some(river) = board.river {
                    game.deals.rivers[river].showdown(self.player, reach, amount, &mut values);
                }
            }
        }
        values
    }

    fn decide(
        &self,
        node: usize,
        decision: &Decision,
        board: &Board,
        start: Extent,
        reach: &[f64],
        values: &mut [f64],
    ) {
        let game = self.game;
        let is_own = decision.player == self.player;
        let hands = game.deals.sizes(board)[decision.player];
        let strategy = average_strategy(game, self.storage, node, board, start);
        let best_of_all = is_own && self.play == Play::Best;
        let lock = game.lock(node, board);
        let is_free = |hand: usize| best_of_all && lock.is_none_or(|lock| !lock.is_locked(hand));
        if best_of_all {
            for (_, value) in values
                .iter_mut()
                .enumerate()
                .filter(|(hand, _)| is_free(*hand))
            {
                *value = f64::NEG_INFINITY;
            }
        }
        let mut start = Extent {
            values: start.values + hands * decision.actions.len(),
            decisions: start.decisions + 1,
        };
        for (&child, chances) in decision.children.iter().zip(strategy.chunks_exact(hands)) {
            if is_own {
                let earned = self.values(child, board, start, reach);
                for (hand, (value, earned)) in values.iter_mut().zip(earned).enumerate() {
                    if is_free(hand) {
                        *value = value.max(earned);
                    } else {
                        *value += chances[hand] * earned;
                    }
                }
            } else {
                let reach: Vec<f64> = reach
                    .iter()
                    .zip(chances)
                    .map(|(reach, chance)| reach * chance)
                    .collect();
                for (value, earned) in values
                    .iter_mut()
                    .zip(self.values(child, board, start, &reach))
                {
                    *value += earned;
                }
            }
            let extent = game.tree.extent(child, board);
            start.values += extent.values;
            start.decisions += extent.decisions;
        }
    }

    fn chance(
        &self,
        child: usize,
        board: &Board,
        mut start: Extent,
        reach: &[f64],
        values: &mut [f64],
    ) {
        let mut jobs: Vec<(&Next, Extent, Vec<f64>)> = Vec::with_capacity(board.next.len());
        for next in &board.next {
            jobs.push((next, start, Vec::new()));
            let extent = self.game.tree.extent(child, &next.board);
            start.values += extent.values;
            start.decisions += extent.decisions;
        }
        let threads = if board.id == self.game.deals.root.id {
            self.threads
        } else {
            1
        };
        super::threads::for_each(threads, &mut jobs, |(next, start, earned), (): &mut ()| {
            let mut dealt = vec![0.0; self.game.deals.sizes(&next.board)[1 - self.player]];
            self.game
                .distribute(1 - self.player, next, reach, &mut dealt);
            *earned = self.values(child, &next.board, *start, &dealt);
        });
        for (next, _, earned) in &jobs {
            self.game.collect(self.player, board, next, earned, values);
        }
    }
}
