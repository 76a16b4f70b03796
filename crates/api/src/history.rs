//! Poker: hand histories, and the equity at every decision.

use std::collections::BTreeMap;

use croupier::poker::format_cards;
use croupier::poker::history::{HandHistory, HistoryOptions, HistoryView, ReportedDecision, read};
use serde::{Deserialize, Serialize};

use crate::equity::options;
use crate::{RequestError, RequestLimits};

/// A request for the decisions of played hands and their equities.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct HistoryRequest {
    /// One or more hands in the format PHH or Open Hand History.
    pub text: String,
    /// Player who sees no cards of others: a name, or `p1`, `p2` and so on. Default: all cards that the text shows are known.
    #[serde(default)]
    pub hero: Option<String>,
    /// Ranges of players whose cards are not known; any hand for the others.
    #[serde(default)]
    pub ranges: Vec<PlayerRange>,
    /// Seed of the random deals, if not all deals are counted.
    #[serde(default)]
    pub seed: u64,
}

/// The range of a player.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct PlayerRange {
    /// Name of the player, or `p1`, `p2` and so on.
    pub player: String,
    /// The range. A filter uses the board of the decision.
    pub range: String,
}

/// A player of a hand.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct HistorySeat {
    /// Name.
    pub name: String,
    /// Chips before the hand; null if unknown.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub stack: Option<f64>,
}

/// A player who is in the hand at a decision.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct HistoryShare {
    /// Number of the player among the players of the hand, from 0.
    pub player: usize,
    /// Cards that the text has shown so far.
    pub cards: String,
    /// Share of the pot, 0 to 1.
    pub equity: f64,
    /// 95 % interval of the share; null if it is exact.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub interval: Option<(f64, f64)>,
}

/// A decision.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct HistoryDecisionData {
    /// Name of the round, such as `flop`.
    pub street: String,
    /// Cards on the board.
    pub board: String,
    /// Number of the player who decides, from 0.
    pub player: usize,
    /// `fold`, `check`, `call`, `bet`, `raise` or `draw`.
    pub action: String,
    /// The decision in words, such as `raises to 12`.
    pub words: String,
    /// Chips bet so far.
    pub pot: f64,
    /// Chips that a call costs.
    pub to_call: f64,
    /// Share of the pot that a call needs; null if there is nothing to call.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub needed: Option<f64>,
    /// Share of the pot of the player who decides; null if it is not known.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub equity: Option<f64>,
    /// Players in the hand with their equities; empty if they are not known.
    pub players: Vec<HistoryShare>,
    /// Reason why there are no equities; null if there are.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub missing: Option<String>,
}

/// A hand with its decisions.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct HistoryHand {
    /// Number or name of the hand; null if the text has none.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub name: Option<String>,
    /// Game.
    pub game: String,
    /// Players, in the order of the text.
    pub players: Vec<HistorySeat>,
    /// Decisions, in order.
    pub decisions: Vec<HistoryDecisionData>,
}

/// The hands of a text.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct HistoryAnswer {
    /// Hands, in order.
    pub hands: Vec<HistoryHand>,
}

/// The largest number of hands in a request.
const MOST_HANDS: usize = 200;
/// The largest number of random deals for a decision.
const MOST_SAMPLES: u64 = 200_000;

