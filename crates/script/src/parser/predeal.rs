//! The statement `predeal`.

use super::{Halt, Parsed, Parser};
use crate::ast::PredealItem;
use crate::diagnostic::Report;
use crate::plan::Span;
use crate::token::TokenKind;
use crate::word::Word;
use cards::{Card, CardSet, Rank, Seat, Suit};

const FORMS: &str = "`seat holding` (as in north SAK, H2) or `suit(seat) == length`";

impl<'a> Parser<'a> {
    /// Reads everything after the word `predeal`.
    pub(super) fn predeal(&mut self, word: Span) -> Parsed<()> {
        let mut items = 0;
        loop {
            match self.kind() {
                TokenKind::Word(Word::Seat(seat)) => {
                    self.advance();
                    self.predealt_cards(seat)?;
                }
                TokenKind::Name | TokenKind::Holding
                    if self.seat_letter(self.peek()).is_some()
                        && self.ahead(1).kind == TokenKind::Holding =>
                {
                    let seat = self.seat_letter(self.peek()).unwrap_or(Seat::South);
                    self.advance();
                    self.predealt_cards(seat)?;
                }
                TokenKind::Word(Word::Suit(suit)) if items == 0 || self.is_length_item() => {
                    if items > 0 && self.starts_line(self.at) {
                        self.reports.add(Report::warning(
                            "W11",
                            self.peek().span,
                            "this is read as another item of `predeal`; write `condition` before it if it is one",
                        ));
                    }
                    self.predealt_length(suit)?;
                }
                _ if items == 0 => return self.no_predeal_item(word),
                TokenKind::Holding => {
                    let token = self.peek();
                    let message = format!(
                        "a `,` is missing before the holding `{}`",
                        self.text(token.span)
                    );
                    return self
                        .fail(Report::error("E201", token.span, message).classic_syntax_error());
                }
                _ => return Ok(()),
            }
            items += 1;
        }
    }

    fn no_predeal_item(&mut self, word: Span) -> Parsed<()> {
        let token = self.peek();
        if token.kind == TokenKind::Bad {
            return Err(Halt);
        }
        if self.at_statement_end() {
            let report = Report::error("E205", word, format!("`predeal` needs {FORMS}"));
            return self.fail(report.classic(token.span, "syntax error"));
        }
        let report = match Word::in_other_case(self.bytes(token.span)) {
            Some(right)
                if matches!(
                    Word::from_spelling(right.as_bytes()),
                    Some(Word::Seat(_) | Word::Suit(_))
                ) =>
            {
                Report::error(
                    "E207",
                    token.span,
                    format!("words of the language are written exactly so: `{right}`"),
                )
            }
            _ => Report::error(
                "E206",
                token.span,
                format!(
                    "{} does not fit after `predeal`; allowed is {FORMS}, with the seats north, east, south, west",
                    self.describe(token)
                ),
            ),
        };
        self.fail(report.classic_syntax_error())
    }

    /// Returns whether `suit ( seat ) ==` follows.
    fn is_length_item(&self) -> bool {
        self.ahead(1).kind == TokenKind::Open
            && (matches!(self.ahead(2).kind, TokenKind::Word(Word::Seat(_)))
                || self.seat_letter(self.ahead(2)).is_some())
            && self.ahead(3).kind == TokenKind::Close
            && self.ahead(4).kind == TokenKind::Equal
    }

    fn predealt_cards(&mut self, seat: Seat) -> Parsed<()> {
        loop {
            let token = self.peek();
            if token.kind != TokenKind::Holding {
                return self.not_a_holding();
            }
            self.advance();
            self.script.predeal.push(PredealItem::Cards {
                seat,
                cards: holding(self.bytes(token.span)),
                span: token.span,
            });
            if self.kind() != TokenKind::Comma {
                return Ok(());
            }
            self.advance();
        }
    }

