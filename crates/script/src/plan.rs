//! The plan: a compiled script as plain data.
//!
//! Expressions are nodes of a directed acyclic graph. Equal expressions are one node, and children
//! come before their parents, so that one pass over [`PlanContents::nodes`] can compute anything bottom-up.

mod action;
mod auction;
mod builder;
mod comparison;
mod facts;
pub(crate) mod interval;

pub use action::{Action, Axis, Counted, EsItem, ReportTerm};
pub use auction::{AuctionQuery, contract_number};
pub use builder::Builder;
pub use comparison::Comparison;

use crate::source::SourceMap;
use cards::{
    BySeat, BySuit, Card, CardSet, Contract, Deal, Seat, ShapeSet, Side, Strain, Suit,
    Vulnerability,
};
use valuation::HandRule;

/// The dialect of a script, where the programs of the dealer family differ.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Mode {
    /// The dialect of Debian's dealer.
    V1,
    /// The dialect of Debian's dealer, with the random generator of dealer.exe.
    Exe,
    /// The dialect of DealerV2.
    V2,
    /// croupier's own dialect: accepts the others and corrects their bugs.
    #[default]
    Native,
}

impl Mode {
    /// Returns whether the language is that of v1. The two v1 modes differ only in their random deals.
    #[must_use]
    pub const fn is_v1(self) -> bool {
        matches!(self, Mode::V1 | Mode::Exe)
    }
}

/// A place in a source text: which text, and the bytes from `start` to `end`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Span {
    /// Number of the source text (0 = the script itself; imports and `$n` texts follow).
    pub source: u32,
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl Span {
    /// Joins the start of this span and the end of `last`. Returns this span if they are in different texts.
    #[must_use]
    pub fn to(self, last: Span) -> Span {
        if self.source == last.source && last.end >= self.start {
            Span {
                end: last.end,
                ..self
            }
        } else {
            self
        }
    }
}

/// Number of a node in [`PlanContents::nodes`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(pub u32);

impl NodeId {
    /// Returns the position in [`PlanContents::nodes`].
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// Number of a shape set in [`PlanContents::shapes`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ShapeId(pub u32);

/// A redefinable table of values per rank.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Counter {
    /// `hcp`
    Hcp,
    /// `pt0` .. `pt9` and their other names.
    Pt(u8),
    /// `controls`
    Controls,
}

impl Counter {
    /// Returns the function that counts with this table.
    pub(crate) fn name(self) -> String {
        match self {
            Counter::Hcp => "hcp".to_owned(),
            Counter::Controls => "controls".to_owned(),
            Counter::Pt(n) => format!("pt{n}"),
        }
    }

    /// Number of counters.
    pub const COUNT: usize = 12;

    /// Returns the position in [`PlanContents::counters`]: `hcp`, `pt0` .. `pt9`, `controls`.
    #[must_use]
    pub const fn index(self) -> usize {
        match self {
            Counter::Hcp => 0,
            Counter::Pt(n) => 1 + n as usize,
            Counter::Controls => 11,
        }
    }
}

/// Values of the thirteen ranks, deuce first (index = rank).
pub type RankValues = [i32; 13];

/// The rule by which `losers` counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum LoserRule {
    /// By the ranks of the cards held.
    Cards,
    /// v1: by the tables of `controls` and `top3` (`pt6`), which a script may have changed.
    Tables,
}

/// Operators with two operands that always evaluate both, left first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[expect(missing_docs, reason = "the names say it")]
pub enum BinaryOp {
    Add,
    Subtract,
    Multiply,
    /// Truncates toward zero; zero and overflow are run-time errors.
    Divide,
    /// Has the sign of the dividend; zero and overflow are run-time errors.
    Remainder,
    Equal,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
}

/// The subject of a user evaluation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[expect(missing_docs, reason = "the names say it")]
pub enum SideOrSeat {
    Side(Side),
    Seat(Seat),
}

