//! The cards that declarer can play next, ranked by the chance that the contract makes.

use std::collections::HashMap;
use std::fmt;
use std::ops::ControlFlow;
use std::sync::atomic::Ordering;

use cards::{Card, CardSet, Deal, Side};
use engine::parallel;
use solver::{MIN_MEMORY, Position, Solver};
use statistics::interval;
use studies::{Estimate, StudyExecution, StudyProgress};

use crate::answer::MAX_PLAYOUTS;
use crate::equal_cards::lowest;
use crate::front::weight;
use crate::question::PlayQuestion;
use crate::search::{Node, Search, Sight};
use crate::world_set::{MAX_WORLDS, WorldSet};

/// Greatest depth of the search.
pub const MAX_DEPTH: usize = 5;

/// Number of layouts for an ending that is searched to the last card.
const ENDING_LAYOUTS: usize = 400;

/// Confidence of the intervals.
const CONFIDENCE: f64 = 0.95;

/// The options of a search.
#[derive(Clone, Debug, PartialEq)]
pub struct PlanOptions {
    /// Number of cards that declarer chooses before the double-dummy results decide, 1 to [`MAX_DEPTH`]. Forced cards do
    /// not count. With 1 the search is plain Monte Carlo.
    pub depth: usize,
    /// Maximum number of different worlds, at most [`MAX_WORLDS`].
    pub worlds: usize,
    /// Number of tricks left from which on the search goes to the last card.
    pub exact_cards: usize,
}

impl Default for PlanOptions {
    fn default() -> PlanOptions {
        PlanOptions {
            depth: 2,
            worlds: 60,
            exact_cards: 5,
        }
    }
}

impl PlanOptions {
    pub(crate) fn check(&self) -> Result<(), PlayPlanError> {
        match (self.depth, self.worlds) {
            (1..=MAX_DEPTH, 1..=MAX_WORLDS) => Ok(()),
            (1..=MAX_DEPTH, worlds) => Err(PlayPlanError::Worlds(worlds)),
            (depth, _) => Err(PlayPlanError::Depth(depth)),
        }
    }

    /// Returns the number of layouts that a search needs. In an ending many layouts have the same remaining cards, so that
    /// there are more layouts than worlds.
    #[must_use]
    pub fn layouts_needed(&self, question: &PlayQuestion) -> usize {
        match self.is_exact(question) {
            true => ENDING_LAYOUTS.max(self.worlds),
            false => self.worlds,
        }
    }

    /// Returns the memory for the solver of each world, in megabytes, if all may use `memory`.
    fn memory_of_each(&self, memory: u32) -> u32 {
        (memory / self.worlds as u32).max(MIN_MEMORY)
    }

    /// Returns whether the question is searched to the last card.
    fn is_exact(&self, question: &PlayQuestion) -> bool {
        question.tricks_left() <= self.exact_cards
    }
}

/// The reason why plays cannot be ranked.
#[derive(Debug)]
#[non_exhaustive]
pub enum PlayPlanError {
    /// It is not declarer's turn.
    NotDeclarersTurn,
    /// No layout agrees with the hands and the play.
    NoLayouts,
    /// The depth is not between 1 and [`MAX_DEPTH`].
    Depth(usize),
    /// The number of worlds is not between 1 and [`MAX_WORLDS`].
    Worlds(usize),
    /// The number of playouts is not between 1 and [`MAX_PLAYOUTS`](crate::MAX_PLAYOUTS).
    Playouts(usize),
    /// The search was cancelled before it had a result.
    Cancelled,
    /// The layouts cannot be produced.
    Layouts(crate::LayoutError),
}

impl fmt::Display for PlayPlanError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PlayPlanError::NotDeclarersTurn => {
                f.write_str("it is not declarer's turn: a defender plays the next card")
            }
            PlayPlanError::NoLayouts => f.write_str("no layout agrees with the hands and the play"),
            PlayPlanError::Depth(depth) => {
                write!(f, "the depth is {depth}; use 1 to {MAX_DEPTH}")
            }
            PlayPlanError::Worlds(worlds) => {
                write!(f, "{worlds} worlds; use 1 to {MAX_WORLDS}")
            }
            PlayPlanError::Playouts(number) => {
                write!(f, "{number} playouts; use 1 to {MAX_PLAYOUTS}")
            }
            PlayPlanError::Cancelled => f.write_str("cancelled before the first result"),
            PlayPlanError::Layouts(_) => f.write_str("there are no layouts"),
        }
    }
}

