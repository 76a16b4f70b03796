//! `croupier fmt`: formats scripts in one canonical layout.

use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use croupier::script::Dialect;
use croupier::script::{CompileOptions, ScriptSource};

use crate::failure::{Failure, RUNTIME, USAGE};
use crate::new_file::NewFile;
use crate::values;

/// Format scripts in one canonical layout; comments stay, the meaning does not change.
///
/// Rewrites files in place. For a folder, formats all scripts (.dl, .dlr, .dls, .dli) and bidding systems (.bid) in it and its subfolders. Without
/// a file, or with `-`, formats standard input to standard output. A script with errors is not changed.
#[derive(clap::Args)]
pub struct Args {
    /// Scripts and folders to format.
    #[arg(value_name = "SCRIPT")]
    scripts: Vec<PathBuf>,
    /// Change nothing: list the scripts whose layout differs, and exit with status 1 if there are any.
    #[arg(long)]
    check: bool,
    /// Dialect in which the scripts are written.
    #[arg(long, value_name = "DIALECT", default_value = "native", value_parser = values::dialects())]
    compat: Dialect,
}

/// Endings of script files.
const ENDINGS: [&str; 5] = ["dl", "dlr", "dls", "dli", "bid"];

/// Formats the scripts.
///
/// # Errors
/// If a file cannot be read or written, or a script has errors; the other files are still formatted.
pub fn run(args: Args) -> Result<ExitCode, Failure> {
    if args.scripts.is_empty() || args.scripts.iter().any(|path| path.as_os_str() == "-") {
        if args.scripts.len() > 1 {
            return Err(Failure::usage("`-` is laid out alone"));
        }
        return standard_input(&args);
    }
    let mut paths = Vec::new();
    for path in &args.scripts {
        scripts_below(path, true, &mut paths)?;
    }
    let (mut wrong, mut differing, mut status) = (0, 0, RUNTIME);
    for path in &paths {
        match one_file(path, &args) {
            Ok(true) => {}
            Ok(false) => differing += 1,
            Err(failure) => {
                let _ = failure.report("croupier fmt");
                wrong += 1;
                if let Failure::Message { status: USAGE, .. } = failure {
                    status = USAGE;
                }
            }
        }
    }
    if wrong > 0 {
        let text = format!("{wrong} of {} scripts left as they were", paths.len());
        return Err(Failure::Message { text, status });
    }
    Ok(ExitCode::from(u8::from(args.check && differing > 0)))
}

fn standard_input(args: &Args) -> Result<ExitCode, Failure> {
    let mut text = Vec::new();
    io::stdin().lock().read_to_end(&mut text)?;
    let laid_out = laid_out("standard input", text.clone(), args)?;
    if args.check {
        if laid_out != text {
            writeln!(io::stdout(), "standard input")?;
        }
        return Ok(ExitCode::from(u8::from(laid_out != text)));
    }
    io::stdout().write_all(&laid_out)?;
    Ok(ExitCode::SUCCESS)
}

/// Adds the file, or the scripts below the folder sorted by name.
fn scripts_below(path: &Path, named: bool, paths: &mut Vec<PathBuf>) -> Result<(), Failure> {
    let told = |error: io::Error| Failure::at(path, error);
    if path.is_dir() {
        let mut entries = std::fs::read_dir(path)
            .map_err(told)?
            .map(|entry| entry.map(|entry| entry.path()))
            .collect::<Result<Vec<_>, _>>()
            .map_err(told)?;
        entries.sort();
        for entry in entries {
            scripts_below(&entry, false, paths)?;
        }
    } else if named
        || path
            .extension()
            .is_some_and(|ending| ENDINGS.iter().any(|known| ending == *known))
    {
        paths.push(path.to_owned());
    }
    Ok(())
}

fn laid_out(name: &str, text: Vec<u8>, args: &Args) -> Result<Vec<u8>, Failure> {
    let options = CompileOptions {
        mode: args.compat.mode,
        dealer3: args.compat.dealer3,
        ..CompileOptions::default()
    };
    croupier::script::reformat(&ScriptSource::new(name, text), &options).map_err(|errors| {
        let shown: String = errors
            .iter()
            .map(croupier::script::Diagnostic::render)
            .collect();
        Failure::runtime(format!("{name} has errors\n{}", shown.trim_end()))
    })
}

/// Returns whether the file had the canonical layout already. If not, rewrites it, or prints its name with `--check`.
fn one_file(path: &Path, args: &Args) -> Result<bool, Failure> {
    let name = path.display().to_string();
    let text = std::fs::read(path).map_err(|error| Failure::file(path, &error))?;
    let laid_out = laid_out(&name, text.clone(), args)?;
    if laid_out == text {
        return Ok(true);
    }
    if args.check {
        writeln!(io::stdout(), "{name}")?;
        return Ok(false);
    }
    let mut file = NewFile::replace(path)?;
    file.write_all(&laid_out)?;
    file.finish()?;
    Ok(false)
}
