//! The text and the syntax tree of an expression, written together so that the tree's spans point into the text.

use cards::BySeat;

use super::{Expression, TermKind, shapes};
use crate::ast::{ExprId, ExprKind, Operator, Script};
use crate::diagnostic::{Diagnostic, Report, Reports};
use crate::explain::argument_texts;
use crate::plan::{BinaryOp, Node, NodeId, Plan, Span};
use crate::source::{Origin, SourceMap};
use crate::{CompileOptions, function};

/// The largest number of terms of an expression. Parts that are used twice count twice.
pub const LARGEST: u64 = 1_000_000;

/// The word before the expression.
const CONDITION: &str = "condition ";

/// Returns the text of an expression in the dealer language.
pub(super) fn text(expression: &Expression) -> String {
    match expression.size > LARGEST {
        true => format!("<expression of {} terms>", expression.size),
        false => Writer::of(expression, "").text,
    }
}

/// Returns the script whose condition is the expression.
#[must_use]
pub fn script_text(expression: &Expression) -> String {
    format!("{CONDITION}{expression}")
}

/// Compiles the script that has the expression as its condition, without parsing a text. `name` is the name of the
/// script in messages. The dialect is croupier's own, whatever the mode of the options is; the plan is that of
/// [`script_text`].
///
/// # Errors
/// If the expression has more than [`LARGEST`] terms or is certain to fail (a division by zero), or predealt cards
/// of the options do not fit.
pub fn compile(
    expression: &Expression,
    name: &str,
    options: &CompileOptions<'_>,
) -> Result<(Plan, Vec<Diagnostic>), Vec<Diagnostic>> {
    let options = CompileOptions {
        mode: crate::plan::Mode::Native,
        script_variables: Default::default(),
        loader: options.loader,
        predeal: BySeat(options.predeal.0.clone()),
        opener: options.opener,
        generate: options.generate,
        produce: options.produce,
        dealer3: false,
    };
    let mut reports = Reports::default();
    let mut sources = SourceMap::default();
    if expression.size > LARGEST {
        sources.add(name.to_owned(), [].into(), Origin::Script);
        let message = format!(
            "the expression has {} terms; the limit is {LARGEST}",
            expression.size
        );
        reports.add(Report::error("E101", Span::default(), message));
        return Err(reports.finish(&sources));
    }
    let Writer {
        text,
        mut script,
        values,
        ..
    } = Writer::of(expression, CONDITION);
    sources.add(name.to_owned(), text.into_bytes().into(), Origin::Script);
    let word = Span {
        source: 0,
        start: 0,
        end: CONDITION.trim_end().len() as u32,
    };
    script.condition = values.last().map(|&value| (value, word));
    let switches = crate::switch_cards(&mut sources, &mut reports, &options);
    if reports.has_errors() {
        return Err(reports.finish(&sources));
    }
    crate::finish(script, &options, sources, &switches, reports, Vec::new())
}

/// How tightly each kind of term binds. An operand needs parentheses if it binds less than its operator.
mod level {
    pub const CHOOSE: u8 = 1;
    pub const OR: u8 = 2;
    pub const AND: u8 = 3;
    pub const NOT: u8 = 4;
    pub const COMPARISON: u8 = 5;
    pub const SUM: u8 = 10;
    pub const PRODUCT: u8 = 11;
    pub const NEGATE: u8 = 12;
    pub const VALUE: u8 = 13;
}

fn level_of(kind: &TermKind) -> u8 {
    match kind {
        TermKind::Number(_)
        | TermKind::Call(_)
        | TermKind::Balanced(_)
        | TermKind::Shape { .. } => level::VALUE,
        TermKind::Not => level::NOT,
        TermKind::Negate => level::NEGATE,
        TermKind::Choose => level::CHOOSE,
        TermKind::Binary(Operator::And) => level::AND,
        TermKind::Binary(Operator::Or) => level::OR,
        TermKind::Binary(Operator::Strict(op)) => match op {
            BinaryOp::Add | BinaryOp::Subtract => level::SUM,
            BinaryOp::Multiply | BinaryOp::Divide | BinaryOp::Remainder => level::PRODUCT,
            _ => level::COMPARISON,
        },
    }
}

