//! A decision of a solved game, hand by hand.

use cards::CardSet;

use super::bets::Street;
use super::evaluate::{Evaluation, Play, average_strategy};
use super::path::{Position, Step};
use super::solver::PostflopSolver;
use super::spot::PathError;
use super::tree::{BettingAction, Node};

/// A decision: the player who decides, and the strategy of each hand.
#[derive(Clone, Debug, PartialEq)]
pub struct NodeReport {
    /// The player who decides: 0 is out of position, 1 in position.
    pub player: usize,
    /// The street.
    pub street: Street,
    /// The board.
    pub board: CardSet,
    /// Chips in the pot, including bets of the street.
    pub pot: f64,
    /// The possible actions.
    pub actions: Vec<BettingAction>,
    /// How often each action is taken, over all hands.
    pub frequencies: Vec<f64>,
    /// The probability that the decision is reached.
    pub probability: f64,
    /// Expected chips of both players, out of position first.
    pub expected_values: [f64; 2],
    /// The hands that reach the decision.
    pub hands: Vec<HandReport>,
}

/// One hand at a decision.
#[derive(Clone, Debug, PartialEq)]
pub struct HandReport {
    /// The two cards.
    pub hand: CardSet,
    /// The weight with which the hand reaches the decision.
    pub weight: f64,
    /// The frequencies of the actions.
    pub strategy: Vec<f64>,
    /// Expected chips; `None` if the opponent gets here with no hand that fits.
    pub expected_value: Option<f64>,
    /// Expected chips after each action; empty if there is no expected value.
    pub action_values: Vec<f64>,
}

impl PostflopSolver {
    /// Reports a decision. The path is a list of actions and cards, separated by commas, from the start: `check, bet 50`;
    /// an empty one is the first decision.
    ///
    /// # Errors
    /// Reports a step that is not possible, or a path that ends where no player decides.
    pub fn report(&self, path: &str) -> Result<NodeReport, PathError> {
        let game = &self.game;
        let position = Position::follow(game, path)?;
        let Node::Decision(decision) = &game.tree.nodes[position.node] else {
            return Err(position.no_decision(game));
        };
        let reach = self.reach(&position);
        let (player, board) = (decision.player, position.board);
        let (own, other) = (&reach[player], &reach[1 - player]);
        let hands = own.len();
        let strategy = average_strategy(game, &self.storage, position.node, board, position.start);
        let mut met = vec![0.0; hands];
        game.meet(player, board, other, 1.0, &mut met);
        // The pot includes half of the first pot and the player's own bets.
        let sunk = game.spot.pot / 2.0 + decision.paid[player];
        let earned: Vec<Vec<f64>> = (0..decision.actions.len())
            .map(|action| {
                let mut child = Position {
                    steps: Vec::new(),
                    ..position
                };
                child.act(game, action);
                let evaluation = Evaluation {
                    game,
                    storage: &self.storage,
                    player,
                    play: Play::Average,
                    threads: 1,
                };
                evaluation.values(child.node, board, child.start, other)
            })
            .collect();
        let mut report = NodeReport {
            player,
            street: decision.street,
            board: position.exchange.apply(board.cards),
            pot: decision.pot,
            actions: decision.actions.clone(),
            frequencies: vec![0.0; decision.actions.len()],
            probability: 0.0,
            expected_values: [0.0; 2],
            hands: Vec::new(),
        };
        let mut total = 0.0;
        let mut value = 0.0;
        for (place, &set) in game.hand_sets(player, board).iter().enumerate() {
            if own[place] <= 0.0 {
                continue;
            }
            let chances: Vec<f64> = strategy
                .iter()
                .skip(place)
                .step_by(hands)
                .copied()
                .collect();
            let mut action_values: Vec<f64> = Vec::new();
            let mut expected_value = None;
            if met[place] > 0.0 {
                action_values.extend(earned.iter().map(|part| part[place] / met[place] + sunk));
                let mean: f64 = chances
                    .iter()
                    .zip(&action_values)
                    .map(|(chance, value)| chance * value)
                    .sum();
                expected_value = Some(mean);
                let deals = own[place] * met[place];
                for (sum, chance) in report.frequencies.iter_mut().zip(&chances) {
                    *sum += deals * chance;
                }
                total += deals;
                value += deals * mean;
            }
            report.hands.push(HandReport {
                hand: position.exchange.apply(set),
                weight: own[place],
                strategy: chances,
                expected_value,
                action_values,
            });
        }
        if total > 0.0 {
            report.frequencies.iter_mut().for_each(|sum| *sum /= total);
            report.expected_values[player] = value / total;
            report.expected_values[1 - player] = decision.pot - value / total;
        }
        report.probability = total * self.runout_probability(&position) / game.deals_weight;
        Ok(report)
    }

    /// Returns the weights of both players' hands at a position, by their average strategies.
    fn reach(&self, position: &Position) -> [Vec<f64>; 2] {
        let game = &self.game;
        let mut reach = [game.weights(0), game.weights(1)];
        let mut walk = Position::root(game);
        for &step in &position.steps {
            match (step, &game.tree.nodes[walk.node]) {
                (Step::Action(action), Node::Decision(decision)) => {
                    let strategy =
                        average_strategy(game, &self.storage, walk.node, walk.board, walk.start);
                    let own = &mut reach[decision.player];
                    let chances = &strategy[action * own.len()..];
                    own.iter_mut()
                        .zip(chances)
                        .for_each(|(weight, chance)| *weight *= chance);
                    walk.act(game, action);
                }
                (Step::Card(place), _) => {
                    let next = &walk.board.next[place];
                    let sizes = game.deals.sizes(&next.board);
                    for (player, weights) in reach.iter_mut().enumerate() {
                        let mut dealt = vec![0.0; sizes[player]];
                        game.distribute(player, next, weights, &mut dealt);
                        *weights = dealt;
                    }
                    walk.deal_place(game, place);
                }
                (Step::Action(_), _) => {}
            }
        }
        reach
    }

    /// Returns the probability of the cards of a path, for two hands without these cards.
    fn runout_probability(&self, position: &Position) -> f64 {
        let first = self.game.spot.board.len();
        let cards = first..position.board.cards.len();
        cards.map(|cards| 1.0 / (48 - cards) as f64).product()
    }
}
