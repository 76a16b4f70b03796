//! Compares columns with the scalar machine, on random expressions and random deals.

use std::ops::ControlFlow;

use crate::common::plan;
use croupier_engine::reference::{Found, one_by_one};
use croupier_engine::{FastSource, Options, ProducedDeal, RunDeals, RunError, Tally, run};
use proptest::prelude::*;
use script::plan::{Action, Mode, Plan};
use shuffle::{FastDealer, Key, Predeal, ShufflePath};

/// Generates expressions that can neither fail nor draw.
fn pure() -> BoxedStrategy<String> {
    let seat = prop::sample::select(vec!["north", "east", "south", "west"]);
    let suit = prop::sample::select(vec!["clubs", "diamonds", "hearts", "spades"]);
    let shapes = prop::sample::select(vec![
        "any 4333 + any 4432 + any 5332",
        "5xxx - any 5440",
        "x4x4",
        "any 6xxx + 7222",
    ]);
    let function = prop::sample::select(vec![
        "hcp", "controls", "losers", "aces", "top3", "tens", "c13", "pt8", "ltc",
    ]);
    let leaf = prop_oneof![
        3 => (-20i32..60).prop_map(|n| format!("({n})")),
        1 => prop::sample::select(vec!["1000", "40000", "2147483647", "(0-2147483647-1)", "70000"])
            .prop_map(str::to_owned),
        4 => (function.clone(), seat.clone()).prop_map(|(f, s)| format!("{f}({s})")),
        2 => (function, seat.clone(), suit.clone()).prop_map(|(f, s, u)| format!("{f}({s},{u})")),
        4 => (suit.clone(), seat.clone()).prop_map(|(u, s)| format!("{u}({s})")),
        1 => (seat.clone(), suit.clone()).prop_map(|(s, u)| format!("quality({s},{u})")),
        1 => seat.clone().prop_map(|s| format!("cccc({s})")),
        1 => (seat.clone(), prop::sample::select(vec!["clubs", "spades", "notrump"]))
            .prop_map(|(s, u)| format!("estimate({s},{u})")),
        1 => prop::sample::select(vec![
            "opc(NS)", "opc(EW,spades)", "opc(NS,notrump)", "metric(zar,NS)", "metric(zar,NS,notrump)",
            "metric(goren,east)", "metric(knr,EW)", "metric(hcpt050,south)", "usereval(40,NS,17)",
            "usereval(12,EW,126)", "usereval(14,south,3)",
        ])
        .prop_map(str::to_owned),
        2 => (seat.clone(), shapes).prop_map(|(s, list)| format!("shape({s},{list})")),
        2 => (seat, prop::sample::select(vec!["AS", "2C", "TH", "KD"]))
            .prop_map(|(s, c)| format!("hascard({s},{c})")),
    ];
    leaf.prop_recursive(4, 24, 3, |inner| {
        let operator = prop::sample::select(vec![
            "+", "-", "*", "==", "!=", "<", "<=", ">", ">=", "and", "or", "+", "and", ">=",
        ]);
        prop_oneof![
            8 => (inner.clone(), operator, inner.clone()).prop_map(|(a, o, b)| format!("({a} {o} {b})")),
            1 => inner.clone().prop_map(|a| format!("(not {a})")),
            1 => inner.clone().prop_map(|a| format!("(-{a})")),
            2 => (inner.clone(), inner.clone(), inner.clone())
                .prop_map(|(a, b, c)| format!("({a} ? {b} : {c})")),
            1 => (inner.clone(), prop::sample::select(vec!["/7", "%5", "/-3", "%100", "/1000"]))
                .prop_map(|(a, d)| format!("({a}{d})")),
            1 => inner.clone().prop_map(|a| format!("imps({a})")),
            1 => inner.prop_map(|a| format!("score(vul,x4S,{a})")),
        ]
    })
    .boxed()
}

/// Generates expressions that include divisions by any value and random numbers.
fn any_expression() -> BoxedStrategy<String> {
    pure()
        .prop_recursive(2, 8, 2, |inner| {
            prop_oneof![
                2 => (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("({a} / {b})")),
                2 => (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("({a} and {b})")),
                1 => (inner.clone(), 1i32..9).prop_map(|(a, n)| format!("({a} + rnd({n}))")),
                1 => (inner.clone(), inner).prop_map(|(a, b)| format!("({a} or {b})")),
            ]
        })
        .boxed()
}

const DEALS: u64 = 2500;

/// Evaluates one deal after the other on the scalar machine.
fn by_machine(plan: &Plan, dealer: &FastDealer) -> Found {
    let Some(Action::PrintOneLine(Some(value))) = plan.actions.first() else {
        panic!("printoneline")
    };
    one_by_one(plan, *value, dealer, DEALS)
}

fn by_run(plan: &Plan, dealer: &FastDealer, threads: usize, path: ShufflePath) -> Found {
    let source = FastSource::new(dealer.clone());
    let options = Options {
        generate: DEALS,
        threads,
        path,
        ..Options::default()
    };
    let mut found = Vec::new();
    let mut sink = |deal: &ProducedDeal<'_>| {
        found.push((deal.index, deal.values(0)[0]));
        ControlFlow::Continue(())
    };
    match run(plan, RunDeals::Blocks(&source), &options, &mut sink) {
        Ok(report) => {
            assert_eq!(report.generated, DEALS);
            assert_eq!(report.produced, found.len() as u64);
            check_average(report.tallies[1].as_ref(), &found);
            Ok(found)
        }
        Err(RunError::Evaluation { error, deal, .. }) => Err((deal, error.code())),
        Err(error) => panic!("{error}"),
    }
}

