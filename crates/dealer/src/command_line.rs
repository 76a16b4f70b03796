//! A command line of any dialect: files to read, what to compute, how to execute it, and where to write.

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use croupier::cards::Deal;
use croupier::render::OutputOptions;
use croupier::session::tournament::KeyFile;
use croupier::session::{ExecutionOptions, JobSpec, Mode};

use crate::Additions;
use crate::limits::CommandLimits;

/// A parsed command line. The parser of each dialect fills it.
#[derive(Clone, Debug)]
pub struct CommandLine {
    /// Files to read.
    pub inputs: InputFiles,
    /// The job. The texts of its scripts are read later.
    pub job: JobSpec,
    /// Execution of the job.
    pub execution: ExecutionOptions,
    /// Output of the job.
    pub output: OutputOptions,
    /// Whether to deal, or to answer a question about the script.
    pub task: Task,
    /// Key of a tournament; `None` for other runs.
    pub tournament: Option<TournamentSwitches>,
    /// File for a part of the run, or for its checkpoints.
    pub part: Option<PartFile>,
    /// Limits on the time and memory of the process.
    pub limits: CommandLimits,
    /// Whether outputs replace files that exist.
    pub replaces_files: bool,
    /// Whether to hide warnings about the script.
    pub hides_warnings: bool,
    /// Settings of DealerV2 without effect on the deals.
    pub v2: V2Settings,
    /// Functions that take long to build.
    pub additions: Additions,
}

impl CommandLine {
    /// Creates a command line with default settings.
    #[must_use]
    pub fn new(dialect: Mode) -> CommandLine {
        CommandLine {
            inputs: InputFiles::default(),
            job: JobSpec {
                dialect,
                ..JobSpec::default()
            },
            execution: ExecutionOptions::default(),
            output: OutputOptions::default(),
            task: Task::Deal,
            tournament: None,
            part: None,
            limits: CommandLimits::default(),
            replaces_files: true,
            hides_warnings: false,
            v2: V2Settings::default(),
            additions: Additions::default(),
        }
    }

    /// Returns the dialect.
    #[must_use]
    pub fn dialect(&self) -> Mode {
        self.job.dialect
    }

    /// Records that the time limit ended the run: the process's limit, unless the run's own (`-t`) is shorter.
    pub fn time_is_up(&self) {
        self.limits.time_is_up(self.execution.time_limit);
    }
}

/// The task of a command line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Task {
    /// Deal and print.
    #[default]
    Deal,
    /// List the parameters of the script.
    ListParameters,
    /// Only check the script.
    Check,
    /// Show the plan and how often each clause holds.
    Explain,
    /// Show the value of every variable and clause for this deal.
    ExplainDeal(Box<Deal>),
}

/// Files that the program reads.
#[derive(Clone, Debug, Default)]
pub struct InputFiles {
    /// The scripts; none means standard input.
    pub scripts: Vec<OsString>,
    /// Shares of several scripts.
    pub mix: Option<String>,
    /// Library from which to deal.
    pub library: Option<PathBuf>,
    /// File of deals to use, or `-`.
    pub deals: Option<PathBuf>,
    /// Number of those deals to skip.
    pub skipped_deals: usize,
    /// Maximum number of deals after the skipped ones.
    pub most_deals: Option<usize>,
    /// Program or WebAssembly module that computes `usereval`.
    pub user_program: Option<PathBuf>,
}

/// Switches of a tournament: its key, and a public value on which it depends.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TournamentSwitches {
    /// The given key, with the terms of its file; `None` for a new key.
    pub given: Option<KeyFile>,
    /// Words for a public value of the future. Then the run only writes the key file and prints the commitment.
    pub beacon: Option<String>,
    /// The public value.
    pub beacon_value: Option<String>,
}

/// A file for a part of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PartFile {
    /// Path of the file.
    pub path: PathBuf,
    /// The part to compute; `None` for the whole run.
    pub shard: Option<Shard>,
    /// Time between two checkpoints; `None` to write the file only at the end.
    pub every: Option<Duration>,
}

/// Part `part` (from 1) of `parts`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    /// Number of the part, from 1.
    pub part: usize,
    /// Number of parts.
    pub parts: usize,
}

/// Settings of DealerV2 without effect on the deals.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct V2Settings {
    /// Double-dummy mode 2 (whole tables). It only suppresses a notice.
    pub table_mode: bool,
    /// The two levels of `-D`: of the program, and of its evaluation server.
    pub debug: (u8, u8),
}
