//! Tests of `croupier bench`.

use std::process::{Command, Output};

fn bench(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_croupier"))
        .args(["bench", "--time", "0.001", "--threads", "2"])
        .args(arguments)
        .output()
        .expect("the program runs")
}

/// The checksum of the first million deals. A changed number would change the results of every seed.
#[test]
fn the_first_million_deals_of_seed_one_have_the_pinned_checksum() {
    let output = bench(&[]);
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    assert!(
        text.contains("first million deals of seed 1: 56dfa56da71c7a55"),
        "{text}"
    );
    for generator in [
        "native",
        "tournament",
        "v1",
        "v1-upstream",
        "v2",
        "striking",
        "Fisher-Yates",
    ] {
        assert!(text.contains(generator), "{generator} is missing: {text}");
    }
}

#[test]
fn the_table_can_be_read_by_programs() {
    let csv = bench(&["--format", "csv"]);
    let csv = String::from_utf8_lossy(&csv.stdout).into_owned();
    let columns = csv.lines().next().unwrap_or_default().split(',').count();
    assert_eq!(columns, 7);
    assert!(csv.contains("56dfa56da71c7a55"));
    let json = bench(&["--format", "json"]);
    let json = String::from_utf8_lossy(&json.stdout).into_owned();
    assert!(
        json.starts_with("[\n  {\"generator\": \"native\""),
        "{json}"
    );
}

#[test]
fn the_classic_dealer_runs_alongside() {
    let installed = "/usr/games/dealer";
    assert!(
        std::path::Path::new(installed).exists(),
        "this test compares with the classic program: install the Debian package dealer"
    );
    let output = bench(&["--peer", installed, "--format", "csv"]);
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(text.contains("peer: /usr/games/dealer,,1,"), "{text}");
}

#[test]
fn a_peer_that_is_no_dealer_and_a_senseless_time_are_refused() {
    let output = bench(&["--peer", "no-such-program"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).contains("--peer no-such-program"));
    let output = Command::new(env!("CARGO_BIN_EXE_croupier"))
        .args(["bench", "--time=0"])
        .output()
        .expect("the program runs");
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("--time: expected seconds"));
}
