//! Expressions: precedence climbing with an explicit stack, so that nesting does not use the machine stack.

use super::{Halt, Parsed, Parser};
use crate::ast::{ExprId, ExprKind, Operator};
use crate::diagnostic::Report;
use crate::function::{self, Arguments, Function};
use crate::plan::{BinaryOp, Mode, Span};
use crate::token::{Number, TokenKind};
use crate::word::Word;
use cards::Strain;

/// A construct that waits for its last operand.
pub(super) enum Frame {
    Binary {
        operator: Operator,
        left: ExprId,
        at: Span,
    },
    Not(Span),
    /// dealer3's `not` before a comparison, which negates the whole comparison.
    NotComparison(Span),
    Negate(Span),
    Group {
        open: Span,
    },
    /// `test ? _`
    Then {
        test: ExprId,
        at: Span,
    },
    /// `test ? yes : _`
    Else {
        test: ExprId,
        yes: ExprId,
        at: Span,
    },
    /// A function whose last argument comes next.
    Call {
        function: &'static Function,
        arguments: Arguments,
        word: Span,
        open: Span,
    },
}

/// Returns how tightly an operator binds; higher is tighter. In v2 each comparison, and each of `* / %`, has a level of
/// its own.
pub(crate) fn level(operator: Operator, v2: bool) -> u8 {
    use BinaryOp::*;
    match operator {
        Operator::Or => 2,
        Operator::And => 3,
        Operator::Strict(op) => match (op, v2) {
            (Equal, _) => 4,
            (NotEqual, _) => 4 + u8::from(v2),
            (Less, _) => 6,
            (LessEqual, _) => 6 + u8::from(v2),
            (Greater, _) => 6 + 2 * u8::from(v2),
            (GreaterEqual, _) => 6 + 3 * u8::from(v2),
            (Add | Subtract, _) => 10,
            (Multiply, _) => 11,
            (Divide, _) => 11 + u8::from(v2),
            (Remainder, _) => 11 + 2 * u8::from(v2),
        },
    }
}

impl<'a> Parser<'a> {
    /// Reads an expression. If there is none, the error is reported at `lacks`, the word or sign before it. With
    /// `inside`, the expression is in parentheses, so that a surplus `)` closes those.
    pub(super) fn expression(&mut self, lacks: Span, inside: bool) -> Parsed<ExprId> {
        let mut frames: Vec<Frame> = Vec::new();
        loop {
            if self.reports.is_full() {
                return Err(Halt);
            }
            let mut operand = self.operand(&mut frames, lacks)?;
            loop {
                operand = self.prefixes(&mut frames, operand);
                match self.operator(&mut frames, &mut operand)? {
                    Next::Operand => break,
                    Next::Operator => {}
                    Next::Done if !inside && self.kind() == TokenKind::Close => {
                        self.surplus_close()
                    }
                    Next::Done => return Ok(operand),
                }
            }
        }
    }

    /// Reports a `)` without partner and skips it.
    fn surplus_close(&mut self) {
        let close = self.advance().span;
        if self.missing_parentheses > 0 {
            self.missing_parentheses -= 1;
        } else {
            self.reports.add(
                Report::error("E202", close, "this `)` has no partner").classic_syntax_error(),
            );
        }
    }

