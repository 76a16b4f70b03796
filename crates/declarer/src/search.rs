//! The αμ search: fronts of the strategies that declarer can follow without seeing the defenders' cards.
//!
//! At a card of declarer's side the front is the union of the fronts after each card. At a card of a defender declarer sees
//! the card, and so chooses a strategy for each; the fronts are [joined](Front::join). The defenders know all cards and
//! declarer's strategy. After a number of declarer's cards the search ends with the double-dummy result of each world; with
//! one card this is plain Monte Carlo. Source: T. Cazenave and V. Ventos, "The αμ search algorithm for the game of Bridge",
//! arXiv 1911.07960.
//!
//! Double-dummy results bound the value of every world from above. A world that is lost double dummy needs no further
//! search, and in a single remaining world the double-dummy result is the value.

use std::collections::{BTreeMap, HashMap};
use std::ops::ControlFlow;

use cards::{Card, CardSet, Seat, Side};
use engine::parallel;
use solver::{Position, Solver};

use crate::equal_cards::{equal_cards, lowest};
use crate::front::Front;
use crate::world_set::WorldSet;

/// Maximum number of stored fronts; when they are more, all are dropped.
const MAX_STORED: usize = 100_000;

/// Numbers of worlds and tricks from which on double-dummy results are worth the start of threads.
const PARALLEL_WORLDS: usize = 8;
const PARALLEL_TRICKS: usize = 9;

/// A position that looks the same to declarer in several worlds.
#[derive(Clone, Debug)]
pub(crate) struct Node {
    /// Number and position of each world.
    pub(crate) worlds: Vec<(usize, Position)>,
    /// Number of tricks that declarer's side needs from here on, the current trick included.
    pub(crate) need: u8,
}

impl Node {
    /// Returns the seat that plays next and the number of tricks left.
    fn turn(&self) -> Option<(Seat, usize)> {
        let (_, position) = self.worlds.first()?;
        Some((position.to_play(), position.tricks_left()))
    }

    fn set(&self) -> WorldSet {
        self.worlds.iter().map(|&(world, _)| world).collect()
    }

    fn restricted(&self, worlds: WorldSet) -> Node {
        let kept = self.worlds.iter();
        let kept = kept.filter(|(world, _)| worlds.contains(*world));
        Node {
            worlds: kept.cloned().collect(),
            need: self.need,
        }
    }

    /// Returns all cards that are not in the hand of `seat` and still count: in another hand of some world, or on the
    /// table.
    fn others(&self, seat: Seat) -> CardSet {
        let mut others = CardSet::EMPTY;
        for (_, position) in &self.worlds {
            for other in Seat::ALL.into_iter().filter(|&other| other != seat) {
                others |= position.hands()[other.index()];
            }
            others |= position.trick().iter().copied().collect();
        }
        others
    }
}

/// The information that declarer gets from a card of a defender.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Observation {
    /// Suit of the card, and its rank; in merged positions the number of declarer's cards above it.
    suit: usize,
    rank: usize,
    /// Whether the card is the highest of several unequal cards of its class.
    is_high: bool,
    /// Winner of the trick, if the card completes it.
    winner: Option<usize>,
}

/// How declarer sees the cards of the defenders.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sight {
    /// Declarer sees each card. Exact if all possible worlds are searched.
    Cards,
    /// Declarer sees only between which cards of his side a card lies. With sampled worlds this avoids conclusions from
    /// small cards, which few worlds of the sample share.
    Classes,
}

/// A search over worlds, with a solver for each.
pub(crate) struct Search<'a> {
    pub(crate) side: Side,
    pub(crate) sight: Sight,
    pub(crate) weights: &'a [f64],
    pub(crate) solvers: &'a mut [Solver],
    pub(crate) is_cancelled: &'a dyn Fn() -> bool,
    /// Number of threads for double-dummy results; 0 means one for each core.
    pub(crate) threads: usize,
    stored: HashMap<Vec<u64>, Front>,
}

