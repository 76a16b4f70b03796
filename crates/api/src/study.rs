//! Studies over many deals, in small questions. The client deals, has the deals solved in portions of any size, and has the
//! results computed from the portions. A study can show its progress, can be stopped at any time, and its portions can go
//! to several workers.
//!
//! A study with a precision begins with a plan (`lead-plan`, `contract-plan`), which goes with every portion and with the
//! results. The results say when the study is complete. Their numbers are those of `croupier lead` and `croupier compare`
//! on the same deals.

use std::error::Error;
use std::ops::ControlFlow;

use cards::{Deal, Vulnerability, notation};
use serde::{Deserialize, Serialize};
use solver::{Bounds, Leads, Solver};
use studies::{
    ContractQuestion, DealAnswer, DeclaredContract, Estimate, LeadQuestion, Precision,
    SamplingPlan, SetTally, Study, StudyDeals, StudyError, StudyOptions, StudyQuestion,
};

use crate::boards;
use crate::{Limits, Problem};

/// A request for the plan of a study of opening leads.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct AskLeadPlan {
    /// All layouts, as in PBN. Half of them may be solved, the others make the intervals narrower.
    pub deals: Vec<String>,
    /// Contract and declarer, `3N-S`.
    pub contract: String,
    /// Leader's hand, `KQJ4.T9.A2.87632`.
    pub hand: String,
    /// Vulnerable sides: `none`, `ns`, `ew` or `both`.
    #[serde(default)]
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

/// A request for the plan of a study of contracts.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct AskContractPlan {
    /// All deals, as in PBN. Half of them may be solved, the others make the intervals narrower.
    pub deals: Vec<String>,
    /// Contracts with declarers, `4S-N`.
    pub contracts: Vec<String>,
    /// Vulnerable sides: `none`, `ns`, `ew` or `both`.
    #[serde(default)]
    pub vulnerable: Option<String>,
    /// Half the width of the 95 % interval at which the study stops: `0.5%`, `0.05 tricks`, `0.2 imps`, `5 points`.
    #[serde(default)]
    pub precision: Option<String>,
    /// Largest number of deals to solve.
    #[serde(default)]
    pub number: Option<u64>,
    /// Number of deals in all; only the first ones of `deals` are used. Default: all.
    #[serde(default)]
    pub control: Option<u64>,
}

/// The plan of a study.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Plan {
    /// Text of the plan. Send it unchanged with each portion and with the results.
    pub plan: String,
    /// Number of deals that may be solved: the first ones.
    pub candidates: u64,
}

/// Computes the plan of a study of opening leads.
///
/// # Errors
/// If a deal, the hand, the contract or an option is wrong.
pub fn lead_plan(ask: AskLeadPlan, limits: &Limits) -> Result<Plan, Problem> {
    let question = lead_question(&ask.contract, hand(&ask.hand)?, ask.vulnerable.as_deref())?;
    let options = options(
        ask.number,
        ask.precision.as_deref(),
        ask.control,
        &ask.deals,
    )?;
    plan(question, &ask.deals, &options, limits)
}

/// Computes the plan of a study of contracts.
///
/// # Errors
/// If a deal, a contract or an option is wrong.
pub fn contract_plan(ask: AskContractPlan, limits: &Limits) -> Result<Plan, Problem> {
    let question = contract_question(&ask.contracts, ask.vulnerable.as_deref())?;
    let options = options(
        ask.number,
        ask.precision.as_deref(),
        ask.control,
        &ask.deals,
    )?;
    plan(question, &ask.deals, &options, limits)
}

fn options(
    number: Option<u64>,
    precision: Option<&str>,
    control: Option<u64>,
    deals: &[String],
) -> Result<StudyOptions, Problem> {
    let precision = precision.map(str::parse::<Precision>).transpose();
    let all = deals.len() as u64;
    Ok(StudyOptions {
        number,
        precision: precision.map_err(problem)?,
        control: Some(control.map_or(all, |control| control.min(all))),
    })
}

