//! The tests of `croupier-poker`: one program with a module for each feature.

mod common;
mod naive;

mod equity;
mod evaluate;
mod examples;
mod exhaustive;
mod frequencies;
mod games;
mod hand;
mod history;
mod indexer;
mod omaha_batch;
mod ranges;
mod simulation;
mod tables;
