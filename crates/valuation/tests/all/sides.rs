//! Properties of the valuations of every deal.

use cards::{CardSet, Deal, Seat, Side, Suit};
use croupier_valuation::{
    CountTables, FourCs, FourCsVersion, HandPair, OpcParts, PointTable, cccc, controls, hcp,
    losers, ltc, metrics, opc, suit_controls, suit_hcp, suit_losers, suit_ltc,
};
use proptest::prelude::*;

fn any_deal() -> impl Strategy<Value = Deal> {
    Just((0u8..52).collect::<Vec<_>>())
        .prop_shuffle()
        .prop_map(|pack| {
            let hand = |seat: usize| {
                CardSet(
                    pack[13 * seat..][..13]
                        .iter()
                        .fold(0, |set, &card| set | 1 << card),
                )
            };
            Deal::new([0, 1, 2, 3].map(hand)).unwrap()
        })
}

/// Returns deals with long suits: a nearly sorted pack, cut at random places.
fn any_wild_deal() -> impl Strategy<Value = Deal> {
    (
        proptest::collection::vec((0usize..52, 0usize..52), 0..12),
        0usize..52,
    )
        .prop_map(|(swaps, cut)| {
            let mut pack: Vec<u8> = (0..52).collect();
            pack.rotate_left(cut);
            for (a, b) in swaps {
                pack.swap(a, b);
            }
            let hand = |seat: usize| {
                CardSet(
                    pack[13 * seat..][..13]
                        .iter()
                        .fold(0, |set, &card| set | 1 << card),
                )
            };
            Deal::new([0, 1, 2, 3].map(hand)).unwrap()
        })
}

fn deals() -> impl Strategy<Value = Deal> {
    prop_oneof![any_deal(), any_wild_deal()]
}

proptest! {
    #[test]
    fn a_hand_is_the_sum_of_its_suits(deal in deals()) {
        for seat in Seat::ALL {
            let hand = deal.hand(seat);
            let sum = |of: fn(cards::Holding) -> i32| -> i32 {
                Suit::ALL.iter().map(|&suit| of(hand.holding(suit))).sum()
            };
            prop_assert_eq!(hcp(hand), sum(suit_hcp));
            prop_assert_eq!(hcp(hand), PointTable::HCP.hand(hand));
            prop_assert_eq!(controls(hand), sum(suit_controls));
            prop_assert_eq!(losers(hand), sum(suit_losers));
            prop_assert_eq!(ltc(hand), sum(suit_ltc));
            for dialect in [FourCsVersion::V1, FourCsVersion::V2] {
                let parts = FourCs::of(hand, dialect);
                let total = parts.honours.total() + parts.quality.total() + parts.shape;
                prop_assert_eq!(parts.total, cccc(hand, dialect));
                prop_assert!(parts.total == total || total < 0 && parts.total == 0);
            }
        }
    }

    #[test]
    fn a_side_is_valued_the_same_wherever_it_sits(deal in deals()) {
        // One seat clockwise: North's cards go to East, South's to West.
        let turned = deal.rotated(1);
        let turned = if turned.hand(Seat::East) == deal.hand(Seat::North) { turned } else { deal.rotated(3) };
        for metric in metrics::list() {
            let here = metrics::evaluate(metric.tag, &deal, Side::NorthSouth);
            let there = metrics::evaluate(metric.tag, &turned, Side::EastWest);
            prop_assert_eq!(here, there);
        }
        let here = opc(&HandPair::of(&deal, Side::NorthSouth, Seat::North));
        let there = opc(&HandPair::of(&turned, Side::EastWest, Seat::East));
        prop_assert_eq!(here, there);
    }

    #[test]
    fn metrics_use_the_cards_of_their_side_only(deal in deals()) {
        let other = deal.swapped(Seat::East, Seat::West);
        for metric in metrics::list() {
            prop_assert_eq!(
                metrics::evaluate(metric.tag, &deal, Side::NorthSouth),
                metrics::evaluate(metric.tag, &other, Side::NorthSouth)
            );
        }
    }

    #[test]
    fn no_table_makes_a_metric_fail(deal in deals(), values in proptest::collection::vec(any::<i32>(), 13)) {
        let table = PointTable::from_top(&values).unwrap();
        let tables = CountTables { hcp: table, counts: [table; 10] };
        for metric in metrics::list() {
            for side in Side::ALL {
                prop_assert!(metrics::evaluate_with(metric.tag, &deal, side, &tables).is_ok());
            }
        }
    }

    #[test]
    fn optimal_points_are_halves_and_follow_from_their_parts(deal in deals()) {
        for opener in [Seat::North, Seat::South] {
            let parts = OpcParts::of(&HandPair::of(&deal, Side::NorthSouth, opener));
            let dfit = |suit| parts.south_west.dfit[suit] + parts.north_east.dfit[suit];
            for suit in Suit::ALL {
                prop_assert_eq!(parts.opc.suits[suit], parts.base + parts.no_waste + dfit(suit));
                prop_assert_eq!(parts.opc.suits[suit] % 50, 0);
            }
            prop_assert!(parts.opc.notrump <= parts.base);
            let most = Suit::ALL.into_iter().map(|suit| fit(&deal, suit)).max();
            prop_assert_eq!(Some(fit(&deal, parts.opc.longest_fit)), most);
        }
    }
}

fn fit(deal: &Deal, suit: Suit) -> usize {
    deal.hand(Seat::North).holding(suit).len() + deal.hand(Seat::South).holding(suit).len()
}

#[test]
fn redefined_counts_reach_the_metrics_that_count_by_them() {
    let deal: Deal = "N:AQ963.K.KJ752.84 2.QT984.AQT.AKJ5 KT74.AJ65.8.Q732 J85.732.9643.T96"
        .parse()
        .unwrap();
    let value = |tag, tables: &CountTables| {
        metrics::evaluate_with(tag, &deal, Side::NorthSouth, tables).unwrap()[0]
    };
    let doubled = CountTables {
        hcp: PointTable::from_top(&[8, 6, 4, 2]).unwrap(),
        ..CountTables::STANDARD
    };
    // Karpin uses the redefined high card points; Bissell and Kaplan-Rubens use the cards themselves.
    assert_eq!(value(5, &doubled) - value(5, &CountTables::STANDARD), 23);
    for tag in [1, 7, 23] {
        assert_eq!(value(tag, &doubled), value(tag, &CountTables::STANDARD));
    }
}
