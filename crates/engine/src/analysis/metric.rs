//! Built-in metrics, as far as the suits of a hand determine their values.
//!
//! Values of single hands are often known exactly. For other metrics there is a bound that is a sum over suits: a deal
//! whose bound is too low for the condition need not be dealt, and all other deals are tested.

use cards::{BySuit, Holding, Suit};
use sampling::{Feature, Formula, Holder, SuitFunction, Term};
use script::plan::{BinaryOp, Mode, Node, NodeId, Plan};
use valuation::CountTables;
use valuation::metrics::{Exact, KnownResult, SuitSum, is_known, known};

use super::formula::{Reader, Terms};
use super::linear::MAX_DEPTH;
use super::{Expression, constant};
use crate::prepared::PreparedPlan;
use crate::user::UserQuery;

/// The lower or upper end of a range of possible values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RangeEnd {
    Least,
    Most,
}

impl RangeEnd {
    fn other(self) -> RangeEnd {
        match self {
            RangeEnd::Least => RangeEnd::Most,
            RangeEnd::Most => RangeEnd::Least,
        }
    }
}

/// Returns whether the analysis may use the definitions of the built-in metrics: no program, dialect or script of the
/// user changes their values.
pub(super) fn are_known(prepared: &PreparedPlan<'_>) -> bool {
    prepared.has_built_in_metrics()
        && prepared.plan.mode != Mode::V2
        && prepared.count_tables == CountTables::STANDARD
}

/// Returns for each node whether it contains a metric. Operands precede the nodes that use them, so one pass is enough.
pub(super) fn contained_in(plan: &Plan) -> Vec<bool> {
    let mut list: Vec<bool> = Vec::with_capacity(plan.nodes.len());
    for node in &plan.nodes {
        let mut found = matches!(node, Node::UserEval { .. });
        node.for_each_operand(|operand| found |= list[operand.index()]);
        list.push(found);
    }
    list
}

/// Returns whether the condition uses a metric whose value can be bounded.
pub(super) fn is_used(plan: &Plan) -> bool {
    let mut left = vec![false; plan.nodes.len()];
    if let Some(condition) = plan.condition {
        left[condition.index()] = true;
    }
    // Operands precede the nodes that use them.
    plan.nodes.iter().enumerate().rev().any(|(index, node)| {
        if !left[index] {
            return false;
        }
        node.for_each_operand(|operand| left[operand.index()] = true);
        let slot = |query: UserQuery| Some((query.tag, query.slot()?));
        let asked = UserQuery::of(node).and_then(slot);
        asked.is_some_and(|(tag, slot)| is_known(tag, slot))
    })
}

