//! The switch `--solver-memory` of every command that solves deals.

use crate::system;
use croupier::solver::{DEFAULT_MEMORY, MIN_MEMORY, Solver, Team};

/// Memory of a solver in megabytes if the address space is limited. A failed allocation would abort the process.
const LIMITED_MEMORY: u32 = 32;

/// Memory of each thread's solver.
#[derive(Clone, Copy, Debug, clap::Args)]
pub struct SolverMemory {
    /// Memory of each thread's double-dummy solver in megabytes, at least 2. Results do not depend on it; few deals
    /// need more than 10.
    #[arg(long = "solver-memory", value_name = "MB", default_value_t = DEFAULT_MEMORY,
        value_parser = clap::value_parser!(u32).range(i64::from(MIN_MEMORY)..=1 << 20))]
    megabytes: u32,
}

impl SolverMemory {
    /// Returns the memory in megabytes; less if the address space is limited.
    #[must_use]
    pub fn megabytes(self) -> u32 {
        match system::address_space_left() {
            None => self.megabytes,
            Some(_) => self.megabytes.min(LIMITED_MEMORY),
        }
    }

    /// Creates a solver with this memory.
    #[must_use]
    pub fn solver(self) -> Solver {
        Solver::with_memory(self.megabytes())
    }

    /// Creates a team of `threads` workers that solve one table together, with this memory each.
    #[must_use]
    pub fn team(self, threads: usize) -> Team {
        Team::with_memory(threads, self.megabytes())
    }
}
