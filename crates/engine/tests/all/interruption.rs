//! Time limits and the cancel flag end every kind of run, also during the evaluation of a deal.

use std::fmt::Write as _;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crate::common::plan;
use croupier_engine::{
    ChancesError, Ended, FastSource, NoDeals, Options, ProducedDeal, Report, RunDeals, Tally,
    TimeLimit, run,
};
use script::plan::{Mode, Plan};
use shuffle::legacy::{LegacyDealer, V1, V2, V2Start, Variant};
use shuffle::{FastDealer, Key, Predeal, Swap};

/// Far longer than an interrupted run takes on a busy machine, and far shorter than an uninterrupted one.
const SOON: Duration = Duration::from_secs(30);
const LIMIT: Duration = Duration::from_millis(200);

fn source() -> FastSource {
    FastSource::new(FastDealer::new(Key::from_seed(1), &Predeal::NONE))
}

/// Returns variables each of which uses the one before twice: 2^levels draws for the last one.
fn doubling(levels: usize, rest: &str) -> String {
    let mut text = String::from("a0 = rnd(9)\n");
    for level in 1..=levels {
        let _ = writeln!(text, "a{level} = a{0} + a{0}", level - 1);
    }
    text + &rest.replace("LAST", &format!("a{levels}"))
}

fn within(threads: usize) -> Options<'static> {
    Options {
        generate: u64::MAX / 2,
        threads,
        time_limit: Some(TimeLimit::Always(LIMIT)),
        ..Options::default()
    }
}

#[track_caller]
fn timed_out(plan: &Plan, deals: RunDeals<'_>, options: &Options<'_>) -> Report {
    let began = Instant::now();
    let report = run(plan, deals, options, &mut NoDeals).unwrap();
    assert_eq!(report.ended, Ended::TimedOut);
    assert!(began.elapsed() < SOON, "{:?}", began.elapsed());
    report
}

#[test]
fn an_endless_deal_is_interrupted_on_any_number_of_threads() {
    for rest in [
        "condition LAST > 3",
        "action average LAST",
        "condition rnd(100) > 90 action average 100 / (LAST + 1), average hcp(north)",
        "condition tricks(north, spades) > 0 and LAST > 3",
        "action printes(rnd(0)), average LAST",
    ] {
        for levels in [59, 5_000] {
            let plan = plan(Mode::Native, &doubling(levels, rest));
            for threads in [1, 3] {
                timed_out(&plan, RunDeals::Blocks(&source()), &within(threads));
            }
        }
    }
}

#[test]
fn classic_generators_are_interrupted_too() {
    let text = doubling(59, "condition LAST > 3 action average hcp(north)");
    let mut v2: Box<dyn LegacyDealer + Send> = Box::new(V2::new(V2Start::from_seed(1), Swap::Off));
    timed_out(
        &plan(Mode::V2, &text),
        RunDeals::Classic(&mut *v2),
        &within(1),
    );
    let mut v1: Box<dyn LegacyDealer + Send> =
        Box::new(V1::new(Variant::Debian, 1, &Predeal::NONE, Swap::Off));
    let options = Options {
        time_limit: Some(TimeLimit::IfNothingProduced(LIMIT)),
        ..within(1)
    };
    timed_out(
        &plan(Mode::V1, &text),
        RunDeals::Classic(&mut *v1),
        &options,
    );
}

#[test]
fn deals_that_are_solved_one_after_the_other_end_in_time() {
    let text = "action printrpt(rnd(0), trix(deal)), average tricks(north, hearts) + rnd(0)";
    let plan = plan(Mode::Native, text);
    let options = Options {
        solve: true,
        ..within(1)
    };
    let mut seen = 0;
    let mut sink = |_: &ProducedDeal<'_>| {
        seen += 1;
        std::ops::ControlFlow::Continue(())
    };
    let began = Instant::now();
    let report = run(&plan, RunDeals::Blocks(&source()), &options, &mut sink).unwrap();
    assert!(began.elapsed() < SOON, "{:?}", began.elapsed());
    assert_eq!((report.ended, report.produced), (Ended::TimedOut, seen));
    assert!(seen < 1024, "{seen}");
}

