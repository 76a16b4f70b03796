//! Tests of `croupier probability`.

use std::process::{Command, Output};

use crate::common::feed;

fn croupier(arguments: &[&str], script: &str) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_croupier"));
    feed(command.arg("probability").args(arguments), script)
}

fn text(output: &Output) -> String {
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    String::from_utf8(output.stdout.clone()).unwrap()
}

#[test]
fn the_strong_notrump_is_exact() {
    let example = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/one-notrump.dl");
    let answer = text(&croupier(&[example], ""));
    let first = answer.lines().next().unwrap();
    assert_eq!(
        first,
        "30,897,212,184 of 635,013,559,600 hands, 4.865598807600643 %"
    );
    assert!(answer.contains("one deal in 20.55"), "{answer}");
}

#[test]
fn json_has_integers_as_strings() {
    let answer = text(&croupier(
        &["-", "--format", "json"],
        "condition spades(north) >= 5",
    ));
    let value: serde_json::Value = serde_json::from_str(&answer).unwrap();
    assert_eq!(value["count"], "111975893420");
    assert_eq!(value["out_of"], "635013559600");
    assert_eq!(value["exact"], true);
    let probability = value["probability"].as_f64().unwrap();
    assert!((probability - 0.176_336_224_206_825_58).abs() < 1e-15);
}

/// The counts of a condition and of its negation add up to all deals: sums over four seats, and negations over two.
#[test]
fn four_seats_and_negations_of_two_are_exact() {
    let count = |condition: &str| {
        let script = format!("condition {condition}");
        let answer = text(&croupier(&["-", "--format", "json"], &script));
        let value: serde_json::Value = serde_json::from_str(&answer).unwrap();
        assert_eq!(value["exact"], true, "{condition}");
        let number = |name: &str| value[name].as_str().unwrap().parse::<u128>().unwrap();
        (number("count"), number("out_of"))
    };
    for condition in [
        "spades(north) + spades(south) - hearts(east) - hearts(west) > 4",
        "spades(north) + spades(south) + hearts(east) + hearts(west) == 13",
        "hcp(north) >= 12 and hcp(south) >= 12",
        "spades(north) == 4 and hcp(south) < 6",
    ] {
        let (holds, all) = count(condition);
        let (fails, again) = count(&format!("not ({condition})"));
        assert!(0 < holds && holds < all, "{condition}");
        assert_eq!((holds + fails, all), (all, again), "{condition}");
    }
}

#[test]
fn conditions_that_cannot_be_counted_have_an_interval() {
    let script = "condition spades(north) >= 5 and cccc(north) >= 1500";
    let answer = text(&croupier(
        &["-", "--format", "json", "--samples", "5000"],
        script,
    ));
    let value: serde_json::Value = serde_json::from_str(&answer).unwrap();
    assert_eq!(value["exact"], false);
    let number = |name: &str| value[name].as_f64().unwrap();
    assert!(number("low") < number("probability") && number("probability") < number("high"));
    assert!(number("high") < number("upper_bound"));
    assert_eq!(value["tried"], 5000);
}

#[test]
fn tables_add_up_to_one() {
    let script = "condition hcp(north) >= 20\naction frequency \"aces\" (aces(north), 0, 4)";
    let answer = text(&croupier(&["-", "--format", "csv"], script));
    let cells: f64 = answer
        .lines()
        .skip_while(|line| !line.starts_with("action,"))
        .skip(1)
        .filter_map(|line| line.rsplit(',').next()?.parse::<f64>().ok())
        .sum();
    assert!((cells - 1.0).abs() < 1e-12, "{answer}");
}

#[test]
fn mistakes_and_missing_files_are_reported() {
    let output = croupier(&["-"], "condition hpc(north) >= 20");
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).contains("hcp"));
    let output = croupier(&["no-such-file.dl"], "");
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("no-such-file.dl"));
}
