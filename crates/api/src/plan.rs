//! Plans for declarer, who sees two hands.

use serde::{Deserialize, Serialize};

use crate::auction::AuctionRequest;
use crate::study::Estimate;
use crate::{RequestError, RequestLimits};

/// A request for the plays of declarer: two hands, a contract and the cards played so far.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct PlanRequest {
    /// Declarer's hand, as in PBN.
    pub declarer: String,
    /// Dummy.
    pub dummy: String,
    /// Contract and declarer, such as `4S-S`. Default: that of the auction.
    #[serde(default)]
    pub contract: Option<String>,
    /// The cards played so far, such as `HK`, the opening lead first.
    #[serde(default)]
    pub played: Vec<String>,
    /// Condition on the deal, such as `spades(west) >= 5`.
    #[serde(default)]
    pub condition: Option<String>,
    /// Script with a condition on the deal, instead of `condition`.
    #[serde(default)]
    pub script: Option<String>,
    /// Auction whose meaning is the condition on the deal, instead of `condition`.
    #[serde(default)]
    pub auction: Option<AuctionRequest>,
    /// Number of declarer's cards to search before double-dummy results decide, 1 to 5. Default: 2.
    #[serde(default)]
    pub depth: Option<u8>,
    /// Number of layouts of the defenders' cards for a decision, 1 to 256. Default: 60; 20 for playouts.
    #[serde(default)]
    pub worlds: Option<u16>,
    /// Number of layouts on which the whole hand is played, to estimate the value of the contract. Default: none.
    #[serde(default)]
    pub playouts: Option<u32>,
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

/// The value of a contract to a declarer who sees two hands, by playouts.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct PlayoutValue {
    /// Number of layouts played.
    pub layouts: u64,
    /// Chance that the contract makes, 0 to 1.
    pub made: Estimate,
    /// Chance that the contract makes double dummy, 0 to 1.
    pub double_dummy: Estimate,
}

/// The ranked plays, and the value of the contract.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Planned {
    /// The plays, best first. None if a defender plays the next card.
    pub plays: Vec<PlannedPlay>,
    /// The value of the contract, if playouts were requested.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<PlayoutValue>,
    /// Number of different layouts of the ranked plays.
    pub worlds: u32,
    /// Number of declarer's cards that were searched.
    pub depth: u32,
    /// Whether the search went to the last card.
    pub exact: bool,
}

/// Ranks the cards that declarer can play next, and plays the hand out on many layouts if that is requested.
///
/// # Errors
/// If hands, contract, cards, condition or auction are wrong, or a defender plays the next card and no playouts are
/// requested.
pub fn plan(request: PlanRequest, limits: &RequestLimits) -> Result<Planned, RequestError> {
    use croupier::cards::{Card, notation};
    use croupier::declarer::{DeclarerOptions, PlayQuestion, answer};
    use croupier::studies::{DeclaredContract, ParseDeclaredContractError};

    use crate::boards;

    let hand = |text: &str| {
        let text = boards::shortened(text);
        notation::hand(text.trim()).map_err(|error| wrong(format!("{text}: {error}")))
    };
    let shown = request
        .auction
        .as_ref()
        .map(AuctionRequest::read)
        .transpose()?;
    let declared: DeclaredContract = match (&request.contract, &shown) {
        (Some(text), _) => {
            let read = boards::shortened(text).parse();
            read.map_err(|error: ParseDeclaredContractError| wrong(error))?
        }
        (None, Some(shown)) => shown.declared()?,
        (None, None) => return Err(wrong("give the contract, such as 4S-S")),
    };
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
    let options = DeclarerOptions {
        depth: request.depth.map(usize::from),
        worlds: request.worlds.map(usize::from),
        playouts: request.playouts.map(|number| number as usize),
    };
    options.check(&question).map_err(wrong)?;
    let seat = declared.declarer;
    let known = [(seat, declarer), (seat.partner(), dummy)];
    let script = match (&request.condition, request.script, shown) {
        (None, None, None) => None,
        (Some(condition), None, None) => Some(format!("condition {condition}")),
        (None, Some(script), None) => Some(script),
        (None, None, Some(shown)) => Some(shown.script(&known)?),
        _ => {
            return Err(wrong(
                "give a condition, a script or an auction, not several",
            ));
        }
    };
    let source = layouts(script.as_deref(), request.seed.unwrap_or(1), limits)?;
    let answer = answer(&question, source.as_ref(), &options, execution(limits));
    let answer = answer.map_err(|error| plan_problem(script.as_deref(), error))?;
    let name = |card: Card| format!("{}{}", card.suit().letter(), card.rank().letter());
    let value = answer.value.map(PlayoutValue::from);
    let Some(plan) = answer.plan else {
        return Ok(Planned {
            plays: Vec::new(),
            value,
            worlds: 0,
            depth: 0,
            exact: false,
        });
    };
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
        value,
        worlds: plan.worlds as u32,
        depth: plan.depth as u32,
        exact: plan.is_exact,
    })
}

