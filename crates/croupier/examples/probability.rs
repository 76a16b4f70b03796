//! Computes how often a condition holds, exactly and without sampling.

use croupier::{Error, Job};

pub(crate) fn main() -> Result<(), Error> {
    let script = "condition hcp(north) >= 15 and hcp(north) <= 17 and shape(north, any 4333 + any 4432 + any 5332)";
    let chances = Job::new(script).seed(1).prepare()?.chances(100_000, 1e8)?;
    let count = &chances.condition.bound;
    let kind = if chances.condition.is_exact() {
        "exactly"
    } else {
        "at most"
    };
    println!(
        "{kind} {} of {} {}: {} %",
        count.hits(),
        count.out_of(),
        count.unit(),
        count.decimal(8, 2)
    );
    Ok(())
}
