//! The program `croupier`: arguments, files, progress and exit codes, and nothing else.
//!
//! It has a subcommand for every job. The program `dealer` is a separate crate, and `croupier deal` calls it. Both only read
//! their arguments and call the library crates.

pub mod boards;
pub mod command;
pub mod layouts;
pub mod principal;
pub mod robots;
pub mod sheet;
#[cfg(feature = "bidding")]
pub mod systems;
pub mod table;
pub mod values;

use command_line::{
    failure, given, interrupt, limits, new_file, progress, record_file, scripts, solver_memory,
    system, threads, whole_file,
};

/// The functions that `croupier deal` has and `dealer` has not.
pub const ADDITIONS: dealer::Additions = dealer::Additions {
    open_robots: robots::open,
    print_pages: Some(sheet::pages),
};
