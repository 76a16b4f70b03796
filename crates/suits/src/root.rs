//! Finds the best line for an objective, without the front of the first trick.
//!
//! The front at the root can have tens of thousands of results, while those after the first trick are small. Branch and
//! bound over declarer's choices in the first trick and the fronts after it finds the best result of their product
//! without building it.

mod bound;

use std::cmp::Reverse;

use crate::front::Front;
use crate::root::bound::Prices;
use crate::rules::{Rules, Side, Trick};
use crate::search::{Position, Search, bits, third_hand};
use crate::weight::{Objective, Weight};
use crate::worlds::WorldSet;

/// A first move: a lead, and optionally the card of third hand after a given class of second hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct FirstTrick {
    pub(crate) leader: Side,
    pub(crate) lead: u8,
    /// The class of second hand and the card that third hand then plays.
    pub(crate) answer: Option<(u8, u8)>,
}

/// The value of the best line found, and the sets of worlds that the line achieves.
#[derive(Clone, Debug)]
pub(crate) struct Best<T, const W: usize> {
    pub(crate) value: T,
    pub(crate) result: Vec<WorldSet<W>>,
}

/// The range of values that the search is for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Window<T> {
    /// Only lines with a larger value are searched for.
    pub(crate) floor: T,
    /// No line has a larger value, so the search ends when it is reached.
    pub(crate) ceiling: T,
}

/// The position after a first trick: its possible worlds and its front, both in the indices of the root.
struct Factor<const W: usize> {
    worlds: WorldSet<W>,
    /// Worlds whose loss the simple bound charges to this factor.
    charged: WorldSet<W>,
    front: Front<W>,
}

/// A card of third hand, with a factor for every card of fourth hand.
struct Choice<const W: usize> {
    factors: Vec<Factor<W>>,
}

/// A card of second hand, with declarer's choices.
struct Reply<const W: usize> {
    worlds: WorldSet<W>,
    choices: Vec<Choice<W>>,
}

/// The number of nodes after which the search changes from the simple bound to [`Prices`].
pub(crate) const SIMPLE_NODES: u64 = 3000;

impl<R: Rules, const W: usize> Search<R, W> {
    /// Returns the best result of all leads, if there is one above the floor.
    pub(crate) fn best<T: Weight>(
        &mut self,
        position: Position<R::State, W>,
        objective: &Objective<T>,
        window: Window<T>,
    ) -> Option<Best<T, W>> {
        let mut best: Option<Best<T, W>> = None;
        let mut window = window;
        for leader in Side::BOTH {
            let leads = self.rules.leads(position.state, leader, position.left);
            for lead in bits(leads) {
                let first = FirstTrick {
                    leader,
                    lead,
                    answer: None,
                };
                if let Some(found) = self.best_of_first(position, objective, first, window) {
                    window.floor = found.value;
                    best = Some(found);
                    if window.floor >= window.ceiling {
                        return best;
                    }
                }
            }
        }
        best
    }

    /// Returns the best result of the lines with a given first trick, if there is one above the floor.
    pub(crate) fn best_of_first<T: Weight>(
        &mut self,
        position: Position<R::State, W>,
        objective: &Objective<T>,
        first: FirstTrick,
        window: Window<T>,
    ) -> Option<Best<T, W>> {
        let levels = objective.levels();
        let Position {
            state,
            left,
            worlds,
            need,
        } = position;
        let mut caps: Vec<WorldSet<W>> = (0..levels)
            .map(|level| worlds & self.double_dummy(state, left, need + level as i8))
            .collect();
        let is_west = first.leader.west_is_second();
        let mut seconds: Vec<(u32, u8)> = Vec::new();
        for card in self.holders.cards() {
            if let Some(after) = self.holders.follow(is_west, card, left, &worlds) {
                seconds.push((after.worlds.len(), card));
            }
        }
        seconds.sort_unstable();
        let mut replies = Vec::new();
        for (_, second) in seconds {
            if objective.value(&caps) <= window.floor {
                return None;
            }
            let alive = worlds & caps[0];
            if let Some(reply) = self.reply(position, &mut caps, first, second, alive) {
                replies.push(reply);
            }
        }
        if objective.value(&caps) <= window.floor {
            return None;
        }
        replies.sort_by_key(|reply| Reverse(reply.worlds.len()));
        charge_worlds(&mut replies, &caps);
        let mut product = Product {
            objective,
            replies: &replies,
            window,
            best: None,
            nodes: 0,
            most_nodes: self.simple_nodes,
            prices: None,
        };
        product.choose(&caps, 0);
        if product.nodes > product.most_nodes {
            product.prices = Some(Prices::new(&caps, &replies, objective));
            product.most_nodes = u64::MAX;
            product.choose(&caps, 0);
        }
        product.best
    }