    /// Reads one operand and pushes the constructs that open before it.
    fn operand(&mut self, frames: &mut Vec<Frame>, lacks: Span) -> Parsed<ExprId> {
        loop {
            let token = self.peek();
            match token.kind {
                TokenKind::Open => {
                    self.advance();
                    frames.push(Frame::Group { open: token.span });
                }
                TokenKind::Bang | TokenKind::Word(Word::Not) => {
                    self.advance();
                    let before_comparison = match frames.last() {
                        Some(Frame::Binary { operator, .. }) => {
                            matches!(operator, Operator::And | Operator::Or)
                        }
                        Some(Frame::Not(_) | Frame::Negate(_)) => false,
                        _ => true,
                    };
                    frames.push(if self.options.dealer3 && before_comparison {
                        Frame::NotComparison(token.span)
                    } else {
                        Frame::Not(token.span)
                    });
                }
                TokenKind::Minus => {
                    self.advance();
                    frames.push(Frame::Negate(token.span));
                }
                TokenKind::Number(_) if self.is_name_with_digit() => {
                    let name = token.span.to(self.ahead(1).span);
                    self.at += 2;
                    return self.name_with_digit(name);
                }
                TokenKind::Name if self.begins_with_digit(token) => {
                    self.advance();
                    return self.name_with_digit(token.span);
                }
                TokenKind::Word(Word::Suit(_) | Word::Notrump)
                    if self.options.dealer3 && self.ahead(1).kind != TokenKind::Open =>
                {
                    self.advance();
                    let strain = match token.kind {
                        TokenKind::Word(Word::Suit(suit)) => Strain::from(suit),
                        _ => Strain::Notrump,
                    };
                    let value = strain.index() as i32;
                    return Ok(self.add_number(frames, value, false, token.span));
                }
                TokenKind::Number(number) => {
                    self.advance();
                    return Ok(self.literal(frames, number, token.span));
                }
                TokenKind::Decimal(value) => {
                    self.advance();
                    return Ok(self.add_number(frames, value, true, token.span));
                }
                TokenKind::Word(word) => {
                    let Some(function) = function::of_word(word) else {
                        return self.no_operand(frames, lacks);
                    };
                    if let Some(value) = self.call(frames, function)? {
                        return Ok(value);
                    }
                }
                TokenKind::Name if !self.is_next_definition() => {
                    if let Some(value) = self.name(frames, token)? {
                        return Ok(value);
                    }
                }
                _ => return self.no_operand(frames, lacks),
            }
        }
    }

    /// Returns whether the next line is a definition, as in `hcp(north) >= ` newline `x = 3`. The operand is then
    /// missing.
    fn is_next_definition(&self) -> bool {
        // v1 ignores line ends.
        self.mode() != Mode::V1
            && self.starts_definition(self.at)
            && self.at > 0
            && self.starts_line(self.at)
    }

    fn literal(&mut self, frames: &mut Vec<Frame>, number: Number, span: Span) -> ExprId {
        let negative = matches!(frames.last(), Some(Frame::Negate(_)));
        if number.large {
            let smallest = negative && self.bytes(span) == b"2147483648";
            if self.mode() == Mode::Native {
                if !smallest {
                    self.reports.add(Report::error(
                        "E104",
                        span,
                        "this number is too large; the limit is 2147483647",
                    ));
                }
            } else {
                let value = number.wrapped;
                self.reports.add(Report::warning(
                    "W14",
                    span,
                    format!("this number does not fit in 32 bits and is read as {value}"),
                ));
            }
        }
        self.add_number(frames, number.wrapped, false, span)
    }

    /// Adds a number. A minus sign directly before it becomes part of it.
    fn add_number(
        &mut self,
        frames: &mut Vec<Frame>,
        value: i32,
        decimal: bool,
        span: Span,
    ) -> ExprId {
        let (value, span) = match frames.last() {
            Some(&Frame::Negate(minus)) => {
                frames.pop();
                (value.wrapping_neg(), minus.to(span))
            }
            _ => (value, span),
        };
        self.script
            .add(ExprKind::Number { value, decimal }, span, span)
    }

    /// Applies the prefixes `not` and `-`, which bind tighter than all other operators.
    fn prefixes(&mut self, frames: &mut Vec<Frame>, mut operand: ExprId) -> ExprId {
        loop {
            let (kind, at) = match frames.last() {
                Some(&Frame::Not(at)) => (ExprKind::Not(operand), at),
                Some(&Frame::Negate(at)) => (ExprKind::Negate(operand), at),
                _ => return operand,
            };
            frames.pop();
            let span = at.to(self.script.expr(operand).span);
            operand = self.script.add(kind, span, at);
        }
    }

