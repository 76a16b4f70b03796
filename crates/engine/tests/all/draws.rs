//! Compares `rnd` in columns with the scalar machine, deal by deal and value by value.

use crate::common;

use std::ops::ControlFlow;

use croupier_engine::{
    AverageSums, DealFacts, FastSource, Machine, NoDeals, Options, PreparedPlan, ProducedDeal,
    Program, Randomness, RunDeals, Tally, run,
};
use proptest::prelude::*;
use script::plan::{Mode, NodeId, Plan};
use shuffle::{DealRandom, FastDealer, Key, Predeal, RandomWords, ShufflePath};

const DEALS: u64 = 2100;

/// Generates random values, alone and in sums; `x` and `y` are variables that draw at each use.
fn drawn() -> BoxedStrategy<String> {
    let limit = prop_oneof![
        6 => 1i32..200,
        1 => -50i32..-1,
        1 => prop::sample::select(vec![i32::MAX, 40_000, 70_000, 2_000_000_000]),
    ];
    let leaf = prop_oneof![
        4 => limit.prop_map(|n| format!("rnd({n})")),
        2 => Just("x".to_owned()),
        1 => Just("y".to_owned()),
        1 => Just("hcp(north)".to_owned()),
        1 => Just("opc(NS)".to_owned()),
        1 => (-3i32..20).prop_map(|n| format!("({n})")),
    ];
    leaf.prop_recursive(4, 16, 2, |inner| {
        let operator = prop::sample::select(vec!["+", "-", "*", "<", "==", ">="]);
        prop_oneof![
            8 => (inner.clone(), operator, inner.clone()).prop_map(|(a, o, b)| format!("({a} {o} {b})")),
            1 => inner.clone().prop_map(|a| format!("(not {a})")),
            1 => inner.clone().prop_map(|a| format!("(-{a})")),
            1 => inner.clone().prop_map(|a| format!("abs({a})")),
            1 => inner.clone().prop_map(|a| format!("imps({a})")),
            1 => inner.prop_map(|a| format!("score(vul,x4S,{a})")),
        ]
    })
    .boxed()
}

/// Generates random values, sometimes with a part that must be left to the machine.
fn value() -> BoxedStrategy<String> {
    prop_oneof![
        12 => drawn(),
        1 => (drawn(), drawn()).prop_map(|(a, b)| format!("({a} and {b})")),
        1 => (drawn(), drawn(), drawn()).prop_map(|(a, b, c)| format!("({a} ? {b} : {c})")),
        1 => Just("rnd(hcp(south) + 1)".to_owned()),
        1 => Just("rnd(rnd(9) + 1)".to_owned()),
    ]
    .boxed()
}

struct Draws(DealRandom);

impl Randomness for Draws {
    fn draw(&mut self, n: i32) -> i32 {
        self.0.rnd(i64::from(n)) as i32
    }
}

/// Returns the deals that satisfy the condition, with all values of the actions.
fn by_machine(plan: &Plan, dealer: &FastDealer) -> Vec<(u64, Vec<i32>)> {
    let options = Options::default();
    let prepared = PreparedPlan::new(plan, &options);
    let mut values: Vec<NodeId> = Vec::new();
    for action in &plan.actions {
        action.for_each_value(|node| values.push(node));
    }
    let roots = plan.condition.into_iter().chain(values.iter().copied());
    let program = Program::new(plan, roots);
    let mut machine = Machine::new(&prepared, &program);
    let mut found = Vec::new();
    for number in 0..DEALS {
        let mut random = Draws(DealRandom::new(dealer.key(), number));
        machine.set_deal(dealer.deal(number), DealFacts::new(), number, 0);
        let condition = plan.condition;
        if condition.is_none_or(|node| machine.evaluate(node, &mut random).unwrap() != 0) {
            let values = values.iter();
            let row = values.map(|&node| machine.evaluate(node, &mut random).unwrap());
            found.push((number, row.collect()));
        }
    }
    found
}

fn check(text: &str, seed: u64) {
    let plan = common::plan(Mode::Native, text);
    let dealer = FastDealer::new(Key::from_seed(seed), &Predeal::NONE);
    let expected = by_machine(&plan, &dealer);
    let mut average = AverageSums::default();
    expected.iter().for_each(|(_, row)| average.add(row[2]));
    for (threads, path) in [
        (1, ShufflePath::fastest()),
        (3, ShufflePath::fastest()),
        (1, ShufflePath::Portable),
    ] {
        let source = FastSource::new(dealer.clone());
        let options = Options {
            generate: DEALS,
            threads,
            path,
            ..Options::default()
        };
        let mut found = Vec::new();
        let mut sink = |deal: &ProducedDeal<'_>| {
            found.push((deal.index, deal.all_values().to_vec()));
            ControlFlow::Continue(())
        };
        let report = run(&plan, RunDeals::Blocks(&source), &options, &mut sink).unwrap();
        assert_eq!(found, expected, "{text}");
        let alone = run(&plan, RunDeals::Blocks(&source), &options, &mut NoDeals).unwrap();
        assert_eq!(report.tallies, alone.tallies, "{text}");
        assert_eq!(report.tallies[1], Some(Tally::Average(average)), "{text}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 80, ..ProptestConfig::default() })]

    #[test]
    fn columns_draw_what_the_machine_draws(
        condition in prop::sample::select(vec![
            "1", "hcp(north) > 9", "hcp(north) + hcp(south) > 27", "rnd(3) > 0 and hcp(south) > 5",
        ]),
        values in prop::collection::vec(value(), 4),
        seed: u64,
    ) {
        let text = format!(
            "x = rnd(6)\ny = x + hcp(east) + x\ncondition {condition}\n\
             action printes({}, {}), average {}, frequency({}, 0, 10)",
            values[0], values[1], values[2], values[3],
        );
        check(&text, seed);
    }
}

#[test]
fn one_draw_of_every_deal_and_of_few_deals() {
    for condition in ["1", "spades(north) > 3", "hcp(north) > 20"] {
        for value in ["rnd(100)", "rnd(-7)", "rnd(2147483647) + 3 * hcp(west)"] {
            let text = format!(
                "condition {condition}\naction printes(1, 2), average {value}, average hcp(east)"
            );
            check(&text, 5);
        }
    }
}

/// A variable that is used twice draws twice, one after the other, for any user.
#[test]
fn a_variable_draws_each_time_it_is_named() {
    let text = "x = rnd(1000)\ny = x - x\naction printes(x, y), average y, average x + x";
    check(text, 11);
}
