//! A prepared spot: its tree, its boards and its locked decisions.

use std::collections::HashMap;

use cards::CardSet;
use poker::format_cards;

use super::bets::Street;
use super::deals::{Board, Deals, Hands, Next};
use super::path::{Position, path_cards};
use super::river::{Number, meet};
use super::spot::{LockedNode, MOST_RAISES, Spot, SpotError};
use super::suits::SuitExchange;
use super::tree::{Builder, Extent, Node, Tree};

/// The strategy of a locked decision.
#[derive(Debug)]
pub(super) struct Lock {
    /// By action, then by hand.
    chances: Vec<f32>,
    /// Whether each hand is locked.
    locked: Vec<bool>,
}

impl Lock {
    /// Replaces the strategy of the locked hands.
    pub fn apply<T: Number>(&self, strategy: &mut [T], hands: usize) {
        for (part, given) in strategy
            .chunks_exact_mut(hands)
            .zip(self.chances.chunks_exact(hands))
        {
            for ((chance, &given), &locked) in part.iter_mut().zip(given).zip(&self.locked) {
                if locked {
                    *chance = T::of(given.into());
                }
            }
        }
    }

    /// Sets the regrets of the locked hands to zero.
    pub fn silence<T: Number>(&self, regrets: &mut [T], hands: usize) {
        for part in regrets.chunks_exact_mut(hands) {
            for (regret, &locked) in part.iter_mut().zip(&self.locked) {
                if locked {
                    *regret = T::default();
                }
            }
        }
    }

    pub fn is_locked(&self, hand: usize) -> bool {
        self.locked[hand]
    }
}

/// A prepared spot.
#[derive(Debug)]
pub(super) struct Game {
    pub spot: Spot,
    pub tree: Tree,
    pub deals: Deals,
    locks: HashMap<(usize, usize), Lock>,
    /// The total weight of all deals of two hands.
    pub deals_weight: f64,
}

impl Game {
    pub fn new(spot: Spot) -> Result<Game, SpotError> {
        let street =
            Street::with_board(spot.board.len()).ok_or(SpotError::Board(spot.board.len()))?;
        let is_chips = |value: f64| (1e-6..=1e9).contains(&value);
        for (name, value) in [("pot", spot.pot), ("stack", spot.stack)] {
            if !is_chips(value) {
                return Err(SpotError::Chips(name, value));
            }
        }
        if !(0.0..=100.0).contains(&spot.all_in_threshold) {
            return Err(SpotError::Threshold(spot.all_in_threshold));
        }
        if spot.raise_limit > MOST_RAISES {
            return Err(SpotError::Raises(spot.raise_limit));
        }
        let builder = Builder {
            pot: spot.pot,
            stack: spot.stack,
            bets: &spot.bets,
            raises: &spot.raises,
            all_in_threshold: spot.all_in_threshold,
            raise_limit: spot.raise_limit,
            nodes: Vec::new(),
        };
        let tree = builder.build(street).map_err(|_| SpotError::TooLarge)?;
        let lists = [0, 1].map(|player| live_hands(&spot, player));
        if let Some(player) = (0..2).find(|&player| lists[player].is_empty()) {
            return Err(SpotError::NoHands(player));
        }
        let hands = [
            Hands::new(&lists[0], &lists[1]),
            Hands::new(&lists[1], &lists[0]),
        ];
        let deals_weight = deals_weight(&hands);
        if deals_weight <= 0.0 {
            return Err(SpotError::NoDeals);
        }
        let deals = Deals::new(spot.board, hands, |exchange| {
            spot.locks.iter().all(|lock| keeps_lock(exchange, lock))
        });
        let mut game = Game {
            spot,
            tree,
            deals,
            locks: HashMap::new(),
            deals_weight,
        };
        game.resolve_locks()?;
        Ok(game)
    }

    /// Returns the storage that the whole game needs.
    pub fn extent(&self) -> Extent {
        self.tree.extent(0, &self.deals.root)
    }

    pub fn lock(&self, node: usize, board: &Board) -> Option<&Lock> {
        if self.locks.is_empty() {
            return None;
        }
        self.locks.get(&(node, board.id))
    }

    fn resolve_locks(&mut self) -> Result<(), SpotError> {
        for number in 0..self.spot.locks.len() {
            let given = &self.spot.locks[number];
            let position = Position::follow(self, &given.path)?;
            let (key, lock) = self.resolve(given, &position)?;
            self.locks.insert(key, lock);
        }
        Ok(())
    }

    fn resolve(
        &self,
        given: &LockedNode,
        position: &Position,
    ) -> Result<((usize, usize), Lock), SpotError> {
        let Node::Decision(decision) = &self.tree.nodes[position.node] else {
            return Err(position.no_decision(self).into());
        };
        let hands = self.hand_sets(decision.player, position.board);
        let mut chances = vec![0.0; hands.len() * decision.actions.len()];
        for (name, range) in &given.actions {
            let action = position.action(decision, name)?;
            let part = &mut chances[action * hands.len()..][..hands.len()];
            for (chance, hand) in part.iter_mut().zip(&hands) {
                if let Ok(found) = range.hands().binary_search_by_key(hand, |entry| entry.0) {
                    *chance += range.hands()[found].1.millionths() as f32 / 1e6;
                }
            }
        }
        let mut locked = vec![false; hands.len()];
        for (place, &hand) in hands.iter().enumerate() {
            let sum: f32 = chances.iter().skip(place).step_by(hands.len()).sum();
            if sum > 0.0 && (sum - 1.0).abs() > 1e-4 {
                return Err(SpotError::Frequencies(
                    format_cards(hand),
                    (f64::from(sum) * 1e6).round() / 1e6,
                ));
            }
            locked[place] = sum > 0.0;
        }
        Ok(((position.node, position.board.id), Lock { chances, locked }))
    }

