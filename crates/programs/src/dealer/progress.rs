//! A line on the terminal for runs that take their time.

use std::io::{self, IsTerminal, Write};
use std::time::{Duration, Instant};

use engine::Progress;

/// Runs shorter than this show nothing.
const PATIENCE: Duration = Duration::from_millis(800);
/// How often the line changes.
const INTERVAL: Duration = Duration::from_millis(200);

/// Shows how far a run has come, and cleans up behind itself.
pub struct ProgressLine {
    started: Instant,
    next: Instant,
    wanted: u64,
    limit: u64,
    shown: bool,
}

impl ProgressLine {
    /// A line for a run with these limits, if there is a terminal to show it on and nothing else is
    /// printed there.
    pub fn new(wanted: u64, limit: u64, prints: bool) -> Option<ProgressLine> {
        let visible = io::stderr().is_terminal() && !(prints && io::stdout().is_terminal());
        let now = Instant::now();
        visible.then(|| ProgressLine {
            started: now,
            next: now + PATIENCE,
            wanted,
            limit,
            shown: false,
        })
    }

    /// Shows the line if it is time.
    pub fn show(&mut self, progress: Progress) {
        let now = Instant::now();
        if now < self.next {
            return;
        }
        self.next = now + INTERVAL;
        self.shown = true;
        let text = self.text(progress, now - self.started);
        let _ = io::stderr().write_all(format!("\r{text}\x1b[K").as_bytes());
    }

    fn text(&self, progress: Progress, elapsed: Duration) -> String {
        /// Width of the bar in characters.
        const BAR: u64 = 24;
        let share = |done: u64, all: u64| {
            if all == 0 {
                0.0
            } else {
                done as f64 / all as f64
            }
        };
        let done = share(progress.produced, self.wanted)
            .max(share(progress.generated, self.limit))
            .min(1.0);
        let filled = (done * BAR as f64) as usize;
        let rate = progress.generated as f64 / elapsed.as_secs_f64().max(1e-3) / 1e6;
        let left = elapsed.as_secs_f64() * (1.0 - done) / done.max(1e-9);
        format!(
            "[{}{}] {} of {} produced, {:.1} million generated ({rate:.1} million/s), {left:.0} s left",
            "=".repeat(filled),
            " ".repeat(BAR as usize - filled),
            progress.produced,
            self.wanted,
            progress.generated as f64 / 1e6,
        )
    }

    /// Removes the line.
    pub fn clear(&mut self) {
        if std::mem::take(&mut self.shown) {
            let _ = io::stderr().write_all(b"\r\x1b[K");
        }
    }
}

impl Drop for ProgressLine {
    fn drop(&mut self) {
        self.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bar_follows_the_limit_that_is_nearer() {
        let now = Instant::now();
        let line = ProgressLine {
            started: now,
            next: now,
            wanted: 40,
            limit: 10_000_000,
            shown: false,
        };
        let text = line.text(
            Progress {
                generated: 5_000_000,
                produced: 10,
            },
            Duration::from_secs(5),
        );
        assert_eq!(
            text,
            "[============            ] 10 of 40 produced, 5.0 million generated (1.0 million/s), 5 s left"
        );
        let none = line.text(Progress::default(), Duration::ZERO);
        assert!(none.starts_with("[                        ] 0 of 40"));
    }
}
