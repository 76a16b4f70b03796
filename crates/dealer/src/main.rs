//! The program `dealer`: the drop-in successor of the classic.

use std::process::ExitCode;

use clap::{Parser, Subcommand};
use command_line::limits::Limits;
use dealer::shapes;

/// The one subcommand of `croupier` that is also reached by a link to this program. The others are not linked into it.
#[derive(Parser)]
#[command(name = "croupier", version, about = "Deals and values cards.")]
struct Expander {
    #[command(subcommand)]
    command: ExpanderCommand,
    #[command(flatten)]
    limits: Limits,
}

#[derive(Subcommand)]
enum ExpanderCommand {
    Shapes(shapes::Args),
}

fn main() -> ExitCode {
    // Reached by a link with the name of DealerV2's expander of shapes, the program is that.
    let mut words: Vec<std::ffi::OsString> = std::env::args_os().collect();
    let name = words.first().map(|name| command_line::program_name(name));
    if let Some(expander) = name.as_deref().and_then(shapes::as_expander) {
        words.splice(1..1, expander);
        let Expander { command, limits } = Expander::parse_from(words);
        let ExpanderCommand::Shapes(args) = command;
        limits.watch();
        return shapes::run(args).unwrap_or_else(|failure| failure.report("fdp"));
    }
    match command_line::choose_processor_path() {
        Ok(()) => dealer::main(std::env::args_os()),
        Err(failure) => failure.report("dealer"),
    }
}
