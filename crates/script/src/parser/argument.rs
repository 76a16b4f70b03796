//! Arguments of functions and actions that are not expressions: seats, suits, sides, cards, contracts, numbers.

use super::{Halt, Parsed, Parser};
use crate::diagnostic::Report;
use crate::plan::{Span, Who};
use crate::token::Kind;
use crate::word::{Word, nearest};
use cards::{Card, Contract, Doubling, Seat, Side, Strain, Suit, Vulnerability};

/// The call whose arguments are being read.
#[derive(Clone, Copy)]
pub(super) struct Site {
    pub signature: &'static str,
    pub open: Span,
    /// Class of the error for a wrong argument.
    pub code: &'static str,
}

/// What a `number` in the grammar is.
pub(super) struct Literal {
    pub value: i32,
    pub decimal: bool,
    pub span: Span,
}

impl<'a> Parser<'a> {
    /// Takes the `(` after a word.
    pub(super) fn open(&mut self, signature: &'static str, code: &'static str) -> Parsed<Site> {
        if self.kind() != Kind::Open {
            if matches!(self.kind(), Kind::Close | Kind::Comma) || self.at_statement_end() {
                let (word, at) = (self.previous_span(), self.peek().span);
                let message = format!("`{}` needs its arguments: {signature}", self.text(word));
                return self.fail(Report::error(code, word, message).classic(at, "syntax error"));
            }
            return self.unexpected(&format!("`(`: {signature}"));
        }
        Ok(Site {
            signature,
            open: self.advance().span,
            code,
        })
    }

    /// Reports that the next token is not the argument it should be.
    pub(super) fn wrong_argument<T>(&mut self, site: Site, wanted: &str) -> Parsed<T> {
        let token = self.peek();
        if token.kind == Kind::Bad {
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
            Kind::Close => format!("{wanted} is missing: {}", site.signature),
            _ => format!(
                "{} is not {wanted}: {}",
                self.describe(token),
                site.signature
            ),
        };
        let mut report = Report::error(site.code, token.span, message);
        if token.kind == Kind::Name {
            let seats = ["north", "east", "south", "west"];
            let strains = ["clubs", "diamonds", "hearts", "spades", "notrump"];
            let known = match wanted {
                _ if wanted.contains("compass") => &seats[..],
                _ if wanted.contains("notrump") => &strains[..],
                _ if wanted.contains("spades") => &strains[..4],
                _ => &[],
            };
            let text = self.text(token.span);
            report = report.perhaps(nearest(&text, known.iter().copied()));
        }
        self.fail(report.syntax())
    }

