//! Simplifies expressions: folds constants, decides comparisons by intervals, flattens and orders lists.

use std::collections::HashMap;

use crate::plan::interval::Interval;
use crate::plan::{BinaryOp, Builder, Mode, Node, NodeFacts, NodeId, Span};

/// Longer lists inside a list are not flattened. Otherwise a chain of definitions could grow without bound.
const LONGEST_INLINED: usize = 64;

/// Adds nodes to a plan in their simplest form.
pub(crate) struct Simplifier {
    pub plan: Builder,
}

impl Simplifier {
    pub fn new(plan: Builder) -> Simplifier {
        Simplifier { plan }
    }

    fn node(&self, id: NodeId) -> &Node {
        self.plan.node(id)
    }

    pub fn facts(&self, id: NodeId) -> &NodeFacts {
        self.plan.facts_of(id)
    }

    pub fn interval(&self, id: NodeId) -> Interval {
        let facts = self.facts(id);
        Interval::new(facts.min, facts.max)
    }

    pub fn constant_of(&self, id: NodeId) -> Option<i32> {
        match *self.node(id) {
            Node::Constant(value) => Some(value),
            _ => None,
        }
    }

    /// Returns whether omitting or moving an evaluation of the node does not change any result.
    pub fn is_pure(&self, id: NodeId) -> bool {
        let facts = self.facts(id);
        !facts.random && !facts.can_fail
    }

    /// Adds a node, or a constant if the node has only one value.
    fn intern(&mut self, node: Node, span: Span) -> NodeId {
        if let Some(value) = self.plan.constant_value(&node) {
            return self.plan.add(Node::Constant(value), span);
        }
        self.plan.add(node, span)
    }

    pub fn constant(&mut self, value: i32, span: Span) -> NodeId {
        self.intern(Node::Constant(value), span)
    }

    /// Adds a node that cannot be simplified.
    pub fn plain(&mut self, node: Node, span: Span) -> NodeId {
        self.intern(node, span)
    }

    pub fn not(&mut self, value: NodeId, span: Span) -> NodeId {
        if let Node::Binary { op, left, right } = *self.node(value)
            && let Some(op) = opposite(op)
        {
            return self.binary(op, left, right, span);
        }
        if let Node::Not(inner) = *self.node(value)
            && self.interval(inner).is_truth()
        {
            return inner;
        }
        self.intern(Node::Not(value), span)
    }

    /// Returns a node that is 1 if `value` is not 0, else 0.
    fn truth(&mut self, value: NodeId, span: Span) -> NodeId {
        if self.interval(value).is_truth() {
            return value;
        }
        let zero = self.constant(0, span);
        self.binary(BinaryOp::NotEqual, value, zero, span)
    }

    pub fn negate(&mut self, value: NodeId, span: Span) -> NodeId {
        match *self.node(value) {
            Node::Constant(number) => self.constant(number.wrapping_neg(), span),
            Node::Negate(inner) => inner,
            _ => self.intern(Node::Negate(value), span),
        }
    }

