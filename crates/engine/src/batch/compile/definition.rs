//! Translates a node to the operation that computes its column, with its width, the planes it reads and its cost.

use cards::{Seat, Shape, ShapeSet, Suit};
use script::plan::{BinaryOp, LoserRule, Node, NodeId};

use super::Builder;
use crate::batch::column::Width;
use crate::batch::feature::Counter;
use crate::batch::operation::{ColumnDefinition, ColumnId, Operation};
use crate::batch::side::SideValue;
use crate::prepared::SuitTable;

/// All sixteen planes.
const EVERYTHING: u16 = u16::MAX;

impl Builder<'_> {
    /// Defines the column of a node whose operands have columns already.
    pub(super) fn definition(&mut self, id: NodeId) -> ColumnId {
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
        let make = |operation, width, planes, cost| ColumnDefinition {
            operation,
            width,
            reach,
            planes,
            cost,
        };
        let definition = match *plan.node(id) {
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
                    short.max(self.definitions[x].width),
                    0,
                    60,
                )
            }
            Node::Abs(x) => {
                let x = self.of(x);
                make(
                    Operation::Abs(x),
                    short.max(self.definitions[x].width),
                    0,
                    60,
                )
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
                let width = self.definitions[yes]
                    .width
                    .max(self.definitions[no].width)
                    .max(Width::Short);
                make(Operation::Choose { test, yes, no }, width, 0, 120)
            }
            ref node @ (Node::Opc(..) | Node::UserEval { .. }) => {
                return self.side_value(node, reach, short);
            }
            Node::Rnd(limit) => {
                let limit = self
                    .constant(limit)
                    .expect("only draws with a constant limit are columns");
                make(Operation::Draw(limit), short, 0, 10_000)
            }
            Node::Tricks(..) | Node::LeadTricks(..) | Node::TricksAtLeast(..) | Node::Par(..) => {
                unreachable!("not a column")
            }
        };
        self.push(definition)
    }

    /// Defines a value of a partnership, in its group at the place that is being compiled.
    fn side_value(&mut self, node: &Node, reach: u32, width: Width) -> ColumnId {
        let value = SideValue::of(self.prepared, node).expect("can_be_column accepted the node");
        let side = value.side();
        let group_of_side = *self.open[side.index()].get_or_insert_with(|| {
            self.side_groups.push((side, Vec::new()));
            self.side_groups.len() - 1
        });
        let hands = side.seats().map(|seat| 0x1111u16 << seat.index());
        let column = self.push(ColumnDefinition {
            operation: Operation::SideValue {
                group_of_side,
                value,
            },
            width,
            reach,
            planes: hands[0] | hands[1],
            cost: value.cost(),
        });
        self.side_groups[group_of_side].1.push((column, value));
        column
    }

    /// Defines the column of a binary operator, computed at the width of its widest operand or result.
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
        let width = short
            .max(self.definitions[a].width)
            .max(self.definitions[b].width);
        let Some(comparison) = op.comparison() else {
            let (operation, cost) = match op {
                BinaryOp::Add => (Operation::Add(a, b), 60),
                BinaryOp::Subtract => (Operation::Subtract(a, b), 60),
                BinaryOp::Multiply => (Operation::Multiply(a, b), 60),
                BinaryOp::Divide => (Operation::Divide(a, b), 400),
                _ => (Operation::Remainder(a, b), 500),
            };
            return self.push(ColumnDefinition {
                operation,
                width,
                reach,
                planes: 0,
                cost,
            });
        };
        let operation = match (plan.node(left), plan.node(right)) {
            (_, &Node::Constant(k)) => Operation::CompareConstant(comparison, a, k),
            (&Node::Constant(k), _) => Operation::CompareConstant(comparison.mirrored(), b, k),
            _ => Operation::Compare(comparison, a, b),
        };
        self.push(ColumnDefinition {
            operation,
            width: Width::Truth,
            reach: 1,
            planes: 0,
            cost: 50,
        })
    }

    fn shape_key(&mut self, seat: Seat) -> ColumnId {
        if let Some(key) = self.keys[seat] {
            return key;
        }
        let key = self.push(ColumnDefinition {
            operation: Operation::ShapeKey(seat),
            width: Width::Short,
            reach: 0xfff,
            planes: 0x1110 << seat.index(),
            cost: 300,
        });
        self.keys[seat] = Some(key);
        key
    }
}

/// Returns a table with 1 at the key of every shape in the set; see [`Operation::ShapeKey`] for the key.
fn shape_members(set: &ShapeSet) -> Box<[u8; 4096]> {
    let mut members = Box::new([0; 4096]);
    for [spades, hearts, diamonds, _] in set.iter().map(Shape::lengths) {
        let key = usize::from(spades) << 8 | usize::from(hearts) << 4 | usize::from(diamonds);
        members[key] = 1;
    }
    members
}
