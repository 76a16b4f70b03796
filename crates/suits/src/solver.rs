//! Solves one problem for several goals.

use std::cmp::Reverse;

use cards::{Rank, Seat};

use crate::classes::VOID;
use crate::engine::{self, Engine, Levels, TricksByWorld};
use crate::fraction::Fraction;
use crate::line::SuitLine;
use crate::problem::WeightedCombination;
use crate::root::{FirstTrick, Window};
use crate::rules::Side;

/// Declarer's goal.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum SuitGoal {
    /// The best chance of at least the given number of tricks.
    AtLeast(usize),
    /// The largest expected number of tricks.
    Average,
    /// The largest expected payoff. Entry `t` is the payoff for `t` tricks. The entries must not decrease; the last one
    /// also counts for more tricks.
    Payoff(Vec<i32>),
}

/// Payoffs that decrease somewhere, or none at all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PayoffError {
    /// The payoff for this many tricks is smaller than that for one less.
    Decreases(usize),
    /// The list is empty.
    Empty,
}

impl std::fmt::Display for PayoffError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            PayoffError::Decreases(tricks) => write!(
                f,
                "the payoff for {tricks} tricks is smaller than that for {}: payoffs must not decrease",
                tricks - 1
            ),
            PayoffError::Empty => f.write_str("there are no payoffs"),
        }
    }
}

impl std::error::Error for PayoffError {}

/// The chances of a combination.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SuitSolution {
    /// Entry `k - 1` is the best chance of at least `k` tricks.
    pub chances: Vec<Fraction>,
    /// The largest expected number of tricks.
    pub average: Fraction,
}

impl SuitSolution {
    /// Returns the best chance of at least `tricks` tricks.
    #[must_use]
    pub fn chance(&self, tricks: usize) -> Fraction {
        match tricks.checked_sub(1) {
            None => Fraction::ONE,
            Some(place) => self.chances.get(place).copied().unwrap_or(Fraction::ZERO),
        }
    }
}

/// A first move and the value of the best line that begins with it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FirstMove {
    /// The hand that leads.
    pub leader: Seat,
    /// The card that it leads.
    pub lead: Rank,
    /// The card of the other hand after a low card of second hand, unless that hand is void.
    pub third: Option<Rank>,
    /// The best value of the goal after this move.
    pub value: Fraction,
}

/// Solves one problem for any number of goals.
pub struct SuitSolver {
    problem: WeightedCombination,
    engine: Box<dyn Engine>,
    /// For each `k`, the weight of the worlds in which the best line takes at least `k` tricks, and its tricks by world, if already
    /// computed.
    at_least: Vec<Option<(u128, TricksByWorld)>>,
    /// The last goal and its result.
    last: Option<(SuitGoal, (Fraction, TricksByWorld))>,
}

/// An objective, and the part of its value that every line has.
struct Task {
    levels: Levels,
    base: i64,
    /// The sum of the best values of the single levels.
    ceiling: u128,
}

/// Distances below the ceiling at which the search for the best sum of several levels begins, in thousandths of the
/// total weight. Most often one line is best for every number of tricks and the first search finds it.
const STEPS: [u128; 3] = [3, 20, 80];

impl SuitSolver {
    /// Creates a solver.
    #[must_use]
    pub fn new(problem: WeightedCombination) -> SuitSolver {
        let engine = engine::create(&problem);
        SuitSolver::with_engine(problem, engine)
    }

    /// Creates a solver without one reduction of the search, to test that reduction.
    #[doc(hidden)]
    #[must_use]
    pub fn without_reduction(problem: WeightedCombination) -> SuitSolver {
        let engine = engine::create_without_reduction(&problem);
        SuitSolver::with_engine(problem, engine)
    }

    /// Creates a solver that uses the bound from fractional weights everywhere, to test that bound.
    #[doc(hidden)]
    #[must_use]
    pub fn with_priced_bound(problem: WeightedCombination) -> SuitSolver {
        let engine = engine::create_with_priced_bound(&problem);
        SuitSolver::with_engine(problem, engine)
    }

    fn with_engine(problem: WeightedCombination, engine: Box<dyn Engine>) -> SuitSolver {
        let tricks = problem.combination.tricks();
        SuitSolver {
            problem,
            engine,
            at_least: vec![None; tricks + 1],
            last: None,
        }
    }

    /// Returns the problem.
    #[must_use]
    pub fn problem(&self) -> &WeightedCombination {
        &self.problem
    }

