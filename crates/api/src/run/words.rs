//! What is asked of a run, and what is told of it.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::Problem;
use crate::boards::BoardData;
use crate::check::{Diagnostic, Dialect};
use crate::tables::Shown;

/// What to run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct RunRequest {
    /// The script.
    pub script: String,
    /// Whose meaning it has.
    #[serde(default)]
    pub dialect: Dialect,
    /// A number, or `key:` and hexadecimal digits; without it the script's, or a fresh one.
    #[serde(default)]
    pub seed: Option<String>,
    /// Stop after so many deals found, over the script's.
    #[serde(default)]
    pub produce: Option<u64>,
    /// Look at no more deals, over the script's.
    #[serde(default)]
    pub generate: Option<u64>,
    /// Cards that a seat must have, by its letter: `SAKQ,H2`.
    #[serde(default)]
    pub predeal: BTreeMap<String, String>,
    /// Classes of the script in these shares: `Game=2,Slam=1`.
    #[serde(default)]
    pub level: Option<String>,
    /// Further scripts to mix with this one.
    #[serde(default)]
    pub mix: Option<Mix>,
    /// Leave the script's actions out: only the deals are wanted.
    #[serde(default)]
    pub deals_only: bool,
}

/// Further scripts.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Mix {
    /// Their texts.
    pub scripts: Vec<String>,
    /// The shares of all, the first script's first.
    pub shares: Vec<u64>,
}

/// A produced deal.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Produced {
    /// Its number among the deals looked at, from 0.
    pub index: u64,
    /// Its number among the produced deals, from 1.
    pub ordinal: u64,
    /// The deal and what stands on its board.
    #[serde(flatten)]
    pub board: BoardData,
    /// The values that the script's actions ask for, in the order of the columns.
    pub values: Vec<i32>,
}

/// What happens in a run, in the order in which it happens.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(tag = "type", rename_all = "kebab-case")]
pub enum RunEvent {
    /// It begins.
    Start {
        /// What repeats it when given as the seed.
        seed: String,
        /// The title of the script.
        title: String,
        /// The names of the values of each deal.
        columns: Vec<String>,
        /// What is odd about the script.
        warnings: Vec<Diagnostic>,
        /// Deals to find, if that ends the run.
        produce: Option<u64>,
    },
    /// It goes on.
    Progress {
        /// Deals looked at.
        generated: u64,
        /// Deals found.
        produced: u64,
    },
    /// Deals were found.
    Deals {
        /// The deals, in order.
        deals: Vec<Produced>,
    },
    /// It has ended.
    End {
        /// Why: `produced`, `generated`, `exhausted`, `stopped`, `cancelled` or `timed_out`.
        ended: String,
        /// Deals looked at.
        generated: u64,
        /// Deals found.
        produced: u64,
        /// By the clock; 0 where there is none.
        seconds: f64,
        /// What the script's actions collected.
        tables: Vec<Shown>,
        /// What the program `dealer` prints, cut off where it gets long.
        text: String,
    },
    /// It failed.
    Problem {
        /// Why.
        problem: Problem,
    },
}