    /// E207, if the next token is one of `words` except for its case.
    fn case_error<T>(&mut self, words: &[&'static str]) -> Option<Parsed<T>> {
        let token = self.peek();
        if !matches!(token.kind, Kind::Name | Kind::Word(_)) {
            return None;
        }
        let text = self.bytes(token.span);
        let word = words
            .iter()
            .find(|w| w.as_bytes().eq_ignore_ascii_case(text) && w.as_bytes() != text)?;
        let message = format!("words of the language are written exactly so: `{word}`");
        let report = Report::error("E207", token.span, message).instead(word);
        Some(self.fail(report.syntax()))
    }

    /// Takes the comma before the next argument, which is described by `wanted`.
    pub(super) fn comma(&mut self, site: Site, wanted: &str) -> Parsed<()> {
        if self.eat(Kind::Comma) {
            return Ok(());
        }
        let token = self.peek();
        match token.kind {
            Kind::Close => self.wrong_argument(site, wanted),
            _ if self.looks_unclosed() => self.fail(
                Report::error("E202", site.open, "this `(` is not closed")
                    .classic(token.span, "syntax error"),
            ),
            _ => self.unexpected(&format!("`,` and {wanted}: {}", site.signature)),
        }
    }

    /// Takes the `)` at the end of a call.
    pub(super) fn close_call(&mut self, site: Site) -> Parsed<()> {
        if self.eat(Kind::Close) {
            return Ok(());
        }
        let token = self.peek();
        if token.kind == Kind::Bad {
            return Err(Halt);
        }
        if token.kind == Kind::Comma {
            let extra = self.ahead(1).span;
            let message = format!("one argument too many: {}", site.signature);
            return self.fail(
                Report::error(site.code, extra, message).classic(token.span, "syntax error"),
            );
        }
        if self.looks_unclosed() {
            // Go on as if it were closed here; a `)` further on is then one too many.
            self.reports.add(
                Report::error("E202", site.open, "this `(` is not closed")
                    .classic(token.span, "syntax error"),
            );
            self.forgiven += 1;
            return Ok(());
        }
        self.unexpected(&format!("`,` or `)`: {}", site.signature))
    }

    /// Whether the next token is one that goes on after a call, not inside it.
    fn looks_unclosed(&self) -> bool {
        let kind = self.kind();
        self.at_statement_end()
            || kind.is_operator()
            || matches!(kind, Kind::Assign | Kind::SingleAnd | Kind::SingleOr)
    }

    pub(super) fn seat(&mut self, site: Site) -> Parsed<Seat> {
        if let Kind::Word(Word::Seat(seat)) = self.kind() {
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
        if let Kind::Word(Word::NsSide | Word::NsVul | Word::EwSide | Word::EwVul) = self.kind() {
            return self.side_for_seat(site);
        }
        self.wrong_argument(site, "a compass (north, east, south or west)")
    }

    /// `hcp(NS)`: a side where a seat is wanted.
    fn side_for_seat<T>(&mut self, site: Site) -> Parsed<T> {
        let token = self.peek();
        let (a, b) = match token.kind {
            Kind::Word(Word::NsSide | Word::NsVul) => ("north", "south"),
            _ => ("east", "west"),
        };
        let name = site.signature.split('(').next().unwrap_or_default();
        let message = format!(
            "`{}` is a side, and `{name}` looks at one hand; for both write `{name}({a}) + {name}({b})`",
            self.text(token.span)
        );
        self.fail(Report::error(site.code, token.span, message).syntax())
    }

    pub(super) fn suit(&mut self, site: Site) -> Parsed<Suit> {
        if let Kind::Word(Word::Suit(suit)) = self.kind() {
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

    pub(super) fn strain(&mut self, site: Site) -> Parsed<Strain> {
        match self.kind() {
            Kind::Word(Word::Suit(suit)) => {
                self.advance();
                Ok(suit.into())
            }
            Kind::Word(Word::Notrump) => {
                self.advance();
                Ok(Strain::Notrump)
            }
            // Strains by number, clubs first.
            Kind::Number(number) if self.native() && (0..5).contains(&number.wrapped) => {
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

    pub(super) fn side(&mut self, site: Site) -> Parsed<Side> {
        match self.kind() {
            Kind::Word(Word::NsSide) => {
                self.advance();
                Ok(Side::NorthSouth)
            }
            Kind::Word(Word::EwSide) => {
                self.advance();
                Ok(Side::EastWest)
            }
            Kind::Word(Word::NsVul) if self.native() => {
                self.advance();
                Ok(Side::NorthSouth)
            }
            Kind::Word(Word::EwVul) if self.native() => {
                self.advance();
                Ok(Side::EastWest)
            }
            // dealer3: the side of a seat.
            Kind::Word(Word::Seat(seat)) if self.native() => {
                self.advance();
                Ok(seat.side())
            }
            _ => self.wrong_argument(site, "a side (NS or EW, in capitals)"),
        }
    }

    pub(super) fn who(&mut self, site: Site) -> Parsed<Who> {
        match self.kind() {
            Kind::Word(Word::Seat(seat)) => {
                self.advance();
                Ok(Who::Seat(seat))
            }
            Kind::Word(Word::NsSide | Word::EwSide) => self.side(site).map(Who::Side),
            Kind::Word(Word::NsVul | Word::EwVul) if self.native() => {
                self.side(site).map(Who::Side)
            }
            _ if self.seat_letter(self.peek()).is_some() => self.seat(site).map(Who::Seat),
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

    /// `nv` or `vul`
    pub(super) fn vulnerable(&mut self, site: Site) -> Parsed<bool> {
        match self.kind() {
            Kind::Word(Word::Nv) => {
                self.advance();
                Ok(false)
            }
            Kind::Word(Word::Vul) => {
                self.advance();
                Ok(true)
            }
            Kind::Number(number) if self.native() && (0..2).contains(&number.wrapped) => {
                self.advance();
                Ok(number.wrapped == 1)
            }
            _ => self.wrong_argument(site, "`nv` or `vul`"),
        }
    }

    /// `none`, `ns`, `ew`, `both` or `all`, in lower case as an argument.
    pub(super) fn vulnerability(&mut self, site: Site) -> Parsed<Vulnerability> {
        let vulnerability = match self.kind() {
            Kind::Word(Word::None) => Vulnerability::None,
            Kind::Word(Word::NsVul) => Vulnerability::NorthSouth,
            Kind::Word(Word::EwVul) => Vulnerability::EastWest,
            Kind::Word(Word::Both | Word::All) => Vulnerability::Both,
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

    pub(super) fn contract(&mut self, site: Site) -> Parsed<Contract> {
        if let Kind::Contract(contract) = self.kind() {
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
            return self.fail(Report::error(site.code, span, message).syntax());
        }
        if self.kind() == Kind::Name && text.starts_with(['x', 'z']) {
            let message = format!(
                "`{text}` is not a contract: `x` or `z`, a level from 1 to 7, one of C D H S N, and `x` or `xx` if doubled"
            );
            return self.fail(Report::error(site.code, span, message).syntax());
        }
        self.wrong_argument(site, "a contract (such as x3N, z4S or z4Sx)")
    }

    /// Whether a number or a computation stands where a contract is wanted.
    fn computes_contract(&self) -> bool {
        let token = self.peek();
        match token.kind {
            Kind::Number(_) => {
                let next = self.ahead(1);
                !(Parser::adjacent(token, next) && matches!(next.kind, Kind::Name | Kind::Holding))
            }
            Kind::Name => self.is_defined(self.bytes(token.span)),
            Kind::Word(Word::Suit(_) | Word::Notrump) => self.options.dealer3,
            _ => false,
        }
    }

    /// A contract by number: five times the level plus the strain (clubs 0), 40 more if doubled, 80 if redoubled. It may
    /// be a sum of products of constants.
    fn computed_contract(&mut self, site: Site) -> Parsed<Contract> {
        let first = self.peek().span;
        let contract = self.constant_sum().and_then(contract_of_number);
        let ends = matches!(self.kind(), Kind::Comma | Kind::Close);
        if let Some(contract) = contract.filter(|_| ends) {
            return Ok(contract);
        }
        let span = first.to(self.previous_span());
        let message = "this is not a contract: five times the level plus the strain (clubs 0 to notrump 4), and 40 more if doubled, from constants alone; or write `x3N`";
        self.fail(Report::error(site.code, span, message).syntax())
    }

    /// `15 + notrump`, `5 * level + 4`
    fn constant_sum(&mut self) -> Option<i32> {
        let mut sum = self.constant_product()?;
        loop {
            if self.eat(Kind::Plus) {
                sum = sum.checked_add(self.constant_product()?)?;
            } else if self.eat(Kind::Minus) {
                sum = sum.checked_sub(self.constant_product()?)?;
            } else {
                return Some(sum);
            }
        }
    }

    fn constant_product(&mut self) -> Option<i32> {
        let mut product = self.constant_factor()?;
        while self.eat(Kind::Star) {
            product = product.checked_mul(self.constant_factor()?)?;
        }
        Some(product)
    }

    fn constant_factor(&mut self) -> Option<i32> {
        /// Parts of a variable's value that are looked at.
        const MOST_PARTS: u32 = 64;
        let token = self.advance();
        match token.kind {
            Kind::Number(number) => Some(number.wrapped).filter(|_| !number.large),
            Kind::Word(Word::Suit(suit)) => Some(Strain::from(suit).index() as i32),
            Kind::Word(Word::Notrump) => Some(Strain::Notrump.index() as i32),
            Kind::Name => {
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

    pub(super) fn card(&mut self, site: Site) -> Parsed<Card> {
        if let Kind::Card(card) = self.kind() {
            self.advance();
            return Ok(card);
        }
        let (text, span) = self.touching_text();
        let upper = text.to_ascii_uppercase().replace("10", "T");
        if let Ok(card) = upper.parse::<Card>() {
            let right = format!("{}{}", card.rank(), card.suit().letter());
            let message = format!("cards are written rank first, in capitals: `{right}`");
            return self.fail(Report::error(site.code, span, message).syntax());
        }
        self.wrong_argument(site, "a card (rank then suit, such as AS, TD or 2C)")
    }

    /// The text of the next token and those that touch it, up to a comma or parenthesis.
    pub(super) fn touching_text(&self) -> (String, Span) {
        let mut last = self.at;
        while !matches!(
            self.tokens[last].kind,
            Kind::End | Kind::Comma | Kind::Close
        ) && Parser::adjacent(self.tokens[last], self.tokens[last + 1])
            && !matches!(
                self.tokens[last + 1].kind,
                Kind::End | Kind::Comma | Kind::Close | Kind::Open
            )
            && last - self.at < 12
        {
            last += 1;
        }
        let span = self.peek().span.to(self.tokens[last].span);
        (self.text(span), span)
    }

    /// A literal number with an optional minus sign.
    pub(super) fn number(&mut self) -> Option<Literal> {
        let minus = self.peek();
        let negative = minus.kind == Kind::Minus;
        let token = self.ahead(usize::from(negative));
        let (value, decimal) = match token.kind {
            Kind::Number(number) => {
                if number.large && !(negative && number.wrapped == i32::MIN) {
                    self.reports.add(Report::error(
                        "E104",
                        token.span,
                        "this number is too large; the limit is 2147483647",
                    ));
                }
                (number.wrapped, false)
            }
            Kind::Decimal(value) => (value, true),
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

    pub(super) fn number_argument(&mut self, site: Site, wanted: &str) -> Parsed<Literal> {
        match self.number() {
            Some(literal) => Ok(literal),
            None => self.wrong_argument(site, wanted),
        }
    }

    /// After an error inside a call: skips to behind its `)`.
    pub(super) fn skip_to_close(&mut self) {
        let mut depth = 1_usize;
        loop {
            match self.kind() {
                Kind::Open => depth += 1,
                Kind::Close => depth -= 1,
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

/// The contract with this number in dealer3.
fn contract_of_number(number: i32) -> Option<Contract> {
    /// Number that a double adds to the code of a contract.
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
