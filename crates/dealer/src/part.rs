//! Parts of a divided run: computing one, and merging all.

use std::ops::Range;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use croupier::render::Heading;
use croupier::session::{Error, ExecutionOptions, Job, Mode, PartError, Partial, Session};

use super::command_line::{CommandLine, Shard};
use super::print::RunPrinter;
use super::side_files::SideFiles;
use super::words;
use crate::failure::{Failure, ShownPath};
use crate::interrupt::Interrupt;
use crate::{system, whole_file};

/// Runs one part and writes it to a file.
///
/// # Errors
/// If the run cannot be divided, is interrupted, or the file cannot be written. An existing file then stays as it was.
pub fn write(
    line: &CommandLine,
    session: &Session,
    shard: Shard,
    path: &Path,
    interrupt: &Interrupt,
) -> Result<ExitCode, Failure> {
    let (range, shows) = cut(line, session, shard)?;
    let partial = match session.run_range(range, shows) {
        Ok(partial) => partial,
        Err(Error::Part(PartError::Stopped)) => {
            line.time_is_up();
            return Err(Failure::Message {
                text: format!(
                    "{}; {} is not written (--every keeps what is done)",
                    interrupt.text(),
                    path.shown()
                ),
                status: interrupt.status(),
            });
        }
        Err(error) => return Err(words::failure(line.dialect(), error)),
    };
    let text = serde_json::to_vec(&partial).map_err(Failure::runtime)?;
    // Other programs may wait for the file, so it must appear complete.
    whole_file::write(path, &text)?;
    Ok(ExitCode::SUCCESS)
}

/// Returns the numbers of the deals of a part, and whether the run prints deals.
pub(super) fn cut(
    line: &CommandLine,
    session: &Session,
    shard: Shard,
) -> Result<(Range<u64>, bool), Failure> {
    if !session.settings().seed.given {
        return Err(Failure::usage(
            "--partial: all parts, and a run that goes on, need the same seed; give one with -s or in the script",
        ));
    }
    let failure = |error| words::failure(line.dialect(), error);
    let range = session.shards(shard.parts).map_err(failure)?[shard.part - 1].clone();
    Ok((range, line.output.prints_deals(session.plan())))
}

/// Merges parts and prints the output of the whole run.
///
/// # Errors
/// If a file does not hold a part, parts belong to different runs, or the whole run fails.
pub fn merge(files: &[PathBuf], line: &CommandLine) -> Result<ExitCode, Failure> {
    let parts = files.iter().map(|path| read(path));
    let parts = parts.collect::<Result<Vec<Partial>, Failure>>()?;
    let partial = Partial::merge_all(parts).map_err(Failure::runtime)?;
    let failure = |error| words::failure(Mode::Native, error);
    let job = Job::from_spec(partial.job.clone());
    // The last part is dealt again. A file of a part must not start a program.
    let systems = partial.job.systems.as_ref();
    if let Some(robot) = systems.and_then(|names| names.iter().find(|it| it.starts_with("robot:")))
    {
        return Err(Failure::usage(format!(
            "the parts were bid by {robot}, and a merge starts no program: deal the script without --shard"
        )));
    }
    let execution = ExecutionOptions {
        threads: line.execution.threads,
        robots: (line.additions.open_robots)(systems)?,
        ..ExecutionOptions::default()
    };
    let session = job.execution(execution).prepare().map_err(failure)?;
    if line.output.format.is_some() && !partial.keeps_deals {
        return Err(Failure::usage(
            "the parts keep no deals: make them with --format too",
        ));
    }
    let settings = session.settings();
    let seed = match session.tournament_key() {
        Some(key) => format!("commitment {}", key.commitment()),
        None => settings.seed.to_string(),
    };
    let script = session.spec().name.clone();
    let printer = RunPrinter {
        line,
        session: &session,
        plan: session.plan(),
        heading: Heading {
            script: (script != "standard input").then(|| script.into_bytes()),
            seed,
            date: system::today(),
            shows_hand_types: session.spec().dealer3,
            ..Heading::of(settings, &line.output)
        },
        progress: None,
    };
    let started = Instant::now();
    printer.print(SideFiles::default(), |sink| {
        let mut outcome = partial.outcome_with(session.execution().clone(), sink)?;
        outcome.seconds = Some(started.elapsed().as_secs_f64());
        Ok(outcome)
    })?;
    Ok(ExitCode::SUCCESS)
}

fn read(path: &Path) -> Result<Partial, Failure> {
    let text = std::fs::read(path).map_err(|error| Failure::file(path, &error))?;
    serde_json::from_slice(&text)
        .map_err(|error| Failure::at(path, format!("not a part of a run: {error}")))
}
