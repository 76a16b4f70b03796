//! The tests of `croupier-studies`: one program with a module for each feature.

#[path = "../common/mod.rs"]
mod common;
#[path = "../../../solver/tests/common/mod.rs"]
mod solver_data;

mod coverage;
mod plan;
mod repetitions;
mod tallies;
