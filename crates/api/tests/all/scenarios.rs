//! The bundled scenarios are complete, have no errors, and are as frequent as the index states.

use croupier_api::check::{Check, check};
use croupier_api::library::scenarios;
use croupier_api::odds::probability;
use croupier_api::words::Nothing;
use croupier_api::{RequestLimits, answer};

#[test]
fn every_scenario_is_listed_described_and_without_fault() {
    let list = scenarios(Nothing {}, &RequestLimits::default())
        .unwrap()
        .scenarios;
    assert!(list.len() >= 40, "{}", list.len());
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../scenarios");
    let files = std::fs::read_dir(folder).unwrap().flatten();
    let scripts = files.filter(|it| it.path().extension().is_some_and(|e| e == "dl"));
    assert_eq!(
        scripts.count(),
        list.len(),
        "scenarios/measure brings the index up to date"
    );
    for it in list {
        assert!(
            !it.title.is_empty() && it.description.len() > 20,
            "{}",
            it.name
        );
        assert_ne!(it.group, "Other", "{}", it.name);
        let ask = Check {
            script: it.script,
            ..Check::default()
        };
        let found = check(ask, &RequestLimits::default()).unwrap();
        assert!(
            found.diagnostics.is_empty(),
            "{}: {:?}",
            it.name,
            found.diagnostics
        );
    }
}

#[test]
fn the_frequencies_of_the_index_are_right() {
    let limits = RequestLimits {
        samples: 60_000,
        exact_work: 0.0,
        ..RequestLimits::default()
    };
    let list = scenarios(Nothing {}, &limits).unwrap().scenarios;
    let mut exact = 0;
    for it in list {
        let known = it.frequency.unwrap();
        let ask = Check {
            script: it.script,
            ..Check::default()
        };
        let found = probability(ask, &limits).unwrap();
        assert_eq!(found.exact, known.exact, "{}", it.name);
        if known.exact {
            assert_eq!(found.fraction, known.fraction, "{}", it.name);
            exact += 1;
        } else {
            // Both values are estimates. With four times the interval a correct index practically never fails.
            let room = 4.0 * (found.high - found.low);
            assert!(
                (found.probability - known.probability).abs() < room,
                "{}",
                it.name
            );
        }
    }
    assert!(exact >= 40, "{exact} are counted");
}

#[test]
fn scenarios_can_be_imported_and_nothing_else() {
    let script = r#"{"script":"import \"scenarios/stayman\""}"#;
    let found = answer("check", script, &RequestLimits::default()).unwrap();
    assert!(
        found.contains("\"diagnostics\":[]") && found.contains("opening"),
        "{found}"
    );
    for path in [
        "/etc/hostname",
        "../Cargo.toml",
        "scenarios/../../Cargo.toml",
        "nothing",
    ] {
        let script = format!(r#"{{"script":"import \"{path}\""}}"#);
        let found = answer("check", &script, &RequestLimits::default()).unwrap();
        assert!(found.contains("only bundled scenarios"), "{found}");
    }
}
