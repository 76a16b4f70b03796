//! Processor time of this thread, which other load on the machine disturbs less than wall time.

use std::time::Duration;

/// The start of a measurement.
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

    /// Returns the processor time since the start where the system reports it, else wall time.
    pub fn elapsed(&self) -> Duration {
        match (self.on_processor, on_processor()) {
            (Some(start), Some(now)) => Duration::from_nanos(now - start),
            _ => self.wall.elapsed(),
        }
    }
}

/// Returns the nanoseconds that this thread has run on a processor (Linux).
fn on_processor() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    text.split(' ').next()?.parse().ok()
}