/// An expression; every value is a signed 32-bit integer.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Node {
    /// A number.
    Constant(i32),
    /// `spades(north)`
    Length(Seat, Suit),
    /// `hcp(north)`, `aces(north, spades)`, `controls(west)`
    Count {
        /// The table.
        counter: Counter,
        /// The hand.
        seat: Seat,
        /// A suit, or none for the whole hand.
        suit: Option<Suit>,
    },
    /// `losers(north)`, `losers(north, spades)`
    Losers {
        /// By cards or by tables.
        rule: LoserRule,
        /// The hand.
        seat: Seat,
        /// A suit, or none for the whole hand.
        suit: Option<Suit>,
    },
    /// `hascard(west, TD)`
    HasCard(Seat, Card),
    /// `shape(north, ...)`, `shape{north, ...}`
    Shape(Seat, ShapeId),
    /// `cccc(north)`, `quality(north, spades)`, `ltc(north)`: a function of one hand. `cccc` and `quality` are in the
    /// dialect [`PlanContents::four_cs`].
    HandValue {
        /// The function.
        rule: HandRule,
        /// The hand.
        seat: Seat,
        /// A suit, or none for the whole hand.
        suit: Option<Suit>,
    },
    /// `opc(NS)`, `opc(NS, spades)`, multiplied by 100.
    Opc(Side, Option<Strain>),
    /// `usereval(tag, subject, [strain,] index)` and `metric(...)`
    UserEval {
        /// Number of the evaluation.
        tag: i32,
        /// Side or seat to evaluate.
        subject: SideOrSeat,
        /// The strain, if one is given.
        strain: Option<Strain>,
        /// Number of the result.
        index: i32,
    },
    /// `estimate(south, hearts)`
    Estimate(Seat, Strain),
    /// `dds(south, hearts)`, `tricks(south, hearts)`
    Tricks(Seat, Strain),
    /// `leadtricks(south, hearts)`: tricks of the declarer after this lead; without a card, after the best lead.
    LeadTricks(Seat, Strain, Option<Card>),
    /// `dds(south, hearts) >= k`: 0 or 1. Cheaper than the number of tricks.
    TricksAtLeast(Seat, Strain, u8),
    /// `par(NS)`, `par(NS, both)`
    Par(Side, Option<Vulnerability>),
    /// `bids("1N-P-2C")`, `contract()`, `declarer()`, `score(NS)`
    Auction(AuctionQuery),
    /// `score(vul, x3N, tricks)`
    Score {
        /// Whether declarer is vulnerable.
        vulnerable: bool,
        /// The contract.
        contract: Contract,
        /// Number of tricks that declarer takes.
        tricks: NodeId,
    },
    /// `imps(difference)`, in the dialect of the mode.
    Imps(NodeId),
    /// `abs(x)`; the absolute value of -2147483648 is itself.
    Abs(NodeId),
    /// `rnd(n)`. Every evaluation draws a new number, so its value is never reused.
    Rnd(NodeId),
    /// `not x`
    Not(NodeId),
    /// `-x`
    Negate(NodeId),
    /// `x + y` and so on.
    Binary {
        /// The operator.
        op: BinaryOp,
        /// The operand that is evaluated first.
        left: NodeId,
        /// The operand that is evaluated second.
        right: NodeId,
    },
    /// `x and y and ...`: 0 or 1. Stops at the first operand that is 0.
    And(Box<[NodeId]>),
    /// `x or y or ...`: 0 or 1. Stops at the first operand that is not 0.
    Or(Box<[NodeId]>),
    /// `test ? yes : no`. Evaluates only one of the two values.
    Choose {
        /// The test.
        test: NodeId,
        /// Value if the test is not 0.
        yes: NodeId,
        /// Value if the test is 0.
        no: NodeId,
    },
}

/// Properties of a node that hold for every deal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NodeFacts {
    /// Smallest possible value (a bound, not always reached).
    pub min: i32,
    /// Largest possible value.
    pub max: i32,
    /// Whether the value depends on `rnd`, so that two evaluations may differ.
    pub random: bool,
    /// Whether evaluating the node can fail (division).
    pub can_fail: bool,
    /// Estimated cost of evaluating the node with its operands, in nanoseconds.
    pub cost: u32,
    /// Place of the expression in the script (for divisions: the operator).
    pub span: Span,
}

