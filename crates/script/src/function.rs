//! The functions of the language: one row each, in [`rows`].
//!
//! A row says how the function is spelt and called, what it means in one sentence, which node of the plan it makes,
//! which values it can have and what it costs. The parser reads calls by it, the plan takes ranges and costs from it,
//! [`Plan::explain`](crate::plan::Plan::explain) writes calls by it, and [`words`](crate::words) shows it to
//! editors. The engine evaluates the node.

mod rows;

use cards::{Card, Contract, Doubling, Rank, Seat, Side, Strain, Suit, Vulnerability};

use crate::plan::interval::Interval;
use crate::plan::{Contents, Node, NodeId, ShapeId, Who};
use crate::word::{Since, Word};

pub(crate) use rows::FUNCTIONS;

/// What an argument of a function is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Argument {
    /// `north`, `east`, `south` or `west`.
    Seat,
    /// A suit.
    Suit,
    /// A suit or `notrump`.
    Strain,
    /// `NS` or `EW`.
    Side,
    /// `none`, `ns`, `ew`, `both` or `all`.
    Vulnerability,
    /// `nv` or `vul`.
    Vulnerable,
    /// `AS`
    Card,
    /// `x3N`
    Contract,
    /// `any 4333 + 5xxx`
    Shapes,
    /// A side or a seat.
    Who,
    /// A number that says which evaluation, or which of its results.
    Number,
    /// Any expression.
    Value,
}

/// An argument and whether it may be left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// What it is.
    pub argument: Argument,
    /// Whether it may be left out.
    pub optional: bool,
}

const fn needed(argument: Argument) -> Parameter {
    Parameter {
        argument,
        optional: false,
    }
}

const fn optional(argument: Argument) -> Parameter {
    Parameter {
        argument,
        optional: true,
    }
}

/// In what units a value is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Scale {
    /// A whole number, or anything else.
    Free,
    /// Written with a decimal point.
    Decimal,
    /// A count: points, cards, tricks.
    Units,
    /// A hundredfold.
    Hundredths,
}

/// The arguments of one call, by what they are.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Arguments {
    pub seat: Option<Seat>,
    pub suit: Option<Suit>,
    pub strain: Option<Strain>,
    pub side: Option<Side>,
    pub vulnerability: Option<Vulnerability>,
    pub vulnerable: Option<bool>,
    pub card: Option<Card>,
    pub contract: Option<Contract>,
    pub shapes: Option<ShapeId>,
    pub who: Option<Who>,
    pub tag: Option<i32>,
    pub index: Option<i32>,
    pub value: Option<NodeId>,
}

const ONE_NOTRUMP: Contract = match Contract::new(1, Strain::Notrump, Doubling::Undoubled) {
    Some(contract) => contract,
    None => panic!("1NT is a contract"),
};
const ACE_OF_SPADES: Card = Card::new(Suit::Spades, Rank::ACE);

// The parser reads every needed argument, so the values that stand in for missing ones are never seen.
impl Arguments {
    fn seat(&self) -> Seat {
        self.seat.unwrap_or(Seat::North)
    }

    fn strain(&self) -> Strain {
        self.strain.unwrap_or(Strain::Notrump)
    }

    fn side(&self) -> Side {
        self.side.unwrap_or(Side::NorthSouth)
    }

    fn value(&self) -> NodeId {
        self.value.unwrap_or(NodeId(0))
    }

    fn of(seat: Seat, suit: Option<Suit>) -> Arguments {
        Arguments {
            seat: Some(seat),
            suit,
            ..Arguments::default()
        }
    }

    fn of_value(value: NodeId) -> Arguments {
        Arguments {
            value: Some(value),
            ..Arguments::default()
        }
    }
}

/// A function of the language.
pub(crate) struct Function {
    pub word: Word,
    /// The usual spelling first.
    pub spellings: &'static [&'static str],
    pub since: Since,
    pub signature: &'static str,
    pub parameters: &'static [Parameter],
    /// One sentence.
    pub doc: &'static str,
    pub scale: Scale,
    /// Rough cost in nanoseconds, without the operands.
    pub cost: u32,
    /// The node of a call.
    pub node: fn(&Arguments) -> Node,
    /// The arguments of a node, if it is one of this function.
    pub arguments: fn(&Node) -> Option<Arguments>,
    /// Which values a node of this function can have.
    pub range: fn(&Contents, &Node) -> Interval,
}

impl Function {
    /// Whether the last argument is an expression.
    pub fn takes_value(&self) -> bool {
        self.parameters
            .last()
            .is_some_and(|p| p.argument == Argument::Value)
    }
}

/// How `metric(...)` is called; it is no word of its own, so that scripts may have a variable of that name.
pub(crate) const METRIC: &str = "metric(name, side or compass[, strain][, index])";

/// The function of a word.
pub(crate) fn of_word(word: Word) -> Option<&'static Function> {
    FUNCTIONS.iter().find(|f| f.word == word)
}

/// The function that a node calls, and its arguments.
pub(crate) fn of_node(node: &Node) -> Option<(&'static Function, Arguments)> {
    FUNCTIONS
        .iter()
        .find_map(|f| Some((f, (f.arguments)(node)?)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_function_makes_a_node_that_is_its_own() {
        for function in FUNCTIONS {
            let node = (function.node)(&Arguments::default());
            let (found, _) = of_node(&node).expect("a call");
            let sugar = function.word == Word::Balanced;
            assert!(
                found.word == function.word || sugar,
                "{} makes a node of {}",
                function.signature,
                found.signature
            );
        }
    }

    #[test]
    fn every_function_documents_itself() {
        for function in FUNCTIONS {
            let name = function.spellings[0];
            let called = |s: &&str| function.signature.starts_with(&format!("{s}("));
            assert!(function.spellings.iter().any(called), "{name}");
            assert!(
                function.doc.ends_with('.') && function.doc.len() > 20,
                "{name}"
            );
            assert!(!function.parameters.is_empty(), "{name}");
        }
    }
}
