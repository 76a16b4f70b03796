//! Statements.

use super::{Halt, Parsed, Parser};
use crate::ast::Definition;
use crate::diagnostic::Report;
use crate::plan::{Counter, Mode, Span};
use crate::token::{Token, TokenKind};
use crate::word::{Word, nearest, spellings};

/// Places of the `generate` and `produce` statements that count.
#[derive(Debug, Default)]
pub(super) struct LimitStatements {
    pub generate: Option<Span>,
    pub produce: Option<Span>,
}

/// The kind of the previous statement, to notice two expressions in a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Previous {
    Condition,
    Definition,
    Other,
}

/// The words for vulnerability in v1.
pub(super) const VULNERABLE_IN_V1: [&[u8]; 6] = [b"none", b"all", b"ns", b"NS", b"ew", b"EW"];

/// Returns whether a token of this kind can be, or begin, the short name of a class of deals.
fn may_name_class(kind: TokenKind) -> bool {
    match kind {
        TokenKind::Word(word) => {
            !word.starts_statement() && !matches!(word, Word::And | Word::Or | Word::Not)
        }
        TokenKind::Name
        | TokenKind::Holding
        | TokenKind::Card(_)
        | TokenKind::Contract(_)
        | TokenKind::Distribution(_)
        | TokenKind::Number(_) => true,
        _ => false,
    }
}

impl<'a> Parser<'a> {
    /// Parses the script, and through `import` the other files.
    pub fn script(&mut self) {
        self.statements();
    }

    fn statements(&mut self) {
        while self.kind() != TokenKind::End && !self.reports.is_full() {
            let before = self.at;
            if self.statement().is_err() {
                self.resynchronise(before);
            }
        }
    }

    /// Moves to the next token that certainly begins a statement, after an error.
    fn resynchronise(&mut self, before: usize) {
        self.missing_parentheses = 0;
        self.last = Previous::Other;
        if self.at == before {
            self.advance();
        }
        while self.kind() != TokenKind::End {
            let starts = match self.kind() {
                TokenKind::Word(word) => word.starts_statement(),
                TokenKind::Name if self.starts_line(self.at) => {
                    self.starts_definition(self.at) || self.is_misspelt_statement(self.peek())
                }
                _ => false,
            };
            if starts {
                return;
            }
            self.advance();
        }
    }