impl std::error::Error for PlayPlanError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            PlayPlanError::Layouts(error) => Some(error),
            _ => None,
        }
    }
}

impl From<crate::LayoutError> for PlayPlanError {
    fn from(error: crate::LayoutError) -> PlayPlanError {
        match error {
            crate::LayoutError::Cancelled => PlayPlanError::Cancelled,
            error => PlayPlanError::Layouts(error),
        }
    }
}

/// A card that declarer can play next, with its equal cards.
#[derive(Clone, Debug, PartialEq)]
pub struct RankedPlay {
    /// The card and its equals.
    pub cards: CardSet,
    /// Chance that the contract makes, by the deepest finished search.
    pub made: Estimate,
    /// Chance after each finished depth, 0 to 1; the first is the share of worlds that make double dummy.
    pub by_depth: Vec<f64>,
    /// Average of all tricks of declarer, double dummy.
    pub tricks: f64,
}

impl RankedPlay {
    /// Returns the lowest of the equal cards.
    #[must_use]
    pub fn card(&self) -> Card {
        lowest(self.cards)
    }
}

/// The ranked plays of a question.
#[derive(Clone, Debug, PartialEq)]
pub struct PlayPlan {
    /// The plays, best first.
    pub plays: Vec<RankedPlay>,
    /// Number of different worlds searched.
    pub worlds: usize,
    /// Number of layouts that the worlds stand for.
    pub layouts: usize,
    /// Deepest finished search. It is less than the requested depth if the search was cancelled.
    pub depth: usize,
    /// Whether the deepest finished search went to the last card.
    pub is_exact: bool,
}

/// The different worlds of a question, with their weights.
pub(crate) struct Worlds {
    pub(crate) positions: Vec<Position>,
    pub(crate) weights: Vec<f64>,
    /// Number of layouts that the worlds stand for.
    layouts: usize,
    /// Number of equally weighted layouts that would have the variance of these weights.
    effective: f64,
}

impl Worlds {
    /// Merges layouts with the same remaining cards; keeps the first `limit` different worlds.
    pub(crate) fn new(question: &PlayQuestion, layouts: &[Deal], limit: usize) -> Worlds {
        let mut numbers: HashMap<[CardSet; 4], usize> = HashMap::new();
        let mut worlds = Worlds {
            positions: Vec::new(),
            weights: Vec::new(),
            layouts: 0,
            effective: 0.0,
        };
        let (mut sum, mut squares) = (0.0, 0.0);
        for deal in layouts.iter().filter(|deal| question.admits(deal)) {
            let position = question.position(deal);
            let next = worlds.positions.len();
            let number = match numbers.get(&position.hands()) {
                Some(&number) => number,
                None if next == limit => continue,
                None => {
                    numbers.insert(position.hands(), next);
                    worlds.positions.push(position);
                    worlds.weights.push(0.0);
                    next
                }
            };
            let likelihood = question.likelihood(deal);
            worlds.weights[number] += likelihood;
            worlds.layouts += 1;
            sum += likelihood;
            squares += likelihood * likelihood;
        }
        worlds.effective = if squares > 0.0 {
            sum * sum / squares
        } else {
            0.0
        };
        worlds
    }

    /// Returns the node of all worlds.
    pub(crate) fn node(&self, need: u8) -> Node {
        Node {
            worlds: self.positions.iter().cloned().enumerate().collect(),
            need,
        }
    }

    pub(crate) fn all(&self) -> WorldSet {
        (0..self.positions.len()).collect()
    }

    /// Returns a weight as a share of the weight of all worlds; 1 exactly for all worlds.
    fn chance(&self, weight: f64) -> f64 {
        weight / crate::front::weight(self.all(), &self.weights)
    }

    /// Returns the estimate of a chance.
    fn estimate(&self, chance: f64) -> Estimate {
        let successes = (chance * self.effective).clamp(0.0, self.effective);
        let (low, high) = interval::share(successes, self.effective, CONFIDENCE);
        Estimate {
            value: chance,
            low: low.min(chance),
            high: high.max(chance),
        }
    }
}

