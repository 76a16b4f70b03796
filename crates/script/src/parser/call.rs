//! Calls of functions.

use super::argument::CallSite;
use super::expression::Frame;
use super::{Parsed, Parser};
use crate::ast::{ExprId, ExprKind};
use crate::diagnostic::Report;
use crate::function::{Argument, Arguments, Function, METRIC};
use crate::plan::{Node, ShapeId, SideOrSeat, Span};
use crate::token::TokenKind;
use crate::word::{Word, nearest};
use cards::{ShapeSet, Strain};
use valuation::metrics;

/// Returns the description of an argument in messages about a missing comma.
fn wanted(argument: Argument) -> &'static str {
    match argument {
        Argument::Seat => "a compass",
        Argument::Suit => "a suit",
        Argument::Strain => "a suit or notrump",
        Argument::Side => "a side",
        Argument::Vulnerability | Argument::Vulnerable => "a vulnerability",
        Argument::Card => "a card",
        Argument::Contract => "a contract",
        Argument::Shapes => "a list of shapes",
        Argument::SideOrSeat => "a side or a compass",
        Argument::Number => "a number",
        Argument::Calls => "calls in quotes",
        Argument::Value => "the number of tricks",
    }
}

impl<'a> Parser<'a> {
    /// Reads a function call. None if the last argument is an expression: the caller reads it next.
    pub(super) fn call(
        &mut self,
        frames: &mut Vec<Frame>,
        function: &'static Function,
    ) -> Parsed<Option<ExprId>> {
        let name = self.advance().span;
        if function.word == Word::Shape
            && let TokenKind::FdShape(number) = self.kind()
        {
            self.advance();
            return Ok(Some(self.fd_shape(name, number as usize)));
        }
        let site = self.open(function.signature, "E306")?;
        if function.word == Word::Score && self.native() && self.at_side() {
            return Ok(Some(self.score_of_auction(name, function, site)));
        }
        let Ok(arguments) = self.arguments(function, site) else {
            self.skip_to_close();
            return Ok(Some(self.placeholder(name)));
        };
        if function.takes_value() {
            frames.push(Frame::Call {
                function,
                arguments,
                word: name,
                open: site.open,
            });
            return Ok(None);
        }
        if self.close_call(site).is_err() {
            self.skip_to_close();
            return Ok(Some(self.placeholder(name)));
        }
        let span = name.to(self.previous_span());
        let node = (function.node)(&arguments);
        Ok(Some(self.script.add(ExprKind::Call(node), span, name)))
    }

    /// Returns whether the next token is a side.
    fn at_side(&self) -> bool {
        matches!(
            self.kind(),
            TokenKind::Word(Word::NsSide | Word::EwSide | Word::NsVul | Word::EwVul)
        )
    }

    /// Reads the rest of `score(NS)`.
    fn score_of_auction(&mut self, name: Span, function: &Function, site: CallSite) -> ExprId {
        let side = self.side(site);
        let Ok(side) = side.and_then(|side| self.close_call(site).map(|()| side)) else {
            self.skip_to_close();
            return self.placeholder(name);
        };
        let node = (function.node)(&Arguments {
            side: Some(side),
            ..Arguments::default()
        });
        let span = name.to(self.previous_span());
        self.script.add(ExprKind::Call(node), span, name)
    }

    /// Reads the arguments up to an expression or the `)`.
    fn arguments(&mut self, function: &Function, site: CallSite) -> Parsed<Arguments> {
        let mut arguments = Arguments::default();
        match function.word {
            Word::UserEval => return self.user_evaluation(site),
            Word::Balanced => arguments.shapes = Some(self.balanced_shapes()),
            _ => {}
        }
        for (number, parameter) in function.parameters.iter().enumerate() {
            if number == 0 {
                if parameter.optional && self.kind() == TokenKind::Close {
                    break;
                }
            } else if parameter.optional {
                if !self.eat(TokenKind::Comma) {
                    break;
                }
            } else {
                self.comma(site, wanted(parameter.argument))?;
            }
            match parameter.argument {
                Argument::Seat => arguments.seat = Some(self.seat(site)?),
                Argument::Suit => arguments.suit = Some(self.suit(site)?),
                Argument::Strain => arguments.strain = Some(self.strain(site)?),
                Argument::Side => arguments.side = Some(self.side(site)?),
                Argument::Vulnerability => {
                    arguments.vulnerability = Some(self.vulnerability(site)?);
                }
                Argument::Vulnerable => arguments.vulnerable = Some(self.vulnerable(site)?),
                Argument::Card => arguments.card = Some(self.card(site)?),
                Argument::Contract => arguments.contract = Some(self.contract(site)?),
                Argument::Shapes => arguments.shapes = Some(self.shape_list(site)?),
                Argument::SideOrSeat => arguments.subject = Some(self.side_or_seat(site)?),
                Argument::Number => {
                    arguments.index = Some(self.number_argument(site, "a number")?.value);
                }
                Argument::Calls => arguments.calls = Some(self.calls(site)?),
                // The expression comes next; it is always the last argument.
                Argument::Value => break,
            }
        }
        Ok(arguments)
    }