fn check_average(tally: Option<&Tally>, found: &[(u64, i32)]) {
    let Some(Tally::Average(average)) = tally else {
        panic!("an average")
    };
    let sum: i128 = found.iter().map(|&(_, value)| i128::from(value)).sum();
    let squares: u128 = found
        .iter()
        .map(|&(_, value)| u128::from(value.unsigned_abs()).pow(2))
        .sum();
    assert_eq!((average.sum, average.squares), (sum, squares));
}

/// Returns averages collected by the workers themselves, without deals.
fn collected(plan: &Plan, dealer: &FastDealer, path: ShufflePath) -> Option<Tally> {
    let source = FastSource::new(dealer.clone());
    let options = Options {
        generate: DEALS,
        threads: 1,
        path,
        ..Options::default()
    };
    let report = run(
        plan,
        RunDeals::Blocks(&source),
        &options,
        &mut croupier_engine::NoDeals,
    )
    .ok()?;
    report.tallies[1].clone()
}

fn compile(condition: &str, value: &str) -> Option<Plan> {
    let text = format!("condition {condition}\naction printoneline({value}), average {value}");
    let options = script::CompileOptions::default();
    // A constant that always fails is refused before dealing.
    script::compile(
        &script::ScriptSource::new("random", text.as_str()),
        &options,
    )
    .ok()
    .map(|(plan, _)| plan)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, ..ProptestConfig::default() })]

    #[test]
    fn columns_and_machine_agree(condition in pure(), value in pure(), seed: u64) {
        let Some(plan) = compile(&condition, &value) else { return Ok(()) };
        let dealer = FastDealer::new(Key::from_seed(seed), &Predeal::NONE);
        let expected = by_machine(&plan, &dealer);
        for path in [ShufflePath::fastest(), ShufflePath::Portable] {
            prop_assert_eq!(&by_run(&plan, &dealer, 1, path), &expected);
            if let Ok(found) = &expected {
                check_average(collected(&plan, &dealer, path).as_ref(), found);
            }
        }
        prop_assert_eq!(&by_run(&plan, &dealer, 3, ShufflePath::fastest()), &expected);
    }

    #[test]
    fn errors_and_draws_are_those_of_a_run_deal_by_deal(
        a in any_expression(),
        b in any_expression(),
        c in any_expression(),
        value in any_expression(),
        seed: u64,
    ) {
        let Some(mut plan) = compile(&format!("{a} and {b} and {c}"), &value) else { return Ok(()) };
        // The average would draw random numbers again.
        plan.retain_actions(|action| matches!(action, Action::PrintOneLine(_)));
        let dealer = FastDealer::new(Key::from_seed(seed), &Predeal::NONE);
        let expected = by_machine(&plan, &dealer);
        for threads in [1, 3] {
            let source = FastSource::new(dealer.clone());
            let options = Options { generate: DEALS, threads, ..Options::default() };
            let mut found = Vec::new();
            let mut sink = |deal: &ProducedDeal<'_>| {
                found.push((deal.index, deal.values(0)[0]));
                ControlFlow::Continue(())
            };
            let got: Found = match run(&plan, RunDeals::Blocks(&source), &options, &mut sink) {
                Ok(_) => Ok(found),
                Err(RunError::Evaluation { error, deal, .. }) => Err((deal, error.code())),
                Err(error) => panic!("{error}"),
            };
            prop_assert_eq!(&got, &expected);
        }
    }
}

/// Call counts must not depend on how far threads work ahead.
#[test]
fn call_counts_do_not_depend_on_the_number_of_threads() {
    let text = "condition metric(zar,NS) >= 50 and hcp(north) > 9 and opc(NS) > 2000 and hearts(south) > 2\n\
                action average opc(NS) + metric(goren,NS), average metric(goren,EW)";
    let plan = plan(Mode::Native, text);
    let source = FastSource::new(FastDealer::new(Key::from_seed(5), &Predeal::NONE));
    let reports = [1, 2, 5].map(|threads| {
        let options = Options {
            generate: 20_000,
            threads,
            ..Options::default()
        };
        run(
            &plan,
            RunDeals::Blocks(&source),
            &options,
            &mut croupier_engine::NoDeals,
        )
        .unwrap()
    });
    let calls = reports[0].calls;
    assert!(reports.iter().all(|report| report.calls == calls));
    // Zar points are evaluated for the deals that pass the test of cards, `opc` for those that pass the Zar test. Each
    // produced deal makes three more calls, one of them cached.
    assert_eq!(calls.user.computed, calls.user.made);
    assert_eq!(calls.opc.made - calls.opc.computed, reports[0].produced);
    assert!(calls.opc.computed > reports[0].produced && calls.opc.computed < 5000);
}

#[test]
fn a_condition_of_a_hundred_thousand_terms_is_evaluated_quickly() {
    let term = "hcp(north)+hearts(south)-1+".repeat(30_000);
    let text = format!("condition ({term}0)%2==0\naction average ({term}0)");
    let plan = plan(Mode::Native, &text);
    let source = FastSource::new(FastDealer::new(Key::from_seed(3), &Predeal::NONE));
    let options = Options {
        generate: 200,
        threads: 1,
        ..Options::default()
    };
    let report = run(
        &plan,
        RunDeals::Blocks(&source),
        &options,
        &mut croupier_engine::NoDeals,
    )
    .unwrap();
    // The sum counts 30,000 times whether a number is even.
    assert_eq!((report.generated, report.produced), (200, 200));
}
