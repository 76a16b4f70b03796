//! What is known about a node without a deal: its range, its cost, and whether it can fail or differ from one
//! evaluation to the next.

use super::interval::{self, Interval};
use super::{BinaryOp, Contents, Node, NodeFacts, NodeId, Span};

/// Rough costs in nanoseconds.
mod cost {
    pub const STEP: u32 = 1;
    pub const COUNT: u32 = 2;
    pub const SHAPE: u32 = 3;
    pub const LOSERS: u32 = 5;
    pub const LTC: u32 = 10;
    pub const QUALITY: u32 = 50;
    pub const CCCC: u32 = 150;
    pub const METRIC: u32 = 300;
    pub const OPC: u32 = 600;
    pub const TRICKS_AT_LEAST: u32 = 100_000;
    pub const TRICKS: u32 = 300_000;
    pub const PAR: u32 = 5_000_000;
}

impl Contents {
    fn interval(&self, id: NodeId) -> Interval {
        let facts = &self.facts[id.index()];
        Interval::new(facts.min, facts.max)
    }

    /// The facts about a node whose operands are nodes of this plan.
    pub(super) fn analyse(&self, node: &Node, span: Span) -> NodeFacts {
        use cost::*;
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
            Node::Length(..) => leaf(Interval::new(0, 13), STEP),
            Node::Count { counter, suit, .. } => {
                let values = &self.counters[counter.index()];
                leaf(interval::count(values, suit.is_some()), COUNT)
            }
            Node::Losers { suit: Some(_), .. } => leaf(Interval::new(0, 3), LOSERS),
            Node::Losers { suit: None, .. } => leaf(Interval::new(0, 12), LOSERS),
            Node::HasCard(..) => leaf(Interval::TRUTH, STEP),
            Node::Shape(_, id) => {
                let count = self.shapes[id.0 as usize].len();
                let interval = match count {
                    0 => Interval::only(0),
                    cards::Shape::COUNT => Interval::only(1),
                    _ => Interval::TRUTH,
                };
                leaf(interval, SHAPE)
            }
            Node::Cccc(_) => leaf(Interval::new(-100_000, 100_000), CCCC),
            Node::Quality(..) => leaf(Interval::new(-100_000, 100_000), QUALITY),
            Node::Ltc(_, Some(_)) => leaf(Interval::new(0, 300), LTC),
            Node::Ltc(_, None) => leaf(Interval::new(0, 1200), LTC),
            Node::Opc(..) => leaf(Interval::FULL, OPC),
            Node::UserEval { .. } => leaf(Interval::FULL, METRIC),
            Node::Tricks(..) => leaf(Interval::new(0, 13), TRICKS),
            Node::TricksAtLeast(..) => leaf(Interval::TRUTH, TRICKS_AT_LEAST),
            Node::Par(..) => leaf(Interval::new(-8_000, 8_000), PAR),
            Node::Score {
                vulnerable,
                contract,
                tricks,
            } => {
                let scores = interval::score(contract, vulnerable, self.interval(tricks));
                over(scores, &[tricks])
            }
            Node::Imps(difference) => {
                let range = self.interval(difference);
                let imps = |d| interval::imps_of(self.mode, d);
                over(
                    Interval::new(imps(range.min), imps(range.max)),
                    &[difference],
                )
            }
            Node::Rnd(limit) => {
                let interval = interval::rnd(self.interval(limit), !self.mode.is_v1());
                let mut facts = over(interval, &[limit]);
                facts.random = true;
                facts
            }
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