fn plan<Q: StudyQuestion>(
    question: Q,
    deals: &[String],
    options: &StudyOptions,
    limits: &Limits,
) -> Result<Plan, Problem> {
    limits.controls(deals.len())?;
    let used = options.control_deals().unwrap_or(0);
    let used = usize::try_from(used).unwrap_or(usize::MAX).min(deals.len());
    let deals: Result<Vec<Deal>, Problem> = deals[..used]
        .iter()
        .map(|text| boards::deal(text))
        .collect();
    let deals = deals?;
    limits.go_on()?;
    let study = Study::new(question, StudyDeals::dealt(&deals), options).map_err(problem)?;
    let Some(plan) = study.plan() else {
        return Err(Problem::request("a plan needs a precision, such as 0.5%"));
    };
    Ok(Plan {
        plan: plan.to_string(),
        candidates: plan.candidates() as u64,
    })
}

/// Layouts whose opening leads are to be valued.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct AskLeads {
    /// Layouts, as in PBN.
    pub deals: Vec<String>,
    /// Contract and declarer, `3N-S`.
    pub contract: String,
    /// Vulnerable sides; only a plan needs them.
    #[serde(default)]
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
    /// The leader's cards, as in `SA`, in the order of the numbers; the same for all layouts with one leader's hand.
    pub cards: Vec<Vec<String>>,
    /// Tricks of the defence. With `sets_only` 1 for a card that beats the contract, otherwise 0. Empty for a layout that
    /// the plan does not select.
    pub tricks: Vec<Vec<u8>>,
    /// With a plan: bounds of the tricks after each lead. Send them with the results.
    #[serde(default)]
    pub bounds: Vec<Vec<[u8; 2]>>,
}

