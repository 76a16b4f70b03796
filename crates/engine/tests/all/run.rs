//! Tests of the run loop: order, limits, threads, sources, errors.

use crate::common;

use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crate::common::{Builder, hcp};
use cards::{Seat, Suit};
use croupier_engine::{
    Batch, DealSource, Ended, FastSource, NoDeals, Options, ProducedDeal, RunDeals, RunError,
    SeriesSource, SourceError, Tally, TimeLimit, run,
};
use script::plan::{BinaryOp, Mode, Node};
use shuffle::{FastDealer, Key, Predeal, Stream, Swap};

/// A source that sets the cancel flag when the tenth block is requested.
struct Stopping<'a>(FastSource, &'a AtomicBool);

impl DealSource for Stopping<'_> {
    fn fill(&self, number: u64, batch: &mut Batch) {
        if number >= 10 {
            self.1.store(true, Ordering::Relaxed);
        }
        self.0.fill(number, batch);
    }

    fn random(&self) -> (Key, Stream) {
        self.0.random()
    }
}

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
    let plan = b.condition(both);
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
            let report = run(&plan, RunDeals::Blocks(&source()), &options, &mut NoDeals).unwrap();
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
            let with_deals = run(&plan, RunDeals::Blocks(&source()), &options, &mut sink).unwrap();
            assert_eq!(with_deals, report);
        }
    }
}

fn compiled(text: &str) -> script::plan::Plan {
    common::plan(Mode::Native, text)
}

#[test]
fn results_of_a_run_do_not_depend_on_threads_and_batch_size() {
    let scripts = [
        "condition hcp(north)>=12 and spades(south)>=4
         action printes(hcp(east),losers(west)), average cccc(north), frequency(hcp(south),3,12),
         frequency(hcp(south),0,20,hearts(south),0,6), bktfreq(cccc(south),0,2000,250)",
        "condition rnd(4)==1 and hcp(south)<10 action printoneline(rnd(1000)), average rnd(10)",
        "condition shape(north,any 7xxx) action average hcp(north)*hcp(south)*100000",
        "action frequency(hcp(north)-hcp(south),-5,5)",
        "condition 1000/(hcp(north)+1)>60 action printes(hcp(west)/(1+spades(west)))",
        "condition rnd(0)<300 action printes(rnd(0))",
    ];
    for text in scripts {
        let plan = compiled(text);
        let mut all = Vec::new();
        for (threads, batch) in [(1, 0), (2, 0), (7, 0), (3, 1), (2, 5)] {
            for (generate, produce) in [
                (20_000, u64::MAX),
                (1_000_000, 777),
                (1500, 5000),
                (1024, 1024),
            ] {
                let options = Options {
                    generate,
                    produce,
                    threads,
                    batch,
                    ..Options::default()
                };
                let mut deals = Vec::new();
                let mut sink = |deal: &ProducedDeal<'_>| {
                    deals.push((deal.index, deal.ordinal, deal.deal, deal.values(0).to_vec()));
                    ControlFlow::Continue(())
                };
                let with_deals =
                    run(&plan, RunDeals::Blocks(&source()), &options, &mut sink).unwrap();
                let without =
                    run(&plan, RunDeals::Blocks(&source()), &options, &mut NoDeals).unwrap();
                assert_eq!(with_deals, without, "{text}");
                all.push(((generate, produce), with_deals, deals));
            }
        }
        for run in &all {
            let first = all.iter().find(|other| other.0 == run.0).unwrap();
            assert_eq!(run, first, "{text}");
        }
    }
}