    /// Returns the hands of a player in the order of a board.
    pub fn hand_sets(&self, player: usize, board: &Board) -> Vec<CardSet> {
        let all = &self.deals.hands[player].sets;
        match board.river {
            Some(river) => {
                let places = self.deals.rivers[river].sides[player].hands.iter();
                places.map(|&place| all[usize::from(place)]).collect()
            }
            None => all.clone(),
        }
    }

    /// Returns the weights of a player's hands on the first board, in its order.
    pub fn weights<T: Number>(&self, player: usize) -> Vec<T> {
        let weights = &self.deals.hands[player].weights;
        let root = &self.deals.root;
        match root.river {
            Some(river) => {
                let places = self.deals.rivers[river].sides[player].hands.iter();
                places
                    .map(|&place| T::of(weights[usize::from(place)]))
                    .collect()
            }
            None => weights.iter().map(|&weight| T::of(weight)).collect(),
        }
    }

    /// Copies the weights of a player's hands to the order of the board after a card; hands with that card are omitted.
    pub fn distribute<T: Number>(&self, player: usize, next: &Next, reach: &[T], dealt: &mut [T]) {
        if let Some(river) = next.board.river {
            let places = &self.deals.rivers[river].sides[player].hands;
            for (dealt, &place) in dealt.iter_mut().zip(places) {
                *dealt = reach[usize::from(place)];
            }
            return;
        }
        let cards = &self.deals.hands[player].cards;
        for ((dealt, &reach), cards) in dealt.iter_mut().zip(reach).zip(cards) {
            *dealt = if cards.contains(&next.card) {
                T::default()
            } else {
                reach
            };
        }
    }

    /// Adds the gains of a player's hands after a card, and after the equivalent cards, to the values before the card.
    pub fn collect<T: Number>(
        &self,
        player: usize,
        board: &Board,
        next: &Next,
        earned: &[T],
        values: &mut [T],
    ) {
        // The number of cards that are neither on the board nor in the two hands.
        let share = T::of(1.0 / (48 - board.cards.len()) as f64);
        if let (Some(river), []) = (next.board.river, &next.images[..]) {
            let places = &self.deals.rivers[river].sides[player].hands;
            for (&earned, &place) in earned.iter().zip(places) {
                values[usize::from(place)] += earned * share;
            }
            return;
        }
        let hands = &self.deals.hands[player];
        let mut spread = vec![T::default(); hands.len()];
        match next.board.river {
            Some(river) => {
                let places = &self.deals.rivers[river].sides[player].hands;
                for (&earned, &place) in earned.iter().zip(places) {
                    spread[usize::from(place)] = earned * share;
                }
            }
            None => {
                for ((spread, &earned), cards) in spread.iter_mut().zip(earned).zip(&hands.cards) {
                    if !cards.contains(&next.card) {
                        *spread = earned * share;
                    }
                }
            }
        }
        for (value, &spread) in values.iter_mut().zip(&spread) {
            *value += spread;
        }
        for image in &next.images {
            let sources = &self.deals.symmetries[image.symmetry].sources[player];
            for (value, &source) in values.iter_mut().zip(sources) {
                *value += spread[usize::from(source)];
            }
        }
    }

    /// Computes for each hand of `player` the weight of the opponent's hands without a common card, times `amount`.
    pub fn meet<T: Number>(
        &self,
        player: usize,
        board: &Board,
        reach: &[T],
        amount: T,
        values: &mut [T],
    ) {
        match board.river {
            Some(river) => self.deals.rivers[river].meet(player, reach, amount, values),
            None => {
                let (own, other) = (&self.deals.hands[player], &self.deals.hands[1 - player]);
                meet(&own.cards, &own.same, &other.cards, reach, amount, values);
            }
        }
    }
}

fn live_hands(spot: &Spot, player: usize) -> Vec<(CardSet, f64)> {
    let hands = spot.ranges[player].hands().iter();
    hands
        .filter(|(hand, _)| hand.len() == 2 && hand.is_disjoint(spot.board))
        .map(|&(hand, weight)| (hand, weight.millionths() as f64 / 1e6))
        .collect()
}

fn deals_weight(hands: &[Hands; 2]) -> f64 {
    let [own, other] = hands;
    let mut met = vec![0.0; own.len()];
    meet(
        &own.cards,
        &own.same,
        &other.cards,
        &other.weights,
        1.0,
        &mut met,
    );
    own.weights
        .iter()
        .zip(&met)
        .map(|(weight, met)| weight * met)
        .sum()
}

/// Returns whether an exchange of suits keeps a locked decision.
fn keeps_lock(exchange: SuitExchange, lock: &LockedNode) -> bool {
    let keeps_range = |range: &poker::Range| {
        range.hands().iter().all(|&(hand, weight)| {
            let found = range
                .hands()
                .binary_search_by_key(&exchange.apply(hand), |entry| entry.0);
            found.is_ok_and(|place| range.hands()[place].1 == weight)
        })
    };
    path_cards(&lock.path).all(|card| exchange.apply(card) == card)
        && lock.actions.iter().all(|(_, range)| keeps_range(range))
}