/// Values every opening lead of some layouts.
///
/// # Errors
/// If a deal, the contract or the plan cannot be read.
pub fn leads(ask: AskLeads, limits: &Limits) -> Result<LeadTricks, Problem> {
    limits.boards(ask.deals.len())?;
    let declared = declared(&ask.contract)?;
    let vulnerability = boards::vulnerability(ask.vulnerable.as_deref())?;
    limits.solve(|solver| {
        let mut answer = LeadTricks::default();
        for (place, text) in (ask.first..).zip(&ask.deals) {
            limits.go_on()?;
            let deal = boards::deal(text)?;
            let hand = deal.hand(declared.declarer.next());
            let question = LeadQuestion::new(declared, hand, vulnerability).map_err(problem)?;
            let cards = hand.iter().map(card_name).collect();
            let row = match (&ask.plan, ask.sets_only) {
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

/// Returns `SA`.
fn card_name(card: cards::Card) -> String {
    format!("{}{}", card.suit().letter(), card.rank().letter())
}

fn bound_pair(bounds: &Bounds) -> [u8; 2] {
    [bounds.low, bounds.high]
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

/// The rows of all layouts of a lead study.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct AskLeadResults {
    /// Leader's hand, `KQJ4.T9.A2.87632`.
    pub hand: String,
    /// Contract and declarer.
    pub contract: String,
    /// Vulnerable sides.
    #[serde(default)]
    pub vulnerable: Option<String>,
    /// For each layout the tricks after each card, spade ace first, as `leads` gives them.
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
    /// With a plan: bounds of each layout, as `leads` gives them.
    #[serde(default)]
    pub bounds: Vec<Vec<[u8; 2]>>,
}

/// A value with its 95 % confidence interval.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Interval {
    /// Value in the sample.
    pub value: f64,
    /// Lower end.
    pub low: f64,
    /// Upper end.
    pub high: f64,
}

impl From<Estimate> for Interval {
    fn from(it: Estimate) -> Interval {
        let finite = |x: f64| if x.is_finite() { x } else { 0.0 };
        Interval {
            value: finite(it.value),
            low: finite(it.low),
            high: finite(it.high),
        }
    }
}

/// The result of one lead.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct LeadWorth {
    /// Card with the cards in sequence with it: `SKQJ`.
    pub cards: String,
    /// Tricks of the defence.
    pub tricks: Interval,
    /// Share of the layouts on which the contract goes down, 0 to 1.
    pub sets: Interval,
    /// Score of the defenders.
    pub score: Interval,
    /// IMPs a board against the other leads.
    pub imps: Interval,
    /// Share of the matchpoints against the other leads, 0 to 1.
    pub matchpoints: Interval,
}

/// The share of the layouts on which one lead beats the contract.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct LeadSets {
    /// Card with the cards in sequence with it: `SKQJ`.
    pub cards: String,
    /// Share of the layouts on which the contract goes down, 0 to 1.
    pub sets: Interval,
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
/// If hand, contract, plan or rows cannot be right.
pub fn lead_results(ask: AskLeadResults, limits: &Limits) -> Result<LeadResults, Problem> {
    limits.boards(ask.tricks.len())?;
    let question = lead_question(&ask.contract, hand(&ask.hand)?, ask.vulnerable.as_deref())?;
    let hand = question.hand();
    let is_row = |row: &Vec<u8>| row.len() == 13 || row.is_empty() && ask.plan.is_some();
    let is_right = |row: &Vec<u8>| is_row(row) && row.iter().all(|&tricks| tricks <= 13);
    if !ask.tricks.iter().all(is_right) {
        return Err(Problem::request(
            "a layout needs thirteen numbers of tricks",
        ));
    }
    if ask.sets_only {
        return Ok(set_results(&question, &ask.tricks));
    }
    let by_lead = |row: &Vec<u8>| match row.is_empty() {
        true => None,
        false => question.tricks(&Leads::of(hand.iter().zip(row.iter().copied()))),
    };
    let rows: Vec<Option<Vec<u8>>> = ask.tricks.iter().map(by_lead).collect();
    let plan = ask.plan.as_deref();
    let study = collected(question.clone(), plan, &ask.deals, ask.bounds, rows)?;
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

/// Deals whose contracts are to be solved.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct AskTricks {
    /// Deals, as in PBN.
    pub deals: Vec<String>,
    /// Contracts with declarers, `4S-N`.
    pub contracts: Vec<String>,
    /// Vulnerable sides; only a plan needs them.
    #[serde(default)]
    pub vulnerable: Option<String>,
    /// Plan of the study, if it has one.
    #[serde(default)]
    pub plan: Option<String>,
    /// With a plan: place of the first of these deals among all, from 0.
    #[serde(default)]
    pub first: usize,
}

/// The declarer's tricks in each contract, for each deal.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Tricks {
    /// A row for each deal; empty for a deal that the plan does not select.
    pub tricks: Vec<Vec<u8>>,
    /// With a plan: bounds of the tricks in each contract. Send them with the results.
    #[serde(default)]
    pub bounds: Vec<Vec<[u8; 2]>>,
}

/// Solves the contracts on some deals.
///
/// # Errors
/// If a deal, a contract or the plan cannot be read.
pub fn tricks(ask: AskTricks, limits: &Limits) -> Result<Tricks, Problem> {
    limits.boards(ask.deals.len())?;
    let question = contract_question(&ask.contracts, ask.vulnerable.as_deref())?;
    let study = match &ask.plan {
        Some(plan) => planned(question, plan)?,
        None => Study::without_plan(question),
    };
    limits.solve(|solver: &mut Solver| {
        let mut answer = Tricks::default();
        for (place, text) in (ask.first..).zip(&ask.deals) {
            limits.go_on()?;
            let deal = boards::deal(text)?;
            let DealAnswer { bounds, tricks } = study.answer(solver, place, &deal);
            answer.tricks.push(tricks.unwrap_or_default());
            if ask.plan.is_some() {
                answer.bounds.push(bounds.iter().map(bound_pair).collect());
            }
        }
        Ok(answer)
    })?
}

/// The rows of all deals of a comparison.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct AskContractResults {
    /// Contracts, in the order of the numbers.
    pub contracts: Vec<String>,
    /// Vulnerable sides.
    #[serde(default)]
    pub vulnerable: Option<String>,
    /// For each deal the tricks in each contract, as `tricks` gives them.
    pub tricks: Vec<Vec<u8>>,
    /// Plan of the study, if it has one.
    #[serde(default)]
    pub plan: Option<String>,
    /// With a plan: the deals of the rows, the first ones of all.
    #[serde(default)]
    pub deals: Vec<String>,
    /// With a plan: bounds of each deal, as `tricks` gives them.
    #[serde(default)]
    pub bounds: Vec<Vec<[u8; 2]>>,
}

/// The result of one contract.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ContractWorth {
    /// `4S by N`
    pub contract: String,
    /// Tricks of declarer.
    pub tricks: Interval,
    /// Share of the deals on which the contract makes, 0 to 1.
    pub made: Interval,
    /// Score of the side that declares the first contract.
    pub score: Interval,
    /// IMPs a board against each contract.
    pub imps: Vec<Interval>,
    /// Share of the matchpoints against each contract.
    pub matchpoints: Vec<Interval>,
    /// Number of deals for each number of tricks, 0 to 13. With a plan the deals count by their weights.
    pub histogram: Vec<u64>,
}

