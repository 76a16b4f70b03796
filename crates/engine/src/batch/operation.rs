//! What columns are made of: operations on columns that come before.

use std::sync::Arc;

use cards::{Contract, Seat, Side, Strain, Suit};
use script::plan::Comparison;
use valuation::Dialect;

use super::column::Width;
use super::feature::Counter;
use super::side::SideValue;

/// Position of a column in its [`BatchPlan`](super::BatchPlan).
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
    /// A number below this one drawn for the deal, or above it if it is negative; all draws are made together.
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

/// A column to be computed.
pub(super) struct Recipe {
    pub operation: Operation,
    pub width: Width,
    /// Largest absolute value.
    pub reach: u32,
    /// Planes it reads itself, bit = 4 * suit + seat.
    pub planes: u16,
    /// Nanoseconds for 1024 deals, roughly; only orders depend on it.
    pub cost: u32,
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
        | Operation::SideValue { .. }
        | Operation::Draw(_) => {}
    }
}
