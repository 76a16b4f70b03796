//! Functions with which tests run `dealer`.

use std::process::{Command, Output};

use crate::calls::feed;
pub use crate::calls::out;

/// Runs `dealer` with a script on standard input.
pub fn dealer(switches: &[&str], script: &str) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_dealer"));
    feed(command.env_remove("CROUPIER_COMPAT").args(switches), script)
}
