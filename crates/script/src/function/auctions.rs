//! The functions of a deal's auction: `bids`, `contract`, `declarer`.

use super::{Argument, Arguments, Function, Scale, needed, optional};
use crate::plan::interval::Interval;
use crate::plan::{AuctionQuery, Node, PlanContents};
use crate::word::{Since, Word};

/// Estimated nanoseconds to bid a deal.
pub(crate) const BIDDING_COST: u32 = 2_000_000;

pub(super) const BIDS: Function = Function {
    word: Word::Bids,
    spellings: &["bids"],
    since: Since::Native,
    signature: "bids(\"calls\")",
    parameters: &[needed(Argument::Calls)],
    doc: "Whether the auction of the deal begins so: `bids(\"1N-P-2C\")`; `?` is any call, `P*` any number of passes, `*` any calls.",
    scale: Scale::Units,
    cost: BIDDING_COST,
    node: |a| Node::Auction(AuctionQuery::Bids(a.calls.clone().unwrap_or_default())),
    arguments: |node| match node {
        Node::Auction(AuctionQuery::Bids(calls)) => Some(Arguments {
            calls: Some(calls.clone()),
            ..Arguments::default()
        }),
        _ => None,
    },
    range,
};

pub(super) const CONTRACT: Function = Function {
    word: Word::Contract,
    spellings: &["contract"],
    since: Since::Native,
    signature: "contract([contract])",
    parameters: &[optional(Argument::Contract)],
    doc: "The contract of the deal's auction as a number, five times the level plus the strain: 19 is 3NT, 23 is 4S, 0 is passed out; `contract(x4S)` is whether it is this one, doubled or not.",
    scale: Scale::Free,
    cost: BIDDING_COST,
    node: |a| {
        Node::Auction(match a.contract {
            Some(contract) => AuctionQuery::IsContract(contract),
            None => AuctionQuery::Contract,
        })
    },
    arguments: |node| match *node {
        Node::Auction(AuctionQuery::Contract) => Some(Arguments::default()),
        Node::Auction(AuctionQuery::IsContract(contract)) => Some(Arguments {
            contract: Some(contract),
            ..Arguments::default()
        }),
        _ => None,
    },
    range,
};

pub(super) const DECLARER: Function = Function {
    word: Word::Declarer,
    spellings: &["declarer"],
    since: Since::Native,
    signature: "declarer([side or compass])",
    parameters: &[optional(Argument::SideOrSeat)],
    doc: "The declarer of the deal's auction: 1 is North, 2 East, 3 South, 4 West, 0 is passed out; `declarer(NS)` is whether it is one of these.",
    scale: Scale::Free,
    cost: BIDDING_COST,
    node: |a| {
        Node::Auction(match a.subject {
            Some(subject) => AuctionQuery::IsDeclarer(subject),
            None => AuctionQuery::Declarer,
        })
    },
    arguments: |node| match *node {
        Node::Auction(AuctionQuery::Declarer) => Some(Arguments::default()),
        Node::Auction(AuctionQuery::IsDeclarer(subject)) => Some(Arguments {
            subject: Some(subject),
            ..Arguments::default()
        }),
        _ => None,
    },
    range,
};

/// Returns the range of values of a node.
fn range(_: &PlanContents, node: &Node) -> Interval {
    match node {
        Node::Auction(query) => query.range(),
        _ => Interval::FULL,
    }
}
