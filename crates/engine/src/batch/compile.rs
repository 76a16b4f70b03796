//! From a plan's nodes to columns: which nodes can be columns, how wide they are, in what order they are computed.

use std::collections::HashMap;
use std::sync::Arc;

use cards::{Contract, Seat, Shape, ShapeSet, Side, Strain, Suit};
use script::plan::{BinaryOp, LoserRule, Node, NodeId};
use shuffle::Path;
use valuation::Dialect;

use super::column::{Comparison, Width};
use super::feature::Counter;
use super::places::Places;
use super::side::{Asks, Panel, SideValue};
use crate::prepared::{Prepared, SuitTable};
use crate::wanted::{Quantity, Wish};

/// What needs more columns than this is evaluated deal by deal: a limit of memory for columns that several parts of a
/// script read, which cannot share theirs.
pub const MAX_COLUMNS: usize = 200_000;

/// The same where what columns cost decides which deals come out.
const MAX_COLUMNS_OF_A_CHOICE: usize = 20_000;

/// All sixteen planes.
const EVERYTHING: u16 = u16::MAX;

/// Position of a column in its [`BatchPlan`].
pub(super) type ColumnId = usize;

/// How a column is computed.
pub(super) enum Operation {
    Constant(i32),
    Length(Suit, Seat),
    Count {
        counter: Counter,
        suit: Option<Suit>,
        seat: Seat,
    },
    Losers {
        suit: Option<Suit>,
        seat: Seat,
    },
    /// Any function of single holdings, summed over the hand.
    Table {
        table: Arc<[i32; 8192]>,
        suit: Option<Suit>,
        seat: Seat,
    },
    HasCard {
        suit: Suit,
        rank: u32,
        seat: Seat,
    },
    /// Lengths of spades, hearts and diamonds as one number.
    ShapeKey(Seat),
    Shape {
        key: ColumnId,
        members: Box<[u8; 4096]>,
    },
    Cccc {
        seat: Seat,
        dialect: Dialect,
    },
    Estimate {
        side: Side,
        strain: Strain,
    },
    /// A value of a side, computed with the others of its panel.
    SideValue {
        panel: usize,
        value: SideValue,
    },
    Score {
        contract: Contract,
        vulnerable: bool,
        tricks: ColumnId,
    },
    Imps {
        imps: fn(i32) -> i32,
        difference: ColumnId,
    },
    Not(ColumnId),
    Negate(ColumnId),
    Abs(ColumnId),
    Add(ColumnId, ColumnId),
    Subtract(ColumnId, ColumnId),
    Multiply(ColumnId, ColumnId),
    Divide(ColumnId, ColumnId),
    Remainder(ColumnId, ColumnId),
    Compare(Comparison, ColumnId, ColumnId),
    CompareConstant(Comparison, ColumnId, i32),
    And(Box<[ColumnId]>),
    Or(Box<[ColumnId]>),
    Choose {
        test: ColumnId,
        yes: ColumnId,
        no: ColumnId,
    },
}

/// A column to be computed.
pub(super) struct Recipe {
    pub operation: Operation,
    pub width: Width,
    /// Largest absolute value.
    pub reach: u32,
    /// Planes it reads itself, bit = 4 * suit + seat.
    planes: u16,
    /// Nanoseconds for 1024 deals, roughly; only orders depend on it.
    cost: u32,
}

/// A set of columns, computed in ascending order, of which the last is the result.
pub(super) struct Target {
    pub column: ColumnId,
    /// The columns it needs, itself included, operands first.
    pub needs: Box<[ColumnId]>,
    /// Planes they read.
    pub planes: u16,
    pub cost: u32,
    /// How often it asks for values of sides.
    pub asks: Asks,
}

/// A plan taken apart for evaluation in blocks.
pub struct BatchPlan {
    pub(super) recipes: Vec<Recipe>,
    pub(super) panels: Vec<Panel>,
    pub(super) places: Places,
    /// The parts of the condition that are columns, in source order.
    pub(super) conjuncts: Vec<Target>,
    /// The other parts, in the order in which they must be evaluated.
    pub(crate) tail: Vec<NodeId>,
    /// The distinct values that actions want and that are columns.
    pub(super) outputs: Vec<Target>,
    /// For each action, where its numbers come from.
    pub(crate) wishes: Vec<Vec<Origin>>,
    pub(super) path: Path,
}

