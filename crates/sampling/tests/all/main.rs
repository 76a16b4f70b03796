//! The tests of `croupier-sampling`: one program with a module for each feature.

#[path = "../language/mod.rs"]
mod language;

mod blocks;
mod counts;
mod covered_conditions;
mod distribution;
mod small_spaces;
