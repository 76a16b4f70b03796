//! The deals of a run satisfy the predeal of the script.

use std::ops::ControlFlow;

use croupier::cards::{Seat, Suit};
use croupier_api::RequestLimits;
use croupier_api::boards::deal;
use croupier_api::run::{Mix, PreparedScript, Produced, RunEvent, RunOptions, RunRequest};

/// Conditions on the points of two hands, with a predealt length of a third, for which the sampler builds no small
/// tables.
const CLUBS: &str = "predeal clubs(south)==3\ncondition hcp(north)>=20 and hcp(east)>=10\n";
const OTHERS: &str = "predeal clubs(south)==3\ncondition hcp(west)>=18 and hcp(north)>=11\n";
const CLASSES: &str = "predeal clubs(south)==3
    Strong = hcp(north)>=20 and hcp(east)>=10
    Weak = hcp(west)>=18 and hcp(north)>=11\n";

/// Returns the number of South's clubs in every deal of a run.
fn clubs_of_south(request: &RunRequest) -> Vec<usize> {
    let prepared =
        PreparedScript::new(request, &RequestLimits::default(), RunOptions::in_browser());
    let prepared = prepared.unwrap_or_else(|problem| panic!("{problem:?}"));
    let mut clubs = Vec::new();
    prepared.run(&mut |event| {
        match event {
            RunEvent::Deals { deals } => clubs.extend(deals.iter().map(|produced| {
                let deal = deal(&produced.board.deal).expect("events contain valid deals");
                deal.hand(Seat::South).holding(Suit::Clubs).len()
            })),
            RunEvent::Problem { problem } => panic!("{problem:?}"),
            _ => (),
        }
        ControlFlow::Continue(())
    });
    clubs
}

#[test]
fn a_predealt_length_holds_beside_points_of_other_hands() {
    let whole = RunRequest {
        script: CLUBS.to_owned(),
        seed: Some("1".to_owned()),
        produce: Some(300),
        deals_only: true,
        ..RunRequest::default()
    };
    let mixed = RunRequest {
        mix: Some(Mix {
            scripts: vec![OTHERS.to_owned()],
            shares: vec![2, 1],
            ..Mix::default()
        }),
        ..whole.clone()
    };
    let levelled = RunRequest {
        script: CLASSES.to_owned(),
        level: Some("Strong=1,Weak=1".to_owned()),
        ..whole.clone()
    };
    for request in [whole, mixed, levelled] {
        assert_eq!(clubs_of_south(&request), [3; 300], "{request:?}");
    }
}

/// Returns the produced deals of a run.
fn produced(request: &RunRequest) -> Vec<Produced> {
    let prepared =
        PreparedScript::new(request, &RequestLimits::default(), RunOptions::in_browser());
    let mut found = Vec::new();
    prepared.expect("a valid request").run(&mut |event| {
        match event {
            RunEvent::Deals { deals } => found.extend(deals),
            RunEvent::Problem { problem } => panic!("{problem:?}"),
            _ => (),
        }
        ControlFlow::Continue(())
    });
    found
}

#[test]
fn boards_of_a_mixture_have_the_names_of_their_scripts() {
    let request = RunRequest {
        script: "condition hcp(north) >= 20".to_owned(),
        seed: Some("1".to_owned()),
        produce: Some(12),
        deals_only: true,
        mix: Some(Mix {
            scripts: vec!["condition hcp(north) <= 3".to_owned()],
            shares: vec![1, 2],
            names: vec!["strong".to_owned(), "weak".to_owned()],
        }),
        ..RunRequest::default()
    };
    let deals = produced(&request);
    let with_name = |name: &str| {
        deals
            .iter()
            .filter(|it| it.class.as_deref() == Some(name))
            .count()
    };
    assert_eq!((with_name("strong"), with_name("weak")), (4, 8));
    for it in &deals {
        let (_, hands) = it.board.deal.split_once("N:").expect("North is first");
        let north = hands.split(' ').next().unwrap_or_default().chars();
        let points: usize = north
            .map(|rank| "JQKA".find(rank).map_or(0, |at| at + 1))
            .sum();
        assert_eq!(points >= 20, it.class.as_deref() == Some("strong"));
    }
}

#[test]
fn dealer_vulnerability_variables_and_own_files_reach_the_run() {
    let request = RunRequest {
        script: "import \"own.dl\" condition strong and spades(north) == $0".to_owned(),
        seed: Some("1".to_owned()),
        produce: Some(5),
        deals_only: true,
        dealer: Some("W".to_owned()),
        vulnerable: Some("ew".to_owned()),
        variables: [("0".to_owned(), "6".to_owned())].into(),
        imports: [("own.dl".to_owned(), "strong = hcp(north) > 15".to_owned())].into(),
        ..RunRequest::default()
    };
    let deals = produced(&request);
    assert_eq!(deals.len(), 5);
    for it in &deals {
        assert_eq!(it.board.dealer.as_deref(), Some("W"));
        assert_eq!(it.board.vulnerable.as_deref(), Some("ew"));
        let north = deal(&it.board.deal).unwrap().hand(Seat::North);
        assert_eq!(north.holding(Suit::Spades).len(), 6);
    }
}