/// Where a number that an action wants comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Origin {
    /// Output column with this number.
    Column(usize),
    /// The scalar machine.
    Scalar(Quantity),
}

impl BatchPlan {
    /// Takes the plan's condition and the wishes of its actions apart, for those who weigh what it costs: values of sides
    /// are no columns here.
    #[must_use]
    pub(crate) fn new(prepared: &Prepared<'_>, wishes: &[Wish], path: Path) -> Self {
        let builder = Builder::new(prepared, false, MAX_COLUMNS_OF_A_CHOICE);
        BatchPlan::from_builder(builder, wishes, path)
    }

    /// The same with everything in columns that can be, for those who run it.
    #[must_use]
    pub(crate) fn for_run(prepared: &Prepared<'_>, wishes: &[Wish], path: Path) -> Self {
        BatchPlan::from_builder(Builder::new(prepared, true, MAX_COLUMNS), wishes, path)
    }

    fn from_builder(mut builder: Builder<'_>, wishes: &[Wish], path: Path) -> Self {
        let (conjuncts, tail) = builder.condition();
        builder.open = [None; 2];
        let mut outputs: Vec<Target> = Vec::new();
        let mut known: HashMap<NodeId, usize> = HashMap::new();
        let origins = wishes
            .iter()
            .map(|wish| {
                wish.quantities
                    .iter()
                    .map(|&quantity| {
                        let Quantity::Value(node) = quantity else {
                            return Origin::Scalar(quantity);
                        };
                        if let Some(&output) = known.get(&node) {
                            return Origin::Column(output);
                        }
                        match builder.target(node) {
                            Some(target) => {
                                outputs.push(target);
                                known.insert(node, outputs.len() - 1);
                                Origin::Column(outputs.len() - 1)
                            }
                            None => Origin::Scalar(quantity),
                        }
                    })
                    .collect()
            })
            .collect();
        let prepared = builder.prepared;
        let panels = builder.panels.iter();
        BatchPlan {
            places: Places::new(&builder.recipes, conjuncts.iter().chain(&outputs)),
            panels: panels
                .map(|(side, values)| Panel::new(prepared, *side, values))
                .collect(),
            recipes: builder.recipes,
            conjuncts,
            tail,
            outputs,
            wishes: origins,
            path,
        }
    }

    /// Nanoseconds for the parts of the condition that are columns on a block of 1024 deals, if none is rejected early.
    pub(crate) fn cost(&self) -> u64 {
        self.conjuncts.iter().map(|part| u64::from(part.cost)).sum()
    }

    /// Whether some part of the condition is a column.
    pub(crate) fn has_columns(&self) -> bool {
        !self.conjuncts.is_empty()
    }

    /// How many numbers of each produced deal come from the scalar machine.
    pub(crate) fn scalars(&self) -> usize {
        let wanted = self.wishes.iter().flatten();
        wanted
            .filter(|origin| matches!(origin, Origin::Scalar(_)))
            .count()
    }
}

/// Whether evaluating the node asks the double-dummy solver: `Vec` by node, operands included.
pub(crate) fn solving_nodes(nodes: &[Node]) -> Vec<bool> {
    let mut solving = vec![false; nodes.len()];
    for (index, node) in nodes.iter().enumerate() {
        let mut asks = matches!(
            node,
            Node::Tricks(..) | Node::LeadTricks(..) | Node::TricksAtLeast(..) | Node::Par(..)
        );
        node.for_each_operand(|operand| asks |= solving[operand.index()]);
        solving[index] = asks;
    }
    solving
}

struct Builder<'a> {
    prepared: &'a Prepared<'a>,
    recipes: Vec<Recipe>,
    by_node: HashMap<NodeId, Option<ColumnId>>,
    keys: [Option<ColumnId>; 4],
    /// Whether values of sides are columns, and how many columns there may be.
    sides: bool,
    most: usize,
    /// How many columns are held at once to compute each node, roughly.
    held: Vec<u32>,
    /// What is wanted of a side at one place.
    panels: Vec<(Side, Vec<(ColumnId, SideValue)>)>,
    /// The panel of each side at the place that is being taken apart.
    open: [Option<usize>; 2],
}

