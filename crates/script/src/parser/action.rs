//! `action` lists.

use super::argument::CallSite;
use super::{Halt, Parsed, Parser};
use crate::ast::{ExprId, ExprKind};
use crate::diagnostic::Report;
use crate::plan::{Action, Axis, Counted, EsItem, Node, ReportTerm, Span, text_from_bytes};
use crate::token::{Token, TokenKind};
use crate::word::{Word, nearest, spellings};
use cards::{Seat, Strain};

const FREQUENCY: &str = "frequency [\"text\"] (value, low, high[, value, low, high])";
const BUCKETS: &str = "bktfreq [\"text\"] (value, low, high, size[, value, low, high, size])";
const CONTRACT: &str = "evalcontract(NS|EW, contract, nv|vul)";

impl<'a> Parser<'a> {
    /// Reads the actions after the word `action`.
    pub(super) fn action_statement(&mut self, word: Span) -> Parsed<()> {
        let mut actions = Vec::new();
        let result = self.action_list(&mut actions);
        if let Some((_, earlier)) = &self.script.actions {
            let line = self.sources.line(word);
            self.reports.add(Report::warning(
                "W02",
                *earlier,
                format!("this action list has no effect: the one on line {line} replaces it"),
            ));
        }
        self.script.actions = Some((actions, word));
        result
    }

    /// Reads actions without the word `action`. They are added to the script's action list.
    pub(super) fn bare_actions(&mut self) -> Parsed<()> {
        let mut actions = Vec::new();
        let result = self.action_list(&mut actions);
        self.script.bare_actions.append(&mut actions);
        result
    }

    /// Reads the list; after an error in one action it continues with the next.
    fn action_list(&mut self, actions: &mut Vec<Action>) -> Parsed<()> {
        let mut result = Ok(());
        while let Err(halt) = self.actions(actions) {
            result = Err(halt);
            if !self.next_action() {
                break;
            }
        }
        result
    }

    /// Moves to the token after the comma before the next action, after an error. Returns false if there is no further
    /// action.
    fn next_action(&mut self) -> bool {
        let mut depth = 0_usize;
        while !self.at_statement_end() && !self.reports.is_full() {
            let next = self.ahead(1).kind;
            match self.kind() {
                TokenKind::Open => depth += 1,
                TokenKind::Close => depth = depth.saturating_sub(1),
                TokenKind::Comma
                    if depth == 0 && matches!(next, TokenKind::Word(word) if word.is_action()) =>
                {
                    self.advance();
                    return true;
                }
                _ => {}
            }
            self.advance();
        }
        false
    }

    fn actions(&mut self, actions: &mut Vec<Action>) -> Parsed<()> {
        loop {
            let token = self.peek();
            match token.kind {
                TokenKind::Word(Word::EvalContract)
                    if self.native() && self.ahead(1).kind != TokenKind::Open =>
                {
                    self.advance();
                    self.trick_tables(token.span, actions);
                }
                TokenKind::Word(word) if word.is_action() => {
                    self.advance();
                    let action = self.action(word, token.span)?;
                    self.script.printing_action |= self.is_printing(&action);
                    actions.push(action);
                }
                TokenKind::Comma => {
                    let message = if actions.is_empty() {
                        "an action is missing before this `,`"
                    } else {
                        "an action is missing between two commas"
                    };
                    return self
                        .fail(Report::error("E704", token.span, message).classic_syntax_error());
                }
                TokenKind::Name if self.is_unknown_action(token) => {
                    return self.unknown_action(token);
                }
                TokenKind::Bad => return Err(Halt),
                _ if self.is_second_value(actions) => {
                    let message = "an action is missing here: `printcompact` and `printoneline` print one value; repeat the action, or use `printes` or `csvrpt` for several values";
                    let report = Report::error("E704", token.span, message);
                    return self.fail(report.classic_syntax_error());
                }
                // `action` has an empty list, or a comma follows the last action.
                _ => return Ok(()),
            }
            if self.eat(TokenKind::Comma) {
                continue;
            }
            let token = self.peek();
            match token.kind {
                // The next action is a statement of its own on a new line.
                TokenKind::Word(word)
                    if word.is_action() && self.native() && self.starts_line(self.at) =>
                {
                    return Ok(());
                }
                TokenKind::Word(word) if word.is_action() => {
                    let message = format!(
                        "a `,` is missing before the action `{}`",
                        self.text(token.span)
                    );
                    let report = Report::error("E201", token.span, message);
                    return self.fail(self.with_comma(report).classic_syntax_error());
                }
                TokenKind::Close if self.missing_parentheses > 0 => {
                    self.missing_parentheses -= 1;
                    self.advance();
                    return Ok(());
                }
                _ => return Ok(()),
            }
        }
    }

