//! The request of a command line, independent of its dialect.

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use croupier::cards::{Deal, Seat, Vulnerability};
use croupier::render::Format;
use croupier::script::plan::Mode;
use croupier::session::SamplerUse;
use croupier::shuffle::{Key, Swap};
use croupier::studies::Precision;

use super::input::InputRange;
use super::tables::TableFile;
use crate::limits::Limits;

/// A file to which deals or reports are written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SideFile {
    /// Path of the file.
    pub path: PathBuf,
    /// Whether to replace the file instead of appending.
    pub truncate: bool,
    /// For solved deals: whether to leave the tricks out.
    pub unsolved: bool,
}

/// A question about the script, answered instead of dealing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Inquiry {
    /// Only check the script.
    Check,
    /// Show the plan and how often each clause holds.
    Explain,
    /// Show the value of every variable and clause for this deal.
    ExplainDeal(Box<Deal>),
}

/// When to use the exact sampler instead of dealing and testing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum Sampler {
    /// When it is expected to be faster.
    #[default]
    Auto,
    /// Always use the exact sampler.
    On,
    /// Never use the exact sampler.
    Off,
}

impl Sampler {
    /// Converts the value to the type of the session.
    pub fn usage(self) -> SamplerUse {
        match self {
            Sampler::Auto => SamplerUse::Auto,
            Sampler::On => SamplerUse::On,
            Sampler::Off => SamplerUse::Off,
        }
    }
}

/// Key of a tournament.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tournament {
    /// A new random key from the operating system.
    Fresh,
    /// This key, to deal its boards again.
    Of(Key),
}

/// Part `part` (from 1) of `parts`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    /// Number of the part, from 1.
    pub part: usize,
    /// Number of parts.
    pub parts: usize,
}

/// The two levels of `-D`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DebugLevels {
    /// Level of the program. From 2 on the statistics show the number of calls of expensive functions.
    pub level: u8,
    /// Level that is passed to v2's evaluation server.
    pub server: u8,
}