#[test]
fn cancelling_ends_a_deal() {
    let cancel = Arc::new(AtomicBool::new(false));
    let plan = plan(Mode::Native, &doubling(59, "condition LAST > 3"));
    std::thread::scope(|scope| {
        let flag = &cancel;
        scope.spawn(move || {
            std::thread::sleep(LIMIT);
            flag.store(true, Ordering::Relaxed);
        });
        let options = Options {
            time_limit: None,
            cancel: Some(&cancel),
            ..within(2)
        };
        let report = run(&plan, RunDeals::Blocks(&source()), &options, &mut NoDeals).unwrap();
        assert_eq!(report.ended, Ended::Cancelled);
    });
}

#[test]
fn tallies_hold_exactly_the_produced_deals() {
    // A few deals are evaluated per millisecond, so the run ends in the middle of a block.
    let text = doubling(
        16,
        "condition hcp(north) > 9 action average LAST, average 1",
    );
    let plan = plan(Mode::Native, &text);
    for threads in [1, 4] {
        let report = timed_out(&plan, RunDeals::Blocks(&source()), &within(threads));
        assert!(report.generated > 0);
        for tally in &report.tallies {
            let Some(Tally::Average(moments)) = tally else {
                panic!("{tally:?}");
            };
            assert_eq!(moments.count, report.produced);
        }
    }
}

#[test]
fn values_of_an_interrupted_run_are_those_of_a_run_to_the_same_deal() {
    let text = doubling(16, "action average LAST");
    let plan = plan(Mode::Native, &text);
    let report = timed_out(&plan, RunDeals::Blocks(&source()), &within(4));
    let options = Options {
        generate: report.generated,
        time_limit: None,
        ..within(1)
    };
    let again = run(&plan, RunDeals::Blocks(&source()), &options, &mut NoDeals).unwrap();
    assert_eq!(again.tallies, report.tallies);
}

#[test]
fn probabilities_samples_and_explanations_are_interrupted() {
    for levels in [59, 5_000] {
        let plan = plan(Mode::Native, &doubling(levels, "condition LAST > 3"));
        let began = Instant::now();
        let key = Key::from_seed(1);
        let chances = croupier_engine::chances(&plan, &within(1), &key, 1_000_000);
        assert_eq!(chances, Err(ChancesError::Stopped));
        let sample = croupier_engine::sample_clauses(&plan, &source(), 1000, &within(1)).unwrap();
        assert_eq!((sample.deals, sample.accepted()), (0, 0));
        // Without randomness every variable is evaluated once per deal.
        let deal = FastDealer::new(key, &Predeal::NONE).deal(0);
        let explained = croupier_engine::explain_deal(&plan, &deal, None, &Options::default());
        assert!(explained.variables.iter().all(|it| it.value == Ok(0)));
        assert!(began.elapsed() < SOON, "{:?}", began.elapsed());
    }
}

/// Tens of thousands of actions, which need more values than a block can hold, get the values that a few actions get.
#[test]
fn tens_of_thousands_of_averages_are_those_of_a_few() {
    let mut many = String::from("condition hcp(north) > 15 action average hcp(south)");
    for number in 1..5_000 {
        let _ = write!(many, ", average hcp(south) + {number}");
    }
    let options = Options {
        generate: 3_000,
        ..Options::default()
    };
    let report = |text: &str| {
        let plan = plan(Mode::Native, text);
        run(&plan, RunDeals::Blocks(&source()), &options, &mut NoDeals).unwrap()
    };
    let few =
        report("condition hcp(north) > 15 action average hcp(south), average hcp(south) + 4999");
    let many = report(&many);
    assert_eq!(
        (many.produced, many.generated),
        (few.produced, few.generated)
    );
    assert_eq!(many.tallies.first(), few.tallies.first());
    assert_eq!(many.tallies.last(), few.tallies.last());
}