    /// Returns whether a value follows that of `printcompact` or `printoneline` after a comma, on the same line. On
    /// another line it is the condition, after a comma at the end of the list.
    fn is_second_value(&self, actions: &[Action]) -> bool {
        let prints_value = matches!(
            actions.last(),
            Some(Action::PrintCompact(Some(_)) | Action::PrintOneLine(Some(_)))
        );
        prints_value
            && self.native()
            && !self.starts_line(self.at)
            && matches!(
                self.kind(),
                TokenKind::Word(_) | TokenKind::Name | TokenKind::Number(_) | TokenKind::Open
            )
            && !self.at_statement_end()
    }

    /// Returns whether a name after `action` or a comma is a misspelt action rather than the next statement.
    fn is_unknown_action(&self, token: Token) -> bool {
        if self.ahead(1).kind == TokenKind::Assign || self.is_defined(self.bytes(token.span)) {
            return false;
        }
        let text = self.text(token.span);
        text != "import"
            && (!self.starts_line(self.at)
                || nearest(&text, spellings(Word::is_action)).is_some()
                    && nearest(&text, spellings(Word::starts_statement)).is_none())
    }

    fn unknown_action(&mut self, token: Token) -> Parsed<()> {
        let text = self.text(token.span);
        let noticed = self.ahead(1).span;
        let report = match self.other_case(token) {
            Some(report) => report,
            None => {
                let message = format!("there is no action `{text}`");
                let best = match text.to_ascii_lowercase().as_str() {
                    "printline" | "printlin" => Some("printoneline"),
                    _ => nearest(&text, spellings(Word::is_action)),
                };
                Report::error("E704", token.span, message).suggest(best)
            }
        };
        self.fail(report.classic(noticed, "unknown variable"))
    }

    /// Returns whether the action makes 40 the default for `produce`.
    fn is_printing(&self, action: &Action) -> bool {
        match action.counted() {
            Some(Counted::Average { .. } | Counted::Frequency { .. }) => false,
            Some(Counted::EvalContract { .. }) => self.mode().is_v1(),
            None => !matches!(action, Action::ExportSide(_) | Action::ExportSeat(_)),
        }
    }

    fn action(&mut self, word: Word, span: Span) -> Parsed<Action> {
        Ok(match word {
            Word::PrintAll => Action::PrintAll,
            Word::PrintEw => Action::PrintEw,
            Word::PrintNs => Action::PrintNs,
            Word::PrintPbn => Action::PrintPbn,
            Word::PrintCompact => Action::PrintCompact(self.optional_value(span)?),
            Word::PrintOneLine => Action::PrintOneLine(self.optional_value(span)?),
            Word::PrintSide => {
                let site = self.open("printside(NS|EW)", "E306")?;
                let side = self.side(site)?;
                self.close_call(site)?;
                Action::PrintSide(side)
            }
            Word::PrintEs => self.print_es(span)?,
            Word::Print => self.print_seats()?,
            Word::Average => {
                let label = self.label();
                let value = match self.average_with_test()? {
                    Some(value) => value,
                    None => self.expression(span, false)?,
                };
                Action::Average { label, value }
            }
            Word::Frequency => self.frequency(span)?,
            Word::BktFreq => self.bucket_frequency(span)?,
            Word::EvalContract => self.eval_contract(span)?,
            Word::Export => {
                let site = self.open("export(NS|EW) or export(compass)", "E306")?;
                let subject = self.side_or_seat(site)?;
                self.close_call(site)?;
                match subject {
                    crate::plan::SideOrSeat::Side(side) => Action::ExportSide(side),
                    crate::plan::SideOrSeat::Seat(seat) => Action::ExportSeat(seat),
                }
            }
            Word::CsvRpt => Action::CsvReport(self.report_terms("csvrpt(term, ...)")?),
            _ => Action::PrintReport(self.report_terms("printrpt(term, ...)")?),
        })
    }

