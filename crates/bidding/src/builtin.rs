//! The built-in robot: the crate `pons`, which plays 2/1 and a Dutch system.

mod convert;
mod reading;

use std::any::Any;
use std::sync::LazyLock;

use cards::Vulnerability;
use contract_bridge::auction::{Call as PonsCall, RelativeVulnerability};
use pons::bidding::table::select_legal_call;
use pons::bidding::{Bidder, Partnership, Phase, Trie};

use crate::robot::{
    Answer, BiddingSystem, CallExplanation, CallPosition, Detail, Robot, RobotError,
};
use crate::{Auction, Meaning};

/// A system of the built-in robot.
pub struct BuiltInSystem {
    name: &'static str,
    partnership: Partnership,
    /// The rules for uncontested auctions, competitive ones, and those that the opponents opened.
    books: [Trie; 3],
}

/// The names of the built-in systems.
pub const SYSTEM_NAMES: [&str; 2] = ["2/1", "dutch"];

static TWO_OVER_ONE: LazyLock<BuiltInSystem> =
    LazyLock::new(|| BuiltInSystem::new(SYSTEM_NAMES[0], &pons::american_default()));
static DUTCH: LazyLock<BuiltInSystem> =
    LazyLock::new(|| BuiltInSystem::new(SYSTEM_NAMES[1], &pons::dutch_default()));

impl BuiltInSystem {
    /// Returns the system of this name, in either case: one of [`SYSTEM_NAMES`].
    #[must_use]
    pub fn by_name(name: &str) -> Option<&'static BuiltInSystem> {
        match name.to_ascii_lowercase().as_str() {
            "2/1" => Some(&TWO_OVER_ONE),
            "dutch" => Some(&DUTCH),
            _ => None,
        }
    }

    fn new(name: &'static str, system: &pons::System) -> BuiltInSystem {
        let constructive = system.constructive.0.clone();
        // As in `pons`, competitive rules refer to those of uncontested auctions.
        let mut competitive = system.competitive.0.clone();
        competitive.merge(constructive.clone());
        BuiltInSystem {
            name,
            partnership: system.bind(),
            books: [constructive, competitive, system.defensive.0.clone()],
        }
    }

    /// Returns the rules for the next call.
    fn book(&self, auction: &[PonsCall]) -> &Trie {
        &self.books[match Phase::of(auction) {
            Phase::Constructive => 0,
            Phase::Competitive => 1,
            Phase::Defensive => 2,
        }]
    }
}

impl BiddingSystem for BuiltInSystem {
    fn name(&self) -> &str {
        self.name
    }

    fn robot(&self) -> Result<Box<dyn Robot + '_>, RobotError> {
        Ok(Box::new(PonsRobot {
            system: self,
            board: None,
        }))
    }
}

struct PonsRobot<'a> {
    system: &'a BuiltInSystem,
    board: Option<Board>,
}

/// The board that a robot bids, and the hands that the auction so far shows. The next call extends them.
struct Board {
    vulnerability: Vulnerability,
    auction: Auction,
    state: Option<Box<dyn Any>>,
}

impl Board {
    /// Returns whether the question is about a later call of the same side on this board, by comparing the auctions.
    fn continues(&self, question: &CallPosition<'_>) -> bool {
        let (before, now) = (&self.auction, question.auction);
        self.vulnerability == question.vulnerability
            && before.dealer() == now.dealer()
            && before.calls().len() < now.calls().len()
            && (now.calls().len() - before.calls().len()) % 2 == 0
            && now.calls().starts_with(before.calls())
    }
}

impl Robot for PonsRobot<'_> {
    fn answer(
        &mut self,
        question: &CallPosition<'_>,
        detail: Detail,
    ) -> Result<Answer, RobotError> {
        let partnership = &self.system.partnership;
        let board = self.board.take().filter(|board| board.continues(question));
        let mut state = match board {
            Some(board) => board.state,
            None => partnership.new_deal_state(),
        };
        let hand = convert::hand(question.hand);
        let vulnerability = convert::vulnerability(question.vulnerability, question.seat());
        let calls = convert::calls(question.auction.calls());
        let logits =
            partnership.classify_in_deal(hand, vulnerability, &calls, state.as_deref_mut());
        let call = select_legal_call(logits, &calls);
        self.board = Some(Board {
            vulnerability: question.vulnerability,
            auction: question.auction.clone(),
            state,
        });
        let explanation = (detail == Detail::Explained)
            .then(|| self.system.explain(hand, vulnerability, &calls, call));
        Ok(Answer {
            call: convert::call(call),
            explanation,
        })
    }
}

impl BuiltInSystem {
    /// Explains a call by the rule that chose it. If no rule did, the explanation is the hands that the call shows
    /// beyond those known before it.
    fn explain(
        &self,
        hand: contract_bridge::Hand,
        vulnerability: RelativeVulnerability,
        before: &[PonsCall],
        call: PonsCall,
    ) -> CallExplanation {
        let explained = self
            .partnership
            .explain_call(hand, vulnerability, before, call);
        let rule = explained.and_then(|(_, rule)| rule);
        let meaning = self.shown(vulnerability, before, call);
        // The caller's last call was four places earlier.
        let known = match before.len().checked_sub(4) {
            Some(last) => self.shown(vulnerability, &before[..last], before[last]),
            None => Meaning::default(),
        };
        let words = rule
            .as_ref()
            .and_then(|rule| reading::plain_words(&rule.description, rule.alert));
        let is_alerted = rule.is_some_and(|rule| rule.alert.is_some());
        CallExplanation {
            text: words.unwrap_or_else(|| match meaning == known {
                true => String::new(),
                false => meaning.to_string(),
            }),
            is_alerted,
            meaning: Some(meaning),
        }
    }

    /// Returns the hands that the caller's calls up to this one show.
    fn shown(
        &self,
        vulnerability: RelativeVulnerability,
        before: &[PonsCall],
        call: PonsCall,
    ) -> Meaning {
        let mut calls = before.to_vec();
        calls.push(call);
        // The hands are read from the seat to the left of the caller, which is on the other side.
        let reader = convert::other_side(vulnerability);
        let inferences = self.partnership.infer(reader, &calls);
        convert::meaning(inferences.announced_union(pons::bidding::Relative::Rho))
    }
}