/// Ranks the cards that declarer can play next by the chance that the contract makes. `layouts` are deals drawn from those
/// that are possible; deals that contradict the question are ignored.
///
/// The search gets deeper step by step. If it is cancelled, the plan is that of the deepest finished search.
///
/// # Errors
/// If it is not declarer's turn, no layout is possible, an option is out of range, or the search is cancelled before the
/// double-dummy results are known.
pub fn rank_plays(
    question: &PlayQuestion,
    layouts: &[Deal],
    options: &PlanOptions,
    mut execution: StudyExecution<'_>,
) -> Result<PlayPlan, PlayPlanError> {
    options.check()?;
    if !question.is_declarers_turn() {
        return Err(PlayPlanError::NotDeclarersTurn);
    }
    let worlds = Worlds::new(question, layouts, options.worlds);
    if worlds.positions.is_empty() {
        return Err(PlayPlanError::NoLayouts);
    }
    let choices = question.choices();
    let cancel = execution.cancel;
    let is_cancelled = || cancel.is_some_and(|cancel| cancel.load(Ordering::Relaxed));
    let mut steps = Steps::new(&mut execution);
    let memory = options.memory_of_each(steps.execution.solver_memory);
    let (mut solvers, tricks) = steps
        .solve(&worlds, memory, &is_cancelled)
        .ok_or(PlayPlanError::Cancelled)?;
    let declaring = question.declared().declarer.side();
    let need = question.tricks_needed();
    let mut plays: Vec<RankedPlay> = Vec::new();
    for &cards in &choices {
        let card = lowest(cards);
        let taken = tricks.iter().map(|tricks| tricks[&card]);
        let won: WorldSet = taken
            .clone()
            .enumerate()
            .filter(|&(_, tricks)| tricks >= need)
            .map(|(world, _)| world)
            .collect();
        let mean: f64 = taken
            .zip(&worlds.weights)
            .map(|(tricks, weight)| f64::from(tricks) * weight)
            .sum();
        let chance = worlds.chance(weight(won, &worlds.weights));
        plays.push(RankedPlay {
            cards,
            made: worlds.estimate(chance),
            by_depth: vec![chance],
            tricks: worlds.chance(mean) + f64::from(question.tricks_won()),
        });
    }
    let mut plan = PlayPlan {
        plays,
        worlds: worlds.positions.len(),
        layouts: worlds.layouts,
        depth: 1,
        is_exact: false,
    };
    let node = worlds.node(need);
    let is_exact = options.is_exact(question);
    let depths: Vec<usize> = match is_exact {
        true => vec![usize::MAX],
        false => (2..=options.depth).collect(),
    };
    for depth in depths {
        let sight = if is_exact {
            Sight::Cards
        } else {
            Sight::Classes
        };
        let threads = steps.threads();
        let mut search = Search::new(
            declaring,
            sight,
            &worlds.weights,
            &mut solvers,
            &is_cancelled,
        );
        search.threads = threads;
        let chances = chances(
            &mut search,
            &node,
            &choices,
            worlds.all(),
            depth,
            &mut steps,
        );
        let Some(chances) = chances else {
            break;
        };
        let chances = chances.into_iter().map(|weight| worlds.chance(weight));
        for (play, chance) in plan.plays.iter_mut().zip(chances) {
            play.by_depth.push(chance);
            play.made = worlds.estimate(chance);
        }
        plan.depth = depth.min(question.tricks_left() * 2);
        plan.is_exact = is_exact;
    }
    plan.plays.sort_by(|a, b| {
        let deepest_first = b.by_depth.iter().rev().zip(a.by_depth.iter().rev());
        let by_chance = deepest_first.map(|(b, a)| b.total_cmp(a));
        by_chance
            .fold(std::cmp::Ordering::Equal, std::cmp::Ordering::then)
            .then(b.tricks.total_cmp(&a.tricks))
    });
    Ok(plan)
}

/// Returns the weight of the worlds won after each of the choices; `None` if cancelled.
fn chances(
    search: &mut Search<'_>,
    node: &Node,
    choices: &[CardSet],
    worlds: WorldSet,
    depth: usize,
    steps: &mut Steps<'_, '_>,
) -> Option<Vec<f64>> {
    let mut chances = Vec::new();
    for &cards in choices {
        let children = search.after_card(node, lowest(cards));
        // A forced card does not count.
        let left = if choices.len() == 1 { depth } else { depth - 1 };
        let front = search.joined_front(&children, worlds, left)?;
        chances.push(front.best(search.weights).1);
        steps.advance();
    }
    Some(chances)
}