    /// Reads suokko's `average "text" (value, avg > 5000)`, which prints the average only if the test holds.
    fn average_with_test(&mut self) -> Parsed<Option<ExprId>> {
        if !self.native() || self.kind() != TokenKind::Open {
            return Ok(None);
        }
        let Some(comma) = self.comma_before_average() else {
            return Ok(None);
        };
        let open = self.advance().span;
        let value = self.expression(open, true)?;
        if self.at != comma {
            return self.close_list(open).map(|()| Some(value));
        }
        let test = self.ahead(1).span;
        while !matches!(self.kind(), TokenKind::Close | TokenKind::End) {
            self.advance();
        }
        let message = "this average is always printed: the test behind the comma is not looked at";
        let span = test.to(self.previous_span());
        self.reports.add(Report::warning("W24", span, message));
        self.close_list(open)?;
        Ok(Some(value))
    }

    /// Returns the number of the comma before `avg` in the argument list that begins here.
    fn comma_before_average(&self) -> Option<usize> {
        let mut depth = 0_usize;
        for (at, token) in self.tokens.iter().enumerate().skip(self.at) {
            match token.kind {
                TokenKind::Open => depth += 1,
                TokenKind::Close if depth <= 1 => return None,
                TokenKind::Close => depth -= 1,
                TokenKind::Comma if depth == 1 => {
                    let next = self.tokens.get(at + 1)?;
                    return (self.bytes(next.span) == b"avg").then_some(at);
                }
                TokenKind::Word(word) if word.starts_statement() => return None,
                _ => {}
            }
        }
        None
    }

    /// Adds the actions of suokko's `evalcontract` without arguments: the tricks of North and of South in each strain.
    fn trick_tables(&mut self, word: Span, actions: &mut Vec<Action>) {
        for seat in [Seat::South, Seat::North] {
            for strain in Strain::ALL {
                let tricks = ExprKind::Call(Node::Tricks(seat, strain));
                let value = self.script.add(tricks, word, word);
                let axis = Axis {
                    value,
                    low: 0,
                    high: 13,
                    size: 1,
                };
                let label = Some(format!("Tricks of {seat} in {strain}"));
                actions.push(Action::Frequency { label, axis });
            }
        }
    }

    /// Reads `(expr)`, in native mode also `expr` on the same line, or nothing.
    fn optional_value(&mut self, word: Span) -> Parsed<Option<ExprId>> {
        if self.kind() != TokenKind::Open {
            let begins_value = match self.kind() {
                TokenKind::Word(word) => word.is_function(),
                TokenKind::Name => !self.starts_definition(self.at),
                TokenKind::Number(_) | TokenKind::Decimal(_) | TokenKind::Bang => true,
                _ => false,
            };
            if !self.native() || !begins_value || self.starts_line(self.at) {
                return Ok(None);
            }
            return self.expression(word, false).map(Some);
        }
        let open = self.advance().span;
        let value = self.expression(word, true)?;
        self.close_list(open)?;
        Ok(Some(value))
    }

    /// Takes the `)` after expressions.
    fn close_list(&mut self, open: Span) -> Parsed<()> {
        if self.eat(TokenKind::Close) {
            return Ok(());
        }
        let token = self.peek();
        if self.at_statement_end() {
            return self.fail(
                Report::error("E202", open, "this `(` is not closed")
                    .classic(token.span, "syntax error"),
            );
        }
        self.unexpected("an operator, `,` or `)`")
    }

    fn label(&mut self) -> Option<String> {
        let token = self.peek();
        if token.kind != TokenKind::Text {
            return None;
        }
        self.advance();
        Some(text_from_bytes(self.string_bytes(token.span)))
    }