/// Reads hand histories and computes the equity at every decision, as `croupier poker history` does.
///
/// # Errors
/// If the text is no hand history, a hand contradicts itself, or there is no player of a name.
pub fn history(
    request: HistoryRequest,
    limits: &RequestLimits,
) -> Result<HistoryAnswer, RequestError> {
    limits.script(&request.text)?;
    let hands = read(&request.text).map_err(|error| RequestError::request(error.to_string()))?;
    if hands.len() > MOST_HANDS {
        let text = format!(
            "{} hands; at most {MOST_HANDS} are read at once",
            hands.len()
        );
        return Err(RequestError::request(text));
    }
    let mut answer = HistoryAnswer { hands: Vec::new() };
    for (number, hand) in (1..).zip(hands) {
        limits.check_cancelled()?;
        let player = |name: &str| {
            let wrong = || RequestError::request(format!("hand {number} has no player {name:?}"));
            hand.player(name).ok_or_else(wrong)
        };
        let view = match request.hero.as_deref().map(str::trim) {
            None | Some("") => HistoryView::Everybody,
            Some(name) => HistoryView::Player(player(name)?),
        };
        let mut ranges = BTreeMap::new();
        for entry in &request.ranges {
            ranges.insert(player(&entry.player)?, entry.range.clone());
        }
        let options = HistoryOptions {
            view,
            ranges,
            equity: options(limits, request.seed, limits.poker_samples.min(MOST_SAMPLES)),
            ..HistoryOptions::default()
        };
        let report = hand.report(&options);
        let report =
            report.map_err(|error| RequestError::request(format!("hand {number}: {error}")))?;
        answer.hands.push(in_words(&hand, &report.decisions));
    }
    Ok(answer)
}

fn in_words(hand: &HandHistory, decisions: &[ReportedDecision]) -> HistoryHand {
    let decision = |decision: &ReportedDecision| {
        let equity = decision.equity.as_ref().ok();
        let shares = equity.map_or(&[][..], |equity| &equity.shares);
        let players = shares.iter().enumerate().filter_map(|(player, share)| {
            Some(HistoryShare {
                player,
                cards: format_cards(decision.cards(player)),
                equity: (*share)?,
                interval: equity.and_then(|equity| equity.intervals[player]),
            })
        });
        HistoryDecisionData {
            street: decision.street.to_owned(),
            board: format_cards(decision.board),
            player: decision.player,
            action: decision.action.name().to_owned(),
            words: decision.action.to_string(),
            pot: decision.pot.to_f64(),
            to_call: decision.to_call.to_f64(),
            needed: decision.needed(),
            equity: decision.own_equity(),
            players: players.collect(),
            missing: decision.equity.as_ref().err().map(ToString::to_string),
        }
    };
    HistoryHand {
        name: hand.name.clone(),
        game: hand.game.to_string(),
        players: hand
            .players
            .iter()
            .map(|player| HistorySeat {
                name: player.name.clone(),
                stack: player.stack.map(|stack| stack.to_f64()),
            })
            .collect(),
        decisions: decisions.iter().map(decision).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HAND: &str = r#"variant = "NT"
antes = [0, 0]
blinds_or_straddles = [1, 2]
min_bet = 2
starting_stacks = [100, 100]
players = ["Ann", "Bob"]
actions = ["d dh p1 AhKh", "d dh p2 QcQd", "p2 cbr 6", "p1 cc", "d db Qh7h2c", "p1 cc", "p2 cbr 8", "p1 f"]"#;

    #[test]
    fn decisions_have_pot_odds_and_equities() {
        let request = HistoryRequest {
            text: HAND.to_owned(),
            ..HistoryRequest::default()
        };
        let answer = history(request.clone(), &RequestLimits::default()).unwrap();
        let last = answer.hands[0].decisions.last().unwrap();
        assert_eq!(
            (last.street.as_str(), last.words.as_str()),
            ("flop", "folds")
        );
        assert_eq!((last.pot, last.to_call), (20.0, 8.0));
        assert!(
            (last.equity.unwrap() - 0.255_555_6).abs() < 1e-3,
            "{last:?}"
        );
        assert_eq!(last.players[1].cards, "QdQc");
        let blind = HistoryRequest {
            hero: Some("ann".to_owned()),
            ranges: vec![PlayerRange {
                player: "p2".to_owned(),
                range: "22".to_owned(),
            }],
            ..request.clone()
        };
        let answer = history(blind, &RequestLimits::default()).unwrap();
        let first = &answer.hands[0].decisions[1];
        assert!((0.45..0.52).contains(&first.equity.unwrap()), "{first:?}");
        let nobody = HistoryRequest {
            hero: Some("Cid".to_owned()),
            ..request
        };
        let error = history(nobody, &RequestLimits::default()).unwrap_err();
        assert!(
            error.message.contains("hand 1 has no player \"Cid\""),
            "{}",
            error.message
        );
    }
}
