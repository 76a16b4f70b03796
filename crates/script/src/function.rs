//! The functions of the language: one row each, in [`rows`].
//!
//! A row holds the spellings and parameters of a function, its description, the node of the plan that a call becomes, the range
//! of its values and its cost. The parser, the plan, [`Plan::explain`](crate::plan::Plan::explain) and the word list for editors
//! ([`words`](crate::words)) all use these rows. The engine evaluates the node.

mod auctions;
mod rows;

use cards::{Card, Contract, Doubling, Rank, Seat, Side, Strain, Suit, Vulnerability};
use formats::AuctionPattern;

use crate::plan::interval::Interval;
use crate::plan::{Node, NodeId, PlanContents, ShapeId, SideOrSeat};
use crate::word::{Since, Word};

pub(crate) use auctions::BIDDING_COST;
pub(crate) use rows::FUNCTIONS;

/// The type of a function's argument.
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
    SideOrSeat,
    /// A number: which evaluation, or which of its results.
    Number,
    /// The beginning of an auction in quotes: `"1N-P-2C"`.
    Calls,
    /// Any expression.
    Value,
}

/// A parameter of a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// Type of the argument.
    pub argument: Argument,
    /// Whether the argument may be omitted.
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

/// The unit of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Scale {
    /// No unit: a plain number, or a mix.
    Free,
    /// Written with a decimal point.
    Decimal,
    /// A count: points, cards, tricks.
    Units,
    /// A value multiplied by 100.
    Hundredths,
}

/// The arguments of one call, by type.
#[derive(Clone, Debug, Default)]
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
    pub subject: Option<SideOrSeat>,
    pub tag: Option<i32>,
    pub index: Option<i32>,
    pub calls: Option<AuctionPattern>,
    pub value: Option<NodeId>,
}

const ONE_NOTRUMP: Contract = match Contract::new(1, Strain::Notrump, Doubling::Undoubled) {
    Some(contract) => contract,
    None => panic!("1NT is a contract"),
};
const ACE_OF_SPADES: Card = Card::new(Suit::Spades, Rank::ACE);

// The parser always reads the required arguments, so these default values never reach a plan.
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
    /// Description in one sentence.
    pub doc: &'static str,
    pub scale: Scale,
    /// Estimated cost in nanoseconds, without the operands.
    pub cost: u32,
    /// Makes the node of a call.
    pub node: fn(&Arguments) -> Node,
    /// Returns the arguments of a node, if it is a call of this function.
    pub arguments: fn(&Node) -> Option<Arguments>,
    /// Returns the range of values of a node of this function.
    pub range: fn(&PlanContents, &Node) -> Interval,
}

impl Function {
    /// Returns whether the last argument is an expression.
    pub fn takes_value(&self) -> bool {
        self.parameters
            .last()
            .is_some_and(|p| p.argument == Argument::Value)
    }
}

/// Signature of `metric(...)`. It is not a reserved word, so that scripts may have a variable of that name.
pub(crate) const METRIC: &str = "metric(name, side or compass[, strain][, index])";

/// Returns the function that a word names.
pub(crate) fn of_word(word: Word) -> Option<&'static Function> {
    FUNCTIONS.iter().find(|f| f.word == word)
}

/// Returns the function that a node calls, and the arguments.
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
