//! Expressions built in Rust: `north().hcp().between(15, 17) & north().balanced()`.
//!
//! An [`Expression`] is a tree that lowers to the plan through the syntax tree, as a script does, but without a lexer
//! and a parser. Its [text](Expression#impl-Display-for-Expression) is a condition of the dealer language with the same
//! plan: serialised jobs hold it, and messages point into it.
//!
//! ```
//! use croupier_script::expression::{compile, north, ns};
//! use croupier_script::CompileOptions;
//! use cards::Suit;
//!
//! let strong = north().hcp().between(15, 17) & north().balanced();
//! let fit = ns().fit(Suit::Spades, 8);
//! let condition = strong & !fit;
//! assert_eq!(
//!     condition.to_string(),
//!     "hcp(north) >= 15 && hcp(north) <= 17 && balanced(north) && !(spades(north) + spades(south) >= 8)"
//! );
//! let (plan, _) = compile(&condition, "condition", &CompileOptions::default()).unwrap();
//! assert!(plan.condition.is_some());
//! ```

mod lower;
mod seats;
mod shapes;

use std::fmt;
use std::ops;
use std::sync::Arc;

use cards::{Contract, Seat, ShapeSet};

use crate::ast::Operator;
use crate::plan::{BinaryOp, Node, NodeId};

pub use lower::{LARGEST, compile, script_text};
pub use seats::{Pair, Player, east, ew, north, ns, pair, player, south, west};
pub use shapes::ShapesError;

/// An expression of the dealer language: a value, or a condition, which is a value that is not 0.
///
/// `&`, `|` and `!` are the `and`, `or` and `not` of the language, `+ - * / %` its arithmetic with signed 32-bit
/// integers (`/` truncates toward zero). Comparisons are methods: [`at_least`](Self::at_least),
/// [`between`](Self::between), [`equals`](Self::equals).
#[derive(Clone)]
pub struct Expression {
    term: Arc<Term>,
    /// Number of terms in the written text. Parts that occur several times count each time. Saturating.
    size: u64,
}

/// A node of the tree.
struct Term {
    kind: TermKind,
    children: Vec<Expression>,
}

/// A kind of term; the operands are the term's children.
#[derive(Clone)]
enum TermKind {
    Number(i32),
    /// A function; a child stands for its operand.
    Call(Node),
    /// `balanced(north)`
    Balanced(Seat),
    Shape {
        seat: Seat,
        /// The text between the parentheses or braces, without the seat.
        text: Arc<str>,
        /// Whether the text is in the longer notation, which is written in braces.
        braces: bool,
        set: ShapeSet,
    },
    Not,
    Negate,
    Binary(Operator),
    Choose,
}

impl Drop for Term {
    /// Frees a deep tree without recursion.
    fn drop(&mut self) {
        let mut pending = std::mem::take(&mut self.children);
        while let Some(mut child) = pending.pop() {
            if let Some(term) = Arc::get_mut(&mut child.term) {
                pending.append(&mut term.children);
            }
        }
    }
}

impl Expression {
    fn new(kind: TermKind, children: Vec<Expression>) -> Expression {
        let size = children
            .iter()
            .fold(1_u64, |sum, child| sum.saturating_add(child.size));
        Expression {
            term: Arc::new(Term { kind, children }),
            size,
        }
    }

    fn call(node: Node) -> Expression {
        Expression::new(TermKind::Call(node), Vec::new())
    }

    fn of_value(self, node: Node) -> Expression {
        Expression::new(TermKind::Call(node), vec![self])
    }

    fn with(self, operator: Operator, other: impl Into<Expression>) -> Expression {
        Expression::new(TermKind::Binary(operator), vec![self, other.into()])
    }

    fn compared(self, op: BinaryOp, other: impl Into<Expression>) -> Expression {
        self.with(Operator::Strict(op), other)
    }

    /// Returns whether the value is at least `other`.
    #[must_use]
    pub fn at_least(self, other: impl Into<Expression>) -> Expression {
        self.compared(BinaryOp::GreaterEqual, other)
    }

    /// Returns whether the value is at most `other`.
    #[must_use]
    pub fn at_most(self, other: impl Into<Expression>) -> Expression {
        self.compared(BinaryOp::LessEqual, other)
    }

    /// Returns whether the value is greater than `other`.
    #[must_use]
    pub fn greater_than(self, other: impl Into<Expression>) -> Expression {
        self.compared(BinaryOp::Greater, other)
    }