/// The settings of a command line.
#[derive(Clone, Debug)]
pub struct Request {
    /// Language, deals and page layout.
    pub mode: Mode,
    /// The scripts; none means standard input.
    pub scripts: Vec<OsString>,
    /// Deals to produce; 0 counts as not given.
    pub produce: Option<i64>,
    /// Deals to generate; 0 counts as not given.
    pub generate: Option<i64>,
    /// Seed of the deals.
    pub seed: Option<i64>,
    /// Seed of the native generator if it is not a number.
    pub key: Option<Key>,
    /// Print the statistics at the end.
    pub statistics: bool,
    /// `printpbn` prints nothing.
    pub quiet_pbn: bool,
    /// Whether to print no deals at all.
    pub no_deals: bool,
    /// Whether to show the classic progress meter.
    pub meter: bool,
    /// Exchange of hands.
    pub swap: Swap,
    /// Title; an empty one removes the script's.
    pub title: Option<Vec<u8>>,
    /// Predeal switches in the order given.
    pub predeal: Vec<(Seat, String)>,
    /// File for `csvrpt`.
    pub csv: Option<SideFile>,
    /// File for `export`.
    pub export: Option<PathBuf>,
    /// File for solved deals.
    pub zrd: Option<SideFile>,
    /// File for deals of 52 bytes.
    pub dl52: Option<SideFile>,
    /// Library from which to deal.
    pub library: Option<PathBuf>,
    /// File of deals to use, or `-`.
    pub input_deals: Option<PathBuf>,
    /// Range of those deals.
    pub input_range: InputRange,
    /// Double-dummy mode 2 (whole tables). It only suppresses a notice of v2.
    pub table_mode: bool,
    /// Vulnerability for `par` without one.
    pub par_vulnerability: Option<Vulnerability>,
    /// Opener for `opc`.
    pub opener: Option<Seat>,
    /// Solve every produced deal.
    pub solve: bool,
    /// Program or WebAssembly module that computes `usereval`.
    pub user_program: Option<PathBuf>,
    /// Debug levels.
    pub debug: DebugLevels,
    /// Whether operator precedence is that of dealer3.
    pub dealer3: bool,
    /// Texts for `$0` to `$9`.
    pub variables: [Option<String>; 10],
    /// Threads; 0 means all cores.
    pub threads: usize,
    /// Blocks per work unit of a thread; 0 lets the engine choose.
    pub batch: usize,
    /// Memory of each thread's double-dummy solver, in megabytes.
    pub solver_memory: u32,
    /// Time limit for dealing, in seconds.
    pub time_limit: Option<u64>,
    /// Limits on the time and memory of the process.
    pub limits: Limits,
    /// Output format of the deals; overrides the script's actions.
    pub format: Option<&'static Format>,
    /// Dealer of the boards; overrides the script's.
    pub dealer: Option<Seat>,
    /// Vulnerability of the boards; overrides the script's.
    pub vulnerable: Option<Vulnerability>,
    /// Whether to rotate the deals so that dealer and vulnerability follow the board number.
    pub rotate: bool,
    /// Use of the exact sampler.
    pub sampler: Sampler,
    /// Key for the tournament generator.
    pub tournament: Option<Tournament>,
    /// File for that key.
    pub key_file: Option<PathBuf>,
    /// File for the deals instead of standard output.
    pub output: Option<PathBuf>,
    /// Number of the first board; overrides the script's.
    pub first_board: Option<i64>,
    /// Classes of deals and their shares; empty for all classes of the script with equal shares.
    pub level: Option<String>,
    /// Whether to distribute levelled classes and mixed scripts evenly.
    pub even: bool,
    /// Whether to distribute the classes of the script evenly over the produced deals.
    pub interleave: bool,
    /// Seed of `rnd`.
    pub rnd_seed: Option<i64>,
    /// Whether to print the statistics as JSON instead of tables.
    pub stats_json: bool,
    /// Decimals of estimates; `None` for as many as their intervals support.
    pub digits: Option<usize>,
    /// Whether to protect text in CSV from being read as a formula.
    pub csv_safe: bool,
    /// Precision of the averages at which to stop.
    pub precision: Option<Precision>,
    /// Maximum number of deals dealt per deal kept when levelling.
    pub level_budget: Option<u64>,
    /// File for the script with keep rates.
    pub write_leveled: Option<PathBuf>,
    /// Shares of several scripts.
    pub mix: Option<String>,
    /// Files for the tables as data.
    pub tables: Vec<TableFile>,
    /// File for the HTML page.
    pub report: Option<PathBuf>,
    /// Maximum number of boards on that page.
    pub report_boards: Option<u64>,
    /// Whether to only list the parameters of the script.
    pub list_parameters: bool,
    /// Question to answer instead of dealing.
    pub inquiry: Option<Inquiry>,
    /// Part of the run to compute.
    pub shard: Option<Shard>,
    /// File for the part.
    pub partial: Option<PathBuf>,
    /// Time between two checkpoints; `None` to write the file only at the end.
    pub every: Option<Duration>,
    /// Whether to hide warnings about the script.
    pub no_warnings: bool,
}

impl Request {
    /// Records that the time limit ended the run: the process's limit, unless the run's own (`-t`) is shorter.
    pub fn time_is_up(&self) {
        self.limits
            .time_is_up(self.time_limit.map(Duration::from_secs));
    }

    /// Creates a request with default settings.
    pub fn new(mode: Mode) -> Request {
        Request {
            mode,
            scripts: Vec::new(),
            produce: None,
            generate: None,
            seed: None,
            key: None,
            statistics: true,
            quiet_pbn: false,
            no_deals: false,
            meter: false,
            swap: Swap::default(),
            title: None,
            predeal: Vec::new(),
            csv: None,
            export: None,
            zrd: None,
            dl52: None,
            library: None,
            input_deals: None,
            input_range: InputRange::default(),
            table_mode: false,
            par_vulnerability: None,
            opener: None,
            solve: false,
            user_program: None,
            debug: DebugLevels::default(),
            dealer3: false,
            variables: Default::default(),
            threads: 0,
            batch: 0,
            solver_memory: croupier::solver::DEFAULT_MEMORY,
            time_limit: None,
            limits: Limits::default(),
            format: None,
            dealer: None,
            vulnerable: None,
            rotate: false,
            sampler: Sampler::default(),
            tournament: None,
            key_file: None,
            output: None,
            first_board: None,
            level: None,
            even: false,
            interleave: false,
            rnd_seed: None,
            stats_json: false,
            digits: None,
            csv_safe: false,
            precision: None,
            level_budget: None,
            write_leveled: None,
            mix: None,
            tables: Vec::new(),
            report: None,
            report_boards: None,
            list_parameters: false,
            inquiry: None,
            shard: None,
            partial: None,
            every: None,
            no_warnings: false,
        }
    }
}