    pub fn binary(&mut self, op: BinaryOp, left: NodeId, right: NodeId, span: Span) -> NodeId {
        use BinaryOp::*;
        let (a, b) = (self.constant_of(left), self.constant_of(right));
        if let (Some(a), Some(b)) = (a, b)
            && let Some(value) = fold(op, a, b)
        {
            return self.constant(value, span);
        }
        // A constant goes to the right of a comparison, so that later steps handle only one form.
        if a.is_some()
            && let Some(mirrored) = mirror(op)
        {
            return self.binary(mirrored, right, left, span);
        }
        if left == right && self.is_pure(left) {
            match op {
                Subtract => return self.constant(0, span),
                Equal | LessEqual | GreaterEqual => return self.constant(1, span),
                NotEqual | Less | Greater => return self.constant(0, span),
                _ => {}
            }
        }
        match (op, a, b) {
            (Add, Some(0), _) => return right,
            (Add | Subtract, _, Some(0)) | (Multiply | Divide, _, Some(1)) => return left,
            (Multiply, Some(1), _) => return right,
            (Multiply, Some(0), _) if self.is_pure(right) => return self.constant(0, span),
            (Multiply, _, Some(0)) if self.is_pure(left) => return self.constant(0, span),
            (NotEqual, _, Some(0)) if self.interval(left).is_truth() => return left,
            (Equal, _, Some(0)) if self.interval(left).is_truth() => return self.not(left, span),
            (Equal, _, Some(1)) if self.interval(left).is_truth() => return left,
            (NotEqual, _, Some(1)) if self.interval(left).is_truth() => {
                return self.not(left, span);
            }
            _ => {}
        }
        if let (Node::Tricks(seat, strain), Some(b)) = (self.node(left), b)
            && let Some((at_least, negated)) = tricks_threshold(op, b)
        {
            let node = Node::TricksAtLeast(*seat, *strain, at_least);
            let asked = self.intern(node, span);
            return if negated {
                self.not(asked, span)
            } else {
                asked
            };
        }
        if let (&Node::Tricks(seat, strain), Some(n @ 1..=12)) = (self.node(left), b)
            && matches!(op, Equal | NotEqual)
        {
            // "Exactly n" is "at least n and not n + 1". The first of these two solver calls mostly decides.
            let enough = self.intern(Node::TricksAtLeast(seat, strain, n as u8), span);
            let more = self.intern(Node::TricksAtLeast(seat, strain, n as u8 + 1), span);
            let no_more = self.not(more, span);
            let exactly = self.list(&[enough, no_more], true, span);
            return if op == NotEqual {
                self.not(exactly, span)
            } else {
                exactly
            };
        }
        self.intern(Node::Binary { op, left, right }, span)
    }

    pub fn choose(&mut self, test: NodeId, yes: NodeId, no: NodeId, span: Span) -> NodeId {
        if self.is_pure(test) {
            match self.interval(test).truth() {
                Some(true) => return yes,
                Some(false) => return no,
                None => {}
            }
            if yes == no {
                return yes;
            }
        } else if let Some(value) = self.constant_of(test) {
            return if value != 0 { yes } else { no };
        }
        match (self.constant_of(yes), self.constant_of(no)) {
            (Some(1), Some(0)) => self.truth(test, span),
            (Some(0), Some(1)) => self.not(test, span),
            _ => self.intern(Node::Choose { test, yes, no }, span),
        }
    }

    /// Returns `a and b and ...` (`conjunction`) or `a or b or ...`.
    pub fn list(&mut self, items: &[NodeId], conjunction: bool, span: Span) -> NodeId {
        let mut kept = Vec::with_capacity(items.len());
        let mut seen: HashMap<NodeId, ()> = HashMap::new();
        let mut decided = false;
        for &item in items {
            let inner: Option<Box<[NodeId]>> = match self.node(item) {
                Node::And(inner) if conjunction && inner.len() <= LONGEST_INLINED => {
                    Some(inner.clone())
                }
                Node::Or(inner) if !conjunction && inner.len() <= LONGEST_INLINED => {
                    Some(inner.clone())
                }
                _ => None,
            };
            let parts = inner.as_deref().unwrap_or(std::slice::from_ref(&item));
            for &part in parts {
                if decided {
                    break;
                }
                let truth = self.interval(part).truth();
                let pure = self.is_pure(part);
                if pure && truth == Some(conjunction) {
                    continue;
                }
                if pure && seen.insert(part, ()).is_some() {
                    continue;
                }
                // Tests after one that is certainly false (for `or`: true) are never evaluated.
                decided = pure && truth == Some(!conjunction);
                kept.push(part);
            }
        }
        let all_pure = kept.iter().all(|&item| self.is_pure(item));
        if all_pure && (decided || conjunction && self.contradicts(&kept)) {
            return self.constant(i32::from(!conjunction), span);
        }
        match kept.as_slice() {
            [] => return self.constant(i32::from(conjunction), span),
            &[only] => return self.truth(only, span),
            _ => {}
        }
        if self.plan.mode() == Mode::Native {
            self.order(&mut kept);
        }
        let items = kept.into_boxed_slice();
        let node = if conjunction {
            Node::And(items)
        } else {
            Node::Or(items)
        };
        self.intern(node, span)
    }

