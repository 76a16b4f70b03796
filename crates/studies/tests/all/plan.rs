//! Sampling plans and their text.

use crate::solver_data::RandomDeals;
use cards::{Deal, Seat, Vulnerability};
use croupier_studies::{
    ContractQuestion, DeclaredContract, LeadQuestion, SamplingPlan, Study, StudyDeals,
    StudyOptions, StudyQuestion,
};

fn contracts(texts: &[&str]) -> ContractQuestion {
    let contracts = texts.iter().map(|text| text.parse().unwrap()).collect();
    ContractQuestion::new(contracts, Vulnerability::NorthSouth).unwrap()
}

#[test]
fn the_text_of_a_plan_reads_back_as_the_same_plan() {
    let deals: Vec<Deal> = RandomDeals(7).take(500).collect();
    let question = contracts(&["3N", "4S-N", "5Cx-W"]);
    // With a precision in tricks the deals are solved in their order; with another unit the first half of the deals are candidates.
    for (precision, candidates) in [
        ("0.05 tricks", 500),
        ("2%", 250),
        ("5 points", 250),
        ("0.3 imps", 250),
    ] {
        let options = StudyOptions {
            precision: Some(precision.parse().unwrap()),
            ..StudyOptions::default()
        };
        let study = Study::new(question.clone(), StudyDeals::dealt(&deals), &options).unwrap();
        let plan = study.plan().unwrap();
        assert_eq!(plan.candidates(), candidates, "{precision}");
        let read = SamplingPlan::parse(&question, &plan.to_string());
        assert_eq!(read.as_ref(), Ok(plan), "{precision}");
        let other = contracts(&["3N", "4S-N"]);
        assert!(SamplingPlan::parse(&other, &plan.to_string()).is_err());
    }
}

#[test]
fn every_deal_has_the_number_of_controls_of_its_question() {
    let declared: DeclaredContract = "3N".parse().unwrap();
    let question = contracts(&["3N", "4S-N", "5Cx-W"]);
    for deal in RandomDeals(8).take(100) {
        assert_eq!(question.controls(&deal).len(), question.control_count());
        let hand = deal.hand(Seat::West);
        let leads = LeadQuestion::new(declared, hand, Vulnerability::None).unwrap();
        assert_eq!(leads.controls(&deal).len(), leads.control_count());
    }
}
