//! Compares the classic generators, with conditions and random numbers, with the reference programs.

use std::collections::HashMap;
use std::ops::ControlFlow;

use crate::common::{plan, rows};
use cards::Deal;
use croupier_engine::{Options, ProducedDeal, Report, RunDeals, run};
use script::plan::{Mode, Plan};
use shuffle::legacy::{LegacyDealer, V1, V2, V2Start, Variant};
use shuffle::{Predeal, Swap};

fn dealer(mode: Mode, seed: i64) -> Box<dyn LegacyDealer + Send> {
    match mode {
        Mode::V2 => Box::new(V2::new(V2Start::from_seed(seed), Swap::Off)),
        _ => Box::new(V1::new(Variant::Debian, seed, &Predeal::NONE, Swap::Off)),
    }
}

/// A produced deal: its number among the generated ones, its cards, the values of the first action.
type Produced = (u64, Deal, Vec<i32>);

fn produce(plan: &Plan, seed: i64, options: &Options<'_>) -> (Report, Vec<Produced>) {
    let mut produced = Vec::new();
    let mut sink = |deal: &ProducedDeal<'_>| {
        produced.push((deal.index, deal.deal, deal.values(0).to_vec()));
        ControlFlow::Continue(())
    };
    let mut dealer = dealer(plan.mode, seed);
    let report = run(plan, RunDeals::Classic(&mut *dealer), options, &mut sink).unwrap();
    (report, produced)
}

#[test]
fn accepted_deals_are_those_of_the_reference() {
    let conditions: HashMap<String, String> = rows("legacy/accept-conditions.csv")
        .into_iter()
        .map(|row| (row["cond"].clone(), row["text"].clone()))
        .collect();
    for (mode, name) in [(Mode::V1, "v1"), (Mode::V2, "v2")] {
        let deals = rows(&format!("legacy/{name}-accept.csv"));
        let summaries = rows(&format!("legacy/{name}-accept-summary.csv"));
        assert_eq!((deals.len(), summaries.len()), (600, 120));
        for summary in &summaries {
            let plan = plan(mode, &format!("condition {}", conditions[&summary["cond"]]));
            let options = Options {
                generate: 600,
                produce: 600,
                threads: 2,
                ..Options::default()
            };
            let (report, produced) = produce(&plan, summary["seed"].parse().unwrap(), &options);
            assert_eq!(report.generated.to_string(), summary["generated"]);
            assert_eq!(report.produced.to_string(), summary["produced"]);
            let same_run = |row: &&HashMap<String, String>| {
                row["seed"] == summary["seed"] && row["cond"] == summary["cond"]
            };
            for row in deals.iter().filter(same_run) {
                let (index, deal, _) =
                    &produced[row["produced_index"].parse::<usize>().unwrap() - 1];
                assert_eq!(deal.to_string(), row["deal"]);
                assert_eq!((index + 1).to_string(), row["generated_index"]);
            }
        }
    }
}

#[test]
fn random_numbers_of_actions_come_from_the_stream_of_the_deals() {
    for (mode, name) in [(Mode::V1, "v1"), (Mode::V2, "v2")] {
        let rows = rows(&format!("legacy/{name}-rnd.csv"));
        assert_eq!(rows.len(), 200);
        let plan = plan(mode, "action printes(rnd(100),rnd(2147483647),rnd(rnd(9)))");
        for row in &rows {
            let index: u64 = row["index"].parse().unwrap();
            let options = Options {
                produce: index,
                ..Options::default()
            };
            let (_, produced) = produce(&plan, row["seed"].parse().unwrap(), &options);
            let (_, deal, values) = produced.last().unwrap();
            assert_eq!(deal.to_string(), row["deal"]);
            let values: Vec<String> = values.iter().map(i32::to_string).collect();
            let expected = ["rnd100", "rnd2147483647", "rnd_rnd9"].map(|name| row[name].clone());
            assert_eq!(values, expected, "{name} seed {} deal {index}", row["seed"]);
        }
    }
}

#[test]
fn random_numbers_of_conditions_shift_the_deals() {
    let rows = rows("legacy/rnd-condition.csv");
    assert_eq!(rows.len(), 40);
    for row in &rows {
        let mode = if row["version"] == "v1" {
            Mode::V1
        } else {
            Mode::V2
        };
        let plan = plan(mode, "condition hcp(north)>=10 and rnd(3)==1");
        let options = Options {
            generate: 200,
            produce: 200,
            ..Options::default()
        };
        let (report, produced) = produce(&plan, row["seed"].parse().unwrap(), &options);
        assert_eq!(report.produced.to_string(), row["produced"]);
        assert_eq!(produced.first().unwrap().1.to_string(), row["first"]);
        assert_eq!(produced.last().unwrap().1.to_string(), row["last"]);
    }
}

#[test]
fn opc_in_a_condition_sorts_hands_of_dealerv2_even_when_the_deal_is_rejected() {
    let options = Options {
        generate: 40,
        ..Options::default()
    };
    let run = |text: &str| produce(&plan(Mode::V2, text), 1, &options).1;
    let plain = run("condition hcp(north) > 40 or hcp(south) >= 0");
    let with_opc = run("condition opc(NS) >= 0");
    // Every deal is accepted, so DealerV2 sorts its hands with and without `opc`.
    assert_eq!(plain, with_opc);
    let rare = "spades(north) > 5";
    let without = run(&format!("condition {rare}"));
    let sorted = run(&format!("condition opc(NS) >= 0 and {rare}"));
    assert_ne!(without, sorted);
}

/// One thread deals one by one, several deal in runs: the deals, their numbers and their values must be equal.
#[test]
fn threads_do_not_change_classic_deals() {
    let fixed: Predeal = "north SAK,H2 west DQJT9".parse().unwrap();
    let start = V2Start::from_seed(7);
    type Maker<'a> = &'a dyn Fn() -> Box<dyn LegacyDealer + Send>;
    let dealers: [(Mode, Maker<'_>); 4] = [
        (Mode::V1, &|| {
            Box::new(V1::new(Variant::Debian, 7, &Predeal::NONE, Swap::Off))
        }),
        (Mode::V1, &|| {
            Box::new(V1::new(Variant::Debian, 7, &fixed, Swap::Three))
        }),
        (Mode::Exe, &|| {
            Box::new(V1::new(Variant::Upstream, 7, &fixed, Swap::Off))
        }),
        (Mode::V2, &|| Box::new(V2::with_predeal(start, &fixed))),
    ];
    for (mode, make) in dealers {
        let plan = plan(mode, "condition hcp(south) >= 15 and hearts(east) <= 3");
        let with_threads = |threads: usize| {
            let mut produced = Vec::new();
            let mut sink = |deal: &ProducedDeal<'_>| {
                produced.push((deal.index, deal.deal));
                ControlFlow::Continue(())
            };
            let options = Options {
                generate: 20_000,
                produce: 1_000,
                threads,
                ..Options::default()
            };
            let report = run(&plan, RunDeals::Classic(&mut *make()), &options, &mut sink).unwrap();
            (report.generated, produced)
        };
        let alone = with_threads(1);
        assert!(alone.1.len() > 100);
        for threads in [2, 3, 8] {
            assert_eq!(with_threads(threads), alone, "{mode:?}, {threads} threads");
        }
    }
}
