//! Parts that the programs `dealer` and `croupier` share: failures and exit codes, signals, limits, files, progress.

pub mod checkpoint_file;
pub mod failure;
pub mod given;
pub mod interrupt;
pub mod limits;
pub mod new_file;
pub mod progress;
pub mod record_file;
mod rounded;
pub mod scripts;
pub mod solver_memory;
pub mod system;
pub mod threads;
pub mod whole_file;

pub use rounded::rounded;

/// Lets the user choose the kind of registers to compute with, by the environment variable `CROUPIER_CPU`. Results are
/// the same on every path, so this is only for comparing the paths.
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
    let path: croupier::cpu::CpuPath = value
        .to_string_lossy()
        .parse()
        .map_err(|error: croupier::cpu::UnknownPath| wrong(&error))?;
    path.choose().map_err(|error| wrong(&error))
}

/// Returns the name of a program without its folder. Links to one program differ in this name.
pub fn program_name(program: &std::ffi::OsStr) -> String {
    std::path::Path::new(program)
        .file_name()
        .unwrap_or(program)
        .to_string_lossy()
        .into_owned()
}
