//! Arguments of functions and actions that are not expressions: seats, suits, sides, cards, contracts, numbers.

use super::{Halt, Parsed, Parser};
use crate::diagnostic::Report;
use crate::plan::{SideOrSeat, Span, text_from_bytes};
use crate::token::TokenKind;
use crate::word::{Word, nearest};
use cards::{Card, Contract, Doubling, Seat, Side, Strain, Suit, Vulnerability};
use formats::AuctionPattern;

/// The call whose arguments are read.
#[derive(Clone, Copy)]
pub(super) struct CallSite {
    pub signature: &'static str,
    pub open: Span,
    /// Class of the error for a wrong argument.
    pub code: &'static str,
}

/// A number literal.
pub(super) struct Literal {
    pub value: i32,
    pub decimal: bool,
    pub span: Span,
}

impl<'a> Parser<'a> {
    /// Takes the `(` after a word.
    pub(super) fn open(&mut self, signature: &'static str, code: &'static str) -> Parsed<CallSite> {
        if self.kind() != TokenKind::Open {
            if matches!(self.kind(), TokenKind::Close | TokenKind::Comma) || self.at_statement_end()
            {
                let (word, at) = (self.previous_span(), self.peek().span);
                let message = format!("`{}` needs its arguments: {signature}", self.text(word));
                return self.fail(Report::error(code, word, message).classic(at, "syntax error"));
            }
            return self.unexpected(&format!("`(`: {signature}"));
        }
        Ok(CallSite {
            signature,
            open: self.advance().span,
            code,
        })
    }

    /// Reports that the next token is not the argument it should be.
    pub(super) fn wrong_argument<T>(&mut self, site: CallSite, wanted: &str) -> Parsed<T> {
        let token = self.peek();
        if token.kind == TokenKind::Bad {
            return Err(Halt);
        }
        if self.at_statement_end() {
            return self.fail(
                Report::error("E202", site.open, "this `(` is not closed")
                    .classic(token.span, "syntax error"),
            );
        }
        if let Some((n, span)) = self.empty_variable_here() {
            let message = format!(
                "{wanted} is missing: `${n}` stands for nothing (option -{n} is not given or empty): {}",
                site.signature
            );
            return self
                .fail(Report::error(site.code, span, message).classic(token.span, "syntax error"));
        }
        let message = match token.kind {
            TokenKind::Close => format!("{wanted} is missing: {}", site.signature),
            _ => format!(
                "{} is not {wanted}: {}",
                self.describe(token),
                site.signature
            ),
        };
        let mut report = Report::error(site.code, token.span, message);
        if token.kind == TokenKind::Name {
            let seats = ["north", "east", "south", "west"];
            let strains = ["clubs", "diamonds", "hearts", "spades", "notrump"];
            let known = match wanted {
                _ if wanted.contains("compass") => &seats[..],
                _ if wanted.contains("notrump") => &strains[..],
                _ if wanted.contains("spades") => &strains[..4],
                _ => &[],
            };
            let text = self.text(token.span);
            report = report.suggest(nearest(&text, known.iter().copied()));
        }
        self.fail(report.classic_syntax_error())
    }