/// The results of all contracts.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ContractResults {
    /// Number of solved deals.
    pub deals: u64,
    /// Number of deals that short searches screened, including the solved ones.
    pub screened: u64,
    /// Whether the study has reached its precision or its number of deals. Rows after that point are ignored.
    pub complete: bool,
    /// Contracts, in the order of the question.
    pub contracts: Vec<ContractWorth>,
}

/// Computes the results of a comparison from its rows.
///
/// # Errors
/// If contracts, plan or rows cannot be right.
pub fn contract_results(
    ask: AskContractResults,
    limits: &Limits,
) -> Result<ContractResults, Problem> {
    limits.boards(ask.tricks.len())?;
    let question = contract_question(&ask.contracts, ask.vulnerable.as_deref())?;
    let count = question.contracts().len();
    let is_row = |row: &Vec<u8>| row.len() == count || row.is_empty() && ask.plan.is_some();
    let is_right = |row: &Vec<u8>| is_row(row) && row.iter().all(|&tricks| tricks <= 13);
    if !ask.tricks.iter().all(is_right) {
        return Err(Problem::request(
            "a deal needs a number of tricks for each contract",
        ));
    }
    let rows = ask.tricks.into_iter();
    let rows = rows.map(|row| (!row.is_empty()).then_some(row)).collect();
    let plan = ask.plan.as_deref();
    let study = collected(question, plan, &ask.deals, ask.bounds, rows)?;
    let list = |estimates: Vec<Estimate>| estimates.into_iter().map(Interval::from).collect();
    let contracts = study.results().into_iter().enumerate();
    Ok(ContractResults {
        deals: study.solved() as u64,
        screened: study.screened() as u64,
        complete: study.is_complete(),
        contracts: contracts
            .map(|(contract, it)| ContractWorth {
                contract: it.declared.to_string(),
                tricks: it.tricks.into(),
                made: it.made.into(),
                score: it.score.into(),
                imps: list(it.imps),
                matchpoints: list(it.matchpoints),
                histogram: study.weighted_histogram(contract).to_vec(),
            })
            .collect(),
    })
}

/// Converts an error of a study, with its cause.
fn problem(error: impl Error) -> Problem {
    match error.source() {
        Some(source) => Problem::request(format!("{error}: {source}")),
        None => Problem::request(error.to_string()),
    }
}

fn hand(text: &str) -> Result<cards::Hand, Problem> {
    notation::hand(text.trim())
        .map_err(|error| Problem::request(format!("{}: {error}", boards::shortened(text))))
}

fn declared(text: &str) -> Result<DeclaredContract, Problem> {
    boards::shortened(text).parse().map_err(problem)
}

fn lead_question(
    contract: &str,
    hand: cards::Hand,
    vulnerable: Option<&str>,
) -> Result<LeadQuestion, Problem> {
    let vulnerability: Vulnerability = boards::vulnerability(vulnerable)?;
    LeadQuestion::new(declared(contract)?, hand, vulnerability).map_err(problem)
}

