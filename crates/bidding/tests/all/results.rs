//! Scores of auctions, the difference to par, and missed games and slams.

use cards::{Seat, TrickTable, Vulnerability};
use croupier_bidding::{Auction, BiddingSummary, BoardResult, Bonus};

/// Returns a table in which North-South take eleven tricks in spades and nine in notrump, and East-West make nothing.
fn table() -> TrickTable {
    let [ns, ew] = [[8, 8, 8, 11, 9], [5, 5, 5, 2, 4]];
    TrickTable::new([ns, ew, ns, ew]).unwrap()
}

fn result(auction: &str) -> BoardResult {
    let auction = Auction::parse(auction, Seat::North).unwrap();
    let par = solver::par(&table(), Vulnerability::NorthSouth).score;
    BoardResult::new(auction.declared(), &table(), Vulnerability::NorthSouth, par)
}

#[test]
fn contracts_are_scored_double_dummy_and_compared_with_par() {
    let game = result("1S-P-4S-P-P-P");
    assert_eq!((game.score, game.par, game.tricks), (650, 650, Some(11)));
    assert_eq!((game.to_par(), game.imps_to_par()), (0, 0));
    let partscore = result("1S-P-2S-P-P-P");
    assert_eq!(
        (partscore.score, partscore.to_par(), partscore.imps_to_par()),
        (200, -450, -10)
    );
    let out = result("P-P-P-P");
    assert_eq!((out.score, out.tricks, out.imps_to_par()), (0, None, -12));
    // East goes down five doubled, not vulnerable.
    let sacrifice = result("P-1H-X-P-P-P");
    assert_eq!((sacrifice.score, sacrifice.is_made()), (300, false));
    let slam = result("6S-P-P-P");
    assert_eq!((slam.score, slam.is_made()), (-100, false));
}

#[test]
fn summaries_count_contracts_and_missed_games() {
    let mut summary = BiddingSummary::default();
    for auction in [
        "1S-P-4S-P-P-P",
        "1S-P-P-P",
        "P-P-P-P",
        "6S-P-P-P",
        "P-3H-P-P-P",
    ] {
        summary.add(&result(auction), &table());
    }
    assert_eq!((summary.boards, summary.passed_out), (5, 1));
    assert_eq!((summary.reached, summary.made), ([2, 1, 1], [1, 1, 0]));
    assert_eq!((summary.missed_games, summary.missed_slams), (3, 0));
    assert!(summary.imps_to_par().value < 0.0 && summary.distance_to_par().value > 0.0);
}

#[test]
fn kinds_of_contracts_follow_their_bonus() {
    for (contract, kind) in [
        ("2N", Bonus::Partscore),
        ("3N", Bonus::Game),
        ("3S", Bonus::Partscore),
        ("4H", Bonus::Game),
        ("4D", Bonus::Partscore),
        ("5C", Bonus::Game),
        ("6C", Bonus::Slam),
        ("7N", Bonus::Slam),
    ] {
        assert_eq!(Bonus::of(contract.parse().unwrap()), kind, "{contract}");
    }
}
