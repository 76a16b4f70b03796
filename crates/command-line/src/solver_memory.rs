//! `--solver-memory`, the same switch wherever deals are solved.

use crate::system;
use croupier::solver::{DEFAULT_MEMORY, MIN_MEMORY, Solver, Team};

/// Megabytes of a solver where the address space is limited: a solver that gets no memory ends the program.
const CRAMPED: u32 = 32;

/// How much memory each thread's solver may use.
#[derive(Clone, Copy, Debug, clap::Args)]
pub struct SolverMemory {
    /// Megabytes a thread's double-dummy solver may use, at least 2. Results do not depend on it; few deals need more
    /// than 10.
    #[arg(long = "solver-memory", value_name = "MB", default_value_t = DEFAULT_MEMORY,
        value_parser = clap::value_parser!(u32).range(i64::from(MIN_MEMORY)..=1 << 20))]
    megabytes: u32,
}

impl SolverMemory {
    /// That much, in megabytes; less where the address space is limited.
    #[must_use]
    pub fn megabytes(self) -> u32 {
        match system::address_space_left() {
            None => self.megabytes,
            Some(_) => self.megabytes.min(CRAMPED),
        }
    }

    /// A solver with that much.
    #[must_use]
    pub fn solver(self) -> Solver {
        Solver::with_memory(self.megabytes())
    }

    /// Threads that solve one table together, with that much each.
    #[must_use]
    pub fn team(self, threads: usize) -> Team {
        Team::with_memory(threads, self.megabytes())
    }
}