impl<'a> Builder<'a> {
    fn new(prepared: &'a Prepared<'a>, sides: bool, most: usize) -> Self {
        Builder {
            prepared,
            recipes: Vec::new(),
            by_node: HashMap::new(),
            keys: [None; 4],
            sides,
            most,
            held: held(&prepared.plan.nodes),
            panels: Vec::new(),
            open: [None; 2],
        }
    }

    /// Splits the condition into columns and the rest.
    ///
    /// A part may be evaluated earlier than written only if neither it nor any part it overtakes can fail:
    /// otherwise a division by zero could appear or disappear. Parts with `rnd` keep their order among each
    /// other; draws belong to the deal, so a deal rejected before drawing shows nothing.
    fn condition(&mut self) -> (Vec<Target>, Vec<NodeId>) {
        let plan = self.prepared.plan;
        let parts = conjuncts(&plan.nodes, plan.condition);
        let solving = solving_nodes(&plan.nodes);
        let (mut columns, mut tail) = (Vec::new(), Vec::new());
        let mut failing = false;
        for part in parts {
            failing |= plan.facts_of(part).can_fail;
            self.open = [None; 2];
            let target = if failing { None } else { self.target(part) };
            match target {
                Some(target) => columns.push(target),
                None => tail.push(part),
            }
        }
        if !failing {
            // The solver is asked last, the cheapest question first.
            tail.sort_by_key(|part| match solving[part.index()] {
                true => plan.facts_of(*part).cost.max(1),
                false => 0,
            });
        }
        (columns, tail)
    }

    /// The columns needed for a node, if it can be computed in columns.
    fn target(&mut self, node: NodeId) -> Option<Target> {
        let column = self.column(node)?;
        let mut wanted = vec![false; column + 1];
        wanted[column] = true;
        let (mut planes, mut cost) = (0, 0u32);
        let mut asks = Asks::default();
        for id in (0..=column).rev() {
            if wanted[id] {
                let recipe = &self.recipes[id];
                for_inputs(&recipe.operation, |input| wanted[input] = true);
                planes |= recipe.planes;
                cost = cost.saturating_add(recipe.cost);
                if let Operation::SideValue { value, .. } = &recipe.operation {
                    asks.note(value);
                }
            }
        }
        let needs = (0..=column).filter(|&id| wanted[id]).collect();
        Some(Target {
            column,
            needs,
            planes,
            cost,
            asks,
        })
    }

    /// The column of a node; operands get theirs first, without recursion.
    fn column(&mut self, root: NodeId) -> Option<ColumnId> {
        let mut stack = vec![(root, false)];
        let mut operands = Vec::new();
        while let Some((id, ready)) = stack.pop() {
            if self.by_node.contains_key(&id) {
                continue;
            }
            if !ready {
                if !self.can_be_column(id) {
                    self.by_node.insert(id, None);
                    continue;
                }
                stack.push((id, true));
                let node = self.prepared.plan.node(id);
                node.for_each_operand(|operand| operands.push(operand));
                // What holds most columns comes first, else the others would wait for it.
                operands.sort_by_key(|operand| std::cmp::Reverse(self.held[operand.index()]));
                stack.extend(operands.drain(..).rev().map(|operand| (operand, false)));
                continue;
            }
            let mut possible = self.recipes.len() + 2 <= self.most;
            self.prepared.plan.node(id).for_each_operand(|operand| {
                possible &= matches!(self.by_node.get(&operand), Some(Some(_)));
            });
            let column = if possible {
                Some(self.recipe(id))
            } else {
                None
            };
            self.by_node.insert(id, column);
        }
        self.by_node[&root]
    }

