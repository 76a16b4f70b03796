//! Scripts of commands: reading them and printing their errors and warnings.

use std::io::{self, IsTerminal, Read, Write};
use std::path::Path;

use croupier::scenarios::OrBundle;
use croupier::session::{Diagnostic, Error, FileLoader, Job};

use crate::failure::{Failure, RUNTIME};

/// Loader of imports: files relative to the script, then the bundled scenarios.
pub const IMPORTS: OrBundle<FileLoader> = OrBundle(FileLoader);

/// Reads a file, or standard input for `-`.
///
/// # Errors
/// If it cannot be read; the message contains the path.
pub fn read(path: &Path) -> Result<Vec<u8>, Failure> {
    let mut text = Vec::new();
    let read = if path.as_os_str() == "-" {
        io::stdin().read_to_end(&mut text).map(|_| text)
    } else {
        std::fs::read(path)
    };
    read.map_err(|error| Failure::file(path, &error))
}

/// Returns a job with the script of a file, which may import others.
///
/// # Errors
/// If the file cannot be read.
pub fn job(path: &Path) -> Result<Job, Failure> {
    let job = Job::new(read(path)?).name(path.display().to_string());
    Ok(job.imports(IMPORTS))
}

/// Prints errors and warnings about a script to standard error.
pub fn show(diagnostics: &[Diagnostic]) {
    let coloured = io::stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none();
    for diagnostic in diagnostics {
        let text = if coloured {
            diagnostic.render_coloured()
        } else {
            diagnostic.render()
        };
        let _ = io::stderr().write_all(text.as_bytes());
        if let Some(remedy) = remedy(diagnostic) {
            let _ = writeln!(io::stderr(), "      = {remedy}");
        }
    }
}

/// Returns a hint at the switch that solves the problem, because messages of the language crate cannot name switches.
fn remedy(diagnostic: &Diagnostic) -> Option<&'static str> {
    match diagnostic.code {
        "E106" | "W19" => Some("`dealer -1 TEXT` and `--param 1=TEXT` give `$1` its text"),
        "E107" => Some("`dealer --input-deals FILE SCRIPT` runs a script over the deals of a file"),
        _ => None,
    }
}

/// Converts an error to a failure. Errors of a script are printed first.
pub fn failure(error: Error) -> Failure {
    match error {
        Error::Script(diagnostics) => {
            show(&diagnostics);
            Failure::Reported { status: RUNTIME }
        }
        Error::Conflict(conflict) => Failure::usage(conflict),
        Error::UnknownMetric { .. } => Failure::runtime(format!(
            "{error}; `croupier metrics` lists those there are, and -U asks one of your own"
        )),
        other => Failure::runtime(other),
    }
}
