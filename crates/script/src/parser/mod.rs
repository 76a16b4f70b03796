//! The parser: builds the syntax tree from tokens.
//!
//! A parsing function that fails has reported the error and returns [`Halt`]. The statement loop then continues at the
//! next token that can begin a statement.

mod action;
mod argument;
mod call;
mod expression;
mod missing;
mod name;
mod predeal;
mod setting;
mod shapes;
mod statement;

use std::collections::HashMap;

use crate::CompileOptions;
use crate::ast::Script;
use crate::diagnostic::{Report, Reports};
use crate::loader::Files;
use crate::plan::{Mode, Span};
use crate::source::SourceMap;
use crate::token::{FdText, Token, TokenKind};
use crate::word::Word;
use cards::Seat;

/// Returned by a parsing function that has reported an error and gives up.
#[derive(Debug)]
pub(crate) struct Halt;

pub(crate) type Parsed<T> = Result<T, Halt>;

/// Parses the files of one script.
pub(crate) struct Parser<'a> {
    pub sources: &'a SourceMap,
    pub reports: &'a mut Reports,
    pub script: Script,
    files: &'a Files,
    fd_texts: &'a [FdText],
    options: &'a CompileOptions<'a>,
    /// Number of the file being read.
    file: usize,
    tokens: &'a [Token],
    at: usize,
    /// Definitions read so far, by name.
    defined: HashMap<&'a [u8], u32>,
    /// Number of missing `)` that were reported. As many surplus ones are ignored.
    missing_parentheses: u32,
    /// Number of the token at which a statement that is an expression begins.
    statement_at: usize,
    /// Names whose definitions are wrong. They are not reported as unknown.
    wrong_definitions: HashMap<&'a [u8], ()>,
    limits: statement::LimitStatements,
    last: statement::Previous,
}