    /// Whether the node itself (its operands aside) is something for columns.
    fn can_be_column(&self, id: NodeId) -> bool {
        let facts = self.prepared.plan.facts_of(id);
        if facts.random || facts.can_fail {
            return false;
        }
        match self.prepared.plan.node(id) {
            node @ (Node::Opc(..) | Node::UserEval { .. }) => {
                self.sides && SideValue::of(self.prepared, node).is_some()
            }
            Node::Tricks(..)
            | Node::LeadTricks(..)
            | Node::TricksAtLeast(..)
            | Node::Par(..)
            | Node::Rnd(_) => false,
            _ => true,
        }
    }

    fn of(&self, node: NodeId) -> ColumnId {
        self.by_node[&node].expect("operands were made first")
    }

    fn push(&mut self, recipe: Recipe) -> ColumnId {
        self.recipes.push(recipe);
        self.recipes.len() - 1
    }

    fn recipe(&mut self, id: NodeId) -> ColumnId {
        let plan = self.prepared.plan;
        let facts = plan.facts_of(id);
        let (low, high) = (facts.min, facts.max);
        let reach = low.unsigned_abs().max(high.unsigned_abs());
        let short = if reach <= i16::MAX as u32 {
            Width::Short
        } else {
            Width::Wide
        };
        let hand = |suit: Option<Suit>, seat: Seat| match suit {
            Some(suit) => 1u16 << (4 * suit.index() + seat.index()),
            None => 0x1111 << seat.index(),
        };
        let make = |operation, width, planes, cost| Recipe {
            operation,
            width,
            reach,
            planes,
            cost,
        };
        let recipe = match *plan.node(id) {
            Node::Constant(value) => make(Operation::Constant(value), short, 0, 0),
            Node::Length(seat, suit) => make(
                Operation::Length(suit, seat),
                Width::Short,
                hand(Some(suit), seat),
                100,
            ),
            Node::Count {
                counter,
                seat,
                suit,
            } => {
                let planes = hand(suit, seat);
                let values = plan.counter(counter);
                match Counter::new(values) {
                    Some(counter) => {
                        let cost = if suit.is_some() { 100 } else { 300 };
                        make(
                            Operation::Count {
                                counter,
                                suit,
                                seat,
                            },
                            Width::Short,
                            planes,
                            cost,
                        )
                    }
                    None => {
                        let table = self.prepared.table(SuitTable::Count(counter));
                        make(
                            Operation::Table { table, suit, seat },
                            Width::Wide,
                            planes,
                            3000,
                        )
                    }
                }
            }
            Node::Losers {
                rule: LoserRule::Cards,
                seat,
                suit,
            } => {
                let cost = if suit.is_some() { 250 } else { 900 };
                make(
                    Operation::Losers { suit, seat },
                    Width::Short,
                    hand(suit, seat),
                    cost,
                )
            }
            Node::Losers {
                rule: LoserRule::Tables,
                seat,
                suit,
            } => {
                let table = self.prepared.table(SuitTable::Losers);
                make(
                    Operation::Table { table, suit, seat },
                    Width::Wide,
                    hand(suit, seat),
                    3000,
                )
            }
            Node::HasCard(seat, card) => {
                let (suit, rank) = (card.suit(), card.rank().index() as u32);
                let planes = hand(Some(suit), seat);
                make(
                    Operation::HasCard { suit, rank, seat },
                    Width::Truth,
                    planes,
                    50,
                )
            }
            Node::Shape(seat, set) => {
                let key = self.shape_key(seat);
                let members = shape_members(plan.shape_set(set));
                make(Operation::Shape { key, members }, Width::Truth, 0, 800)
            }
            Node::Cccc(seat) => {
                let dialect = self.prepared.dialect;
                make(
                    Operation::Cccc { seat, dialect },
                    Width::Short,
                    hand(None, seat),
                    15_000,
                )
            }
            Node::Estimate(seat, strain) => {
                let side = seat.side();
                let operation = Operation::Estimate { side, strain };
                make(operation, Width::Short, EVERYTHING, 1_000_000)
            }
            Node::Quality(seat, suit) => {
                let table = self.prepared.table(SuitTable::Quality);
                let planes = hand(Some(suit), seat);
                make(
                    Operation::Table {
                        table,
                        suit: Some(suit),
                        seat,
                    },
                    Width::Short,
                    planes,
                    1500,
                )
            }
            Node::Ltc(seat, suit) => {
                let table = self.prepared.table(SuitTable::Ltc);
                make(
                    Operation::Table { table, suit, seat },
                    Width::Short,
                    hand(suit, seat),
                    3000,
                )
            }
            Node::Score {
                vulnerable,
                contract,
                tricks,
            } => {
                let tricks = self.of(tricks);
                make(
                    Operation::Score {
                        contract,
                        vulnerable,
                        tricks,
                    },
                    short,
                    0,
                    8000,
                )
            }
            Node::Imps(x) => {
                let (imps, difference) = (self.prepared.imps, self.of(x));
                make(Operation::Imps { imps, difference }, Width::Short, 0, 8000)
            }
            Node::Not(x) => make(Operation::Not(self.of(x)), Width::Truth, 0, 40),
            Node::Negate(x) => {
                let x = self.of(x);
                make(
                    Operation::Negate(x),
                    short.max(self.recipes[x].width),
                    0,
                    60,
                )
            }
            Node::Abs(x) => {
                let x = self.of(x);
                make(Operation::Abs(x), short.max(self.recipes[x].width), 0, 60)
            }
            Node::Binary { op, left, right } => {
                return self.binary(op, left, right, reach, short);
            }
            Node::And(ref terms) => {
                let terms: Box<[ColumnId]> = terms.iter().map(|&x| self.of(x)).collect();
                let cost = 40 * terms.len() as u32;
                make(Operation::And(terms), Width::Truth, 0, cost)
            }
            Node::Or(ref terms) => {
                let terms: Box<[ColumnId]> = terms.iter().map(|&x| self.of(x)).collect();
                let cost = 40 * terms.len() as u32;
                make(Operation::Or(terms), Width::Truth, 0, cost)
            }
            Node::Choose { test, yes, no } => {
                let (test, yes, no) = (self.of(test), self.of(yes), self.of(no));
                let width = self.recipes[yes]
                    .width
                    .max(self.recipes[no].width)
                    .max(Width::Short);
                make(Operation::Choose { test, yes, no }, width, 0, 120)
            }
            ref node @ (Node::Opc(..) | Node::UserEval { .. }) => {
                return self.side_value(node, reach, short);
            }
            Node::Tricks(..)
            | Node::LeadTricks(..)
            | Node::TricksAtLeast(..)
            | Node::Par(..)
            | Node::Rnd(_) => unreachable!("not a column"),
        };
        self.push(recipe)
    }

