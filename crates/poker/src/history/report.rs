//! The equity at every decision of a hand.

use std::collections::BTreeMap;
use std::fmt;
use std::ops::Deref;

use cards::CardSet;

use super::{HandHistory, HistoryDecision, HistoryError, known};
use crate::notation::format_cards;
use crate::range::for_each_hand;
use crate::{EquityOptions, Game, NamedRanges, Query, Range, RangeContext, Weight};

/// The cards that count as known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum HistoryView {
    /// All cards that the file shows, also those shown later: the view of a spectator.
    #[default]
    Everybody,
    /// The cards that this player sees; the others have their ranges.
    Player(usize),
}

/// Options of a report.
#[derive(Clone, Debug, Default)]
pub struct HistoryOptions {
    /// The cards that count as known.
    pub view: HistoryView,
    /// Ranges of players whose cards are not known, by the number of the player from 0; without one any hand. A range with
    /// a filter uses the board of the decision.
    pub ranges: BTreeMap<usize, String>,
    /// Named ranges.
    pub names: NamedRanges,
    /// Options of the equity.
    pub equity: EquityOptions,
}

/// The equities at a decision.
#[derive(Clone, Debug)]
pub struct DecisionEquity {
    /// The share of the pot of every player, in the order of the hand; `None` for those who have folded.
    pub shares: Vec<Option<f64>>,
    /// The 95 % intervals of these shares, if they are simulated.
    pub intervals: Vec<Option<(f64, f64)>>,
    /// Whether all deals were counted.
    pub is_exact: bool,
}

/// The reason why a decision has no equity.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum MissingEquity {
    /// Cards will be exchanged, so the hands at the showdown depend on decisions to come.
    DrawsToCome,
    /// The ranges cannot be dealt, or one cannot be read.
    Problem(String),
}

impl fmt::Display for MissingEquity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            MissingEquity::DrawsToCome => f.pad("draws to come"),
            MissingEquity::Problem(problem) => f.pad(problem),
        }
    }
}

/// A decision with the equities of the players.
#[derive(Clone, Debug)]
pub struct ReportedDecision {
    decision: HistoryDecision,
    player_name: String,
    /// The equities, or the reason why there are none.
    pub equity: Result<DecisionEquity, MissingEquity>,
}

impl Deref for ReportedDecision {
    type Target = HistoryDecision;

    fn deref(&self) -> &HistoryDecision {
        &self.decision
    }
}

impl ReportedDecision {
    /// Returns the equity of the player who decides.
    #[must_use]
    pub fn own_equity(&self) -> Option<f64> {
        self.equity.as_ref().ok()?.shares[self.player]
    }
}

impl fmt::Display for ReportedDecision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.player_name, self.action)?;
        if !self.board.is_empty() {
            write!(f, " on {}", format_cards(self.board))?;
        }
        write!(f, ", pot {}", self.pot)?;
        match self.needed() {
            Some(_) => write!(f, ", {} to call", self.to_call),
            None => Ok(()),
        }
    }
}

/// The decisions of a hand with their equities.
#[derive(Clone, Debug)]
pub struct HistoryReport {
    /// The decisions, in order.
    pub decisions: Vec<ReportedDecision>,
}

impl HandHistory {
    /// Computes the equity of every player at every decision.
    ///
    /// # Errors
    /// If the hand contradicts itself.
    pub fn report(&self, options: &HistoryOptions) -> Result<HistoryReport, HistoryError> {
        let mut last: Option<(Question, Result<DecisionEquity, MissingEquity>)> = None;
        let mut decisions = Vec::new();
        for decision in self.decisions()? {
            let question = self.question(&decision, options.view);
            let equity = match &last {
                Some((asked, answer)) if *asked == question => answer.clone(),
                _ if decision.draws_left > 0 => Err(MissingEquity::DrawsToCome),
                _ => self.solve(&question, options),
            };
            last = Some((question, equity.clone()));
            decisions.push(ReportedDecision {
                player_name: self.players[decision.player].name.clone(),
                decision,
                equity,
            });
        }
        Ok(HistoryReport { decisions })
    }

