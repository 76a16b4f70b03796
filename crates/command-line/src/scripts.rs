//! What all commands with a script do: read it, and show what there is to say about it.

use std::io::{self, IsTerminal, Read, Write};
use std::path::Path;

use croupier::scenarios::OrBundle;
use croupier::session::{Diagnostic, Error, FileLoader, Job};

use crate::failure::{Failure, RUNTIME};

/// What scripts import: files beside them, and the bundled scenarios.
pub const IMPORTS: OrBundle<FileLoader> = OrBundle(FileLoader);

/// The text of a file, or of standard input for `-`.
///
/// # Errors
/// If it cannot be read; the message names it.
pub fn read(path: &Path) -> Result<Vec<u8>, Failure> {
    let mut text = Vec::new();
    let read = if path.as_os_str() == "-" {
        io::stdin().read_to_end(&mut text).map(|_| text)
    } else {
        std::fs::read(path)
    };
    read.map_err(|error| Failure::at(path, error))
}

/// A job with the script in a file, which may import others.
///
/// # Errors
/// If it cannot be read.
pub fn job(path: &Path) -> Result<Job, Failure> {
    let job = Job::new(read(path)?).name(path.display().to_string());
    Ok(job.imports(IMPORTS))
}

/// Shows errors and warnings about a script on standard error.
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

/// What a switch can do about it; the language knows none.
fn remedy(diagnostic: &Diagnostic) -> Option<&'static str> {
    match diagnostic.code {
        "E106" | "W19" => Some("`dealer -1 TEXT` and `--param 1=TEXT` give `$1` its text"),
        "E107" => Some("`dealer --input-deals FILE SCRIPT` runs a script over the deals of a file"),
        _ => None,
    }
}

/// The failure for an error; what is wrong with a script is shown.
pub fn failure(error: Error) -> Failure {
    match error {
        Error::Script(diagnostics) => {
            show(&diagnostics);
            Failure::Told { status: RUNTIME }
        }
        Error::Conflict(conflict) => Failure::usage(conflict),
        other => Failure::runtime(other),
    }
}
