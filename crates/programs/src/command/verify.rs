//! `croupier verify`: checks that boards follow from a key whose commitment was published before play.

use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use croupier::session::tournament::{KeyFile, SelectionCheck, Verification, VerifyError};
use croupier::session::{Error, FileLoader};

use crate::failure::{Failure, ShownPath};
use crate::given;
use crate::scripts;

/// Verify the boards of a tournament with their key.
///
/// Prints OK, or names the first board that is wrong. The script that selected the deals comes from the file of boards
/// or from --script. The commitment covers the number of boards, the script and the switches that change boards, so a
/// board that is missing at the end is found too. With a script the command also checks that no deal which satisfies it
/// was left out, and, for boards dealt with --level, that each board belongs to the class whose turn it was. Exit
/// status: 0 if all boards are right, 1 if one is wrong, 2 for an error.
#[derive(clap::Args)]
pub struct Args {
    /// File of boards that dealer --tournament wrote.
    boards: PathBuf,
    /// Key file, or the key itself.
    key: PathBuf,
    /// Script that selected the deals; overrides the one in the file of boards.
    #[arg(long, value_name = "SCRIPT")]
    script: Option<PathBuf>,
    /// Commitment that was published before play [default: the one in the boards and the key file].
    #[arg(long, value_name = "HEX")]
    commitment: Option<String>,
    /// Public value on which the deals depend (dealer --beacon) [default: the one in the boards].
    #[arg(long, value_name = "VALUE")]
    beacon_value: Option<String>,
}

/// Runs the command.
///
/// # Errors
/// If a file cannot be read or has another content. The status is then 2; status 1 means that a board is wrong.
pub fn run(args: Args) -> Result<ExitCode, Failure> {
    let key = read_key(&args.key)?;
    let boards = read_boards(&args.boards)?;
    let mut verification = Verification::new(&boards, &key).name(args.boards.display().to_string());
    if let Some(path) = &args.script {
        let name = path.display().to_string();
        let text = std::fs::read(path).map_err(|error| Failure::file(path, &error).as_usage())?;
        verification = verification.script(name, text);
    }
    if let Some(commitment) = args.commitment {
        verification = verification.commitment(commitment);
    }
    if let Some(value) = args.beacon_value {
        verification = verification.beacon_value(value);
    }
    let verdict = verification
        .run_with(|job| job.imports(FileLoader))
        .map_err(|error| failure(&args.boards, error))?;
    let mut out = io::stdout();
    match verdict {
        Ok(verified) => {
            let hint = match verified.selection {
                SelectionCheck::Unknown => " (--script)",
                _ => "",
            };
            writeln!(out, "OK: {verified}{hint}")?;
            Ok(ExitCode::SUCCESS)
        }
        Err(fault) => {
            writeln!(out, "WRONG: {fault}")?;
            Ok(ExitCode::FAILURE)
        }
    }
}

/// Reads a file of boards or standard input (`-`), or takes the argument as a deal.
fn read_boards(path: &Path) -> Result<Vec<u8>, Failure> {
    if path.as_os_str() == "-" {
        let mut bytes = Vec::new();
        io::stdin().read_to_end(&mut bytes)?;
        return Ok(bytes);
    }
    match std::fs::read(path) {
        Ok(bytes) => Ok(bytes),
        Err(_) => {
            drop(given::open(path)?);
            Ok(path.to_string_lossy().into_owned().into_bytes())
        }
    }
}

/// Reads the key from a file or from the argument itself, and the commitment in the file.
fn read_key(given: &Path) -> Result<KeyFile, Failure> {
    let named =
        |error: &dyn std::fmt::Display| Failure::usage(format!("{}: {error}", given.shown()));
    let text = match std::fs::read_to_string(given) {
        Ok(text) => text,
        Err(error) => {
            let text = given.to_string_lossy().into_owned();
            let digits = text.strip_prefix("key:").unwrap_or(&text);
            if digits.is_empty() || !digits.chars().all(|c| c.is_ascii_hexdigit()) {
                return Err(Failure::file(given, &error).as_usage());
            }
            text
        }
    };
    text.parse().map_err(|error| named(&error))
}

/// Converts an error of the verification.
fn failure(boards: &Path, error: VerifyError) -> Failure {
    match error {
        VerifyError::Script {
            error: Error::Script(diagnostics),
            ..
        } => {
            scripts::show(&diagnostics);
            Failure::Reported {
                status: crate::failure::USAGE,
            }
        }
        script @ VerifyError::Script { .. } => Failure::usage(script),
        other => Failure::usage(format!("{}: {other}", boards.shown())),
    }
}