    /// Returns whether the value is less than `other`.
    #[must_use]
    pub fn less_than(self, other: impl Into<Expression>) -> Expression {
        self.compared(BinaryOp::Less, other)
    }

    /// Returns whether the value equals `other`.
    #[must_use]
    pub fn equals(self, other: impl Into<Expression>) -> Expression {
        self.compared(BinaryOp::Equal, other)
    }

    /// Returns whether the value differs from `other`.
    #[must_use]
    pub fn differs_from(self, other: impl Into<Expression>) -> Expression {
        self.compared(BinaryOp::NotEqual, other)
    }

    /// Returns whether the value is at least `low` and at most `high`.
    #[must_use]
    pub fn between(self, low: impl Into<Expression>, high: impl Into<Expression>) -> Expression {
        self.clone().at_least(low) & self.at_most(high)
    }

    /// Returns whether the value is one of `values`; never, if there are none.
    #[must_use]
    pub fn is_in<T: Into<Expression>>(self, values: impl IntoIterator<Item = T>) -> Expression {
        any_of(values.into_iter().map(|value| self.clone().equals(value)))
    }

    /// Returns `then` where this condition holds, and `otherwise` where it does not.
    #[must_use]
    pub fn if_else(
        self,
        then: impl Into<Expression>,
        otherwise: impl Into<Expression>,
    ) -> Expression {
        Expression::new(TermKind::Choose, vec![self, then.into(), otherwise.into()])
    }

    /// Returns the value without its sign.
    #[must_use]
    pub fn abs(self) -> Expression {
        self.of_value(Node::Abs(NodeId(0)))
    }

    /// Returns the IMPs of a difference of scores.
    #[must_use]
    pub fn imps(self) -> Expression {
        self.of_value(Node::Imps(NodeId(0)))
    }

    /// Returns the duplicate score of `contract` when its declarer takes this number of tricks.
    #[must_use]
    pub fn score(self, contract: Contract, vulnerable: bool) -> Expression {
        self.of_value(Node::Score {
            vulnerable,
            contract,
            tricks: NodeId(0),
        })
    }
}

/// Returns the condition that all of `conditions` hold; 1 if there are none.
pub fn all_of(conditions: impl IntoIterator<Item = Expression>) -> Expression {
    let all = conditions.into_iter().reduce(|all, next| all & next);
    all.unwrap_or_else(|| 1.into())
}

/// Returns the condition that at least one of `conditions` holds; 0 if there are none.
pub fn any_of(conditions: impl IntoIterator<Item = Expression>) -> Expression {
    let any = conditions.into_iter().reduce(|any, next| any | next);
    any.unwrap_or_else(|| 0.into())
}

impl From<i32> for Expression {
    fn from(value: i32) -> Expression {
        Expression::new(TermKind::Number(value), Vec::new())
    }
}

impl fmt::Display for Expression {
    /// Writes the expression in the dealer language. An expression of more than [`LARGEST`] terms is only described.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&lower::text(self))
    }
}

impl fmt::Debug for Expression {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Expression({self})")
    }
}

macro_rules! binary_operators {
    ($($trait:ident $method:ident $operator:expr;)*) => {$(
        impl<T: Into<Expression>> ops::$trait<T> for Expression {
            type Output = Expression;

            fn $method(self, other: T) -> Expression {
                self.with($operator, other)
            }
        }
    )*};
}

binary_operators! {
    BitAnd bitand Operator::And;
    BitOr bitor Operator::Or;
    Add add Operator::Strict(BinaryOp::Add);
    Sub sub Operator::Strict(BinaryOp::Subtract);
    Mul mul Operator::Strict(BinaryOp::Multiply);
    Div div Operator::Strict(BinaryOp::Divide);
    Rem rem Operator::Strict(BinaryOp::Remainder);
}

macro_rules! operators_of_numbers {
    ($($trait:ident $method:ident;)*) => {$(
        impl ops::$trait<Expression> for i32 {
            type Output = Expression;

            fn $method(self, other: Expression) -> Expression {
                ops::$trait::$method(Expression::from(self), other)
            }
        }
    )*};
}

operators_of_numbers! {
    Add add;
    Sub sub;
    Mul mul;
    Div div;
    Rem rem;
}

impl ops::Not for Expression {
    type Output = Expression;

    fn not(self) -> Expression {
        Expression::new(TermKind::Not, vec![self])
    }
}

impl ops::Neg for Expression {
    type Output = Expression;

    fn neg(self) -> Expression {
        Expression::new(TermKind::Negate, vec![self])
    }
}
