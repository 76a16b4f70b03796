//! The program `croupier`: one subcommand for every job.

use std::process::ExitCode;

use clap::Parser;
use programs::command::Cli;
use programs::failure::{self, Failure};

fn main() -> ExitCode {
    // Reached by a link of this name, the program is the validator alone.
    let mut words: Vec<std::ffi::OsString> = std::env::args_os().collect();
    let name = words.first().map(|name| programs::program_name(name));
    if name.as_deref() == Some("deal-validator") {
        words.insert(1, "validate".into());
    }
    if let Some(expander) = name
        .as_deref()
        .and_then(programs::command::shapes::as_expander)
    {
        words.splice(1..1, expander);
    }
    let first = words.get(1).map(|word| word.to_string_lossy().into_owned());
    if let Some(word) =
        first.filter(|word| programs::command::poker::WORDS.contains(&word.as_str()))
    {
        let hint = format!("there is no command `{word}`; did you mean `croupier poker {word}`?");
        return Failure::usage(hint).report("croupier");
    }
    let cli = match Cli::try_parse_from(words) {
        Ok(cli) => cli,
        Err(error) => {
            return failure::tell(&error).unwrap_or_else(|failure| failure.report("croupier"));
        }
    };
    programs::choose_processor_path()
        .and_then(|()| cli.run())
        .unwrap_or_else(|failure| failure.report("croupier"))
}
