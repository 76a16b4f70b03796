//! Statements with a plain value: limits, seats, titles, point counts.

use super::statement::VULNERABLE_IN_V1;
use super::{Halt, Parsed, Parser};
use crate::ast::CountStatement;
use crate::diagnostic::Report;
use crate::plan::{Counter, Mode, Span};
use crate::source::Origin;
use crate::token::{Token, TokenKind};
use crate::word::Word;
use cards::{Seat, Vulnerability};

impl<'a> Parser<'a> {
    /// Reports E206: the value of a statement has the wrong type.
    pub(super) fn wrong_setting<T>(&mut self, word: Token, allowed: &str) -> Parsed<T> {
        let token = self.peek();
        if token.kind == TokenKind::Bad {
            return Err(Halt);
        }
        let name = self.text(word.span);
        let report = if token.kind == TokenKind::End || self.at_statement_end() {
            Report::error("E205", word.span, format!("`{name}` needs {allowed}"))
        } else {
            Report::error(
                "E206",
                token.span,
                format!(
                    "{} does not fit: `{name}` takes {allowed}",
                    self.describe(token)
                ),
            )
        };
        self.fail(report.classic(token.span, "syntax error"))
    }

    /// Reads `generate n` or `produce n`. The first statement of a script counts; 0 means not given.
    pub(super) fn limit(&mut self, word: Word, token: Token) -> Parsed<()> {
        let negative = self.kind() == TokenKind::Minus;
        let number = self.ahead(usize::from(negative));
        let TokenKind::Number(_) = number.kind else {
            // The classic programs accept the sign.
            self.at += usize::from(negative);
            return self.wrong_setting(token, "a whole number");
        };
        let span = self.peek().span.to(number.span);
        let value = self.large_number(number)?;
        self.at += 1 + usize::from(negative);
        if self.native() && self.kind().is_operator() && self.kind() != TokenKind::Minus {
            let name = self.text(token.span);
            let message = format!("`{name}` takes a number, not a calculation");
            return self.fail(Report::error("E206", self.peek().span, message));
        }
        if negative {
            let name = self.text(token.span);
            return self.fail(Report::error(
                "E701",
                span,
                format!("`{name}` takes a positive number"),
            ));
        }
        let (slot, earlier, given) = match word {
            Word::Generate => (
                &mut self.script.settings.generate,
                &mut self.limits.generate,
                self.options.generate,
            ),
            _ => (
                &mut self.script.settings.produce,
                &mut self.limits.produce,
                self.options.produce,
            ),
        };
        if value == 0 {
            return Ok(());
        }
        // The first statement counts, but one of an imported file does not override the importing script.
        let imported = |span: Span| {
            let file = self.sources.in_file(span).source;
            matches!(self.sources.get(file).origin, Origin::Import(_))
        };
        let overruled = earlier.filter(|&first| imported(first) && !imported(token.span));
        if slot.is_none() || overruled.is_some() {
            *slot = Some(value);
            *earlier = Some(token.span);
        }
        if let Some(first) = overruled {
            let place = self.sources.place(token.span);
            let message = format!(
                "this has no effect: {}, line {}, counts",
                place.file, place.line
            );
            self.reports.add(Report::warning("W08", first, message));
        } else if let Some(first) = earlier.filter(|&first| first != token.span) {
            let place = self.sources.place(first);
            let mut message = format!(
                "this has no effect: the first one, on line {}, counts",
                place.line
            );
            if first.source != token.span.source {
                message = format!(
                    "this has no effect: {}, line {}, counts",
                    place.file, place.line
                );
            }
            self.reports
                .add(Report::warning("W08", token.span, message));
            return Ok(());
        }
        if given {
            self.reports.add(Report::warning(
                "W08",
                token.span,
                "this has no effect: the command line gives the number",
            ));
        }
        Ok(())
    }

    /// Reads a whole number of up to 64 bits.
    fn large_number(&mut self, token: Token) -> Parsed<u64> {
        let text = self.text(token.span);
        match text.parse::<u64>() {
            Ok(value) if value <= i64::MAX as u64 => Ok(value),
            _ => {
                self.at += 1;
                self.fail(Report::error(
                    "E104",
                    token.span,
                    "this number is too large; the limit is 9223372036854775807",
                ))
            }
        }
    }

    pub(super) fn digits(&mut self, word: Token) -> Parsed<u64> {
        let token = self.peek();
        let TokenKind::Number(_) = token.kind else {
            return self.wrong_setting(word, "a whole number (digits only)");
        };
        let value = self.large_number(token)?;
        self.advance();
        Ok(value)
    }

    pub(super) fn seat_setting(&mut self, word: Token) -> Parsed<Seat> {
        let token = self.peek();
        if let TokenKind::Word(Word::Seat(seat)) = token.kind {
            self.advance();
            return Ok(seat);
        }
        if let Some(seat) = self.seat_letter(token) {
            self.advance();
            return Ok(seat);
        }
        if let Some(right) = Word::in_other_case(self.bytes(token.span))
            && let Some(Word::Seat(_)) = Word::from_spelling(right.as_bytes())
        {
            let report = Report::error(
                "E207",
                token.span,
                format!("words of the language are written exactly so: `{right}`"),
            );
            return self.fail(report.classic_syntax_error());
        }
        self.wrong_setting(word, "a seat: north, east, south or west")
    }

