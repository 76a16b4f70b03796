//! `--partial FILE --every MINUTES`: a run that saves checkpoints to a file and continues from the last one.
//!
//! The file always holds a complete part: all deals up to a number, with all results collected from them. Deals after
//! the last checkpoint are dealt again, so the result is that of an uninterrupted run, byte for byte.

use std::io::{self, IsTerminal, Write};
use std::path::Path;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use croupier::session::{PartState, Partial, ResumablePart, Session};

use super::command_line::{CommandLine, PartFile, Shard};
use super::part;
use super::words;
use crate::checkpoint_file::CheckpointFile;
use crate::failure::{Failure, ShownPath};
use crate::interrupt::Interrupt;

/// Target time for one batch of deals. An interrupted run loses at most the work of one batch.
const BATCH_TIME: Duration = Duration::from_millis(500);

/// Deals of the first batch. It is small because solving may be slow.
const FIRST_BATCH: u64 = 1024;

/// Opens the checkpoint file and reads the part in it, or creates the file with `fresh`.
fn open(
    path: &Path,
    fresh: impl Fn() -> Result<Vec<u8>, Failure>,
) -> Result<(CheckpointFile, Option<Partial>), Failure> {
    let (file, content) = CheckpointFile::open(path, fresh)?;
    let read = |text: Vec<u8>| {
        serde_json::from_slice(&text).map_err(|error| {
            let name = path.shown();
            Failure::runtime(format!(
                "{name}: exists and is not a part of a run: {error}"
            ))
        })
    };
    Ok((file, content.map(read).transpose()?))
}

fn bytes(partial: &Partial) -> Result<Vec<u8>, Failure> {
    serde_json::to_vec(partial).map_err(Failure::runtime)
}

/// Outcome of a run with checkpoints.
pub enum CheckpointOutcome {
    /// The run is complete and its result is to be printed.
    Complete(Box<Partial>),
    /// The result is in the file; the process ends with this status.
    Saved(ExitCode),
}

/// Runs with checkpoints in a file. The result of a whole run is to be printed; the result of a shard stays in its
/// file.
///
/// # Errors
/// If the run cannot be divided, the file belongs to another run or cannot be written, or the run fails.
pub fn run(
    line: &CommandLine,
    session: &Session,
    (file, every): (&PartFile, Duration),
    interrupt: &Interrupt,
) -> Result<CheckpointOutcome, Failure> {
    let path = file.path.as_path();
    let shard = file.shard.unwrap_or(Shard { part: 1, parts: 1 });
    let (range, shows) = part::cut(line, session, shard)?;
    let failure = |error| words::failure(line.dialect(), error);
    let begun = || session.start_part(range.clone(), shows).map_err(failure);
    let (mut checkpoint, done) = open(path, || bytes(&begun()?.partial()))?;
    let mut growing = match done {
        None => begun()?,
        Some(done) => {
            let growing = session.resume_part(range.clone(), shows, done);
            growing.map_err(|error| {
                Failure::runtime(format!(
                    "{}: {error}; name another file to begin anew",
                    path.shown()
                ))
            })?
        }
    };
    if growing.progress().generated > range.start && io::stderr().is_terminal() {
        let progress = growing.progress();
        eprintln!(
            "dealer: going on after {} deals looked at, {} produced",
            progress.generated, progress.produced
        );
    }
    let growth = advance(&mut growing, &mut checkpoint, every).map_err(|error| match error {
        CheckpointError::Failed(error) => failure(error),
        CheckpointError::Unwritten(failure) => failure,
    })?;
    let partial = growing.partial();
    checkpoint.replace(&bytes(&partial)?)?;
    match growth {
        PartState::Whole if file.shard.is_some() => Ok(CheckpointOutcome::Saved(ExitCode::SUCCESS)),
        PartState::Whole => Ok(CheckpointOutcome::Complete(Box::new(partial))),
        _ => {
            line.time_is_up();
            let progress = growing.progress();
            let _ = writeln!(
                io::stderr(),
                "dealer: {}: {} deals looked at, {} produced; the same command goes on from {}",
                interrupt.text(),
                progress.generated,
                progress.produced,
                path.shown()
            );
            Ok(CheckpointOutcome::Saved(ExitCode::from(interrupt.status())))
        }
    }
}

/// Reason for a failure.
enum CheckpointError {
    Failed(croupier::session::Error),
    Unwritten(Failure),
}

fn advance(
    growing: &mut ResumablePart<'_>,
    file: &mut CheckpointFile,
    every: Duration,
) -> Result<PartState, CheckpointError> {
    let mut saved = Instant::now();
    let mut deals = FIRST_BATCH;
    loop {
        let began = Instant::now();
        let growth = growing.advance(deals).map_err(CheckpointError::Failed)?;
        if growth != PartState::More {
            return Ok(growth);
        }
        // Grow by a factor of at most four: the sampler may skip billions of deals in one batch and then need time to
        // plan.
        let ratio = BATCH_TIME.as_secs_f64() / began.elapsed().as_secs_f64().max(1e-6);
        deals = ((deals as f64 * ratio.clamp(0.25, 4.0)) as u64).clamp(FIRST_BATCH, 1 << 50);
        if saved.elapsed() >= every {
            let content = bytes(&growing.partial());
            let saved_now = content.and_then(|content| file.replace(&content));
            saved_now.map_err(CheckpointError::Unwritten)?;
            saved = Instant::now();
        }
    }
}
