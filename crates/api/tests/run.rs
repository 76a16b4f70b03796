//! The deals of a run that the page asks for keep what the script predeals.

use std::ops::ControlFlow;

use api::Limits;
use api::boards::deal;
use api::run::{Manner, Mix, Prepared, RunEvent, RunRequest};
use croupier::cards::{Seat, Suit};

/// Points of two hands and a length of a third are more than small tables follow.
const CLUBS: &str = "predeal clubs(south)==3\ncondition hcp(north)>=20 and hcp(east)>=10\n";
const OTHERS: &str = "predeal clubs(south)==3\ncondition hcp(west)>=18 and hcp(north)>=11\n";
const CLASSES: &str = "predeal clubs(south)==3
    Strong = hcp(north)>=20 and hcp(east)>=10
    Weak = hcp(west)>=18 and hcp(north)>=11\n";

/// South's clubs in every deal of a run.
fn clubs_of_south(request: &RunRequest) -> Vec<usize> {
    let prepared = Prepared::new(request, &Limits::default(), Manner::in_browser());
    let prepared = prepared.unwrap_or_else(|problem| panic!("{problem:?}"));
    let mut clubs = Vec::new();
    prepared.run(&mut |event| {
        match event {
            RunEvent::Deals { deals } => clubs.extend(deals.iter().map(|produced| {
                let deal = deal(&produced.board.deal).expect("a deal");
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