    /// Decides how to continue after an operand.
    fn operator(&mut self, frames: &mut Vec<Frame>, operand: &mut ExprId) -> Parsed<Next> {
        let token = self.peek();
        if let Some((operator, at)) = self.binary_operator(frames) {
            self.reduce(frames, operand, self.binding(operator));
            frames.push(Frame::Binary {
                operator,
                left: *operand,
                at,
            });
            return Ok(Next::Operand);
        }
        match token.kind {
            TokenKind::Question => {
                self.reduce(frames, operand, 2);
                self.advance();
                frames.push(Frame::Then {
                    test: *operand,
                    at: token.span,
                });
                Ok(Next::Operand)
            }
            TokenKind::Colon => {
                self.reduce(frames, operand, 0);
                let Some(&Frame::Then { test, at }) = frames.last() else {
                    return self.unfinished(frames);
                };
                frames.pop();
                self.advance();
                frames.push(Frame::Else {
                    test,
                    yes: *operand,
                    at,
                });
                Ok(Next::Operand)
            }
            TokenKind::Close => {
                self.reduce(frames, operand, 0);
                self.close(frames, operand)
            }
            _ => {
                self.reduce(frames, operand, 0);
                if frames.is_empty() {
                    return Ok(Next::Done);
                }
                self.unfinished(frames)
            }
        }
    }

    /// Takes a binary operator. Reports a misspelt one and takes it too.
    fn binary_operator(&mut self, frames: &[Frame]) -> Option<(Operator, Span)> {
        use BinaryOp::*;
        let token = self.peek();
        let next = self.ahead(1);
        let touching = Parser::adjacent(token, next);
        let strict = |op| Some((Operator::Strict(op), 1, None));
        let wrong = |op, right: &'static str, length| Some((op, length, Some(("E204", right))));
        let (operator, length, mistake) = match token.kind {
            TokenKind::AndAnd | TokenKind::Word(Word::And) => Some((Operator::And, 1, None)),
            TokenKind::OrOr | TokenKind::Word(Word::Or) => Some((Operator::Or, 1, None)),
            TokenKind::Less if touching && next.kind == TokenKind::Greater => {
                wrong(Operator::Strict(NotEqual), "!=", 2)
            }
            TokenKind::Assign if touching && next.kind == TokenKind::Greater => {
                wrong(Operator::Strict(GreaterEqual), ">=", 2)
            }
            TokenKind::Assign if touching && next.kind == TokenKind::Less => {
                wrong(Operator::Strict(LessEqual), "<=", 2)
            }
            TokenKind::Assign if touching && next.kind == TokenKind::Bang => {
                wrong(Operator::Strict(NotEqual), "!=", 2)
            }
            TokenKind::Assign => Some((Operator::Strict(Equal), 1, Some(("E203", "==")))),
            TokenKind::SingleAnd => wrong(Operator::And, "and", 1),
            TokenKind::SingleOr => wrong(Operator::Or, "or", 1),
            TokenKind::Equal => strict(Equal),
            TokenKind::NotEqual => strict(NotEqual),
            TokenKind::LessEqual => strict(LessEqual),
            TokenKind::GreaterEqual => strict(GreaterEqual),
            TokenKind::Less => strict(Less),
            TokenKind::Greater => strict(Greater),
            TokenKind::Plus => strict(Add),
            TokenKind::Minus => strict(Subtract),
            TokenKind::Star => strict(Multiply),
            TokenKind::Slash => strict(Divide),
            TokenKind::Percent => strict(Remainder),
            TokenKind::Name => {
                let name = self.bytes(token.span);
                if self.files.definitions.contains_key(name) {
                    return None;
                }
                let upper = |word: &[u8]| name.eq_ignore_ascii_case(word);
                if upper(b"and") {
                    Some((Operator::And, 1, Some(("E201", "and"))))
                } else if upper(b"or") {
                    Some((Operator::Or, 1, Some(("E201", "or"))))
                } else {
                    None
                }
            }
            _ => None,
        }?;
        let span = token.span.to(self.ahead(length - 1).span);
        if let Some((code, right)) = mistake.filter(|_| !self.reports.is_full()) {
            let text = self.text(span);
            let message = match code {
                "E203" => "`=` defines a name; to compare write `==`".to_owned(),
                "E201" => {
                    format!("`{text}` is no operator; words are in lower case: write `{right}`")
                }
                _ => format!("`{text}` is no operator; write `{right}`"),
            };
            let is_bracket = |it: &Frame| matches!(it, Frame::Group { .. } | Frame::Call { .. });
            // At the start of a statement the classic programs read it as a name.
            let classic = if code == "E201" && !frames.iter().any(is_bracket) {
                "unknown variable"
            } else {
                "syntax error"
            };
            let report = Report::error(code, span, message).replace_with(right);
            self.reports.add(report.classic(span, classic));
        }
        self.at += length;
        Some((operator, span))
    }

