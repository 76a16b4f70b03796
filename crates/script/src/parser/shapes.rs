//! Shapes in a script, in both notations.

use super::argument::CallSite;
use super::{Halt, Parsed, Parser};
use crate::ast::{ExprId, ExprKind};
use crate::diagnostic::Report;
use crate::plan::{Mode, Node, ShapeId, Span};
use crate::shape::{FdLengths, classic, fd};
use crate::token::TokenKind;
use crate::word::Word;
use cards::{Seat, ShapeSet};

impl<'a> Parser<'a> {
    /// Reads the list of `shape(seat, list)`, up to its `)`.
    pub(super) fn shape_list(&mut self, site: CallSite) -> Parsed<ShapeId> {
        let first = self.peek().span;
        let mut set = ShapeSet::EMPTY;
        let mut items = 0_usize;
        let mut wrong = false;
        loop {
            let sign = self.peek();
            let signed = matches!(
                sign.kind,
                TokenKind::Comma | TokenKind::Plus | TokenKind::Minus
            );
            if signed {
                self.advance();
            } else if items > 0
                && !matches!(
                    self.kind(),
                    TokenKind::Word(Word::Any) | TokenKind::Distribution(_) | TokenKind::Number(_)
                )
            {
                if self.is_or_between_shapes() {
                    let word = self.advance().span;
                    let message = "shapes are joined with `+`, not with `or`";
                    let report = Report::error("E403", word, message).replace_with("+");
                    self.reports.add(report.classic_syntax_error());
                    wrong = true;
                    continue;
                }
                break;
            }
            let any = self.eat(TokenKind::Word(Word::Any));
            match self.shape_item(site, any) {
                Ok(shapes) if sign.kind == TokenKind::Minus => {
                    if set.is_empty() {
                        self.reports.add(Report::warning(
                            "W13",
                            sign.span,
                            "nothing is in the set yet, so this `-` removes nothing; put the shapes to keep first",
                        ));
                    }
                    set = set.difference(&shapes);
                }
                Ok(shapes) => set = set.union(&shapes),
                Err(Halt) => {
                    wrong = true;
                    if !self.next_shape_item() {
                        break;
                    }
                }
            }
            items += 1;
        }
        if wrong {
            return Err(Halt);
        }
        let span = first.to(self.previous_span());
        self.warn_about_set(&set, span);
        Ok(self.script.shapes.add(set))
    }

    /// Returns whether `or` joins two shapes: `4333 or 4432`.
    fn is_or_between_shapes(&self) -> bool {
        matches!(self.kind(), TokenKind::Word(Word::Or) | TokenKind::OrOr)
            && match self.ahead(1).kind {
                TokenKind::Word(Word::Any) | TokenKind::Distribution(_) => true,
                TokenKind::Number(number) => number.four,
                _ => false,
            }
    }

    /// Reads `:111`, which in dealer3 has a suit of ten cards.
    fn pattern_with_ten(&self) -> Option<[u8; 4]> {
        let Span { source, start, .. } = self.peek().span;
        let bytes = &self.sources.get(source).bytes[start as usize..];
        let pattern: [u8; 4] = *bytes.first_chunk()?;
        let ends = !bytes
            .get(4)
            .is_some_and(|b| b.is_ascii_alphanumeric() || *b == b'_');
        let is_length = |b: &u8| b.is_ascii_digit() || *b == b'x' || *b == classic::TEN;
        let tens = pattern.iter().filter(|b| **b == classic::TEN).count();
        (self.native() && ends && tens == 1 && pattern.iter().all(is_length)).then_some(pattern)
    }

    /// Moves to the next item, after a wrong one. Returns false if there is none.
    fn next_shape_item(&mut self) -> bool {
        let mut depth = 0_usize;
        loop {
            match self.kind() {
                TokenKind::Comma | TokenKind::Plus | TokenKind::Minus if depth == 0 => return true,
                TokenKind::Open => depth += 1,
                TokenKind::Close if depth == 0 => return false,
                TokenKind::Close => depth -= 1,
                _ if self.at_statement_end() => return false,
                _ => {}
            }
            self.advance();
        }
    }

