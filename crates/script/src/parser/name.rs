//! Names: variables, and errors about unknown names.

use super::expression::Frame;
use super::{Parsed, Parser};
use crate::ast::{ExprId, ExprKind};
use crate::diagnostic::Report;
use crate::plan::Span;
use crate::token::{Token, TokenKind};
use crate::word::{Word, nearest, spellings};

impl Parser<'_> {
    pub(super) fn name(&mut self, frames: &mut Vec<Frame>, token: Token) -> Parsed<Option<ExprId>> {
        let name = self.bytes(token.span);
        if name == b"metric" && self.native() && self.calls_metric() {
            return self.metric().map(Some);
        }
        if name == b"if" && !self.files.definitions.contains_key(name) {
            let message = "there is no `if`; write `condition ? value : other value`, or join conditions with `and`";
            let noticed = self.noticed(token);
            let report = Report::error("E201", token.span, message);
            return self.fail(report.classic(noticed, "unknown variable"));
        }
        if let Some(&number) = self.defined.get(name) {
            self.advance();
            self.script.definitions[number as usize].used = true;
            let id = self
                .script
                .add(ExprKind::Variable(number), token.span, token.span);
            return Ok(Some(id));
        }
        if name.eq_ignore_ascii_case(b"not") {
            let noticed = self.noticed(token);
            let report = Report::error("E201", token.span, "words are in lower case: write `not`");
            self.reports
                .add(report.classic(noticed, "unknown variable"));
            self.advance();
            frames.push(Frame::Not(token.span));
            return Ok(None);
        }
        if self.ahead(1).kind == TokenKind::Open && !self.files.definitions.contains_key(name) {
            if name == b"metric" && self.native() {
                return self.metric().map(Some);
            }
            return Ok(Some(self.unknown_function(token)));
        }
        if !self.wrong_definitions.contains_key(name) {
            let noticed = self.noticed(token);
            let report = self.unknown_name(token);
            self.reports
                .add(report.classic(noticed, "unknown variable"));
        }
        self.advance();
        Ok(Some(self.placeholder(token.span)))
    }

    /// Returns whether a call `metric(zar, ...)` begins here, also if the script has a variable of that name.
    fn calls_metric(&self) -> bool {
        let name = self.text(self.ahead(2).span);
        Parser::adjacent(self.peek(), self.ahead(1))
            && self.ahead(1).kind == TokenKind::Open
            && self.ahead(3).kind == TokenKind::Comma
            && valuation::metrics::by_name(&name).is_some()
    }

    /// Adds a placeholder for an operand that could not be read.
    pub(super) fn placeholder(&mut self, span: Span) -> ExprId {
        let zero = ExprKind::Number {
            value: 0,
            decimal: false,
        };
        self.script.add(zero, span, span)
    }

    fn unknown_function(&mut self, token: Token) -> ExprId {
        let name = self.text(token.span);
        let mut message = format!("there is no function `{name}`");
        let known = spellings(Word::is_function).chain(["metric"]);
        let best = nearest(&name, known);
        let action = spellings(Word::is_action).find(|&a| a == name);
        if let (None, Some(action)) = (best, action) {
            message += &format!("; `{action}` is an action");
        }
        if let Some(instead) = known_replacement(&name) {
            message = format!("there is no function `{name}`; {instead}");
        }
        let report = Report::error("E302", token.span, message).suggest(best);
        let noticed = self.noticed(token);
        self.reports
            .add(report.classic(noticed, "unknown variable"));
        self.advance();
        self.skip_parentheses();
        self.placeholder(token.span)
    }

    /// Makes the error about a name that is not defined before its use.
    fn unknown_name(&self, token: Token) -> Report {
        let name = self.text(token.span);
        let bytes = self.bytes(token.span);
        if let Some(&later) = self.files.definitions.get(bytes) {
            let order = |span| self.sources.order(span);
            if order(later) > order(token.span) {
                let line = self.sources.line(later);
                return Report::error(
                    "E304",
                    token.span,
                    format!(
                        "`{name}` is used here but defined only on line {line}; move the definition up"
                    ),
                );
            }
            return Report::error(
                "E301",
                token.span,
                format!("`{name}` is not defined yet: its definition cannot refer to itself"),
            );
        }
        if let Some(word) = Word::in_other_case(bytes) {
            return Report::error(
                "E207",
                token.span,
                format!("words of the language are written exactly so: `{word}`"),
            )
            .replace_with(word);
        }
        let names = self.script.definitions.iter().map(|d| d.name.as_str());
        let message = format!("there is no variable `{name}`");
        let report = |message| Report::error("E301", token.span, message);
        match nearest(&name, names) {
            Some(best) => report(message).suggest(Some(best)),
            None => match nearest(&name, spellings(Word::is_function)) {
                Some(best) => report(format!("{message}; did you mean the function `{best}`?")),
                None => report(message),
            },
        }
    }

    /// Returns where the classic parsers notice an unknown name: at the name itself, or at the start of a statement at
    /// the token after it, which could be `=`.
    fn noticed(&self, token: Token) -> Span {
        match self.statement_at == self.at {
            true => self.ahead(1).span,
            false => token.span,
        }
    }
}

/// Returns the right expression for function names of other programs.
fn known_replacement(name: &str) -> Option<&'static str> {
    Some(match name.to_ascii_lowercase().as_str() {
        "length" | "len" | "suitlength" | "suit" | "cards" => {
            "the length of a suit is `spades(north)`, `hearts(north)` and so on"
        }
        "points" | "pts" | "hcpoints" | "highcardpoints" => "high-card points are `hcp(north)`",
        "semibalanced" | "semi_balanced" | "semibal" => {
            "write the shapes: `shape(north, any 4333 + any 4432 + any 5332 + any 5422 + any 6322)`"
        }
        "bal" | "isbalanced" | "is_balanced" | "flat" => "balanced hands are `balanced(north)`",
        "void" | "singleton" | "doubleton" | "shortness" => {
            "write it as a shape: `shape(north, any 0xxx)` or `shape(north, any 1xxx)`"
        }
        "distribution" | "dist" | "pattern" => "shapes are `shape(north, any 4432)`",
        "has" | "holds" | "card" | "hascards" => "a card is asked for with `hascard(north, AS)`",
        "topcards" | "honors" | "honours" | "top" => {
            "the highest cards are counted by `top2`, `top3`, `top4` and `top5`"
        }
        "ddtricks" | "doubledummy" | "dd" => {
            "double-dummy tricks are `tricks(north, spades)` or `dds(north, spades)`"
        }
        "random" | "rand" => "a random number is `rnd(100)`",
        "min" | "max" => "write it with `?`: `a < b ? a : b`",
        "ltp" | "losingtricks" => "losing tricks are `losers(north)` or `ltc(north)`",
        "zar" | "bumrap" | "bumwrap" | "fifths" | "kr" | "knr" | "goren" | "bergen" => {
            "metrics are asked for by name: `metric(zar, NS)`; `croupier metrics` lists them"
        }
        _ => return None,
    })
}