    /// Returns the known cards at a decision.
    fn question(&self, decision: &HistoryDecision, view: HistoryView) -> Question {
        let full = self.game.hole_cards();
        // The order of the cards of a stud hand that is shown later is not known.
        let is_open_later = !self.game.deals_own_cards();
        let cards = |player: usize| {
            let held = &decision.held[player];
            match view {
                HistoryView::Player(hero) if hero != player => up_cards(self.game, held),
                _ if is_open_later => {
                    let shown = self.shown(player);
                    if shown.len() == full {
                        shown
                    } else {
                        known(held)
                    }
                }
                _ => known(held),
            }
        };
        let mut question = Question {
            live: decision.live.clone(),
            cards: decision.live.iter().map(|&player| cards(player)).collect(),
            board: decision.board,
            dead: CardSet::EMPTY,
            draws_left: decision.draws_left,
        };
        let all = (0..self.players.len()).filter(|player| !decision.live.contains(player));
        question.dead = all.fold(CardSet::EMPTY, |dead, player| dead | cards(player));
        question
    }

    fn solve(
        &self,
        question: &Question,
        options: &HistoryOptions,
    ) -> Result<DecisionEquity, MissingEquity> {
        let problem = |text: String| MissingEquity::Problem(text);
        let context = RangeContext {
            game: self.game,
            board: question.board,
            names: &options.names,
        };
        let mut ranges = Vec::new();
        for (&player, &cards) in question.live.iter().zip(&question.cards) {
            let is_whole = cards.len() == self.game.hole_cards();
            let range = match options.ranges.get(&player) {
                _ if is_whole || (self.game.deals_own_cards() && !cards.is_empty()) => {
                    Range::of_hand(cards)
                }
                Some(text) => {
                    let name = &self.players[player].name;
                    let range = Range::parse_in(text, &context);
                    let range =
                        range.map_err(|error| problem(format!("range of {name}: {error}")))?;
                    with_known(range, cards).ok_or_else(|| {
                        problem(format!(
                            "no hand of the range of {name} has {}",
                            format_cards(cards)
                        ))
                    })?
                }
                None => any_hand_with(self.game, cards),
            };
            ranges.push(range);
        }
        let query = Query {
            board: question.board,
            dead: question.dead,
            ..Query::new(self.game, ranges)
        };
        let mut shares = vec![None; self.players.len()];
        let mut intervals = vec![None; self.players.len()];
        if let [winner] = question.live[..] {
            shares[winner] = Some(1.0);
            return Ok(DecisionEquity {
                shares,
                intervals,
                is_exact: true,
            });
        }
        let equity = query.solve(&options.equity);
        let equity = equity.map_err(|error| problem(error.to_string()))?;
        for (&player, found) in question.live.iter().zip(equity.players()) {
            shares[player] = Some(found.equity);
            intervals[player] = found.confidence_interval();
        }
        Ok(DecisionEquity {
            shares,
            intervals,
            is_exact: equity.is_exact(),
        })
    }
}

/// The known cards at a decision, on which the equity depends.
#[derive(PartialEq)]
struct Question {
    live: Vec<usize>,
    cards: Vec<CardSet>,
    board: CardSet,
    dead: CardSet,
    draws_left: usize,
}

/// Returns the cards of an opponent that lie open: the third to the sixth in stud, none elsewhere.
fn up_cards(game: Game, held: &[super::HeldCard]) -> CardSet {
    match game {
        Game::Stud | Game::StudHiLo | Game::Razz => {
            known(&held[held.len().min(2)..held.len().min(6)])
        }
        _ => CardSet::EMPTY,
    }
}

/// Returns every hand that contains these cards.
fn any_hand_with(game: Game, cards: CardSet) -> Range {
    if cards.is_empty() {
        return Range::random(game);
    }
    let missing = game.hole_cards().saturating_sub(cards.len());
    let mut hands = Vec::new();
    for_each_hand(game.deck() - cards, missing, &mut |rest| {
        hands.push((cards | rest, Weight::ONE));
    });
    Range::of_hands(&format_cards(cards), hands)
}

/// Returns the hands of a range that contain these cards; `None` if there is none.
fn with_known(range: Range, cards: CardSet) -> Option<Range> {
    if cards.is_empty() {
        return Some(range);
    }
    let text = range.to_string();
    let hands = range.hands().iter().copied();
    let fitting = Range::of_hands(&text, hands.filter(|(hand, _)| hand.contains_all(cards)));
    (!fitting.is_empty()).then_some(fitting)
}
