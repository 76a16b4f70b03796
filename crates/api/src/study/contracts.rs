//! Contracts on the same deals: plan, portions and results.

use croupier::solver::Solver;
use croupier::studies::{ContractQuestion, DealAnswer, Study};
use serde::{Deserialize, Serialize};

use super::{
    Estimate, StudyPlan, bound_pair, collected, declared, options, plan, planned, problem,
};
use crate::boards;
use crate::{RequestError, RequestLimits};

/// A request for the plan of a study of contracts.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct ContractPlanRequest {
    /// All deals, as in PBN. Half of them may be solved, the others make the intervals narrower.
    pub deals: Vec<String>,
    /// Contracts with declarers, `4S-N`.
    pub contracts: Vec<String>,
    /// Vulnerable sides: `none`, `ns`, `ew` or `both`.
    #[serde(default)]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<boards::VulnerabilityName>))]
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

/// Computes the plan of a study of contracts.
///
/// # Errors
/// If a deal, a contract or an option is wrong.
pub fn contract_plan(
    request: ContractPlanRequest,
    limits: &RequestLimits,
) -> Result<StudyPlan, RequestError> {
    let question = contract_question(&request.contracts, request.vulnerable.as_deref())?;
    let options = options(
        request.number,
        request.precision.as_deref(),
        request.control,
        &request.deals,
    )?;
    plan(question, &request.deals, &options, limits)
}

/// A request for the tricks of contracts on some deals.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct TricksRequest {
    /// Deals, as in PBN.
    pub deals: Vec<String>,
    /// Contracts with declarers, `4S-N`.
    pub contracts: Vec<String>,
    /// Vulnerable sides; only a plan needs them.
    #[serde(default)]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<boards::VulnerabilityName>))]
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
pub struct ContractTricks {
    /// A row for each deal; empty for a deal that the plan does not select.
    pub tricks: Vec<Vec<u8>>,
    /// With a plan: bounds of the tricks in each contract. Send them with the results.
    pub bounds: Vec<Vec<(u8, u8)>>,
}

/// Solves the contracts on some deals.
///
/// # Errors
/// If a deal, a contract or the plan cannot be read.
pub fn tricks(
    request: TricksRequest,
    limits: &RequestLimits,
) -> Result<ContractTricks, RequestError> {
    limits.boards(request.deals.len())?;
    let question = contract_question(&request.contracts, request.vulnerable.as_deref())?;
    let study = match &request.plan {
        Some(plan) => planned(question, plan)?,
        None => Study::without_plan(question),
    };
    limits.solve(|solver: &mut Solver| {
        let mut answer = ContractTricks::default();
        for (place, text) in (request.first..).zip(&request.deals) {
            limits.check_cancelled()?;
            let deal = boards::deal(text)?;
            let DealAnswer { bounds, tricks } = study.answer(solver, place, &deal);
            answer.tricks.push(tricks.unwrap_or_default());
            if request.plan.is_some() {
                answer.bounds.push(bounds.iter().map(bound_pair).collect());
            }
        }
        Ok(answer)
    })?
}

/// A request for the results of a comparison of contracts, with the rows of all deals.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct ContractResultsRequest {
    /// Contracts, in the order of the numbers.
    pub contracts: Vec<String>,
    /// Vulnerable sides.
    #[serde(default)]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<boards::VulnerabilityName>))]
    pub vulnerable: Option<String>,
    /// For each deal the tricks in each contract, as `tricks` returns them.
    pub tricks: Vec<Vec<u8>>,
    /// Plan of the study, if it has one.
    #[serde(default)]
    pub plan: Option<String>,
    /// With a plan: the deals of the rows, the first ones of all.
    #[serde(default)]
    pub deals: Vec<String>,
    /// With a plan: bounds of each deal, as `tricks` returns them.
    #[serde(default)]
    pub bounds: Vec<Vec<(u8, u8)>>,
}

/// The result of one contract.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ContractWorth {
    /// Contract and declarer: `4S by N`.
    pub contract: String,
    /// Tricks of declarer.
    pub tricks: Estimate,
    /// Share of the deals on which the contract makes, 0 to 1.
    pub made: Estimate,
    /// Score of the side that declares the first contract.
    pub score: Estimate,
    /// IMPs per board against each contract.
    pub imps: Vec<Estimate>,
    /// Share of the matchpoints against each contract.
    pub matchpoints: Vec<Estimate>,
    /// Number of deals for each number of tricks, 0 to 13. With a plan the deals count by their weights.
    pub histogram: Vec<u64>,
    /// Share of the deals for each number of tricks, 0 to 13.
    pub shares: Vec<Estimate>,
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
    /// Contracts, in the order of the request.
    pub contracts: Vec<ContractWorth>,
}

/// Computes the results of a comparison from its rows.
///
/// # Errors
/// If contracts, plan or rows are invalid.
pub fn contract_results(
    request: ContractResultsRequest,
    limits: &RequestLimits,
) -> Result<ContractResults, RequestError> {
    limits.boards(request.tricks.len())?;
    let question = contract_question(&request.contracts, request.vulnerable.as_deref())?;
    let count = question.contracts().len();
    let is_row = |row: &Vec<u8>| row.len() == count || row.is_empty() && request.plan.is_some();
    let is_right = |row: &Vec<u8>| is_row(row) && row.iter().all(|&tricks| tricks <= 13);
    if !request.tricks.iter().all(is_right) {
        return Err(RequestError::request(
            "a deal needs a number of tricks for each contract",
        ));
    }
    let rows = request.tricks.into_iter();
    let rows = rows.map(|row| (!row.is_empty()).then_some(row)).collect();
    let plan = request.plan.as_deref();
    let study = collected(question, plan, &request.deals, request.bounds, rows)?;
    let list = |estimates: Vec<croupier::studies::Estimate>| {
        estimates.into_iter().map(Estimate::from).collect()
    };
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
                shares: (0..=13)
                    .map(|tricks| study.share_of_tricks(contract, tricks).into())
                    .collect(),
            })
            .collect(),
    })
}

fn contract_question(
    texts: &[String],
    vulnerable: Option<&str>,
) -> Result<ContractQuestion, RequestError> {
    /// Maximum number of contracts, because every pair of contracts is compared.
    const MOST: usize = 12;
    if !(1..=MOST).contains(&texts.len()) {
        return Err(RequestError::request(format!(
            "give one to {MOST} contracts"
        )));
    }
    let contracts: Result<Vec<_>, _> = texts.iter().map(|text| declared(text)).collect();
    let vulnerability = boards::vulnerability(vulnerable)?;
    ContractQuestion::new(contracts?, vulnerability).map_err(problem)
}