    /// Completes pending operators that bind at least as tightly as `least`.
    fn reduce(&mut self, frames: &mut Vec<Frame>, operand: &mut ExprId, least: u8) {
        loop {
            let (kind, first, at) = match frames.last() {
                Some(&Frame::Binary { operator, left, at }) if self.binding(operator) >= least => {
                    if let Some(range) = self.range(operator, left, *operand, at) {
                        frames.pop();
                        *operand = range;
                        continue;
                    }
                    self.lint_operator(operator, left, *operand, at);
                    (ExprKind::Binary(operator, left, *operand), left, at)
                }
                Some(&Frame::NotComparison(at)) if least <= level(Operator::And, false) => {
                    frames.pop();
                    let span = at.to(self.script.expr(*operand).span);
                    *operand = self.script.add(ExprKind::Not(*operand), span, at);
                    continue;
                }
                Some(&Frame::Else { test, yes, at }) if least <= 1 => {
                    (ExprKind::Choose(test, yes, *operand), test, at)
                }
                _ => return,
            };
            frames.pop();
            let span = self
                .script
                .expr(first)
                .span
                .to(self.script.expr(*operand).span);
            *operand = self.script.add(kind, span, at);
        }
    }

    /// Returns how tightly an operator binds in the dialect that is read.
    fn binding(&self, operator: Operator) -> u8 {
        match operator {
            // dealer3 has one level for all comparisons.
            Operator::Strict(op) if self.options.dealer3 && is_comparison(op) => {
                level(Operator::Strict(BinaryOp::Less), false)
            }
            _ => level(operator, self.mode() == Mode::V2),
        }
    }

    /// Reads `15 <= x <= 17` as a range: both comparisons must hold. In native mode both must have the same direction;
    /// in dealer3's language any comparisons do. The classic programs compare the 0 or 1 of the first comparison with
    /// the last value.
    fn range(
        &mut self,
        operator: Operator,
        left: ExprId,
        right: ExprId,
        at: Span,
    ) -> Option<ExprId> {
        let Operator::Strict(op) = operator else {
            return None;
        };
        let expr = self.script.expr(left);
        if !self.native() || !is_comparison(op) || expr.grouped {
            return None;
        }
        let (first, middle) = match expr.kind {
            ExprKind::Binary(Operator::Strict(first), _, middle) => (first, middle),
            ExprKind::Binary(Operator::And, _, last) if expr.range => {
                match self.script.expr(last).kind {
                    ExprKind::Binary(Operator::Strict(first), _, middle) => (first, middle),
                    _ => return None,
                }
            }
            _ => return None,
        };
        let upward = |op| matches!(op, BinaryOp::Less | BinaryOp::LessEqual);
        let downward = |op| matches!(op, BinaryOp::Greater | BinaryOp::GreaterEqual);
        let same_way = upward(op) && upward(first) || downward(op) && downward(first);
        if !(same_way || self.options.dealer3 && is_comparison(first)) {
            return None;
        }
        let start = expr.span;
        let end = self.script.expr(right).span;
        let kind = ExprKind::Binary(operator, middle, right);
        let span = self.script.expr(middle).span.to(end);
        let second = self.script.add(kind, span, at);
        let both = ExprKind::Binary(Operator::And, left, second);
        let id = self.script.add(both, start.to(end), at);
        self.script.expressions[id.index()].range = true;
        Some(id)
    }