fn contract_question(
    texts: &[String],
    vulnerable: Option<&str>,
) -> Result<ContractQuestion, Problem> {
    /// Largest number of contracts, because every pair of contracts is compared.
    const MOST: usize = 12;
    if !(1..=MOST).contains(&texts.len()) {
        return Err(Problem::request(format!("give one to {MOST} contracts")));
    }
    let contracts: Result<Vec<_>, _> = texts.iter().map(|text| declared(text)).collect();
    let vulnerability = boards::vulnerability(vulnerable)?;
    ContractQuestion::new(contracts?, vulnerability).map_err(problem)
}

/// Creates a study that follows the plan with this text.
fn planned<Q: StudyQuestion>(question: Q, plan: &str) -> Result<Study<'static, Q>, Problem> {
    let plan = SamplingPlan::parse(&question, plan);
    let plan = plan.map_err(|error| problem(StudyError::Plan(error)))?;
    Ok(Study::with_plan(question, plan))
}

/// Creates a study and adds its rows in order, until the study is complete.
fn collected<Q: StudyQuestion>(
    question: Q,
    plan: Option<&str>,
    deals: &[String],
    bounds: Vec<Vec<[u8; 2]>>,
    rows: Vec<Option<Vec<u8>>>,
) -> Result<Study<'static, Q>, Problem> {
    let Some(plan) = plan else {
        let mut study = Study::without_plan(question);
        for row in rows {
            let _ = study.add_screened(None, row);
        }
        return Ok(study);
    };
    if deals.len() != rows.len() || bounds.len() != rows.len() {
        return Err(Problem::request(
            "with a plan every row needs its deal and its bounds",
        ));
    }
    let mut study = planned(question, plan)?;
    for ((text, bounds), tricks) in deals.iter().zip(bounds).zip(rows) {
        let bounds = bounds.iter().map(|&[low, high]| Bounds { low, high });
        let answer = DealAnswer {
            bounds: bounds.collect(),
            tricks,
        };
        let flow = study.add(&boards::deal(text)?, answer).map_err(problem)?;
        if flow == ControlFlow::Break(()) {
            break;
        }
    }
    Ok(study)
}

#[cfg(test)]
mod tests {
    use super::*;

    const DEAL: &str = "N:AKQ.AKQ.AKQ.AKQJ JT98.JT9.JT9.T98 7654.876.876.765 32.5432.5432.432";

    #[test]
    fn a_lead_study_in_portions_has_the_results_of_the_whole() {
        let ask = AskLeads {
            deals: vec![DEAL.to_owned()],
            contract: "3N-N".to_owned(),
            ..AskLeads::default()
        };
        let found = leads(ask, &Limits::default()).unwrap();
        assert_eq!(found.cards[0][0], "SJ");
        let ask = AskLeadResults {
            hand: "JT98.JT9.JT9.T98".to_owned(),
            contract: "3N-N".to_owned(),
            vulnerable: None,
            tricks: vec![found.tricks[0].clone(); 3],
            ..AskLeadResults::default()
        };
        let results = lead_results(ask, &Limits::default()).unwrap();
        assert_eq!(results.layouts, 3);
        assert_eq!(results.leads[0].cards, "SJT98");
        assert_eq!(results.leads[0].sets.value, 0.0);
    }

    #[test]
    fn contracts_are_compared() {
        let contracts = vec!["6N-N".to_owned(), "7N-N".to_owned()];
        let ask = AskTricks {
            deals: vec![DEAL.to_owned()],
            contracts: contracts.clone(),
            ..AskTricks::default()
        };
        let found = tricks(ask, &Limits::default()).unwrap();
        assert_eq!(found.tricks, [[13, 13]]);
        let ask = AskContractResults {
            contracts,
            vulnerable: Some("both".to_owned()),
            tricks: found.tricks,
            ..AskContractResults::default()
        };
        let results = contract_results(ask, &Limits::default()).unwrap();
        assert_eq!(results.contracts[1].score.value, 2220.0);
        assert_eq!(results.contracts[0].histogram[13], 1);
    }

    #[test]
    fn wrong_deals_and_contracts_are_refused() {
        let ask = AskTricks {
            deals: vec!["N:".to_owned()],
            contracts: vec!["8S".to_owned()],
            ..AskTricks::default()
        };
        assert!(tricks(ask, &Limits::default()).is_err());
    }

