//! The subcommands of `croupier`, one file each, and the enumeration of them.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{ArgMatches, Parser, Subcommand};
use dealer::shapes;

use crate::failure::Failure;
use crate::limits::CommandLimits;
use crate::new_file::{check_output, protect_existing};

pub mod bench;
#[cfg(feature = "bidding")]
pub mod bid;
pub mod compare;
#[cfg(feature = "bidding")]
pub mod contest;
pub mod convert;
pub mod deal;
pub mod fmt;
#[cfg(feature = "bidding")]
pub mod infer;
pub mod lead;
pub mod lsp;
pub mod manual;
pub mod merge;
pub mod metrics;
pub mod plan;
pub mod play;
pub mod poker;
pub mod probability;
pub mod profile;
pub mod record;
pub mod results;
pub mod scenario;
#[cfg(feature = "serve")]
pub mod serve;
pub mod solve;
pub mod suit;
#[cfg(feature = "bidding")]
pub mod system;
pub mod validate;
pub mod value;
pub mod verify;

/// Command line of `croupier`. The text of its help is in `about` below.
#[derive(Parser)]
#[command(name = "croupier", version, about, long_about = None)]
pub struct Cli {
    /// The subcommand to run.
    #[command(subcommand)]
    pub command: Command,
    #[command(flatten)]
    limits: CommandLimits,
    /// Replace files that exist.
    #[arg(long, global = true)]
    force: bool,
}

/// The arguments that name a file to write.
const OUTPUTS: [&str; 2] = ["output", "html"];

/// Checks that no file named on the command line would be replaced, before the work begins.
fn check_outputs(matches: &ArgMatches) -> Result<(), Failure> {
    for id in OUTPUTS {
        if let Ok(Some(paths)) = matches.try_get_many::<PathBuf>(id) {
            paths.map(PathBuf::as_path).try_for_each(check_output)?;
        }
    }
    match matches.subcommand() {
        Some((_, inner)) => check_outputs(inner),
        None => Ok(()),
    }
}

impl Cli {
    /// Runs the subcommand within the limits on time and memory.
    ///
    /// # Errors
    /// The failure of the subcommand, with its exit status.
    pub fn run(mut self, matches: &ArgMatches) -> Result<ExitCode, Failure> {
        // `solve` continues an existing file, and `deal` passes its arguments to dealer: both get `--force` and check
        // their outputs themselves.
        let replaces = matches!(self.command, Command::Deal(_) | Command::Solve(_));
        if !self.force && !replaces {
            protect_existing();
            check_outputs(matches)?;
        }
        match &mut self.command {
            Command::Solve(args) => args.overwrite = self.force,
            Command::Deal(args) => args.force = self.force,
            _ => {}
        }
        let mut limits = self.limits;
        if self.command.has_time_of_its_own() {
            limits.time = None;
        }
        #[cfg(feature = "serve")]
        if let Command::Serve(args) = self.command {
            // The server applies the limit to each request; the process itself has no limit.
            let memory = limits.memory.take();
            return serve::run(args, memory);
        }
        limits.watch();
        self.command.run()
    }
}

/// Subcommands of `croupier`. The help of a variant is the doc comment of its arguments.
#[derive(Subcommand)]
#[expect(
    missing_docs,
    reason = "a comment here would replace the help text of the command"
)]
pub enum Command {
    Bench(bench::Args),
    #[cfg(feature = "bidding")]
    Bid(Box<bid::Args>),
    Compare(compare::Args),
    Completions(manual::CompletionArgs),
    Convert(convert::Args),
    Deal(deal::Args),
    Fmt(fmt::Args),
    #[cfg(feature = "bidding")]
    Infer(Box<infer::Args>),
    Lead(lead::Args),
    Lsp(lsp::Args),
    Man(manual::ManArgs),
    #[cfg(feature = "bidding")]
    Match(Box<contest::Args>),
    Merge(merge::Args),
    Metrics(metrics::Args),
    Plan(Box<plan::Args>),
    Play(play::Args),
    Shapes(shapes::Args),
    Solve(solve::Args),
    Suit(suit::Args),
    #[cfg(feature = "bidding")]
    System(system::Args),
    Poker(poker::Args),
    Probability(probability::Args),
    Profile(profile::Args),
    Record(record::Args),
    Results(results::Args),
    Scenario(scenario::Args),
    #[cfg(feature = "serve")]
    Serve(serve::Args),
    Validate(validate::Args),
    Value(value::Args),
    Verify(verify::Args),
}

impl Command {
    /// Returns whether the subcommand has a switch `--time` of its own, which does not limit the whole command.
    fn has_time_of_its_own(&self) -> bool {
        match self {
            Command::Bench(_) => true,
            Command::Poker(args) => args.is_bench(),
            #[cfg(feature = "serve")]
            Command::Serve(_) => true,
            _ => false,
        }
    }

    fn run(self) -> Result<ExitCode, Failure> {
        match self {
            Command::Bench(args) => bench::run(args),
            #[cfg(feature = "bidding")]
            Command::Bid(args) => bid::run(*args),
            Command::Compare(args) => compare::run(args),
            Command::Completions(args) => manual::completions(args),
            Command::Convert(args) => convert::run(args),
            Command::Deal(args) => deal::run(args),
            Command::Fmt(args) => fmt::run(args),
            #[cfg(feature = "bidding")]
            Command::Infer(args) => infer::run(*args),
            Command::Lead(args) => lead::run(args),
            Command::Lsp(args) => lsp::run(args),
            Command::Man(args) => manual::man(args),
            #[cfg(feature = "bidding")]
            Command::Match(args) => contest::run(*args),
            Command::Merge(args) => merge::run(args),
            Command::Metrics(args) => metrics::run(args),
            Command::Plan(args) => plan::run(*args),
            Command::Play(args) => play::run(args),
            Command::Shapes(args) => shapes::run(args),
            Command::Solve(args) => solve::run(args),
            Command::Suit(args) => suit::run(args),
            #[cfg(feature = "bidding")]
            Command::System(args) => system::run(args),
            Command::Poker(args) => poker::run(args),
            Command::Probability(args) => probability::run(args),
            Command::Profile(args) => profile::run(args),
            Command::Record(args) => record::run(args),
            Command::Results(args) => results::run(args),
            Command::Scenario(args) => scenario::run(args),
            #[cfg(feature = "serve")]
            Command::Serve(args) => serve::run(args, None),
            Command::Validate(args) => validate::run(args),
            Command::Value(args) => value::run(args),
            Command::Verify(args) => verify::run(args),
        }
    }
}
