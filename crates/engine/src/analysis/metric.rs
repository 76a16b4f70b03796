//! Built-in metrics, as far as the suits of a hand tell what they are.
//!
//! Values of single hands are often known exactly. Of others a bound is known that is a sum over suits: a deal whose bound
//! is too low for the condition need not be dealt, and all others are tested.

use cards::{BySuit, Holding, Suit};
use sampling::{Feature, Formula, Holder, SuitFunction, Term};
use script::plan::{BinaryOp, Mode, Node, NodeId, Plan};
use valuation::CountTables;
use valuation::metrics::{Exact, Known, SuitSum, is_known, known};

use super::formula::{Reader, Terms};
use super::linear::DEEPEST;
use super::{Expression, constant};
use crate::prepared::Prepared;
use crate::user::UserQuery;

/// Which end of the range of possible values is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    Least,
    Most,
}

impl End {
    fn other(self) -> End {
        match self {
            End::Least => End::Most,
            End::Most => End::Least,
        }
    }
}

/// Whether metrics are the built-in ones, as their methods define them.
pub(super) fn are_known(prepared: &Prepared<'_>) -> bool {
    prepared.has_built_in_metrics()
        && prepared.plan.mode != Mode::V2
        && prepared.count_tables == CountTables::STANDARD
}

/// For each node whether there is a metric in it. Operands come before what is made of them, so one pass is enough.
pub(super) fn contained_in(plan: &Plan) -> Vec<bool> {
    let mut list: Vec<bool> = Vec::with_capacity(plan.nodes.len());
    for node in &plan.nodes {
        let mut found = matches!(node, Node::UserEval { .. });
        node.for_each_operand(|operand| found |= list[operand.index()]);
        list.push(found);
    }
    list
}

/// Whether the condition asks a metric of which something is known.
pub(super) fn is_asked(plan: &Plan) -> bool {
    let mut left = vec![false; plan.nodes.len()];
    if let Some(condition) = plan.condition {
        left[condition.index()] = true;
    }
    // What a node is made of comes before it.
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
    /// Whether there is a metric in a node that may be known.
    pub(super) fn has_metric(&self, node: NodeId) -> bool {
        self.metrics.get(node.index()).is_some_and(|&it| it)
    }

    /// The value of a metric, if it is known exactly.
    pub(super) fn metric(&mut self, query: UserQuery, terms: &mut Terms) -> Option<Expression> {
        match self.known(query)? {
            Known::Hand(_, exact) if self.coarse && exact.is_mostly_first() => None,
            Known::Hand(hand, exact) => {
                let holder = Holder::Seat(query.side().seats()[hand]);
                let sums = (0..exact.sums()).map(|sum| self.sum_of(&exact, sum, holder, terms));
                let sums = sums.collect();
                let lengths = lengths_of(&exact, holder, terms);
                Some(Expression::Metric(exact, sums, lengths))
            }
            Known::Between {
                hands,
                least,
                equal: true,
                ..
            } => Some(self.bound(query, hands, least, terms)),
            Known::Between { .. } => None,
        }
    }

    /// One of the sums that a metric of a hand follows from.
    fn sum_of(&mut self, exact: &Exact, sum: usize, holder: Holder, terms: &mut Terms) -> usize {
        let function = SuitFunction::tabulate(|held| exact.of_suit(sum, held));
        terms.place(self.in_all_suits(holder, &function))
    }

    fn known(&self, query: UserQuery) -> Option<Known> {
        match self.metrics.is_empty() {
            true => None,
            false => known(query.tag, query.slot()?),
        }
    }

    fn in_all_suits(&mut self, holder: Holder, function: &SuitFunction) -> Term {
        let functions = BySuit::from_fn(|_: Suit| Some(function.clone()));
        self.problem.feature(Feature { holder, functions })
    }

    /// The end of a range that a sum over the suits of these hands gives.
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

    /// What is necessary for a condition about metrics that are not known exactly or, where its opposite is asked for,
    /// what is sufficient. The rest is unknown.
    pub(super) fn about_metrics(&mut self, node: NodeId, negated: bool) -> Formula {
        let mut terms = Terms::default();
        let end = if negated { End::Least } else { End::Most };
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

    /// The least or the most that a node can be, from bounds of the metrics in it.
    fn end(
        &mut self,
        node: NodeId,
        end: End,
        terms: &mut Terms,
        depth: usize,
    ) -> Option<Expression> {
        if depth > DEEPEST {
            return None;
        }
        self.left = self.left.checked_sub(1)?;
        let before = terms.0.len();
        if let Some(exactly) = self.expression(node, terms, depth) {
            return Some(exactly);
        }
        terms.0.truncate(before);
        let plan = self.plan();
        let mut inner = |node: NodeId, end: End| self.end(node, end, terms, depth + 1);
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
        end: End,
        terms: &mut Terms,
    ) -> Option<Expression> {
        Some(match self.known(query)? {
            Known::Between {
                hands, least, most, ..
            } => {
                let sum = match end {
                    End::Least => least,
                    End::Most => most,
                };
                self.bound(query, hands, sum, terms)
            }
            Known::Hand(_, exact) if !exact.is_mostly_first() => return None,
            Known::Hand(hand, exact) => {
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
        end: End,
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
        let mut with = |op, one: End, other: End| {
            let one = self.end(left, one, terms, depth + 1)?;
            let other = self.end(right, other, terms, depth + 1)?;
            Some(Expression::Binary(op, node, Box::new([one, other])))
        };
        let opposite = end.other();
        match op {
            Add => with(op, end, end),
            Subtract | Greater | GreaterEqual => with(op, end, opposite),
            Less | LessEqual => with(op, opposite, end),
            // Equal if neither is surely less; surely equal if neither can be less.
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

    /// The largest absolute value that a node can have, if that is easily told.
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

    /// Whether values are so small that no sum, difference or product in them wraps.
    fn is_small(&mut self, node: NodeId) -> bool {
        self.size(node)
            .is_some_and(|size| size < i64::from(i32::MAX / 2))
    }
}

/// The lengths of a hand, if a metric asks for them.
fn lengths_of(exact: &Exact, holder: Holder, terms: &mut Terms) -> Option<BySuit<usize>> {
    let mut length = |suit| terms.place(Term::Length(holder, suit));
    exact.is_by_shape().then(|| BySuit::from_fn(&mut length))
}

/// No value of a metric that is known is larger.
const LARGEST_VALUE: i64 = 1 << 16;