    fn statement(&mut self) -> Parsed<()> {
        let token = self.peek();
        let previous = std::mem::replace(&mut self.last, Previous::Other);
        match token.kind {
            TokenKind::Bad => {
                self.advance();
                Err(Halt)
            }
            TokenKind::Semicolon => {
                self.advance();
                Ok(())
            }
            TokenKind::Word(word) if word.starts_statement() => {
                self.advance();
                self.worded(word, token)
            }
            TokenKind::Word(word) if word.is_action() && self.native() => self.bare_actions(),
            // v1 has one kind of token for `vulnerable` and for its values.
            _ if self.mode() == Mode::V1 && VULNERABLE_IN_V1.contains(&self.bytes(token.span)) => {
                self.advance();
                self.vulnerable_setting(token)
            }
            TokenKind::Name if self.is_pascal_assignment() => {
                let sign = self.ahead(1).span.to(self.ahead(2).span);
                let message = "a variable is defined with `=` alone";
                let report = Report::error("E204", sign, message).replace_with("=");
                self.reports.add(report.classic_syntax_error());
                self.advance();
                self.definition(token)
            }
            TokenKind::Name if self.begins_with_digit(token) => {
                let number = self.advance().span;
                self.name_with_digit(number)
            }
            TokenKind::Name if self.ahead(1).kind == TokenKind::Assign => self.definition(token),
            TokenKind::Name if self.is_import() => self.import(),
            TokenKind::Name if self.is_level() => self.level(),
            TokenKind::Holding
            | TokenKind::Card(_)
            | TokenKind::Contract(_)
            | TokenKind::Distribution(_)
            | TokenKind::Word(_)
                if self.ahead(1).kind == TokenKind::Assign =>
            {
                let report = self.reserved(token);
                self.reports.add(report);
                self.advance();
                let assign = self.advance().span;
                self.expression(assign, false).map(|_| ())
            }
            TokenKind::Name if self.is_misspelt_statement(token) => self.misspelt_statement(token),
            TokenKind::Number(_) if self.is_name_with_digit() => {
                let name = token.span.to(self.ahead(1).span);
                self.at += 2;
                self.name_with_digit(name)
            }
            TokenKind::Close if self.missing_parentheses > 0 => {
                self.missing_parentheses -= 1;
                self.advance();
                Ok(())
            }
            TokenKind::Number(_)
            | TokenKind::Decimal(_)
            | TokenKind::Name
            | TokenKind::Open
            | TokenKind::Bang
            | TokenKind::Minus
            | TokenKind::Word(_)
            | TokenKind::Holding
            | TokenKind::Card(_)
            | TokenKind::Contract(_)
            | TokenKind::Distribution(_) => self.bare_expression(previous),
            TokenKind::Comma if previous != Previous::Other => {
                self.unexpected("an operator or the next statement")
            }
            TokenKind::Star
            | TokenKind::Slash
            | TokenKind::Percent
            | TokenKind::Plus
            | TokenKind::AndAnd
            | TokenKind::OrOr
            | TokenKind::Equal
            | TokenKind::NotEqual
            | TokenKind::Less
            | TokenKind::LessEqual
            | TokenKind::Greater
            | TokenKind::GreaterEqual => self.bare_expression(previous),
            _ => self.unexpected("a statement"),
        }
    }

    fn worded(&mut self, word: Word, token: Token) -> Parsed<()> {
        match word {
            Word::Generate | Word::Produce => self.limit(word, token),
            Word::Seed => {
                let seed = self.digits(token)?;
                if seed == 0 && self.native() {
                    self.reports.add(Report::warning(
                        "W18",
                        token.span,
                        "0 is a seed like any other here: the same deals every time; DealerV2 would take a new one for every run (leave the statement out for that)",
                    ));
                }
                self.script.settings.seed = Some(seed as i64);
                Ok(())
            }
            Word::Startboard => {
                let board = self.digits(token)?;
                self.script.settings.start_board = Some(board);
                Ok(())
            }
            Word::Dealer => {
                let seat = self.seat_setting(token)?;
                self.script.settings.dealer = Some(seat);
                Ok(())
            }
            Word::Opener => {
                let seat = self.seat_setting(token)?;
                if self.mode() == Mode::V2 {
                    self.reports.add(Report::warning(
                        "W16",
                        token.span,
                        "DealerV2 ignores this statement; only the switch -O counts",
                    ));
                } else {
                    self.script.settings.opener = Some(seat);
                }
                Ok(())
            }
            Word::Vulnerable => self.vulnerable_setting(token),
            Word::Title => self.title(token),
            Word::Predeal => self.predeal(token.span),
            Word::Pointcount => self.count_values(Counter::Hcp, token.span),
            Word::Altcount => self.altcount(token),
            Word::Condition => {
                let value = self.expression(token.span, false)?;
                self.set_condition(value, token.span);
                Ok(())
            }
            _ => self.action_statement(token.span),
        }
    }

    fn set_condition(&mut self, value: crate::ast::ExprId, word: Span) {
        if let Some((_, earlier)) = self.script.condition {
            let line = self.sources.line(word);
            self.reports.add(Report::warning(
                "W01",
                earlier,
                format!("this condition has no effect: the one on line {line} replaces it; join them with `and`"),
            ));
        }
        self.script.condition = Some((value, word));
        self.last = Previous::Condition;
    }