/// `name = expr`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variable {
    /// The name.
    pub name: String,
    /// Node that computes the value.
    pub value: NodeId,
    /// Where it is defined.
    pub span: Span,
}

/// Settings given in the script; the command line may override them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ScriptSettings {
    /// `generate`: the first one in the script.
    pub generate: Option<u64>,
    /// `produce`: the first one in the script.
    pub produce: Option<u64>,
    /// `seed`
    pub seed: Option<i64>,
    /// `dealer`
    pub dealer: Option<Seat>,
    /// `vulnerable`
    pub vulnerable: Option<Vulnerability>,
    /// `opener`
    pub opener: Option<Seat>,
    /// `title`
    pub title: Option<String>,
    /// `startboard`
    pub start_board: Option<u64>,
    /// `level`: classes of deals and their shares, such as `Game=2,Slam=1`; empty for all classes with equal shares.
    pub level: Option<String>,
}

/// A whole script, ready to run.
///
/// Read its contents as fields (`plan.condition`, `plan.actions`, see [`PlanContents`]). Only [`Builder`] and the few
/// methods below change them, so that every node has its facts and follows its operands.
#[derive(Clone, Debug)]
pub struct Plan {
    contents: PlanContents,
}

/// The read-only contents of a [`Plan`].
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct PlanContents {
    /// Dialect of the script.
    pub mode: Mode,
    /// Dialect of `cccc` and `quality`.
    pub four_cs: valuation::FourCsVersion,
    /// All expressions, operands before the nodes that use them.
    pub nodes: Vec<Node>,
    /// Properties of each node, in the order of `nodes`.
    pub facts: Vec<NodeFacts>,
    /// The condition; without one every deal is accepted.
    pub condition: Option<NodeId>,
    /// The script's variables in order of definition.
    pub variables: Vec<Variable>,
    /// Actions on the produced deals, or the default action.
    pub actions: Vec<Action>,
    /// Whether any action list of the script, even one that a later list replaces, has a printing action, or there is
    /// no action list. The default for `produce` is then 40.
    pub prints_deals: bool,
    /// Cards fixed by `predeal`.
    pub predeal: BySeat<CardSet>,
    /// The predealt cards in the order in which the script names them. The deals of v1 depend on it.
    pub predeal_order: Vec<(Seat, Card)>,
    /// Lengths fixed by `predeal`.
    pub lengths: BySeat<BySuit<Option<u8>>>,
    /// The tables of [`Counter`], by its index.
    pub counters: [RankValues; Counter::COUNT],
    /// The shape sets that nodes refer to.
    pub shapes: Vec<ShapeSet>,
    /// Settings of the script.
    pub settings: ScriptSettings,
    /// Whether DealerV2 ignores its predeal switches. It then still deals by its predeal routine.
    pub empty_predeal: bool,
    /// Text that the classic scanners copy to standard output while they read the script; empty in native mode.
    pub echo: Vec<u8>,
    /// The texts that spans point into.
    pub sources: SourceMap,
}

impl std::ops::Deref for Plan {
    type Target = PlanContents;

    fn deref(&self) -> &PlanContents {
        &self.contents
    }
}

impl Plan {
    /// Keeps only the actions that are `wanted`.
    pub fn retain_actions(&mut self, wanted: impl FnMut(&Action) -> bool) {
        self.contents.actions.retain(wanted);
    }

    /// Removes all actions.
    #[must_use]
    pub fn without_actions(mut self) -> Plan {
        self.contents.actions.clear();
        self
    }

    /// Removes the condition, for deals that are known to satisfy it.
    #[must_use]
    pub fn without_condition(mut self) -> Plan {
        self.contents.condition = None;
        self
    }

    /// Removes the script's `level` statement.
    #[must_use]
    pub fn without_level(mut self) -> Plan {
        self.contents.settings.level = None;
        self
    }

