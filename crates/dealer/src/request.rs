//! What the command line asks for, whatever dialect it was written in.

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

/// A file that deals or reports are written to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SideFile {
    /// Its name.
    pub path: PathBuf,
    /// Start anew instead of appending.
    pub truncate: bool,
    /// For solved deals: leave the tricks out.
    pub unsolved: bool,
}

/// What is done instead of dealing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Inquiry {
    /// Only check the script.
    Check,
    /// Show the plan and how often each clause holds.
    Explain,
    /// Show every variable and clause on this deal.
    ExplainDeal(Box<Deal>),
}

/// When the exact sampler deals instead of trial and error.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum Sampler {
    /// When it is expected to be faster.
    #[default]
    Auto,
    /// Always.
    On,
    /// Never.
    Off,
}

impl Sampler {
    /// The same for the session.
    pub fn usage(self) -> SamplerUse {
        match self {
            Sampler::Auto => SamplerUse::Auto,
            Sampler::On => SamplerUse::On,
            Sampler::Off => SamplerUse::Off,
        }
    }
}

/// The secret of a tournament.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tournament {
    /// Fresh from the operating system.
    Fresh,
    /// This one, to deal the same boards again.
    Of(Key),
}

/// Part `part` (from 1) of `parts`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    /// Which.
    pub part: usize,
    /// Of how many.
    pub parts: usize,
}

/// The two levels of `-D`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DebugLevels {
    /// From 2 on the statistics tell how often the expensive functions were asked.
    pub level: u8,
    /// The level of v2's evaluation server.
    pub server: u8,
}

/// Everything a command line can ask for.
#[derive(Clone, Debug)]
pub struct Request {
    /// Whose manners to have.
    pub mode: Mode,
    /// The scripts; none means standard input.
    pub scripts: Vec<OsString>,
    /// Deals to produce; 0 counts as not given.
    pub produce: Option<i64>,
    /// Deals to generate; 0 counts as not given.
    pub generate: Option<i64>,
    /// The seed.
    pub seed: Option<i64>,
    /// The seed of our own generator where it is not a number.
    pub key: Option<Key>,
    /// Print the statistics at the end.
    pub statistics: bool,
    /// `printpbn` prints nothing.
    pub quiet_pbn: bool,
    /// No per-deal output at all.
    pub no_deals: bool,
    /// The classic progress meter.
    pub meter: bool,
    /// Exchange of hands.
    pub swap: Swap,
    /// The title; given but empty removes the script's.
    pub title: Option<Vec<u8>>,
    /// Predeal switches in the order given.
    pub predeal: Vec<(Seat, String)>,
    /// Where `csvrpt` goes.
    pub csv: Option<SideFile>,
    /// Where `export` goes.
    pub export: Option<PathBuf>,
    /// Where solved deals go.
    pub zrd: Option<SideFile>,
    /// Where deals of 52 bytes go.
    pub dl52: Option<SideFile>,
    /// The library to deal from.
    pub library: Option<PathBuf>,
    /// Deals from elsewhere: a file, or `-`.
    pub input_deals: Option<PathBuf>,
    /// Which of those deals.
    pub input_range: InputRange,
    /// Double-dummy mode 2 (whole tables): only silences a note of v2.
    pub table_mode: bool,
    /// Vulnerability for `par` without one.
    pub par_vulnerability: Option<Vulnerability>,
    /// Opener for `opc`.
    pub opener: Option<Seat>,
    /// Solve every produced deal.
    pub solve: bool,
    /// Program or module behind `usereval`.
    pub user_program: Option<PathBuf>,
    /// What is told besides.
    pub debug: DebugLevels,
    /// Whether operators group as in dealer3.
    pub dealer3: bool,
    /// `$0` to `$9`.
    pub variables: [Option<String>; 10],
    /// Threads; 0 means all cores.
    pub threads: usize,
    /// Blocks a thread takes at a time; 0 lets the engine choose.
    pub batch: usize,
    /// Megabytes a thread's double-dummy solver may use.
    pub solver_memory: u32,
    /// Seconds of dealing after which to stop.
    pub time_limit: Option<u64>,
    /// What the process may use up.
    pub limits: Limits,
    /// What to print of each deal instead of the script's choice.
    pub format: Option<&'static Format>,
    /// Dealer for boards, over the script's.
    pub dealer: Option<Seat>,
    /// Vulnerability for boards, over the script's.
    pub vulnerable: Option<Vulnerability>,
    /// Turn the deals so that dealer and vulnerability follow the board number.
    pub rotate: bool,
    /// Use of the exact sampler.
    pub sampler: Sampler,
    /// Deal by the tournament-grade generator.
    pub tournament: Option<Tournament>,
    /// Where its key goes.
    pub key_file: Option<PathBuf>,
    /// Where the deals go instead of standard output.
    pub output: Option<PathBuf>,
    /// Number of the first board, over the script's.
    pub first_board: Option<i64>,
    /// Classes of deals in these proportions; empty for all of the script, equally.
    pub level: Option<String>,
    /// Spread levelled classes and mixed scripts evenly.
    pub even: bool,
    /// Spread the classes of the script evenly over the produced deals.
    pub interleave: bool,
    /// The seed of `rnd`.
    pub rnd_seed: Option<i64>,
    /// Print the statistics as JSON instead of tables.
    pub stats_json: bool,
    /// Decimals of estimates; nothing for as many as their intervals support.
    pub digits: Option<usize>,
    /// Write text in CSV so that spreadsheets find no formulas.
    pub csv_safe: bool,
    /// How well the averages are to be known.
    pub precision: Option<Precision>,
    /// Deals dealt for each deal kept that levelling may cost.
    pub level_budget: Option<u64>,
    /// Where to write the script with keep rates.
    pub write_leveled: Option<PathBuf>,
    /// Proportions of several scripts.
    pub mix: Option<String>,
    /// Where the tables go as data.
    pub tables: Vec<TableFile>,
    /// Where to write a page for the browser.
    pub report: Option<PathBuf>,
    /// Boards on that page at most.
    pub report_boards: Option<u64>,
    /// Only list the parameters of the script.
    pub list_parameters: bool,
    /// Something else than dealing.
    pub inquiry: Option<Inquiry>,
    /// Only this part of the run.
    pub shard: Option<Shard>,
    /// Where the part goes.
    pub partial: Option<PathBuf>,
    /// How often it goes there, if not in the end only.
    pub every: Option<Duration>,
    /// Do not show warnings about the script.
    pub no_warnings: bool,
}

impl Request {
    /// A run has ended because its time was up: the process's, unless its own (`-t`) is shorter.
    pub fn time_is_up(&self) {
        self.limits
            .time_is_up(self.time_limit.map(Duration::from_secs));
    }

    /// Nothing asked for.
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
