//! Lines of play with real cards.

use std::rc::Rc;
use std::sync::Arc;

use cards::{Holding, Rank, Seat};

use crate::classes::VOID;
use crate::counts::Counts;
use crate::engine::{Engine, TricksByWorld};
use crate::fraction::Fraction;
use crate::hashing::Map;
use crate::plan::{Answer as AbstractAnswer, Plan};
use crate::problem::WeightedCombination;
use crate::rules::Side;

/// A card that a defender shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Seen {
    /// One of several equal cards.
    OneOf(Holding),
    /// A discard.
    ShowsOut,
}

impl Seen {
    /// Returns whether `card` is one of the equal cards, or `None` where a discard is expected.
    #[must_use]
    pub fn matches(self, card: Option<Rank>) -> bool {
        match (self, card) {
            (Seen::OneOf(cards), Some(rank)) => cards.contains(rank),
            (Seen::ShowsOut, None) => true,
            _ => false,
        }
    }
}

/// Declarer's plan from the start of a trick.
#[derive(Debug, PartialEq, Eq)]
pub enum TrickPlan {
    /// Nothing more is guaranteed: any play will do.
    Anything,
    /// Declarer plays his winners, if possible no two of them to one trick.
    TopTricks,
    /// Declarer leads.
    Lead(Lead),
}

/// A lead, and the answers to each card of second hand.
#[derive(Debug, PartialEq, Eq)]
pub struct Lead {
    /// The hand that leads: North or South.
    pub leader: Seat,
    /// The card.
    pub card: Rank,
    /// One answer for each card of second hand in the layouts that matter.
    pub answers: Vec<DeclarerReply>,
}

/// Declarer's answer to a card of second hand.
#[derive(Debug, PartialEq, Eq)]
pub struct DeclarerReply {
    /// The card of second hand.
    pub second: Seen,
    /// The card of third hand, unless it is void.
    pub third: Option<Rank>,
    /// The plan after each card of fourth hand, in the layouts that matter.
    pub next: Vec<(Seen, Arc<TrickPlan>)>,
}

/// A layout of the defenders' cards, up to equal cards.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layout {
    /// For every group of equal cards, highest first: the group and how many of it West holds.
    pub west: Vec<(Holding, u8)>,
    /// The weight of the layout as a share of the total.
    pub chance: Fraction,
    /// The tricks that the line takes at least, limited to the range that its goal counts.
    pub tricks: u8,
}

impl Layout {
    /// Returns West's and East's cards as text. Equal cards that are divided between both hands are each written as `x`.
    ///
    /// ```
    /// use croupier_suits::{SuitGoal, SuitSolver, VacantPlaces, WeightedCombination};
    ///
    /// let problem = WeightedCombination::new("AQ/32".parse().unwrap(), VacantPlaces::default()).unwrap();
    /// let line = SuitSolver::new(problem).line(&SuitGoal::AtLeast(2)).unwrap();
    /// let texts: Vec<_> = line.layouts().iter().filter(|it| it.tricks == 2).map(|it| it.texts()).collect();
    /// assert_eq!(texts[0], ("K".to_owned(), "JT987654".to_owned()));
    /// assert_eq!(texts[1], ("Kx".to_owned(), "xxxxxxx".to_owned()));
    /// ```
    #[must_use]
    pub fn texts(&self) -> (String, String) {
        let mut hands = [String::new(), String::new()];
        for &(group, west) in &self.west {
            let number = group.len();
            for (hand, held) in [(0, usize::from(west)), (1, number - usize::from(west))] {
                if held == number {
                    hands[hand] += &group.to_string();
                } else {
                    hands[hand] += &"x".repeat(held);
                }
            }
        }
        let [west, east] = hands.map(|text| match text.is_empty() {
            true => "-".to_owned(),
            false => text,
        });
        (west, east)
    }
}

/// A line of play, its value, and its tricks in each layout.
#[derive(Clone, Debug)]
pub struct SuitLine {
    value: Fraction,
    start: Arc<TrickPlan>,
    layouts: Vec<Layout>,
    pub(crate) hands: [Holding; 2],
    pub(crate) groups: Vec<Holding>,
    /// Whether entries are unlimited, so that a winner can be cashed from either hand.
    pub(crate) has_free_entries: bool,
}

