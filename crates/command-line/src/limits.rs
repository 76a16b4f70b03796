//! `--time` and `--memory`, the same for every command and in every phase of it.
//!
//! A thread of its own watches the clock and the memory, so that reading, compiling, planning, counting, solving and
//! printing are bounded alike. Commands that can end with what is complete are asked first.

use std::sync::OnceLock;
use std::time::{Duration, Instant};

use cpu_time::ProcessTime;

use crate::interrupt::{self, Cause};
use crate::system;

/// How long a command that was asked may take to end with what is complete, by the clock and by the processor's time:
/// a busy machine gives less of that.
const GRACE: Duration = Duration::from_millis(200);
/// How long it may take at most, however busy the machine is.
const PATIENCE: Duration = Duration::from_secs(2);
/// How often the memory is looked at.
const GLANCE: Duration = Duration::from_millis(5);
/// How far the memory may grow beyond its limit before a command that was asked must end at once.
const EXCESS: f64 = 1.25;

/// The limits of the process, and since when they hold.
static WATCHED: OnceLock<(Instant, Limits)> = OnceLock::new();

/// The time that is left of the process's, for those who can do less with less: a little before the end, to tell what
/// they have.
#[must_use]
pub fn time_left() -> Option<Duration> {
    /// The part of the time after which nothing new is begun.
    const MOST: f64 = 0.95;
    let (started, limits) = WATCHED.get()?;
    let most = limits.duration()?.mul_f64(MOST);
    Some(most.saturating_sub(started.elapsed()))
}

/// Returns the memory that the process may use, in megabytes, if it has a limit.
#[must_use]
pub fn memory() -> Option<u64> {
    WATCHED.get()?.1.memory
}

/// Asks the process to end if no more than `reserve` is left of its time.
pub fn end_if_late(reserve: Duration) {
    if let (Some(left), Some((_, limits))) = (time_left(), WATCHED.get())
        && let Some(seconds) = limits.time.filter(|_| left <= reserve)
    {
        interrupt::ask(Cause::Time(seconds));
    }
}

/// What a command may use up.
#[derive(Clone, Copy, Debug, Default, clap::Args)]
#[command(next_help_heading = "Limits")]
pub struct Limits {
    /// End after so many seconds, whatever it is doing, with what is complete; exit status 124
    #[arg(long, value_name = "SECONDS", value_parser = seconds, global = true)]
    pub time: Option<f64>,
    /// End when more memory is in use, with what is complete; exit status 124
    #[arg(long, value_name = "MB", value_parser = clap::value_parser!(u64).range(1..=1 << 40), global = true)]
    pub memory: Option<u64>,
}

fn seconds(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(seconds) if seconds > 0.0 && seconds <= 1e9 => Ok(seconds),
        _ => Err("use a number of seconds greater than 0, such as 10 or 0.5".to_owned()),
    }
}

impl Limits {
    /// The clock of a run may be a moment ahead of the one that watches the process: who finds the time to be up says so
    /// for both. A run may have a limit of its own, which then was the one, if it is shorter.
    pub fn time_is_up(&self, own: Option<Duration>) {
        let (limit, own) = (self.duration(), own.unwrap_or(Duration::MAX));
        if let Some(seconds) = self
            .time
            .filter(|_| limit.is_some_and(|limit| limit <= own))
        {
            interrupt::ask(Cause::Time(seconds));
        }
    }

    /// The time that there is.
    #[must_use]
    pub fn duration(&self) -> Option<Duration> {
        self.time.map(Duration::from_secs_f64)
    }

    /// Watches from now on.
    pub fn watch(self) {
        let started = Instant::now();
        let _ = WATCHED.set((started, self));
        if self.time.is_none() && self.memory.is_none() {
            return;
        }
        interrupt::in_background("limits", move || self.guard(started));
    }

    fn guard(self, started: Instant) {
        let cause = self.reached(started);
        // Somebody may have been asked a moment ago, by a clock that was ahead of this one: there is time for an answer.
        interrupt::ask(cause);
        if !interrupt::is_heeded() {
            interrupt::enforce(cause);
        }
        let (asked, worked) = (Instant::now(), ProcessTime::now());
        let late = |elapsed: Duration| {
            elapsed >= PATIENCE || elapsed >= GRACE && worked.elapsed() >= GRACE
        };
        while !late(asked.elapsed()) {
            let most = self.memory.map(|megabytes| EXCESS * megabytes as f64);
            if most.is_some_and(|most| system::megabytes_in_use() > most) {
                break;
            }
            std::thread::sleep(GLANCE);
        }
        interrupt::enforce(cause);
    }

    /// Waits for the first limit to be reached.
    fn reached(&self, started: Instant) -> Cause {
        loop {
            let left = self
                .duration()
                .map(|time| time.saturating_sub(started.elapsed()));
            if let (Some(Duration::ZERO), Some(seconds)) = (left, self.time) {
                return Cause::Time(seconds);
            }
            let Some(megabytes) = self.memory else {
                std::thread::sleep(left.unwrap_or(Duration::MAX));
                continue;
            };
            if system::megabytes_in_use() > megabytes as f64 {
                return Cause::Memory(megabytes);
            }
            std::thread::sleep(left.map_or(GLANCE, |left| left.min(GLANCE)));
        }
    }
}
