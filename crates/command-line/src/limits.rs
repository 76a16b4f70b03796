//! The switches `--time` and `--memory` of every command.
//!
//! A separate thread checks the clock and the memory, so that the limits apply to every phase: reading, compiling,
//! planning, counting, solving and printing. Commands that can end with their complete results get a request first.

use std::sync::OnceLock;
use std::time::{Duration, Instant};

use cpu_time::ProcessTime;

use crate::interrupt::{self, EarlyEnd};
use crate::system;

/// Time that a command has to end after a request, both in wall-clock time and in CPU time. On a busy machine the
/// process gets less CPU time, so the wait is longer.
const GRACE: Duration = Duration::from_millis(200);
/// Maximum time that a command has to end after a request, on a machine of any load.
const LONGEST_GRACE: Duration = Duration::from_secs(2);
/// Interval at which the memory is checked.
const CHECK_INTERVAL: Duration = Duration::from_millis(5);
/// Factor by which the memory may exceed its limit before the process is ended at once.
const EXCESS: f64 = 1.25;

/// Start time and limits of the process.
static PROCESS_LIMITS: OnceLock<(Instant, CommandLimits)> = OnceLock::new();

/// Returns the time left until shortly before the time limit, for commands that can reduce their work. The reserve
/// leaves time to print the result.
#[must_use]
pub fn time_left() -> Option<Duration> {
    /// Part of the time limit after which no new work begins.
    const MOST: f64 = 0.95;
    let (started, limits) = PROCESS_LIMITS.get()?;
    let most = limits.duration()?.mul_f64(MOST);
    Some(most.saturating_sub(started.elapsed()))
}

/// Returns the memory that the process may use, in megabytes, if it has a limit.
#[must_use]
pub fn memory() -> Option<u64> {
    PROCESS_LIMITS.get()?.1.memory
}

/// Requests the end of the process if at most `reserve` is left of its time.
pub fn end_if_late(reserve: Duration) {
    if let (Some(left), Some((_, limits))) = (time_left(), PROCESS_LIMITS.get())
        && let Some(seconds) = limits.time.filter(|_| left <= reserve)
    {
        interrupt::request(EarlyEnd::Time(seconds));
    }
}

/// Limits of a command.
#[derive(Clone, Copy, Debug, Default, clap::Args)]
#[command(next_help_heading = "Limits")]
pub struct CommandLimits {
    /// Stop after this many seconds and print the results so far; exit status 124
    #[arg(long, value_name = "SECONDS", value_parser = seconds, global = true)]
    pub time: Option<f64>,
    /// Stop when more memory is in use and print the results so far; exit status 124
    #[arg(long, value_name = "MB", value_parser = clap::value_parser!(u64).range(1..=1 << 40), global = true)]
    pub memory: Option<u64>,
}

fn seconds(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(seconds) if seconds > 0.0 && seconds <= 1e9 => Ok(seconds),
        _ => Err("use a number of seconds greater than 0, such as 10 or 0.5".to_owned()),
    }
}

impl CommandLimits {
    /// Records that a run found its time to be up. Its clock may be slightly ahead of the watching thread's. If the run
    /// has a shorter limit `own`, that limit ended it and nothing is recorded.
    pub fn time_is_up(&self, own: Option<Duration>) {
        let (limit, own) = (self.duration(), own.unwrap_or(Duration::MAX));
        if let Some(seconds) = self
            .time
            .filter(|_| limit.is_some_and(|limit| limit <= own))
        {
            interrupt::request(EarlyEnd::Time(seconds));
        }
    }

    /// Returns the time limit.
    #[must_use]
    pub fn duration(&self) -> Option<Duration> {
        self.time.map(Duration::from_secs_f64)
    }

    /// Starts watching the limits.
    pub fn watch(self) {
        let started = Instant::now();
        let _ = PROCESS_LIMITS.set((started, self));
        if self.time.is_none() && self.memory.is_none() {
            return;
        }
        interrupt::in_background("limits", move || self.guard(started));
    }

    fn guard(self, started: Instant) {
        let cause = self.reached(started);
        // A run with a clock ahead of this one may have made the request already; then this call has no effect, and the
        // run still gets the time below.
        interrupt::request(cause);
        if !interrupt::is_polled() {
            interrupt::end_process(cause);
        }
        let (requested, used) = (Instant::now(), ProcessTime::now());
        let late = |elapsed: Duration| {
            elapsed >= LONGEST_GRACE || elapsed >= GRACE && used.elapsed() >= GRACE
        };
        while !late(requested.elapsed()) {
            let most = self.memory.map(|megabytes| EXCESS * megabytes as f64);
            if most.is_some_and(|most| system::megabytes_in_use() > most) {
                break;
            }
            std::thread::sleep(CHECK_INTERVAL);
        }
        interrupt::end_process(cause);
    }

    /// Waits for the first limit to be reached.
    fn reached(&self, started: Instant) -> EarlyEnd {
        loop {
            let left = self
                .duration()
                .map(|time| time.saturating_sub(started.elapsed()));
            if let (Some(Duration::ZERO), Some(seconds)) = (left, self.time) {
                return EarlyEnd::Time(seconds);
            }
            let Some(megabytes) = self.memory else {
                std::thread::sleep(left.unwrap_or(Duration::MAX));
                continue;
            };
            if system::megabytes_in_use() > megabytes as f64 {
                return EarlyEnd::Memory(megabytes);
            }
            std::thread::sleep(left.map_or(CHECK_INTERVAL, |left| left.min(CHECK_INTERVAL)));
        }
    }
}
