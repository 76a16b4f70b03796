//! The switches of `dealer` in the native dialect. From these declarations come the parser, `--help`, the man page and
//! the shell completions.

mod options;
mod values;

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use clap::{ArgAction, Parser};
use croupier::cards::{Seat, Vulnerability};
use croupier::render::{RenderFormat, TableFile};
use croupier::script::DIALECTS;
use croupier::shuffle::{Key, Swap};

use super::command_line::Shard;
use values::{
    SamplerSwitch, Tournament, Variables, count, levels, minutes, par_vulnerability, parameter,
    seat, shard, swap, tournament, whole,
};

pub(super) use options::CALL_COUNTS_LEVEL;
pub(super) use options::read;
pub use values::{UnknownFormat, deal_format};
pub(super) use values::{debug_levels, side_file};

use crate::limits::CommandLimits;
use crate::solver_memory::SolverMemory;

const LONG_ABOUT: &str = "\
Deals bridge hands that satisfy the conditions of a script and prints or counts them.

It replaces the classic dealer and DealerV2: it reads their scripts and accepts their switches. \
A seed always gives the same deals, but not the deals that the old programs make from it. For \
those use --compat v1, --compat v2 or --legacy: then deals, pages and the meaning of the switches \
are exactly those of the old program.

Example: dealer -p 10 -s 1 script.dl prints 10 deals that satisfy the condition in script.dl.";

/// Returns the text after the switches: the dialects, and the exit status.
fn after_help() -> String {
    let dialects = &DIALECTS[1..];
    let rows: String = dialects
        .iter()
        .map(|row| format!("  --compat {:<9} {}\n", row.name, row.about))
        .collect();
    let names: Vec<&str> = dialects.iter().map(|row| row.name).collect();
    format!(
        "Compatibility (read before all other switches):
{rows}  --legacy           short for --compat exe
The environment variable CROUPIER_COMPAT={} has the same effect, and so have links to
the program that are named dealerv1 or dealerv2.
{EXIT_STATUS}",
        names.join("|")
    )
}

const EXIT_STATUS: &str = "
Exit status: 0 success, 1 failure or nothing produced in time, 2 wrong switches, 130 interrupted,
124 a limit of --time or --memory was reached.";

/// Deals bridge hands that satisfy a script.
#[derive(Clone, Debug, Parser)]
#[command(
    name = "dealer",
    version,
    long_about = LONG_ABOUT,
    after_help = after_help(),
    disable_help_flag = true,
    disable_version_flag = true,
    args_override_self = true,
    group = clap::ArgGroup::new("cut").multiple(true)
)]
pub struct Cli {
    /// Script to run; without it, or with `-`, standard input
    #[arg(value_name = "SCRIPT")]
    pub scripts: Vec<OsString>,

