//! A line on the terminal that shows the progress of slow work.

use std::io::{self, IsTerminal, Write};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use crate::interrupt;

/// Time before the line appears. Shorter work shows nothing.
const DELAY: Duration = Duration::from_millis(800);
/// Interval between updates of the line.
const INTERVAL: Duration = Duration::from_millis(200);
/// Width of the bar in characters.
const BAR: usize = 24;

/// A line on standard error that is rewritten at intervals and removed at the end.
struct Line {
    started: Instant,
    next: Instant,
    shown: bool,
}

impl Line {
    /// Creates a line if standard error is a terminal.
    fn new() -> Option<Line> {
        let now = Instant::now();
        io::stderr().is_terminal().then(|| Line {
            started: now,
            next: now + DELAY,
            shown: false,
        })
    }

    /// Shows the text that `text` returns for the elapsed time, if an update is due.
    fn show(&mut self, text: impl FnOnce(Duration) -> String) {
        let now = Instant::now();
        if now >= self.next {
            self.next = now + INTERVAL;
            self.shown = true;
            let text = text(now - self.started);
            // The work continues if the line cannot be written.
            let _ = io::stderr().write_all(format!("\r{text}\x1b[K").as_bytes());
        }
    }
}

impl Line {
    /// Removes the line from the terminal.
    fn remove(&mut self) {
        if self.shown {
            self.shown = false;
            let _ = io::stderr().write_all(b"\r\x1b[K");
        }
    }
}

impl Drop for Line {
    fn drop(&mut self) {
        self.remove();
    }
}

/// Returns a bar for `done`, from 0 to 1, and the remaining time at the current rate.
fn bar(done: f64, elapsed: Duration) -> (String, String) {
    let done = done.clamp(0.0, 1.0);
    let filled = (done * BAR as f64) as usize;
    let left = elapsed.as_secs_f64() * (1.0 - done) / done.max(1e-9);
    let bar = format!("[{}{}]", "=".repeat(filled), " ".repeat(BAR - filled));
    let left = if done > 0.0 {
        format!(", {} left", clock(left))
    } else {
        String::new()
    };
    (bar, left)
}

/// Formats seconds as `m:ss` or `h:mm:ss`.
fn clock(seconds: f64) -> String {
    let seconds = seconds.round() as u64;
    let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    if hours > 0 {
        format!("{hours}:{minutes:02}:{seconds:02}")
    } else {
        format!("{minutes}:{seconds:02}")
    }
}

/// Progress through a number of items: count, rate and remaining time.
pub struct ItemProgress {
    what: &'static str,
    total: Option<u64>,
    done: u64,
    line: Option<Line>,
}

impl ItemProgress {
    /// Creates the progress of `total` items, if their number is known; `what` names them in the plural.
    #[must_use]
    pub fn new(what: &'static str, total: Option<u64>) -> Self {
        interrupt::set_counted_items(what);
        ItemProgress {
            what,
            total,
            done: 0,
            line: Line::new(),
        }
    }

    /// Adds `items` finished items.
    pub fn advance(&mut self, items: u64) {
        self.done += items;
        interrupt::add_items(items);
        let (what, total, done) = (self.what, self.total, self.done);
        if let Some(line) = &mut self.line {
            line.show(|elapsed| items_text(what, total, done, elapsed));
        }
    }

    /// Removes the line.
    pub fn finish(&mut self) {
        self.line = None;
    }
}

fn items_text(what: &str, total: Option<u64>, done: u64, elapsed: Duration) -> String {
    let rate = done as f64 / elapsed.as_secs_f64().max(1e-9);
    match total {
        None => format!("{done} {what}, {rate:.1}/s"),
        Some(total) => {
            let (bar, left) = bar(done as f64 / total.max(1) as f64, elapsed);
            format!("{bar} {done} of {total} {what}, {rate:.1}/s{left}")
        }
    }
}

/// A line with the elapsed time, for work of unknown length.
pub struct ElapsedTimeLine {
    over: mpsc::Sender<()>,
    thread: Option<thread::JoinHandle<()>>,
}

