//! Errors about missing operands, and about other words in their place.

use super::expression::Frame;
use super::{Halt, Parsed, Parser};
use crate::diagnostic::Report;
use crate::plan::Span;
use crate::token::{Token, TokenKind};
use crate::word::Word;

impl<'a> Parser<'a> {
    /// Reports a missing operand.
    pub(super) fn no_operand<T>(&mut self, frames: &[Frame], lacks: Span) -> Parsed<T> {
        let token = self.peek();
        if token.kind == TokenKind::Bad {
            return Err(Halt);
        }
        if let Some(report) = self.misplaced_word(token) {
            return self.fail(report);
        }
        let empty = self.empty_variable_here();
        let ends = matches!(
            token.kind,
            TokenKind::End
                | TokenKind::Close
                | TokenKind::Comma
                | TokenKind::Colon
                | TokenKind::Question
        ) || self.at_statement_end();
        let is_operator = !ends
            && !matches!(
                token.kind,
                TokenKind::Word(_) | TokenKind::Text | TokenKind::Newline
            );
        let report = match frames.last() {
            Some(&Frame::Call { function, .. }) if token.kind == TokenKind::Close => {
                let signature = function.signature;
                // The last word of the signature names the value.
                let last = signature.trim_end_matches(')').rsplit(['(', ' ']).next();
                let what = match last {
                    Some("tricks") => "number of tricks",
                    Some(name) => name,
                    None => "value",
                };
                Report::error(
                    "E306",
                    token.span,
                    format!("the {what} is missing: {signature}"),
                )
            }
            Some(
                &Frame::Binary { at, .. }
                | &Frame::Not(at)
                | &Frame::NotComparison(at)
                | &Frame::Negate(at)
                | &Frame::Then { at, .. }
                | &Frame::Else { at, .. },
            ) if ends || empty.is_some() => {
                let sign = self.text(at);
                Report::error("E205", at, format!("`{sign}` lacks its right operand"))
            }
            Some(&Frame::Group { open } | &Frame::Call { open, .. }) if ends => {
                if token.kind == TokenKind::Close {
                    Report::error("E205", open, "there is nothing between these parentheses")
                } else {
                    Report::error("E202", open, "this `(` is not closed")
                }
            }
            None if ends || empty.is_some() => {
                let word = self.text(lacks);
                Report::error(
                    "E205",
                    lacks,
                    format!("an expression is missing after `{word}`"),
                )
            }
            None | Some(Frame::Group { .. } | Frame::Call { .. }) if is_operator => {
                let sign = self.text(token.span);
                Report::error(
                    "E205",
                    token.span,
                    format!("`{sign}` lacks its left operand"),
                )
            }
            _ => Report::error(
                "E201",
                token.span,
                format!(
                    "{} does not fit here; expected a value: a number, a variable, a function or `(`",
                    self.describe(token)
                ),
            ),
        };
        let mut report = report.classic(token.span, "syntax error");
        if let Some((n, span)) = empty {
            if report.code == "E201" {
                report.code = "E205";
                report.span = span;
            }
            report.message = format!(
                "{}: `${n}` stands for nothing (option -{n} is not given or empty)",
                report.message
            );
        }
        self.fail(report)
    }

    /// Returns the `$n` with an empty text right before the next token.
    pub(super) fn empty_variable_here(&self) -> Option<(u8, Span)> {
        let list = &self.files.list[self.file].lexed.empty_variables;
        let at = list.partition_point(|&(next, ..)| (next as usize) < self.at);
        list.get(at)
            .filter(|&&(next, ..)| next as usize == self.at)
            .map(|&(_, n, span)| (n, span))
    }

    /// Explains a word or card notation where a value should be.
    fn misplaced_word(&self, token: Token) -> Option<Report> {
        let text = self.text(token.span);
        let followed_by_assign = self.ahead(1).kind == TokenKind::Assign;
        let (code, message) = match token.kind {
            TokenKind::Holding
            | TokenKind::Card(_)
            | TokenKind::Contract(_)
            | TokenKind::Distribution(_)
                if followed_by_assign =>
            {
                return Some(self.reserved(token));
            }
            TokenKind::Holding => (
                "E305",
                format!(
                    "`{text}` is read as a holding (as in `predeal north {text}`) and cannot be a name"
                ),
            ),
            TokenKind::Card(_) => (
                "E305",
                format!(
                    "`{text}` is a card and cannot be a name; to ask for it write `hascard(north, {text})`"
                ),
            ),
            TokenKind::Contract(_) => (
                "E305",
                format!(
                    "`{text}` is a contract and cannot be a name; contracts stand in `score(vul, {text}, tricks)`"
                ),
            ),
            TokenKind::Distribution(_) => (
                "E201",
                format!("`{text}` is a shape; to test for it write `shape(north, {text})`"),
            ),
            TokenKind::Word(Word::Any) => {
                ("E201", "`any` stands only inside `shape(...)`".to_owned())
            }
            TokenKind::Word(word) if word.is_action() => (
                "E201",
                format!("`{text}` is an action; actions follow the word `action`"),
            ),
            TokenKind::Word(word) if followed_by_assign && !word.starts_statement() => {
                return Some(self.reserved(token));
            }
            _ => return None,
        };
        Some(Report::error(code, token.span, message).classic_syntax_error())
    }

    /// Makes the error E305: a variable cannot have this name.
    pub(super) fn reserved(&self, token: Token) -> Report {
        let text = self.text(token.span);
        let why = match token.kind {
            TokenKind::Holding => "it is read as a holding: a suit letter and ranks",
            TokenKind::Card(_) => "it is read as a card",
            TokenKind::Contract(_) => "it is read as a contract",
            TokenKind::Distribution(_) => "it is read as a shape",
            _ => "it is a word of the language",
        };
        Report::error(
            "E305",
            token.span,
            format!("`{text}` cannot be a name: {why}; choose another, such as `my_{text}`"),
        )
        .classic(self.ahead(1).span, "syntax error")
    }

    /// Skips a parenthesised list that could not be read.
    pub(super) fn skip_parentheses(&mut self) {
        if self.kind() != TokenKind::Open {
            return;
        }
        let mut depth = 0_usize;
        loop {
            match self.kind() {
                TokenKind::Open => depth += 1,
                TokenKind::Close => depth -= 1,
                TokenKind::End => return,
                TokenKind::Word(word) if word.starts_statement() => return,
                _ => {}
            }
            self.advance();
            if depth == 0 {
                return;
            }
        }
    }
}
