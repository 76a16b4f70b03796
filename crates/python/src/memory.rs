//! Memory for large results: a failed allocation, or one that the machine cannot serve, becomes `MemoryError`.

use std::collections::TryReserveError;
use std::fs;

/// Size of a request from which on the free memory is looked up, in bytes. Smaller requests need not wait for a file.
const LARGE: usize = 64 << 20;

/// The error that there is not enough memory for more rows.
#[derive(Debug)]
pub struct OutOfMemory;

impl From<TryReserveError> for OutOfMemory {
    fn from(_: TryReserveError) -> OutOfMemory {
        OutOfMemory
    }
}

/// Checks that the machine can serve a request of `bytes` bytes. Linux grants almost any request and ends the process later,
/// when the memory is used.
///
/// # Errors
/// If less memory is free, where that is known.
pub fn check(bytes: usize) -> Result<(), OutOfMemory> {
    match bytes >= LARGE && available().is_some_and(|free| (bytes as u64) > free) {
        true => Err(OutOfMemory),
        false => Ok(()),
    }
}

/// Returns the free memory in bytes: that of the machine, or of the control group if it has less.
fn available() -> Option<u64> {
    let machine = fs::read_to_string("/proc/meminfo").ok()?;
    let line = machine
        .lines()
        .find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kilobytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    let number = |name: &str| -> Option<u64> {
        let text = fs::read_to_string(format!("/sys/fs/cgroup/{name}")).ok()?;
        text.trim().parse().ok()
    };
    let group = number("memory.max").zip(number("memory.current"));
    let group = group.map(|(most, used)| most.saturating_sub(used));
    Some((kilobytes << 10).min(group.unwrap_or(u64::MAX)))
}
