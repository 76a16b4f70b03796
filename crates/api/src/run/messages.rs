//! The request for a run, and the events of a run.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::Problem;
use crate::boards::BoardData;
use crate::check::{Diagnostic, Dialect};
use crate::tables::Shown;

/// Request for a run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct RunRequest {
    /// Text of the script.
    pub script: String,
    /// Dialect of the script.
    #[serde(default)]
    pub dialect: Dialect,
    /// Seed: a number, or `key:` and hexadecimal digits. Default: the script's, else a random one.
    #[serde(default)]
    pub seed: Option<String>,
    /// Number of deals to find; overrides the script's.
    #[serde(default)]
    pub produce: Option<u64>,
    /// Maximum number of deals to try; overrides the script's.
    #[serde(default)]
    pub generate: Option<u64>,
    /// Cards that a seat must have, by the letter of the seat: `SAKQ,H2`.
    #[serde(default)]
    pub predeal: BTreeMap<String, String>,
    /// Shares of the classes of the script: `Game=2,Slam=1`.
    #[serde(default)]
    pub level: Option<String>,
    /// Further scripts to mix with this one.
    #[serde(default)]
    pub mix: Option<Mix>,
    /// Whether to ignore the script's actions and report only the deals.
    #[serde(default)]
    pub deals_only: bool,
}

/// Scripts to mix with the first one.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Mix {
    /// Texts of the scripts.
    pub scripts: Vec<String>,
    /// Shares of all scripts, the first script's first.
    pub shares: Vec<u64>,
}

/// A produced deal.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Produced {
    /// Number among the deals tried, from 0.
    pub index: u64,
    /// Number among the produced deals, from 1.
    pub ordinal: u64,
    /// The deal and the data of its board.
    #[serde(flatten)]
    pub board: BoardData,
    /// Values of the script's actions, in the order of the columns.
    pub values: Vec<i32>,
}

/// An event of a run. Events are sent in the order in which they happen.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(tag = "type", rename_all = "kebab-case")]
pub enum RunEvent {
    /// The run begins.
    Start {
        /// Seed that repeats the run.
        seed: String,
        /// Title of the script.
        title: String,
        /// Names of the values of each deal.
        columns: Vec<String>,
        /// Warnings about the script.
        warnings: Vec<Diagnostic>,
        /// Number of deals to find, if that ends the run.
        produce: Option<u64>,
    },
    /// The run has advanced.
    Progress {
        /// Number of deals tried.
        generated: u64,
        /// Number of deals found.
        produced: u64,
    },
    /// Deals were found.
    Deals {
        /// Deals, in order.
        deals: Vec<Produced>,
    },
    /// The run has ended.
    End {
        /// Reason: `produced`, `generated`, `exhausted`, `stopped`, `cancelled` or `timed_out`.
        ended: String,
        /// Number of deals tried.
        generated: u64,
        /// Number of deals found.
        produced: u64,
        /// Elapsed seconds; 0 where there is no clock.
        seconds: f64,
        /// Tables of the script's actions.
        tables: Vec<Shown>,
        /// Output of the program `dealer`, truncated to the limit.
        text: String,
    },
    /// The run failed.
    Problem {
        /// Error of the run.
        problem: Problem,
    },
}
