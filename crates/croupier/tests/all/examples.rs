//! The examples run.
#![cfg(feature = "scripts")]

#[path = "../../examples/probability.rs"]
mod probability;
#[path = "../../examples/run.rs"]
mod run;
#[path = "../../examples/shards.rs"]
mod shards;
#[cfg(feature = "solver")]
#[path = "../../examples/solve.rs"]
mod solve;

#[test]
fn a_script_gives_deals_values_and_tables() {
    run::main().unwrap();
}

#[test]
fn probabilities_are_counted() {
    probability::main().unwrap();
}

#[test]
fn parts_make_the_whole() {
    shards::main().unwrap();
}

#[cfg(feature = "solver")]
#[test]
fn a_deal_is_solved() {
    solve::main();
}
