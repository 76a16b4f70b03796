//! Functions of the language that depend on auctions.

use std::ops::ControlFlow;
use std::sync::Arc;

use cards::{Seat, Side, Vulnerability};
use croupier_bidding::{
    AuctionPattern, BiddingSetting, BiddingTable, BoardResult, BuiltInRobots, BuiltInSystem, Detail,
};
use session::{Collected, Error, Job, ProducedDeal};
use solver::Solver;

fn job(script: &str) -> Job {
    Job::new(script)
        .seed(34)
        .robots(Arc::new(BuiltInRobots::default()))
}

fn table() -> BiddingTable<'static> {
    let system = BuiltInSystem::by_name("2/1").unwrap();
    BiddingTable {
        north_south: system,
        east_west: system,
    }
}

#[test]
fn deals_are_selected_by_their_auctions_on_any_number_of_threads() {
    let script = "condition bids(\"1N-P-2C\") and hcp(north) >= 15 dealer east vulnerable ew";
    let dealt = |threads| job(script).produce(2).threads(threads).collect().unwrap();
    let Collected { deals, outcome } = dealt(1);
    let on_three = dealt(3);
    let cards = |all: &[session::KeptDeal]| all.iter().map(|it| it.deal).collect::<Vec<_>>();
    assert_eq!(cards(&deals), cards(&on_three.deals));
    assert_eq!(outcome.generated, on_three.outcome.generated);
    assert_eq!(outcome.calls, on_three.outcome.calls);
    let pattern: AuctionPattern = "1N-P-2C".parse().unwrap();
    for kept in &deals {
        let setting = BiddingSetting {
            deal: kept.deal,
            dealer: Seat::East,
            vulnerability: Vulnerability::EastWest,
        };
        let bidding = table()
            .robots()
            .unwrap()
            .bid(&setting, Detail::Call)
            .unwrap();
        assert!(
            pattern.matches(bidding.auction.calls()),
            "{}",
            bidding.auction
        );
    }
    // Only deals that pass the cheap test are bid, each of them once.
    let calls = outcome.calls.auctions;
    assert!(calls.computed < outcome.generated / 2, "{calls:?}");
    assert_eq!(calls.made, calls.computed);
}

#[test]
fn values_are_those_of_the_contract_that_is_reached() {
    let script = "condition 1 action csvrpt(contract(), declarer(), declarer(NS), score(NS), score(EW), contract(x3N), bids(\"?-?-?-?\"))";
    let session = job(script)
        .vulnerable(Vulnerability::NorthSouth)
        .prepare()
        .unwrap();
    let deals = job("condition 1").produce(12).collect().unwrap().deals;
    let mut rows = Vec::new();
    let take = &mut |deal: &ProducedDeal<'_>| {
        rows.push(deal.values(0).to_vec());
        ControlFlow::Continue(())
    };
    session
        .evaluate(deals.iter().map(|kept| kept.deal).collect::<Vec<_>>(), take)
        .unwrap();
    assert_eq!(rows.len(), deals.len());
    let mut solver = Solver::new();
    for (kept, row) in deals.iter().zip(&rows) {
        let setting = BiddingSetting {
            deal: kept.deal,
            dealer: Seat::North,
            vulnerability: Vulnerability::NorthSouth,
        };
        let bidding = table()
            .robots()
            .unwrap()
            .bid(&setting, Detail::Call)
            .unwrap();
        let declared = bidding.auction.declared();
        let tricks = solver.table(&kept.deal);
        let result = BoardResult::new(declared, &tricks, Vulnerability::NorthSouth, 0);
        let number = declared.map_or(0, |it| {
            5 * i32::from(it.contract.level()) + it.contract.strain.index() as i32
        });
        let seat = declared.map_or(0, |it| it.declarer.index() as i32 + 1);
        let ours = declared.is_some_and(|it| it.declarer.side() == Side::NorthSouth);
        let expected = [
            number,
            seat,
            i32::from(ours),
            result.score,
            -result.score,
            i32::from(number == 19),
            1,
        ];
        assert_eq!(row[..], expected, "{}: {}", kept.deal, bidding.auction);
    }
}

#[test]
fn a_script_that_needs_robots_is_refused_without_them() {
    let script = "x = hcp(north)\ncondition x > 3 and bids(\"1N\")";
    match Job::new(script).seed(1).produce(1).collect() {
        Err(error @ Error::NoRobots { .. }) => {
            let message = "script:2:21: the auctions of deals need bidding robots";
            assert_eq!(error.to_string(), message);
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn only_built_in_systems_can_be_named_where_names_are_not_trusted() {
    for name in ["robot:touch started", "natural.bid", "/etc/passwd", "acol"] {
        let error = BuiltInRobots::new([name, "2/1"]).unwrap_err();
        assert_eq!(
            error.to_string(),
            format!("there is no system {name:?}: use 2/1 or dutch")
        );
    }
    assert!(BuiltInRobots::new(["Dutch", "2/1"]).is_ok());
}
