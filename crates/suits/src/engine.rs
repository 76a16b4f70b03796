//! One interface to the search for all numbers of worlds and rules.

use std::rc::Rc;

use cards::{Holding, Rank, Seat};

use crate::counts::Counts;
use crate::front::Front;
use crate::plan::{Plan, Planner};
use crate::problem::WeightedCombination;
use crate::root::{FirstTrick, Window};
use crate::rules::{Limited, Rules, Side, Unlimited};
use crate::search::{Position, Search, bits, third_hand};
use crate::weight::{Objective, Weight};
use crate::worlds::WorldSet;

/// The tricks that a line takes in every world against best defence, limited to the range that its goal counts.
pub(crate) type TricksByWorld = Vec<u8>;

/// A linear objective: weights of worlds for at least `need` tricks, at least `need + 1`, and so on.
#[derive(Clone, Debug)]
pub(crate) struct Levels {
    pub(crate) need: u8,
    pub(crate) weights: Vec<Vec<u128>>,
}

/// The search for one problem.
pub(crate) trait Engine {
    /// Returns the value of the best line within the window, and its tricks in every world, with a given first trick or any.
    fn best(
        &mut self,
        levels: &Levels,
        window: Window<u128>,
        first: Option<FirstTrick>,
    ) -> Option<(u128, TricksByWorld)>;

    /// Returns the first moves: every lead with every card of third hand when second hand plays its lowest card.
    fn first_tricks(&self) -> Vec<FirstTrick>;

    /// Returns a line of play that takes at least these tricks in every world.
    fn plan(&mut self, tricks_by_world: &[u8]) -> Option<Rc<Plan>>;

    /// Returns the tricks by world of all lines that are not worse than another one in every world, if there are at most `most` for
    /// each lead.
    fn all_lines(&mut self, most: usize) -> Option<Vec<TricksByWorld>>;

    /// Returns for every world whether declarer takes at least `need` tricks if he sees all cards.
    fn double_dummy(&mut self, need: u8) -> Vec<bool>;

    /// Returns the number of tricks that are certain with every best line and are left out of the search. Add it to the results.
    fn sure(&self) -> u8;

    /// Returns the rank of `card` in `holding` if the cards `left` of the defenders remain.
    fn rank(&self, holding: Holding, card: u8, left: Counts) -> Option<Rank>;
}

/// Creates the engine for a problem.
pub(crate) fn create(problem: &WeightedCombination) -> Box<dyn Engine> {
    fn sized<R: Rules + 'static>(rules: R, problem: &WeightedCombination) -> Box<dyn Engine> {
        let worlds = problem.classes.worlds();
        match worlds.div_ceil(64) {
            0 | 1 => Box::new(Instance::<R, 1>::new(rules, problem)),
            2 => Box::new(Instance::<R, 2>::new(rules, problem)),
            3 => Box::new(Instance::<R, 3>::new(rules, problem)),
            4 => Box::new(Instance::<R, 4>::new(rules, problem)),
            _ => Box::new(Instance::<R, 16>::new(rules, problem)),
        }
    }
    let combination = problem.combination;
    let hands = [combination.north(), combination.south()];
    let classes = &problem.classes;
    match problem.entries {
        None => sized(Unlimited::new(hands, classes), problem),
        Some(entries) => {
            let side = match entries.hand {
                Seat::North => Side::North,
                _ => Side::South,
            };
            sized(Limited::new(hands, classes, side, entries.number), problem)
        }
    }
}

/// Creates an engine that keeps every card of third hand, to test that reduction.
pub(crate) fn create_without_reduction(problem: &WeightedCombination) -> Box<dyn Engine> {
    let combination = problem.combination;
    let hands = [combination.north(), combination.south()];
    let mut rules = Unlimited::new(hands, &problem.classes);
    rules.keeps_all_thirds = true;
    Box::new(Instance::<_, 16>::new(rules, problem))
}

/// Creates an engine that uses the bound from fractional weights from the first node, to test that bound.
pub(crate) fn create_with_priced_bound(problem: &WeightedCombination) -> Box<dyn Engine> {
    let combination = problem.combination;
    let hands = [combination.north(), combination.south()];
    let rules = Unlimited::new(hands, &problem.classes);
    let mut instance = Instance::<_, 16>::new(rules, problem);
    instance.search.simple_nodes = 0;
    Box::new(instance)
}

/// An engine with sets of `W` words.
struct Instance<R: Rules, const W: usize> {
    search: Search<R, W>,
    /// The worlds of positive weight.
    worlds: WorldSet<W>,
    number: usize,
}

/// Sums up to this value are computed in 64 bits.
const SMALL: u128 = 1 << 62;

impl<R: Rules, const W: usize> Instance<R, W> {
    fn new(rules: R, problem: &WeightedCombination) -> Self {
        let number = problem.classes.worlds();
        Instance {
            search: Search::new(rules, problem.classes.clone()),
            worlds: WorldSet::collect(number, |world| problem.weights[world] > 0),
            number,
        }
    }

