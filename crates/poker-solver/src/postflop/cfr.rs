//! One iteration of discounted counterfactual regret minimisation.
//!
//! Brown and Sandholm, "Solving imperfect-information games via discounted regret minimization" (2019). The players are
//! updated in turn. A walk carries the weights with which the opponent's hands reach a node down the tree, and returns
//! the gain of each hand of the updated player.

use super::deals::{Board, Next};
use super::game::Game;
use super::river::Number;
use super::storage::Slab;
use super::tree::{Decision, Extent, Node};

/// Buffers for reuse.
#[derive(Default)]
pub(super) struct Scratch<T>(Vec<Vec<T>>);

impl<T: Number> Scratch<T> {
    /// Returns a buffer of `length` numbers with unspecified values.
    pub fn take(&mut self, length: usize) -> Vec<T> {
        let mut buffer = self.0.pop().unwrap_or_default();
        buffer.resize(length, T::default());
        buffer
    }

    pub fn give(&mut self, buffer: Vec<T>) {
        self.0.push(buffer);
    }
}

/// Factors by which an iteration reduces older regrets and strategies.
#[derive(Clone, Copy, Debug)]
pub(super) struct Discounts {
    pub positive: f64,
    pub negative: f64,
    pub sum: f64,
}

impl Discounts {
    /// Returns the factors of an iteration, counted from 0. The exponents of the paper are alpha 1.5, beta 0 and gamma
    /// 3 (see docs/dev/poker-solver.md). Square roots and products give the same bits on every platform.
    pub fn of(iteration: u32) -> Discounts {
        let weight = f64::from(iteration) * f64::from(iteration).sqrt();
        // Drop the strategies before the last power of four, up to 4^5, because the first ones are far off. Later ones
        // are kept: high precision needs long averages.
        let start = match iteration {
            0 => 0,
            _ => 1 << (iteration.ilog2() & !1).min(10),
        };
        let age = f64::from(iteration - start);
        let kept = age / (age + 1.0);
        Discounts {
            positive: weight / (weight + 1.0),
            negative: 0.5,
            sum: kept * kept * kept,
        }
    }
}

/// A walk through the tree that updates one player.
pub(super) struct Walk<'a> {
    pub game: &'a Game,
    pub player: usize,
    pub iteration: u32,
    pub discounts: Discounts,
    pub threads: usize,
}

