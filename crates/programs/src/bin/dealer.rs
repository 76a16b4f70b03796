//! The program `dealer`: the drop-in successor of the classic.

use std::process::ExitCode;

use clap::Parser;
use programs::command::{Cli, shapes};

fn main() -> ExitCode {
    // Reached by a link with the name of DealerV2's expander of shapes, the program is that.
    let mut words: Vec<std::ffi::OsString> = std::env::args_os().collect();
    let name = words.first().map(|name| programs::program_name(name));
    if let Some(expander) = name.as_deref().and_then(shapes::as_expander) {
        words.splice(1..1, expander);
        let done = Cli::parse_from(words).run();
        return done.unwrap_or_else(|failure| failure.report("fdp"));
    }
    match programs::choose_processor_path() {
        Ok(()) => programs::dealer::main(std::env::args_os()),
        Err(failure) => failure.report("dealer"),
    }
}
