//! The syntax tree: expressions in one vector, children before parents, so that nothing here ever recurses.

use cards::{CardSet, Seat, Suit};

use crate::plan::{Action, BinaryOp, Counter, Node, NodeId, ScriptSettings, Span};

/// Number of an expression in [`Script::expressions`].
///
/// It is the same type as in the plan, so that actions can be moved to the plan with only their numbers changed.
pub(crate) type ExprId = NodeId;

/// Operators with two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Operator {
    And,
    Or,
    Strict(BinaryOp),
}

/// The form of an expression.
#[derive(Clone, Debug)]
pub(crate) enum ExprKind {
    Number {
        value: i32,
        /// Written with a decimal point.
        decimal: bool,
    },
    /// Number of a definition in [`Script::definitions`].
    Variable(u32),
    Not(ExprId),
    Negate(ExprId),
    Binary(Operator, ExprId, ExprId),
    Choose(ExprId, ExprId, ExprId),
    /// A function; its operands are numbers of expressions.
    Call(Node),
}

/// An expression and its place in the script.
#[derive(Clone, Debug)]
pub(crate) struct Expr {
    pub kind: ExprKind,
    /// The bytes of the whole expression.
    pub span: Span,
    /// The bytes of its operator; equal to `span` if it has none.
    pub at: Span,
    /// Whether it is written in parentheses of its own.
    pub grouped: bool,
    /// Whether the expression is the `and` of a range such as `15 <= x <= 17`.
    pub range: bool,
}

/// `name = expr`
#[derive(Clone, Debug)]
pub(crate) struct Definition {
    pub name: String,
    pub span: Span,
    pub value: ExprId,
    /// Whether any expression or action uses the variable.
    pub used: bool,
}

/// `pointcount` or `altcount`.
#[derive(Clone, Debug)]
pub(crate) struct CountStatement {
    pub counter: Counter,
    /// Values from the ace down.
    pub values: Vec<i32>,
    /// Whether any value was written with a decimal point.
    pub decimal: bool,
    /// The counter that this `altcount` changes in v1, if v1 changes another one.
    pub in_v1: Option<Counter>,
    pub span: Span,
}

/// One item of a `predeal` statement.
#[derive(Clone, Debug)]
pub(crate) enum PredealItem {
    Cards {
        seat: Seat,
        cards: CardSet,
        span: Span,
    },
    Length {
        seat: Seat,
        suit: Suit,
        length: u8,
        /// The words `spades(north)`.
        what: Span,
        span: Span,
    },
}

/// A parsed script.
#[derive(Debug, Default)]
pub(crate) struct Script {
    pub expressions: Vec<Expr>,
    pub definitions: Vec<Definition>,
    pub condition: Option<(ExprId, Span)>,
    /// The last action list, and the place of its word `action`.
    pub actions: Option<(Vec<Action>, Span)>,
    /// Actions written without the word `action`.
    pub bare_actions: Vec<Action>,
    /// Whether any action list has a printing action.
    pub printing_action: bool,
    pub counts: Vec<CountStatement>,
    pub predeal: Vec<PredealItem>,
    pub shapes: crate::shape::ShapeTable,
    pub settings: ScriptSettings,
    /// The names in `level` statements.
    pub levelled: Vec<(String, Span)>,
}

impl Script {
    pub fn add(&mut self, kind: ExprKind, span: Span, at: Span) -> ExprId {
        self.expressions.push(Expr {
            kind,
            span,
            at,
            grouped: false,
            range: false,
        });
        NodeId(self.expressions.len() as u32 - 1)
    }

    pub fn expr(&self, id: ExprId) -> &Expr {
        &self.expressions[id.index()]
    }

    /// Returns the value of an expression that consists of numbers alone. Gives up after `budget` nodes.
    pub fn constant(&self, id: ExprId, budget: &mut u32) -> Option<i32> {
        *budget = budget.checked_sub(1)?;
        match self.expr(id).kind {
            ExprKind::Number { value, decimal } => Some(value).filter(|_| !decimal),
            ExprKind::Variable(number) => {
                self.constant(self.definitions[number as usize].value, budget)
            }
            ExprKind::Binary(Operator::Strict(operator), left, right) => {
                let left = self.constant(left, budget)?;
                let right = self.constant(right, budget)?;
                match operator {
                    BinaryOp::Add => left.checked_add(right),
                    BinaryOp::Subtract => left.checked_sub(right),
                    BinaryOp::Multiply => left.checked_mul(right),
                    _ => None,
                }
            }
            _ => None,
        }
    }
}