    /// Collects declarer's choices after a card of second hand and removes from `caps` the worlds that all of them lose.
    fn reply(
        &mut self,
        position: Position<R::State, W>,
        caps: &mut [WorldSet<W>],
        first: FirstTrick,
        second: u8,
        alive: WorldSet<W>,
    ) -> Option<Reply<W>> {
        let FirstTrick {
            leader,
            lead,
            answer,
        } = first;
        let Position { state, left, .. } = position;
        let is_west = leader.west_is_second();
        let after = self.holders.follow(is_west, second, left, &alive)?;
        let seen = after.worlds;
        let thirds = self
            .rules
            .thirds(state, leader, lead, second, left, after.left);
        let mut choices = Vec::new();
        let mut union = vec![WorldSet::EMPTY; caps.len()];
        for third in third_hand(thirds) {
            if answer.is_some_and(|(class, card)| class == second && card != third) {
                continue;
            }
            let trick = Trick {
                leader,
                lead,
                third,
            };
            let within = Position {
                left: after.left,
                worlds: seen.shifted_down(after.shift),
                ..position
            };
            let mut won: Vec<_> = caps.iter().map(|&cap| cap & seen).collect();
            let factors = self.factors(within, trick, second, after.shift, &mut won);
            for (union, won) in union.iter_mut().zip(won) {
                *union |= won;
            }
            choices.push(Choice { factors });
        }
        for (cap, union) in caps.iter_mut().zip(union) {
            *cap = cap.without(&seen.without(&union));
        }
        Some(Reply {
            worlds: seen,
            choices,
        })
    }

    /// Returns the fronts after each card of fourth hand, and removes from `won` the worlds that they lose.
    fn factors(
        &mut self,
        position: Position<R::State, W>,
        trick: Trick,
        second: u8,
        shift: usize,
        won: &mut [WorldSet<W>],
    ) -> Vec<Factor<W>> {
        let Position {
            state,
            left,
            worlds,
            need,
        } = position;
        let is_west = !trick.leader.west_is_second();
        let mut factors = Vec::new();
        for fourth in self.holders.cards() {
            let Some(after) = self.holders.follow(is_west, fourth, left, &worlds) else {
                continue;
            };
            let wins = self.rules.wins(trick, second, fourth);
            let next = Position {
                state: self.rules.after(state, trick, wins),
                left: after.left,
                worlds: after.worlds.shifted_down(after.shift),
                need: need - i8::from(wins),
            };
            let front = self
                .front(next, won.len())
                .map(|set| set.shifted_up(after.shift + shift));
            let seen = after.worlds.shifted_up(shift);
            for (level, won) in won.iter_mut().enumerate() {
                *won = won.without(&seen.without(&front.winnable(level)));
            }
            factors.push(Factor {
                worlds: seen,
                charged: WorldSet::EMPTY,
                front,
            });
        }
        factors.sort_by_key(|factor| factor.front.len());
        factors
    }
}

/// Returns for each level the worlds that some result of the factor loses.
fn at_risk<const W: usize>(factor: &Factor<W>, caps: &[WorldSet<W>]) -> Vec<WorldSet<W>> {
    let levels = caps.iter().enumerate();
    levels
        .map(|(level, &cap)| (cap & factor.worlds).without(&factor.front.certain(level)))
        .collect()
}

/// Assigns every world to one reply, and within each choice to one factor, among those where it is at risk.
fn charge_worlds<const W: usize>(replies: &mut [Reply<W>], caps: &[WorldSet<W>]) {
    let mut used = WorldSet::EMPTY;
    for reply in replies {
        let mut risk_of_reply = WorldSet::EMPTY;
        for choice in &mut reply.choices {
            let mut used_in_choice = used;
            for factor in &mut choice.factors {
                let levels = at_risk(factor, caps);
                let risk = levels
                    .into_iter()
                    .fold(WorldSet::EMPTY, |all, set| all | set);
                factor.charged = risk.without(&used_in_choice);
                used_in_choice |= risk;
                risk_of_reply |= risk;
            }
        }
        used |= risk_of_reply;
    }
}

/// The branch and bound search for the best result of a product of fronts.
struct Product<'a, T, const W: usize> {
    objective: &'a Objective<T>,
    replies: &'a [Reply<W>],
    window: Window<T>,
    best: Option<Best<T, W>>,
    nodes: u64,
    most_nodes: u64,
    prices: Option<Prices>,
}

