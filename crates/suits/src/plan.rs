//! Lines of play that take given numbers of tricks, as trees.
//!
//! Whether a line can take a given number of tricks in each of a set of worlds is an and/or search: some lead, for
//! every card of second hand some card of third hand, for every card of fourth hand. Of the lines that do, the planner
//! returns one with the fewest nodes, which is the shortest to explain.

use std::rc::Rc;

use crate::counts::Counts;
use crate::hashing::Map;
use crate::rules::{Rules, Side, Trick};
use crate::search::{Search, bits, third_hand};
use crate::worlds::WorldSet;

/// Declarer's plan from the start of a trick.
#[derive(Debug)]
pub(crate) enum Plan {
    /// No further trick is needed: any play will do.
    Anything,
    /// Playing winners takes the needed tricks.
    TopTricks,
    /// A lead, and an answer to each card of second hand.
    Lead {
        leader: Side,
        lead: u8,
        answers: Vec<Answer>,
    },
}

/// Declarer's plan after a card of second hand.
#[derive(Debug)]
pub(crate) struct Answer {
    /// The class of the card, or void.
    pub(crate) second: u8,
    /// The card of third hand, or void.
    pub(crate) third: u8,
    /// The plan after each card of fourth hand.
    pub(crate) next: Next,
}

/// The plan after each card of fourth hand.
type Next = Vec<(u8, Rc<Plan>)>;

/// A plan with the number of its nodes.
type Measured = (u32, Rc<Plan>);

/// A position at the start of a trick, with the tricks that are still needed.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Key<S, const W: usize> {
    state: S,
    left: Counts,
    need: i8,
    target: Vec<WorldSet<W>>,
}

/// Finds plans with the help of a search.
pub(crate) struct Planner<'a, R: Rules, const W: usize> {
    search: &'a mut Search<R, W>,
    known: Map<Key<R::State, W>, Option<Measured>>,
}

impl<'a, R: Rules, const W: usize> Planner<'a, R, W> {
    pub(crate) fn new(search: &'a mut Search<R, W>) -> Self {
        Planner {
            search,
            known: Map::default(),
        }
    }

    /// Returns a plan that takes at least `need + j` tricks in the worlds `target[j]`, which are nested.
    pub(crate) fn plan(
        &mut self,
        state: R::State,
        left: Counts,
        need: i8,
        target: Vec<WorldSet<W>>,
    ) -> Option<Rc<Plan>> {
        Some(self.sized(state, left, need, target)?.1)
    }

    fn sized(
        &mut self,
        state: R::State,
        left: Counts,
        mut need: i8,
        mut target: Vec<WorldSet<W>>,
    ) -> Option<Measured> {
        let state = self.search.rules.canonical(state, left);
        while target.last().is_some_and(WorldSet::is_empty) {
            target.pop();
        }
        let reached = usize::min(target.len(), (1 - need).max(0) as usize);
        target.drain(..reached);
        need += reached as i8;
        let Some(highest) = (target.len() as i8).checked_sub(1).filter(|&top| top >= 0) else {
            return Some((0, Rc::new(Plan::Anything)));
        };
        if need + highest <= self.search.rules.sure(state) {
            return Some((0, Rc::new(Plan::TopTricks)));
        }
        for (level, worlds) in target.iter().enumerate() {
            let bound = self.search.double_dummy(state, left, need + level as i8);
            if !worlds.is_subset(&bound) {
                return None;
            }
        }
        let key = Key {
            state,
            left,
            need,
            target,
        };
        if let Some(known) = self.known.get(&key) {
            return known.clone();
        }
        let plan = self.shortest(&key);
        self.known.insert(key, plan.clone());
        plan
    }

    /// Returns the shortest plan over all leads; of equal ones the first, winners before low cards before high ones.
    fn shortest(&mut self, key: &Key<R::State, W>) -> Option<Measured> {
        let rules = &self.search.rules;
        let mut leads: Vec<(Side, u8)> = Vec::new();
        for leader in [Side::South, Side::North] {
            let cards = rules.leads(key.state, leader, key.left);
            leads.extend(bits(cards).rev().map(|lead| (leader, lead)));
        }
        leads.sort_by_key(|&(_, lead)| rules.gap(lead) != 0);
        let mut best: Option<Measured> = None;
        for (leader, lead) in leads {
            let limit = best.as_ref().map_or(u32::MAX, |(size, _)| *size);
            if let Some((size, answers)) = self.answers(key, leader, lead, limit) {
                let plan = Plan::Lead {
                    leader,
                    lead,
                    answers,
                };
                best = Some((size, Rc::new(plan)));
            }
        }
        best
    }

    /// Returns the answers after a lead if the plan has fewer than `limit` nodes.
    fn answers(
        &mut self,
        key: &Key<R::State, W>,
        leader: Side,
        lead: u8,
        limit: u32,
    ) -> Option<(u32, Vec<Answer>)> {
        let is_west = leader.west_is_second();
        let mut size = 1;
        let mut answers: Vec<Answer> = Vec::new();
        for second in self.search.holders.cards() {
            let holders = &self.search.holders;
            let Some(after) = holders.follow(is_west, second, key.left, &key.target[0]) else {
                continue;
            };
            let target: Vec<WorldSet<W>> = (key.target.iter())
                .map(|&set| (set & after.worlds).shifted_down(after.shift))
                .collect();
            let rules = &self.search.rules;
            let thirds = rules.thirds(key.state, leader, lead, second, key.left, after.left);
            let mut best: Option<(u32, Answer)> = None;
            for third in third_hand(thirds) {
                let trick = Trick {
                    leader,
                    lead,
                    third,
                };
                let Some((nodes, next)) = self.after_third(key, trick, second, after.left, &target)
                else {
                    continue;
                };
                // If another card of second hand has an equal answer, this one needs no extra node.
                let same = answers
                    .iter()
                    .any(|answer| answer.third == third && is_same(&answer.next, &next));
                let nodes = if same { 0 } else { nodes };
                if best.as_ref().is_none_or(|(least, _)| nodes < *least) {
                    let answer = Answer {
                        second,
                        third,
                        next,
                    };
                    best = Some((nodes, answer));
                }
            }
            let (nodes, answer) = best?;
            answers.push(answer);
            size += nodes;
            if size >= limit {
                return None;
            }
        }
        Some((size, answers))
    }

    fn after_third(
        &mut self,
        key: &Key<R::State, W>,
        trick: Trick,
        second: u8,
        left: Counts,
        target: &[WorldSet<W>],
    ) -> Option<(u32, Next)> {
        let is_west = !trick.leader.west_is_second();
        let mut nodes = 1;
        let mut next = Next::new();
        for fourth in self.search.holders.cards() {
            let holders = &self.search.holders;
            let Some(after) = holders.follow(is_west, fourth, left, &target[0]) else {
                continue;
            };
            let target = (target.iter())
                .map(|&set| (set & after.worlds).shifted_down(after.shift))
                .collect();
            let won = self.search.rules.wins(trick, second, fourth);
            let state = self.search.rules.after(key.state, trick, won);
            let (size, plan) = self.sized(state, after.left, key.need - i8::from(won), target)?;
            if !next.iter().any(|(_, other)| Rc::ptr_eq(other, &plan)) {
                nodes += size;
            }
            next.push((fourth, plan));
        }
        Some((nodes, next))
    }
}

fn is_same(one: &[(u8, Rc<Plan>)], other: &[(u8, Rc<Plan>)]) -> bool {
    one.len() == other.len()
        && one
            .iter()
            .zip(other)
            .all(|((a, one), (b, other))| a == b && Rc::ptr_eq(one, other))
}