    fn shape_item(&mut self, site: CallSite, any: bool) -> Parsed<ShapeSet> {
        let token = self.peek();
        let pattern: Option<[u8; 4]> = match token.kind {
            TokenKind::Distribution(pattern) => Some(pattern),
            TokenKind::Number(number) if number.four => self.bytes(token.span).try_into().ok(),
            _ => None,
        };
        if let Some(pattern) = self.pattern_with_ten() {
            let end = token.span.start + 4;
            while self.peek().span.start < end && self.kind() != TokenKind::End {
                self.advance();
            }
            return self.pattern(pattern, any, Span { end, ..token.span });
        }
        let touches = Parser::adjacent(token, self.ahead(1))
            && matches!(
                self.ahead(1).kind,
                TokenKind::Name | TokenKind::Open | TokenKind::Holding
            );
        let Some(pattern) = pattern.filter(|_| !touches) else {
            return self.not_a_shape(site);
        };
        self.advance();
        self.pattern(pattern, any, token.span)
    }

    /// Returns the shapes of a pattern after a check of its sum.
    fn pattern(&mut self, pattern: [u8; 4], any: bool, span: Span) -> Parsed<ShapeSet> {
        match classic::check(pattern) {
            Ok(()) => Ok(self.script.shapes.pattern(pattern, any)),
            Err(sum) if pattern.contains(&b'x') => {
                let report = Report::error(
                    "E402",
                    span,
                    format!("the lengths of this shape add up to {sum}, more than 13"),
                )
                .classic(span, "too many cards in ambiguous shape");
                self.fail(report)
            }
            Err(sum) => {
                let report = Report::error(
                    "E401",
                    span,
                    format!("the lengths of this shape add up to {sum}, not to 13"),
                )
                .classic(span, "wrong number of cards in shape");
                self.fail(report)
            }
        }
    }

    /// Reports E403, with a hint at the probable intention.
    fn not_a_shape(&mut self, site: CallSite) -> Parsed<ShapeSet> {
        let token = self.peek();
        match token.kind {
            TokenKind::Bad => return Err(Halt),
            TokenKind::Close | TokenKind::End | TokenKind::Comma => {
                return self.wrong_argument(site, "a shape");
            }
            _ => {}
        }
        if self.at_statement_end() {
            return self.wrong_argument(site, "a shape");
        }
        let mut last = self.at;
        let mut depth = i32::from(token.kind == TokenKind::Open);
        while Parser::adjacent(self.tokens[last], self.tokens[last + 1])
            && self.tokens[last + 1].kind != TokenKind::End
            && !(depth == 0
                && matches!(
                    self.tokens[last + 1].kind,
                    TokenKind::Close | TokenKind::Comma
                ))
        {
            last += 1;
            match self.tokens[last].kind {
                TokenKind::Open => depth += 1,
                TokenKind::Close => depth -= 1,
                _ => {}
            }
        }
        let span = token.span.to(self.tokens[last].span);
        let text = self.text(span);
        let hint = shape_hint(&text);
        let report = Report::error(
            "E403",
            span,
            format!(
                "`{text}` is not a shape of four characters (digits or x, in the order spades, hearts, diamonds, clubs){hint}"
            ),
        );
        self.at = last + 1;
        self.fail(report.classic(token.span, "syntax error"))
    }

    fn warn_about_set(&mut self, set: &ShapeSet, span: Span) {
        if set.is_empty() {
            self.reports.add(Report::warning(
                "W13",
                span,
                "no hand has one of these shapes: the test is always false",
            ));
        } else if set.len() == cards::Shape::COUNT {
            self.reports.add(Report::warning(
                "W13",
                span,
                "every hand has one of these shapes: the test is always true",
            ));
        }
    }

    /// Reads `shape{seat, expression}`.
    pub(super) fn fd_shape(&mut self, word: Span, number: usize) -> ExprId {
        let text = &self.fd_texts[number];
        let span = word.to(text.close);
        match self.fd_shape_node(number) {
            Ok((seat, shape)) => {
                self.script
                    .add(ExprKind::Call(Node::Shape(seat, shape)), span, word)
            }
            Err(Halt) => self.placeholder(span),
        }
    }

