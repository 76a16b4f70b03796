//! The command line of croupier: arguments, files, progress and exit codes, and nothing else.
//!
//! `dealer` is the drop-in program with the classic switches; `croupier` has a subcommand for every
//! other job. Both are thin: what they do lives in the library crates.

pub mod command;
pub mod failure;
pub mod layouts;
pub mod progress;
pub mod table;
