//! Parts of an expression that look at one suit of one hand only.
//!
//! "A point less for a short suit with honours in it", "3 for a void, 2 for a singleton": however such a part is
//! written, it is a function of one holding, and a sum of such parts over the suits is a feature. So total points cost
//! the sampler no more than high-card points.

use cards::{Seat, Suit};
use sampling::SuitFunction;
use script::plan::{Node, NodeId, Plan};

use super::Expression;

/// What a node looks at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reach {
    /// Nothing: the same number in every deal.
    Nothing,
    /// One suit of one hand.
    Suit(Seat, Suit),
    /// More than that, or something that is not known.
    More,
}

impl Reach {
    fn and(self, other: Reach) -> Reach {
        match (self, other) {
            (Reach::Nothing, reach) | (reach, Reach::Nothing) => reach,
            (one, other) if one == other => one,
            _ => Reach::More,
        }
    }

    /// The reach of every node. Operands come before what is made of them, so one pass is enough.
    pub(super) fn of_all(plan: &Plan) -> Vec<Reach> {
        let mut list: Vec<Reach> = Vec::with_capacity(plan.nodes.len());
        for (index, node) in plan.nodes.iter().enumerate() {
            let facts = &plan.facts[index];
            let reach = match *node {
                _ if facts.random || facts.can_fail => Reach::More,
                Node::Constant(_) => Reach::Nothing,
                Node::Length(seat, suit) | Node::Quality(seat, suit) => Reach::Suit(seat, suit),
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
                | Node::Ltc(seat, Some(suit)) => Reach::Suit(seat, suit),
                Node::HasCard(seat, card) => Reach::Suit(seat, card.suit()),
                Node::Binary { .. }
                | Node::Not(_)
                | Node::Negate(_)
                | Node::Abs(_)
                | Node::And(_)
                | Node::Or(_)
                | Node::Choose { .. } => {
                    let mut reach = Reach::Nothing;
                    node.for_each_operand(|operand| reach = reach.and(list[operand.index()]));
                    reach
                }
                _ => Reach::More,
            };
            list.push(reach);
        }
        list
    }
}

/// Values beyond which a sum of them might not fit.
const LARGEST: i32 = 1 << 24;

/// The function of a holding that some expressions add up to, each with a factor. Their terms are functions of the
/// holding too. Nothing if a value is too large to be added up safely.
pub(super) fn tabulate(
    parts: &[(Expression, i32)],
    terms: &[SuitFunction],
) -> Option<SuitFunction> {
    let mut small = true;
    let function = SuitFunction::composed(terms, |values| {
        let sum = parts.iter().fold(0i64, |sum, (part, factor)| {
            sum.saturating_add(i64::from(part.value(values)) * i64::from(*factor))
        });
        small &= sum.abs() < i64::from(LARGEST);
        sum as i32
    });
    small.then_some(function)
}

/// A part of a sum that looks at one suit, with its factor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Local {
    pub(super) node: NodeId,
    pub(super) seat: Seat,
    pub(super) suit: Suit,
    pub(super) factor: i32,
}
