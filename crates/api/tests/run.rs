//! The deals of a run satisfy the predeal of the script.

use std::ops::ControlFlow;

use api::Limits;
use api::boards::deal;
use api::run::{Mix, Prepared, RunEvent, RunOptions, RunRequest};
use croupier::cards::{Seat, Suit};

/// Conditions on the points of two hands, with a predealt length of a third, for which the sampler builds no small
/// tables.
const CLUBS: &str = "predeal clubs(south)==3\ncondition hcp(north)>=20 and hcp(east)>=10\n";
const OTHERS: &str = "predeal clubs(south)==3\ncondition hcp(west)>=18 and hcp(north)>=11\n";
const CLASSES: &str = "predeal clubs(south)==3
    Strong = hcp(north)>=20 and hcp(east)>=10
    Weak = hcp(west)>=18 and hcp(north)>=11\n";

/// Returns the number of South's clubs in every deal of a run.
fn clubs_of_south(request: &RunRequest) -> Vec<usize> {
    let prepared = Prepared::new(request, &Limits::default(), RunOptions::in_browser());
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