    fn not_a_holding(&mut self) -> Parsed<()> {
        let token = self.peek();
        if token.kind == TokenKind::Bad {
            return Err(Halt);
        }
        let (text, span) = match token.kind {
            TokenKind::Name | TokenKind::Card(_) | TokenKind::Number(_) | TokenKind::Word(_) => {
                self.touching_text()
            }
            _ => (String::new(), token.span),
        };
        if let Some(right) = corrected_holding(&text) {
            let message = format!(
                "`{text}` is not a holding: a suit letter C D H S, then ranks from AKQJT98765432 in this order; write `{right}`"
            );
            while self.peek().span.start < span.end && self.kind() != TokenKind::End {
                self.advance();
            }
            let report = Report::error("E507", span, message).replace_with(&right);
            return self.fail(report.classic_syntax_error());
        }
        if token.kind == TokenKind::Name {
            let message = format!(
                "`{text}` is not a holding: a suit letter C D H S, then ranks from AKQJT98765432 in this order, such as `SAK2`"
            );
            self.advance();
            return self.fail(Report::error("E507", span, message).classic_syntax_error());
        }
        self.unexpected("a holding: a suit letter and ranks, such as `SAK2`")
    }

    fn predealt_length(&mut self, suit: Suit) -> Parsed<()> {
        let word = self.advance().span;
        let site = self.open("predeal suit(compass) == length", "E206")?;
        let seat = self.seat(site)?;
        self.close_call(site)?;
        let what = word.to(self.previous_span());
        let operator = self.peek();
        if operator.kind != TokenKind::Equal {
            if operator.kind == TokenKind::Bad {
                return Err(Halt);
            }
            let report = Report::error(
                "E508",
                operator.span,
                "a length can only be predealt exactly: `suit(seat) == number`; for a range use a condition",
            );
            return self.fail(report.classic_syntax_error());
        }
        self.advance();
        let token = self.peek();
        let length = match token.kind {
            TokenKind::Number(number) if !number.large => Some(number.wrapped),
            TokenKind::Number(_) => Some(i32::MAX),
            TokenKind::Decimal(value) => Some(value),
            _ => None,
        };
        match length {
            Some(length @ 0..=13) => {
                self.advance();
                self.script.predeal.push(PredealItem::Length {
                    seat,
                    suit,
                    length: length as u8,
                    what,
                    span: what.to(token.span),
                });
                Ok(())
            }
            Some(_) => {
                let report = Report::error("E508", token.span, "a suit has 0 to 13 cards").classic(
                    token.span,
                    format!(
                        "Suit lengths too long for {}",
                        crate::lower::predeal::capital(seat)
                    ),
                );
                self.advance();
                self.fail(report)
            }
            None if token.kind == TokenKind::Bad => Err(Halt),
            None => {
                let message = "the length must be a plain number from 0 to 13";
                self.fail(Report::error("E508", token.span, message).classic_syntax_error())
            }
        }
    }
}

/// Returns the cards of a holding such as `SAK`.
fn holding(text: &[u8]) -> CardSet {
    let Some(suit) = text.first().and_then(|&c| Suit::from_letter(c as char)) else {
        return CardSet::EMPTY;
    };
    text[1..]
        .iter()
        .filter_map(|&c| Rank::from_letter(c as char))
        .map(|rank| Card::new(suit, rank))
        .collect()
}

/// Returns the right spelling of a misspelt holding.
fn corrected_holding(text: &str) -> Option<String> {
    let upper = text.to_ascii_uppercase().replace("10", "T");
    let (suit, ranks) = match upper.chars().next()? {
        c if Suit::from_letter(c).is_some() => (c, upper[c.len_utf8()..].to_owned()),
        // `AKS` or `AS`, with the suit last.
        _ => {
            let last = upper.chars().next_back()?;
            Suit::from_letter(last)?;
            (last, upper[..upper.len() - last.len_utf8()].to_owned())
        }
    };
    let mut set = cards::Holding::EMPTY;
    for c in ranks.chars() {
        set.insert(Rank::from_letter(c)?);
    }
    if ranks.is_empty() {
        return None;
    }
    let ranks: String = set.iter().map(Rank::letter).collect();
    Some(format!("{suit}{ranks}"))
}
