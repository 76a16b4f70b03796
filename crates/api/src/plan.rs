//! Plans for declarer, who sees two hands.

use serde::{Deserialize, Serialize};

use crate::study::Estimate;
use crate::{RequestError, RequestLimits};

/// Two hands, a contract and the cards played so far.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct AskPlan {
    /// Declarer's hand, as in PBN.
    pub declarer: String,
    /// Dummy.
    pub dummy: String,
    /// Contract and declarer, such as `4S-S`.
    pub contract: String,
    /// The cards played so far, such as `HK`, the opening lead first.
    #[serde(default)]
    pub played: Vec<String>,
    /// Condition on the deal, such as `spades(west) >= 5`.
    #[serde(default)]
    pub condition: Option<String>,
    /// Number of declarer's cards to search before double-dummy results decide. Default: 2.
    #[serde(default)]
    pub depth: Option<u8>,
    /// Number of layouts of the defenders' cards. Default: 60.
    #[serde(default)]
    pub worlds: Option<u16>,
    /// Seed of the layouts. Default: 1.
    #[serde(default)]
    pub seed: Option<u64>,
}

/// A card that declarer can play, with its equal cards.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct PlannedPlay {
    /// The equal cards, such as `SK`.
    pub cards: Vec<String>,
    /// Chance that the contract makes, 0 to 1.
    pub made: Estimate,
    /// Share of the layouts in which the contract makes double dummy after the card.
    pub double_dummy: f64,
    /// Average tricks of declarer, double dummy.
    pub tricks: f64,
}

/// The ranked plays.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Planned {
    /// The plays, best first.
    pub plays: Vec<PlannedPlay>,
    /// Number of different layouts.
    pub worlds: u32,
    /// Number of declarer's cards that were searched.
    pub depth: u32,
    /// Whether the search went to the last card.
    pub exact: bool,
}

/// Ranks the cards that declarer can play next.
///
/// # Errors
/// If hands, contract, cards or condition are wrong, or it is not declarer's turn.
pub fn plan(request: AskPlan, limits: &RequestLimits) -> Result<Planned, RequestError> {
    use croupier::cards::{Card, notation};
    use croupier::declarer::{
        LayoutError, LayoutSource, PlanOptions, PlayPlanError, PlayQuestion, ScriptLayouts,
        UniformLayouts, rank_plays,
    };
    use croupier::session::Job;
    use croupier::studies::StudyExecution;

    use crate::boards;

    fn wrong(error: impl std::fmt::Display) -> RequestError {
        RequestError::request(error.to_string())
    }

    let hand = |text: &str| {
        let text = boards::shortened(text);
        notation::hand(text.trim()).map_err(|error| wrong(format!("{text}: {error}")))
    };
    let declared = boards::shortened(&request.contract).parse();
    let declared =
        declared.map_err(|error: croupier::studies::ParseDeclaredContractError| wrong(error))?;
    let (declarer, dummy) = (hand(&request.declarer)?, hand(&request.dummy)?);
    let mut question = PlayQuestion::new(declared, declarer, dummy).map_err(wrong)?;
    if request.played.len() > 52 {
        return Err(RequestError::request("a deal has 52 cards"));
    }
    for text in &request.played {
        let text = boards::shortened(text);
        let card: Card = text
            .parse()
            .map_err(|_| wrong(format!("{text:?} is not a card")))?;
        question.play(card).map_err(wrong)?;
    }
    let usual = PlanOptions::default();
    let options = PlanOptions {
        depth: request.depth.map_or(usual.depth, usize::from),
        worlds: request.worlds.map_or(usual.worlds, usize::from),
        ..usual
    };
    let seed = request.seed.unwrap_or(1);
    let script = request
        .condition
        .map(|condition| format!("condition {condition}"));
    let failed = |error: LayoutError| match error {
        LayoutError::Script(error) => {
            RequestError::of_session(script.as_deref().unwrap_or_default(), error)
        }
        error => RequestError::run(error.to_string()),
    };
    let source: Box<dyn LayoutSource> = match &script {
        Some(script) => {
            limits.script(script)?;
            let job = Job::new(script.as_str()).threads(1);
            let job = job.cancel(limits.cancel.clone());
            Box::new(ScriptLayouts::new(job, seed).map_err(failed)?)
        }
        None => Box::new(UniformLayouts::new(seed)),
    };
    let layouts = source.layouts(&question, options.layouts_needed(&question));
    let layouts = layouts.map_err(failed)?;
    let execution = StudyExecution {
        threads: limits.threads,
        solver_memory: limits.solver_memory,
        cancel: Some(&limits.cancel),
        progress: None,
    };
    let plan = rank_plays(&question, &layouts, &options, execution);
    let plan = plan.map_err(|error| match error {
        PlayPlanError::Cancelled => RequestError::cancelled(),
        error => wrong(error),
    })?;
    let name = |card: Card| format!("{}{}", card.suit().letter(), card.rank().letter());
    Ok(Planned {
        plays: plan
            .plays
            .iter()
            .map(|play| PlannedPlay {
                cards: play.cards.iter().map(name).collect(),
                made: play.made.into(),
                double_dummy: play.by_depth[0],
                tricks: play.tricks,
            })
            .collect(),
        worlds: plan.worlds as u32,
        depth: plan.depth as u32,
        exact: plan.is_exact,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plays_are_ranked_and_wrong_requests_are_refused() {
        let request = AskPlan {
            declarer: "A53.AK4.T83.AK62".to_owned(),
            dummy: "42.Q32.AQJ92.543".to_owned(),
            contract: "3N-S".to_owned(),
            played: ["SK", "S2", "S6"].map(str::to_owned).to_vec(),
            worlds: Some(20),
            depth: Some(1),
            ..AskPlan::default()
        };
        let answer = plan(request.clone(), &RequestLimits::default()).unwrap();
        assert_eq!(answer.plays.last().unwrap().cards, ["SA"]);
        assert_eq!((answer.worlds, answer.depth, answer.exact), (20, 1, false));
        for wrong in [
            AskPlan {
                played: vec!["SK".to_owned(); 2],
                ..request.clone()
            },
            AskPlan {
                depth: Some(9),
                ..request.clone()
            },
            AskPlan {
                condition: Some("hcp(".to_owned()),
                ..request.clone()
            },
            AskPlan {
                contract: "9N".to_owned(),
                ..request
            },
        ] {
            assert!(plan(wrong, &RequestLimits::default()).is_err());
        }
    }
}
