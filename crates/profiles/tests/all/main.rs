//! The tests of seat profiles: one program with a module for each feature.

mod dealing;
mod files;