    fn print_es(&mut self, word: Span) -> Parsed<Action> {
        let site = self.open("printes(item, ...)", "E306")?;
        let mut items = Vec::new();
        loop {
            let token = self.peek();
            items.push(match token.kind {
                TokenKind::Text => {
                    self.advance();
                    EsItem::Text(text_from_bytes(self.string_bytes(token.span)))
                }
                TokenKind::Newline => {
                    self.advance();
                    EsItem::Newline
                }
                _ => EsItem::Value(self.expression(word, true)?),
            });
            if !self.eat(TokenKind::Comma) {
                break;
            }
        }
        self.close_list(site.open)?;
        Ok(Action::PrintEs(items))
    }

    fn print_seats(&mut self) -> Parsed<Action> {
        let site = self.open("print(compass, ...)", "E306")?;
        let mut seats = vec![self.seat(site)?];
        while self.eat(TokenKind::Comma) {
            seats.push(self.seat(site)?);
        }
        self.close_call(site)?;
        Ok(Action::Print(seats))
    }

    fn frequency(&mut self, word: Span) -> Parsed<Action> {
        let label = self.label();
        let site = self.open(FREQUENCY, "E306")?;
        let axis = self.axis(site, word, false)?;
        if self.eat(TokenKind::Comma) {
            let columns = self.axis(site, word, false)?;
            self.close_call(site)?;
            return Ok(Action::Frequency2 {
                label,
                rows: axis,
                columns,
            });
        }
        self.close_call(site)?;
        Ok(Action::Frequency { label, axis })
    }

    fn bucket_frequency(&mut self, word: Span) -> Parsed<Action> {
        let label = self.label();
        let site = self.open(BUCKETS, "E306")?;
        let axis = self.axis(site, word, true)?;
        if self.eat(TokenKind::Comma) {
            let columns = self.axis(site, word, true)?;
            self.close_call(site)?;
            return Ok(Action::BucketFrequency2 {
                label,
                rows: axis,
                columns,
            });
        }
        self.close_call(site)?;
        Ok(Action::BucketFrequency { label, axis })
    }

    /// Reads `value, low, high` and for buckets `, size`.
    fn axis(&mut self, site: CallSite, word: Span, buckets: bool) -> Parsed<Axis> {
        let value = self.expression(word, true)?;
        self.comma(site, "the lowest value")?;
        let low = self.bound(site, "a number (the lowest value)")?;
        self.comma(site, "the highest value")?;
        let high_span = self.peek().span;
        let mut high = self.bound(site, "a number (the highest value)")?;
        let high_span = high_span.to(self.previous_span());
        // An upper bound one below the lower one is legal. The table then has only the rows Low and High.
        if i64::from(high) < i64::from(low) - i64::from(!buckets) {
            let message = format!("the bounds are reversed: {high} is less than {low}");
            let report = Report::error("E702", high_span, message);
            self.reports.add(report);
        }
        let mut size = 1;
        if buckets {
            self.comma(site, "the size of a bucket")?;
            let from = self.peek().span;
            size = self.bound(site, "a number (the size of a bucket)")?;
            if size < 1 {
                let span = from.to(self.previous_span());
                self.reports.add(Report::error(
                    "E703",
                    span,
                    "the size of a bucket must be at least 1",
                ));
            } else if high >= low {
                high = self.whole_buckets(low, high, size, high_span);
            }
        }
        Ok(Axis {
            value,
            low,
            high,
            size,
        })
    }

    /// Returns the end of the last bucket. DealerV2 makes that bucket as wide as the others, whatever the upper bound
    /// is; we do the same and warn.
    fn whole_buckets(&mut self, low: i32, high: i32, size: i32, span: Span) -> i32 {
        let (low, high, size) = (i64::from(low), i64::from(high), i64::from(size));
        let end = low + ((high - low) / size + 1) * size - 1;
        let Ok(whole) = i32::try_from(end) else {
            return high as i32;
        };
        // `0, 40, 5` gives the lowest value of the last bucket as upper bound, which is usual and gets no warning.
        if end != high && (high - low) % size != 0 && self.native() {
            let last = end + 1 - size;
            let message = format!(
                "the range is not a multiple of the size: the last bucket counts the values {last} to {end}"
            );
            self.reports.add(Report::warning("W20", span, message));
        }
        whole
    }