#[test]
fn limits_end_a_run_at_the_deal_where_a_sequential_one_would() {
    let plan = compiled("condition hcp(north)==10 action average 1");
    let dealer = FastDealer::new(Key::from_seed(1), &Predeal::NONE);
    let passing: Vec<u64> = (0..5000)
        .filter(|&number| valuation::hcp(dealer.deal(number)[Seat::North]) == 10)
        .collect();
    for threads in [1, 2] {
        let go = |generate: u64, produce: u64| {
            let options = Options {
                generate,
                produce,
                threads,
                ..Options::default()
            };
            let report = run(&plan, RunDeals::Blocks(&source()), &options, &mut NoDeals).unwrap();
            (report.generated, report.produced, report.ended)
        };
        for produce in [1, 2, 50, passing.len()] {
            assert_eq!(
                go(1 << 40, produce as u64),
                (passing[produce - 1] + 1, produce as u64, Ended::Produced)
            );
        }
        assert_eq!(
            go(5000, 1 << 40),
            (5000, passing.len() as u64, Ended::Generated)
        );
        assert_eq!(go(passing[7] + 1, 8), (passing[7] + 1, 8, Ended::Produced));
        assert_eq!(go(passing[7], 8), (passing[7], 7, Ended::Generated));
        assert_eq!(go(0, 8), (0, 0, Ended::Generated));
        assert_eq!(go(100, 0), (0, 0, Ended::Produced));
    }
}

#[test]
fn a_sink_a_flag_or_the_clock_can_stop_a_run() {
    let endless = Options {
        generate: u64::MAX,
        threads: 2,
        ..Options::default()
    };
    let plan = compiled("condition hcp(north)>=10 action printes(1)");
    let mut left = 3;
    let mut sink = |_: &ProducedDeal<'_>| {
        left -= 1;
        if left == 0 {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    };
    let report = run(&plan, RunDeals::Blocks(&source()), &endless, &mut sink).unwrap();
    assert_eq!((report.produced, report.ended), (3, Ended::Stopped));

    let never = compiled("condition hcp(north)>30 and hcp(south)>30 action average 1");
    let cancel = Arc::new(AtomicBool::new(false));
    let options = Options {
        cancel: Some(&cancel),
        ..endless.clone()
    };
    let stopping = Stopping(source(), &cancel);
    let report = run(&never, RunDeals::Blocks(&stopping), &options, &mut NoDeals).unwrap();
    assert_eq!((report.produced, report.ended), (0, Ended::Cancelled));
    assert!(report.generated > 0 && report.generated.is_multiple_of(1024));

    let soon = Duration::from_millis(30);
    for limit in [TimeLimit::Always(soon), TimeLimit::IfNothingProduced(soon)] {
        let options = Options {
            time_limit: Some(limit),
            ..endless.clone()
        };
        let report = run(&never, RunDeals::Blocks(&source()), &options, &mut NoDeals).unwrap();
        assert_eq!(report.ended, Ended::TimedOut);
    }
    // Deals were produced, so v1's limit does not apply.
    let limit = Some(TimeLimit::IfNothingProduced(Duration::ZERO));
    let options = Options {
        time_limit: limit,
        generate: 1_000_000,
        ..endless
    };
    let report = run(&plan, RunDeals::Blocks(&source()), &options, &mut NoDeals).unwrap();
    assert!(
        report.ended == Ended::TimedOut && report.produced == 0 || report.ended == Ended::Generated
    );
}

#[test]
fn swapped_deals_share_the_hands_of_their_base_deal() {
    let dealer = FastDealer::new(Key::from_seed(1), &Predeal::NONE);
    let plan = compiled("action printes(1)");
    for (swap, ways) in [(Swap::Two, 2), (Swap::Three, 6)] {
        let source = source().swapping(swap);
        let options = Options {
            generate: 3000,
            ..Options::default()
        };
        let mut seen = 0;
        let mut sink = |deal: &ProducedDeal<'_>| {
            let base = dealer.deal(deal.index / ways);
            assert_eq!(
                deal.deal,
                Swap::arrange(&base, (deal.index % ways) as usize)
            );
            seen += 1;
            ControlFlow::Continue(())
        };
        run(&plan, RunDeals::Blocks(&source), &options, &mut sink).unwrap();
        assert_eq!(seen, 3000);
    }
}