fn wrong(error: impl std::fmt::Display) -> RequestError {
    RequestError::request(error.to_string())
}

fn execution(limits: &RequestLimits) -> croupier::studies::StudyExecution<'_> {
    croupier::studies::StudyExecution {
        threads: limits.threads,
        solver_memory: limits.solver_memory,
        cancel: Some(&limits.cancel),
        progress: None,
    }
}

fn plan_problem(script: Option<&str>, error: croupier::declarer::PlayPlanError) -> RequestError {
    use croupier::declarer::PlayPlanError;

    match error {
        PlayPlanError::Cancelled => RequestError::cancelled(),
        PlayPlanError::Layouts(error) => no_layouts(script, error),
        error => wrong(error),
    }
}

impl From<croupier::declarer::Playouts> for PlayoutValue {
    fn from(played: croupier::declarer::Playouts) -> PlayoutValue {
        PlayoutValue {
            layouts: played.deals,
            made: played.share().into(),
            double_dummy: played.double_dummy_share().into(),
        }
    }
}

fn no_layouts(script: Option<&str>, error: croupier::declarer::LayoutError) -> RequestError {
    match error {
        croupier::declarer::LayoutError::Script(error) => {
            RequestError::of_session(script.unwrap_or_default(), error)
        }
        error => RequestError::run(error.to_string()),
    }
}

/// Returns the source of the layouts: all possible ones, or those that satisfy the script.
fn layouts(
    script: Option<&str>,
    seed: u64,
    limits: &RequestLimits,
) -> Result<Box<dyn croupier::declarer::LayoutSource>, RequestError> {
    use croupier::declarer::{ScriptLayouts, UniformLayouts};

    let Some(script) = script else {
        return Ok(Box::new(UniformLayouts::new(seed)));
    };
    limits.script(script)?;
    let job = croupier::session::Job::new(script).threads(1);
    let job = job.cancel(limits.cancel.clone());
    let layouts = ScriptLayouts::new(job, seed);
    Ok(Box::new(
        layouts.map_err(|error| no_layouts(Some(script), error))?,
    ))
}

/// A request to play contracts on deals.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct PlayoutsRequest {
    /// Contracts with declarers, `4S-N`.
    pub contracts: Vec<String>,
    /// The deals, as in PBN.
    pub deals: Vec<String>,
    /// Script of the deals, whose condition declarer knows. Default: no condition.
    #[serde(default)]
    pub script: Option<String>,
}

/// The values of contracts, in the order of the request.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct PlayoutValues {
    /// A value for each contract.
    pub values: Vec<PlayoutValue>,
}

