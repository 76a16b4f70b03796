//! The run loop end to end, on plans built by hand.

mod common;

use std::ops::ControlFlow;

use cards::{Seat, Suit};
use common::{Builder, hcp};
use engine::{Deals, FastSource, NoDeals, Options, ProducedDeal, Tally, run};
use script::plan::{BinaryOp, Mode, Node};
use shuffle::{FastDealer, Key, Predeal};

fn source() -> FastSource {
    FastSource::new(FastDealer::new(Key::from_seed(1), &Predeal::NONE))
}

#[test]
fn averages_and_counts_are_those_of_a_plain_loop_for_any_number_of_threads() {
    let mut b = Builder::new(Mode::Native);
    let (points, spades) = (
        b.add(hcp(Seat::North)),
        b.add(Node::Length(Seat::South, Suit::Spades)),
    );
    let (fifteen, four) = (b.number(15), b.number(4));
    let strong = b.binary(BinaryOp::GreaterEqual, points, fifteen);
    let long = b.binary(BinaryOp::GreaterEqual, spades, four);
    let both = b.and([strong, long]);
    b.average(spades);
    b.average(points);
    let plan = b.condition(both).plan;
    let dealer = FastDealer::new(Key::from_seed(1), &Predeal::NONE);
    let (generate, produce) = (100_000u64, 3000u64);
    let mut expected = (0, 0, 0i128, 0i128);
    for number in 0..generate {
        let deal = dealer.deal(number);
        let (p, s) = (
            valuation::hcp(deal[Seat::North]),
            deal[Seat::South].holding(Suit::Spades).len(),
        );
        expected.0 += 1;
        if p >= 15 && s >= 4 {
            expected.1 += 1;
            expected.2 += s as i128;
            expected.3 += i128::from(p);
            if expected.1 == produce {
                break;
            }
        }
    }
    for threads in [1, 2, 7] {
        for limit in [produce, u64::MAX] {
            let options = Options {
                generate,
                produce: limit,
                threads,
                ..Options::default()
            };
            let report = run(&plan, Deals::Blocks(&source()), &options, &mut NoDeals).unwrap();
            if limit == produce {
                assert_eq!(
                    (report.generated, report.produced),
                    (expected.0, expected.1)
                );
                let sums: Vec<i128> = report
                    .tallies
                    .iter()
                    .map(|t| match t {
                        Some(Tally::Average(a)) => a.sum,
                        _ => panic!("an average"),
                    })
                    .collect();
                assert_eq!(sums, [expected.2, expected.3]);
            } else {
                assert_eq!(report.generated, generate);
            }
            let mut last = 0;
            let mut seen = 0;
            let mut sink = |deal: &ProducedDeal<'_>| {
                assert!(deal.index >= last);
                last = deal.index + 1;
                seen += 1;
                assert_eq!(deal.ordinal, seen);
                assert_eq!(deal.deal, dealer.deal(deal.index));
                ControlFlow::Continue(())
            };
            let with_deals = run(&plan, Deals::Blocks(&source()), &options, &mut sink).unwrap();
            assert_eq!(with_deals, report);
        }
    }
}
