//! The tests of `croupier-solver`: one program with a module for each feature.

#[path = "../common/mod.rs"]
mod common;
#[path = "../oracle/mod.rs"]
mod oracle;
#[path = "../peer/mod.rs"]
mod peer;
#[path = "../calls/mod.rs"]
mod recorded_calls;

mod batch;
mod calls;
mod deciding;
mod endings;
mod freaks;
mod oracle_answers;
mod par;
mod recorded;
mod second_solver;
mod tables;
