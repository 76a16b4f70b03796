//! Comparisons of two numbers.

use super::BinaryOp;

/// A comparison of the language.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Comparison {
    /// `==`
    Equal,
    /// `!=`
    NotEqual,
    /// `<`
    Less,
    /// `<=`
    LessEqual,
    /// `>`
    Greater,
    /// `>=`
    GreaterEqual,
}

impl Comparison {
    /// Returns whether the comparison holds for `a` and `b`.
    #[inline(always)]
    pub fn holds<T: PartialOrd>(self, a: T, b: T) -> bool {
        match self {
            Comparison::Equal => a == b,
            Comparison::NotEqual => a != b,
            Comparison::Less => a < b,
            Comparison::LessEqual => a <= b,
            Comparison::Greater => a > b,
            Comparison::GreaterEqual => a >= b,
        }
    }

    /// Returns the comparison that holds for `(b, a)` exactly when this one holds for `(a, b)`.
    #[must_use]
    pub fn mirrored(self) -> Self {
        match self {
            Comparison::Less => Comparison::Greater,
            Comparison::LessEqual => Comparison::GreaterEqual,
            Comparison::Greater => Comparison::Less,
            Comparison::GreaterEqual => Comparison::LessEqual,
            same => same,
        }
    }
}

impl BinaryOp {
    /// Returns the comparison, if the operator is one.
    #[must_use]
    pub fn comparison(self) -> Option<Comparison> {
        Some(match self {
            BinaryOp::Equal => Comparison::Equal,
            BinaryOp::NotEqual => Comparison::NotEqual,
            BinaryOp::Less => Comparison::Less,
            BinaryOp::LessEqual => Comparison::LessEqual,
            BinaryOp::Greater => Comparison::Greater,
            BinaryOp::GreaterEqual => Comparison::GreaterEqual,
            BinaryOp::Add
            | BinaryOp::Subtract
            | BinaryOp::Multiply
            | BinaryOp::Divide
            | BinaryOp::Remainder => return None,
        })
    }
}