impl<'a> Search<'a> {
    pub(crate) fn new(
        side: Side,
        sight: Sight,
        weights: &'a [f64],
        solvers: &'a mut [Solver],
        is_cancelled: &'a dyn Fn() -> bool,
    ) -> Search<'a> {
        Search {
            side,
            sight,
            weights,
            solvers,
            is_cancelled,
            threads: 1,
            stored: HashMap::new(),
        }
    }

    /// Returns the worlds of a node in which declarer takes the tricks needed double dummy; `None` if cancelled.
    pub(crate) fn double_dummy(&mut self, node: &Node) -> Option<WorldSet> {
        if node.need == 0 {
            return Some(node.set());
        }
        let many = node.worlds.len() >= PARALLEL_WORLDS;
        let long = node.turn().is_some_and(|(_, left)| left >= PARALLEL_TRICKS);
        if many && long && self.threads != 1 {
            return self.parallel_double_dummy(node);
        }
        let mut won = WorldSet::EMPTY;
        for (world, position) in &node.worlds {
            if (self.is_cancelled)() {
                return None;
            }
            if takes(&mut self.solvers[*world], position, self.side, node.need) {
                won.insert(*world);
            }
        }
        Some(won)
    }

    /// Solves the worlds on several threads, each with its own solvers.
    fn parallel_double_dummy(&mut self, node: &Node) -> Option<WorldSet> {
        if (self.is_cancelled)() {
            return None;
        }
        let (side, need) = (self.side, node.need);
        let set = node.set();
        let solvers = self.solvers.iter_mut().enumerate();
        let solvers = solvers.filter(|(world, _)| set.contains(*world));
        // The worlds of a node are in the order of their numbers, as the solvers are.
        let pairs = solvers.zip(&node.worlds);
        let work = |(): &mut (), ((world, solver), (_, position)): ((usize, &mut Solver), &_)| {
            (world, takes(solver, position, side, need))
        };
        let mut won = WorldSet::EMPTY;
        let sink = |(world, is_won)| {
            if is_won {
                won.insert(world);
            }
            ControlFlow::<()>::Continue(())
        };
        let _ = parallel::ordered_map(self.threads, pairs, || (), work, sink);
        Some(won)
    }

    /// Returns the front of a node when declarer chooses `cards` more cards before the double-dummy result decides;
    /// `None` if cancelled.
    pub(crate) fn front(&mut self, node: &Node, cards: usize) -> Option<Front> {
        let possible = self.double_dummy(node)?;
        if cards == 0 || node.need == 0 || possible.len() <= 1 {
            return Some(Front::of(possible));
        }
        let node = node.restricted(possible);
        let Some((seat, _)) = node.turn() else {
            return Some(Front::of(possible));
        };
        let key = self.key(&node, cards);
        if let Some(front) = self.stored.get(&key) {
            return Some(front.clone());
        }
        let front = match seat.side() == self.side {
            true => self.after_declarer(&node, seat, possible, cards)?,
            false => self.after_defender(&node, seat, possible, cards)?,
        };
        if self.stored.len() >= MAX_STORED {
            self.stored.clear();
        }
        self.stored.insert(key, front.clone());
        Some(front)
    }

    fn after_declarer(
        &mut self,
        node: &Node,
        seat: Seat,
        possible: WorldSet,
        cards: usize,
    ) -> Option<Front> {
        let groups = equal_cards(node.worlds[0].1.legal(), node.others(seat));
        // A forced card is no choice.
        let left = if groups.len() == 1 { cards } else { cards - 1 };
        let mut front = Front::NONE;
        for group in groups {
            let children = self.after_card(node, lowest(group));
            let after = self.joined_front(&children, possible, left)?;
            front.add(&after, self.weights);
            if front.covers(possible) {
                break;
            }
        }
        Some(front)
    }

    fn after_defender(
        &mut self,
        node: &Node,
        seat: Seat,
        possible: WorldSet,
        cards: usize,
    ) -> Option<Front> {
        let children = self.after_each_observation(node, seat);
        self.joined_front(&children, possible, cards)
    }

    /// Returns the front of a node of `worlds` from those of the nodes that declarer can tell apart; `None` if cancelled.
    pub(crate) fn joined_front(
        &mut self,
        children: &[Node],
        worlds: WorldSet,
        cards: usize,
    ) -> Option<Front> {
        let mut front = Front::of(worlds);
        for child in children {
            let after = self.front(child, cards)?;
            front.join(child.set(), &after, self.weights);
            if front.is_hopeless() {
                break;
            }
        }
        Some(front)
    }

    /// Returns the nodes after a card of declarer's side: one for each winner, if the card completes the trick.
    pub(crate) fn after_card(&self, node: &Node, card: Card) -> Vec<Node> {
        let mut children: BTreeMap<Option<usize>, Node> = BTreeMap::new();
        for (world, position) in &node.worlds {
            let mut position = position.clone();
            let winner = position.play(card).expect("declarer holds the card");
            self.add_world(
                &mut children,
                winner.map(Seat::index),
                node,
                (*world, position),
            );
        }
        children.into_values().collect()
    }

    /// Adds a world to the node that belongs to `key`.
    fn add_world<K: Ord>(
        &self,
        children: &mut BTreeMap<K, Node>,
        key: K,
        node: &Node,
        (world, position): (usize, Position),
    ) {
        let is_complete = position.trick().is_empty();
        let won = is_complete && position.leader().side() == self.side;
        let child = children.entry(key).or_insert_with(|| Node {
            worlds: Vec::new(),
            need: node.need.saturating_sub(u8::from(won)),
        });
        child.worlds.push((world, position));
    }

    /// Returns a node for each observation that declarer can make of the next card of a defender.
    fn after_each_observation(&self, node: &Node, seat: Seat) -> Vec<Node> {
        let mut children: BTreeMap<Observation, Node> = BTreeMap::new();
        let ours = self.declarers_cards(node);
        for (world, position) in &node.worlds {
            for (card, mut observation) in self.options(position, seat, ours) {
                let mut position = position.clone();
                let winner = position.play(card).expect("the card is legal");
                observation.winner = winner.map(Seat::index);
                self.add_world(&mut children, observation, node, (*world, position));
            }
        }
        children.into_values().collect()
    }

    /// Returns the cards that a defender may play, with the observation of each.
    fn options(&self, position: &Position, seat: Seat, ours: CardSet) -> Vec<(Card, Observation)> {
        let observed = |card: Card, rank: usize, is_high: bool| {
            let observation = Observation {
                suit: card.suit().index(),
                rank,
                is_high,
                winner: None,
            };
            (card, observation)
        };
        let legal = position.legal();
        if self.sight == Sight::Cards {
            let cards = legal.iter();
            return cards
                .map(|card| observed(card, card.rank().index(), false))
                .collect();
        }
        let partner = position.hands()[seat.partner().index()];
        let mut options = Vec::new();
        for class in equal_cards(legal, ours) {
            let groups = equal_cards(class, ours | partner);
            let (Some(&high), Some(&low)) = (groups.first(), groups.last()) else {
                continue;
            };
            let card = lowest(low);
            let above = (ours & CardSet::of_suit(card.suit())).iter();
            let above = above.filter(|other| other.rank() > card.rank()).count();
            options.push(observed(card, above, false));
            if high != low {
                options.push(observed(lowest(high), above, true));
            }
        }
        options
    }

    /// Returns the cards of declarer's side that are held or on the table.
    fn declarers_cards(&self, node: &Node) -> CardSet {
        let Some((_, position)) = node.worlds.first() else {
            return CardSet::EMPTY;
        };
        let mut ours = CardSet::EMPTY;
        for seat in self.side.seats() {
            ours |= position.hands()[seat.index()];
        }
        for (place, &card) in position.trick().iter().enumerate() {
            if position.leader().clockwise(place).side() == self.side {
                ours.insert(card);
            }
        }
        ours
    }

    /// Returns a key that is equal for nodes with the same front.
    fn key(&self, node: &Node, cards: usize) -> Vec<u64> {
        let mut key = vec![cards as u64, u64::from(node.need)];
        for (place, (world, position)) in node.worlds.iter().enumerate() {
            if place == 0 {
                key.push(position.leader().index() as u64);
                let ours = self.side.seats();
                key.extend(ours.map(|seat| bits(position.hands()[seat.index()])));
            }
            key.push(*world as u64);
            let theirs = self.side.opponents().seats();
            key.extend(theirs.map(|seat| bits(position.hands()[seat.index()])));
            let trick = position.trick().iter();
            key.push(trick.fold(1, |all, card| all << 6 | card.index() as u64));
        }
        key
    }
}

/// Returns whether `side` takes `need` tricks from a position on, double dummy.
pub(crate) fn takes(solver: &mut Solver, position: &Position, side: Side, need: u8) -> bool {
    let left = position.tricks_left() as u8;
    if need == 0 || need > left {
        return need == 0;
    }
    match side {
        Side::NorthSouth => solver.north_south_at_least(position, need),
        Side::EastWest => !solver.north_south_at_least(position, left + 1 - need),
    }
}

fn bits(cards: CardSet) -> u64 {
    cards.iter().fold(0, |bits, card| bits | 1 << card.index())
}

#[cfg(test)]
mod tests;