    pub(super) fn vulnerable_setting(&mut self, word: Token) -> Parsed<()> {
        let token = self.peek();
        let text = self.text(token.span).to_ascii_lowercase();
        let known = match self.mode().is_v1() {
            true => VULNERABLE_IN_V1.contains(&self.bytes(token.span)),
            false => ["none", "ns", "ew", "all", "both"].contains(&text.as_str()),
        };
        // In v1 `vulnerable` is a token of the same kind as `ns` or `all`, and has no effect here.
        if self.mode() == Mode::V1 && self.bytes(token.span) == b"vulnerable" {
            self.advance();
            let text = self.text(word.span).to_ascii_lowercase();
            let before = Vulnerability::from_word(&text);
            self.script.settings.vulnerable = before.or(self.script.settings.vulnerable);
            return Ok(());
        }
        let vulnerability = match Vulnerability::from_word(&text).filter(|_| known) {
            // DealerV2 reads `both` as `none`, because it contains an `o`.
            Some(_) if text == "both" && self.mode() == Mode::V2 => Vulnerability::None,
            Some(vulnerability) => vulnerability,
            None => return self.wrong_setting(word, "one of none, NS, EW, all, both"),
        };
        self.advance();
        self.script.settings.vulnerable = Some(vulnerability);
        Ok(())
    }

    pub(super) fn title(&mut self, word: Token) -> Parsed<()> {
        let token = self.peek();
        if token.kind != TokenKind::Text {
            return self.wrong_setting(word, "a string in quotes");
        }
        self.advance();
        let bytes = self.string_bytes(token.span);
        let kept = &bytes[..bytes.len().min(255)];
        self.script.settings.title = Some(crate::plan::text_from_bytes(kept));
        Ok(())
    }

    /// Returns the bytes of a string token without its quotes.
    pub(super) fn string_bytes(&self, span: Span) -> &'a [u8] {
        let bytes = self.bytes(span);
        // DealerV2 ends a string without a closing quote at the end of its line.
        let inside = bytes.get(1..).unwrap_or_default();
        let inside = inside.strip_suffix(b"\"").unwrap_or(inside);
        match self.mode() {
            // A C string ends with NUL.
            Mode::V1 => inside.split(|&byte| byte == 0).next().unwrap_or(inside),
            _ => inside,
        }
    }

    pub(super) fn count_values(&mut self, counter: Counter, word: Span) -> Parsed<()> {
        let mut values = Vec::new();
        let mut decimal = false;
        while matches!(
            self.kind(),
            TokenKind::Number(_) | TokenKind::Decimal(_) | TokenKind::Minus
        ) {
            let Some(literal) = self.number() else {
                let (minus, next) = (self.peek(), self.ahead(1));
                let message = "a number is missing after the `-`";
                let report = Report::error("E201", minus.span, message);
                return self.fail(report.classic(next.span, "syntax error"));
            };
            if values.len() == 13 {
                let report = Report::error(
                    "E601",
                    literal.span,
                    "there are only 13 ranks: at most 13 values",
                )
                .classic(literal.span, "too many pointcount values");
                return self.fail(report);
            }
            values.push(literal.value);
            decimal |= literal.decimal;
        }
        self.script.counts.push(CountStatement {
            counter,
            values,
            decimal,
            in_v1: None,
            span: word,
        });
        Ok(())
    }

    pub(super) fn altcount(&mut self, word: Token) -> Parsed<()> {
        let start = self.at;
        let Some(index) = self.number() else {
            return self.wrong_setting(word, "the number of a counter and its values");
        };
        let shifted = self.options.has_v1_values();
        let counter = match (index.value, shifted) {
            _ if index.decimal => None,
            (0, true) | (10, false) => Some(Counter::Hcp),
            (1, true) => Some(Counter::Controls),
            (n @ 2..=11, true) => Some(Counter::Pt(n as u8 - 2)),
            (n @ 0..=9, false) => Some(Counter::Pt(n as u8)),
            _ => None,
        };
        let Some(counter) = counter else {
            let range = if shifted {
                "0 to 11 (0 is hcp, 1 controls, 2 to 11 are pt0 to pt9)"
            } else {
                "0 to 10 (0 to 9 are pt0 to pt9, 10 is hcp)"
            };
            self.at = start;
            let report = Report::error(
                "E602",
                index.span,
                format!(
                    "there is no counter {}; the counters are {range}",
                    index.value
                ),
            );
            return self.fail(report);
        };
        if self.mode().is_v1() {
            self.reports.add(Report::warning(
                "W06",
                word.span,
                format!(
                    "in this mode `altcount {}` changes `{}`, as dealer does (its numbers are shifted by two)",
                    index.value,
                    counter.name()
                ),
            ));
        }
        self.count_values(counter, word.span)?;
        if !shifted && let Some(statement) = self.script.counts.last_mut() {
            statement.in_v1 = match index.value {
                0 => Some(Counter::Hcp),
                1 => Some(Counter::Controls),
                n => Some(Counter::Pt(n as u8 - 2)),
            };
        }
        Ok(())
    }
}
