//! The program `dealer`: a drop-in replacement for the classic program of that name.

use std::process::ExitCode;

use clap::{Parser, Subcommand};
use command_line::limits::CommandLimits;
use croupier_dealer::shapes;

/// The one subcommand of `croupier` that a link to this program can start. The other subcommands are not compiled into
/// `dealer`.
#[derive(Parser)]
#[command(name = "croupier", version, about = "Deals and values cards.")]
struct Expander {
    #[command(subcommand)]
    command: ExpanderCommand,
    #[command(flatten)]
    limits: CommandLimits,
}

#[derive(Subcommand)]
enum ExpanderCommand {
    Shapes(shapes::Args),
}

fn main() -> ExitCode {
    // Started through a link named after DealerV2's shape expander, the program runs `croupier shapes`.
    let mut arguments: Vec<std::ffi::OsString> = std::env::args_os().collect();
    let name = arguments
        .first()
        .map(|name| command_line::program_name(name));
    if let Some(expander) = name.as_deref().and_then(shapes::as_expander) {
        arguments.splice(1..1, expander);
        let Expander { command, limits } = Expander::parse_from(arguments);
        let ExpanderCommand::Shapes(args) = command;
        limits.watch();
        return shapes::run(args).unwrap_or_else(|failure| failure.report("fdp"));
    }
    match command_line::choose_processor_path() {
        Ok(()) => croupier_dealer::main(std::env::args_os()),
        Err(failure) => failure.report("dealer"),
    }
}
