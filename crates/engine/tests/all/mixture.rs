//! Levelled classes and mixed scripts.

use croupier_engine::mixture::{self, Component};
use croupier_engine::{Options, SamplerUse};
use script::plan::Plan;
use script::{CompileOptions, ScriptSource, compile};
use shuffle::Key;

fn plan(text: &str) -> Plan {
    let source = ScriptSource::new("test.dl", text);
    compile(&source, &CompileOptions::default())
        .unwrap_or_else(|e| panic!("{e:?}"))
        .0
}

const OPENINGS: &str = "
    balanced = shape(north, any 4333 + any 4432 + any 5332)
    HandType_Weak = balanced && hcp(north) >= 12 && hcp(north) <= 14
    HandType_Strong = balanced && hcp(north) >= 15 && hcp(north) <= 17
    HandType_Huge = balanced && hcp(north) >= 24
    condition spades(south) >= 3";

fn kinds(plan: &Plan, shares: &[u64]) -> Vec<Component> {
    mixture::classes(plan)
        .into_iter()
        .zip(shares)
        .map(|((name, node), &share)| Component {
            name,
            share,
            plan: plan.clone().narrowed(node),
        })
        .collect()
}

#[test]
fn rare_classes_occur_in_their_shares() {
    let plan = plan(OPENINGS);
    let kinds = kinds(&plan, &[1, 1, 2]);
    assert_eq!(
        kinds.iter().map(|k| k.name.as_str()).collect::<Vec<_>>(),
        ["Weak", "Strong", "Huge"]
    );
    let key = Key::from_seed(5);
    let order = mixture::by_share(&key, &[1, 1, 2], 400);
    let options = Options::default();
    let mixed = mixture::mix(&kinds, &order, &key, SamplerUse::Auto, &options).unwrap();
    assert_eq!(mixed.deals.len(), 400);
    let huge = mixed.deals.iter().filter(|(kind, _)| *kind == 2).count();
    assert!(
        (160..=240).contains(&huge),
        "half of 400, standard deviation 10: {huge}"
    );
    let classes: Vec<_> = mixture::classes(&plan)
        .into_iter()
        .map(|(_, node)| vec![node])
        .collect();
    assert_eq!(
        mixture::overlaps(&plan, &classes, &mixed.deals, &options),
        [0, 0, 0]
    );
    // No deal occurs twice.
    let mut deals: Vec<_> = mixed.deals.iter().map(|(_, deal)| *deal).collect();
    deals.sort_unstable();
    deals.dedup();
    assert_eq!(deals.len(), 400);
}

#[test]
fn the_number_of_threads_changes_nothing() {
    let plan = plan(OPENINGS);
    let kinds = kinds(&plan, &[3, 2, 1]);
    let key = Key::from_seed(9);
    let order = mixture::by_share(&key, &[3, 2, 1], 100);
    let with = |threads| {
        let options = Options {
            threads,
            ..Options::default()
        };
        mixture::mix(&kinds, &order, &key, SamplerUse::Auto, &options)
            .unwrap()
            .deals
    };
    assert_eq!(with(1), with(2));
    assert_eq!(with(1), with(7));
}

#[test]
fn overlapping_classes_are_counted() {
    let plan = plan("HandType_A = hcp(north) >= 10  HandType_B = spades(north) >= 4");
    let kinds = kinds(&plan, &[1, 1]);
    let key = Key::from_seed(1);
    let options = Options::default();
    let mixed = mixture::mix(
        &kinds,
        &mixture::evenly(&key, &[1, 1], 200),
        &key,
        SamplerUse::Off,
        &options,
    )
    .unwrap();
    let classes: Vec<_> = mixture::classes(&plan)
        .into_iter()
        .map(|(_, node)| vec![node])
        .collect();
    let counts = mixture::overlaps(&plan, &classes, &mixed.deals, &options);
    assert!(counts.iter().all(|&n| n > 20 && n < 100), "{counts:?}");
}

#[test]
fn an_impossible_class_is_reported_by_name() {
    let plan = plan("HandType_No = hcp(north) >= 38  HandType_Yes = hcp(north) < 38");
    let kinds = kinds(&plan, &[1, 1]);
    let key = Key::from_seed(1);
    let options = Options {
        generate: 100_000,
        ..Options::default()
    };
    let error = mixture::mix(
        &kinds,
        &mixture::evenly(&key, &[1, 1], 10),
        &key,
        SamplerUse::Auto,
        &options,
    );
    assert!(
        error
            .unwrap_err()
            .to_string()
            .starts_with("No: found 0 of the 5 deals needed")
    );
}

#[test]
fn an_even_order_has_no_clusters() {
    let order = mixture::evenly(&Key::from_seed(3), &[2, 1], 300);
    assert!(
        order
            .chunks(3)
            .all(|window| window.iter().filter(|&&kind| kind == 0).count() == 2)
    );
    assert!(order.chunks(3).any(|window| window != [0, 0, 1]));
}

#[test]
fn keep_rates_lead_to_the_shares() {
    // A class twice as frequent as its target is kept half as often.
    assert_eq!(
        mixture::keep_rates(&[0.2, 0.1], &[1, 1]),
        [500_000, 1_000_000]
    );
    assert_eq!(
        mixture::keep_rates(&[0.2, 0.1], &[2, 1]),
        [1_000_000, 1_000_000]
    );
}

#[test]
fn a_shuffled_order_has_the_shares_and_no_pattern() {
    let key = Key::from_seed(3);
    let order = mixture::shuffled(&key, &[1, 1], 10_000);
    assert_eq!(order.iter().filter(|&&kind| kind == 0).count(), 5_000);
    // With rounds of two deals, the second component would follow from the first. Here only half of the pairs hold both
    // components, within 5 standard deviations of 25.
    let mixed = order.chunks(2).filter(|pair| pair[0] != pair[1]).count();
    assert!((2_375..=2_625).contains(&mixed), "{mixed}");
    // All positions are equivalent: in a quarter of 4,000 keys the first deal belongs to the component with share 1 of
    // 4.
    let first = (0..4_000).filter(|&seed| {
        let order = mixture::shuffled(&Key::from_seed(seed), &[1, 3], 8);
        assert_eq!(order.iter().filter(|&&kind| kind == 0).count(), 2);
        order[0] == 0
    });
    let first = first.count();
    assert!((860..=1_140).contains(&first), "{first}");
    // The deal that remains after rounding goes to either component.
    let extra = (0..400).filter(|&seed| {
        let order = mixture::shuffled(&Key::from_seed(seed), &[1, 1], 3);
        order.iter().filter(|&&kind| kind == 0).count() == 2
    });
    let extra = extra.count();
    assert!((150..=250).contains(&extra), "{extra}");
}

#[test]
fn targets_hold_where_a_cell_is_impossible() {
    let shares = mixture::fitted(&[1, 1], &[1, 1, 2], &[true, true, true, false, true, true]);
    let shares = shares.expect("the shares can be fitted");
    assert_eq!(shares[3], 0);
    let total: u64 = shares.iter().sum();
    let near = |sum: u64, wanted: f64| (sum as f64 / total as f64 - wanted).abs() < 0.001;
    assert!(near(shares[..3].iter().sum(), 0.5) && near(shares[2] + shares[5], 0.5));
    assert!(near(shares[0] + shares[3], 0.25), "{shares:?}");
    // Half of the deals cannot come from a column whose share is a quarter.
    assert_eq!(
        mixture::fitted(&[1, 1], &[1, 3], &[true, false, true, true]),
        None
    );
}