    fn fd_shape_node(&mut self, number: usize) -> Parsed<(Seat, ShapeId)> {
        let fd_text = &self.fd_texts[number];
        let bytes = fd_text.text.as_slice();
        let start = bytes.iter().position(|&b| b != b' ').unwrap_or(bytes.len());
        let length = bytes[start..]
            .iter()
            .position(|b| !b.is_ascii_alphanumeric() && *b != b'_')
            .unwrap_or(bytes.len() - start);
        let word = &bytes[start..start + length];
        let word_span = fd_text.span(start..start + length.max(1));
        let letter = match word {
            &[letter] if self.native() => {
                Seat::from_letter(char::from(letter.to_ascii_uppercase()))
            }
            _ => None,
        };
        let in_any_case = || Word::in_any_case(word).filter(|_| self.native());
        let found = letter
            .map(Word::Seat)
            .or_else(|| Word::from_spelling(word))
            .or_else(in_any_case);
        let Some(Word::Seat(seat)) = found else {
            let text = String::from_utf8_lossy(word).into_owned();
            let report = match Word::in_other_case(word) {
                Some(right)
                    if matches!(Word::from_spelling(right.as_bytes()), Some(Word::Seat(_))) =>
                {
                    Report::error(
                        "E207",
                        word_span,
                        format!("words of the language are written exactly so: `{right}`"),
                    )
                }
                _ => Report::error(
                    "E306",
                    word_span,
                    format!(
                        "`{text}` is not a compass (north, east, south or west): shape{{compass, shapes}}"
                    ),
                ),
            };
            return self.fail(report.classic_syntax_error());
        };
        let after = start + length;
        let comma = bytes[after..]
            .iter()
            .position(|&b| b != b' ')
            .map_or(bytes.len(), |p| after + p);
        if bytes.get(comma) != Some(&b',') {
            let length = bytes[comma.min(bytes.len())..]
                .iter()
                .position(|&b| b == b' ')
                .unwrap_or(bytes.len() - comma.min(bytes.len()));
            let span = fd_text.span(comma..comma + length);
            return self.fail(
                Report::error(
                    "E417",
                    span,
                    "a `,` is missing after the seat: shape{compass, shapes}",
                )
                .classic_syntax_error(),
            );
        }
        let lengths = match self.mode() {
            Mode::V2 => FdLengths::UpToNine,
            _ => FdLengths::All,
        };
        let body = comma + 1;
        match fd::shapes(&bytes[body..], lengths) {
            Ok(shapes) => {
                for warning in shapes.warnings {
                    let at = fd_text.span(warning.range.start + body..warning.range.end + body);
                    self.reports
                        .add(Report::warning(warning.code, at, warning.message));
                }
                self.warn_about_set(&shapes.set, fd_text.open.to(fd_text.close));
                Ok((seat, self.script.shapes.add(shapes.set)))
            }
            Err(errors) => {
                for error in errors {
                    let at = fd_text.span(error.range.start + body..error.range.end + body);
                    self.reports
                        .add(Report::error(error.code, at, error.message).classic_syntax_error());
                }
                Err(Halt)
            }
        }
    }
}

fn shape_hint(text: &str) -> String {
    if let Some(rest) = text.strip_prefix("any")
        && rest.len() == 4
    {
        return format!("; write `any {rest}` with a blank");
    }
    let four = |t: &str| t.len() == 4 && t.chars().all(|c| c.is_ascii_digit() || "xX".contains(c));
    if let Some(inner) = text.strip_prefix('(').and_then(|t| t.strip_suffix(')'))
        && four(inner)
    {
        return format!(
            "; for all permutations write `any {inner}`, or use `shape{{north, {text}}}`"
        );
    }
    if four(text) {
        return format!("; write `{}`", text.to_ascii_lowercase());
    }
    if let Some((from, to)) = text.split_once('-')
        && from.len() == 1
        && from
            .chars()
            .chain(to.chars().take(1))
            .all(|c| c.is_ascii_digit())
        && to.len() == 4
    {
        let (to, rest) = to.split_at(1);
        return format!("; a range of lengths is written `shape{{north, [{from}-{to}]{rest}}}`");
    }
    let lengths: String = text.chars().filter(|c| !"-=,/".contains(*c)).collect();
    let has_separators =
        text.len() == 7 && text.chars().skip(1).step_by(2).all(|c| "-=,/".contains(c));
    if four(&lengths) && has_separators {
        return format!("; write the lengths without separators: `{lengths}`");
    }
    let in_braces = || fd::shapes(text.as_bytes(), FdLengths::All).is_ok();
    if text.chars().any(|c| "+-()[]MmshdcSHDC".contains(c)) && in_braces() {
        return format!("; this notation goes into braces: `shape{{north, {text}}}`");
    }
    String::new()
}