    fn texts(deals: &[Deal]) -> Vec<String> {
        deals.iter().map(Deal::to_string).collect()
    }

    /// Returns 2,000 deals in which North can be in game.
    fn game_deals() -> Vec<Deal> {
        let script =
            "condition hcp(north) + hcp(south) == 25 and spades(north) == 4 and spades(south) == 4";
        let job = session::Job::new(script).seed(1).produce(2_000).threads(1);
        let collected = job.collect().expect("a script");
        collected.deals.iter().map(|it| it.deal).collect()
    }

    #[test]
    fn a_study_with_a_plan_stops_where_the_library_stops_with_the_same_numbers() {
        let deals = game_deals();
        let contracts = vec!["3N-N".to_owned(), "4S-N".to_owned()];
        let question = contract_question(&contracts, None).unwrap();
        let options = StudyOptions {
            precision: Some("8%".parse().unwrap()),
            ..StudyOptions::default()
        };
        let mut study = Study::new(question, StudyDeals::dealt(&deals), &options).unwrap();
        study.run(studies::ExecutionOptions::default());
        assert!(study.is_precise() && study.solved() < study.screened());

        let limits = Limits::default();
        let ask = AskContractPlan {
            deals: texts(&deals),
            contracts: contracts.clone(),
            precision: Some("8%".to_owned()),
            ..AskContractPlan::default()
        };
        let Plan { plan, candidates } = contract_plan(ask, &limits).unwrap();
        assert_eq!(candidates, 1_000);
        let mut rows = Tricks::default();
        let screened = study.screened() + 10;
        for first in (0..screened).step_by(100) {
            let portion = AskTricks {
                deals: texts(&deals[first..(first + 100).min(screened)]),
                contracts: contracts.clone(),
                plan: Some(plan.clone()),
                first,
                ..AskTricks::default()
            };
            let portion = tricks(portion, &limits).unwrap();
            rows.tricks.extend(portion.tricks);
            rows.bounds.extend(portion.bounds);
        }
        let ask = AskContractResults {
            contracts,
            tricks: rows.tricks,
            plan: Some(plan),
            deals: texts(&deals[..screened]),
            bounds: rows.bounds,
            ..AskContractResults::default()
        };
        let results = contract_results(ask.clone(), &limits).unwrap();
        assert!(results.complete);
        assert_eq!(results.deals, study.solved() as u64);
        assert_eq!(results.screened, study.screened() as u64);
        for (portioned, whole) in results.contracts.iter().zip(study.results()) {
            assert_eq!(portioned.made, whole.made.into());
            assert_eq!(portioned.imps[0], whole.imps[0].into());
        }
        let forged = AskContractResults {
            bounds: vec![vec![[9, 14]; 2]; screened],
            ..ask.clone()
        };
        assert!(contract_results(forged, &limits).is_err());
        for plan in [
            "",
            "1;9%;1 1 1;-;",
            "1;-;1 1 1 1;nan 1;1",
            "2;-;1 1 1 1;-;1",
        ] {
            let forged = AskContractResults {
                plan: Some(plan.to_owned()),
                ..ask.clone()
            };
            let problem = contract_results(forged, &limits).unwrap_err();
            assert!(problem.message.contains("plan"), "{problem:?}");
        }
    }

    #[test]
    fn sets_only_agrees_with_the_tricks() {
        let ask = |sets_only| AskLeads {
            deals: vec![DEAL.to_owned()],
            contract: "7N-S".to_owned(),
            sets_only,
            ..AskLeads::default()
        };
        let limits = Limits::default();
        let rows = leads(ask(true), &limits).unwrap().tricks;
        assert_eq!(rows, [[0; 13]]);
        let ask = AskLeadResults {
            hand: "32.5432.5432.432".to_owned(),
            contract: "7N-S".to_owned(),
            tricks: rows,
            sets_only: true,
            ..AskLeadResults::default()
        };
        let results = lead_results(ask, &limits).unwrap();
        assert!(results.leads.is_empty() && results.sets.iter().all(|it| it.sets.value == 0.0));
    }
}