    /// Returns the shapes 4333, 4432 and 5332 in any order.
    fn balanced_shapes(&mut self) -> ShapeId {
        let mut set = ShapeSet::default();
        for pattern in [*b"4333", *b"4432", *b"5332"] {
            set = set.union(&self.script.shapes.pattern(pattern, true));
        }
        self.script.shapes.add(set)
    }

    fn user_evaluation(&mut self, site: CallSite) -> Parsed<Arguments> {
        let tag = self.number_argument(site, "a number (the tag)")?.value;
        self.comma(site, "a side or a compass")?;
        let subject = self.side_or_seat(site)?;
        self.comma(site, "a suit or the index")?;
        let strain = if let TokenKind::Word(Word::Suit(suit)) = self.kind() {
            self.advance();
            self.comma(site, "the index")?;
            Some(suit.into())
        } else {
            None
        };
        let index = self.number_argument(site, "a number (the index)")?.value;
        self.check_result(subject, strain, index)?;
        Ok(Arguments {
            tag: Some(tag),
            subject: Some(subject),
            strain,
            index: Some(index),
            ..Arguments::default()
        })
    }

    /// Checks the index that has just been read: each form of an evaluation has its own number of results.
    fn check_result(
        &mut self,
        subject: SideOrSeat,
        strain: Option<Strain>,
        index: i32,
    ) -> Parsed<()> {
        let seat = match subject {
            SideOrSeat::Side(_) => None,
            SideOrSeat::Seat(seat) => Some(seat),
        };
        let suit = strain.and_then(Strain::suit);
        if metrics::slot_of_form(seat, suit, index).is_some() {
            return Ok(());
        }
        let (form, last) = match (seat, suit) {
            (None, None) => ("for a side", 127),
            (None, Some(_)) => ("for a suit of a side", 7),
            (Some(_), None) => ("for a compass", 15),
            (Some(_), Some(_)) => ("for a suit of a compass", 3),
        };
        let message =
            format!("there is no result {index}: {form} the results are numbered 0 to {last}");
        self.fail(Report::error("E306", self.previous_span(), message))
    }

    /// Reads the arguments of `metric(name, side[, strain][, index])`.
    pub(super) fn metric(&mut self) -> Parsed<ExprId> {
        let name = self.advance().span;
        let site = self.open(METRIC, "E306")?;
        match self.metric_arguments(site) {
            Ok(node) => {
                let span = name.to(self.previous_span());
                Ok(self.script.add(ExprKind::Call(node), span, name))
            }
            Err(_) => {
                self.skip_to_close();
                Ok(self.placeholder(name))
            }
        }
    }

    fn metric_arguments(&mut self, site: CallSite) -> Parsed<Node> {
        let token = self.peek();
        if !matches!(token.kind, TokenKind::Name | TokenKind::Word(_)) {
            return self.wrong_argument(site, "the name of a metric");
        }
        let name = self.text(token.span);
        let Some(metric) = metrics::by_name(&name) else {
            let known = metrics::list().iter().map(|metric| metric.name);
            let message = format!("there is no metric `{name}`");
            let report = Report::error("E306", token.span, message)
                .suggest(nearest(&name, known))
                .note("`croupier metrics` lists them all");
            return self.fail(report);
        };
        self.advance();
        self.comma(site, "a side or a compass")?;
        let subject = self.side_or_seat(site)?;
        let (mut strain, mut index) = (None, None);
        if self.eat(TokenKind::Comma) {
            if matches!(self.kind(), TokenKind::Word(_)) {
                strain = Some(self.strain(site)?);
                if self.eat(TokenKind::Comma) {
                    index = Some(self.number_argument(site, "a number (the index)")?.value);
                }
            } else {
                index = Some(
                    self.number_argument(site, "a strain or a number (the index)")?
                        .value,
                );
            }
        }
        if let Some(index) = index {
            self.check_result(subject, strain, index)?;
        }
        let end = self.peek().span;
        self.close_call(site)?;
        if let Some(index) = index {
            return Ok(Node::UserEval {
                tag: metric.tag,
                subject,
                strain,
                index,
            });
        }
        let (side, seat) = match subject {
            SideOrSeat::Side(side) => (side, None),
            SideOrSeat::Seat(seat) => (seat.side(), Some(seat)),
        };
        let slot = match strain {
            Some(Strain::Notrump) => metric.slot(seat, true),
            None => metric.slot(seat, false),
            Some(_) => None,
        };
        match slot {
            Some(slot) => Ok(Node::UserEval {
                tag: metric.tag,
                subject: SideOrSeat::Side(side),
                strain: None,
                index: slot as i32,
            }),
            None => {
                let why = if strain.is_some() {
                    "a metric has one value in notrump and one in the best fit; for a suit say which result you want"
                } else {
                    "this set of metrics has no single value; say which result you want"
                };
                let message = format!("the index is missing: {why}");
                self.fail(Report::error("E306", end, message))
            }
        }
    }
}
