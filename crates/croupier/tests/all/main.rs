//! The tests of `croupier`: one program with a module for each feature.

mod architecture;
mod examples;
mod registries;
mod root;
