//! Poker: equilibria of two ranges on a flop, turn or river.

use std::sync::atomic::Ordering;

use croupier::poker::{Game, RangeContext, format_cards};
use croupier::poker_solver::postflop::{
    LockedNode, NodeReport, PostflopGoals, PostflopSolver, SolverOptions, Spot, StoragePrecision,
};
use serde::{Deserialize, Serialize};

use crate::boards::shortened;
use crate::equity::{cards_of, parsed};
use crate::{RequestError, RequestLimits};

/// A request for the strategies of two ranges on a board, with the bets that are allowed.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct SpotRequest {
    /// Board of three to five cards.
    pub board: String,
    /// Range of the player out of position, who acts first.
    pub oop: String,
    /// Range of the player in position.
    pub ip: String,
    /// Chips in the pot.
    pub pot: f64,
    /// Chips that each player can still bet.
    pub stack: f64,
    /// Bet sizes, such as `50%,100%,a`, or `river: 75%,a`, `oop flop: none`. Default: `50%,100%,a`.
    #[serde(default)]
    pub bets: Vec<String>,
    /// Raise sizes in the same notation, and multiples of the bet such as `2.5x`. Default: `60%,a`.
    #[serde(default)]
    pub raises: Vec<String>,
    /// A bet that leaves at most this share of the pot after a call is all-in. Default: 0.2.
    #[serde(default)]
    pub all_in_threshold: Option<f64>,
    /// Maximum number of raises on a street. Default: 3.
    #[serde(default)]
    pub raise_limit: Option<usize>,
    /// Decisions with a fixed strategy, such as `check, bet 50 => fold: QQ; call: AA,KK`.
    #[serde(default)]
    pub locks: Vec<String>,
    /// Stop when a best response wins at most this share of the pot. Default: 0.001.
    #[serde(default)]
    pub exploitability: Option<f64>,
    /// Stop after this number of iterations. Default: 10,000.
    #[serde(default)]
    pub iterations: Option<u32>,
    /// Bits of the stored numbers: 16, 32 or 64. Default: 32 for rivers, 16 before.
    #[serde(default)]
    pub bits: Option<u8>,
    /// The first decision of the answer: actions and cards from the start, such as `check, bet 50, call, 2c`. Default:
    /// the start.
    #[serde(default)]
    pub node: String,
}

/// A possible action and the event that follows.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct SpotAction {
    /// The action, such as `bet 50`.
    pub action: String,
    /// How often it is taken, over all hands.
    pub frequency: f64,
    /// The event that follows: another `decision` of the answer, a `card`, or the `end` of the hand.
    #[cfg_attr(feature = "openapi", schema(value_type = SpotNext))]
    pub next: SpotNext,
}

/// The event that follows an action.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "lowercase")]
pub enum SpotNext {
    /// Another decision on this street.
    Decision,
    /// The next card.
    Card,
    /// The end of the hand.
    End,
}

/// A hand at a decision.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct SpotHand {
    /// The two cards.
    pub hand: String,
    /// Weight with which the hand reaches the decision.
    pub weight: f64,
    /// How often it takes each action.
    pub strategy: Vec<f64>,
    /// Expected chips after each action; empty if no hand of the opponent fits.
    pub values: Vec<f64>,
}

/// A decision of a player.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct SpotDecision {
    /// Actions and cards from the start.
    pub path: String,
    /// Player: `oop` or `ip`.
    pub player: String,
    /// The board.
    pub board: String,
    /// Chips in the pot.
    pub pot: f64,
    /// The probability that the decision is reached.
    pub probability: f64,
    /// Expected chips of both players, out of position first.
    pub expected: [f64; 2],
    /// The actions.
    pub actions: Vec<SpotAction>,
    /// The hands that reach the decision.
    pub hands: Vec<SpotHand>,
}

/// Strategies of both players.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct SpotAnswer {
    /// Number of hands of both players, out of position first.
    pub hands: [usize; 2],
    /// Number of decisions of the game, on all boards.
    pub decisions: usize,
    /// Bytes of memory that the game needed.
    pub bytes: u64,
    /// Iterations done.
    pub iterations: u32,
    /// The share of the pot that a best response wins.
    pub exploitability: f64,
    /// Whether the wanted exploitability was reached.
    pub reached: bool,
    /// The decisions of the street from `node` on, that one first.
    pub street: Vec<SpotDecision>,
}

/// Maximum number of hands in all decisions of an answer.
const MOST_HANDS: usize = 100_000;

