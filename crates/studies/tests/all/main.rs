//! The tests of `croupier-studies`: one program with a module for each feature.

#[path = "../common/mod.rs"]
mod common;
#[path = "../../../solver/tests/common/mod.rs"]
mod solver_data;
// The module above belongs to the tests of the solver, which use its own name.
extern crate solver as croupier_solver;

mod coverage;
mod plan;
mod repetitions;
mod tallies;
