//! Which parts of croupier the program `dealer` is made of.

use std::fs;

/// `weak-jump-overcall` is the name of a rule of the bidding robot.
#[test]
fn the_robot_is_not_in_dealer() {
    let bytes = fs::read(env!("CARGO_BIN_EXE_dealer")).unwrap();
    let rule = b"weak-jump-overcall";
    assert!(!bytes.windows(rule.len()).any(|window| window == rule));
}