    /// Returns whether the tests in the list cannot all hold, because their ranges of one value are disjoint.
    fn contradicts(&self, items: &[NodeId]) -> bool {
        let mut ranges: HashMap<NodeId, Interval> = HashMap::new();
        for &item in items {
            let Node::Binary { op, left, right } = *self.node(item) else {
                continue;
            };
            let Some(value) = self.constant_of(right) else {
                continue;
            };
            let range = ranges.entry(left).or_insert_with(|| self.interval(left));
            match op {
                BinaryOp::Equal => {
                    range.min = range.min.max(value);
                    range.max = range.max.min(value);
                }
                BinaryOp::Less => range.max = range.max.min(value.saturating_sub(1)),
                BinaryOp::LessEqual => range.max = range.max.min(value),
                BinaryOp::Greater => range.min = range.min.max(value.saturating_add(1)),
                BinaryOp::GreaterEqual => range.min = range.min.max(value),
                _ => {}
            }
            if range.min > range.max {
                return true;
            }
        }
        false
    }

    /// Puts cheap tests first and double-dummy tests last. Nothing moves past a node that can fail or is random.
    fn order(&self, items: &mut [NodeId]) {
        for run in items.chunk_by_mut(|&a, &b| self.is_pure(a) && self.is_pure(b)) {
            run.sort_by_key(|&item| self.facts(item).cost);
        }
    }
}

/// Returns the value of an operation on constants; none if it fails.
pub(crate) fn fold(op: BinaryOp, a: i32, b: i32) -> Option<i32> {
    use BinaryOp::*;
    Some(match op {
        Add => a.wrapping_add(b),
        Subtract => a.wrapping_sub(b),
        Multiply => a.wrapping_mul(b),
        Divide => a.checked_div(b)?,
        Remainder => a.checked_rem(b)?,
        Equal => i32::from(a == b),
        NotEqual => i32::from(a != b),
        Less => i32::from(a < b),
        LessEqual => i32::from(a <= b),
        Greater => i32::from(a > b),
        GreaterEqual => i32::from(a >= b),
    })
}

fn opposite(op: BinaryOp) -> Option<BinaryOp> {
    use BinaryOp::*;
    Some(match op {
        Equal => NotEqual,
        NotEqual => Equal,
        Less => GreaterEqual,
        LessEqual => Greater,
        Greater => LessEqual,
        GreaterEqual => Less,
        _ => return None,
    })
}

/// Returns the comparison for exchanged operands.
fn mirror(op: BinaryOp) -> Option<BinaryOp> {
    use BinaryOp::*;
    Some(match op {
        Equal => Equal,
        NotEqual => NotEqual,
        Less => Greater,
        LessEqual => GreaterEqual,
        Greater => Less,
        GreaterEqual => LessEqual,
        _ => return None,
    })
}

/// Returns k and whether to negate, such that `tricks op n` means "at least k tricks", or its negation.
fn tricks_threshold(op: BinaryOp, n: i32) -> Option<(u8, bool)> {
    use BinaryOp::*;
    let (k, negated) = match op {
        GreaterEqual => (n, false),
        Greater => (n.checked_add(1)?, false),
        Less => (n, true),
        LessEqual => (n.checked_add(1)?, true),
        Equal if n == 13 => (13, false),
        Equal if n == 0 => (1, true),
        NotEqual if n == 13 => (13, true),
        NotEqual if n == 0 => (1, false),
        _ => return None,
    };
    (1..=13).contains(&k).then_some((k as u8, negated))
}
