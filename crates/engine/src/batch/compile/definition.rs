//! Translates a node to the operation that computes its column, with the bound of its values and its cost.

use cards::{Seat, Shape, ShapeSet, Suit};
use script::plan::{BinaryOp, LoserRule, Node, NodeId};
use valuation::{RuleValue, SuitArgument};

use super::Builder;
use crate::batch::column::Width;
use crate::batch::feature::WeightCounter;
use crate::batch::operation::{
    ColumnDefinition, ColumnId, DealFunction, Filled, NumberOperation, NumberWidth, Operation,
    ShortOperation, TruthOperation, cost,
};
use crate::batch::side::SideValue;
use crate::prepared::SuitTable;

impl Builder<'_> {
    /// Defines the column of a node whose operands have columns already.
    pub(super) fn definition(&mut self, id: NodeId) -> ColumnId {
        let plan = self.prepared.plan;
        let facts = plan.facts_of(id);
        let reach = facts.min.unsigned_abs().max(facts.max.unsigned_abs());
        let width = match reach <= i16::MAX as u32 {
            true => NumberWidth::Short,
            false => NumberWidth::Wide,
        };
        let (operation, cost) = match *plan.node(id) {
            Node::Constant(value) => (Operation::Filled(Filled::Constant(value), width), 0),
            Node::Rnd(limit) => {
                let limit = self
                    .constant(limit)
                    .expect("only draws with a constant limit are columns");
                (Operation::Filled(Filled::Draw(limit), width), cost::DRAW)
            }
            ref node @ (Node::Opc(..) | Node::UserEval { .. }) => {
                return self.side_value(node, reach, width);
            }
            ref node @ (Node::Length(..)
            | Node::Count { .. }
            | Node::Losers { .. }
            | Node::HandValue { .. }
            | Node::HasCard(..)
            | Node::Shape(..)
            | Node::Estimate(..)) => self.feature(node),
            Node::Score {
                vulnerable,
                contract,
                tricks,
            } => {
                let function = DealFunction::Score {
                    contract,
                    vulnerable,
                    tricks: self.of(tricks),
                };
                (by_deal(width, function), cost::SCORE)
            }
            Node::Imps(x) => {
                let function = DealFunction::Imps {
                    imps: self.prepared.imps,
                    difference: self.of(x),
                };
                (by_deal(NumberWidth::Short, function), cost::SCORE)
            }
            Node::Not(x) => (
                Operation::Truth(TruthOperation::Not(self.of(x))),
                cost::TRUTH,
            ),
            Node::And(ref terms) => {
                let cost = cost::TRUTH * terms.len() as u32;
                let terms = terms.iter().map(|&x| self.of(x)).collect();
                (Operation::Truth(TruthOperation::And(terms)), cost)
            }
            Node::Or(ref terms) => {
                let cost = cost::TRUTH * terms.len() as u32;
                let terms = terms.iter().map(|&x| self.of(x)).collect();
                (Operation::Truth(TruthOperation::Or(terms)), cost)
            }
            Node::Negate(x) => {
                let x = self.of(x);
                let width = width.max(self.number_width(x));
                let operation = Operation::number(width, NumberOperation::Negate(x));
                (operation, cost::ARITHMETIC)
            }
            Node::Abs(x) => {
                let x = self.of(x);
                let width = width.max(self.number_width(x));
                let operation = Operation::number(width, NumberOperation::Abs(x));
                (operation, cost::ARITHMETIC)
            }
            Node::Choose { test, yes, no } => {
                let (test, yes, no) = (self.of(test), self.of(yes), self.of(no));
                let width = self.number_width(yes).max(self.number_width(no));
                let operation = NumberOperation::Choose { test, yes, no };
                (Operation::number(width, operation), cost::CHOICE)
            }
            Node::Binary { op, left, right } => self.binary(op, left, right, width),
            _ => unreachable!("`can_be_column` lists the nodes above"),
        };
        self.push(ColumnDefinition {
            operation,
            reach,
            cost,
        })
    }

    /// Returns the operation of a node that reads cards and has no operands, and its cost.
    fn feature(&mut self, node: &Node) -> (Operation, u32) {
        match *node {
            Node::Length(seat, suit) => (
                Operation::Short(ShortOperation::Length(suit, seat)),
                cost::COUNT_OF_SUIT,
            ),
            Node::Count {
                counter,
                seat,
                suit,
            } => match WeightCounter::new(self.prepared.plan.counter(counter)) {
                Some(counter) => (
                    Operation::Short(ShortOperation::Count {
                        counter,
                        suit,
                        seat,
                    }),
                    match suit {
                        Some(_) => cost::COUNT_OF_SUIT,
                        None => cost::COUNT_OF_HAND,
                    },
                ),
                None => self.looked_up(NumberWidth::Wide, SuitTable::Count(counter), suit, seat),
            },
            Node::Losers {
                rule: LoserRule::Cards,
                seat,
                suit,
            } => (
                Operation::Short(ShortOperation::Losers { suit, seat }),
                match suit {
                    Some(_) => cost::LOSERS_OF_SUIT,
                    None => cost::LOSERS_OF_HAND,
                },
            ),
            Node::Losers {
                rule: LoserRule::Tables,
                seat,
                suit,
            } => self.looked_up(NumberWidth::Wide, SuitTable::Losers, suit, seat),
            Node::HandValue { rule, seat, suit } => match rule.value() {
                RuleValue::Suit(value) => {
                    let table = SuitTable::Rule(rule, value);
                    let (operation, cost) = self.looked_up(NumberWidth::Short, table, suit, seat);
                    match rule.row().suit {
                        SuitArgument::Required => (operation, cost::TABLE_OF_SUIT),
                        SuitArgument::Absent | SuitArgument::Optional => (operation, cost),
                    }
                }
                RuleValue::Hand(value) => {
                    let dialect = self.prepared.dialect;
                    let function = DealFunction::Hand {
                        seat,
                        value,
                        dialect,
                    };
                    (by_deal(NumberWidth::Short, function), cost::RULE_OF_HAND)
                }
            },
            Node::HasCard(seat, card) => (
                Operation::Truth(TruthOperation::HasCard {
                    suit: card.suit(),
                    rank: card.rank().index() as u32,
                    seat,
                }),
                cost::CARD,
            ),
            Node::Shape(seat, set) => {
                let key = self.shape_key(seat);
                let members = shape_members(self.prepared.plan.shape_set(set));
                let operation = TruthOperation::Shape { key, members };
                (Operation::Truth(operation), cost::SHAPE)
            }
            Node::Estimate(seat, strain) => {
                let side = seat.side();
                let function = DealFunction::Estimate { side, strain };
                (by_deal(NumberWidth::Short, function), cost::ESTIMATE)
            }
            _ => unreachable!("not a feature of hands"),
        }
    }

    /// Returns the width in which a column is computed with as a number.
    fn number_width(&self, column: ColumnId) -> NumberWidth {
        match self.definitions[column].operation.width() {
            Width::Truth | Width::Short => NumberWidth::Short,
            Width::Wide => NumberWidth::Wide,
        }
    }

    /// Returns the operation for a function of single holdings, and the cost of a whole hand.
    fn looked_up(
        &self,
        width: NumberWidth,
        table: SuitTable,
        suit: Option<Suit>,
        seat: Seat,
    ) -> (Operation, u32) {
        let table = self.prepared.table(table);
        let function = DealFunction::Table { table, suit, seat };
        (by_deal(width, function), cost::TABLE_OF_HAND)
    }

    /// Defines a value of a partnership, in its group at the place that is being compiled.
    fn side_value(&mut self, node: &Node, reach: u32, width: NumberWidth) -> ColumnId {
        let value = SideValue::of(self.prepared, node).expect("can_be_column accepted the node");
        let side = value.side();
        let group_of_side = *self.open[side.index()].get_or_insert_with(|| {
            self.side_groups.push((side, Vec::new()));
            self.side_groups.len() - 1
        });
        let filled = Filled::SideValue {
            group_of_side,
            value,
        };
        let column = self.push(ColumnDefinition {
            operation: Operation::Filled(filled, width),
            reach,
            cost: value.cost(),
        });
        self.side_groups[group_of_side].1.push((column, value));
        column
    }

    /// Returns the operation of a binary operator, computed at the width of its widest operand or result, and its cost.
    fn binary(
        &self,
        op: BinaryOp,
        left: NodeId,
        right: NodeId,
        width: NumberWidth,
    ) -> (Operation, u32) {
        let plan = self.prepared.plan;
        let (a, b) = (self.of(left), self.of(right));
        let Some(comparison) = op.comparison() else {
            let (operation, cost) = match op {
                BinaryOp::Add => (NumberOperation::Add(a, b), cost::ARITHMETIC),
                BinaryOp::Subtract => (NumberOperation::Subtract(a, b), cost::ARITHMETIC),
                BinaryOp::Multiply => (NumberOperation::Multiply(a, b), cost::ARITHMETIC),
                BinaryOp::Divide => (NumberOperation::Divide(a, b), cost::QUOTIENT),
                _ => (NumberOperation::Remainder(a, b), cost::REMAINDER),
            };
            let width = width.max(self.number_width(a)).max(self.number_width(b));
            return (Operation::number(width, operation), cost);
        };
        let operation = match (plan.node(left), plan.node(right)) {
            (_, &Node::Constant(k)) => TruthOperation::CompareConstant(comparison, a, k),
            (&Node::Constant(k), _) => TruthOperation::CompareConstant(comparison.mirrored(), b, k),
            _ => TruthOperation::Compare(comparison, a, b),
        };
        (Operation::Truth(operation), cost::COMPARISON)
    }

    fn shape_key(&mut self, seat: Seat) -> ColumnId {
        if let Some(key) = self.keys[seat] {
            return key;
        }
        let key = self.push(ColumnDefinition {
            operation: Operation::Short(ShortOperation::ShapeKey(seat)),
            reach: 0xfff,
            cost: cost::SHAPE_KEY,
        });
        self.keys[seat] = Some(key);
        key
    }
}

/// Returns the operation for a function that is called for each deal.
fn by_deal(width: NumberWidth, function: DealFunction) -> Operation {
    Operation::number(width, NumberOperation::ByDeal(function))
}

/// Returns a table with 1 at the key of every shape in the set; see [`ShortOperation::ShapeKey`] for the key.
fn shape_members(set: &ShapeSet) -> Box<[u8; 4096]> {
    let mut members = Box::new([0; 4096]);
    for [spades, hearts, diamonds, _] in set.iter().map(Shape::lengths) {
        let key = usize::from(spades) << 8 | usize::from(hearts) << 4 | usize::from(diamonds);
        members[key] = 1;
    }
    members
}
