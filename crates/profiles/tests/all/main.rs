//! The tests of seat profiles: one program with a module a feature.

mod dealing;
mod files;
