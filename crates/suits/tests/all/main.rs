//! The tests of `croupier-suits`: one program with a module for each feature.

mod common;

mod book;
mod brute_force;
mod printed;
mod properties;
mod replay;
mod vectors;