    fn bound(&mut self, site: CallSite, wanted: &str) -> Parsed<i32> {
        let bound = self.number_argument(site, wanted)?;
        use TokenKind::{Minus, Percent, Plus, Slash, Star};
        if matches!(self.kind(), Plus | Minus | Star | Slash | Percent) {
            let sign = self.peek().span;
            let message = format!(
                "the bounds of a table are plain numbers; work this one out: {}",
                site.signature
            );
            return self.fail(
                Report::error(site.code, bound.span.to(sign), message)
                    .classic(sign, "syntax error"),
            );
        }
        Ok(bound.value)
    }

    fn eval_contract(&mut self, word: Span) -> Parsed<Action> {
        if self.kind() != TokenKind::Open {
            let message = format!("this action needs its arguments: {CONTRACT}");
            let at = self.peek().span;
            return self.fail(Report::error("E705", word, message).classic(at, "syntax error"));
        }
        let site = self.open(CONTRACT, "E705")?;
        let side = self.side(site)?;
        self.comma(site, "a contract")?;
        let contract = self.contract(site)?;
        self.comma(site, "`nv` or `vul`")?;
        let vulnerable = self.vulnerable(site)?;
        self.close_call(site)?;
        Ok(Action::EvalContract {
            side,
            contract,
            vulnerable,
        })
    }

    fn report_terms(&mut self, signature: &'static str) -> Parsed<Vec<ReportTerm>> {
        let word = self.previous_span();
        let site = self.open(signature, "E306")?;
        let mut terms = Vec::new();
        loop {
            terms.push(self.report_term(site, word)?);
            if !self.eat(TokenKind::Comma) {
                break;
            }
        }
        self.close_list(site.open)?;
        Ok(terms)
    }

    fn report_term(&mut self, site: CallSite, word: Span) -> Parsed<ReportTerm> {
        let token = self.peek();
        if let Some(seat) = self.seat_letter(token)
            && !self.is_defined(self.bytes(token.span))
        {
            self.advance();
            return Ok(ReportTerm::Hand(seat));
        }
        let term = match token.kind {
            TokenKind::Close => {
                let message = format!("a term is missing before this `)`: {}", site.signature);
                return self
                    .fail(Report::error("E205", token.span, message).classic_syntax_error());
            }
            TokenKind::Word(Word::NsVul | Word::EwVul) if self.native() => {
                return self.side(site).map(ReportTerm::Side);
            }
            TokenKind::Word(Word::Seat(seat)) => ReportTerm::Hand(seat),
            TokenKind::Word(Word::NsSide | Word::EwSide) => {
                return self.side(site).map(ReportTerm::Side);
            }
            TokenKind::Word(Word::Deal) => ReportTerm::Deal,
            TokenKind::Text => ReportTerm::Text(text_from_bytes(self.string_bytes(token.span))),
            TokenKind::Word(Word::Trix) => return self.trix(),
            TokenKind::Word(Word::ParContract) => return self.par_contract(),
            _ => return self.expression(word, true).map(ReportTerm::Value),
        };
        self.advance();
        Ok(term)
    }

    fn trix(&mut self) -> Parsed<ReportTerm> {
        self.advance();
        let site = self.open("trix(compass) or trix(deal)", "E306")?;
        let term = if self.eat(TokenKind::Word(Word::Deal)) {
            ReportTerm::AllTricks
        } else {
            ReportTerm::Tricks(self.seat(site)?)
        };
        self.close_call(site)?;
        Ok(term)
    }

    fn par_contract(&mut self) -> Parsed<ReportTerm> {
        self.advance();
        if self.kind() != TokenKind::Open {
            return Ok(ReportTerm::ParContract(None));
        }
        let site = self.open("parcontract(none|ns|ew|both|all)", "E306")?;
        let vulnerability = self.vulnerability(site)?;
        self.close_call(site)?;
        Ok(ReportTerm::ParContract(Some(vulnerability)))
    }
}
