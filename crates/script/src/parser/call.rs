//! Functions of the deal.

use super::argument::Site;
use super::expression::{Call, Frame};
use super::{Parsed, Parser};
use crate::ast::{ExprId, ExprKind};
use crate::diagnostic::Report;
use crate::plan::{Counter, LoserRule, Node, Who};
use crate::token::Kind;
use crate::word::{Word, nearest};
use cards::{Strain, Suit};
use valuation::metrics;

/// How a function is called, for messages.
pub(crate) fn signature(word: Word) -> &'static str {
    match word {
        Word::Suit(Suit::Clubs) => "clubs(compass)",
        Word::Suit(Suit::Diamonds) => "diamonds(compass)",
        Word::Suit(Suit::Hearts) => "hearts(compass)",
        Word::Suit(Suit::Spades) => "spades(compass)",
        Word::Hcp => "hcp(compass[, suit])",
        Word::Pt(0) => "tens(compass[, suit])",
        Word::Pt(1) => "jacks(compass[, suit])",
        Word::Pt(2) => "queens(compass[, suit])",
        Word::Pt(3) => "kings(compass[, suit])",
        Word::Pt(4) => "aces(compass[, suit])",
        Word::Pt(5) => "top2(compass[, suit])",
        Word::Pt(6) => "top3(compass[, suit])",
        Word::Pt(7) => "top4(compass[, suit])",
        Word::Pt(8) => "top5(compass[, suit])",
        Word::Pt(_) => "c13(compass[, suit])",
        Word::Losers => "losers(compass[, suit])",
        Word::Controls => "controls(compass[, suit])",
        Word::Quality => "quality(compass, suit)",
        Word::Cccc => "cccc(compass)",
        Word::Tricks => "tricks(compass, strain)",
        Word::Score => "score(nv|vul, contract, tricks)",
        Word::Imps => "imps(difference)",
        Word::Hascard => "hascard(compass, card)",
        Word::Shape => "shape(compass, shapes)",
        Word::Rnd => "rnd(limit)",
        Word::UserEval => "usereval(tag, side or compass[, suit], index)",
        Word::Ltc => "ltc(compass[, suit])",
        Word::Par => "par(side[, vulnerability])",
        Word::Opc => "opc(side[, strain])",
        _ => "",
    }
}

impl<'a> Parser<'a> {
    /// Reads a function call. None if it was only begun: its last argument is an expression that comes next.
    pub(super) fn call(&mut self, frames: &mut Vec<Frame>, word: Word) -> Parsed<Option<ExprId>> {
        let name = self.advance().span;
        if word == Word::Shape
            && let Kind::FdShape(number) = self.kind()
        {
            self.advance();
            return Ok(Some(self.fd_shape(name, number as usize)));
        }
        let site = self.open(signature(word), "E306")?;
        let open = site.open;
        let begun = match word {
            Word::Imps => Some(Call::Imps),
            Word::Rnd => Some(Call::Rnd),
            Word::Score => {
                let Ok(call) = self.score_arguments(site) else {
                    self.skip_to_close();
                    return Ok(Some(self.poison(name)));
                };
                Some(call)
            }
            _ => None,
        };
        if let Some(call) = begun {
            frames.push(Frame::Call {
                call,
                word: name,
                open,
            });
            return Ok(None);
        }
        match self.leaf(word, site) {
            Ok(node) => {
                let span = name.to(self.previous_span());
                Ok(Some(self.script.add(ExprKind::Leaf(node), span, name)))
            }
            Err(_) => {
                self.skip_to_close();
                Ok(Some(self.poison(name)))
            }
        }
    }

    fn score_arguments(&mut self, site: Site) -> Parsed<Call> {
        let vulnerable = self.vulnerable(site)?;
        self.comma(site, "a contract")?;
        let contract = self.contract(site)?;
        self.comma(site, "the number of tricks")?;
        Ok(Call::Score {
            vulnerable,
            contract,
        })
    }

