//! Time spent on the processor by this thread, so that a busy machine disturbs less.

use std::time::Duration;

/// A reading of the clock.
pub struct Clock {
    on_processor: Option<u64>,
    wall: std::time::Instant,
}

impl Clock {
    pub fn start() -> Clock {
        Clock {
            on_processor: on_processor(),
            wall: std::time::Instant::now(),
        }
    }

    /// Processor time since the start where the system tells it, else wall time.
    pub fn elapsed(&self) -> Duration {
        match (self.on_processor, on_processor()) {
            (Some(start), Some(now)) => Duration::from_nanos(now - start),
            _ => self.wall.elapsed(),
        }
    }
}

/// Nanoseconds of this thread on the processor (Linux).
fn on_processor() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    text.split(' ').next()?.parse().ok()
}
