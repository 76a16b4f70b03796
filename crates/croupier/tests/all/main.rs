//! The tests of `croupier`: one program with a module for each feature.

mod architecture;
mod examples;
mod names;
mod registries;
mod root;
