//! Comparison with an independent solver: Debian's libdds.

use crate::common::RandomDeals;
use crate::peer::Libdds;
use cards::{Seat, Strain};
use croupier_solver::Solver;

/// Compares tables of `deals` random deals, and for each the leads and a target in one strain.
fn agree(name: &str, seed: u64, deals: usize) {
    let mut libdds = Libdds::start(name);
    let mut solver = Solver::new();
    for (i, deal) in RandomDeals(seed).take(deals).enumerate() {
        assert_eq!(solver.table(&deal), libdds.table(&deal), "{deal}");
        let (declarer, strain) = (Seat::from_index(i), Strain::from_index(i % 5));
        let leads = solver.leads(&deal, declarer, strain);
        assert_eq!(
            leads.by_card(),
            libdds.leads(&deal, declarer, strain),
            "{deal}"
        );
        let target = (i % 13 + 1) as u8;
        let answer = libdds.at_least(&deal, declarer, strain, target);
        assert_eq!(
            solver.at_least(&deal, declarer, strain, target),
            answer,
            "{deal}"
        );
        let tricks = libdds.tricks(&deal, declarer, strain);
        assert_eq!(solver.tricks(&deal, declarer, strain), tricks, "{deal}");
    }
}

#[test]
fn libdds_agrees_on_twenty_deals() {
    agree("libdds-20", 1, 20);
}

#[test]
#[ignore = "about five minutes; run by ./check --long"]
fn long_libdds_agrees_on_500_deals() {
    agree("libdds-500", 500, 500);
}
