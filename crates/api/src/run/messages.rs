//! The request for a run, and the events of a run.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::RequestError;
use crate::boards::BoardData;
use crate::check::{Diagnostic, Dialect};
use crate::tables::ShownTable;

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
    /// Precision of the averages at which the run ends: `0.5%`, `0.05 tricks`, `0.2 imps` or `5 points`.
    #[serde(default)]
    pub precision: Option<String>,
    /// Cards that a seat must have, by the letter of the seat: `SAKQ,H2`.
    #[serde(default)]
    #[cfg_attr(feature = "openapi", schema(value_type = BTreeMap<crate::boards::SeatName, String>))]
    pub predeal: BTreeMap<String, String>,
    /// Texts of files that the script may import, by name.
    #[serde(default)]
    pub imports: BTreeMap<String, String>,
    /// Shares of the classes of the script: `Game=2,Slam=1`.
    #[serde(default)]
    pub level: Option<String>,
    /// Further scripts to mix with this one.
    #[serde(default)]
    pub mix: Option<Mix>,
    /// Texts of the script's parameters, by their digit: `{"1": "15"}` for `$1`.
    #[serde(default)]
    pub variables: BTreeMap<String, String>,
    /// Use of the exact sampler: `auto`, `on` or `off`.
    #[serde(default)]
    pub sampler: Option<String>,
    /// Boards of a tournament: `new` for a new secret key, or a key, or the content of a key file. The key file is in the
    /// last event.
    #[serde(default)]
    pub tournament: Option<String>,
    /// Public value on which the boards of the tournament depend, if its key file names one.
    #[serde(default)]
    pub beacon_value: Option<String>,
    /// Deals to select from and to count, instead of random ones. Without limits all of them are used.
    #[serde(default)]
    pub deals: Vec<String>,
    /// Exchange of hands after each deal: 0, 2 or 3.
    #[serde(default)]
    pub exchange: Option<u8>,
    /// Title; overrides the script's.
    #[serde(default)]
    pub title: Option<String>,
    /// Dealer of all boards; overrides the script's.
    #[serde(default)]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<crate::boards::SeatName>))]
    pub dealer: Option<String>,
    /// Vulnerable sides of all boards; overrides the script's.
    #[serde(default)]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<crate::boards::VulnerabilityName>))]
    pub vulnerable: Option<String>,
    /// Bidding system for `bids` and similar functions: `2/1` or `dutch`. Default: `2/1`.
    #[serde(default)]
    pub bidding_system: Option<String>,
    /// Bidding system of East-West. Default: that of North-South.
    #[serde(default)]
    pub bidding_system_ew: Option<String>,
    /// Number of the first board. Default: 1.
    #[serde(default)]
    pub first_board: Option<u64>,
    /// Seat that opened, for `opc`.
    #[serde(default)]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<crate::boards::SeatName>))]
    pub opener: Option<String>,
    /// Vulnerable sides for `par` without an argument.
    #[serde(default)]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<crate::boards::VulnerabilityName>))]
    pub par_vulnerability: Option<String>,
    /// Seed of `rnd`, apart from the seed of the deals.
    #[serde(default)]
    pub rnd_seed: Option<i64>,
    /// Whether the classes of a levelled run and the scripts of a mix are spread evenly instead of shuffled.
    #[serde(default)]
    pub even: bool,
    /// Whether the produced deals are ordered so that the classes of the script are spread evenly.
    #[serde(default)]
    pub interleave: bool,
    /// Number of deals that a levelled script may generate for each deal it keeps.
    #[serde(default)]
    pub level_budget: Option<u64>,
    /// Whether to add double-dummy results to every deal.
    #[serde(default)]
    pub solve: bool,
    /// Whether to ignore the script's actions and report only the deals.
    #[serde(default)]
    pub deals_only: bool,
}

/// Scripts to mix with the first one.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct Mix {
    /// Texts of the scripts.
    pub scripts: Vec<String>,
    /// Names of all scripts, the first script's first; boards are marked with them. Default: numbers.
    #[serde(default)]
    pub names: Vec<String>,
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
    /// Class of a levelled run, or script of a mixture, to which the deal belongs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub class: Option<String>,
}

/// The key of a tournament. Publish the commitment before the boards are played, and the key file afterwards.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct TournamentKey {
    /// Content of the key file, which is secret until the boards have been played: the key, and the terms of the boards.
    pub file: String,
    /// Commitment to the key and the terms.
    pub commitment: String,
}

/// An event of a run. Events are sent in the order in which they happen.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(tag = "type", rename_all = "kebab-case")]
pub enum RunEvent {
    /// The run begins.
    Start {
        /// Name of the run for `/api/stop`; only `croupier serve` sends it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        run: Option<String>,
        /// Seed that repeats the run.
        seed: String,
        /// Title of the script.
        title: String,
        /// Names of the values of each deal.
        columns: Vec<String>,
        /// Warnings about the script.
        warnings: Vec<Diagnostic>,
        /// Number of deals to find, if that ends the run.
        #[cfg_attr(feature = "openapi", schema(required))]
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
        tables: Vec<ShownTable>,
        /// Output of the program `dealer`, truncated to the limit.
        text: String,
        /// Whether the requested precision was reached; left out without one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        is_precise: Option<bool>,
        /// Key of a tournament; left out for other runs.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        tournament: Option<TournamentKey>,
    },
    /// The run failed.
    Problem {
        /// Error of the run.
        problem: RequestError,
    },
}