impl ElapsedTimeLine {
    /// Shows the line after a short delay if standard error is a terminal. Dropping the value removes it.
    #[must_use]
    pub fn show(what: &'static str) -> ElapsedTimeLine {
        let (over, ended) = mpsc::channel();
        let thread = Line::new().and_then(|mut line| {
            let show = move || {
                while ended.recv_timeout(INTERVAL) == Err(mpsc::RecvTimeoutError::Timeout) {
                    line.show(|elapsed| format!("{what}, {}", clock(elapsed.as_secs_f64())));
                }
            };
            thread::Builder::new().spawn(show).ok()
        });
        ElapsedTimeLine { over, thread }
    }
}

impl Drop for ElapsedTimeLine {
    fn drop(&mut self) {
        let _ = self.over.send(());
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// A line with a text given by the caller, for work of unknown length.
pub struct StatusLine(Option<Line>);

impl StatusLine {
    /// Creates a line that shows nothing yet.
    #[must_use]
    pub fn new() -> StatusLine {
        StatusLine(Line::new())
    }

    /// Shows a text, made of the elapsed time, if standard error is a terminal and the line is due.
    pub fn show(&mut self, text: impl FnOnce(Duration) -> String) {
        if let Some(line) = &mut self.0 {
            line.show(text);
        }
    }

    /// Removes the line.
    pub fn finish(&mut self) {
        self.0 = None;
    }
}

impl Default for StatusLine {
    fn default() -> StatusLine {
        StatusLine::new()
    }
}

/// Progress of a run of the dealer.
pub struct RunProgress {
    wanted: u64,
    limit: u64,
    line: Line,
}

impl RunProgress {
    /// Creates the progress of a run with these limits, if standard error is a terminal and the deals are not printed
    /// to it.
    #[must_use]
    pub fn new(wanted: u64, limit: u64, prints: bool) -> Option<RunProgress> {
        let line = Line::new().filter(|_| !(prints && io::stdout().is_terminal()))?;
        Some(RunProgress {
            wanted,
            limit,
            line,
        })
    }

    /// Removes the line. It appears again at the next update.
    pub fn remove(&mut self) {
        self.line.remove();
    }

    /// Updates the line.
    pub fn show(&mut self, progress: croupier::engine::Progress) {
        let (wanted, limit) = (self.wanted, self.limit);
        self.line
            .show(|elapsed| run_text(wanted, limit, progress, elapsed));
    }
}

fn run_text(
    wanted: u64,
    limit: u64,
    progress: croupier::engine::Progress,
    elapsed: Duration,
) -> String {
    let share = |done: u64, all: u64| done as f64 / all.max(1) as f64;
    // The limit that is nearer ends the run.
    let done = share(progress.produced, wanted).max(share(progress.generated, limit));
    let (bar, left) = bar(done, elapsed);
    let millions = progress.generated as f64 / 1e6;
    let rate = millions / elapsed.as_secs_f64().max(1e-3);
    let produced = progress.produced;
    format!(
        "{bar} {produced} of {wanted} produced, {millions:.1} million generated ({rate:.1} million/s){left}"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_are_shown_with_rate_and_remaining_time() {
        let text = |total| items_text("deals", total, 100, Duration::from_secs(20));
        assert_eq!(
            text(Some(1000)),
            "[==                      ] 100 of 1000 deals, 5.0/s, 3:00 left"
        );
        assert_eq!(text(None), "100 deals, 5.0/s");
        assert_eq!(clock(3.0 * 3600.0 + 61.4), "3:01:01");
    }

    #[test]
    fn the_bar_of_a_run_follows_the_limit_that_is_nearer() {
        let progress = croupier::engine::Progress {
            generated: 5_000_000,
            produced: 10,
        };
        assert_eq!(
            run_text(40, 10_000_000, progress, Duration::from_secs(5)),
            "[============            ] 10 of 40 produced, 5.0 million generated (1.0 million/s), 0:05 left"
        );
        let none = run_text(
            40,
            100,
            croupier::engine::Progress::default(),
            Duration::ZERO,
        );
        assert!(none.starts_with("[                        ] 0 of 40") && !none.contains("left"));
    }
}
