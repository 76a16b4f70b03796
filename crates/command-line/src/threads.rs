//! The switch `-j` of every command with several threads.

use croupier::engine::parallel;

use crate::system;

/// Estimated address space per thread in bytes: its stack, the reserve of the allocator, and a solver.
const BYTES_PER_THREAD: u64 = 128 << 20;

/// Number of threads.
#[derive(Clone, Copy, Debug, Default, clap::Args)]
pub struct Threads {
    /// Threads to use; 0 means one for each core. The output does not depend on it.
    #[arg(
        short = 'j',
        visible_short_alias = 'R',
        id = "threads",
        long = "threads",
        value_name = "N",
        default_value_t = 0
    )]
    number: usize,
}

impl Threads {
    /// Returns the number of threads to start.
    #[must_use]
    pub fn count(self) -> usize {
        affordable(self.number)
    }
}

/// Returns the number of threads to start if `wanted` are requested (0 means one for each core): fewer if the address
/// space is limited.
#[must_use]
pub fn affordable(wanted: usize) -> usize {
    let wanted = parallel::threads(wanted);
    match system::address_space_left() {
        None => wanted,
        Some(left) => wanted.min((left / BYTES_PER_THREAD) as usize).max(1),
    }
}
