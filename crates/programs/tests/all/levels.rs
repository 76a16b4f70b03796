//! Deals of several classes in given shares, several scripts in one run, and the order of the deals.

use std::fs;
use std::process::{Command, Output};

use crate::common::{dealer, dealer_path, err, out, refused};

/// A script with two classes of deals.
pub const LADDER: &str = "\
HandType_Low = hcp(south) <= 9
HandType_High = hcp(south) >= 10
produce 40
action printes(hcp(south), \\n)
";

fn numbers(output: &Output) -> Vec<i32> {
    assert!(output.status.success(), "{}", err(output));
    out(output)
        .lines()
        .filter_map(|line| line.parse().ok())
        .collect()
}

#[test]
fn interleaving_orders_what_was_dealt() {
    let plain = numbers(&dealer(&["-s", "1", "-v"], LADDER));
    let ordered = numbers(&dealer(&["-s", "1", "-v", "--interleave"], LADDER));
    let sorted = |mut list: Vec<i32>| {
        list.sort_unstable();
        list
    };
    assert_ne!(plain, ordered);
    assert_eq!(
        sorted(plain),
        sorted(ordered.clone()),
        "the same deals in another order"
    );
    // Each class is about equally frequent in both halves of the output.
    let high = |part: &[i32]| part.iter().filter(|&&points| points >= 10).count() as i32;
    assert!(
        (high(&ordered[..20]) - high(&ordered[20..])).abs() <= 1,
        "{ordered:?}"
    );
    let none = dealer(&["-s", "1", "--interleave"], "action printoneline");
    assert_eq!(none.status.code(), Some(1));
    assert!(err(&none).contains("HandType_"), "{}", err(&none));
}

#[test]
fn random_numbers_have_a_seed_of_their_own() {
    let script = "produce 30 action printes(hcp(north), \" \", rnd(1000), \\n)";
    let run = |more: &[&str]| {
        let text = out(&dealer(&[&["-s", "1", "-v"], more].concat(), script));
        let pair = |line: &str| {
            line.split_once(' ')
                .map(|(a, b)| (a.to_owned(), b.to_owned()))
        };
        text.lines()
            .filter_map(pair)
            .unzip::<String, String, Vec<_>, Vec<_>>()
    };
    let (hands, draws) = run(&[]);
    let (same_hands, other_draws) = run(&["--rnd-seed", "7"]);
    assert_eq!(hands.len(), 30);
    assert_eq!(hands, same_hands);
    assert_ne!(draws, other_draws);
    assert_eq!(run(&["--rnd-seed", "7"]).1, other_draws);
    assert_ne!(run(&["--rnd-seed", "8"]).1, other_draws);
}

#[test]
fn a_budget_keeps_rare_classes_rare() {
    let script = "HandType_Common = hcp(south) < 20\nHandType_Rare = hcp(south) >= 20\nproduce 200\n\
        action printes(hcp(south), \\n)\n";
    let rare = |switches: &[&str]| {
        let words = [&["-s", "1", "-v", "--level"], switches].concat();
        let points = numbers(&dealer(&words, script));
        assert_eq!(points.len(), 200);
        points.iter().filter(|&&points| points >= 20).count()
    };
    assert_eq!(rare(&[]), 100);
    // A strong hand is one in 68; a budget of five deals per kept deal allows about one in fourteen.
    let cheap = rare(&["--level-budget", "5"]);
    assert!((8..=20).contains(&cheap), "{cheap}");
    let none = dealer(&["--level", "--level-budget", "x"], script);
    refused(&none, 2, "--level-budget");
}

fn dealer_command() -> Command {
    let mut command = Command::new(dealer_path());
    command.env_remove("CROUPIER_COMPAT");
    command
}

#[test]
fn levelled_classes_and_mixed_scripts() {
    let script = "HandType_Weak = hcp(north) <= 5\nHandType_Strong = hcp(north) >= 20\nproduce 40 action printoneline(HandType_Strong)";
    let output = dealer(&["-s", "1", "--level"], script);
    assert_eq!(output.status.code(), Some(0), "{}", err(&output));
    let strong = out(&output)
        .lines()
        .filter(|line| line.starts_with("n ") && line.ends_with(" 1"))
        .count();
    assert_eq!(strong, 20);
    assert!(
        err(&output).contains("Strong") && err(&output).contains("50.00%"),
        "{}",
        err(&output)
    );
    let folder = tempfile::tempdir().unwrap();
    let leveled = folder.path().join("leveled.dl");
    let output = dealer(
        &[
            "-s",
            "1",
            "--level",
            "Weak=1,Strong=3",
            "--write-leveled",
            leveled.to_str().unwrap(),
        ],
        script,
    );
    let strong = out(&output)
        .lines()
        .filter(|line| line.starts_with("n ") && line.ends_with(" 1"))
        .count();
    assert_eq!(strong, 30);
    let checked = dealer_command()
        .args(["--compat", "v1", "--check"])
        .arg(&leveled)
        .output()
        .unwrap();
    assert_eq!(checked.status.code(), Some(0), "{}", err(&checked));
    let (a, b) = (folder.path().join("a.dl"), folder.path().join("b.dl"));
    fs::write(
        &a,
        "condition spades(north) >= 7 produce 30 action printoneline(spades(north) >= 7)",
    )
    .unwrap();
    fs::write(&b, "condition hearts(south) >= 7 and spades(north) < 7").unwrap();
    let output = dealer_command()
        .args(["-s", "1", "--mix", "2:1"])
        .args([&a, &b])
        .output()
        .unwrap();
    let first = out(&output)
        .lines()
        .filter(|line| line.starts_with("n ") && line.ends_with(" 1"))
        .count();
    assert_eq!(first, 20, "{}", err(&output));
}
