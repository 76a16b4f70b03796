//! The program `croupier`: arguments, files, progress and exit codes, and nothing else.
//!
//! It has a subcommand for every job; the program `dealer` is a crate of its own, and `croupier deal` calls it. Both
//! are thin: what they do lives in the library crates.

pub mod boards;
pub mod command;
pub mod layouts;
pub mod sheet;
#[cfg(feature = "bidding")]
pub mod systems;
pub mod table;

use command_line::{
    failure, given, interrupt, limits, new_file, progress, record_file, scripts, solver_memory,
    system, threads, whole_file,
};