    /// A value of a side, in the panel of the place that is being taken apart.
    fn side_value(&mut self, node: &Node, reach: u32, width: Width) -> ColumnId {
        let value = SideValue::of(self.prepared, node).expect("it can be a column");
        let side = value.side();
        let panel = *self.open[side.index()].get_or_insert_with(|| {
            self.panels.push((side, Vec::new()));
            self.panels.len() - 1
        });
        let hands = side.seats().map(|seat| 0x1111u16 << seat.index());
        let column = self.push(Recipe {
            operation: Operation::SideValue { panel, value },
            width,
            reach,
            planes: hands[0] | hands[1],
            cost: value.cost(),
        });
        self.panels[panel].1.push((column, value));
        column
    }

    /// Operators with two operands. The result is computed at the width of the widest number involved.
    fn binary(
        &mut self,
        op: BinaryOp,
        left: NodeId,
        right: NodeId,
        reach: u32,
        short: Width,
    ) -> ColumnId {
        let plan = self.prepared.plan;
        let (a, b) = (self.of(left), self.of(right));
        let width = short.max(self.recipes[a].width).max(self.recipes[b].width);
        let comparison = match op {
            BinaryOp::Equal => Comparison::Equal,
            BinaryOp::NotEqual => Comparison::NotEqual,
            BinaryOp::Less => Comparison::Less,
            BinaryOp::LessEqual => Comparison::LessEqual,
            BinaryOp::Greater => Comparison::Greater,
            BinaryOp::GreaterEqual => Comparison::GreaterEqual,
            _ => {
                let (operation, cost) = match op {
                    BinaryOp::Add => (Operation::Add(a, b), 60),
                    BinaryOp::Subtract => (Operation::Subtract(a, b), 60),
                    BinaryOp::Multiply => (Operation::Multiply(a, b), 60),
                    BinaryOp::Divide => (Operation::Divide(a, b), 400),
                    _ => (Operation::Remainder(a, b), 500),
                };
                return self.push(Recipe {
                    operation,
                    width,
                    reach,
                    planes: 0,
                    cost,
                });
            }
        };
        let operation = match (plan.node(left), plan.node(right)) {
            (_, &Node::Constant(k)) => Operation::CompareConstant(comparison, a, k),
            (&Node::Constant(k), _) => Operation::CompareConstant(comparison.mirrored(), b, k),
            _ => Operation::Compare(comparison, a, b),
        };
        self.push(Recipe {
            operation,
            width: Width::Truth,
            reach: 1,
            planes: 0,
            cost: 50,
        })
    }