/// Progress of a plan: a step for each choice at each depth.
struct Steps<'a, 'b> {
    execution: &'a mut StudyExecution<'b>,
    done: usize,
}

impl<'a, 'b> Steps<'a, 'b> {
    fn new(execution: &'a mut StudyExecution<'b>) -> Self {
        Steps { execution, done: 0 }
    }

    fn threads(&self) -> usize {
        self.execution.threads
    }

    fn advance(&mut self) {
        self.done += 1;
        let done = self.done;
        if let Some(progress) = &mut self.execution.progress {
            progress(StudyProgress {
                solved: done,
                screened: done,
            });
        }
    }

    /// Solves every world double dummy. Returns the solvers with their tables, and the tricks after each card; `None` if
    /// cancelled.
    #[expect(
        clippy::type_complexity,
        reason = "two lists, one element for each world"
    )]
    fn solve(
        &mut self,
        worlds: &Worlds,
        memory: u32,
        is_cancelled: &(dyn Fn() -> bool + Sync),
    ) -> Option<(Vec<Solver>, Vec<HashMap<Card, u8>>)> {
        let work = |(): &mut (), position: &Position| {
            if is_cancelled() {
                return None;
            }
            let mut solver = Solver::with_memory(memory);
            let choices = solver.choices(position);
            let tricks = choices.distinct().iter();
            let tricks = tricks.flat_map(|choice| {
                let cards = choice.cards();
                cards.iter().map(|card| (card, choice.tricks))
            });
            let tricks: HashMap<Card, u8> = tricks.collect();
            Some((solver, tricks))
        };
        let (mut solvers, mut tricks) = (Vec::new(), Vec::new());
        let threads = self.execution.threads;
        let sink = |answer: Option<(Solver, HashMap<Card, u8>)>| match answer {
            Some((solver, taken)) => {
                solvers.push(solver);
                tricks.push(taken);
                ControlFlow::Continue(())
            }
            None => ControlFlow::Break(()),
        };
        let end = parallel::ordered_map(threads, &worlds.positions, || (), work, sink);
        end.is_continue().then_some((solvers, tricks))
    }
}

/// Chooses the card to play next; `None` if cancelled. The choice is the best play of [`rank_plays`] with the same worlds,
/// but plays that cannot be the best are not searched.
pub(crate) fn choose(
    question: &PlayQuestion,
    layouts: &[Deal],
    options: &PlanOptions,
    solvers: &mut Vec<Solver>,
    memory: u32,
    is_cancelled: &dyn Fn() -> bool,
) -> Option<Card> {
    let choices = question.choices();
    let first = lowest(*choices.first()?);
    if choices.len() == 1 || question.tricks_needed() == 0 {
        return Some(first);
    }
    let worlds = Worlds::new(question, layouts, options.worlds);
    if worlds.positions.is_empty() {
        return Some(first);
    }
    while solvers.len() < worlds.positions.len() {
        solvers.push(Solver::with_memory(options.memory_of_each(memory)));
    }
    let side: Side = question.declared().declarer.side();
    let is_exact = options.is_exact(question);
    let sight = if is_exact {
        Sight::Cards
    } else {
        Sight::Classes
    };
    let mut search = Search::new(side, sight, &worlds.weights, solvers, is_cancelled);
    let node = worlds.node(question.tricks_needed());
    let mut ranked: Vec<(f64, usize)> = Vec::new();
    for (place, &cards) in choices.iter().enumerate() {
        let children = search.after_card(&node, lowest(cards));
        let front = search.joined_front(&children, worlds.all(), 0)?;
        ranked.push((front.best(search.weights).1, place));
    }
    ranked.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    let depth = if is_exact { usize::MAX } else { options.depth };
    if depth == 1 || ranked[0].0 == 0.0 {
        return Some(lowest(choices[ranked[0].1]));
    }
    let mut best: Option<(f64, usize)> = None;
    for (bound, place) in ranked {
        // A deeper search never finds a greater chance.
        if best.is_some_and(|(chance, _)| bound <= chance) {
            break;
        }
        let children = search.after_card(&node, lowest(choices[place]));
        let front = search.joined_front(&children, worlds.all(), depth - 1)?;
        let chance = front.best(search.weights).1;
        if best.is_none_or(|(other, _)| chance > other) {
            best = Some((chance, place));
        }
    }
    best.map(|(_, place)| lowest(choices[place]))
}