    fn bare_expression(&mut self, previous: Previous) -> Parsed<()> {
        let start = self.at;
        self.statement_at = start;
        let token = self.peek();
        let value = self.expression(token.span, false)?;
        if previous != Previous::Other && !self.starts_line(start) {
            self.reports.add(Report::warning(
                "W10",
                token.span,
                "a second expression begins here and becomes the condition; is an operator missing before it?",
            ));
            if previous == Previous::Condition {
                self.script.condition = None;
            }
        }
        let span = self.script.expr(value).span;
        self.set_condition(value, span);
        Ok(())
    }

    fn definition(&mut self, name: Token) -> Parsed<()> {
        let bytes = self.bytes(name.span);
        self.advance();
        let assign = self.peek();
        let next = self.ahead(1);
        let comparison = self.mode() != Mode::V1 && Parser::adjacent(assign, next);
        if comparison && matches!(next.kind, TokenKind::Greater | TokenKind::Less) {
            // `x => 5` is a misspelt comparison, not a definition.
            self.at -= 1;
            return self.bare_expression(Previous::Other);
        }
        self.advance();
        let value = match self.expression(assign.span, false) {
            Ok(value) => value,
            Err(halt) => {
                self.wrong_definitions.insert(bytes, ());
                return Err(halt);
            }
        };
        if let Some(&first) = self.defined.get(bytes) {
            let earlier = self.script.definitions[first as usize].span;
            let line = self.sources.line(earlier);
            let mut message = format!(
                "`{}` is already defined on line {line}",
                self.text(name.span)
            );
            if earlier.source != name.span.source {
                message += &format!(" of {}", self.sources.place(earlier).file);
            }
            let at = self.peek().span;
            self.reports
                .add(Report::error("E303", name.span, message).classic(at, "redefined variable"));
            return Ok(());
        }
        let number = self.script.definitions.len() as u32;
        self.script.definitions.push(Definition {
            name: self.text(name.span),
            span: name.span,
            value,
            used: false,
        });
        self.defined.insert(bytes, number);
        self.last = Previous::Definition;
        Ok(())
    }

    /// Returns whether a name such as `1nt` follows. The classic programs read it as a number and a name, which is
    /// never meant.
    pub(super) fn is_name_with_digit(&self) -> bool {
        self.native()
            && matches!(self.kind(), TokenKind::Number(_))
            && self.ahead(1).kind == TokenKind::Name
            && Parser::adjacent(self.peek(), self.ahead(1))
    }

    /// Returns whether a name such as `12_14` begins here. Only classes of deals can have such names.
    pub(super) fn begins_with_digit(&self, token: Token) -> bool {
        self.bytes(token.span)[0].is_ascii_digit()
    }

    /// Reports E305, once for each spelling.
    pub(super) fn name_with_digit<T>(&mut self, name: Span) -> Parsed<T> {
        if self
            .wrong_definitions
            .insert(self.bytes(name), ())
            .is_none()
        {
            let text = self.text(name);
            self.reports.add(Report::error(
                "E305",
                name,
                format!("`{text}` cannot be a name: names begin with a letter"),
            ));
        }
        Err(Halt)
    }

    /// Returns whether a Pascal assignment follows: `a := 5`.
    fn is_pascal_assignment(&self) -> bool {
        self.native()
            && self.ahead(1).kind == TokenKind::Colon
            && self.ahead(2).kind == TokenKind::Assign
            && Parser::adjacent(self.ahead(1), self.ahead(2))
    }

    /// Returns whether a word at the start of a statement is neither variable nor call, but similar to a statement
    /// word.
    fn is_misspelt_statement(&self, token: Token) -> bool {
        let name = self.bytes(token.span);
        !self.is_defined(name)
            && !self.files.definitions.contains_key(name)
            && self.ahead(1).kind != TokenKind::Open
            && (Word::in_other_case(name).is_some()
                || nearest(&self.text(token.span), spellings(Word::starts_statement)).is_some()
                    && !self.ahead(1).kind.is_operator())
    }