/// Plays contracts on deals: declarer sees two hands, the defenders see all.
///
/// # Errors
/// If a contract, a deal or the script is wrong.
pub fn playouts(
    request: PlayoutsRequest,
    limits: &RequestLimits,
) -> Result<PlayoutValues, RequestError> {
    use croupier::declarer::{PlayoutOptions, play_out_deals};
    use croupier::studies::ParseDeclaredContractError;

    use crate::boards;

    /// Seed of the layouts that declarer expects, as in `croupier compare --single-dummy`.
    const SEED: u64 = 1;

    limits.boards(request.deals.len())?;
    let deals: Result<Vec<_>, _> = request.deals.iter().map(|it| boards::deal(it)).collect();
    let deals = deals?;
    let source = layouts(request.script.as_deref(), SEED, limits)?;
    let mut values = Vec::new();
    for text in &request.contracts {
        let declared = boards::shortened(text).parse();
        let declared = declared.map_err(|error: ParseDeclaredContractError| wrong(error))?;
        let options = PlayoutOptions::default();
        let played = play_out_deals(
            declared,
            &deals,
            source.as_ref(),
            &options,
            execution(limits),
        );
        let played = played.map_err(|error| plan_problem(request.script.as_deref(), error))?;
        limits.check_cancelled()?;
        values.push(PlayoutValue::from(played));
    }
    Ok(PlayoutValues { values })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plays_are_ranked_and_wrong_requests_are_refused() {
        let request = PlanRequest {
            declarer: "A53.AK4.T83.AK62".to_owned(),
            dummy: "42.Q32.AQJ92.543".to_owned(),
            contract: Some("3N-S".to_owned()),
            played: ["SK", "S2", "S6"].map(str::to_owned).to_vec(),
            worlds: Some(20),
            depth: Some(1),
            ..PlanRequest::default()
        };
        let answer = plan(request.clone(), &RequestLimits::default()).unwrap();
        assert_eq!(answer.plays.last().unwrap().cards, ["SA"]);
        assert_eq!((answer.worlds, answer.depth, answer.exact), (20, 1, false));
        for wrong in [
            PlanRequest {
                played: vec!["SK".to_owned(); 2],
                ..request.clone()
            },
            PlanRequest {
                depth: Some(9),
                ..request.clone()
            },
            PlanRequest {
                condition: Some("hcp(".to_owned()),
                ..request.clone()
            },
            PlanRequest {
                condition: Some("hcp(west) > 5".to_owned()),
                script: Some("condition hcp(west) > 5".to_owned()),
                ..request.clone()
            },
            PlanRequest {
                playouts: Some(0),
                ..request.clone()
            },
            PlanRequest {
                played: Vec::new(),
                ..request.clone()
            },
            PlanRequest {
                contract: None,
                ..request.clone()
            },
            PlanRequest {
                contract: Some("9N".to_owned()),
                ..request
            },
        ] {
            assert!(plan(wrong, &RequestLimits::default()).is_err());
        }
    }

    #[test]
    fn playouts_value_the_contract_before_the_lead_on_layouts_of_a_script() {
        let request = PlanRequest {
            declarer: "A53.AK4.T83.AK62".to_owned(),
            dummy: "42.Q32.AQJ92.543".to_owned(),
            contract: Some("3N-S".to_owned()),
            script: Some("condition hearts(west) == 5".to_owned()),
            worlds: Some(5),
            depth: Some(1),
            playouts: Some(4),
            ..PlanRequest::default()
        };
        let answer = plan(request, &RequestLimits::default()).unwrap();
        assert!(answer.plays.is_empty());
        let value = answer.value.unwrap();
        assert_eq!(value.layouts, 4);
        assert!(value.made.value <= value.double_dummy.value);
    }

    #[test]
    fn contracts_are_played_on_given_deals() {
        let deal = "N:42.Q32.AQJ92.543 T98.JT98.K76.QJT A53.AK4.T83.AK62 KQJ76.765.54.987";
        let request = PlayoutsRequest {
            contracts: vec!["1C-S".to_owned(), "7N-N".to_owned()],
            deals: vec![deal.to_owned()],
            script: None,
        };
        let values = playouts(request, &RequestLimits::default()).unwrap().values;
        let made = values.iter().map(|it| (it.layouts, it.made.value));
        assert_eq!(made.collect::<Vec<_>>(), [(1, 1.0), (1, 0.0)]);
    }
}