    /// Stop after N deals that satisfy the condition; overrides `produce` in the script
    #[arg(
        short,
        visible_short_alias = 'n',
        long,
        visible_alias = "number",
        value_name = "N",
        allow_hyphen_values = true,
        value_parser = count,
        help_heading = "Dealing"
    )]
    pub produce: Option<i64>,
    /// Try at most N deals; overrides `generate` in the script
    #[arg(
        short,
        long,
        value_name = "N",
        allow_hyphen_values = true,
        value_parser = count,
        help_heading = "Dealing"
    )]
    pub generate: Option<i64>,
    /// Seed of the random deals: a number, or key: and up to 64 hexadecimal digits. A seed always gives the same deals
    /// [default: a random one]. With -L: the block of the library to start at
    #[arg(
        short,
        long,
        value_name = "N",
        allow_hyphen_values = true,
        help_heading = "Dealing"
    )]
    pub seed: Option<Key>,
    /// Also use each deal with hands exchanged: -x 2 exchanges East and West (2 deals of each), -x 3 permutes East,
    /// South and West (6 of each)
    #[arg(short = 'x', long, value_name = "0|2|3", value_parser = swap, help_heading = "Dealing")]
    pub exchange: Option<Swap>,
    /// Cards for North, for example SAKQ,H2; replaces those of the script
    #[arg(short = 'N', long, value_name = "CARDS", help_heading = "Dealing")]
    pub north: Option<String>,
    /// Cards for East
    #[arg(short = 'E', long, value_name = "CARDS", help_heading = "Dealing")]
    pub east: Option<String>,
    /// Cards for South
    #[arg(short = 'S', long, value_name = "CARDS", help_heading = "Dealing")]
    pub south: Option<String>,
    /// Cards for West
    #[arg(short = 'W', long, value_name = "CARDS", help_heading = "Dealing")]
    pub west: Option<String>,
    /// Take the deals from a library of solved deals (format ZRD) instead of dealing
    #[arg(short = 'L', long, value_name = "FILE", help_heading = "Dealing")]
    pub library: Option<PathBuf>,
    /// Take the deals from a file or standard input (-) instead of dealing; reads PBN, LIN, one-line, printed pages,
    /// CSV, JSON, DL52, ZRD and more. A deal itself may be given too
    #[arg(long, value_name = "FILE", help_heading = "Dealing",
          conflicts_with_all = ["library", "exchange", "north", "east", "south", "west", "tournament"])]
    pub input_deals: Option<PathBuf>,
    /// Skip the first N deals of --input-deals
    #[arg(
        long,
        value_name = "N",
        default_value_t = 0,
        requires = "input_deals",
        help_heading = "Dealing"
    )]
    pub input_offset: usize,
    /// Use at most N deals of --input-deals
    #[arg(
        long,
        value_name = "N",
        requires = "input_deals",
        help_heading = "Dealing"
    )]
    pub input_limit: Option<usize>,
    /// Deal boards for a tournament, with a secret key: every deal is possible, nobody can predict the boards, and with
    /// the key everybody can verify them afterwards (see croupier verify). KEY is a key file or its hexadecimal digits,
    /// to deal its boards again
    #[arg(long, value_name = "KEY", num_args = 0..=1, require_equals = true, default_missing_value = "",
          value_parser = tournament, help_heading = "Dealing", conflicts_with_all = ["library", "seed", "exchange"])]
    pub tournament: Option<Tournament>,
    /// Let a public value of the future, described in these words, decide the deals together with the key, as in
    /// --beacon 'closing value of the Dow Jones on 1 December'. Writes the key file and prints the commitment; deals
    /// nothing yet
    #[arg(
        long,
        value_name = "WORDS",
        requires = "tournament",
        conflicts_with = "beacon_value",
        help_heading = "Dealing"
    )]
    pub beacon: Option<String>,
    /// The public value that --beacon described, now that it is known. Deals the boards of the key file:
    /// --tournament=final.key --beacon-value 44910.65
    #[arg(
        long,
        value_name = "VALUE",
        requires = "tournament",
        help_heading = "Dealing"
    )]
    pub beacon_value: Option<String>,
    /// File for the key of --tournament, readable only by you [default: the file of -o with the ending .key]
    #[arg(
        long,
        value_name = "FILE",
        requires = "tournament",
        help_heading = "Dealing"
    )]
    pub key_file: Option<PathBuf>,
    /// Deal hands that satisfy the condition directly instead of dealing at random and testing: auto (if that is
    /// faster), on or off. The results are equally random
    #[arg(
        long,
        value_name = "WHEN",
        default_value = "auto",
        help_heading = "Dealing"
    )]
    pub sampler: SamplerSwitch,
    /// Make classes of deals equally frequent, or in these ratios: Game=2,Slam=1 or Game=60%,Slam=40%. Classes are
    /// variables of the script named HandType_Game and so on, or any variable that you name here. If the script has
    /// LevelType_ variables too, each of them is combined with each HandType_ (a pair: Game*Weak=2)
    #[arg(long, value_name = "CLASS=N,...", num_args = 0..=1, default_missing_value = "",
          conflicts_with_all = ["library", "input_deals", "exchange"], help_heading = "Dealing")]
    pub level: Option<String>,
    /// Shares of the classes for --level: even, or a weight or percentage for each class in the order of the script
    #[arg(long, value_name = "even|N,N,...", conflicts_with_all = ["library", "input_deals", "exchange"],
          help_heading = "Dealing")]
    pub level_target: Option<String>,
    /// Reorder the produced deals so that the classes (HandType_...) alternate evenly
    #[arg(long, conflicts_with_all = ["library", "input_deals", "exchange", "tournament", "mix"], help_heading = "Dealing")]
    pub interleave: bool,
    /// Distribute the classes of --level and the scripts of --mix evenly over the boards, so that every round has each
    /// of them as often as its share. Without this switch their order is random, so that nobody can predict the next
    /// board
    #[arg(long, conflicts_with_all = ["library", "input_deals", "exchange"], help_heading = "Dealing")]
    pub even: bool,
    /// Seed of the function rnd(), independent of the seed of the deals
    #[arg(
        long,
        value_name = "N",
        allow_hyphen_values = true,
        value_parser = whole,
        help_heading = "Dealing"
    )]
    pub rnd_seed: Option<i64>,
    /// Deal until the averages are precise: until half the width of their 95 % confidence intervals is at most
    /// HALF_WIDTH. Write 0.5% for averages of conditions; 0.05 tricks, 0.2 imps or 5 points for averages of numbers.
    /// Counts every `average` that needs the double-dummy solver (every `average` if none does) and every
    /// `evalcontract`. -p limits the number of deals [default: no limit]
    #[arg(long, value_name = "HALF_WIDTH", help_heading = "Dealing",
          conflicts_with_all = ["level", "mix", "tournament", "partial", "check", "explain", "explain_deal"])]
    pub precision: Option<croupier::session::Precision>,
    /// With --level: deal at most N deals for each deal kept; the shares move towards the natural ones as far as needed
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..), help_heading = "Dealing")]
    pub level_budget: Option<u64>,
    /// Write the script with measured keep rates to this file, for programs without --level
    #[arg(
        long,
        value_name = "FILE",
        conflicts_with = "tournament",
        help_heading = "Dealing"
    )]
    pub write_leveled: Option<PathBuf>,
    /// Mix the deals of several scripts in these ratios: 2:1. The actions of the first script apply
    #[arg(long, value_name = "N:N...", conflicts_with_all = ["level", "library", "input_deals", "exchange", "tournament"],
          help_heading = "Dealing")]
    pub mix: Option<String>,
    /// Deal only part K (from 1) of N of the run; croupier merge joins the parts
    #[arg(long, value_name = "K/N", value_parser = shard, requires = "partial", group = "cut", help_heading = "Dealing",
          conflicts_with_all = ["library", "input_deals", "level", "even", "mix", "csv", "export", "write_zrd", "write_dl52",
                                "report", "tables", "timeout"])]
    pub shard: Option<Shard>,
    /// File for the part of --shard, or for the state of a run with --every
    #[arg(long, value_name = "FILE", requires = "cut", help_heading = "Dealing")]
    pub partial: Option<PathBuf>,
    /// Save the state of the run to the file of --partial every MINUTES minutes. If the run is interrupted, start the
    /// same command again: it continues from the file and prints the result of an uninterrupted run
    #[arg(long, value_name = "MINUTES", value_parser = minutes, requires = "partial", group = "cut", help_heading = "Dealing",
          conflicts_with_all = ["library", "input_deals", "level", "even", "mix", "timeout", "stats_json", "csv", "export", "write_zrd",
                                "write_dl52"])]
    pub every: Option<Duration>,
    /// Stop dealing after N seconds and print the results so far; exit status 1 if there are none
    #[arg(short = 't', long, value_name = "N", help_heading = "Dealing")]
    pub timeout: Option<u64>,
    /// Threads to use; 0 means all cores. The output does not depend on it
    #[arg(
        short = 'j',
        visible_short_alias = 'R',
        long,
        value_name = "N",
        default_value_t = 0,
        help_heading = "Dealing"
    )]
    pub threads: usize,
    /// Blocks of deals per work unit of a thread; 0 chooses automatically. The output does not depend on it
    #[arg(long, value_name = "N", default_value_t = 0, help_heading = "Dealing")]
    pub batch_size: usize,
    #[command(flatten, next_help_heading = "Dealing")]
    memory: SolverMemory,

    /// Format of every deal instead of the output of the script; the help text lists the names.
    #[arg(short, long, value_name = "FORMAT", value_parser = deal_format, help = values::format_help(), help_heading = "Output")]
    pub format: Option<&'static RenderFormat>,
    /// File for the deals instead of standard output; its ending selects the format. The file appears only when it is
    /// complete. Several -o write the same deals in several formats: -o a.pbn -o a.lin -o a.dup
    #[arg(short, long, value_name = "FILE", conflicts_with_all = ["no_deals", "shard", "stats_json"], help_heading = "Output")]
    pub output: Vec<PathBuf>,
    /// Replace files that exist. Without it no output replaces a file; a checkpoint of this run is continued
    #[arg(long, help_heading = "Output")]
    pub force: bool,
    /// Number of the first board; overrides `startboard` in the script
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(i64).range(1..), help_heading = "Output")]
    pub first_board: Option<i64>,
    /// Rotate the deals so that dealer and vulnerability follow the board number
    #[arg(long, conflicts_with = "vulnerable", help_heading = "Output")]
    pub rotate: bool,
    /// Dealer of all boards: N, E, S or W; overrides `dealer` in the script
    #[arg(short, long, value_name = "SEAT", value_parser = seat, help_heading = "Output")]
    pub dealer: Option<Seat>,
    /// Vulnerability of all boards: none, ns, ew or all; overrides `vulnerable` in the script
    #[arg(long, value_name = "WHO", help_heading = "Output")]
    pub vulnerable: Option<Vulnerability>,
    /// Title of the pages; overrides `title` in the script, and '' removes it
    #[arg(short = 'T', long, value_name = "TEXT", help_heading = "Output")]
    pub title: Option<OsString>,
    /// Hide the statistics at the end (a second -v shows them again)
    #[arg(short = 'v', long = "verbose", action = ArgAction::Count, help_heading = "Output")]
    pub toggle_statistics: u8,
    /// Print the statistics, regardless of -v
    #[arg(long, help_heading = "Output")]
    pub stats_on: bool,
    /// Let `printpbn` print nothing (a second -q lets it print again)
    #[arg(short = 'q', long = "quiet", action = ArgAction::Count, help_heading = "Output")]
    pub toggle_quiet: u8,
    /// Print the tables and statistics as one JSON object; with --no-deals print nothing else
    #[arg(long, conflicts_with_all = ["report", "format"], help_heading = "Output")]
    pub stats_json: bool,
    /// Put an apostrophe before text in CSV output (-f csv, -C, csvrpt, --tables) that a spreadsheet would interpret as
    /// a formula
    #[arg(long, help_heading = "Output")]
    pub csv_safe: bool,
    /// Print no deals at all, only tables and statistics
    #[arg(long, help_heading = "Output")]
    pub no_deals: bool,
    /// Show the progress meter of the classic programs on standard error
    #[arg(short = 'm', long, help_heading = "Output")]
    pub progress: bool,

    /// File for `csvrpt`. Text is appended; write w: before the name to replace the file
    #[arg(
        short = 'C',
        long = "csv",
        alias = "CSV",
        value_name = "[w:]FILE",
        help_heading = "Files"
    )]
    pub csv: Option<OsString>,
    /// File for the output of `export`
    #[arg(short = 'X', long, value_name = "FILE", help_heading = "Files")]
    pub export: Option<PathBuf>,
    /// Append the deals with all double-dummy results (format ZRD); w: before the name replaces the file, N: leaves the
    /// results out
    #[arg(short = 'Z', long, value_name = "[wN:]FILE", help_heading = "Files")]
    pub write_zrd: Option<OsString>,
    /// Append the deals in 52 bytes each (format DL52); w: before the name replaces the file
    #[arg(short = 'l', long, value_name = "[w:]FILE", help_heading = "Files")]
    pub write_dl52: Option<OsString>,

    /// Write all averages, frequencies and contracts as data, without the deals: .csv, .json, or .svg for charts; may
    /// be repeated
    #[arg(long, value_name = "FILE", help_heading = "Files")]
    pub tables: Vec<TableFile>,

    /// Print averages, shares and their intervals with N decimals [default: as many as the 95 % confidence intervals
    /// support]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(0..=15), help_heading = "Output")]
    pub digits: Option<u8>,
    /// Write the results as an HTML page, to be opened in a browser: boards as diagrams, tables as charts
    #[arg(long, value_name = "FILE", help_heading = "Files")]
    pub report: Option<PathBuf>,
    /// Show the first N boards on this page [default: 500 if the script prints deals, else none]
    #[arg(long, value_name = "N", requires = "report", help_heading = "Files")]
    pub report_boards: Option<u64>,

    /// Vulnerability for `par` and `parcontract` if they give none: 0 none, 1 NS, 2 EW, 3 both
    #[arg(short = 'P', long, value_name = "0..3", value_parser = par_vulnerability, help_heading = "Evaluation")]
    pub par_vulnerability: Option<Vulnerability>,
    /// Bidding system for `bids`, `contract`, `declarer` and `score(NS)`: 2/1, dutch, a file of rules, or robot:COMMAND [default: 2/1]
    #[arg(long, value_name = "SYSTEM", help_heading = "Evaluation")]
    pub bidding_system: Option<String>,
    /// Bidding system of East-West [default: that of --bidding-system]
    #[arg(
        long,
        value_name = "SYSTEM",
        requires = "bidding_system",
        help_heading = "Evaluation"
    )]
    pub bidding_system_ew: Option<String>,
    /// Seat that opens, for `opc`; overrides `opener` in the script
    #[arg(short = 'O', long, value_name = "SEAT", value_parser = seat, help_heading = "Evaluation")]
    pub opener: Option<Seat>,
    /// Solve every produced deal double dummy, so that the boards show all results and par
    #[arg(long, help_heading = "Evaluation")]
    pub solve: bool,
    /// Double-dummy mode of DealerV2; accepted but ignored, the faster mode is chosen automatically
    #[arg(short = 'M', long, value_name = "1|2", help_heading = "Evaluation")]
    pub solver_mode: Option<u8>,
    /// Program or WebAssembly module that computes `usereval`
    #[arg(short = 'U', long, value_name = "FILE", help_heading = "Evaluation")]
    pub user_program: Option<PathBuf>,

    /// Only check the script for errors
    #[arg(long, help_heading = "Questions")]
    pub check: bool,
    /// List the parameters $0 to $9 of the script with their descriptions
    #[arg(long, conflicts_with = "check", help_heading = "Questions")]
    pub params: bool,
    /// Explain the condition of the script, and show how often each clause is evaluated and true
    #[arg(long, conflicts_with = "check", help_heading = "Questions")]
    pub explain: bool,
    /// Show the value of every variable and clause for this deal, or for the first deal of this file
    #[arg(long, value_name = "DEAL|FILE", conflicts_with_all = ["check", "explain"], help_heading = "Questions")]
    pub explain_deal: Option<String>,
    /// Do not show warnings about the script
    #[arg(long, help_heading = "Questions")]
    pub no_warnings: bool,
    /// Debug level X[.Y]: 2 adds the number of double-dummy and user evaluations to the statistics; a program of -U
    /// receives both levels
    #[arg(short = 'D', long, value_name = "X[.Y]", value_parser = levels, help_heading = "Questions")]
    pub debug: Option<String>,

    #[command(flatten)]
    limits: CommandLimits,
    #[command(flatten)]
    variables: Variables,
    /// Text for a parameter of the script: --param 1=west replaces $1 by west
    #[arg(long, value_name = "N=TEXT", value_parser = parameter, help_heading = "Script variables")]
    pub param: Vec<(usize, String)>,

    /// Print this help
    #[arg(short, long, action = ArgAction::Help, help_heading = "Questions")]
    help: Option<bool>,
    /// Print the version
    #[arg(short = 'V', long, action = ArgAction::Version, help_heading = "Questions")]
    version: Option<bool>,
    /// Print the licence
    #[arg(long, help_heading = "Questions")]
    pub license: bool,
    /// Print acknowledgements
    #[arg(long, help_heading = "Questions")]
    pub credits: bool,

    /// Upper case, in v1; it has no effect there either
    #[arg(short = 'u', hide = true)]
    pub upper_case: bool,
    /// Exhaust mode, in v1
    #[arg(short = 'e', hide = true)]
    pub exhaust: bool,
}
