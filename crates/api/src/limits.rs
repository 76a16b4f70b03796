//! How much one question may ask for.

use crate::Problem;

/// Bounds on the work of one question. The defaults are those of a page on the asker's own machine.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limits {
    /// Bytes of a script or file.
    pub text: usize,
    /// Boards read, written or solved by one question.
    pub boards: usize,
    /// Deals tried where an exact count is not possible.
    pub samples: u64,
    /// Nanoseconds of estimated work for exact tables.
    pub exact_work: f64,
    /// Random deals of a poker question that cannot be counted.
    pub poker_samples: u64,
    /// Threads of one question.
    pub threads: usize,
    /// Megabytes of a solver.
    pub solver_memory: u32,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            text: 1 << 20,
            boards: 5_000,
            samples: 200_000,
            exact_work: 1e8,
            poker_samples: 20_000_000,
            threads: 1,
            solver_memory: 128,
        }
    }
}

impl Limits {
    /// Refuses a text that is too long.
    ///
    /// # Errors
    /// If it is.
    pub fn text(&self, text: &[u8]) -> Result<(), Problem> {
        if text.len() <= self.text {
            return Ok(());
        }
        Err(Problem::limit(format!(
            "the text has {} bytes; at most {} are taken",
            text.len(),
            self.text
        )))
    }

    /// Refuses too many boards.
    ///
    /// # Errors
    /// If there are.
    pub fn boards(&self, count: usize) -> Result<(), Problem> {
        if count <= self.boards {
            return Ok(());
        }
        Err(Problem::limit(format!(
            "{count} boards at once; at most {} are taken",
            self.boards
        )))
    }
}
