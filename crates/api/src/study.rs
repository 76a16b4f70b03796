//! Studies over many deals, in small questions. The client deals, has the deals solved in portions of any size, and has the
//! results computed from the portions. A study can show its progress, can be stopped at any time, and its portions can go
//! to several workers.
//!
//! A study with a precision begins with a plan (`lead-plan`, `contract-plan`), which goes with every portion and with
//! the results. The results show whether the study is complete. Their numbers are those of `croupier lead` and
//! `croupier compare` on the same deals.

mod contracts;
mod leads;

use std::error::Error;
use std::ops::ControlFlow;

use croupier::cards::Deal;
use croupier::solver::Bounds;
use croupier::studies::{
    DealAnswer, DeclaredContract, Precision, SamplingPlan, Study, StudyDeals, StudyError,
    StudyOptions, StudyQuestion,
};
use serde::{Deserialize, Serialize};

use crate::boards;
use crate::{RequestError, RequestLimits};

pub use contracts::{
    ContractPlanRequest, ContractResults, ContractResultsRequest, ContractTricks, ContractWorth,
    TricksRequest, contract_plan, contract_results, tricks,
};
pub use leads::{
    LeadPlanRequest, LeadResults, LeadResultsRequest, LeadSets, LeadTricks, LeadWorth,
    LeadsRequest, lead_plan, lead_results, leads,
};

/// The plan of a study.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct StudyPlan {
    /// Text of the plan. Send it unchanged with each portion and with the results.
    pub plan: String,
    /// Number of deals that may be solved: the first ones.
    pub candidates: u64,
}

/// A value with its 95 % confidence interval.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Estimate {
    /// Value in the sample.
    pub value: f64,
    /// Lower end; null if the sample determines no interval, as for a single deal.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub low: Option<f64>,
    /// Upper end; null if the sample determines no interval.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub high: Option<f64>,
}

impl From<croupier::studies::Estimate> for Estimate {
    fn from(it: croupier::studies::Estimate) -> Estimate {
        let finite = |x: f64| if x.is_finite() { x } else { 0.0 };
        Estimate {
            value: finite(it.value),
            low: it.interval().map(|(low, _)| low),
            high: it.interval().map(|(_, high)| high),
        }
    }
}

fn options(
    number: Option<u64>,
    precision: Option<&str>,
    control: Option<u64>,
    deals: &[String],
) -> Result<StudyOptions, RequestError> {
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
    limits: &RequestLimits,
) -> Result<StudyPlan, RequestError> {
    limits.controls(deals.len())?;
    let used = options.control_deals().unwrap_or(0);
    let used = usize::try_from(used).unwrap_or(usize::MAX).min(deals.len());
    let deals: Result<Vec<Deal>, RequestError> = deals[..used]
        .iter()
        .map(|text| boards::deal(text))
        .collect();
    let deals = deals?;
    limits.check_cancelled()?;
    let study = Study::new(question, StudyDeals::dealt(&deals), options).map_err(problem)?;
    let Some(plan) = study.plan() else {
        return Err(RequestError::request(
            "a plan needs a precision, such as 0.5%",
        ));
    };
    Ok(StudyPlan {
        plan: plan.to_string(),
        candidates: plan.candidates() as u64,
    })
}

fn bound_pair(bounds: &Bounds) -> (u8, u8) {
    (bounds.low, bounds.high)
}

/// Converts an error of a study, with its cause.
fn problem(error: impl Error) -> RequestError {
    match error.source() {
        Some(source) => RequestError::request(format!("{error}: {source}")),
        None => RequestError::request(error.to_string()),
    }
}

fn declared(text: &str) -> Result<DeclaredContract, RequestError> {
    boards::shortened(text).parse().map_err(problem)
}

/// Creates a study that follows the plan with this text.
fn planned<Q: StudyQuestion>(question: Q, plan: &str) -> Result<Study<'static, Q>, RequestError> {
    let plan = SamplingPlan::parse(&question, plan);
    let plan = plan.map_err(|error| problem(StudyError::Plan(error)))?;
    Ok(Study::with_plan(question, plan))
}

/// Creates a study and adds its rows in order, until the study is complete.
fn collected<Q: StudyQuestion>(
    question: Q,
    plan: Option<&str>,
    deals: &[String],
    bounds: Vec<Vec<(u8, u8)>>,
    rows: Vec<Option<Vec<u8>>>,
) -> Result<Study<'static, Q>, RequestError> {
    let Some(plan) = plan else {
        let mut study = Study::without_plan(question);
        for row in rows {
            let _ = study.add_screened(None, row);
        }
        return Ok(study);
    };
    if deals.len() != rows.len() || bounds.len() != rows.len() {
        return Err(RequestError::request(
            "with a plan every row needs its deal and its bounds",
        ));
    }
    let mut study = planned(question, plan)?;
    for ((text, bounds), tricks) in deals.iter().zip(bounds).zip(rows) {
        let bounds = bounds.iter().map(|&(low, high)| Bounds { low, high });
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
        let request = LeadsRequest {
            deals: vec![DEAL.to_owned()],
            contract: "3N-N".to_owned(),
            ..LeadsRequest::default()
        };
        let found = leads(request, &RequestLimits::default()).unwrap();
        assert_eq!(found.cards[0][0], "SJ");
        let request = LeadResultsRequest {
            hand: "JT98.JT9.JT9.T98".to_owned(),
            contract: "3N-N".to_owned(),
            vulnerable: None,
            tricks: vec![found.tricks[0].clone(); 3],
            ..LeadResultsRequest::default()
        };
        let results = lead_results(request, &RequestLimits::default()).unwrap();
        assert_eq!(results.layouts, 3);
        assert_eq!(results.leads[0].cards, "SJT98");
        assert_eq!(results.leads[0].sets.value, 0.0);
    }

    #[test]
    fn contracts_are_compared() {
        let contracts = vec!["6N-N".to_owned(), "7N-N".to_owned()];
        let request = TricksRequest {
            deals: vec![DEAL.to_owned()],
            contracts: contracts.clone(),
            ..TricksRequest::default()
        };
        let found = tricks(request, &RequestLimits::default()).unwrap();
        assert_eq!(found.tricks, [[13, 13]]);
        let request = ContractResultsRequest {
            contracts,
            vulnerable: Some("both".to_owned()),
            tricks: found.tricks,
            ..ContractResultsRequest::default()
        };
        let results = contract_results(request, &RequestLimits::default()).unwrap();
        assert_eq!(results.contracts[1].score.value, 2220.0);
        assert_eq!(results.contracts[0].histogram[13], 1);
    }

    #[test]
    fn wrong_deals_and_contracts_are_refused() {
        let request = TricksRequest {
            deals: vec!["N:".to_owned()],
            contracts: vec!["8S".to_owned()],
            ..TricksRequest::default()
        };
        assert!(tricks(request, &RequestLimits::default()).is_err());
    }
}
