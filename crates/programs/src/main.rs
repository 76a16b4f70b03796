//! The program `croupier`: one subcommand for every job.

use std::process::ExitCode;

use clap::{CommandFactory, FromArgMatches};
use command_line::failure::{self, Failure};
use croupier_programs::command::Cli;

fn main() -> ExitCode {
    // Through a link with the name of dealer, of the validator or of the shape expander, the program runs only that
    // command.
    let mut arguments: Vec<std::ffi::OsString> = std::env::args_os().collect();
    let name = arguments
        .first()
        .map(|name| command_line::program_name(name));
    if name.as_deref().is_some_and(dealer::is_program_name) {
        return match command_line::choose_processor_path() {
            Ok(()) => dealer::main_with(arguments, croupier_programs::ADDITIONS),
            Err(failure) => failure.report("dealer"),
        };
    }
    if name.as_deref() == Some("deal-validator") {
        arguments.insert(1, "validate".into());
    }
    if let Some(expander) = name.as_deref().and_then(dealer::shapes::as_expander) {
        arguments.splice(1..1, expander);
    }
    let first = arguments
        .get(1)
        .map(|word| word.to_string_lossy().into_owned());
    if let Some(word) =
        first.filter(|word| croupier_programs::command::poker::SUBCOMMANDS.contains(&word.as_str()))
    {
        let hint = format!("there is no command `{word}`; did you mean `croupier poker {word}`?");
        return Failure::usage(hint).report("croupier");
    }
    let matches = Cli::command().try_get_matches_from(arguments);
    let parsed = matches.and_then(|matches| Ok((Cli::from_arg_matches(&matches)?, matches)));
    let (cli, matches) = match parsed {
        Ok(parsed) => parsed,
        Err(error) => {
            return failure::print_clap_message(&error)
                .unwrap_or_else(|failure| failure.report("croupier"));
        }
    };
    command_line::choose_processor_path()
        .and_then(|()| cli.run(&matches))
        .unwrap_or_else(|failure| failure.report("croupier"))
}
