//! Sums of terms with factors, rewritten to mention as few hands as possible.

use std::collections::{BTreeMap, HashMap};

use cards::{BySeat, Card, Seat, Suit};
use script::plan::{BinaryOp, Counter, LoserRule, Node, NodeId, Plan};
use valuation::{HandRule, RuleValue};

use super::constant;
use super::local::{Dependency, Local};

/// A numeric feature that every hand has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum HandFeature {
    Length(Suit),
    Count(Counter, Option<Suit>),
    Losers(LoserRule, Option<Suit>),
    /// A rule for single suits.
    Rule(HandRule, Option<Suit>),
    HasCard(Card),
}

impl HandFeature {
    /// Returns whether the feature depends on cards of the suit.
    pub(super) fn counts(self, suit: Suit) -> bool {
        match self {
            HandFeature::Length(only) => only == suit,
            HandFeature::Count(_, only)
            | HandFeature::Losers(_, only)
            | HandFeature::Rule(_, only) => only.is_none_or(|only| only == suit),
            HandFeature::HasCard(card) => card.suit() == suit,
        }
    }

    /// Returns the sum over the four hands, if it is equal in every deal.
    pub(super) fn total(self, plan: &Plan) -> Option<i32> {
        match self {
            HandFeature::Length(_) => Some(13),
            HandFeature::HasCard(_) => Some(1),
            HandFeature::Count(counter, suit) => {
                let suits = if suit.is_some() { 1 } else { 4 };
                let values = plan.counter(counter).iter();
                Some(values.fold(0i32, |sum, value| sum.wrapping_add(*value)) * suits)
            }
            HandFeature::Losers(..) | HandFeature::Rule(..) => None,
        }
    }
}

/// A constant plus factors of hand features, plus parts that depend on one suit of one hand each.
#[derive(Clone, Debug, Default)]
pub(super) struct Linear {
    pub(super) constant: i32,
    pub(super) factors: BTreeMap<HandFeature, BySeat<i32>>,
    pub(super) locals: Vec<Local>,
}

/// Maximum number of local parts in one sum; longer sums are not analysed.
const MAX_LOCALS: usize = 200;

/// Cache of the linear forms of a plan's nodes.
pub(super) struct Forms<'a> {
    plan: &'a Plan,
    dependencies: Vec<Dependency>,
    known: HashMap<NodeId, Option<Linear>>,
}

/// Maximum nesting depth; deeper expressions are not analysed.
pub(super) const MAX_DEPTH: usize = 200;

impl<'a> Forms<'a> {
    pub(super) fn new(plan: &'a Plan) -> Forms<'a> {
        Forms {
            plan,
            dependencies: Dependency::of_all(plan),
            known: HashMap::new(),
        }
    }

    /// Returns the expression as a linear form. 32-bit arithmetic wraps, and so do the factors, so the two are equal
    /// for all values.
    pub(super) fn of(&mut self, node: NodeId) -> Option<Linear> {
        self.at_depth(node, 0)
    }

    fn at_depth(&mut self, node: NodeId, depth: usize) -> Option<Linear> {
        if depth > MAX_DEPTH {
            return None;
        }
        if let Some(known) = self.known.get(&node) {
            return known.clone();
        }
        let form = self
            .find(node, depth)
            .filter(|form| form.locals.len() <= MAX_LOCALS);
        self.known.insert(node, form.clone());
        form
    }

    fn find(&mut self, node: NodeId, depth: usize) -> Option<Linear> {
        let one = |seat: Seat, feature| {
            let mut factors = BySeat([0; 4]);
            factors[seat] = 1;
            Some(Linear {
                factors: BTreeMap::from([(feature, factors)]),
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
            Node::Length(seat, suit) => one(seat, HandFeature::Length(suit)),
            Node::Count {
                counter,
                seat,
                suit,
            } => one(seat, HandFeature::Count(counter, suit)),
            Node::Losers { rule, seat, suit } => one(seat, HandFeature::Losers(rule, suit)),
            Node::HandValue { rule, seat, suit } => match rule.value() {
                RuleValue::Suit(_) => one(seat, HandFeature::Rule(rule, suit)),
                RuleValue::Hand(_) => None,
            },
            Node::HasCard(seat, card) => one(seat, HandFeature::HasCard(card)),
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
        match (form, self.dependencies[node.index()]) {
            (None, Dependency::Suit(seat, suit)) => Some(Linear {
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
        for (feature, more) in &other.factors {
            let factors = self.factors.entry(*feature).or_default();
            for (factor, more) in factors.values_mut().zip(more.values()) {
                *factor = factor.wrapping_add(*more);
            }
        }
        self.locals.extend(&other.locals);
        self
    }

    /// Uses totals that are equal in every deal to mention as few hands as possible: North, East and South together
    /// hold every card that West does not.
    pub(super) fn simplified(mut self, plan: &Plan) -> Linear {
        for (feature, factors) in &mut self.factors {
            let Some(total) = feature.total(plan) else {
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

/// Returns how many hands or partnerships have to be mentioned. Two partners with the same factor count as one.
fn holders(BySeat([north, east, south, west]): BySeat<i32>) -> usize {
    let side = |one: i32, other: i32| match (one, other) {
        (0, 0) => 0,
        (one, other) if one == other || one == 0 || other == 0 => 1,
        _ => 2,
    };
    side(north, south) + side(east, west)
}