/// Solves a game of two ranges.
///
/// # Errors
/// If ranges, board, chips, sizes, locks or the path are invalid, or the game needs more memory than the limit.
pub fn spot(request: SpotRequest, limits: &RequestLimits) -> Result<SpotAnswer, RequestError> {
    let wrong = |error: &dyn std::fmt::Display| RequestError::request(error.to_string());
    let board = cards_of("board", &request.board)?;
    let range = |text: &str| parsed(text, Game::Holdem, board, limits);
    let ranges = [range(&request.oop)?, range(&request.ip)?];
    let mut spot = Spot::new(board, ranges, request.pot, request.stack);
    let lists = [
        ("bets", &request.bets, &mut spot.bets, false),
        ("raises", &request.raises, &mut spot.raises, true),
    ];
    for (name, lists, table, is_raise) in lists {
        for list in lists {
            table.set(list, is_raise).map_err(|error| {
                RequestError::request(format!("{name} {:?}: {error}", shortened(list)))
            })?;
        }
    }
    spot.all_in_threshold = request.all_in_threshold.unwrap_or(spot.all_in_threshold);
    spot.raise_limit = request.raise_limit.unwrap_or(spot.raise_limit);
    let setting = RangeContext {
        board,
        ..RangeContext::of(Game::Holdem)
    };
    for lock in &request.locks {
        limits.script(lock)?;
        spot.locks
            .push(LockedNode::parse(lock, &setting).map_err(|error| wrong(&error))?);
    }
    let precision = match request.bits {
        None => None,
        Some(16) => Some(StoragePrecision::Compact),
        Some(32) => Some(StoragePrecision::Single),
        Some(64) => Some(StoragePrecision::Double),
        Some(bits) => return Err(wrong(&format!("{bits} bits: use 16, 32 or 64"))),
    };
    let options = SolverOptions {
        precision,
        threads: limits.threads,
        memory: u64::from(limits.solver_memory) << 20,
    };
    let default = PostflopGoals::default();
    let goals = PostflopGoals {
        exploitability: request.exploitability.unwrap_or(default.exploitability),
        iterations: request.iterations.unwrap_or(default.iterations),
        ..default
    };
    if !(0.0..=1.0).contains(&goals.exploitability) {
        return Err(wrong(
            &"the exploitability is a share of the pot, such as 0.001",
        ));
    }
    let mut solver = PostflopSolver::new(spot, options).map_err(|error| wrong(&error))?;
    // An invalid path is reported before the long computation.
    let node = request.node.trim();
    solver
        .report(node)
        .map_err(|error| RequestError::request(format!("node {:?}: {error}", shortened(node))))?;
    let outcome = solver.run(&goals, |_| !limits.cancel.load(Ordering::Relaxed));
    limits.check_cancelled()?;
    let size = solver.size();
    let mut street = Vec::new();
    add_street(&solver, node, &mut street, &mut { MOST_HANDS });
    Ok(SpotAnswer {
        hands: size.hands,
        decisions: size.decisions,
        bytes: size.bytes,
        iterations: outcome.iterations,
        exploitability: outcome.exploitability / solver.spot().pot,
        reached: outcome.reached,
        street,
    })
}

/// Adds a decision and those that follow on its street, until `room` hands are listed.
fn add_street(
    solver: &PostflopSolver,
    path: &str,
    street: &mut Vec<SpotDecision>,
    room: &mut usize,
) {
    let Ok(report) = solver.report(path) else {
        return;
    };
    *room = room.saturating_sub(report.hands.len());
    let place = street.len();
    street.push(decision(path, &report));
    for (number, action) in report.actions.iter().enumerate() {
        let next = match path {
            "" => action.to_string(),
            path => format!("{path}, {action}"),
        };
        let before = street.len();
        if *room > 0 {
            add_street(solver, &next, street, room);
        }
        street[place].actions[number].next = match street.len() > before {
            true => SpotNext::Decision,
            false => after(&report, &next),
        };
    }
}

/// Returns the event that follows an action after which nobody decides on this street.
fn after(report: &NodeReport, path: &str) -> SpotNext {
    let last = path.rsplit(", ").next().unwrap_or_default();
    let is_over = last == "fold" || report.board.len() == 5 || path.contains("all-in");
    match is_over {
        true => SpotNext::End,
        false => SpotNext::Card,
    }
}

