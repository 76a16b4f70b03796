//! Opening leads: plan, portions and results.

use croupier::cards::{Hand, notation};
use croupier::solver::Leads;
use croupier::studies::{DealAnswer, LeadQuestion, SetTally, StudyQuestion};
use serde::{Deserialize, Serialize};

use super::{
    Estimate, StudyPlan, bound_pair, collected, declared, options, plan, planned, problem,
};
use crate::boards;
use crate::{RequestError, RequestLimits};

/// A request for the plan of a study of opening leads.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct LeadPlanRequest {
    /// All layouts, as in PBN. Half of them may be solved, the others make the intervals narrower.
    pub deals: Vec<String>,
    /// Contract and declarer, `3N-S`.
    pub contract: String,
    /// Leader's hand, `KQJ4.T9.A2.87632`.
    pub hand: String,
    /// Vulnerable sides: `none`, `ns`, `ew` or `both`.
    #[serde(default)]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<boards::VulnerabilityName>))]
    pub vulnerable: Option<String>,
    /// Half the width of the 95 % interval at which the study stops: `0.5%`, `0.05 tricks`, `0.2 imps`, `5 points`.
    #[serde(default)]
    pub precision: Option<String>,
    /// Largest number of layouts to solve.
    #[serde(default)]
    pub number: Option<u64>,
    /// Number of layouts in all; only the first ones of `deals` are used. Default: all.
    #[serde(default)]
    pub control: Option<u64>,
}

/// Computes the plan of a study of opening leads.
///
/// # Errors
/// If a deal, the hand, the contract or an option is wrong.
pub fn lead_plan(
    request: LeadPlanRequest,
    limits: &RequestLimits,
) -> Result<StudyPlan, RequestError> {
    let question = lead_question(
        &request.contract,
        hand(&request.hand)?,
        request.vulnerable.as_deref(),
    )?;
    let options = options(
        request.number,
        request.precision.as_deref(),
        request.control,
        &request.deals,
    )?;
    plan(question, &request.deals, &options, limits)
}

/// A request for the tricks after each opening lead in some layouts.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct LeadsRequest {
    /// Layouts, as in PBN.
    pub deals: Vec<String>,
    /// Contract and declarer, `3N-S`.
    pub contract: String,
    /// Vulnerable sides; only a plan needs them.
    #[serde(default)]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<boards::VulnerabilityName>))]
    pub vulnerable: Option<String>,
    /// Whether to compute only which leads beat the contract, which is several times faster.
    #[serde(default)]
    pub sets_only: bool,
    /// Plan of the study, if it has one.
    #[serde(default)]
    pub plan: Option<String>,
    /// With a plan: place of the first of these layouts among all, from 0.
    #[serde(default)]
    pub first: usize,
}

/// The defence's tricks after every card of the leader, for each layout.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct LeadTricks {
    /// The leader's cards, as in `SA`, in the order of the tricks; equal for all layouts with one leader's hand.
    pub cards: Vec<Vec<String>>,
    /// Tricks of the defence. With `sets_only`: 1 for a card that beats the contract, otherwise 0. Empty for a layout
    /// that the plan does not select.
    pub tricks: Vec<Vec<u8>>,
    /// With a plan: bounds of the tricks after each lead. Send them with the results.
    pub bounds: Vec<Vec<(u8, u8)>>,
}

/// Solves every opening lead of some layouts.
///
/// # Errors
/// If a deal, the contract or the plan cannot be read.
pub fn leads(request: LeadsRequest, limits: &RequestLimits) -> Result<LeadTricks, RequestError> {
    limits.boards(request.deals.len())?;
    let declared = declared(&request.contract)?;
    let vulnerability = boards::vulnerability(request.vulnerable.as_deref())?;
    limits.solve(|solver| {
        let mut answer = LeadTricks::default();
        for (place, text) in (request.first..).zip(&request.deals) {
            limits.check_cancelled()?;
            let deal = boards::deal(text)?;
            let hand = deal.hand(declared.declarer.next());
            let question = LeadQuestion::new(declared, hand, vulnerability).map_err(problem)?;
            let cards = hand.iter().map(card_name).collect();
            let row = match (&request.plan, request.sets_only) {
                (Some(plan), _) => {
                    let study = planned(question.clone(), plan)?;
                    let DealAnswer { bounds, tricks } = study.answer(solver, place, &deal);
                    answer.bounds.push(bounds.iter().map(bound_pair).collect());
                    tricks.map_or_else(Vec::new, |tricks| by_card(&question, &tricks))
                }
                (None, true) => {
                    let beating = question.beating(solver, &deal);
                    let beats = |card| u8::from(beating.contains(card));
                    hand.iter().map(beats).collect()
                }
                (None, false) => by_card(&question, &question.solve(solver, &deal, None)),
            };
            answer.cards.push(cards);
            answer.tricks.push(row);
        }
        Ok(answer)
    })?
}

/// Formats a card, such as `SA`.
fn card_name(card: croupier::cards::Card) -> String {
    format!("{}{}", card.suit().letter(), card.rank().letter())
}

/// Returns the tricks after each card of the hand, from the tricks after each lead.
fn by_card(question: &LeadQuestion, tricks: &[u8]) -> Vec<u8> {
    let of_card = |card| {
        let mut leads = question.leads().iter().zip(tricks);
        leads
            .find(|(lead, _)| lead.contains(card))
            .map_or(0, |(_, &tricks)| tricks)
    };
    question.hand().iter().map(of_card).collect()
}