impl Walk<'_> {
    /// Visits a node. `reach` are the weights of the opponent's hands; `values` receives the gain of each hand of the
    /// player.
    pub fn visit<T: Number>(
        &self,
        node: usize,
        board: &Board,
        slab: &mut Slab,
        reach: &[T],
        values: &mut [T],
        scratch: &mut Scratch<T>,
    ) {
        let (deals, tree) = (&self.game.deals, &self.game.tree);
        match &tree.nodes[node] {
            Node::Decision(decision) if decision.player == self.player => {
                self.decide(node, decision, board, slab, reach, values, scratch);
            }
            Node::Decision(decision) => {
                self.answer(node, decision, board, slab, reach, values, scratch)
            }
            &Node::Chance { child } => self.chance(child, board, slab, reach, values, scratch),
            &Node::Fold { winner, amount } => {
                let amount = T::of(if winner == self.player {
                    amount
                } else {
                    -amount
                });
                self.game.meet(self.player, board, reach, amount, values);
            }
            &Node::Showdown { amount } => {
                if let Some(river) = board.river {
                    deals.rivers[river].showdown(self.player, reach, T::of(amount), values);
                }
            }
        }
    }

    /// Handles a decision of the player who is updated.
    #[expect(clippy::too_many_arguments, reason = "the state of the walk")]
    fn decide<T: Number>(
        &self,
        node: usize,
        decision: &Decision,
        board: &Board,
        slab: &mut Slab,
        reach: &[T],
        values: &mut [T],
        scratch: &mut Scratch<T>,
    ) {
        let hands = values.len();
        let length = hands * decision.actions.len();
        let mut own = slab.split(Extent {
            values: length,
            decisions: 1,
        });
        let mut strategy = scratch.take(length);
        let mut regrets = scratch.take(length);
        own.load_regrets(&mut regrets);
        match_regrets(&regrets, hands, &mut strategy);
        let lock = self.game.lock(node, board);
        if let Some(lock) = lock {
            lock.apply(&mut strategy, hands);
        }
        // The regrets are no longer needed, so their buffer is used for the gains of the actions.
        let mut earned = regrets;
        for (&child, part) in decision.children.iter().zip(earned.chunks_exact_mut(hands)) {
            self.visit(child, board, slab, reach, part, scratch);
        }
        values.fill(T::default());
        for (part, chance) in earned.chunks_exact(hands).zip(strategy.chunks_exact(hands)) {
            for ((value, earned), chance) in values.iter_mut().zip(part).zip(chance) {
                *value += *earned * *chance;
            }
        }
        for part in earned.chunks_exact_mut(hands) {
            for (earned, value) in part.iter_mut().zip(values.iter()) {
                *earned = *earned - *value;
            }
        }
        if let Some(lock) = lock {
            lock.silence(&mut earned, hands);
        }
        let Discounts {
            positive, negative, ..
        } = self.discounts;
        own.add_regrets(&earned, positive, negative, self.iteration);
        scratch.give(earned);
        scratch.give(strategy);
    }

    /// Handles a decision of the opponent.
    #[expect(clippy::too_many_arguments, reason = "the state of the walk")]
    fn answer<T: Number>(
        &self,
        node: usize,
        decision: &Decision,
        board: &Board,
        slab: &mut Slab,
        reach: &[T],
        values: &mut [T],
        scratch: &mut Scratch<T>,
    ) {
        let hands = reach.len();
        let length = hands * decision.actions.len();
        let mut own = slab.split(Extent {
            values: length,
            decisions: 1,
        });
        let mut regrets = scratch.take(length);
        let mut reaches = scratch.take(length);
        own.load_regrets(&mut regrets);
        match_regrets(&regrets, hands, &mut reaches);
        if let Some(lock) = self.game.lock(node, board) {
            lock.apply(&mut reaches, hands);
        }
        for part in reaches.chunks_exact_mut(hands) {
            for (part, reach) in part.iter_mut().zip(reach) {
                *part = *part * *reach;
            }
        }
        own.add_sums(&reaches, self.discounts.sum, self.iteration);
        let mut earned = scratch.take(values.len());
        values.fill(T::default());
        for (&child, part) in decision.children.iter().zip(reaches.chunks_exact(hands)) {
            self.visit(child, board, slab, part, &mut earned, scratch);
            for (value, earned) in values.iter_mut().zip(&earned) {
                *value += *earned;
            }
        }
        scratch.give(earned);
        scratch.give(reaches);
        scratch.give(regrets);
    }

    fn chance<T: Number>(
        &self,
        child: usize,
        board: &Board,
        slab: &mut Slab,
        reach: &[T],
        values: &mut [T],
        scratch: &mut Scratch<T>,
    ) {
        values.fill(T::default());
        let parallel = self.threads > 1 && board.id == self.game.deals.root.id;
        if !parallel {
            for next in &board.next {
                let earned = self.deal(child, next, slab, reach, scratch);
                self.game.collect(self.player, board, next, &earned, values);
                scratch.give(earned);
            }
            return;
        }
        let mut jobs: Vec<(&Next, Slab, Vec<T>)> = Vec::with_capacity(board.next.len());
        for next in &board.next {
            let part = slab.split(self.game.tree.extent(child, &next.board));
            jobs.push((next, part, Vec::new()));
        }
        super::threads::for_each(
            self.threads,
            &mut jobs,
            |(next, slab, earned), scratch: &mut Scratch<T>| {
                *earned = self.deal(child, next, slab, reach, scratch);
            },
        );
        for (next, _, earned) in &jobs {
            self.game.collect(self.player, board, next, earned, values);
        }
    }

    /// Visits the child of a chance node after one card.
    fn deal<T: Number>(
        &self,
        child: usize,
        next: &Next,
        slab: &mut Slab,
        reach: &[T],
        scratch: &mut Scratch<T>,
    ) -> Vec<T> {
        let sizes = self.game.deals.sizes(&next.board);
        if sizes.contains(&0) {
            slab.split(self.game.tree.extent(child, &next.board));
            return vec![T::default(); sizes[self.player]];
        }
        let mut dealt = scratch.take(sizes[1 - self.player]);
        self.game
            .distribute(1 - self.player, next, reach, &mut dealt);
        let mut earned = scratch.take(sizes[self.player]);
        self.visit(child, &next.board, slab, &dealt, &mut earned, scratch);
        scratch.give(dealt);
        earned
    }
}

/// Computes the strategy in proportion to positive regrets, or uniform if there are none.
fn match_regrets<T: Number>(regrets: &[T], hands: usize, strategy: &mut [T]) {
    let zero = T::default();
    let uniform = T::of(hands as f64 / regrets.len().max(1) as f64);
    let (first, rest) = strategy.split_at_mut(hands);
    first.fill(zero);
    for part in regrets.chunks_exact(hands) {
        for (sum, regret) in first.iter_mut().zip(part) {
            *sum += regret.positive();
        }
    }
    // The division has no condition, so that the compiler can use vector registers.
    let one = T::of(1.0);
    let share = |regret: T, sum: T| {
        let quotient = regret.positive() / if sum > zero { sum } else { one };
        if sum > zero { quotient } else { uniform }
    };
    for (part, regrets) in rest
        .chunks_exact_mut(hands)
        .zip(regrets.chunks_exact(hands).skip(1))
    {
        for ((chance, &regret), &sum) in part.iter_mut().zip(regrets).zip(first.iter()) {
            *chance = share(regret, sum);
        }
    }
    for (chance, &regret) in first.iter_mut().zip(regrets) {
        *chance = share(regret, *chance);
    }
}