    /// Makes the error E207 if a token is a word of the language in another case.
    pub(super) fn other_case(&self, token: Token) -> Option<Report> {
        let right = Word::in_other_case(self.bytes(token.span))?;
        let message = format!("words of the language are written exactly so: `{right}`");
        Some(Report::error("E207", token.span, message).replace_with(right))
    }

    fn misspelt_statement(&mut self, token: Token) -> Parsed<()> {
        let text = self.text(token.span);
        // The classic parsers notice an unknown name when no `=` follows it.
        let noticed = self.ahead(1).span;
        let report = match self.other_case(token) {
            Some(report) => report,
            None => {
                let best = nearest(&text, spellings(Word::starts_statement)).unwrap_or("condition");
                Report::error(
                    "E301",
                    token.span,
                    format!("there is no statement or variable `{text}`; did you mean `{best}`?"),
                )
                .replace_with(best)
            }
        };
        self.fail(report.classic(noticed, "unknown variable"))
    }

    /// Returns whether the native statement `level` begins here rather than a use of a variable of that name.
    fn is_level(&self) -> bool {
        let word = self.bytes(self.peek().span);
        let next = self.ahead(1).kind;
        word == b"level"
            && self.native()
            && !self.files.definitions.contains_key(word)
            && (may_name_class(next) || next == TokenKind::End || self.starts_line(self.at + 1))
    }

    /// Takes the name of a class of deals: letters, digits and `_` in any order, also `C`, `12_14` or `any`.
    fn class_name(&mut self) -> Option<Span> {
        if !may_name_class(self.kind()) {
            return None;
        }
        let mut span = self.advance().span;
        while may_name_class(self.kind()) && span.end == self.peek().span.start {
            span = span.to(self.advance().span);
        }
        Some(span)
    }

    /// Reads `level Game = 2, Slam = 1` or `level Game = 60%, Slam = 40%`: the shares of classes of deals, or of pairs
    /// of classes as in `Game*Weak`. Without names it means all classes with the shares that the script defines.
    fn level(&mut self) -> Parsed<()> {
        self.advance();
        let mut classes: Vec<String> = Vec::new();
        while !classes.is_empty() || !self.starts_line(self.at) {
            let Some(mut name) = self.class_name() else {
                break;
            };
            let mut class = self.text(name);
            while self.eat(TokenKind::Star) {
                self.script.levelled.push((self.text(name), name));
                let Some(second) = self.class_name() else {
                    return self.unexpected("the name of a class of deals");
                };
                name = second;
                class += &format!("*{}", self.text(name));
            }
            if self.eat(TokenKind::Assign) {
                match self.kind() {
                    TokenKind::Number(number)
                        if !number.large && (1..=1_000_000).contains(&number.wrapped) =>
                    {
                        self.advance();
                        let percent = if self.eat(TokenKind::Percent) {
                            "%"
                        } else {
                            ""
                        };
                        class += &format!("={}{percent}", number.wrapped);
                    }
                    _ => return self.unexpected("a share: a whole number from 1 to 1000000"),
                }
            }
            classes.push(class);
            self.script.levelled.push((self.text(name), name));
            if !self.eat(TokenKind::Comma) {
                break;
            }
        }
        self.script.settings.level = Some(classes.join(","));
        Ok(())
    }

    fn is_import(&self) -> bool {
        self.native()
            && self.ahead(1).kind == TokenKind::Text
            && self.bytes(self.peek().span) == b"import"
    }

    /// Reads the statements of the file of `import "file"` in place of the statement.
    fn import(&mut self) -> Parsed<()> {
        self.advance();
        let name = self.advance().span;
        // A file that cannot be read has been reported. A file that was read before is not read again.
        let Some(&file) = self.files.imports.get(&name) else {
            return Ok(());
        };
        let outer = (self.file, self.tokens, self.at);
        self.file = file;
        self.tokens = &self.files.list[file].lexed.tokens;
        self.at = 0;
        self.statements();
        (self.file, self.tokens, self.at) = outer;
        self.last = Previous::Other;
        Ok(())
    }
}
