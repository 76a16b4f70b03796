//! Properties of a node that hold for every deal: its range, its cost, and whether it can fail or is random.

use super::interval::Interval;
use super::{BinaryOp, Node, NodeFacts, NodeId, PlanContents, Span};
use crate::function;

/// Cost of an operator, in nanoseconds.
const STEP: u32 = 1;

/// Cost of a double-dummy test whether declarer takes a number of tricks, in nanoseconds.
const TRICKS_AT_LEAST: u32 = 100_000;

impl PlanContents {
    /// Returns the range of values of a node.
    pub(crate) fn interval(&self, id: NodeId) -> Interval {
        let facts = &self.facts[id.index()];
        Interval::new(facts.min, facts.max)
    }

    /// Computes the properties of a node whose operands are in this plan.
    pub(super) fn analyse(&self, node: &Node, span: Span) -> NodeFacts {
        let leaf = |interval: Interval, cost: u32| NodeFacts {
            min: interval.min,
            max: interval.max,
            random: false,
            can_fail: false,
            cost,
            span,
        };
        let over = |interval: Interval, parts: &[NodeId]| {
            let mut facts = leaf(interval, STEP);
            for &part in parts {
                let below = &self.facts[part.index()];
                facts.random |= below.random;
                facts.can_fail |= below.can_fail;
                facts.cost = facts.cost.saturating_add(below.cost);
            }
            facts
        };
        match *node {
            Node::Constant(value) => leaf(Interval::only(value), 0),
            Node::TricksAtLeast(..) => leaf(Interval::TRUTH, TRICKS_AT_LEAST),
            Node::Auction(ref query) => leaf(query.range(), function::BIDDING_COST),
            Node::Not(value) => {
                let interval = match self.interval(value).truth() {
                    Some(truth) => Interval::only(i32::from(!truth)),
                    None => Interval::TRUTH,
                };
                over(interval, &[value])
            }
            Node::Negate(value) => over(self.interval(value).negate(), &[value]),
            Node::Binary { op, left, right } => {
                let (a, b) = (self.interval(left), self.interval(right));
                let mut facts = over(Interval::binary(op, a, b), &[left, right]);
                if matches!(op, BinaryOp::Divide | BinaryOp::Remainder) {
                    let overflow = a.contains(i32::MIN) && b.contains(-1);
                    facts.can_fail |= b.contains(0) || overflow;
                }
                facts
            }
            Node::And(ref items) => {
                let sure = items
                    .iter()
                    .all(|&i| self.interval(i).truth() == Some(true));
                let never = items
                    .iter()
                    .any(|&i| self.interval(i).truth() == Some(false));
                over(truth_interval(sure, never), items)
            }
            Node::Or(ref items) => {
                let sure = items
                    .iter()
                    .any(|&i| self.interval(i).truth() == Some(true));
                let never = items
                    .iter()
                    .all(|&i| self.interval(i).truth() == Some(false));
                over(truth_interval(sure, never), items)
            }
            Node::Choose { test, yes, no } => {
                let interval = match self.interval(test).truth() {
                    Some(true) => self.interval(yes),
                    Some(false) => self.interval(no),
                    None => self.interval(yes).union(self.interval(no)),
                };
                over(interval, &[test, yes, no])
            }
            // All other nodes are calls of functions, whose rows have range and cost.
            _ => {
                let mut operands = Vec::new();
                node.for_each_operand(|id| operands.push(id));
                let Some((function, _)) = function::of_node(node) else {
                    return over(Interval::FULL, &operands);
                };
                let mut facts = over((function.range)(self, node), &operands);
                facts.cost = facts.cost.saturating_add(function.cost - STEP);
                facts.random |= matches!(node, Node::Rnd(_));
                facts
            }
        }
    }
}

fn truth_interval(sure: bool, never: bool) -> Interval {
    match (sure, never) {
        (true, _) => Interval::only(1),
        (_, true) => Interval::only(0),
        _ => Interval::TRUTH,
    }
}