impl<'a> Parser<'a> {
    pub fn new(
        sources: &'a SourceMap,
        reports: &'a mut Reports,
        files: &'a Files,
        fd_texts: &'a [FdText],
        options: &'a CompileOptions<'a>,
    ) -> Parser<'a> {
        Parser {
            sources,
            reports,
            script: Script::default(),
            files,
            fd_texts,
            options,
            file: 0,
            tokens: &files.list[0].lexed.tokens,
            at: 0,
            defined: HashMap::new(),
            missing_parentheses: 0,
            statement_at: usize::MAX,
            wrong_definitions: HashMap::new(),
            limits: statement::LimitStatements::default(),
            last: statement::Previous::Other,
        }
    }

    fn mode(&self) -> Mode {
        self.options.mode
    }

    /// Returns whether the dialect is native, which accepts the language of the whole dealer family.
    fn native(&self) -> bool {
        self.options.mode == Mode::Native
    }

    /// Returns the seat of a single letter: `n`, `E`.
    fn seat_letter(&self, token: Token) -> Option<Seat> {
        let letter = matches!(token.kind, TokenKind::Name | TokenKind::Holding);
        match self.bytes(token.span) {
            &[letter_byte] if letter && self.native() => {
                Seat::from_letter(char::from(letter_byte.to_ascii_uppercase()))
            }
            _ => None,
        }
    }

    fn peek(&self) -> Token {
        self.tokens[self.at]
    }

    fn kind(&self) -> TokenKind {
        self.tokens[self.at].kind
    }

    /// Returns the token `n` further on. After the last token it is the end token.
    fn ahead(&self, n: usize) -> Token {
        self.tokens[(self.at + n).min(self.tokens.len() - 1)]
    }

    fn advance(&mut self) -> Token {
        let token = self.tokens[self.at];
        if token.kind != TokenKind::End {
            self.at += 1;
        }
        token
    }

    /// Takes the next token if it is of this kind.
    fn eat(&mut self, kind: TokenKind) -> bool {
        let found = self.kind() == kind;
        if found {
            self.at += 1;
        }
        found
    }

    fn previous_span(&self) -> Span {
        self.tokens[self.at.saturating_sub(1)].span
    }

    fn bytes(&self, span: Span) -> &'a [u8] {
        self.sources.bytes(span)
    }

    fn text(&self, span: Span) -> String {
        self.sources.text(span)
    }

    /// Returns whether the token with this number is the first of its line.
    fn starts_line(&self, at: usize) -> bool {
        let Some(before) = at.checked_sub(1) else {
            return true;
        };
        let from = self.sources.in_file(self.tokens[before].span);
        let to = self.sources.in_file(self.tokens[at].span);
        from.source != to.source
            || from.end <= to.start
                && self.sources.get(to.source).bytes[from.end as usize..to.start as usize]
                    .contains(&b'\n')
    }

    /// Returns whether two tokens touch.
    fn adjacent(a: Token, b: Token) -> bool {
        a.span.source == b.span.source && a.span.end == b.span.start
    }

    fn is_defined(&self, name: &[u8]) -> bool {
        self.defined.contains_key(name)
    }

    /// Returns whether a definition begins at the token with this number.
    fn starts_definition(&self, at: usize) -> bool {
        matches!(self.tokens[at].kind, TokenKind::Name)
            && self
                .tokens
                .get(at + 1)
                .is_some_and(|t| t.kind == TokenKind::Assign)
    }

    /// Returns whether the next token is the end or begins another statement.
    fn at_statement_end(&self) -> bool {
        match self.kind() {
            TokenKind::End | TokenKind::Semicolon => true,
            TokenKind::Word(word) => word.starts_statement(),
            TokenKind::Name => self.starts_definition(self.at) && self.starts_line(self.at),
            _ => false,
        }
    }

    fn fail<T>(&mut self, report: Report) -> Parsed<T> {
        self.reports.add(report);
        Err(Halt)
    }

    /// Reports "`x` does not fit here", unless the lexer has already reported the token.
    fn unexpected<T>(&mut self, expected: &str) -> Parsed<T> {
        let token = self.peek();
        if token.kind == TokenKind::Bad {
            return Err(Halt);
        }
        let report = match token.kind {
            TokenKind::Close => Report::error("E202", token.span, "this `)` has no partner"),
            _ => Report::error(
                "E201",
                token.span,
                format!(
                    "{} does not fit here; expected {expected}",
                    self.describe(token)
                ),
            ),
        };
        let can_begin = matches!(
            token.kind,
            TokenKind::Word(_)
                | TokenKind::Name
                | TokenKind::Number(_)
                | TokenKind::Card(_)
                | TokenKind::Contract(_)
                | TokenKind::Text
        );
        let lacks_comma = expected.starts_with("`,`") && can_begin;
        let report = match lacks_comma {
            true => self.with_comma(report),
            false => report,
        };
        self.fail(report.classic_syntax_error())
    }

    /// Offers to write a comma after the token before the current one.
    fn with_comma(&self, report: Report) -> Report {
        let Some(before) = self.at.checked_sub(1) else {
            return report;
        };
        let span = self.tokens[before].span;
        let end = Span {
            start: span.end,
            ..span
        };
        report.with_fix("Write `,`", vec![(end, ",".to_owned())])
    }

    /// Describes a token for messages.
    fn describe(&self, token: Token) -> String {
        let text = self.text(token.span);
        let text = if text.chars().count() > 40 {
            text.chars().take(37).collect::<String>() + "..."
        } else {
            text
        };
        match token.kind {
            TokenKind::End => "the end of the script".to_owned(),
            TokenKind::Text => format!("the string {text}"),
            TokenKind::Holding => format!("the holding `{text}`"),
            TokenKind::Card(_) => format!("the card `{text}`"),
            TokenKind::Contract(_) => format!("the contract `{text}`"),
            TokenKind::Distribution(_) => format!("the shape `{text}`"),
            TokenKind::Word(Word::Seat(_)) => format!("the seat `{text}`"),
            _ => format!("`{text}`"),
        }
    }
}