/// A request for the results of a study of leads, with the rows of all layouts.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct LeadResultsRequest {
    /// Leader's hand, `KQJ4.T9.A2.87632`.
    pub hand: String,
    /// Contract and declarer.
    pub contract: String,
    /// Vulnerable sides.
    #[serde(default)]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<boards::VulnerabilityName>))]
    pub vulnerable: Option<String>,
    /// For each layout the tricks after each card, spade ace first, as `leads` returns them.
    pub tricks: Vec<Vec<u8>>,
    /// Whether the rows come from `leads` with `sets_only`.
    #[serde(default)]
    pub sets_only: bool,
    /// Plan of the study, if it has one.
    #[serde(default)]
    pub plan: Option<String>,
    /// With a plan: the layouts of the rows, the first ones of all.
    #[serde(default)]
    pub deals: Vec<String>,
    /// With a plan: bounds of each layout, as `leads` returns them.
    #[serde(default)]
    pub bounds: Vec<Vec<(u8, u8)>>,
}

/// The result of one lead.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct LeadWorth {
    /// Lead and the cards in sequence with it: `SKQJ`.
    pub cards: String,
    /// Tricks of the defence.
    pub tricks: Estimate,
    /// Share of the layouts on which the contract goes down, 0 to 1.
    pub sets: Estimate,
    /// Score of the defenders.
    pub score: Estimate,
    /// IMPs per board against the other leads.
    pub imps: Estimate,
    /// Share of the matchpoints against the other leads, 0 to 1.
    pub matchpoints: Estimate,
}

/// The share of the layouts on which one lead beats the contract.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct LeadSets {
    /// Lead and the cards in sequence with it: `SKQJ`.
    pub cards: String,
    /// Share of the layouts on which the contract goes down, 0 to 1.
    pub sets: Estimate,
}

/// The results of all leads, best first.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct LeadResults {
    /// Number of solved layouts.
    pub layouts: u64,
    /// Number of layouts that short searches screened, including the solved ones.
    pub screened: u64,
    /// Whether the study has reached its precision or its number of layouts. Rows after that point are ignored.
    pub complete: bool,
    /// Leads; empty with `sets_only`.
    pub leads: Vec<LeadWorth>,
    /// Leads of a study with `sets_only`.
    pub sets: Vec<LeadSets>,
}

/// Computes the results of a lead study from its rows.
///
/// # Errors
/// If hand, contract, plan or rows are invalid.
pub fn lead_results(
    request: LeadResultsRequest,
    limits: &RequestLimits,
) -> Result<LeadResults, RequestError> {
    limits.boards(request.tricks.len())?;
    let question = lead_question(
        &request.contract,
        hand(&request.hand)?,
        request.vulnerable.as_deref(),
    )?;
    let hand = question.hand();
    let is_row = |row: &Vec<u8>| row.len() == 13 || row.is_empty() && request.plan.is_some();
    let is_right = |row: &Vec<u8>| is_row(row) && row.iter().all(|&tricks| tricks <= 13);
    if !request.tricks.iter().all(is_right) {
        return Err(RequestError::request(
            "a layout needs thirteen numbers of tricks",
        ));
    }
    if request.sets_only {
        return Ok(set_results(&question, &request.tricks));
    }
    let by_lead = |row: &Vec<u8>| match row.is_empty() {
        true => None,
        false => question.tricks(&Leads::of(hand.iter().zip(row.iter().copied()))),
    };
    let rows: Vec<Option<Vec<u8>>> = request.tricks.iter().map(by_lead).collect();
    let plan = request.plan.as_deref();
    let study = collected(question.clone(), plan, &request.deals, request.bounds, rows)?;
    let leads = study.results().into_iter().map(|it| LeadWorth {
        cards: it.cards.suit_holdings().to_string(),
        tricks: it.tricks.into(),
        sets: it.sets.into(),
        score: it.score.into(),
        imps: it.imps.into(),
        matchpoints: it.matchpoints.into(),
    });
    Ok(LeadResults {
        layouts: study.solved() as u64,
        screened: study.screened() as u64,
        complete: study.is_complete(),
        leads: leads.collect(),
        sets: Vec::new(),
    })
}

fn set_results(question: &LeadQuestion, rows: &[Vec<u8>]) -> LeadResults {
    let mut tally = SetTally::new(question);
    for row in rows {
        let cards = question.hand().iter().zip(row);
        let beating = cards.filter(|(_, beats)| **beats > 0);
        tally.add(beating.map(|(card, _)| card).collect());
    }
    let sets = tally.results().into_iter().map(|(cards, sets)| LeadSets {
        cards: cards.suit_holdings().to_string(),
        sets: sets.into(),
    });
    LeadResults {
        layouts: tally.deals(),
        screened: tally.deals(),
        sets: sets.collect(),
        ..LeadResults::default()
    }
}

fn hand(text: &str) -> Result<Hand, RequestError> {
    notation::hand(text.trim())
        .map_err(|error| RequestError::request(format!("{}: {error}", boards::shortened(text))))
}

fn lead_question(
    contract: &str,
    hand: Hand,
    vulnerable: Option<&str>,
) -> Result<LeadQuestion, RequestError> {
    let vulnerability = boards::vulnerability(vulnerable)?;
    LeadQuestion::new(declared(contract)?, hand, vulnerability).map_err(problem)
}
