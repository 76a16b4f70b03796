//! `-j`, the same switch wherever several threads work.

use croupier::engine::parallel;

use crate::system;

/// Bytes of address space that a thread takes: its stack, what the allocator reserves for it, and a solver.
const SPACE: u64 = 128 << 20;

/// How many threads work.
#[derive(Clone, Copy, Debug, Default, clap::Args)]
pub struct Threads {
    /// Threads; 0 means one for each core. The output does not depend on it.
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
    /// The number of threads to start.
    #[must_use]
    pub fn count(self) -> usize {
        affordable(self.number)
    }
}

/// The number of threads to start when `wanted` are asked for (0 means one for each core): as many as there is address
/// space for, where that is limited.
#[must_use]
pub fn affordable(wanted: usize) -> usize {
    let wanted = parallel::threads(wanted);
    match system::address_space_left() {
        None => wanted,
        Some(left) => wanted.min((left / SPACE) as usize).max(1),
    }
}
