//! Poker: push or fold before the flop.

use croupier::poker_solver::push::{Payoffs, PushGame, PushGoals, solve};
use serde::{Deserialize, Serialize};

use std::sync::atomic::Ordering;

use crate::{RequestError, RequestLimits};

/// A request for the strategies of a table where every player goes all-in or folds.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct PushRequest {
    /// Stacks of two to nine players before blinds and antes, in the order of acting, the big blind last.
    pub stacks: Vec<f64>,
    /// Small blind and big blind. Default: 0.5 and 1.
    #[serde(default)]
    pub blinds: Option<[f64; 2]>,
    /// Ante of every player.
    #[serde(default)]
    pub ante: f64,
    /// Prizes from the first place down. Default: the players play for chips.
    #[serde(default)]
    pub payouts: Vec<f64>,
    /// The search ends when no player can gain more than this share of a big blind (with prizes: of all prizes).
    /// Default: 0.000001 for two players without prizes, else 0.0001.
    #[serde(default)]
    pub tolerance: Option<f64>,
    /// Maximum number of iterations. Default: 100,000.
    #[serde(default)]
    pub iterations: Option<u32>,
}

/// A player at the table.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct PushSeat {
    /// Name of the place, such as `BTN`.
    pub name: String,
    /// Stack before blinds and antes.
    pub stack: f64,
    /// Expected chips or prizes.
    pub value: f64,
    /// The chips or prizes that the player could gain by playing differently.
    pub gain: f64,
}

/// A decision to push, or to call a push.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct PushDecision {
    /// Name of the place that decides.
    pub seat: String,
    /// Name of the place that has pushed; null if all players before have folded.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub pusher: Option<String>,
    /// Share of all hands that push or call.
    pub share: f64,
    /// How often each of the 169 kinds of hands pushes or calls, 0 to 1: rows of the grid, pairs on the diagonal, suited
    /// hands above it.
    pub frequencies: Vec<f64>,
}

/// Strategies from which no player gains much by deviating.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct PushAnswer {
    /// The players, in the order of the request.
    pub seats: Vec<PushSeat>,
    /// The decisions: pushes first, then calls.
    pub decisions: Vec<PushDecision>,
    /// Iterations done.
    pub iterations: u32,
    /// The largest gain of a player by deviating, as a share of a big blind, or of all prizes.
    pub largest_gain: f64,
    /// Whether the tolerance was reached.
    pub converged: bool,
}

/// Computes which hands push and call.
///
/// # Errors
/// If the stacks, blinds, prizes or the tolerance are invalid.
pub fn push(request: PushRequest, limits: &RequestLimits) -> Result<PushAnswer, RequestError> {
    let wrong = |text: String| RequestError::request(text);
    let blinds = request.blinds.unwrap_or([0.5, 1.0]);
    let game = PushGame {
        payoffs: match request.payouts.is_empty() {
            true => Payoffs::Chips,
            false => Payoffs::Prizes(request.payouts),
        },
        stacks: request.stacks,
        blinds,
        ante: request.ante,
    };
    game.check().map_err(|error| wrong(error.to_string()))?;
    let tolerance = request.tolerance.unwrap_or(game.default_tolerance());
    if !(tolerance > 0.0 && tolerance < 1.0) {
        let text = "the tolerance is a share between 0 and 1, such as 0.0001";
        return Err(wrong(text.to_owned()));
    }
    let unit = game.unit();
    let goals = PushGoals {
        tolerance: tolerance * unit,
        iterations: request.iterations.unwrap_or(100_000),
    };
    let solution = solve(&game, &goals, |_, _| !limits.cancel.load(Ordering::Relaxed))
        .map_err(|error| wrong(error.to_string()))?;
    limits.check_cancelled()?;
    let name = |seat: usize| game.seat_name(seat).to_owned();
    let (pushes, calls): (Vec<_>, Vec<_>) = solution
        .strategies
        .iter()
        .partition(|it| it.decision.pusher.is_none());
    Ok(PushAnswer {
        seats: (0..game.stacks.len())
            .map(|seat| PushSeat {
                name: name(seat),
                stack: game.stacks[seat],
                value: solution.values[seat],
                gain: solution.gains[seat],
            })
            .collect(),
        decisions: pushes
            .into_iter()
            .chain(calls)
            .map(|strategy| PushDecision {
                seat: name(strategy.decision.seat),
                pusher: strategy.decision.pusher.map(name),
                share: strategy.share(),
                frequencies: strategy.frequencies.to_vec(),
            })
            .collect(),
        iterations: solution.iterations,
        largest_gain: solution.largest_gain() / unit,
        converged: solution.converged,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ask(stacks: &[f64]) -> PushRequest {
        PushRequest {
            stacks: stacks.to_vec(),
            tolerance: Some(1e-3),
            ..PushRequest::default()
        }
    }

    #[test]
    fn two_players_with_ten_blinds_push_and_call_as_known() {
        let answer = push(ask(&[10.0, 10.0]), &RequestLimits::default()).unwrap();
        let [first, second] = &answer.decisions[..] else {
            panic!("two decisions")
        };
        assert_eq!((&*first.seat, first.pusher.as_deref()), ("SB", None));
        assert_eq!(
            (&*second.seat, second.pusher.as_deref()),
            ("BB", Some("SB"))
        );
        assert!((first.share - 0.58).abs() < 0.02, "{}", first.share);
        assert!((second.share - 0.37).abs() < 0.02, "{}", second.share);
        assert!(answer.converged && first.frequencies.len() == 169);
        assert!(first.frequencies[0] > 0.999, "aces push");
    }

    #[test]
    fn wrong_tables_are_refused() {
        let limits = RequestLimits::default();
        for (request, text) in [
            (ask(&[10.0]), "two to 9"),
            (ask(&[10.0, 0.2]), "stack 2"),
            (
                PushRequest {
                    tolerance: Some(2.0),
                    ..ask(&[10.0, 10.0])
                },
                "tolerance",
            ),
        ] {
            let problem = push(request, &limits).unwrap_err();
            assert!(problem.message.contains(text), "{}", problem.message);
        }
    }

    #[test]
    fn a_cancelled_request_ends() {
        let limits = RequestLimits::default();
        limits.cancel.store(true, Ordering::Relaxed);
        let request = PushRequest {
            tolerance: Some(1e-12),
            ..ask(&[10.0, 10.0, 10.0])
        };
        assert!(push(request, &limits).is_err());
    }
}
