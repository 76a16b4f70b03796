//! The program `croupier`: one subcommand for every job.

use std::process::ExitCode;

use clap::Parser;
use programs::command::Cli;

fn main() -> ExitCode {
    // Reached by a link of this name, the program is the validator alone.
    let mut words: Vec<std::ffi::OsString> = std::env::args_os().collect();
    let name = words.first().map(|name| programs::program_name(name));
    if name.as_deref() == Some("deal-validator") {
        words.insert(1, "validate".into());
    }
    let cli = Cli::parse_from(words);
    programs::choose_processor_path()
        .and_then(|()| cli.command.run())
        .unwrap_or_else(|failure| failure.report("croupier"))
}
