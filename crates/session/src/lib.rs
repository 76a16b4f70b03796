//! The front door: a script, the caller's wishes and the defaults become a run, and the run becomes an [`Outcome`].

mod outcome;
mod table;
mod text;

pub use engine::{Ended, Frequency, Frequency2, Moments, Scale, TrickCounts};
pub use outcome::{Calls, Column, Origin, Outcome, SolverCalls};
pub use table::{Table, TableData};
