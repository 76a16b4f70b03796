//! One line on a terminal that says how far slow work has come.

use std::io::{self, IsTerminal, Write};
use std::time::{Duration, Instant};

/// The line is rewritten at most this often.
const INTERVAL: Duration = Duration::from_millis(250);

/// Counts finished items and shows count, rate and remaining time on standard error, if that is a
/// terminal.
pub struct Progress {
    what: &'static str,
    total: Option<u64>,
    done: u64,
    started: Instant,
    shown: Option<Instant>,
    terminal: bool,
}

impl Progress {
    /// Progress through `total` items, where that is known; `what` names them in the plural.
    #[must_use]
    pub fn new(what: &'static str, total: Option<u64>) -> Self {
        Progress {
            what,
            total,
            done: 0,
            started: Instant::now(),
            shown: None,
            terminal: io::stderr().is_terminal(),
        }
    }

    /// So many more items are finished.
    pub fn advance(&mut self, items: u64) {
        self.done += items;
        if self.terminal && self.shown.is_none_or(|at| at.elapsed() >= INTERVAL) {
            self.shown = Some(Instant::now());
            // A progress line that cannot be written is no reason to stop.
            let _ = write!(
                io::stderr(),
                "\r{}\x1b[K",
                self.line(self.started.elapsed())
            );
        }
    }

    /// Removes the line.
    pub fn finish(&self) {
        if self.shown.is_some() {
            let _ = write!(io::stderr(), "\r\x1b[K");
        }
    }

    fn line(&self, elapsed: Duration) -> String {
        let rate = self.done as f64 / elapsed.as_secs_f64().max(1e-9);
        let mut line = match self.total {
            Some(total) => format!("{}/{total} {}", self.done, self.what),
            None => format!("{} {}", self.done, self.what),
        };
        line += &format!(", {rate:.1}/s");
        if let Some(total) = self.total
            && self.done > 0
        {
            let left = total.saturating_sub(self.done) as f64 / rate;
            line += &format!(", {} left", clock(left));
        }
        line
    }
}

/// Seconds as `m:ss` or `h:mm:ss`.
fn clock(seconds: f64) -> String {
    let seconds = seconds.round() as u64;
    let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    if hours > 0 {
        format!("{hours}:{minutes:02}:{seconds:02}")
    } else {
        format!("{minutes}:{seconds:02}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_tells_rate_and_remaining_time() {
        let mut progress = Progress::new("deals", Some(1000));
        progress.terminal = false;
        progress.advance(100);
        assert_eq!(
            progress.line(Duration::from_secs(20)),
            "100/1000 deals, 5.0/s, 3:00 left"
        );
        progress.total = None;
        assert_eq!(progress.line(Duration::from_secs(50)), "100 deals, 2.0/s");
        assert_eq!(clock(3.0 * 3600.0 + 61.4), "3:01:01");
    }
}
