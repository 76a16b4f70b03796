//! Operations that compute a column from columns before it.

use std::sync::Arc;

use cards::{Contract, Seat, Side, Strain, Suit};
use script::plan::Comparison;
use valuation::Dialect;

use super::column::Width;
use super::feature::Counter;
use super::side::SideValue;

/// Index of a column in its [`BatchPlan`](super::BatchPlan).
pub(super) type ColumnId = usize;

/// An operation that computes a column.
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
    /// A function of single holdings, given as a table; summed over the hand unless `suit` is set.
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
    /// Lengths of spades, hearts and diamonds packed into one number.
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
    /// A value of a partnership, computed with the others of its group.
    SideValue {
        group_of_side: usize,
        value: SideValue,
    },
    /// A random number drawn for the deal; the operand is the exclusive limit. All draws are made together.
    Draw(i32),
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

/// The definition of a column.
pub(super) struct ColumnDefinition {
    pub operation: Operation,
    pub width: Width,
    /// Upper bound of the absolute values.
    pub reach: u32,
    /// Planes that the operation itself reads, bit = 4 * suit + seat.
    pub planes: u16,
    /// Estimated nanoseconds for 1024 deals; it affects only the order of evaluation.
    pub cost: u32,
}

/// Calls `f` for each column that an operation reads.
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
        | Operation::SideValue { .. }
        | Operation::Draw(_) => {}
    }
}