    /// Reports E207 if the next token is one of `words` except for its case.
    fn case_error<T>(&mut self, words: &[&'static str]) -> Option<Parsed<T>> {
        let token = self.peek();
        if !matches!(token.kind, TokenKind::Name | TokenKind::Word(_)) {
            return None;
        }
        let text = self.bytes(token.span);
        let word = words
            .iter()
            .find(|w| w.as_bytes().eq_ignore_ascii_case(text) && w.as_bytes() != text)?;
        let message = format!("words of the language are written exactly so: `{word}`");
        let report = Report::error("E207", token.span, message).replace_with(word);
        Some(self.fail(report.classic_syntax_error()))
    }

    /// Takes the comma before the next argument, which is described by `wanted`.
    pub(super) fn comma(&mut self, site: CallSite, wanted: &str) -> Parsed<()> {
        if self.eat(TokenKind::Comma) {
            return Ok(());
        }
        let token = self.peek();
        match token.kind {
            TokenKind::Close => self.wrong_argument(site, wanted),
            _ if self.looks_unclosed() => self.fail(
                Report::error("E202", site.open, "this `(` is not closed")
                    .classic(token.span, "syntax error"),
            ),
            _ => self.unexpected(&format!("`,` and {wanted}: {}", site.signature)),
        }
    }

    /// Takes the `)` at the end of a call.
    pub(super) fn close_call(&mut self, site: CallSite) -> Parsed<()> {
        if self.eat(TokenKind::Close) {
            return Ok(());
        }
        let token = self.peek();
        if token.kind == TokenKind::Bad {
            return Err(Halt);
        }
        if token.kind == TokenKind::Comma {
            let extra = self.ahead(1).span;
            let message = format!("one argument too many: {}", site.signature);
            return self.fail(
                Report::error(site.code, extra, message).classic(token.span, "syntax error"),
            );
        }
        if self.looks_unclosed() {
            // Continue as if the call were closed here; a later `)` is then ignored as surplus.
            self.reports.add(
                Report::error("E202", site.open, "this `(` is not closed")
                    .classic(token.span, "syntax error"),
            );
            self.missing_parentheses += 1;
            return Ok(());
        }
        self.unexpected(&format!("`,` or `)`: {}", site.signature))
    }

    /// Returns whether the next token can follow a call but cannot occur inside it.
    fn looks_unclosed(&self) -> bool {
        let kind = self.kind();
        self.at_statement_end()
            || kind.is_operator()
            || matches!(
                kind,
                TokenKind::Assign | TokenKind::SingleAnd | TokenKind::SingleOr
            )
    }

    pub(super) fn seat(&mut self, site: CallSite) -> Parsed<Seat> {
        if let TokenKind::Word(Word::Seat(seat)) = self.kind() {
            self.advance();
            return Ok(seat);
        }
        if let Some(seat) = self.seat_letter(self.peek()) {
            self.advance();
            return Ok(seat);
        }
        if let Some(error) = self.case_error(&["north", "east", "south", "west"]) {
            return error;
        }
        if let TokenKind::Word(Word::NsSide | Word::NsVul | Word::EwSide | Word::EwVul) =
            self.kind()
        {
            return self.side_for_seat(site);
        }
        self.wrong_argument(site, "a compass (north, east, south or west)")
    }

    /// Reports a side where a seat is required: `hcp(NS)`.
    fn side_for_seat<T>(&mut self, site: CallSite) -> Parsed<T> {
        let token = self.peek();
        let (a, b) = match token.kind {
            TokenKind::Word(Word::NsSide | Word::NsVul) => ("north", "south"),
            _ => ("east", "west"),
        };
        let name = site.signature.split('(').next().unwrap_or_default();
        let message = format!(
            "`{}` is a side, and `{name}` looks at one hand; for both write `{name}({a}) + {name}({b})`",
            self.text(token.span)
        );
        let mut report = Report::error(site.code, token.span, message);
        let (called, close) = (self.at.checked_sub(2), self.ahead(1));
        if let (Some(called), TokenKind::Close) = (called, close.kind) {
            let call = self.tokens[called].span.to(close.span);
            let sum = format!("({name}({a}) + {name}({b}))");
            report = report.with_fix(format!("Write `{sum}`"), vec![(call, sum)]);
        }
        self.fail(report.classic_syntax_error())
    }

    pub(super) fn suit(&mut self, site: CallSite) -> Parsed<Suit> {
        if let TokenKind::Word(Word::Suit(suit)) = self.kind() {
            self.advance();
            return Ok(suit);
        }
        if let Some(error) = self.case_error(&[
            "clubs", "diamonds", "hearts", "spades", "club", "diamond", "heart", "spade",
        ]) {
            return error;
        }
        self.wrong_argument(site, "a suit (clubs, diamonds, hearts or spades)")
    }

    pub(super) fn strain(&mut self, site: CallSite) -> Parsed<Strain> {
        match self.kind() {
            TokenKind::Word(Word::Suit(suit)) => {
                self.advance();
                Ok(suit.into())
            }
            TokenKind::Word(Word::Notrump) => {
                self.advance();
                Ok(Strain::Notrump)
            }
            // Strains by number; clubs are 0.
            TokenKind::Number(number) if self.native() && (0..5).contains(&number.wrapped) => {
                self.advance();
                Ok(Strain::ALL[number.wrapped as usize])
            }
            _ => {
                if let Some(error) = self.case_error(&[
                    "clubs", "diamonds", "hearts", "spades", "notrump", "notrumps",
                ]) {
                    return error;
                }
                self.wrong_argument(
                    site,
                    "a strain (clubs, diamonds, hearts, spades or notrump)",
                )
            }
        }
    }

    /// Reads the beginning of an auction in quotes.
    pub(super) fn calls(&mut self, site: CallSite) -> Parsed<AuctionPattern> {
        let token = self.peek();
        if token.kind != TokenKind::Text {
            return self.wrong_argument(site, "an auction in quotes, such as \"1N-P-2C\"");
        }
        let text = text_from_bytes(self.string_bytes(token.span));
        let read = text.parse::<AuctionPattern>();
        let legal = read.and_then(|pattern| pattern.check().map(|()| pattern));
        match legal {
            Ok(pattern) => {
                self.advance();
                Ok(pattern)
            }
            Err(error) => self.fail(Report::error(
                site.code,
                token.span,
                format!("no auction begins so: {error}"),
            )),
        }
    }

    pub(super) fn side(&mut self, site: CallSite) -> Parsed<Side> {
        match self.kind() {
            TokenKind::Word(Word::NsSide) => {
                self.advance();
                Ok(Side::NorthSouth)
            }
            TokenKind::Word(Word::EwSide) => {
                self.advance();
                Ok(Side::EastWest)
            }
            TokenKind::Word(Word::NsVul) if self.native() => {
                self.advance();
                Ok(Side::NorthSouth)
            }
            TokenKind::Word(Word::EwVul) if self.native() => {
                self.advance();
                Ok(Side::EastWest)
            }
            // dealer3 accepts a seat for its side.
            TokenKind::Word(Word::Seat(seat)) if self.native() => {
                self.advance();
                Ok(seat.side())
            }
            _ => self.wrong_argument(site, "a side (NS or EW, in capitals)"),
        }
    }

    pub(super) fn side_or_seat(&mut self, site: CallSite) -> Parsed<SideOrSeat> {
        match self.kind() {
            TokenKind::Word(Word::Seat(seat)) => {
                self.advance();
                Ok(SideOrSeat::Seat(seat))
            }
            TokenKind::Word(Word::NsSide | Word::EwSide) => self.side(site).map(SideOrSeat::Side),
            TokenKind::Word(Word::NsVul | Word::EwVul) if self.native() => {
                self.side(site).map(SideOrSeat::Side)
            }
            _ if self.seat_letter(self.peek()).is_some() => self.seat(site).map(SideOrSeat::Seat),
            _ => {
                if let Some(error) = self.case_error(&["north", "east", "south", "west"]) {
                    return error;
                }
                self.wrong_argument(
                    site,
                    "a side (NS or EW) or a compass (north, east, south or west)",
                )
            }
        }
    }

    /// Reads `nv` or `vul`.
    pub(super) fn vulnerable(&mut self, site: CallSite) -> Parsed<bool> {
        match self.kind() {
            TokenKind::Word(Word::Nv) => {
                self.advance();
                Ok(false)
            }
            TokenKind::Word(Word::Vul) => {
                self.advance();
                Ok(true)
            }
            TokenKind::Number(number) if self.native() && (0..2).contains(&number.wrapped) => {
                self.advance();
                Ok(number.wrapped == 1)
            }
            _ => self.wrong_argument(site, "`nv` or `vul`"),
        }
    }

    /// Reads `none`, `ns`, `ew`, `both` or `all`; as an argument only in lower case.
    pub(super) fn vulnerability(&mut self, site: CallSite) -> Parsed<Vulnerability> {
        let vulnerability = match self.kind() {
            TokenKind::Word(Word::None) => Vulnerability::None,
            TokenKind::Word(Word::NsVul) => Vulnerability::NorthSouth,
            TokenKind::Word(Word::EwVul) => Vulnerability::EastWest,
            TokenKind::Word(Word::Both | Word::All) => Vulnerability::Both,
            _ => {
                if let Some(error) = self.case_error(&["none", "ns", "ew", "both", "all"]) {
                    return error;
                }
                return self.wrong_argument(site, "a vulnerability (none, ns, ew, both or all)");
            }
        };
        self.advance();
        Ok(vulnerability)
    }

    pub(super) fn contract(&mut self, site: CallSite) -> Parsed<Contract> {
        if let TokenKind::Contract(contract) = self.kind() {
            self.advance();
            return Ok(contract);
        }
        if self.native() && self.computes_contract() {
            return self.computed_contract(site);
        }
        let (text, span) = self.touching_text();
        let bare = text.strip_prefix(['x', 'z', 'X', 'Z']).unwrap_or(&text);
        if let Ok(contract) = bare.parse::<Contract>() {
            let message = format!(
                "contracts are written with a letter in front and the strain in capitals: `x{contract}` or `z{contract}`"
            );
            return self.fail(Report::error(site.code, span, message).classic_syntax_error());
        }
        if self.kind() == TokenKind::Name && text.starts_with(['x', 'z']) {
            let message = format!(
                "`{text}` is not a contract: `x` or `z`, a level from 1 to 7, one of C D H S N, and `x` or `xx` if doubled"
            );
            return self.fail(Report::error(site.code, span, message).classic_syntax_error());
        }
        self.wrong_argument(site, "a contract (such as x3N, z4S or z4Sx)")
    }

    /// Returns whether a number or a computation follows where a contract should be.
    fn computes_contract(&self) -> bool {
        let token = self.peek();
        match token.kind {
            TokenKind::Number(_) => {
                let next = self.ahead(1);
                !(Parser::adjacent(token, next)
                    && matches!(next.kind, TokenKind::Name | TokenKind::Holding))
            }
            TokenKind::Name => self.is_defined(self.bytes(token.span)),
            TokenKind::Word(Word::Suit(_) | Word::Notrump) => self.options.dealer3,
            _ => false,
        }
    }

    /// Reads a contract by number: five times the level plus the strain (clubs 0), plus 40 if doubled, 80 if redoubled.
    /// It may be a sum of products of constants.
    fn computed_contract(&mut self, site: CallSite) -> Parsed<Contract> {
        let first = self.peek().span;
        let contract = self.constant_sum().and_then(contract_of_number);
        let ends = matches!(self.kind(), TokenKind::Comma | TokenKind::Close);
        if let Some(contract) = contract.filter(|_| ends) {
            return Ok(contract);
        }
        let span = first.to(self.previous_span());
        let message = "this is not a contract: five times the level plus the strain (clubs 0 to notrump 4), and 40 more if doubled, from constants alone; or write `x3N`";
        self.fail(Report::error(site.code, span, message).classic_syntax_error())
    }

    /// Reads a sum of constants: `15 + notrump`, `5 * level + 4`.
    fn constant_sum(&mut self) -> Option<i32> {
        let mut sum = self.constant_product()?;
        loop {
            if self.eat(TokenKind::Plus) {
                sum = sum.checked_add(self.constant_product()?)?;
            } else if self.eat(TokenKind::Minus) {
                sum = sum.checked_sub(self.constant_product()?)?;
            } else {
                return Some(sum);
            }
        }
    }

    fn constant_product(&mut self) -> Option<i32> {
        let mut product = self.constant_factor()?;
        while self.eat(TokenKind::Star) {
            product = product.checked_mul(self.constant_factor()?)?;
        }
        Some(product)
    }

    fn constant_factor(&mut self) -> Option<i32> {
        /// Maximum number of nodes of a variable's value that are evaluated.
        const MOST_PARTS: u32 = 64;
        let token = self.advance();
        match token.kind {
            TokenKind::Number(number) => Some(number.wrapped).filter(|_| !number.large),
            TokenKind::Word(Word::Suit(suit)) => Some(Strain::from(suit).index() as i32),
            TokenKind::Word(Word::Notrump) => Some(Strain::Notrump.index() as i32),
            TokenKind::Name => {
                let &number = self.defined.get(self.bytes(token.span))?;
                let definition = &mut self.script.definitions[number as usize];
                definition.used = true;
                let value = definition.value;
                let mut budget = MOST_PARTS;
                self.script.constant(value, &mut budget)
            }
            _ => None,
        }
    }

    pub(super) fn card(&mut self, site: CallSite) -> Parsed<Card> {
        if let TokenKind::Card(card) = self.kind() {
            self.advance();
            return Ok(card);
        }
        let (text, span) = self.touching_text();
        let upper = text.to_ascii_uppercase().replace("10", "T");
        if let Ok(card) = upper.parse::<Card>() {
            let right = format!("{}{}", card.rank(), card.suit().letter());
            let message = format!("cards are written rank first, in capitals: `{right}`");
            let report = Report::error(site.code, span, message).replace_with(&right);
            return self.fail(report.classic_syntax_error());
        }
        self.wrong_argument(site, "a card (rank then suit, such as AS, TD or 2C)")
    }

    /// Returns the text of the next token and of the tokens that touch it, up to a comma or parenthesis.
    pub(super) fn touching_text(&self) -> (String, Span) {
        let mut last = self.at;
        while !matches!(
            self.tokens[last].kind,
            TokenKind::End | TokenKind::Comma | TokenKind::Close
        ) && Parser::adjacent(self.tokens[last], self.tokens[last + 1])
            && !matches!(
                self.tokens[last + 1].kind,
                TokenKind::End | TokenKind::Comma | TokenKind::Close | TokenKind::Open
            )
            && last - self.at < 12
        {
            last += 1;
        }
        let span = self.peek().span.to(self.tokens[last].span);
        (self.text(span), span)
    }

    /// Reads a number literal with an optional minus sign.
    pub(super) fn number(&mut self) -> Option<Literal> {
        let minus = self.peek();
        let negative = minus.kind == TokenKind::Minus;
        let token = self.ahead(usize::from(negative));
        let (value, decimal) = match token.kind {
            TokenKind::Number(number) => {
                if number.large && !(negative && number.wrapped == i32::MIN) {
                    self.reports.add(Report::error(
                        "E104",
                        token.span,
                        "this number is too large; the limit is 2147483647",
                    ));
                }
                (number.wrapped, false)
            }
            TokenKind::Decimal(value) => (value, true),
            _ => return None,
        };
        self.at += 1 + usize::from(negative);
        let (value, span) = if negative {
            (value.wrapping_neg(), minus.span.to(token.span))
        } else {
            (value, token.span)
        };
        Some(Literal {
            value,
            decimal,
            span,
        })
    }

    pub(super) fn number_argument(&mut self, site: CallSite, wanted: &str) -> Parsed<Literal> {
        match self.number() {
            Some(literal) => Ok(literal),
            None => self.wrong_argument(site, wanted),
        }
    }

    /// Moves to the token after the `)` of a call, after an error inside it.
    pub(super) fn skip_to_close(&mut self) {
        let mut depth = 1_usize;
        loop {
            match self.kind() {
                TokenKind::Open => depth += 1,
                TokenKind::Close => depth -= 1,
                _ if self.at_statement_end() => return,
                _ => {}
            }
            self.advance();
            if depth == 0 {
                return;
            }
        }
    }
}

/// Returns the contract with this number in dealer3.
fn contract_of_number(number: i32) -> Option<Contract> {
    /// Added to the number of a contract for a double.
    const DOUBLED: u8 = 40;
    let number = u8::try_from(number).ok()?;
    let (doubling, rest) = match number {
        0..=44 => (Doubling::Undoubled, number),
        45..=84 => (Doubling::Doubled, number - DOUBLED),
        _ => (Doubling::Redoubled, number - 2 * DOUBLED),
    };
    let strain = Strain::ALL[usize::from(rest % 5)];
    Contract::new(rest / 5, strain, doubling)
}
