//! Which parts of croupier the program `dealer` is made of.

use std::fs;

use crate::common::dealer;

#[test]
fn scripts_that_need_a_robot_are_refused() {
    let script = "condition hcp(north) > 3 and bids(\"1N\")";
    let output = dealer(&["-s", "1"], script);
    let error = String::from_utf8(output.stderr).unwrap();
    assert_eq!(
        error,
        "dealer: standard input:1:30: the auctions of deals need bidding robots: `dealer` is built without them; `croupier deal` has them and the same switches\n"
    );
    assert_eq!(output.status.code(), Some(1));
    let named = dealer(&["--bidding-system", "2/1"], "condition 1");
    let error = String::from_utf8(named.stderr).unwrap();
    assert_eq!(error.lines().count(), 1, "{error}");
    assert!(error.starts_with(
        "dealer: --bidding-system: bidding robots are needed: `dealer` is built without them"
    ));
    assert_eq!(named.status.code(), Some(2));
}

/// `weak-jump-overcall` is the name of a rule of the bidding robot.
#[test]
fn the_robot_is_not_in_dealer() {
    let bytes = fs::read(env!("CARGO_BIN_EXE_dealer")).unwrap();
    let rule = b"weak-jump-overcall";
    assert!(!bytes.windows(rule.len()).any(|window| window == rule));
}
