//! The command line of croupier: arguments, files, progress and exit codes, and nothing else.
//!
//! `dealer` is the drop-in program with the classic switches; `croupier` has a subcommand for every
//! other job. Both are thin: what they do lives in the library crates.

pub mod command;
pub mod dealer;
pub mod failure;
pub mod layouts;
pub mod progress;
pub mod table;

/// The name of a program without its folder: what links are told apart by.
pub fn program_name(program: &std::ffi::OsStr) -> String {
    std::path::Path::new(program)
        .file_name()
        .unwrap_or(program)
        .to_string_lossy()
        .into_owned()
}