    fn leaf(&mut self, word: Word, site: Site) -> Parsed<Node> {
        let node = match word {
            Word::Suit(suit) => Node::Length(self.seat(site)?, suit),
            Word::Hcp | Word::Pt(_) | Word::Controls | Word::Losers | Word::Ltc => {
                let seat = self.seat(site)?;
                let suit = self.optional(Parser::suit, site)?;
                let counter = match word {
                    Word::Losers => {
                        return self.closed(
                            site,
                            Node::Losers {
                                rule: LoserRule::Cards,
                                seat,
                                suit,
                            },
                        );
                    }
                    Word::Ltc => return self.closed(site, Node::Ltc(seat, suit)),
                    Word::Hcp => Counter::Hcp,
                    Word::Pt(n) => Counter::Pt(n),
                    _ => Counter::Controls,
                };
                Node::Count {
                    counter,
                    seat,
                    suit,
                }
            }
            Word::Cccc => Node::Cccc(self.seat(site)?),
            Word::Quality => {
                let seat = self.seat(site)?;
                self.comma(site, "a suit")?;
                Node::Quality(seat, self.suit(site)?)
            }
            Word::Hascard => {
                let seat = self.seat(site)?;
                self.comma(site, "a card")?;
                Node::HasCard(seat, self.card(site)?)
            }
            Word::Shape => {
                let seat = self.seat(site)?;
                self.comma(site, "a list of shapes")?;
                Node::Shape(seat, self.shape_list(site)?)
            }
            Word::Tricks => {
                let seat = self.seat(site)?;
                self.comma(site, "a strain")?;
                Node::Tricks(seat, self.strain(site)?)
            }
            Word::Par => {
                let side = self.side(site)?;
                Node::Par(side, self.optional(Parser::vulnerability, site)?)
            }
            Word::Opc => {
                let side = self.side(site)?;
                Node::Opc(side, self.optional(Parser::strain, site)?)
            }
            _ => self.user_evaluation(site)?,
        };
        self.closed(site, node)
    }

    fn closed(&mut self, site: Site, node: Node) -> Parsed<Node> {
        self.close_call(site)?;
        Ok(node)
    }

    fn optional<T>(
        &mut self,
        read: impl Fn(&mut Self, Site) -> Parsed<T>,
        site: Site,
    ) -> Parsed<Option<T>> {
        if self.eat(Kind::Comma) {
            read(self, site).map(Some)
        } else {
            Ok(None)
        }
    }

    fn user_evaluation(&mut self, site: Site) -> Parsed<Node> {
        let tag = self.number_argument(site, "a number (the tag)")?.value;
        self.comma(site, "a side or a compass")?;
        let who = self.who(site)?;
        self.comma(site, "a suit or the index")?;
        let strain = if let Kind::Word(Word::Suit(suit)) = self.kind() {
            self.advance();
            self.comma(site, "the index")?;
            Some(suit.into())
        } else {
            None
        };
        let index = self.number_argument(site, "a number (the index)")?.value;
        self.check_result(who, strain, index)?;
        Ok(Node::UserEval {
            tag,
            who,
            strain,
            index,
        })
    }

    /// Each form of an evaluation has its own range of results; the index has just been read.
    fn check_result(&mut self, who: Who, strain: Option<Strain>, index: i32) -> Parsed<()> {
        let seat = match who {
            Who::Side(_) => None,
            Who::Seat(seat) => Some(seat),
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

    /// `metric(name, side[, strain][, index])`
    pub(super) fn metric(&mut self) -> Parsed<ExprId> {
        let name = self.advance().span;
        let site = self.open("metric(name, side or compass[, strain][, index])", "E306")?;
        match self.metric_arguments(site) {
            Ok(node) => {
                let span = name.to(self.previous_span());
                Ok(self.script.add(ExprKind::Leaf(node), span, name))
            }
            Err(_) => {
                self.skip_to_close();
                Ok(self.poison(name))
            }
        }
    }

    fn metric_arguments(&mut self, site: Site) -> Parsed<Node> {
        let token = self.peek();
        if !matches!(token.kind, Kind::Name | Kind::Word(_)) {
            return self.wrong_argument(site, "the name of a metric");
        }
        let name = self.text(token.span);
        let Some(metric) = metrics::by_name(&name) else {
            let known = metrics::list().iter().map(|metric| metric.name);
            let hint = nearest(&name, known)
                .map_or(String::new(), |best| format!("; did you mean `{best}`?"));
            let message = format!("there is no metric `{name}`{hint}");
            let report = Report::error("E306", token.span, message)
                .note("`croupier metrics` lists them all");
            return self.fail(report);
        };
        self.advance();
        self.comma(site, "a side or a compass")?;
        let who = self.who(site)?;
        let (mut strain, mut index) = (None, None);
        if self.eat(Kind::Comma) {
            if matches!(self.kind(), Kind::Word(_)) {
                strain = Some(self.strain(site)?);
                if self.eat(Kind::Comma) {
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
            self.check_result(who, strain, index)?;
        }
        let end = self.peek().span;
        self.close_call(site)?;
        if let Some(index) = index {
            return Ok(Node::UserEval {
                tag: metric.tag,
                who,
                strain,
                index,
            });
        }
        let (side, seat) = match who {
            Who::Side(side) => (side, None),
            Who::Seat(seat) => (seat.side(), Some(seat)),
        };
        let slot = match strain {
            Some(Strain::Notrump) => metric.slot(seat, true),
            None => metric.slot(seat, false),
            Some(_) => None,
        };
        match slot {
            Some(slot) => Ok(Node::UserEval {
                tag: metric.tag,
                who: Who::Side(side),
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
