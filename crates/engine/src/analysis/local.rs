//! Parts of an expression that depend on one suit of one hand only.
//!
//! Examples: "a point less for a short suit with honours in it", "3 for a void, 2 for a singleton". However such a part
//! is written, it is a function of one holding, and a sum of such parts over the suits is a feature. So total points
//! cost the sampler no more than high-card points.

use cards::{Seat, Suit};
use sampling::SuitFunction;
use script::plan::{Node, NodeId, Plan};

use super::Expression;

/// The cards that the value of a node depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Dependency {
    /// None: the value is equal in every deal.
    Nothing,
    /// One suit of one hand.
    Suit(Seat, Suit),
    /// More than one suit, or something that the analysis does not support.
    More,
}

impl Dependency {
    fn and(self, other: Dependency) -> Dependency {
        match (self, other) {
            (Dependency::Nothing, dependencies) | (dependencies, Dependency::Nothing) => {
                dependencies
            }
            (one, other) if one == other => one,
            _ => Dependency::More,
        }
    }

    /// Returns the dependency of every node. Operands precede the nodes that use them, so one pass is enough.
    pub(super) fn of_all(plan: &Plan) -> Vec<Dependency> {
        let mut list: Vec<Dependency> = Vec::with_capacity(plan.nodes.len());
        for (index, node) in plan.nodes.iter().enumerate() {
            let facts = &plan.facts[index];
            let dependencies = match *node {
                _ if facts.random || facts.can_fail => Dependency::More,
                Node::Constant(_) => Dependency::Nothing,
                Node::Length(seat, suit) => Dependency::Suit(seat, suit),
                Node::Count {
                    seat,
                    suit: Some(suit),
                    ..
                }
                | Node::Losers {
                    seat,
                    suit: Some(suit),
                    ..
                }
                | Node::HandValue {
                    seat,
                    suit: Some(suit),
                    ..
                } => Dependency::Suit(seat, suit),
                Node::HasCard(seat, card) => Dependency::Suit(seat, card.suit()),
                Node::Binary { .. }
                | Node::Not(_)
                | Node::Negate(_)
                | Node::Abs(_)
                | Node::And(_)
                | Node::Or(_)
                | Node::Choose { .. } => {
                    let mut dependencies = Dependency::Nothing;
                    node.for_each_operand(|operand| {
                        dependencies = dependencies.and(list[operand.index()])
                    });
                    dependencies
                }
                _ => Dependency::More,
            };
            list.push(dependencies);
        }
        list
    }
}

/// Maximum absolute value in a sum; sums of larger values might overflow.
const MAX_VALUE: i32 = 1 << 24;

/// Tabulates the sum of some expressions, each with a factor, as a function of the holding. The terms of the
/// expressions are functions of the holding too. `None` if a value is too large to be added safely.
pub(super) fn tabulate(
    parts: &[(Expression, i32)],
    terms: &[SuitFunction],
) -> Option<SuitFunction> {
    let mut small = true;
    let function = SuitFunction::composed(terms, |values| {
        let sum = parts.iter().fold(0i64, |sum, (part, factor)| {
            sum.saturating_add(i64::from(part.value(values)) * i64::from(*factor))
        });
        small &= sum.abs() < i64::from(MAX_VALUE);
        sum as i32
    });
    small.then_some(function)
}

/// A part of a sum that depends on one suit, with its factor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Local {
    pub(super) node: NodeId,
    pub(super) seat: Seat,
    pub(super) suit: Suit,
    pub(super) factor: i32,
}