impl SuitLine {
    pub(crate) fn new(
        problem: &WeightedCombination,
        engine: &dyn Engine,
        value: Fraction,
        tricks_by_world: TricksByWorld,
        plan: Option<Rc<Plan>>,
    ) -> SuitLine {
        let combination = problem.combination;
        let hands = [combination.north(), combination.south()];
        let groups = problem.equal_cards();
        let mut writer = Writer {
            engine,
            groups: &groups,
            known: Map::default(),
        };
        let start = match plan {
            Some(plan) => writer.step(&plan, hands, problem.classes.sizes()),
            None => Arc::new(TrickPlan::Anything),
        };
        let layout = |world: usize| Layout {
            west: (0..problem.classes.len())
                .map(|class| {
                    let held = problem.classes.west_holds(world, class);
                    (problem.classes.cards(class), held)
                })
                .collect(),
            chance: Fraction::share(problem.weights[world], problem.total),
            tricks: tricks_by_world[world],
        };
        let possible = (0..problem.weights.len()).filter(|&world| problem.weights[world] > 0);
        SuitLine {
            value,
            start,
            layouts: possible.map(layout).collect(),
            hands,
            groups,
            has_free_entries: problem.entries.is_none(),
        }
    }

    /// Returns the value of the line for its goal: a chance, an average or a payoff.
    #[must_use]
    pub fn value(&self) -> Fraction {
        self.value
    }

    /// Returns the first step.
    #[must_use]
    pub fn start(&self) -> &Arc<TrickPlan> {
        &self.start
    }

    /// Returns the possible layouts with the tricks that the line takes.
    #[must_use]
    pub fn layouts(&self) -> &[Layout] {
        &self.layouts
    }

    /// Returns the chance that the line takes at least `tricks` tricks, limited to the range that its goal counts.
    #[must_use]
    pub fn chance(&self, tricks: u8) -> f64 {
        let won = self.layouts.iter().filter(|layout| layout.tricks >= tricks);
        won.map(|layout| layout.chance.value()).sum()
    }
}

/// Converts plans to real cards: declarer plays the lowest of equal cards.
struct Writer<'a> {
    engine: &'a dyn Engine,
    groups: &'a [Holding],
    /// Steps by plan, hands and defenders' cards, so that shared parts of a plan stay shared.
    known: Map<(usize, u16, u16, u64), Arc<TrickPlan>>,
}

impl Writer<'_> {
    fn step(&mut self, plan: &Rc<Plan>, hands: [Holding; 2], left: Counts) -> Arc<TrickPlan> {
        let key = (Rc::as_ptr(plan) as usize, hands[0].0, hands[1].0, left.0);
        if let Some(known) = self.known.get(&key) {
            return known.clone();
        }
        let step = Arc::new(match &**plan {
            Plan::Anything => TrickPlan::Anything,
            Plan::TopTricks => TrickPlan::TopTricks,
            Plan::Lead {
                leader,
                lead,
                answers,
            } => self.lead(*leader, *lead, answers, hands, left),
        });
        self.known.insert(key, step.clone());
        step
    }

    fn lead(
        &mut self,
        leader: Side,
        lead: u8,
        answers: &[AbstractAnswer],
        mut hands: [Holding; 2],
        left: Counts,
    ) -> TrickPlan {
        let (first, other) = (leader as usize, leader.other() as usize);
        let Some(card) = self.engine.rank(hands[first], lead, left) else {
            return TrickPlan::Anything;
        };
        let answer_hand = hands[other];
        hands[first].0 &= !(1 << card.index());
        let answers = answers.iter().map(|answer| {
            let third = match answer.third {
                VOID => None,
                third => self.engine.rank(answer_hand, third, left),
            };
            hands[other] = match third {
                Some(rank) => Holding(answer_hand.0 & !(1 << rank.index())),
                None => answer_hand,
            };
            let left = without(left, answer.second);
            let mut next = Vec::with_capacity(answer.next.len());
            for (fourth, plan) in &answer.next {
                let step = self.step(plan, hands, without(left, *fourth));
                next.push((self.seen(*fourth), step));
            }
            DeclarerReply {
                next,
                second: self.seen(answer.second),
                third,
            }
        });
        TrickPlan::Lead(Lead {
            leader: leader.seat(),
            card,
            answers: answers.collect(),
        })
    }

    fn seen(&self, class: u8) -> Seen {
        match class {
            VOID => Seen::ShowsOut,
            class => Seen::OneOf(self.groups[usize::from(class)]),
        }
    }
}

fn without(left: Counts, class: u8) -> Counts {
    match class {
        VOID => left,
        class => left.minus_one(class),
    }
}