    fn shape_key(&mut self, seat: Seat) -> ColumnId {
        if let Some(key) = self.keys[seat.index()] {
            return key;
        }
        let key = self.push(Recipe {
            operation: Operation::ShapeKey(seat),
            width: Width::Short,
            reach: 0xfff,
            planes: 0x1110 << seat.index(),
            cost: 300,
        });
        self.keys[seat.index()] = Some(key);
        key
    }
}

/// How many columns are held at once to compute each node if the operand that holds most comes first.
fn held(nodes: &[Node]) -> Vec<u32> {
    let mut held = vec![1u32; nodes.len()];
    let mut operands = Vec::new();
    for (index, node) in nodes.iter().enumerate() {
        node.for_each_operand(|operand| operands.push(held[operand.index()]));
        operands.sort_unstable_by(|a, b| b.cmp(a));
        let most = (0..).zip(operands.drain(..)).map(|(kept, of)| of + kept);
        held[index] = most.max().unwrap_or(1);
    }
    held
}

/// The terms of the condition's top-level `and`, nested ones flattened, in source order.
pub(crate) fn conjuncts(nodes: &[Node], condition: Option<NodeId>) -> Vec<NodeId> {
    let mut parts = Vec::new();
    let mut stack: Vec<NodeId> = condition.into_iter().collect();
    while let Some(id) = stack.pop() {
        match &nodes[id.index()] {
            Node::And(terms) => stack.extend(terms.iter().rev()),
            _ => parts.push(id),
        }
    }
    parts
}

/// Calls `f` for each column an operation reads.
pub(super) fn for_inputs(operation: &Operation, mut f: impl FnMut(ColumnId)) {
    match operation {
        Operation::Shape { key: x, .. }
        | Operation::Score { tricks: x, .. }
        | Operation::Imps { difference: x, .. }
        | Operation::Not(x)
        | Operation::Negate(x)
        | Operation::Abs(x)
        | Operation::CompareConstant(_, x, _) => f(*x),
        Operation::Add(a, b)
        | Operation::Subtract(a, b)
        | Operation::Multiply(a, b)
        | Operation::Divide(a, b)
        | Operation::Remainder(a, b)
        | Operation::Compare(_, a, b) => {
            f(*a);
            f(*b);
        }
        Operation::And(terms) | Operation::Or(terms) => terms.iter().for_each(|&x| f(x)),
        Operation::Choose { test, yes, no } => {
            f(*test);
            f(*yes);
            f(*no);
        }
        Operation::Constant(_)
        | Operation::Length(..)
        | Operation::Count { .. }
        | Operation::Losers { .. }
        | Operation::Table { .. }
        | Operation::HasCard { .. }
        | Operation::ShapeKey(_)
        | Operation::Cccc { .. }
        | Operation::Estimate { .. }
        | Operation::SideValue { .. } => {}
    }
}

/// 1 at the key of every shape in the set, the key being that of [`Operation::ShapeKey`].
fn shape_members(set: &ShapeSet) -> Box<[u8; 4096]> {
    let mut members = Box::new([0; 4096]);
    for [spades, hearts, diamonds, _] in set.iter().map(Shape::lengths) {
        let key = usize::from(spades) << 8 | usize::from(hearts) << 4 | usize::from(diamonds);
        members[key] = 1;
    }
    members
}