    /// Adds a condition, which is one of the plan's nodes.
    #[must_use]
    pub fn narrowed(self, further: NodeId) -> Plan {
        let mut builder = Builder::from_plan(self);
        builder.require(further);
        builder.build()
    }

    /// Returns whether cards are predealt.
    #[must_use]
    pub fn predeals_cards(&self) -> bool {
        self.predeal.values().any(|cards| !cards.is_empty())
    }

    /// Returns whether lengths of suits are predealt.
    #[must_use]
    pub fn predeals_lengths(&self) -> bool {
        self.lengths != BySeat::default()
    }

    /// Returns whether a deal has the predealt cards and lengths.
    #[must_use]
    pub fn has_predeal(&self, deal: &Deal) -> bool {
        Seat::ALL.into_iter().all(|seat| {
            let hand = deal.hand(seat);
            let fits = |suit: Suit| {
                let length = self.lengths[seat][suit].map(usize::from);
                length.is_none_or(|length| hand.holding(suit).len() == length)
            };
            hand.contains_all(self.predeal[seat]) && Suit::ALL.into_iter().all(fits)
        })
    }

    /// Returns whether the auction of a deal is needed.
    #[must_use]
    pub fn uses_auctions(&self) -> bool {
        self.nodes
            .iter()
            .any(|node| matches!(node, Node::Auction(_)))
    }

    /// Returns node number `id`.
    #[must_use]
    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.index()]
    }

    /// Returns the properties of node number `id`.
    #[must_use]
    pub fn facts_of(&self, id: NodeId) -> &NodeFacts {
        &self.facts[id.index()]
    }

    /// Returns shape set number `id`.
    #[must_use]
    pub fn shape_set(&self, id: ShapeId) -> &ShapeSet {
        &self.shapes[id.0 as usize]
    }

    /// Returns the values of a counter, deuce first.
    #[must_use]
    pub fn counter(&self, counter: Counter) -> &RankValues {
        &self.counters[counter.index()]
    }
}

/// Calls a closure with each operand of a node, in the order of the script. One list serves shared and mutable access.
macro_rules! visit_operands {
    ($node:expr, $iter:ident, $visit:expr) => {{
        let mut visit = $visit;
        match $node {
            Node::Score { tricks: inner, .. }
            | Node::Imps(inner)
            | Node::Abs(inner)
            | Node::Rnd(inner)
            | Node::Not(inner)
            | Node::Negate(inner) => visit(inner),
            Node::Binary { left, right, .. } => {
                visit(left);
                visit(right);
            }
            Node::And(items) | Node::Or(items) => items.$iter().for_each(visit),
            Node::Choose { test, yes, no } => {
                visit(test);
                visit(yes);
                visit(no);
            }
            Node::Constant(_)
            | Node::Length(..)
            | Node::Count { .. }
            | Node::Losers { .. }
            | Node::HasCard(..)
            | Node::Shape(..)
            | Node::HandValue { .. }
            | Node::Opc(..)
            | Node::Estimate(..)
            | Node::UserEval { .. }
            | Node::Tricks(..)
            | Node::LeadTricks(..)
            | Node::TricksAtLeast(..)
            | Node::Par(..)
            | Node::Auction(_) => {}
        }
    }};
}

impl Node {
    /// Calls `visit` with every operand, in the order of evaluation.
    pub fn for_each_operand(&self, mut visit: impl FnMut(NodeId)) {
        visit_operands!(self, iter, |id: &NodeId| visit(*id));
    }

    pub(crate) fn for_each_operand_mut(&mut self, mut visit: impl FnMut(&mut NodeId)) {
        visit_operands!(self, iter_mut, |id: &mut NodeId| visit(id));
    }
}

/// Converts a string of the script to text. Bytes that are not UTF-8 (old scripts in Latin-1) are read as Latin-1.
pub(crate) fn text_from_bytes(bytes: &[u8]) -> String {
    match std::str::from_utf8(bytes) {
        Ok(text) => text.to_owned(),
        Err(_) => bytes.iter().map(|&b| b as char).collect(),
    }
}