impl<T: Weight, const W: usize> Product<'_, T, W> {
    fn is_finished(&self) -> bool {
        self.window.floor >= self.window.ceiling || self.nodes > self.most_nodes
    }

    /// Chooses a card of third hand for the reply at `place` and all later ones. `result` is the result so far.
    fn choose(&mut self, result: &[WorldSet<W>], place: usize) {
        let value = self.objective.value(result);
        if value <= self.window.floor || self.is_finished() {
            return;
        }
        let replies = self.replies;
        let Some(reply) = replies.get(place) else {
            self.window.floor = value;
            self.best = Some(Best {
                value,
                result: result.to_vec(),
            });
            return;
        };
        let room = value - self.window.floor;
        if self.loss_of_replies(result, place, place, room) >= room {
            return;
        }
        let mut order: Vec<(T, usize)> = Vec::with_capacity(reply.choices.len());
        for (index, choice) in reply.choices.iter().enumerate() {
            let mut loss = T::default();
            for factor in &choice.factors {
                loss += self.charged_loss(result, factor);
            }
            order.push((loss, index));
        }
        order.sort_unstable();
        for (_, choice) in order {
            self.choose_factor(result, place, choice, 0);
        }
    }

    /// Chooses a result for the factor at `index` of a choice and all later ones.
    fn choose_factor(&mut self, result: &[WorldSet<W>], place: usize, choice: usize, index: usize) {
        self.nodes += 1;
        if self.is_finished() {
            return;
        }
        let factors = &self.replies[place].choices[choice].factors;
        let Some(factor) = factors.get(index) else {
            return self.choose(result, place + 1);
        };
        let value = self.objective.value(result);
        if value <= self.window.floor {
            return;
        }
        let room = value - self.window.floor;
        if self.loss_of_rest(result, place, choice, index, room) >= room {
            return;
        }
        let levels = result.len();
        let mut reduced = Front::new(levels);
        let mut next = result.to_vec();
        for added in factor.front.results() {
            for level in 0..levels {
                next[level] = result[level].without(&factor.worlds.without(&added[level]));
            }
            reduced.add(&next);
        }
        let mut order: Vec<(T, &[WorldSet<W>])> = reduced
            .results()
            .map(|result| (self.objective.value(result), result))
            .collect();
        order.sort_by_key(|(value, _)| Reverse(*value));
        for (_, next) in order {
            self.choose_factor(next, place, choice, index + 1);
        }
    }

    /// Returns a lower bound of the loss from the factors of a choice at `index` and later and from the replies after
    /// `place`. It may stop early when the bound reaches `room`.
    fn loss_of_rest(
        &self,
        result: &[WorldSet<W>],
        place: usize,
        choice: usize,
        index: usize,
        room: T,
    ) -> T {
        let factors = &self.replies[place].choices[choice].factors[index..];
        let Some(prices) = &self.prices else {
            let mut loss = T::default();
            for factor in factors {
                loss += self.charged_loss(result, factor);
                if loss >= room {
                    return loss;
                }
            }
            return loss + self.loss_of_replies(result, place, place + 1, room - loss);
        };
        // The weight of a world is divided among the terms of the sum, so only the sum may be rounded.
        let most = room.to_f64();
        let mut loss = 0.0;
        for (factor, prices) in factors
            .iter()
            .zip(&prices.within_choice[place][choice][index])
        {
            loss += bound::priced_loss(result, &factor.front, &factor.worlds, prices);
            if loss > most {
                return T::from_lower_bound(loss);
            }
        }
        loss += self.priced_loss_of_replies(prices, result, place, place + 1, most - loss);
        T::from_lower_bound(loss)
    }

    /// Returns a lower bound of the loss from the replies at `from` and later, if the reply at `place` is next. It may
    /// stop early when the bound reaches `room`.
    fn loss_of_replies(&self, result: &[WorldSet<W>], place: usize, from: usize, room: T) -> T {
        if let Some(prices) = &self.prices {
            let most = room.to_f64();
            let loss = self.priced_loss_of_replies(prices, result, place, from, most);
            return T::from_lower_bound(loss);
        }
        let mut loss = T::default();
        for reply in &self.replies[from..] {
            loss += self.charged_loss_of_reply(result, &reply.choices);
            if loss >= room {
                break;
            }
        }
        loss
    }

    fn priced_loss_of_replies(
        &self,
        prices: &Prices,
        result: &[WorldSet<W>],
        place: usize,
        from: usize,
        most: f64,
    ) -> f64 {
        let mut loss = 0.0;
        for index in from..self.replies.len() {
            let prices = &prices.between_replies[place][index];
            loss += bound::priced_loss_of_reply(result, &self.replies[index].choices, prices);
            if loss > most {
                break;
            }
        }
        loss
    }

    fn charged_loss_of_reply(&self, result: &[WorldSet<W>], choices: &[Choice<W>]) -> T {
        let mut least: Option<T> = None;
        for choice in choices {
            let mut loss = T::default();
            for factor in &choice.factors {
                loss += self.charged_loss(result, factor);
                if least.is_some_and(|least| loss >= least) {
                    break;
                }
            }
            if least.is_none_or(|least| loss < least) {
                least = Some(loss);
            }
            if loss == T::default() {
                break;
            }
        }
        least.unwrap_or_default()
    }

    /// Returns the least weight that `result` loses in the worlds charged to a factor.
    fn charged_loss(&self, result: &[WorldSet<W>], factor: &Factor<W>) -> T {
        if result.iter().all(|&set| (set & factor.charged).is_empty()) {
            return T::default();
        }
        let mut least: Option<T> = None;
        for added in factor.front.results() {
            let mut loss = T::default();
            for (level, (&set, added)) in result.iter().zip(added).enumerate() {
                let lost = (set & factor.charged).without(added);
                if !lost.is_empty() {
                    loss += self.objective.of_set(level, &lost);
                    if least.is_some_and(|least| loss >= least) {
                        break;
                    }
                }
            }
            if loss == T::default() {
                return loss;
            }
            if least.is_none_or(|least| loss < least) {
                least = Some(loss);
            }
        }
        least.unwrap_or_default()
    }
}
