//! Games of two ranges after the flop.
//!
//! A [`Spot`] is the problem: board, ranges, pot, stack and bet sizes. A [`PostflopSolver`] improves both players' strategies
//! in each iteration. [`PostflopSolver::exploitability`] is half of the chips that best responses to both strategies would win
//! together. [`PostflopSolver::report`] shows a decision: the strategy and the expected value of every hand.
//!
//! Expected values are the chips that a player gets back from here on, including those already in the pot. At any
//! decision the values of both players add up to the pot.

mod bets;
mod cfr;
mod deals;
mod evaluate;
mod game;
mod path;
mod report;
mod river;
mod save;
mod solver;
mod spot;
mod storage;
mod suits;
mod threads;
mod tree;

pub use bets::{BetSize, BetSizeError, SizeTable, Street};
pub use report::{HandReport, NodeReport};
pub use save::GameFileError;
pub use solver::{
    GameSize, PostflopGoals, PostflopSolver, SolverOptions, SolverOutcome, SolverProgress,
};
pub use spot::{
    DEFAULT_ALL_IN_THRESHOLD, DEFAULT_BETS, DEFAULT_RAISE_LIMIT, DEFAULT_RAISES, LockError,
    LockedNode, MOST_RAISES, PathError, Spot, SpotError,
};
pub use storage::StoragePrecision;
pub use tree::BettingAction;
