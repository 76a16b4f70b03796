//! Functions of a deal's auction.

use croupier_script::plan::{AuctionQuery, Mode, Node, Plan, SideOrSeat};

use crate::common::compile_in;

fn plan(text: &str) -> Plan {
    match compile_in(Mode::Native, text) {
        Ok((plan, _)) => plan,
        Err(errors) => panic!("{text}\n{}", errors[0].render()),
    }
}

fn query(text: &str) -> AuctionQuery {
    let plan = plan(&format!("condition {text}"));
    match plan.node(plan.condition.unwrap()) {
        Node::Auction(query) => query.clone(),
        other => panic!("{text}: {other:?}"),
    }
}

fn error(text: &str) -> String {
    let errors = compile_in(Mode::Native, text).map(|_| ()).expect_err(text);
    format!("{} {}", errors[0].code, errors[0].message)
}

#[test]
fn functions_of_auctions_are_read() {
    let calls = "P*-1N--2C--?".parse().unwrap();
    assert_eq!(
        query("bids(\"P* 1NT pass 2C P any\")"),
        AuctionQuery::Bids(calls)
    );
    assert_eq!(query("contract()"), AuctionQuery::Contract);
    let four_spades = "4S".parse().unwrap();
    assert_eq!(
        query("contract(x4S)"),
        AuctionQuery::IsContract(four_spades)
    );
    assert_eq!(query("declarer()"), AuctionQuery::Declarer);
    let south = SideOrSeat::Seat(cards::Seat::South);
    assert_eq!(query("declarer(south)"), AuctionQuery::IsDeclarer(south));
    let east_west = cards::Side::EastWest;
    assert_eq!(
        query("declarer(EW)"),
        AuctionQuery::IsDeclarer(SideOrSeat::Side(east_west))
    );
    assert_eq!(query("score(EW)"), AuctionQuery::Score(east_west));
    assert!(!plan("condition score(vul, x3N, 9) == 600").uses_auctions());
}

#[test]
fn expressions_with_auctions_are_written_as_they_are_read() {
    for text in [
        "bids(\"P*-1N-P-?\")",
        "contract()",
        "contract(x4S)",
        "declarer()",
        "declarer(NS)",
        "score(NS)",
    ] {
        let read = plan(&format!("condition {text}"));
        assert_eq!(read.expression(read.condition.unwrap()), text);
    }
}

#[test]
fn wrong_auctions_are_reported() {
    assert_eq!(
        error("condition bids(\"2C-2C\")"),
        "E306 no auction begins so: call 2, \"2C\": a bid must be higher than 2C"
    );
    assert_eq!(
        error("condition bids(\"P*-1N-4Z\")"),
        "E306 no auction begins so: call 3, \"4Z\": not a call; write for example P, X, XX, 1C or 3N"
    );
    let missing = error("condition bids(1)");
    assert!(
        missing.contains("is not an auction in quotes, such as \"1N-P-2C\""),
        "{missing}"
    );
    assert!(error("condition contract(hearts)").contains("is not a contract"));
    assert!(error("condition declarer(hearts)").contains("is not a side (NS or EW) or a compass"));
}

#[test]
fn scripts_may_use_the_names_for_variables() {
    let read =
        plan("bids = hcp(north)\ncontract = 3\ndeclarer = 2\ncondition bids > contract + declarer");
    assert!(!read.uses_auctions());
    let (classic, _) =
        compile_in(Mode::V1, "contract = 3 condition hcp(north) > contract").unwrap();
    assert!(!classic.uses_auctions());
}
