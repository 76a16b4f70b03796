//! Sums of terms with factors, and how they are written with as few hands as possible.

use std::collections::{BTreeMap, HashMap};

use cards::{BySeat, Card, Seat, Suit};
use script::plan::{BinaryOp, Counter, LoserRule, Node, NodeId, Plan};

use super::constant;
use super::local::{Local, Reach};

/// A number that every hand has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Family {
    Length(Suit),
    Count(Counter, Option<Suit>),
    Losers(LoserRule, Option<Suit>),
    Ltc(Option<Suit>),
    Quality(Suit),
    HasCard(Card),
}

impl Family {
    /// Whether it counts something in a suit.
    pub(super) fn counts(self, suit: Suit) -> bool {
        match self {
            Family::Length(only) | Family::Quality(only) => only == suit,
            Family::Count(_, only) | Family::Losers(_, only) | Family::Ltc(only) => {
                only.is_none_or(|only| only == suit)
            }
            Family::HasCard(card) => card.suit() == suit,
        }
    }

    /// The sum over the four hands, where it is the same in every deal.
    pub(super) fn total(self, plan: &Plan) -> Option<i32> {
        match self {
            Family::Length(_) => Some(13),
            Family::HasCard(_) => Some(1),
            Family::Count(counter, suit) => {
                let suits = if suit.is_some() { 1 } else { 4 };
                let values = plan.counter(counter).iter();
                Some(values.fold(0i32, |sum, value| sum.wrapping_add(*value)) * suits)
            }
            Family::Losers(..) | Family::Ltc(_) | Family::Quality(_) => None,
        }
    }
}

/// A constant plus factors of families, plus parts that look at one suit of one hand each.
#[derive(Clone, Debug, Default)]
pub(super) struct Linear {
    pub(super) constant: i32,
    pub(super) factors: BTreeMap<Family, BySeat<i32>>,
    pub(super) locals: Vec<Local>,
}

/// Parts of one sum beyond which it is left alone.
const MOST_LOCALS: usize = 200;

/// The linear forms of a plan's nodes, each found once.
pub(super) struct Forms<'a> {
    plan: &'a Plan,
    reach: Vec<Reach>,
    known: HashMap<NodeId, Option<Linear>>,
}

/// Expressions nested more deeply than this are left alone.
pub(super) const DEEPEST: usize = 200;

impl<'a> Forms<'a> {
    pub(super) fn new(plan: &'a Plan) -> Forms<'a> {
        Forms {
            plan,
            reach: Reach::of_all(plan),
            known: HashMap::new(),
        }
    }

    /// The expression as a linear form. 32-bit arithmetic wraps, and so do the factors: the forms are equal
    /// whatever the values.
    pub(super) fn of(&mut self, node: NodeId) -> Option<Linear> {
        self.at_depth(node, 0)
    }

    fn at_depth(&mut self, node: NodeId, depth: usize) -> Option<Linear> {
        if depth > DEEPEST {
            return None;
        }
        if let Some(known) = self.known.get(&node) {
            return known.clone();
        }
        let form = self
            .find(node, depth)
            .filter(|form| form.locals.len() <= MOST_LOCALS);
        self.known.insert(node, form.clone());
        form
    }

    fn find(&mut self, node: NodeId, depth: usize) -> Option<Linear> {
        let one = |seat: Seat, family| {
            let mut factors = BySeat([0; 4]);
            factors[seat] = 1;
            Some(Linear {
                factors: BTreeMap::from([(family, factors)]),
                ..Linear::default()
            })
        };
        let plan = self.plan;
        let mut inner = |node| self.at_depth(node, depth + 1);
        let form = match *plan.node(node) {
            Node::Constant(constant) => Some(Linear {
                constant,
                ..Linear::default()
            }),
            Node::Length(seat, suit) => one(seat, Family::Length(suit)),
            Node::Count {
                counter,
                seat,
                suit,
            } => one(seat, Family::Count(counter, suit)),
            Node::Losers { rule, seat, suit } => one(seat, Family::Losers(rule, suit)),
            Node::Ltc(seat, suit) => one(seat, Family::Ltc(suit)),
            Node::Quality(seat, suit) => one(seat, Family::Quality(suit)),
            Node::HasCard(seat, card) => one(seat, Family::HasCard(card)),
            Node::Negate(value) => inner(value).map(|form| form.times(-1)),
            Node::Binary { op, left, right } => match op {
                BinaryOp::Add => sum(inner(left), inner(right), 1),
                BinaryOp::Subtract => sum(inner(left), inner(right), -1),
                BinaryOp::Multiply => match (constant(plan, left), constant(plan, right)) {
                    (Some(factor), _) => inner(right).map(|form| form.times(factor)),
                    (_, Some(factor)) => inner(left).map(|form| form.times(factor)),
                    _ => None,
                },
                _ => None,
            },
            _ => None,
        };
        match (form, self.reach[node.index()]) {
            (None, Reach::Suit(seat, suit)) => Some(Linear {
                locals: vec![Local {
                    node,
                    seat,
                    suit,
                    factor: 1,
                }],
                ..Linear::default()
            }),
            (form, _) => form,
        }
    }
}

fn sum(left: Option<Linear>, right: Option<Linear>, sign: i32) -> Option<Linear> {
    Some(left?.plus(&right?.times(sign)))
}

impl Linear {
    pub(super) fn times(mut self, factor: i32) -> Linear {
        self.constant = self.constant.wrapping_mul(factor);
        for factors in self.factors.values_mut() {
            *factors = factors.map(|old| old.wrapping_mul(factor));
        }
        for local in &mut self.locals {
            local.factor = local.factor.wrapping_mul(factor);
        }
        self
    }

    pub(super) fn plus(mut self, other: &Linear) -> Linear {
        self.constant = self.constant.wrapping_add(other.constant);
        for (family, more) in &other.factors {
            let factors = self.factors.entry(*family).or_default();
            for (factor, more) in factors.values_mut().zip(more.values()) {
                *factor = factor.wrapping_add(*more);
            }
        }
        self.locals.extend(&other.locals);
        self
    }

    /// Uses totals that are the same in every deal to speak of as few hands as possible: what North, East and
    /// South have together is what West has not.
    pub(super) fn simplified(mut self, plan: &Plan) -> Linear {
        for (family, factors) in &mut self.factors {
            let Some(total) = family.total(plan) else {
                continue;
            };
            let less = |shift: i32| factors.map(|factor| factor.wrapping_sub(shift));
            let shifts = [0].into_iter().chain(factors.0);
            let Some(shift) = shifts.min_by_key(|&shift| holders(less(shift))) else {
                continue;
            };
            *factors = less(shift);
            self.constant = self.constant.wrapping_add(shift.wrapping_mul(total));
        }
        self.factors.retain(|_, factors| *factors != BySeat([0; 4]));
        self
    }
}

/// How many hands or sides have to be named; two partners with the same factor are one.
fn holders(BySeat([north, east, south, west]): BySeat<i32>) -> usize {
    let side = |one: i32, other: i32| match (one, other) {
        (0, 0) => 0,
        (one, other) if one == other || one == 0 || other == 0 => 1,
        _ => 2,
    };
    side(north, south) + side(east, west)
}
