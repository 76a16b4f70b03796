//! The tests of `croupier-shuffle`: one program with a module for each feature.

mod support;

mod generation;
mod legacy;
mod live_dealer;
mod parallel;
mod uniformity;
