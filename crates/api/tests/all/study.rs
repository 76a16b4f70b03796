//! Studies in portions: with a plan, and of sets alone.

use croupier::cards::{Deal, Vulnerability};
use croupier::studies::{ContractQuestion, Study, StudyDeals, StudyExecution, StudyOptions};
use croupier_api::RequestLimits;
use croupier_api::study::{
    ContractPlanRequest, ContractResultsRequest, ContractTricks, LeadResultsRequest, LeadsRequest,
    StudyPlan, TricksRequest, contract_plan, contract_results, lead_results, leads, tricks,
};

const DEAL: &str = "N:AKQ.AKQ.AKQ.AKQJ JT98.JT9.JT9.T98 7654.876.876.765 32.5432.5432.432";

fn texts(deals: &[Deal]) -> Vec<String> {
    deals.iter().map(Deal::to_string).collect()
}

/// Returns 4,000 deals in which North can be in game.
fn game_deals() -> Vec<Deal> {
    let script =
        "condition hcp(north) + hcp(south) == 25 and spades(north) == 4 and spades(south) == 4";
    let job = croupier::session::Job::new(script)
        .seed(1)
        .produce(4_000)
        .threads(1);
    let collected = job.collect().expect("a script");
    collected.deals.iter().map(|it| it.deal).collect()
}

#[test]
fn a_study_with_a_plan_stops_where_the_library_stops_with_the_same_numbers() {
    let deals = game_deals();
    let contracts = vec!["3N-N".to_owned(), "4S-N".to_owned()];
    let declared = contracts.iter().map(|it| it.parse().unwrap());
    let question = ContractQuestion::new(declared.collect(), Vulnerability::None).unwrap();
    let options = StudyOptions {
        precision: Some("8%".parse().unwrap()),
        ..StudyOptions::default()
    };
    let mut study = Study::new(question, StudyDeals::dealt(&deals), &options).unwrap();
    study.run(StudyExecution::default());
    assert!(study.is_precise() && study.solved() < study.screened());

    let limits = RequestLimits::default();
    let ask = ContractPlanRequest {
        deals: texts(&deals),
        contracts: contracts.clone(),
        precision: Some("8%".to_owned()),
        ..ContractPlanRequest::default()
    };
    let StudyPlan { plan, candidates } = contract_plan(ask, &limits).unwrap();
    assert_eq!(candidates, 2_000);
    let mut rows = ContractTricks::default();
    let screened = study.screened() + 10;
    for first in (0..screened).step_by(100) {
        let portion = TricksRequest {
            deals: texts(&deals[first..(first + 100).min(screened)]),
            contracts: contracts.clone(),
            plan: Some(plan.clone()),
            first,
            ..TricksRequest::default()
        };
        let portion = tricks(portion, &limits).unwrap();
        rows.tricks.extend(portion.tricks);
        rows.bounds.extend(portion.bounds);
    }
    let ask = ContractResultsRequest {
        contracts,
        tricks: rows.tricks,
        plan: Some(plan),
        deals: texts(&deals[..screened]),
        bounds: rows.bounds,
        ..ContractResultsRequest::default()
    };
    let results = contract_results(ask.clone(), &limits).unwrap();
    assert!(results.complete);
    assert_eq!(results.deals, study.solved() as u64);
    assert_eq!(results.screened, study.screened() as u64);
    for (portioned, whole) in results.contracts.iter().zip(study.results()) {
        assert_eq!(portioned.made, whole.made.into());
        assert_eq!(portioned.imps[0], whole.imps[0].into());
    }
    let forged = ContractResultsRequest {
        bounds: vec![vec![(9, 14); 2]; screened],
        ..ask.clone()
    };
    assert!(contract_results(forged, &limits).is_err());
    for plan in [
        "",
        "1;9%;1 1 1;-;",
        "1;-;1 1 1 1;nan 1;1",
        "2;-;1 1 1 1;-;1",
    ] {
        let forged = ContractResultsRequest {
            plan: Some(plan.to_owned()),
            ..ask.clone()
        };
        let problem = contract_results(forged, &limits).unwrap_err();
        assert!(problem.message.contains("plan"), "{problem:?}");
    }
}

#[test]
fn sets_only_agrees_with_the_tricks() {
    let ask = |sets_only| LeadsRequest {
        deals: vec![DEAL.to_owned()],
        contract: "7N-S".to_owned(),
        sets_only,
        ..LeadsRequest::default()
    };
    let limits = RequestLimits::default();
    let rows = leads(ask(true), &limits).unwrap().tricks;
    assert_eq!(rows, [[0; 13]]);
    let ask = LeadResultsRequest {
        hand: "32.5432.5432.432".to_owned(),
        contract: "7N-S".to_owned(),
        tricks: rows,
        sets_only: true,
        ..LeadResultsRequest::default()
    };
    let results = lead_results(ask, &limits).unwrap();
    assert!(results.leads.is_empty() && results.sets.iter().all(|it| it.sets.value == 0.0));
}