    /// Returns the chances of every number of tricks and the best average.
    pub fn solve(&mut self) -> SuitSolution {
        let tricks = self.problem.combination.tricks();
        let chances = (1..=tricks).map(|need| self.chance(need)).collect();
        let average = self.best(&SuitGoal::Average).0;
        SuitSolution { chances, average }
    }

    /// Returns the best chance of at least `need` tricks.
    pub fn chance(&mut self, need: usize) -> Fraction {
        Fraction::share(self.at_least(need).0, self.problem.total)
    }

    /// Returns the best value of a goal.
    ///
    /// # Errors
    /// If payoffs decrease or there are none.
    pub fn value(&mut self, goal: &SuitGoal) -> Result<Fraction, PayoffError> {
        goal.check()?;
        Ok(self.best(goal).0)
    }

    /// Returns the best line for a goal.
    ///
    /// # Errors
    /// If payoffs decrease or there are none.
    pub fn line(&mut self, goal: &SuitGoal) -> Result<SuitLine, PayoffError> {
        goal.check()?;
        let (value, tricks_by_world) = self.best(goal);
        Ok(self.line_of(value, tricks_by_world))
    }

    pub(crate) fn line_of(&mut self, value: Fraction, tricks_by_world: TricksByWorld) -> SuitLine {
        let plan = self.engine.plan(&tricks_by_world);
        SuitLine::new(&self.problem, &*self.engine, value, tricks_by_world, plan)
    }

    /// Returns the value of every first move, best first.
    ///
    /// Equal cards count once, and so do cards of third hand with the same effect.
    ///
    /// # Errors
    /// If payoffs decrease or there are none.
    pub fn first_moves(&mut self, goal: &SuitGoal) -> Result<Vec<FirstMove>, PayoffError> {
        goal.check()?;
        // A first move can waste a winner, so no trick is certain.
        let task = self.task(goal, 0);
        let firsts = self.engine.first_tricks();
        let mut moves: Vec<FirstMove> = firsts
            .into_iter()
            .map(|first| self.first_move(&task, first))
            .collect();
        moves.sort_by_key(|it| Reverse(it.value));
        Ok(moves)
    }

    fn first_move(&mut self, task: &Task, first: FirstTrick) -> FirstMove {
        let weight = match task.levels.weights.is_empty() {
            true => 0,
            false => self.best_of_levels(&task.levels, Some(first)).0,
        };
        let combination = self.problem.combination;
        let hands = [combination.north(), combination.south()];
        let third = first.answer.map(|(_, third)| third);
        let left = self.problem.classes.sizes();
        let rank = |side: Side, card: u8| match card {
            VOID => None,
            card => self.engine.rank(hands[side as usize], card, left),
        };
        FirstMove {
            leader: first.leader.seat(),
            lead: rank(first.leader, first.lead).unwrap_or(Rank::TWO),
            third: third.and_then(|third| rank(first.leader.other(), third)),
            value: Fraction::share(weight, self.problem.total).plus_whole(task.base),
        }
    }

    /// Returns the line that takes at least `need` tricks in the worlds of the largest total weight: this weight, and the tricks of
    /// the line by world.
    fn at_least(&mut self, need: usize) -> (u128, TricksByWorld) {
        let worlds = self.problem.weights.len();
        if need == 0 {
            return (self.problem.total, vec![0; worlds]);
        }
        if need > self.problem.combination.tricks() {
            return (0, vec![0; worlds]);
        }
        if let Some(known) = &self.at_least[need] {
            return known.clone();
        }
        let found = if need <= self.engine.sure().into() {
            (self.problem.total, vec![need as u8; worlds])
        } else {
            let weights = vec![self.problem.weights.clone()];
            self.best_of_level(need as u8, weights, None)
                .unwrap_or((0, vec![0; worlds]))
        };
        self.at_least[need] = Some(found.clone());
        found
    }

    fn best_of_level(
        &mut self,
        need: u8,
        weights: Vec<Vec<u128>>,
        first: Option<FirstTrick>,
    ) -> Option<(u128, TricksByWorld)> {
        let double_dummy = self.engine.double_dummy(need);
        let weight = weights[0].iter().zip(&double_dummy);
        let ceiling = weight
            .filter(|(_, won)| **won)
            .map(|(weight, _)| weight)
            .sum();
        if ceiling == 0 {
            return None;
        }
        let levels = Levels { need, weights };
        let window = Window { floor: 0, ceiling };
        self.engine.best(&levels, window, first)
    }