#[test]
fn a_list_of_deals_ends_the_run_and_its_errors_keep_their_place() {
    let dealer = FastDealer::new(Key::from_seed(1), &Predeal::NONE);
    let plan = compiled("condition hcp(north)>=10 action printes(hcp(north))");
    let expected: Vec<u64> = (0..2500)
        .filter(|&number| valuation::hcp(dealer.deal(number)[Seat::North]) >= 10)
        .collect();
    for threads in [1, 4] {
        for broken in [false, true] {
            let deals = (0..2500).map(|number| Ok(dealer.deal(number).into()));
            let end = broken.then(|| Err(SourceError::NotADeal("line 7: no such card".to_owned())));
            let source = SeriesSource::new(deals.chain(end));
            let options = Options {
                threads,
                ..Options::default()
            };
            let mut seen = Vec::new();
            let mut sink = |deal: &ProducedDeal<'_>| {
                seen.push(deal.index);
                ControlFlow::Continue(())
            };
            let result = run(&plan, RunDeals::Blocks(&source), &options, &mut sink);
            assert_eq!(seen, expected);
            match result {
                Ok(report) => {
                    assert!(!broken);
                    assert_eq!((report.generated, report.ended), (2500, Ended::Exhausted));
                }
                Err(error) => {
                    assert!(broken);
                    assert_eq!(
                        error,
                        RunError::Source(SourceError::NotADeal("line 7: no such card".to_owned()))
                    );
                }
            }
        }
    }
}

#[test]
fn a_division_by_zero_names_deal_and_place_and_comes_only_if_reached() {
    let text = "condition hcp(north)>=5 and 60/(hcp(north)-8)>0 action printes(1)";
    let plan = compiled(text);
    let dealer = FastDealer::new(Key::from_seed(1), &Predeal::NONE);
    let points = |number: u64| valuation::hcp(dealer.deal(number)[Seat::North]);
    let first = (0..).find(|&number| points(number) == 8).unwrap();
    let before = (0..first).filter(|&number| points(number) > 8).count() as u64;
    for threads in [1, 3] {
        let options = Options {
            threads,
            generate: 10_000,
            ..Options::default()
        };
        let mut seen = 0;
        let mut sink = |_: &ProducedDeal<'_>| {
            seen += 1;
            ControlFlow::Continue(())
        };
        let error = run(&plan, RunDeals::Blocks(&source()), &options, &mut sink).unwrap_err();
        let RunError::Evaluation {
            error,
            deal,
            span: Some(span),
            cards,
        } = error
        else {
            panic!()
        };
        assert_eq!(
            (error.code(), deal, seen),
            (Some("E801"), first + 1, before)
        );
        assert_eq!(cards, dealer.deal(first));
        assert_eq!(&text[span.start as usize..span.end as usize], "/");
        if before > 0 {
            // With enough deals before it the error is not reached.
            let options = Options {
                produce: before,
                ..options
            };
            assert!(run(&plan, RunDeals::Blocks(&source()), &options, &mut NoDeals).is_ok());
        }
    }
}

#[test]
fn explaining_counts_clauses_and_evaluates_a_deal() {
    let plan = compiled(
        "strong = hcp(north)>=15 condition strong and hearts(north)>=5 and hcp(north)<=17",
    );
    let options = Options::default();
    let sample = croupier_engine::sample_clauses(&plan, &source(), 2000, &options).unwrap();
    assert_eq!(sample.deals, 2000);
    let clauses = plan.clauses();
    assert_eq!(sample.clauses.len(), clauses.len());
    assert_eq!(sample.clauses[0].reached, 2000);
    for pair in sample.clauses.windows(2) {
        assert_eq!(pair[1].reached, pair[0].passed);
    }
    let run_options = Options {
        generate: 2000,
        ..options.clone()
    };
    let report = run(
        &plan,
        RunDeals::Blocks(&source()),
        &run_options,
        &mut NoDeals,
    )
    .unwrap();
    assert_eq!(sample.accepted(), report.produced);
    let dealer = FastDealer::new(Key::from_seed(1), &Predeal::NONE);
    let accepted = (0..2000)
        .filter(|&number| {
            croupier_engine::explain_deal(&plan, &dealer.deal(number), None, &options).is_accepted()
        })
        .count();
    assert_eq!(accepted as u64, report.produced);
}
