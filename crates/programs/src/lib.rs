//! The command line of croupier: arguments, files, progress and exit codes, and nothing else.
//!
//! `dealer` is the drop-in program with the classic switches; `croupier` has a subcommand for every
//! other job. Both are thin: what they do lives in the library crates.

pub mod boards;
pub mod command;
pub mod dealer;
pub mod failure;
pub mod given;
pub mod interrupt;
pub mod layouts;
pub mod limits;
pub mod new_file;
pub mod progress;
pub mod record_file;
pub mod scripts;
pub mod sheet;
pub mod solver_memory;
pub mod system;
#[cfg(feature = "bidding")]
pub mod systems;
pub mod table;
pub mod threads;
pub mod whole_file;

/// Lets the user choose the kind of registers to compute with, by the environment variable `CROUPIER_CPU`. Results
/// are the same on every path, so this is for those who want to compare the paths.
///
/// # Errors
/// If the value is no path, or not one of this processor.
pub fn choose_processor_path() -> Result<(), failure::Failure> {
    let Some(value) = std::env::var_os(croupier::cpu::VARIABLE).filter(|value| !value.is_empty())
    else {
        return Ok(());
    };
    let wrong = |error: &dyn std::fmt::Display| {
        failure::Failure::usage(format!(
            "environment variable {}: {error}",
            croupier::cpu::VARIABLE
        ))
    };
    let path: croupier::cpu::Path = value
        .to_string_lossy()
        .parse()
        .map_err(|error: croupier::cpu::UnknownPath| wrong(&error))?;
    path.choose().map_err(|error| wrong(&error))
}

/// The name of a program without its folder: what links are told apart by.
pub fn program_name(program: &std::ffi::OsStr) -> String {
    std::path::Path::new(program)
        .file_name()
        .unwrap_or(program)
        .to_string_lossy()
        .into_owned()
}
