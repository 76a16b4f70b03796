//! Sums over leads and contracts, compared with sums done by hand.

use crate::solver_data::solved_deals;
use cards::{Seat, Side, Strain, Vulnerability, scoring};
use croupier_studies::{
    ContractQuestion, DeclaredContract, LeadQuestion, Study, StudyQuestion, sequences,
};
use solver::Solver;

#[test]
fn a_lead_study_averages_over_layouts_and_compares_with_the_other_leads() {
    let deals: Vec<_> = solved_deals().into_iter().map(|(deal, _)| deal).collect();
    let deal = deals[7];
    let declared: DeclaredContract = "3N".parse().unwrap();
    let contract = declared.contract;
    let hand = deal[Seat::West];
    let mut solver = Solver::new();
    let leads = solver.leads(&deal, Seat::South, Strain::Notrump);
    let question = LeadQuestion::new(declared, hand, Vulnerability::NorthSouth).unwrap();
    let mut study = Study::without_plan(question.clone());
    for _ in 0..2 {
        let _ = study.add_screened(None, question.tricks(&leads));
    }
    // A layout in which the leader has other cards is not a layout of this study.
    let others = solver.leads(&deals[8], Seat::South, Strain::Notrump);
    assert_eq!(question.tricks(&others), None);
    assert!(question.check(&deals[8..9]).is_err());
    assert_eq!(study.tally().deals(), 2);

    let runs = sequences(hand);
    let tricks = |cards: cards::CardSet| leads.tricks(cards.iter().next().unwrap()).unwrap();
    let score = |cards| -contract.score(true, 13 - i32::from(tricks(cards)));
    let results = study.results();
    assert_eq!(results.len(), runs.len());
    let mut imps_of_all = 0.0;
    for result in &results {
        let others = runs.iter().filter(|&&run| run != result.cards);
        let imps: i32 = others
            .clone()
            .map(|&run| scoring::imps(score(result.cards) - score(run)))
            .sum();
        let expected = f64::from(imps) / (runs.len() as f64 - 1.0);
        assert!((result.imps.value - expected).abs() < 1e-9);
        assert!(result.imps.margin() > 0.0, "other layouts are possible");
        assert_eq!(result.tricks.value, f64::from(tricks(result.cards)));
        assert_eq!(
            result.sets.value,
            f64::from(u8::from(tricks(result.cards) >= 5))
        );
        imps_of_all += result.imps.value;
        let better = others
            .clone()
            .filter(|&&run| score(result.cards) > score(run))
            .count() as f64;
        let equal = others
            .filter(|&&run| score(result.cards) == score(run))
            .count() as f64;
        let share = (better + equal / 2.0) / (runs.len() as f64 - 1.0);
        assert!((result.matchpoints.value - share).abs() < 1e-9);
    }
    assert!(
        imps_of_all.abs() < 1e-9,
        "what one lead wins another one loses"
    );
    assert!(results.is_sorted_by(|a, b| a.imps.value >= b.imps.value));
}

#[test]
fn contracts_are_compared_on_the_same_deals() {
    let contracts: Vec<DeclaredContract> = ["3N", "4S-S", "5Dx by W"]
        .iter()
        .map(|text| text.parse().unwrap())
        .collect();
    let question = ContractQuestion::new(contracts.clone(), Vulnerability::EastWest).unwrap();
    let mut study = Study::without_plan(question.clone());
    let mut solver = Solver::new();
    let deals = &solved_deals()[..40];
    for (deal, table) in deals {
        let tricks = question.solve(&mut solver, deal, Some(table));
        let _ = study.add_screened(None, Some(tricks));
    }
    assert_eq!(study.tally().deals(), 40);
    let results = study.results();
    for (i, (result, declared)) in results.iter().zip(&contracts).enumerate() {
        let all_tricks = deals
            .iter()
            .map(|(_, table)| table.tricks(declared.declarer, declared.contract.strain));
        let sum: i32 = all_tricks.clone().map(i32::from).sum();
        assert!((result.tricks.value - f64::from(sum) / 40.0).abs() < 1e-9);
        let score = |tricks| declared.score(tricks, Vulnerability::EastWest, Side::NorthSouth);
        let scores: i32 = all_tricks.clone().map(score).sum();
        assert!((result.score.value - f64::from(scores) / 40.0).abs() < 1e-9);
        let made = all_tricks
            .filter(|&tricks| tricks >= declared.contract.tricks_needed())
            .count();
        assert!((result.made.value - made as f64 / 40.0).abs() < 1e-9);
        assert_eq!(result.imps[i].value, 0.0);
        assert_eq!(result.matchpoints[i].value, 0.5);
        for (j, other) in results.iter().enumerate() {
            assert!((result.imps[j].value + other.imps[i].value).abs() < 1e-9);
            assert!((result.matchpoints[j].value + other.matchpoints[i].value - 1.0).abs() < 1e-9);
        }
    }
    // A defender's doubled contract that goes down is a plus for North-South.
    assert_eq!(
        contracts[2].score(10, Vulnerability::EastWest, Side::NorthSouth),
        200
    );
}

#[test]
fn contracts_are_read_with_and_without_a_declarer() {
    for (text, written) in [
        ("4s", "4S by S"),
        ("3NT-w", "3N by W"),
        ("5Dx/north", "5Dx by N"),
        ("6H by East", "6H by E"),
        ("7NXX@N", "7Nxx by N"),
    ] {
        assert_eq!(
            text.parse::<DeclaredContract>().unwrap().to_string(),
            written
        );
    }
    for text in ["", "8N", "4S-Q", "pass", "4", "-S"] {
        let error = text.parse::<DeclaredContract>().unwrap_err();
        assert!(error.to_string().contains("expected"), "{text}");
    }
}