    /// Returns the best value of a goal, and the tricks by world of the line that reaches it.
    fn best(&mut self, goal: &SuitGoal) -> (Fraction, TricksByWorld) {
        if let SuitGoal::AtLeast(need) = goal {
            let (weight, tricks_by_world) = self.at_least(*need);
            return (Fraction::share(weight, self.problem.total), tricks_by_world);
        }
        if let Some((last, answer)) = &self.last
            && last == goal
        {
            return answer.clone();
        }
        let sure = self.engine.sure();
        let task = self.task(goal, sure.into());
        let (weight, mut tricks_by_world) = match task.levels.weights.is_empty() {
            true => (0, vec![0; self.problem.weights.len()]),
            false if task.levels.weights.len() == 1 => {
                (task.ceiling, self.at_least(task.levels.need.into()).1)
            }
            false => self.best_below(&task.levels, task.ceiling, None),
        };
        // The tricks by world include the winners that every best line takes.
        for tricks in &mut tricks_by_world {
            *tricks = (*tricks).max(sure);
        }
        let value = Fraction::share(weight, self.problem.total).plus_whole(task.base);
        let answer = (value, tricks_by_world);
        self.last = Some((goal.clone(), answer.clone()));
        answer
    }

    /// Returns the levels of a goal: the numbers of tricks above `sure` at which its payoff grows.
    fn task(&mut self, goal: &SuitGoal, sure: usize) -> Task {
        let tricks = self.problem.combination.tricks();
        let payoffs: Vec<i64> = match goal {
            SuitGoal::AtLeast(need) => (0..=tricks).map(|t| (t >= *need).into()).collect(),
            SuitGoal::Average => (0..=tricks as i64).collect(),
            SuitGoal::Payoff(list) => (0..=tricks)
                .map(|t| list[t.min(list.len() - 1)].into())
                .collect(),
        };
        let gain = |t: usize| (payoffs[t] - payoffs[t - 1]) as u128;
        let reachable: Vec<usize> = (sure + 1..=tricks)
            .filter(|&t| gain(t) > 0 && self.at_least(t).0 > 0)
            .collect();
        let (first, last) = match (reachable.first(), reachable.last()) {
            (Some(&first), Some(&last)) => (first, last),
            _ => (1, 0),
        };
        let ceiling = (first..=last).map(|t| gain(t) * self.at_least(t).0).sum();
        let weights = (first..=last).map(|t| {
            let weights = self.problem.weights.iter();
            weights.map(|weight| weight * gain(t)).collect()
        });
        Task {
            levels: Levels {
                need: first as u8,
                weights: weights.collect(),
            },
            base: payoffs[sure],
            ceiling,
        }
    }

    /// Returns the best sum over several levels, of all lines or of those with a given first trick.
    pub(crate) fn best_of_levels(
        &mut self,
        levels: &Levels,
        first: Option<FirstTrick>,
    ) -> (u128, TricksByWorld) {
        let mut ceiling = 0;
        for (weights, need) in levels.weights.iter().zip(levels.need..) {
            let single = vec![weights.clone()];
            let best = self.best_of_level(need, single, first);
            if levels.weights.len() == 1 {
                return best.unwrap_or_else(|| (0, vec![0; weights.len()]));
            }
            ceiling += best.map_or(0, |(weight, _)| weight);
        }
        self.best_below(levels, ceiling, first)
    }

    /// Returns the best sum over several levels, which is at most `ceiling`.
    fn best_below(
        &mut self,
        levels: &Levels,
        ceiling: u128,
        first: Option<FirstTrick>,
    ) -> (u128, TricksByWorld) {
        let depths = [1]
            .into_iter()
            .chain(STEPS.map(|step| ceiling * step / 1000))
            .chain([ceiling]);
        for depth in depths {
            let floor = ceiling.saturating_sub(depth.max(1));
            let window = Window { floor, ceiling };
            if let Some(found) = self.engine.best(levels, window, first) {
                return found;
            }
        }
        (0, vec![0; self.problem.weights.len()])
    }

    /// Returns the tricks by world of all lines that are not worse than another one in every world, if they are not too many.
    pub(crate) fn all_lines(&mut self, most: usize) -> Option<Vec<TricksByWorld>> {
        self.engine.all_lines(most)
    }
}

impl SuitGoal {
    fn check(&self) -> Result<(), PayoffError> {
        let SuitGoal::Payoff(list) = self else {
            return Ok(());
        };
        if list.is_empty() {
            return Err(PayoffError::Empty);
        }
        match list.windows(2).position(|pair| pair[1] < pair[0]) {
            Some(place) => Err(PayoffError::Decreases(place + 1)),
            None => Ok(()),
        }
    }
}
