//! How often the condition holds: exactly where it can be counted.

use croupier::engine::{Bin, Chances, ExactTable, ExactTallies};
use serde::{Deserialize, Serialize};

use crate::check::{self, Check};
use crate::{Limits, Problem};

/// How often a condition holds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Odds {
    /// Whether it was counted; otherwise the rest of it was tried.
    pub exact: bool,
    /// The probability.
    pub probability: f64,
    /// Lower end of its 95 % interval; the probability itself if it is exact.
    pub low: f64,
    /// Upper end.
    pub high: f64,
    /// So many, in digits, ...
    pub count: String,
    /// ... of so many ...
    pub out_of: String,
    /// ... of these; an upper bound if it is not exact.
    pub unit: String,
    /// In lowest terms, if it is exact.
    pub fraction: Option<[String; 2]>,
    /// Twenty digits, if it is exact.
    pub decimal: Option<String>,
    /// One deal in so many, if it ever happens.
    pub one_in: Option<String>,
    /// Deals that satisfied what could not be counted.
    pub passed: Option<u64>,
    /// Deals tried.
    pub tried: Option<u64>,
    /// Exact averages of the script.
    pub averages: Vec<ExactMean>,
    /// Exact frequency tables of the script.
    pub tables: Vec<ExactFrequency>,
}

/// An average without sampling error.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ExactMean {
    /// The number of the action in the script.
    pub action: usize,
    /// Its label.
    pub label: Option<String>,
    /// The mean.
    pub mean: f64,
    /// The standard deviation.
    pub deviation: f64,
}

/// A frequency table without sampling error.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ExactFrequency {
    /// The number of the action in the script.
    pub action: usize,
    /// Its label.
    pub label: Option<String>,
    /// Lowest and highest value of each row; open at the ends.
    pub rows: Vec<[Option<i32>; 2]>,
    /// The same of each column.
    pub columns: Vec<[Option<i32>; 2]>,
    /// Probabilities, row by row.
    pub probabilities: Vec<f64>,
}

/// Counts a condition.
///
/// # Errors
/// If the script has errors or no deal can satisfy its predeal.
pub fn probability(ask: Check, limits: &Limits) -> Result<Odds, Problem> {
    let session = check::session(&ask.script, ask.dialect, limits)?;
    let found = session
        .chances(limits.samples, limits.exact_work)
        .map_err(|error| Problem::of_session(&ask.script, error))?;
    Ok(odds(&found.condition, &found.tables))
}

fn odds(found: &Chances, tallies: &ExactTallies) -> Odds {
    let count = &found.bound;
    let (low, high) = found.interval();
    let (top, bottom) = count.lowest_terms();
    let exact = found.is_exact();
    let share = found.probability();
    Odds {
        exact,
        probability: share,
        low,
        high,
        count: count.hits().to_string(),
        out_of: count.out_of().to_string(),
        unit: count.unit().to_string(),
        fraction: exact.then(|| [top.to_string(), bottom.to_string()]),
        decimal: exact.then(|| count.decimal(20, 0)),
        one_in: match exact {
            true => count.one_in(12),
            false => (share > 0.0).then(|| format!("{:.6}", 1.0 / share)),
        },
        passed: found.trial.map(|trial| trial.passed),
        tried: found.trial.map(|trial| trial.tried),
        averages: tallies
            .averages
            .iter()
            .map(|it| ExactMean {
                action: it.action,
                label: it.label.clone(),
                mean: it.mean,
                deviation: it.deviation,
            })
            .collect(),
        tables: tallies.tables.iter().map(table).collect(),
    }
}

fn table(it: &ExactTable) -> ExactFrequency {
    let bins = |bins: &[Bin]| bins.iter().map(|bin| [bin.low, bin.high]).collect();
    ExactFrequency {
        action: it.action,
        label: it.label.clone(),
        rows: bins(&it.rows),
        columns: bins(&it.columns),
        probabilities: it.cells.clone(),
    }
}