fn decision(path: &str, report: &NodeReport) -> SpotDecision {
    // Five digits are more than the solution is exact to, and make the answer shorter.
    let rounded = |value: &f64| (value * 1e5).round() / 1e5;
    SpotDecision {
        path: path.to_owned(),
        player: ["oop", "ip"][report.player].to_owned(),
        board: format_cards(report.board),
        pot: report.pot,
        probability: report.probability,
        expected: report.expected_values,
        actions: report
            .actions
            .iter()
            .zip(&report.frequencies)
            .map(|(action, &frequency)| SpotAction {
                action: action.to_string(),
                frequency,
                next: SpotNext::End,
            })
            .collect(),
        hands: report
            .hands
            .iter()
            .map(|hand| SpotHand {
                hand: format_cards(hand.hand),
                weight: rounded(&hand.weight),
                strategy: hand.strategy.iter().map(rounded).collect(),
                values: hand.action_values.iter().map(rounded).collect(),
            })
            .collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Aces or queens against kings, where only the first player may bet: aces bet, some queens bluff, some kings call.
    fn toy() -> SpotRequest {
        SpotRequest {
            board: "2c2d2h2s3c".to_owned(),
            oop: "AsAh,QsQh".to_owned(),
            ip: "KsKh".to_owned(),
            pot: 100.0,
            stack: 100.0,
            bets: vec!["none".to_owned(), "oop: a".to_owned()],
            raises: vec!["none".to_owned()],
            ..SpotRequest::default()
        }
    }

    #[test]
    fn a_river_has_the_known_strategies_and_all_its_decisions() {
        let answer = spot(toy(), &RequestLimits::default()).unwrap();
        assert!(answer.reached && answer.exploitability <= 0.001);
        let paths: Vec<&str> = answer.street.iter().map(|it| &*it.path).collect();
        assert_eq!(paths, ["", "check", "all-in"]);
        let first = &answer.street[0];
        let names: Vec<_> = first
            .actions
            .iter()
            .map(|it| (&*it.action, it.next))
            .collect();
        assert_eq!(
            names,
            [
                ("check", SpotNext::Decision),
                ("all-in", SpotNext::Decision)
            ]
        );
        // Queens bluff half as often as aces bet, and kings call half of the time.
        assert!((first.actions[1].frequency - 0.75).abs() < 0.02);
        let call = &answer.street[2];
        assert!(call.actions.iter().all(|it| it.next == SpotNext::End));
        assert!((call.actions[1].frequency - 0.5).abs() < 0.02);
        assert!((first.expected[0] - 75.0).abs() < 0.5);
    }

    #[test]
    fn a_turn_shows_its_street_and_continues_at_a_card() {
        let mut request = SpotRequest {
            board: "2c2d2h3c".to_owned(),
            oop: "AsAh,QsQh".to_owned(),
            ip: "KsKh,JsJh".to_owned(),
            exploitability: Some(0.05),
            bets: vec!["100%".to_owned()],
            raises: vec!["none".to_owned()],
            ..toy()
        };
        let limits = RequestLimits::default();
        let answer = spot(request.clone(), &limits).unwrap();
        let last = answer.street.last().unwrap();
        assert!(
            answer.street.iter().all(|it| it.board.len() == 8),
            "{last:?}"
        );
        let check = answer.street.iter().find(|it| it.path == "check").unwrap();
        assert_eq!(check.actions[0].next, SpotNext::Card);
        request.node = "check, check, 9d".to_owned();
        let answer = spot(request.clone(), &limits).unwrap();
        assert!(answer.street[0].board.contains("9d"));
        request.node = "check, check".to_owned();
        let problem = spot(request, &limits).unwrap_err();
        assert!(
            problem.message.contains("add the next card"),
            "{}",
            problem.message
        );
    }

    #[test]
    fn wrong_spots_and_too_large_ones_are_refused() {
        let limits = RequestLimits {
            solver_memory: 1,
            ..RequestLimits::default()
        };
        let large = SpotRequest {
            board: "Kh7d2c".to_owned(),
            oop: "random".to_owned(),
            ip: "random".to_owned(),
            ..toy()
        };
        let cases = [
            (large, "MB of memory are needed"),
            (
                SpotRequest {
                    board: "2c2d".to_owned(),
                    ..toy()
                },
                "the board has 2 cards",
            ),
            (
                SpotRequest {
                    bets: vec!["2x".to_owned()],
                    ..toy()
                },
                "bets \"2x\"",
            ),
            (
                SpotRequest {
                    bits: Some(8),
                    ..toy()
                },
                "16, 32 or 64",
            ),
            (
                SpotRequest {
                    node: "fold".to_owned(),
                    ..toy()
                },
                "node \"fold\"",
            ),
        ];
        for (request, text) in cases {
            let problem = spot(request, &limits).unwrap_err();
            assert!(problem.message.contains(text), "{}", problem.message);
        }
    }
}
