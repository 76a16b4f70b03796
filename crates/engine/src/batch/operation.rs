//! Operations that compute a column from columns before it.
//!
//! The operations are divided by the width of their results, so that the kernel of each width has an arm for each of
//! its operations and for no other.

use std::sync::Arc;

use cards::{Contract, Seat, Side, Strain, Suit};
use script::plan::Comparison;
use valuation::{FourCsVersion, HandValue};

use super::column::Width;
use super::feature::WeightCounter;
use super::side::SideValue;

/// Index of a column in its [`BatchPlan`](super::BatchPlan).
pub(super) type ColumnId = usize;

/// The source of a column's values.
pub(super) enum Operation {
    /// Values that the evaluator fills in itself, once or for several columns together.
    Filled(Filled, NumberWidth),
    /// Values 0 and 1.
    Truth(TruthOperation),
    /// 16-bit values. The intervals of the plan guarantee that nothing overflows.
    Short(ShortOperation),
    /// 32-bit values, with the wrap-around of the language.
    Wide(NumberOperation),
}

/// The width of a number; truth values are not computed as numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum NumberWidth {
    Short,
    Wide,
}

/// Values that no kernel computes.
pub(super) enum Filled {
    Constant(i32),
    /// A value of a partnership, computed with the others of its group.
    SideValue {
        group_of_side: usize,
        value: SideValue,
    },
    /// A random number drawn for the deal; the operand is the exclusive limit. All draws are made together.
    Draw(i32),
}

/// Operations whose result is 0 or 1.
pub(super) enum TruthOperation {
    HasCard {
        suit: Suit,
        rank: u32,
        seat: Seat,
    },
    Shape {
        key: ColumnId,
        members: Box<[u8; 4096]>,
    },
    Not(ColumnId),
    Compare(Comparison, ColumnId, ColumnId),
    CompareConstant(Comparison, ColumnId, i32),
    And(Box<[ColumnId]>),
    Or(Box<[ColumnId]>),
}

/// Operations with a 16-bit result.
pub(super) enum ShortOperation {
    Length(Suit, Seat),
    Count {
        counter: WeightCounter,
        suit: Option<Suit>,
        seat: Seat,
    },
    Losers {
        suit: Option<Suit>,
        seat: Seat,
    },
    /// Lengths of spades, hearts and diamonds packed into one number.
    ShapeKey(Seat),
    Number(NumberOperation),
}

/// Operations that exist in both widths of numbers.
pub(super) enum NumberOperation {
    Negate(ColumnId),
    Abs(ColumnId),
    Add(ColumnId, ColumnId),
    Subtract(ColumnId, ColumnId),
    Multiply(ColumnId, ColumnId),
    Divide(ColumnId, ColumnId),
    Remainder(ColumnId, ColumnId),
    Choose {
        test: ColumnId,
        yes: ColumnId,
        no: ColumnId,
    },
    ByDeal(DealFunction),
}

/// Operations that need a table or a function for each deal.
pub(super) enum DealFunction {
    /// A function of single holdings, given as a table; summed over the hand unless `suit` is set.
    Table {
        table: Arc<[i32; 8192]>,
        suit: Option<Suit>,
        seat: Seat,
    },
    /// A function of a whole hand.
    Hand {
        seat: Seat,
        value: HandValue,
        dialect: FourCsVersion,
    },
    Estimate {
        side: Side,
        strain: Strain,
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
}

/// The definition of a column.
pub(super) struct ColumnDefinition {
    pub operation: Operation,
    /// Upper bound of the absolute values.
    pub reach: u32,
    /// Estimated nanoseconds for 1024 deals, from [`cost`].
    pub cost: u32,
}

/// Estimated nanoseconds of operations on 1024 deals.
///
/// They decide the order in which parts of a condition are evaluated, and whether the sampler is used. So they must be
/// equal on every machine, and a change of a number can change the deals of a script. They are rounded from times of
/// one column on one core with AVX2; only their ratios matter.
pub(super) mod cost {
    /// Negation, or one term of `and` and `or`, of truth values: 32 words.
    pub const TRUTH: u32 = 40;
    /// The presence of one card.
    pub const CARD: u32 = 50;
    /// A comparison of 16-bit values.
    pub const COMPARISON: u32 = 50;
    /// Addition, subtraction, multiplication, negation, absolute value.
    pub const ARITHMETIC: u32 = 60;
    /// A quotient, through floating-point numbers.
    pub const QUOTIENT: u32 = 400;
    /// A remainder: a quotient, a product and a difference.
    pub const REMAINDER: u32 = 500;
    /// A choice between two columns.
    pub const CHOICE: u32 = 120;
    /// A length or a point count of one suit, by bit counts.
    pub const COUNT_OF_SUIT: u32 = 100;
    /// A point count of a hand: four suits, three of them added.
    pub const COUNT_OF_HAND: u32 = 300;
    /// Losers of one suit.
    pub const LOSERS_OF_SUIT: u32 = 250;
    /// Losers of a hand.
    pub const LOSERS_OF_HAND: u32 = 900;
    /// The three lengths that name a shape.
    pub const SHAPE_KEY: u32 = 300;
    /// A look-up of each shape in its set.
    pub const SHAPE: u32 = 800;
    /// A look-up of one holding of each deal.
    pub const TABLE_OF_SUIT: u32 = 1_500;
    /// A look-up of the four holdings of each deal.
    pub const TABLE_OF_HAND: u32 = 3_000;
    /// The score or the IMPs of each deal.
    pub const SCORE: u32 = 8_000;
    /// A random number for each deal.
    pub const DRAW: u32 = 10_000;
    /// A function of a whole hand, such as `cccc`, for each deal.
    pub const RULE_OF_HAND: u32 = 15_000;
    /// Estimated tricks of each deal.
    pub const ESTIMATE: u32 = 1_000_000;
}

/// All sixteen planes.
const EVERYTHING: u16 = u16::MAX;

/// Returns the planes of one suit or of all suits of a hand, bit = 4 * suit + seat.
fn planes_of(suit: Option<Suit>, seat: Seat) -> u16 {
    match suit {
        Some(suit) => 1u16 << (4 * suit.index() + seat.index()),
        None => 0x1111 << seat.index(),
    }
}

impl Operation {
    /// Creates an operation on numbers of this width.
    pub fn number(width: NumberWidth, operation: NumberOperation) -> Operation {
        match width {
            NumberWidth::Short => Operation::Short(ShortOperation::Number(operation)),
            NumberWidth::Wide => Operation::Wide(operation),
        }
    }