    fn best_in<T: Weight>(
        &mut self,
        levels: &Levels,
        window: Window<u128>,
        first: Option<FirstTrick>,
    ) -> Option<(u128, TricksByWorld)> {
        let convert = |weights: &Vec<u128>| -> Vec<T> {
            let mut list: Vec<T> = weights.iter().map(|&weight| T::from_u128(weight)).collect();
            list.resize(64 * W, T::default());
            list
        };
        let objective = Objective::new(levels.weights.iter().map(convert).collect());
        let start = self.search.start(self.worlds, levels.need as i8);
        let window = Window {
            floor: T::from_u128(window.floor),
            ceiling: T::from_u128(window.ceiling),
        };
        let best = match first {
            None => self.search.best(start, &objective, window)?,
            Some(first) => self
                .search
                .best_of_first(start, &objective, first, window)?,
        };
        let tricks_by_world = self.tricks_by_world(levels.need, &best.result);
        Some((best.value.to_u128(), tricks_by_world))
    }

    fn tricks_by_world(&self, need: u8, result: &[WorldSet<W>]) -> TricksByWorld {
        let tricks = |world: usize| {
            let reached = result.iter().filter(|set| set.contains(world)).count() as u8;
            match reached {
                0 => 0,
                reached => need - 1 + reached,
            }
        };
        (0..self.number).map(tricks).collect()
    }
}

impl<R: Rules, const W: usize> Engine for Instance<R, W> {
    fn best(
        &mut self,
        levels: &Levels,
        window: Window<u128>,
        first: Option<FirstTrick>,
    ) -> Option<(u128, TricksByWorld)> {
        let sum: u128 = levels.weights.iter().flatten().sum();
        let window = Window {
            ceiling: window.ceiling.min(sum),
            ..window
        };
        match sum < SMALL {
            true => self.best_in::<u64>(levels, window, first),
            false => self.best_in::<u128>(levels, window, first),
        }
    }

    fn first_tricks(&self) -> Vec<FirstTrick> {
        let Position { state, left, .. } = self.search.start(self.worlds, 0);
        let rules = &self.search.rules;
        let lowest = self.search.classes.len().checked_sub(1);
        let mut tricks = Vec::new();
        for leader in Side::BOTH {
            for lead in bits(rules.leads(state, leader, left)) {
                let Some(second) = lowest else {
                    let answer = None;
                    tricks.push(FirstTrick {
                        leader,
                        lead,
                        answer,
                    });
                    continue;
                };
                let after = left.minus_one(second);
                let thirds = rules.thirds(state, leader, lead, second, left, after);
                tricks.extend(third_hand(thirds).map(|third| FirstTrick {
                    leader,
                    lead,
                    answer: Some((second, third)),
                }));
            }
        }
        tricks
    }

    fn plan(&mut self, tricks_by_world: &[u8]) -> Option<Rc<Plan>> {
        let most = tricks_by_world.iter().copied().max().unwrap_or(0);
        let least = self.worlds_with(tricks_by_world, 1);
        let start = self.search.start(least, 1);
        let target = (1..=most)
            .map(|need| self.worlds_with(tricks_by_world, need))
            .collect();
        Planner::new(&mut self.search).plan(start.state, start.left, 1, target)
    }

    fn all_lines(&mut self, most: usize) -> Option<Vec<TricksByWorld>> {
        let sure = self.sure();
        let start = self.search.start(self.worlds, sure as i8 + 1);
        let levels = (self.search.rules.most(start.state) as usize).saturating_sub(sure.into());
        if levels == 0 {
            return Some(vec![vec![sure; self.number]]);
        }
        let caps: Vec<WorldSet<W>> = (0..levels)
            .map(|level| {
                let need = start.need + level as i8;
                self.worlds & self.search.double_dummy(start.state, start.left, need)
            })
            .collect();
        let mut front = Front::new(levels);
        for leader in Side::BOTH {
            for lead in bits(self.search.rules.leads(start.state, leader, start.left)) {
                let of_lead = self
                    .search
                    .limited_front_of_lead(start, &caps, leader, lead, most)?;
                front.merge(&of_lead);
            }
        }
        let lines = front.results().map(|result| {
            let tricks_by_world = self.tricks_by_world(sure + 1, result);
            tricks_by_world
                .into_iter()
                .map(|tricks| tricks.max(sure))
                .collect()
        });
        Some(lines.collect())
    }

    fn double_dummy(&mut self, need: u8) -> Vec<bool> {
        let start = self.search.start(self.worlds, 0);
        let set = self
            .search
            .double_dummy(start.state, start.left, need as i8);
        (0..self.number).map(|world| set.contains(world)).collect()
    }

    fn sure(&self) -> u8 {
        let start = self.search.start(self.worlds, 0);
        self.search.rules.sure(start.state) as u8
    }

    fn rank(&self, holding: Holding, card: u8, left: Counts) -> Option<Rank> {
        self.search.rules.rank(holding, card, left)
    }
}

impl<R: Rules, const W: usize> Instance<R, W> {
    /// Returns the possible worlds in which at least `need` of these tricks are taken.
    fn worlds_with(&self, tricks_by_world: &[u8], need: u8) -> WorldSet<W> {
        self.worlds & WorldSet::collect(self.number, |world| tricks_by_world[world] >= need)
    }
}