impl Reader<'_> {
    /// Returns whether a node contains a metric that the reader may rely on.
    pub(super) fn has_metric(&self, node: NodeId) -> bool {
        self.metrics.get(node.index()).is_some_and(|&it| it)
    }

    /// Translates a metric whose value is known exactly.
    pub(super) fn metric(&mut self, query: UserQuery, terms: &mut Terms) -> Option<Expression> {
        match self.known(query)? {
            KnownResult::Hand(_, exact) if self.coarse && exact.is_mostly_first() => None,
            KnownResult::Hand(hand, exact) => {
                let holder = Holder::Seat(query.side().seats()[hand]);
                let sums = (0..exact.sums()).map(|sum| self.sum_of(&exact, sum, holder, terms));
                let sums = sums.collect();
                let lengths = lengths_of(&exact, holder, terms);
                Some(Expression::Metric(exact, sums, lengths))
            }
            KnownResult::Between {
                hands,
                least,
                equal: true,
                ..
            } => Some(self.bound(query, hands, least, terms)),
            KnownResult::Between { .. } => None,
        }
    }

    /// Returns the term for one of the sums that determine a metric of a hand.
    fn sum_of(&mut self, exact: &Exact, sum: usize, holder: Holder, terms: &mut Terms) -> usize {
        let function = SuitFunction::tabulate(|held| exact.of_suit(sum, held));
        terms.place(self.in_all_suits(holder, &function))
    }

    fn known(&self, query: UserQuery) -> Option<KnownResult> {
        match self.metrics.is_empty() {
            true => None,
            false => known(query.tag, query.slot()?),
        }
    }

    fn in_all_suits(&mut self, holder: Holder, function: &SuitFunction) -> Term {
        let functions = BySuit::from_fn(|_: Suit| Some(function.clone()));
        self.problem.feature(Feature { holder, functions })
    }

    /// Returns the lower or upper bound that a sum over the suits of these hands gives.
    fn bound(
        &mut self,
        query: UserQuery,
        hands: &[usize],
        sum: SuitSum,
        terms: &mut Terms,
    ) -> Expression {
        let side = query.side();
        let holder = match *hands {
            [hand] => Holder::Seat(side.seats()[hand]),
            _ => Holder::Side(side),
        };
        let function = SuitFunction::tabulate(|held: Holding| sum.of_suit(held));
        let place = terms.place(self.in_all_suits(holder, &function));
        Expression::Bound(sum, hands.len(), place)
    }

    /// Returns a necessary condition for a test of metrics that are not known exactly, or, if `negated`, a sufficient
    /// one. Parts without bounds become unknown.
    pub(super) fn about_metrics(&mut self, node: NodeId, negated: bool) -> Formula {
        let mut terms = Terms::default();
        let end = if negated {
            RangeEnd::Least
        } else {
            RangeEnd::Most
        };
        let Some(value) = self.end(node, end, &mut terms, 0) else {
            return Formula::Unknown;
        };
        let known = Formula::atom(terms.0, move |terms| value.value(terms) != 0);
        let list = vec![known, Formula::Unknown];
        match negated {
            false => Formula::All(list),
            true => Formula::Any(list),
        }
    }

    /// Returns the smallest or largest possible value of a node, from the bounds of the metrics in it.
    fn end(
        &mut self,
        node: NodeId,
        end: RangeEnd,
        terms: &mut Terms,
        depth: usize,
    ) -> Option<Expression> {
        if depth > MAX_DEPTH {
            return None;
        }
        self.left = self.left.checked_sub(1)?;
        let before = terms.0.len();
        if let Some(exactly) = self.expression(node, terms, depth) {
            return Some(exactly);
        }
        terms.0.truncate(before);
        let plan = self.plan();
        let mut inner = |node: NodeId, end: RangeEnd| self.end(node, end, terms, depth + 1);
        Some(match *plan.node(node) {
            ref metric @ Node::UserEval { .. } => {
                return self.end_of_metric(UserQuery::of(metric)?, end, terms);
            }
            Node::Not(value) => Expression::Not(Box::new(inner(value, end.other())?)),
            Node::Negate(value) => {
                if !self.is_small(value) {
                    return None;
                }
                Expression::Negate(Box::new(self.end(value, end.other(), terms, depth + 1)?))
            }
            Node::And(ref parts) => {
                let parts = parts.iter().map(|&part| inner(part, end));
                Expression::And(parts.collect::<Option<_>>()?)
            }
            Node::Or(ref parts) => {
                let parts = parts.iter().map(|&part| inner(part, end));
                Expression::Or(parts.collect::<Option<_>>()?)
            }
            Node::Binary { op, left, right } => {
                return self.end_of_binary((op, node), [left, right], end, terms, depth);
            }
            _ => return None,
        })
    }

    fn end_of_metric(
        &mut self,
        query: UserQuery,
        end: RangeEnd,
        terms: &mut Terms,
    ) -> Option<Expression> {
        Some(match self.known(query)? {
            KnownResult::Between {
                hands, least, most, ..
            } => {
                let sum = match end {
                    RangeEnd::Least => least,
                    RangeEnd::Most => most,
                };
                self.bound(query, hands, sum, terms)
            }
            KnownResult::Hand(_, exact) if !exact.is_mostly_first() => return None,
            KnownResult::Hand(hand, exact) => {
                let holder = Holder::Seat(query.side().seats()[hand]);
                let first = self.sum_of(&exact, 0, holder, terms);
                let lengths = lengths_of(&exact, holder, terms);
                Expression::Coarse(exact, end as usize, first, lengths)
            }
        })
    }

    fn end_of_binary(
        &mut self,
        (op, node): (BinaryOp, NodeId),
        [left, right]: [NodeId; 2],
        end: RangeEnd,
        terms: &mut Terms,
        depth: usize,
    ) -> Option<Expression> {
        use BinaryOp::{
            Add, Equal, Greater, GreaterEqual, Less, LessEqual, Multiply, NotEqual, Subtract,
        };
        let plan = self.plan();
        let arithmetic = matches!(op, Add | Subtract | Multiply);
        if arithmetic && !self.is_small(node) {
            return None;
        }
        let mut with = |op, one: RangeEnd, other: RangeEnd| {
            let one = self.end(left, one, terms, depth + 1)?;
            let other = self.end(right, other, terms, depth + 1)?;
            Some(Expression::Binary(op, node, Box::new([one, other])))
        };
        let opposite = end.other();
        match op {
            Add => with(op, end, end),
            Subtract | Greater | GreaterEqual => with(op, end, opposite),
            Less | LessEqual => with(op, opposite, end),
            // Possibly equal if neither is certainly less; certainly equal if neither can be less.
            Equal => Some(Expression::And(vec![
                with(GreaterEqual, end, opposite)?,
                with(LessEqual, opposite, end)?,
            ])),
            NotEqual => Some(Expression::Or(vec![
                with(Greater, end, opposite)?,
                with(Less, opposite, end)?,
            ])),
            Multiply => match (constant(plan, left), constant(plan, right)) {
                (Some(0..), _) | (_, Some(0..)) => with(op, end, end),
                (Some(..0), _) | (_, Some(..0)) => with(op, opposite, opposite),
                _ => None,
            },
            _ => None,
        }
    }

    /// Returns an upper bound of the absolute value of a node, if one is easily found.
    fn size(&mut self, node: NodeId) -> Option<i64> {
        let plan = self.plan();
        self.left = self.left.checked_sub(1)?;
        match *plan.node(node) {
            Node::UserEval { .. } => Some(LARGEST_VALUE),
            Node::Negate(value) => self.size(value),
            Node::Binary { op, left, right } if self.has_metric(node) => {
                let (one, other) = (self.size(left)?, self.size(right)?);
                match op {
                    BinaryOp::Add | BinaryOp::Subtract => one.checked_add(other),
                    BinaryOp::Multiply => one.checked_mul(other),
                    BinaryOp::Divide | BinaryOp::Remainder => None,
                    _ => Some(1),
                }
            }
            _ => {
                let facts = plan.facts_of(node);
                Some(i64::from(facts.min).abs().max(i64::from(facts.max).abs()))
            }
        }
    }

    /// Returns whether values are so small that no sum, difference or product of them wraps.
    fn is_small(&mut self, node: NodeId) -> bool {
        self.size(node)
            .is_some_and(|size| size < i64::from(i32::MAX / 2))
    }
}

/// Returns terms for the lengths of a hand, if the metric depends on them.
fn lengths_of(exact: &Exact, holder: Holder, terms: &mut Terms) -> Option<BySuit<usize>> {
    let mut length = |suit| terms.place(Term::Length(holder, suit));
    exact.is_by_shape().then(|| BySuit::from_fn(&mut length))
}

/// Upper bound of the absolute values of all built-in metrics.
const LARGEST_VALUE: i64 = 1 << 16;
