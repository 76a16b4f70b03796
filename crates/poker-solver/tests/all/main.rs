//! The tests of `croupier-poker-solver`: one program with a module for each feature.

mod naive;

mod postflop;
mod push;
mod toy_games;
