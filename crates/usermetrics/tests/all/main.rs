//! The tests of `croupier-usermetrics`: one program with a module for each feature.

mod modules;
mod servers;
