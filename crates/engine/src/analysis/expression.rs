//! Expressions over the terms of an atom: the operators of the language, with numbers in place of the leaves.

use cards::{BySuit, Contract, Shape, ShapeSet};
use script::plan::{BinaryOp, NodeId};
use valuation::metrics::{Exact, SuitSum};

use crate::scalar::binary;

/// An expression whose leaves are linear forms of numbered terms.
#[derive(Clone, Debug)]
pub(crate) enum Expression {
    /// A constant plus a sum of terms with factors: pairs of term number and factor.
    Linear(i32, Vec<(usize, i32)>),
    /// Whether four lengths, spades first, are in the set.
    Shape(Box<ShapeSet>, [usize; 4]),
    Binary(BinaryOp, NodeId, Box<[Expression; 2]>),
    Not(Box<Expression>),
    Negate(Box<Expression>),
    Abs(Box<Expression>),
    And(Vec<Expression>),
    Or(Vec<Expression>),
    Choose(Box<[Expression; 3]>),
    Score(Contract, bool, Box<Expression>),
    Imps(fn(i32) -> i32, Box<Expression>),
    /// The exact value of a metric of a hand: the metric, the terms of its sums over suits, and the terms of the suit
    /// lengths if the metric needs them.
    Metric(Exact, Vec<usize>, Option<BySuit<usize>>),
    /// A bound of a metric of a hand: the metric, 0 for the lower or 1 for the upper bound, the term of the metric's
    /// first sum, and the terms of the suit lengths if the metric needs them.
    Coarse(Exact, usize, usize, Option<BySuit<usize>>),
    /// A lower or upper bound of a metric of several hands, from a sum over their suits.
    Bound(SuitSum, usize, usize),
}

impl Expression {
    /// Returns the value for the given values of the terms. It cannot fail: expressions that can fail are not analysed.
    pub(crate) fn value(&self, terms: &[i32]) -> i32 {
        match self {
            Expression::Linear(constant, factors) => {
                factors.iter().fold(*constant, |sum, &(term, factor)| {
                    sum.wrapping_add(terms[term].wrapping_mul(factor))
                })
            }
            Expression::Shape(set, places) => {
                let lengths = places.map(|place| terms[place] as u8);
                i32::from(Shape::new(lengths).is_some_and(|shape| set.contains(shape)))
            }
            Expression::Binary(op, node, sides) => {
                let [left, right] = sides.each_ref().map(|side| side.value(terms));
                binary(*op, left, right, *node).unwrap_or(0)
            }
            Expression::Not(inner) => i32::from(inner.value(terms) == 0),
            Expression::Negate(inner) => inner.value(terms).wrapping_neg(),
            Expression::Abs(inner) => inner.value(terms).wrapping_abs(),
            Expression::And(parts) => i32::from(parts.iter().all(|part| part.value(terms) != 0)),
            Expression::Or(parts) => i32::from(parts.iter().any(|part| part.value(terms) != 0)),
            Expression::Choose(parts) => {
                let [test, yes, no] = &**parts;
                let chosen = if test.value(terms) != 0 { yes } else { no };
                chosen.value(terms)
            }
            Expression::Score(contract, vulnerable, tricks) => {
                contract.score(*vulnerable, tricks.value(terms))
            }
            Expression::Imps(imps, difference) => imps(difference.value(terms)),
            Expression::Metric(metric, sums, lengths) => {
                let sums: Vec<i32> = sums.iter().map(|&place| terms[place]).collect();
                let lengths = lengths.map(|places| places.map(|place| terms[place]));
                metric.value(&sums, lengths.unwrap_or_default())
            }
            Expression::Coarse(metric, end, first, lengths) => {
                let lengths = lengths.map(|places| places.map(|place| terms[place]));
                metric.range(terms[*first], lengths.unwrap_or_default())[*end]
            }
            Expression::Bound(sum, hands, place) => sum.result(terms[*place], *hands),
        }
    }
}
