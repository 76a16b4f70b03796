//! `--partial FILE --every MINUTES`: a run that is put down now and then, and goes on from there after whatever happened.
//!
//! The file always holds a whole part: all deals up to a number, with everything that was collected from them. What was
//! dealt after the last time is dealt again, so the result is that of a run that was never interrupted, byte for byte.

use std::fs::File;
use std::io::{self, IsTerminal, Read, Write};
use std::path::Path;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use croupier::session::{PartState, Partial, ResumablePart, Session};
use same_file::Handle;

use super::part;
use super::request::{Request, Shard};
use super::words;
use crate::failure::{Failure, ShownPath};
use crate::interrupt::Interrupt;
use crate::new_file::NewFile;
use crate::record_file;

/// How long a stretch of deals should take: what is lost at most when a run is told to stop.
const STRETCH: Duration = Duration::from_millis(500);

/// Deals of the first stretch; solving may be slow.
const FIRST: u64 = 1024;

/// The file of a run that is put down, and the lock that keeps other runs away from it.
struct Checkpoint<'a> {
    path: &'a Path,
    /// The file that has the name now, locked.
    _lock: Option<File>,
}

impl<'a> Checkpoint<'a> {
    /// Opens the file, with what is in it, or makes it with `fresh`.
    fn open(
        path: &'a Path,
        fresh: impl Fn() -> Result<Vec<u8>, Failure>,
    ) -> Result<(Checkpoint<'a>, Option<Partial>), Failure> {
        let wrong = |error: io::Error| Failure::at(path, error);
        loop {
            let file = match File::open(path) {
                Ok(file) => file,
                Err(error) if error.kind() == io::ErrorKind::NotFound => {
                    let mut file = NewFile::first(path)?;
                    file.write_all(&fresh()?)?;
                    match file.finish() {
                        Ok(lock) => {
                            return Ok((
                                Checkpoint {
                                    path,
                                    _lock: Some(lock),
                                },
                                None,
                            ));
                        }
                        // Another run was quicker; it will have the lock.
                        Err(_) if path.exists() => continue,
                        Err(failure) => return Err(failure),
                    }
                }
                Err(error) => return Err(wrong(error)),
            };
            record_file::lock(&file).map_err(wrong)?;
            // The run that had the lock may have put another file in its place.
            let mine = file.try_clone().and_then(Handle::from_file);
            if Handle::from_path(path).ok() != Some(mine.map_err(wrong)?) {
                continue;
            }
            let mut text = Vec::new();
            (&file).read_to_end(&mut text).map_err(wrong)?;
            let partial = serde_json::from_slice(&text).map_err(|error| {
                let name = path.shown();
                Failure::runtime(format!(
                    "{name}: exists and is not a part of a run: {error}"
                ))
            })?;
            let _lock = Some(file);
            return Ok((Checkpoint { path, _lock }, Some(partial)));
        }
    }

    /// Puts down how far the run has come.
    fn save(&mut self, partial: &Partial) -> Result<(), Failure> {
        let mut file = NewFile::create(self.path)?;
        file.write_all(&bytes(partial)?)?;
        // Where a file that is open cannot be replaced, it goes first.
        if cfg!(windows) {
            self._lock = None;
        }
        self._lock = Some(file.finish()?);
        Ok(())
    }
}

fn bytes(partial: &Partial) -> Result<Vec<u8>, Failure> {
    serde_json::to_vec(partial).map_err(Failure::runtime)
}

/// What came of a run.
pub enum Done {
    /// All of it is here, to be printed.
    Whole(Box<Partial>),
    /// It is in its file.
    Put(ExitCode),
}

/// Runs with the file as memory. The whole run is to be printed in the end; a part of it stays in its file.
///
/// # Errors
/// If the run cannot be cut up, the file belongs to another run or cannot be written, or the run fails.
pub fn run(
    request: &Request,
    session: &Session,
    (path, every): (&Path, Duration),
    interrupt: &Interrupt,
) -> Result<Done, Failure> {
    let shard = request.shard.unwrap_or(Shard { part: 1, parts: 1 });
    let (range, shows) = part::cut(request, session, shard)?;
    let failure = |error| words::failure(request.mode, error);
    let begun = || session.start_part(range.clone(), shows).map_err(failure);
    let (mut file, done) = Checkpoint::open(path, || bytes(&begun()?.partial()))?;
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
    let growth = grow(&mut growing, &mut file, every).map_err(|error| match error {
        Stop::Failed(error) => failure(error),
        Stop::Unwritten(failure) => failure,
    })?;
    let partial = growing.partial();
    file.save(&partial)?;
    match growth {
        PartState::Whole if request.shard.is_some() => Ok(Done::Put(ExitCode::SUCCESS)),
        PartState::Whole => Ok(Done::Whole(Box::new(partial))),
        _ => {
            request.time_is_up();
            let progress = growing.progress();
            let _ = writeln!(
                io::stderr(),
                "dealer: {}: {} deals looked at, {} produced; the same command goes on from {}",
                interrupt.text(),
                progress.generated,
                progress.produced,
                path.shown()
            );
            Ok(Done::Put(ExitCode::from(interrupt.status())))
        }
    }
}

/// Why it ended early.
enum Stop {
    Failed(croupier::session::Error),
    Unwritten(Failure),
}

fn grow(
    growing: &mut ResumablePart<'_>,
    file: &mut Checkpoint<'_>,
    every: Duration,
) -> Result<PartState, Stop> {
    let mut saved = Instant::now();
    let mut deals = FIRST;
    loop {
        let began = Instant::now();
        let growth = growing.advance(deals).map_err(Stop::Failed)?;
        if growth != PartState::More {
            return Ok(growth);
        }
        // Four times as many at most: the sampler may pass over billions of deals at once, or begin to plan.
        let ratio = STRETCH.as_secs_f64() / began.elapsed().as_secs_f64().max(1e-6);
        deals = ((deals as f64 * ratio.clamp(0.25, 4.0)) as u64).clamp(FIRST, 1 << 50);
        if saved.elapsed() >= every {
            file.save(&growing.partial()).map_err(Stop::Unwritten)?;
            saved = Instant::now();
        }
    }
}
