//! The deals of a run satisfy the predeal of the script.

use std::ops::ControlFlow;

use croupier::cards::{Seat, Suit};
use croupier::session::tournament::{KeyFile, Terms};
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

/// Returns the events of a run.
fn events(request: &RunRequest) -> Vec<RunEvent> {
    let prepared =
        PreparedScript::new(request, &RequestLimits::default(), RunOptions::in_browser());
    let mut found = Vec::new();
    prepared.expect("a valid request").run(&mut |event| {
        if let RunEvent::Problem { problem } = &event {
            panic!("{problem:?}");
        }
        found.push(event);
        ControlFlow::Continue(())
    });
    found
}

/// Returns the produced deals of a run.
fn produced(request: &RunRequest) -> Vec<Produced> {
    let deals = events(request).into_iter().map(|event| match event {
        RunEvent::Deals { deals } => deals,
        _ => Vec::new(),
    });
    deals.flatten().collect()
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

fn with_deals(script: &str, deals: &[&str]) -> RunRequest {
    RunRequest {
        script: script.to_owned(),
        deals: deals.iter().map(|&deal| deal.to_owned()).collect(),
        ..RunRequest::default()
    }
}

/// Deals in which North has 22, 0 and 18 points.
const GIVEN: [&str; 3] = [
    "N:AKQ2.AKQ.432.A32 J543.J54.765.765 T98.T98.AKQ.T984 76.7632.JT98.KQJ",
    "N:5432.432.432.432 AKQJ.AKQ.AKQ.AKQ T98.JT9.JT9.JT98 76.8765.8765.765",
    "N:AKQ2.AQ2.432.K32 J543.J54.765.765 T98.T98.AKQ.T984 76.K763.JT98.AQJ",
];

#[test]
fn given_deals_are_selected_and_counted() {
    let mut request = with_deals(
        "condition hcp(north) > 10 action average hcp(north)",
        &GIVEN,
    );
    request.deals_only = false;
    let list = events(&request);
    let Some(RunEvent::End {
        generated,
        produced: selected,
        ended,
        ..
    }) = list.last()
    else {
        panic!("{list:?}");
    };
    assert_eq!((*generated, *selected, ended.as_str()), (3, 2, "exhausted"));
    request.deals_only = true;
    let found: Vec<String> = produced(&request)
        .into_iter()
        .map(|it| it.board.deal)
        .collect();
    assert_eq!(found, [GIVEN[0], GIVEN[2]]);
}

#[test]
fn boards_of_a_tournament_follow_from_the_key_in_the_last_event() {
    let mut request = RunRequest {
        script: "action printall".to_owned(),
        tournament: Some("new".to_owned()),
        produce: Some(3),
        ..RunRequest::default()
    };
    let list = events(&request);
    let Some(RunEvent::End {
        tournament: Some(key),
        ..
    }) = list.last()
    else {
        panic!("{list:?}");
    };
    let parsed: KeyFile = key.file.parse().unwrap();
    assert_eq!(key.commitment, parsed.expected_commitment());
    assert!(key.file.contains("\nboards:3\n"), "{}", key.file);
    request.tournament = Some(key.file.clone());
    let expected: Vec<String> = (0..3)
        .map(|number| croupier::shuffle::tournament::deal(&parsed.key, number).to_string())
        .collect();
    let found: Vec<String> = produced(&request)
        .into_iter()
        .map(|it| it.board.deal)
        .collect();
    assert_eq!(found, expected);
    request.produce = Some(4);
    let problem = refused(&request);
    assert!(
        problem.contains("covers boards:3, this run has boards:4"),
        "{problem}"
    );
}

#[test]
fn boards_that_depend_on_a_public_value_are_dealt_when_it_is_known() {
    let terms = Terms {
        boards: 2,
        beacon: Some("lottery".to_owned()),
        ..Terms::default()
    };
    let mut request = RunRequest {
        tournament: Some(KeyFile::new(croupier::Key::from_seed(1), terms).to_string()),
        produce: Some(2),
        deals_only: true,
        ..RunRequest::default()
    };
    assert!(refused(&request).contains("public value, give it when it is known: lottery"));
    request.beacon_value = Some("3 14 15".to_owned());
    let first = produced(&request);
    request.beacon_value = Some("3 14 16".to_owned());
    assert_ne!(produced(&request), first);
    request.tournament = Some("new".to_owned());
    assert!(refused(&request).contains("a public value is for"));
}

/// Returns the message with which a request is refused.
fn refused(request: &RunRequest) -> String {
    let options = RunOptions::in_browser();
    let prepared = PreparedScript::new(request, &RequestLimits::default(), options);
    prepared.err().expect("a refusal").message
}

#[test]
fn a_run_has_one_source_of_deals() {
    let mut request = with_deals("condition 1", &GIVEN[..1]);
    request.tournament = Some("new".to_owned());
    assert!(refused(&request).contains("one source of deals"));
    request.deals.clear();
    request.tournament = Some("secret".to_owned());
    assert!(refused(&request).contains("is not the key of a tournament"));
    request.tournament = Some("new".to_owned());
    request.dialect = croupier_api::check::Dialect(croupier::session::Mode::V1.into());
    assert!(refused(&request).contains("own dialect"));
}