    /// Warns about operators that group differently than they appear to.
    fn lint_operator(&mut self, operator: Operator, left: ExprId, right: ExprId, at: Span) {
        let v2 = self.mode() == Mode::V2;
        let Operator::Strict(op) = operator else {
            return;
        };
        let loose = |id: ExprId| {
            let expr = self.script.expr(id);
            match expr.kind {
                _ if expr.grouped => None,
                ExprKind::Binary(Operator::Strict(inner), ..) => Some(inner),
                _ => None,
            }
        };
        let classic_level = |op| level(Operator::Strict(op), false);
        let v2_level = |op| level(Operator::Strict(op), true);
        let mut warnings = Vec::new();
        for (id, is_left) in [(left, true), (right, false)] {
            let Some(inner) = loose(id) else { continue };
            if classic_level(inner) != classic_level(op) {
                continue;
            }
            // v1 has one level for them and groups from the left. v2 groups by its own levels.
            let differs = if v2 {
                !is_left
            } else {
                is_left && v2_level(op) > v2_level(inner)
            };
            if differs && !self.mode().is_v1() {
                warnings.push(Report::warning(
                    "W04",
                    at,
                    "dealer and DealerV2 group these operators differently; use parentheses to say what you mean",
                ));
            }
            if classic_level(op) <= 9 {
                warnings.push(Report::warning(
                    "W05",
                    at,
                    "a chain of comparisons compares the 0 or 1 of the first with the last; write `a < b and b < c`",
                ));
            }
        }
        let negated = self.script.expr(left);
        if let ExprKind::Not(operand) = negated.kind
            && !negated.grouped
        {
            let operand = self.script.expr(operand).span;
            let operand = Span {
                end: operand.start,
                ..operand
            };
            let end = self.script.expr(right).span;
            let end = Span {
                start: end.end,
                ..end
            };
            let edits = vec![(operand, "(".to_owned()), (end, ")".to_owned())];
            warnings.push(
                Report::warning(
                    "W03",
                    negated.at,
                    "`not` applies only to the operand right after it; write `not (a > b)` to negate the comparison",
                )
                .with_fix("Negate the comparison: `not (...)`", edits),
            );
        }
        for warning in warnings {
            self.reports.add(warning);
        }
    }

    /// Handles a `)`: it closes the innermost parenthesis, or ends the expression of the caller.
    fn close(&mut self, frames: &mut Vec<Frame>, operand: &mut ExprId) -> Parsed<Next> {
        let close = self.peek().span;
        match frames.last() {
            None => Ok(Next::Done),
            Some(&Frame::Group { open }) => {
                frames.pop();
                self.advance();
                let expr = &mut self.script.expressions[operand.index()];
                expr.grouped = true;
                expr.span = open.to(close);
                Ok(Next::Operator)
            }
            Some(Frame::Call {
                function,
                arguments,
                word,
                ..
            }) => {
                let word = *word;
                let node = (function.node)(&Arguments {
                    value: Some(*operand),
                    ..arguments.clone()
                });
                frames.pop();
                self.advance();
                *operand = self.script.add(ExprKind::Call(node), word.to(close), word);
                Ok(Next::Operator)
            }
            Some(_) => self.unfinished(frames),
        }
    }

    /// Reports that the expression ends while a construct is still open.
    fn unfinished(&mut self, frames: &[Frame]) -> Parsed<Next> {
        let token = self.peek();
        if token.kind == TokenKind::Bad {
            return Err(Halt);
        }
        let report = match frames.last() {
            Some(&Frame::Then { at, .. }) => {
                if self.at_statement_end() || token.kind == TokenKind::Close {
                    Report::error(
                        "E201",
                        at,
                        "this `?` has no `:`; expected `test ? yes : no`",
                    )
                    .classic(token.span, "syntax error")
                } else {
                    let message = format!(
                        "{} does not fit here; expected `:` or an operator",
                        self.describe(token)
                    );
                    Report::error("E201", token.span, message).classic_syntax_error()
                }
            }
            Some(&Frame::Group { open } | &Frame::Call { open, .. }) if self.at_statement_end() => {
                Report::error("E202", open, "this `(` is not closed")
                    .classic(token.span, "syntax error")
            }
            Some(Frame::Call { function, .. }) if token.kind == TokenKind::Comma => {
                let signature = function.signature;
                Report::error(
                    "E306",
                    self.ahead(1).span,
                    format!("one argument too many: {signature}"),
                )
                .classic(token.span, "syntax error")
            }
            Some(_) => {
                let message = format!(
                    "{} does not fit here; expected an operator or `)`",
                    self.describe(token)
                );
                Report::error("E201", token.span, message).classic_syntax_error()
            }
            None => return self.unexpected("an operator or the next statement"),
        };
        self.fail(report)
    }
}

fn is_comparison(op: BinaryOp) -> bool {
    use BinaryOp::*;
    matches!(
        op,
        Equal | NotEqual | Less | LessEqual | Greater | GreaterEqual
    )
}

/// The next step of the expression loop.
enum Next {
    Operand,
    Operator,
    Done,
}