    /// Returns the width of the result.
    pub fn width(&self) -> Width {
        match self {
            Operation::Truth(_) => Width::Truth,
            Operation::Short(_) | Operation::Filled(_, NumberWidth::Short) => Width::Short,
            Operation::Wide(_) | Operation::Filled(_, NumberWidth::Wide) => Width::Wide,
        }
    }

    /// Returns the planes that the operation itself reads, bit = 4 * suit + seat.
    pub fn planes(&self) -> u16 {
        match self {
            Operation::Filled(filled, _) => match filled {
                Filled::SideValue { value, .. } => {
                    let seats = value.side().seats();
                    seats
                        .iter()
                        .fold(0, |all, &seat| all | planes_of(None, seat))
                }
                Filled::Constant(_) | Filled::Draw(_) => 0,
            },
            Operation::Truth(TruthOperation::HasCard { suit, seat, .. }) => {
                planes_of(Some(*suit), *seat)
            }
            Operation::Truth(_) => 0,
            Operation::Short(operation) => match operation {
                ShortOperation::Length(suit, seat) => planes_of(Some(*suit), *seat),
                ShortOperation::Count { suit, seat, .. }
                | ShortOperation::Losers { suit, seat } => planes_of(*suit, *seat),
                // The length of clubs follows from the others.
                ShortOperation::ShapeKey(seat) => {
                    planes_of(None, *seat) & !planes_of(Some(Suit::Clubs), *seat)
                }
                ShortOperation::Number(operation) => operation.planes(),
            },
            Operation::Wide(operation) => operation.planes(),
        }
    }

    /// Calls `f` for each column that the operation reads.
    pub fn for_inputs(&self, mut f: impl FnMut(ColumnId)) {
        match self {
            Operation::Filled(..) => {}
            Operation::Truth(operation) => match operation {
                TruthOperation::HasCard { .. } => {}
                TruthOperation::Shape { key: x, .. }
                | TruthOperation::Not(x)
                | TruthOperation::CompareConstant(_, x, _) => f(*x),
                TruthOperation::Compare(_, a, b) => {
                    f(*a);
                    f(*b);
                }
                TruthOperation::And(terms) | TruthOperation::Or(terms) => {
                    terms.iter().for_each(|&x| f(x));
                }
            },
            Operation::Short(operation) => match operation {
                ShortOperation::Length(..)
                | ShortOperation::Count { .. }
                | ShortOperation::Losers { .. }
                | ShortOperation::ShapeKey(_) => {}
                ShortOperation::Number(operation) => operation.for_inputs(f),
            },
            Operation::Wide(operation) => operation.for_inputs(f),
        }
    }
}

impl NumberOperation {
    fn planes(&self) -> u16 {
        match self {
            NumberOperation::ByDeal(DealFunction::Table { suit, seat, .. }) => {
                planes_of(*suit, *seat)
            }
            NumberOperation::ByDeal(DealFunction::Hand { seat, .. }) => planes_of(None, *seat),
            NumberOperation::ByDeal(DealFunction::Estimate { .. }) => EVERYTHING,
            _ => 0,
        }
    }

    fn for_inputs(&self, mut f: impl FnMut(ColumnId)) {
        match self {
            NumberOperation::Negate(x) | NumberOperation::Abs(x) => f(*x),
            NumberOperation::Add(a, b)
            | NumberOperation::Subtract(a, b)
            | NumberOperation::Multiply(a, b)
            | NumberOperation::Divide(a, b)
            | NumberOperation::Remainder(a, b) => {
                f(*a);
                f(*b);
            }
            NumberOperation::Choose { test, yes, no } => {
                f(*test);
                f(*yes);
                f(*no);
            }
            NumberOperation::ByDeal(function) => match function {
                DealFunction::Score { tricks: x, .. }
                | DealFunction::Imps { difference: x, .. } => {
                    f(*x);
                }
                DealFunction::Table { .. }
                | DealFunction::Hand { .. }
                | DealFunction::Estimate { .. } => {}
            },
        }
    }
}