/// Returns the sign of an operator and the least binding levels of its operands. Operators that the dialects group
/// differently get parentheses.
fn operator_form(operator: Operator, left: &TermKind) -> (&'static str, u8, u8) {
    use BinaryOp::*;
    let product = |sign| {
        let again = matches!(
            (operator, left),
            (
                Operator::Strict(Multiply),
                TermKind::Binary(Operator::Strict(Multiply))
            )
        );
        let least = if again { level::PRODUCT } else { level::NEGATE };
        (sign, least, level::NEGATE)
    };
    let comparison = |sign| (sign, level::SUM, level::SUM);
    match operator {
        Operator::And => ("&&", level::AND, level::NOT),
        Operator::Or => ("||", level::OR, level::AND),
        Operator::Strict(op) => match op {
            Add => ("+", level::SUM, level::PRODUCT),
            Subtract => ("-", level::SUM, level::PRODUCT),
            Multiply => product("*"),
            Divide => product("/"),
            Remainder => product("%"),
            Equal => comparison("=="),
            NotEqual => comparison("!="),
            Less => comparison("<"),
            LessEqual => comparison("<="),
            Greater => comparison(">"),
            GreaterEqual => comparison(">="),
        },
    }
}

/// A step of the writer.
enum Step<'a> {
    /// Write the expression, in parentheses if it binds less than the level.
    Write(&'a Expression, u8),
    /// Write a sign between two blanks and keep its place.
    Sign(&'static str),
    /// Write a sign between two blanks.
    Between(&'static str),
    /// Close the parenthesis that opened at this place.
    Close(u32),
    /// Make the term from its operands. Its text began at this place with a word or sign of this length.
    Make(&'a TermKind, u32, u32),
}

/// Writes text and tree. Pending steps are on an explicit stack, so that deep expressions do not use the machine stack.
#[derive(Default)]
struct Writer {
    text: String,
    script: Script,
    /// Operands that are written and whose operator is not complete.
    values: Vec<ExprId>,
    /// Places of the operators whose last operand is not written yet.
    signs: Vec<Span>,
}

impl Writer {
    fn of(expression: &Expression, before: &str) -> Writer {
        let mut writer = Writer {
            text: before.to_owned(),
            ..Writer::default()
        };
        let mut steps = vec![Step::Write(expression, 0)];
        while let Some(step) = steps.pop() {
            writer.step(step, &mut steps);
        }
        writer
    }

    fn at(&self) -> u32 {
        self.text.len() as u32
    }

    fn since(&self, start: u32) -> Span {
        Span {
            source: 0,
            start,
            end: self.at(),
        }
    }

    fn step<'a>(&mut self, step: Step<'a>, steps: &mut Vec<Step<'a>>) {
        match step {
            Step::Write(expression, least) => {
                let kind = &expression.term.kind;
                if level_of(kind) < least {
                    steps.push(Step::Close(self.at()));
                    self.text.push('(');
                }
                self.begin(expression, kind, steps);
            }
            Step::Sign(sign) => {
                self.text.push(' ');
                let start = self.at();
                self.text.push_str(sign);
                self.signs.push(self.since(start));
                self.text.push(' ');
            }
            Step::Between(sign) => {
                self.text.push(' ');
                self.text.push_str(sign);
                self.text.push(' ');
            }
            Step::Close(open) => {
                self.text.push(')');
                let span = self.since(open);
                if let Some(value) = self.values.last() {
                    let expr = &mut self.script.expressions[value.index()];
                    (expr.grouped, expr.span) = (true, span);
                }
            }
            Step::Make(kind, start, length) => self.make(kind, start, length),
        }
    }

    /// Writes a term up to its first operand, and pushes the steps for the rest.
    fn begin<'a>(
        &mut self,
        expression: &'a Expression,
        kind: &'a TermKind,
        steps: &mut Vec<Step<'a>>,
    ) {
        let start = self.at();
        let children = &expression.term.children;
        match (kind, children.as_slice()) {
            (TermKind::Not | TermKind::Negate, [operand]) => {
                self.text.push(match kind {
                    TermKind::Not => '!',
                    _ => '-',
                });
                // A minus sign directly before a number would become part of the number.
                let least = match operand.term.kind {
                    TermKind::Number(_) => level::VALUE + 1,
                    _ => level::VALUE,
                };
                steps.push(Step::Make(kind, start, 1));
                steps.push(Step::Write(operand, least));
            }
            (TermKind::Binary(operator), [left, right]) => {
                let (sign, first, second) = operator_form(*operator, &left.term.kind);
                steps.push(Step::Make(kind, start, 0));
                steps.push(Step::Write(right, second));
                steps.push(Step::Sign(sign));
                steps.push(Step::Write(left, first));
            }
            (TermKind::Choose, [test, yes, no]) => {
                steps.push(Step::Make(kind, start, 0));
                steps.push(Step::Write(no, level::OR));
                steps.push(Step::Between(":"));
                steps.push(Step::Write(yes, level::OR));
                steps.push(Step::Sign("?"));
                steps.push(Step::Write(test, level::OR));
            }
            (TermKind::Call(node), [operand]) => {
                let length = self.call(node);
                steps.push(Step::Make(kind, start, length));
                steps.push(Step::Write(operand, 0));
            }
            _ => self.leaf(kind, start),
        }
    }

    /// Writes the name and the plain arguments of a function, up to its operand or `)`. Returns the length of the name.
    fn call(&mut self, node: &Node) -> u32 {
        let Some((function, arguments)) = function::of_node(node) else {
            return 0;
        };
        let name = function.spellings[0];
        let list = argument_texts(&arguments, |_| String::new()).join(", ");
        self.text.push_str(name);
        self.text.push('(');
        self.text.push_str(&list);
        if arguments.value.is_some() && !list.is_empty() {
            self.text.push_str(", ");
        }
        name.len() as u32
    }

    fn leaf(&mut self, kind: &TermKind, start: u32) {
        let (kind, word) = match kind {
            TermKind::Number(value) => {
                self.text.push_str(&value.to_string());
                let decimal = false;
                let kind = ExprKind::Number {
                    value: *value,
                    decimal,
                };
                (kind, None)
            }
            TermKind::Balanced(seat) => {
                let id = self.script.shapes.add(shapes::balanced());
                self.text.push_str(&format!("balanced({seat})"));
                (ExprKind::Call(Node::Shape(*seat, id)), Some("balanced"))
            }
            TermKind::Shape {
                seat,
                text,
                braces,
                set,
            } => {
                let id = self.script.shapes.add(*set);
                let (open, close) = if *braces { ('{', '}') } else { ('(', ')') };
                let text = format!("shape{open}{seat}, {text}{close}");
                self.text.push_str(&text);
                (ExprKind::Call(Node::Shape(*seat, id)), Some("shape"))
            }
            TermKind::Call(node) => {
                let length = self.call(node);
                self.text.push(')');
                return self.add(ExprKind::Call(node.clone()), start, length);
            }
            // Operators have operands, so they are no leaves.
            TermKind::Not | TermKind::Negate | TermKind::Binary(_) | TermKind::Choose => return,
        };
        let length = word.map_or(self.at() - start, |word| word.len() as u32);
        self.add(kind, start, length);
    }

    /// Adds an expression that began at `start` with a word or sign of `length` bytes.
    fn add(&mut self, kind: ExprKind, start: u32, length: u32) {
        let at = Span {
            source: 0,
            start,
            end: start + length,
        };
        let id = self.script.add(kind, self.since(start), at);
        self.values.push(id);
    }

    /// Makes a term whose operands are written.
    fn make(&mut self, kind: &TermKind, start: u32, length: u32) {
        let mut operand = || self.values.pop().unwrap_or(NodeId(0));
        match kind {
            TermKind::Not => {
                let kind = ExprKind::Not(operand());
                self.add(kind, start, length);
            }
            TermKind::Negate => {
                let kind = ExprKind::Negate(operand());
                self.add(kind, start, length);
            }
            TermKind::Call(node) => {
                let value = operand();
                let mut node = node.clone();
                node.for_each_operand_mut(|id| *id = value);
                self.text.push(')');
                self.add(ExprKind::Call(node), start, length);
            }
            TermKind::Binary(operator) => {
                let (right, left) = (operand(), operand());
                self.join(ExprKind::Binary(*operator, left, right), start);
            }
            TermKind::Choose => {
                let (no, yes, test) = (operand(), operand(), operand());
                self.join(ExprKind::Choose(test, yes, no), start);
            }
            TermKind::Number(_) | TermKind::Balanced(_) | TermKind::Shape { .. } => {}
        }
    }

    fn join(&mut self, kind: ExprKind, start: u32) {
        let span = self.since(start);
        let at = self.signs.pop().unwrap_or(span);
        let id = self.script.add(kind, span, at);
        self.values.push(id);
    }
}
